import type { ExtensionContext } from 'vscode';
import { openShell } from './shell/shell.ts';

/** Called by the editor when one of the extension's views, commands or addresses is used for the first time. */
export function activate(context: ExtensionContext): void {
	openShell(context, async (ownContext, views) => {
		const { openDesk } = await import('./desk.ts');
		return openDesk(ownContext, views);
	});
}
