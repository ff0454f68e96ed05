import type * as vscode from 'vscode';
import type { Disposable } from '../../../base/lifecycle.ts';

const section = 'forge';
const key = 'tickets.show';

/** Initial selection for a tracker without applied filter; `open` collapses resolved tickets. */
export type WhichTickets = 'open' | 'all';

/** The setting `forge.tickets.show`. */
export type ShownTickets = ReturnType<typeof shownTickets>;

/** Settings may have any type. */
export function shownTickets(
	workspace: Pick<typeof vscode.workspace, 'getConfiguration' | 'onDidChangeConfiguration'>,
) {
	return {
		now: (): WhichTickets => (workspace.getConfiguration(section).get<unknown>(key) === 'all' ? 'all' : 'open'),
		onDidChange: (listener: () => void): Disposable =>
			workspace.onDidChangeConfiguration((change) => {
				if (change.affectsConfiguration(`${section}.${key}`)) {
					listener();
				}
			}),
	};
}
