import type * as vscode from 'vscode';
import type { Desk } from '../editor/desk.ts';
import { signedInKey } from '../editor/names/storageKeys.ts';

/** Time as an argument, as much of it as the shell needs: runs `work` once after `delayMs`, unless disposed before. */
export type After = (delayMs: number, work: () => void) => vscode.Disposable;

/** As long the window has for what people do first. */
const idleMs = 5000;

/**
 * Opens the desk without anybody asking, so that the inbox fills by itself: once the extension has been active for five
 * seconds, and at once nothing. The window counts as idle then; whoever used one of our commands, views or documents before
 * has opened the desk already, and nothing happens any more. Where nobody is signed in it starts no timer.
 */
export function startWhenIdle(
	{ globalState }: Pick<vscode.ExtensionContext, 'globalState'>,
	desk: () => Promise<Desk>,
	after: After,
): vscode.Disposable {
	return globalState.get(signedInKey) === true
		? after(idleMs, () => {
				desk().catch(() => undefined); // The next use tries again, and tells.
			})
		: { dispose: () => undefined };
}
