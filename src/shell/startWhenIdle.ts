import type * as vscode from 'vscode';
import type { Desk } from '../editor/desk.ts';
import { signedInKey } from '../editor/names/storageKeys.ts';

/** Time as an argument, as much of it as the shell needs: runs `work` once after `delayMs`, unless disposed before. */
export type After = (delayMs: number, work: () => void) => vscode.Disposable;

/** Calls `listener` whenever something shows that somebody uses the window, until it is disposed. */
export type OnDidUse = (listener: () => void) => vscode.Disposable;

/** As long the window has for what people do first. */
const idleMs = 5000;
/** So often the wait begins anew: somebody who types all the time wants an inbox, too. */
const mostWaits = 12;

/**
 * Opens the desk without anybody asking, so that the inbox fills by itself: once nobody has used the window for five seconds,
 * and a minute after the start at the latest. Whoever used one of our commands, views or documents before has opened the
 * desk already, and nothing happens any more. Where nobody is signed in it starts no timer.
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
	// Each use only leaves a mark: a timer for each key would cost more.
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
			desk().catch(() => undefined); // The next use tries again, and tells.
		});
	}

	return {
		dispose() {
			timer.dispose();
			watching.dispose();
		},
	};
}
