import type * as vscode from 'vscode';
import { isAbort } from '@forge-desk/base/abort.ts';

/**
 * Runs cancellable work for the editor, with its token as a signal. `undefined` after a cancel, which the editor treats
 * as "nothing".
 */
export async function withCancellation<T>(
	token: vscode.CancellationToken,
	work: (signal: AbortSignal) => Promise<T>,
): Promise<T | undefined> {
	const control = new AbortController();
	const listening = token.onCancellationRequested(() => control.abort());
	if (token.isCancellationRequested) {
		control.abort();
	}
	try {
		return await work(control.signal);
	} catch (error) {
		if (isAbort(error) && control.signal.aborted) {
			return undefined;
		}
		throw error;
	} finally {
		listening.dispose();
	}
}
