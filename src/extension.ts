import type { ExtensionContext } from 'vscode';
import { openShell } from './app/shell/shell.ts';

/**
 * The editor calls it after its start, or earlier on the first use of a view, command or address of the extension.
 */
export function activate(context: ExtensionContext): void {
	openShell(
		context,
		async (ownContext, views) => {
			const { openDesk } = await import('./desk.ts');
			return openDesk(ownContext, views);
		},
		(delayMs, work) => {
			const timer = setTimeout(work, delayMs);
			return { dispose: () => clearTimeout(timer) };
		},
	);
}
