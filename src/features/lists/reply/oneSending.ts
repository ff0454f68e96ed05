import * as vscode from 'vscode';
import { tellBriefly } from '../../../editor/ask/notify.ts';

/** Runs a send unless the same one is running, which shows a message: recipients would get duplicates. */
export type OneSending = (name: string, send: () => Promise<void>) => Promise<void>;

/** For one window; stored records cover other windows. */
export function oneSending(): OneSending {
	const running = new Set<string>();
	return async (name, send) => {
		if (running.has(name)) {
			return tellBriefly(vscode.l10n.t('This is being sent already.'));
		}
		running.add(name);
		try {
			await send();
		} finally {
			running.delete(name);
		}
	};
}
