import type * as vscode from 'vscode';
import type { Disposable } from '../../base/lifecycle.ts';
import { inboxReasons, type InboxReason } from '../../store/inbox/inboxEntry.ts';

const section = 'forge';
const notifyKey = 'inbox.notify';
const statusBarKey = 'inbox.statusBar';

/** Inbox settings; each call reads the current value. */
export interface InboxSettings {
	/** Reasons for which new entries show a notice. */
	notifyOf(): readonly InboxReason[];
	/** Whether the status bar shows the unread count. */
	hasStatusBar(): boolean;
	onDidChange(listener: () => void): Disposable;
}

/** Settings may have any type. */
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
