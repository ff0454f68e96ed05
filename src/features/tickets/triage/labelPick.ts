import * as vscode from 'vscode';
import type { Ticket } from '../../../forge/ticket.ts';
import type { LabelRequest } from '../../../forge/ticketRequest.ts';
import type { Label } from '../../../forge/tracker.ts';
import { visibleLine } from '../../../text/visible.ts';
import { swatch } from '../manage/showLabels.ts';
import { askNames } from './namePick.ts';

/** A label of the chosen tickets' trackers. */
export interface OfferedLabel {
	readonly label: Label;
	/** Names of the trackers that have none of this name. */
	readonly missingIn: readonly string[];
	/** How many of the tickets can have it. */
	readonly possible: number;
}

export interface LabelQuestion {
	/** The tickets in readable form. */
	readonly about: string;
	readonly labels: readonly OfferedLabel[];
	/** One or more loaded tickets. */
	readonly tickets: readonly Ticket[];
	/** Stands in place of the usual instruction. */
	readonly note: string | undefined;
}

/** Asks for labels (`askNames`), in the order of their names. */
export async function askLabels({ about, labels, tickets, note }: LabelQuestion): Promise<LabelRequest> {
	const isOne = tickets.length === 1;
	const sorted = labels.toSorted((one, other) => one.label.name.localeCompare(other.label.name, 'en'));
	const { request } = await askNames({
		words: {
			title: vscode.l10n.t('Labels of {0}', about),
			placeHolder:
				note ??
				(isOne
					? vscode.l10n.t('Check the labels that the ticket should have')
					: vscode.l10n.t('Check to add to all, uncheck to remove from all')),
			onAll: isOne ? vscode.l10n.t('On the ticket') : vscode.l10n.t('On all'),
			onSome: vscode.l10n.t('On some: unchecked labels stay as they are'),
			onNone: isOne ? vscode.l10n.t('Not on the ticket') : vscode.l10n.t('On none'),
			addToAll: (count) => vscode.l10n.t('on {0} of {1}; check to add to all', count, tickets.length),
			takeAway: (label) => vscode.l10n.t('Remove {0}', label),
		},
		takeAwayFact: (count) => (count === 1 ? vscode.l10n.t('from 1 ticket') : vscode.l10n.t('from {0} tickets', count)),
		offered: sorted.map(({ label, missingIn, possible }) => ({
			name: label.name,
			label: visibleLine(label.name),
			iconPath: swatch(label),
			facts: missingIn.length === 0 ? [] : [vscode.l10n.t('not in {0}', missingIn.join(', '))],
			possible,
		})),
		tickets,
		namesOf: (ticket) => ticket.labels,
	});
	return request;
}
