import type { ExtensionContext } from 'vscode';
import { openShell } from './app/shell/shell.ts';

/**
 * Called by the editor once it has started, or before that when one of the extension's views, commands or addresses is used.
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
