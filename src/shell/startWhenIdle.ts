import type * as vscode from 'vscode';
import type { Desk } from '../editor/desk.ts';
import { signedInKey } from '../editor/names/storageKeys.ts';

/** Injectable timer: runs `work` once after `delayMs`, unless disposed before. */
export type After = (delayMs: number, work: () => void) => vscode.Disposable;

/** Calls `listener` on each use of the window, until disposed. */
export type OnDidUse = (listener: () => void) => vscode.Disposable;

/** Idle time before the desk loads. */
const idleMs = 5000;
/** Maximum restarts of the wait, for users who never pause. */
const mostWaits = 12;

/**
 * Loads the desk in the background, so that the inbox fills: after five idle seconds, or a minute after startup. A
 * no-op if the desk is loaded already. Starts no timer without a signed-in user.
 */
export function startWhenIdle(
	{ globalState }: Pick<vscode.ExtensionContext, 'globalState'>,
	desk: () => Promise<Desk>,
	after: After,
	onDidUse: OnDidUse,
): vscode.Disposable {
	if (globalState.get(signedInKey) !== true) {
		return { dispose: () => undefined };
	}
	let isUsed = false;
	let waits = 0;
	let timer = wait();
	// A flag, because a timer per keystroke would cost more.
	const watching = onDidUse(() => (isUsed = true));

	function wait(): vscode.Disposable {
		waits += 1;
		isUsed = false;
		return after(idleMs, () => {
			if (isUsed && waits < mostWaits) {
				timer = wait();
				return;
			}
			watching.dispose();
			desk().catch(() => undefined); // The next use tries again and reports the error.
		});
	}

	return {
		dispose() {
			timer.dispose();
			watching.dispose();
		},
	};
}
