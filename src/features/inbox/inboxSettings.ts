import type * as vscode from 'vscode';
import type { Disposable } from '../../base/lifecycle.ts';
import { inboxReasons, type InboxReason } from '../../state/inbox/inboxEntry.ts';

const section = 'forge';
const notifyKey = 'inbox.notify';
const statusBarKey = 'inbox.statusBar';

/** The settings of the inbox, read anew whenever they are asked for. */
export interface InboxSettings {
	/** For which reasons a notice is shown when something arrives. */
	notifyOf(): readonly InboxReason[];
	/** Whether the inbox is in the status bar, with what is unread counted. */
	hasStatusBar(): boolean;
	onDidChange(listener: () => void): Disposable;
}

/** The editor's own settings, which may hold anything. */
export function inboxSettings(
	workspace: Pick<typeof vscode.workspace, 'getConfiguration' | 'onDidChangeConfiguration'>,
): InboxSettings {
	const read = (key: string): unknown => workspace.getConfiguration(section).get<unknown>(key);
	return {
		notifyOf() {
			const value = read(notifyKey);
			return Array.isArray(value) ? inboxReasons.filter((reason) => value.includes(reason)) : [];
		},
		hasStatusBar: () => read(statusBarKey) !== false,
		onDidChange: (listener) =>
			workspace.onDidChangeConfiguration((change) => {
				if (change.affectsConfiguration(`${section}.inbox`)) {
					listener();
				}
			}),
	};
}
