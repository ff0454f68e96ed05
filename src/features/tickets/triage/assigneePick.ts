import * as vscode from 'vscode';
import { askFor } from '../../../editor/ask/ask.ts';
import type { Ticket } from '../../../forge/ticket.ts';
import type { AssigneeRequest } from '../../../forge/ticketRequest.ts';
import type { OwnerName } from '../../../forge/user.ts';
import { visibleLine } from '../../../text/visible.ts';
import { isPersonName } from '../subjects/peopleAround.ts';
import { askNames } from './namePick.ts';

export interface AssigneeQuestion {
	/** The tickets in readable form. */
	readonly about: string;
	/** Candidates, best match first. */
	readonly people: readonly OwnerName[];
	/** Names of the accounts that ask. */
	readonly me: readonly OwnerName[];
	/** One or more loaded tickets. */
	readonly tickets: readonly Ticket[];
}

/** Asks for assignees (`askNames`), including names outside the list. */
export async function askAssignees({ about, people, me, tickets }: AssigneeQuestion): Promise<AssigneeRequest> {
	const isOne = tickets.length === 1;
	const title = vscode.l10n.t('Assignees of {0}', about);
	const { request, wantsAnother } = await askNames({
		words: {
			title,
			placeHolder: isOne
				? vscode.l10n.t('Check the people that the ticket should be assigned to')
				: vscode.l10n.t('Check to assign all, uncheck to unassign all'),
			onAll: isOne ? vscode.l10n.t('Assigned') : vscode.l10n.t('Assigned to all'),
			onSome: vscode.l10n.t('Assigned to some: unchecked people stay as they are'),
			onNone: isOne ? vscode.l10n.t('Not assigned') : vscode.l10n.t('Assigned to none'),
			addToAll: (count) => vscode.l10n.t('assigned to {0} of {1}; check to assign all', count, tickets.length),
			takeAway: (label) => vscode.l10n.t('Unassign {0}', label),
			another: {
				heading: vscode.l10n.t('Not listed'),
				label: vscode.l10n.t('Other People…'),
				iconPath: new vscode.ThemeIcon('person-add'),
			},
		},
		takeAwayFact: (count) => (count === 1 ? vscode.l10n.t('from 1 ticket') : vscode.l10n.t('from {0} tickets', count)),
		offered: people.map((name) => ({
			name,
			label: visibleLine(name),
			iconPath: new vscode.ThemeIcon(me.includes(name) ? 'account' : 'person'),
			facts: me.includes(name) ? [vscode.l10n.t('you')] : [],
			possible: tickets.length,
		})),
		tickets,
		namesOf: ({ assignees }) => assignees.map(({ canonicalName }) => canonicalName),
	});
	const others = wantsAnother ? await askOthers(title) : [];
	return { ...request, add: [...new Set([...request.add, ...others])] };
}

async function askOthers(title: string): Promise<readonly OwnerName[]> {
	const typed = await askFor({
		title,
		prompt: vscode.l10n.t('Names of the people to assign, separated by spaces'),
		placeHolder: '~bob ~carol',
		complaint: (text) =>
			namesIn(text).every(isPersonName) && text.trim() !== ''
				? undefined
				: vscode.l10n.t('Enter names of accounts, such as ~bob.'),
	});
	return namesIn(typed);
}

/** Names as servers write them: in small letters, behind a tilde (docs/protocol.md#users). */
function namesIn(text: string): readonly OwnerName[] {
	return text
		.toLowerCase()
		.split(/[\s,]+/)
		.filter((word) => word !== '')
		.map((word) => (word.startsWith('~') ? word : `~${word}`));
}
