import type * as vscode from 'vscode';
import { Disposables } from '../../base/lifecycle.ts';
import { cancelled } from './ask.ts';

/** The next row accepted with Enter; `undefined` if there is none. Throws `cancelled()` if the user closes the box. */
export async function nextAccepted<T extends vscode.QuickPickItem>(
	box: vscode.QuickPick<T>,
	signal: AbortSignal,
): Promise<T | undefined> {
	if (signal.aborted) {
		throw cancelled();
	}
	using listening = new Disposables();
	const { promise, resolve, reject } = Promise.withResolvers<T | undefined>();
	const giveUp = (): void => reject(cancelled());
	listening.add(box.onDidAccept(() => resolve(box.selectedItems[0])));
	listening.add(box.onDidHide(giveUp));
	signal.addEventListener('abort', giveUp, { once: true });
	listening.add({ dispose: () => signal.removeEventListener('abort', giveUp) });
	return await promise;
}
