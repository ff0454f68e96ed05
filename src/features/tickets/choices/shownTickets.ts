import type * as vscode from 'vscode';
import type { Disposable } from '../../../base/lifecycle.ts';

const section = 'forge';
const key = 'tickets.show';

/** Initial selection for a tracker without applied filter; `open` collapses resolved tickets. */
export type WhichTickets = 'open' | 'all';

/** The setting `forge.tickets.show`. */
export interface ShownTickets {
	now(): WhichTickets;
	onDidChange(listener: () => void): Disposable;
}

/** Settings may have any type. */
export function shownTickets(
	workspace: Pick<typeof vscode.workspace, 'getConfiguration' | 'onDidChangeConfiguration'>,
): ShownTickets {
	return {
		now: () => (workspace.getConfiguration(section).get<unknown>(key) === 'all' ? 'all' : 'open'),
		onDidChange: (listener) =>
			workspace.onDidChangeConfiguration((change) => {
				if (change.affectsConfiguration(`${section}.${key}`)) {
					listener();
				}
			}),
	};
}
