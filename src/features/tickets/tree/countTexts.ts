import * as vscode from 'vscode';
import { countText } from '../../../editor/trees/countTexts.ts';
import type { IndexState } from '../../../store/tickets/index/ticketIndexer.ts';
import type { TrackerFacts } from './trackerFacts.ts';

/** "312", "50 of 312", "50+": never more than is certain; `undefined` before the first load. */
export function knownText(state: IndexState): string | undefined {
	switch (state.kind) {
		case 'unread':
			return undefined;
		case 'whole':
			return countText(state.known, true);
		case 'unstated':
			return countText(state.known, false);
		case 'partial':
			return state.total === undefined
				? countText(state.known, false)
				: vscode.l10n.t(
						'{0} of {1}',
						countText(state.known, true),
						countText(Math.max(state.known, state.total), true),
					);
	}
}

/** "1 ticket", "12 tickets", "50+ tickets", from a formatted count. */
export function ticketsText(count: string): string {
	return count === '1' ? vscode.l10n.t('1 ticket') : vscode.l10n.t('{0} tickets', count);
}

/** "12 open of 312", "40+ open of 312", "40+ open". */
export function openText({ state, open }: TrackerFacts): string | undefined {
	switch (state.kind) {
		case 'unread':
			return undefined;
		case 'whole':
			return vscode.l10n.t('{0} open of {1}', countText(open, true), countText(state.known, true));
		case 'unstated':
			return vscode.l10n.t('{0} open', countText(open, false));
		case 'partial':
			return state.total === undefined
				? vscode.l10n.t('{0} open', countText(open, false))
				: vscode.l10n.t('{0} open of {1}', countText(open, false), countText(Math.max(state.known, state.total), true));
	}
}
