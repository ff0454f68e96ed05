import * as vscode from 'vscode';
import { filterSetting } from '../../features/tickets/choices/savedFilters.ts';
import { ticketFilters, type EditableFilters } from '../../features/tickets/choices/ticketFilters.ts';
import type { Connections } from '../../store/connection.ts';
import { type NameStorage, keptNames, storageWhile } from '../../machine/storage/editorStorage.ts';

/** Saved and active filters, stored across restarts. Sets the context key for menus. */
export function keptFilters(storage: NameStorage, connections: Connections): EditableFilters {
	/** The filter over all trackers has no account. */
	const isThere = (owner: string): boolean => owner === 'all' || connections.byKey(owner) !== undefined;
	return ticketFilters({
		setting: filterSetting(vscode.workspace),
		connections,
		kept: (owner) =>
			keptNames(
				storageWhile(() => isThere(owner), storage),
				'filters',
				owner,
			),
		tellFiltered: (isFiltered) =>
			void vscode.commands.executeCommand('setContext', 'forge.tickets.filtered', isFiltered),
	});
}
