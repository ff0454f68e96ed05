import type * as vscode from 'vscode';
import type { Disposable } from '@forge-desk/base/lifecycle.ts';
import { inboxReasons, type InboxReason } from '../../store/inbox/inboxEntry.ts';

const section = 'forge';
const notifyKey = 'inbox.notify';
const statusBarKey = 'inbox.statusBar';

/** Inbox settings; each call reads the current value. */
export type InboxSettings = ReturnType<typeof inboxSettings>;

/** Settings may have any type. */
export function inboxSettings(
	workspace: Pick<typeof vscode.workspace, 'getConfiguration' | 'onDidChangeConfiguration'>,
) {
	const read = (key: string): unknown => workspace.getConfiguration(section).get<unknown>(key);
	return {
		/** Reasons for which new entries show a notice. */
		notifyOf(): readonly InboxReason[] {
			const value = read(notifyKey);
			return Array.isArray(value) ? inboxReasons.filter((reason) => value.includes(reason)) : [];
		},
		/** Whether the status bar shows the unread count. */
		hasStatusBar: () => read(statusBarKey) !== false,
		onDidChange: (listener: () => void): Disposable =>
			workspace.onDidChangeConfiguration((change) => {
				if (change.affectsConfiguration(`${section}.inbox`)) {
					listener();
				}
			}),
	};
}
