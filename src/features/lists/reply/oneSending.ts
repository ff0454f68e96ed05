import * as vscode from 'vscode';
import { tellBriefly } from '../../../editor/ask/notify.ts';

/** Runs the sending of something unless it is being sent already, which is said: people would get it twice. */
export type OneSending = (name: string, send: () => Promise<void>) => Promise<void>;

/** For one window; what other windows have sent is read from what is kept. */
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
