import type * as vscode from 'vscode';
import type { Disposable } from '../../../base/lifecycle.ts';

const section = 'forge';
const key = 'tickets.show';

/** Which tickets a tracker without a filter of its own opens with; with `open` the resolved ones are folded away. */
export type WhichTickets = 'open' | 'all';

/** The setting `forge.tickets.show`. */
export interface ShownTickets {
	now(): WhichTickets;
	onDidChange(listener: () => void): Disposable;
}

/** The editor's own setting, which may hold anything. */
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
