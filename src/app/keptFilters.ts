import * as vscode from 'vscode';
import { filterSetting } from '../features/tickets/find/savedFilters.ts';
import { ticketFilters, type EditableFilters } from '../features/tickets/find/ticketFilters.ts';
import type { Connections } from '../state/connection.ts';
import { keptNames } from './keptNames.ts';

/** The filters that were saved or set, kept over restarts; menus hear whether one is set. */
export function keptFilters(storage: vscode.Memento, connections: Connections): EditableFilters {
	return ticketFilters({
		setting: filterSetting(vscode.workspace),
		connections,
		kept: (owner) => keptNames(storage, 'filters', owner),
		tellFiltered: (isFiltered) =>
			void vscode.commands.executeCommand('setContext', 'forge.tickets.filtered', isFiltered),
	});
}
