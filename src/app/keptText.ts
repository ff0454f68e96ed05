import type * as vscode from 'vscode';
import type { KeptText } from '../state/keptLooks.ts';

/** One text of an account, kept until it signs out: its key is among those that `forgetNames` forgets. */
export function keptText(storage: vscode.Memento, kind: string, connectionKey: string): KeptText {
	const key = `forge.names:${kind}:${connectionKey}`;
	return {
		read: () => storage.get<unknown>(key),
		async write(text) {
			await storage.update(key, text);
		},
	};
}
