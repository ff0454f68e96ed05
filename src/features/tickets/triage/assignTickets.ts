import { webAddress } from '../../../editor/links/webOf.ts';

import * as vscode from 'vscode';
import { askFor } from '../../../editor/ask/ask.ts';
import { notify } from '../../../editor/ask/notify.ts';
import { connectionOf } from '../../../editor/commands/subjects.ts';
import { openExactly } from '../../../editor/links/openDestination.ts';
import { refText } from 'sourcehut/port/namedRef.ts';
import type { Ticket } from 'sourcehut/port/ticket.ts';
import { changesNone, type AssigneeRequest } from 'sourcehut/port/ticketRequest.ts';
import type { OwnerName } from 'sourcehut/port/user.ts';
import { visibleLine } from '../../../engine/text/visible.ts';
import type { TicketsContext } from '../context/ticketsContext.ts';
import { peopleAround, isPersonName } from '../subjects/peopleAround.ts';
import type { TicketSubject } from '../subjects/subjects.ts';
import { ticketsInWords } from '../subjects/ticketTarget.ts';
import type { ItemResult } from './outcomeTexts.ts';
import { changeWords, type AllowedTargets, type Triage } from './triage.ts';
import { askNames } from './labelTickets.ts';

/** Longer lists are hard to scan. */
const mostPeople = 60;

/** Asks for assignees and sends the change. Offers the web page if the API can't assign. */
export async function assignTickets(
	triage: Triage,
	{ tickets: subjects, refused }: AllowedTargets,
	signal: AbortSignal,
): Promise<void> {
	const { context } = triage;
	const able = subjects.filter((each) => connectionOf(context.connections, each).writes.canAssign());
	const unable = subjects.filter((each) => !able.includes(each));
	if (able.length === 0) {
		const [subject] = subjects;
		const isOne = subject !== undefined && subjects.length === 1;
		await offerWeb(
			onlyOnWebText(),
			isOne
				? webAddress(connectionOf(context.connections, subject).instance, { kind: 'ticket', ref: subject.ref })
				: undefined,
		);
		return;
	}
	const tickets = await Promise.all(
		able.map((each) => connectionOf(context.connections, each).tickets.ticket(each.ref, signal)),
	);
	const assignees = await askAssignees(
		ticketsInWords(context, able),
		peopleToAssign(context, able),
		able.map((each) => connectionOf(context.connections, each).me),
		tickets,
	);
	if (changesNone(assignees)) {
		return;
	}
	await triage.bulk.carryOut(
		{
			...changeWords('assignees'),
			items: able.map((subject) => ({ subject, wish: { assignees } })),
			unsent: [
				...unable.map((subject): ItemResult => {
					return { item: { subject, wish: {} }, outcome: { kind: 'needless', reason: onlyOnWebText() } };
				}),
				...refused,
			],
		},
		signal,
	);
}

/** The account itself, assignees, participants and people in the trackers, without duplicates. */
export function peopleToAssign(
	{ connections }: TicketsContext,
	subjects: readonly TicketSubject[],
): readonly OwnerName[] {
	const people = new Set<OwnerName>();
	const all = subjects.map((subject) => ({ ref: subject.ref, connection: connectionOf(connections, subject) }));
	all.forEach(({ connection }) => people.add(connection.me));
	for (const { ref, connection } of all) {
		connection.tickets.knownTicket(ref)?.assignees.forEach(({ canonicalName }) => people.add(canonicalName));
	}
	const trackers = new Set<string>();
	for (const { ref, connection } of all) {
		const tracker = `${connection.key} ${refText(ref.tracker)}`;
		// People of a tracker are the same for all its tickets.
		if (!trackers.has(tracker)) {
			trackers.add(tracker);
			for (const name of peopleAround(connection, ref)) {
				people.add(name);
			}
		}
	}
	return [...people].slice(0, mostPeople);
}

function onlyOnWebText(): string {
	return vscode.l10n.t('On this forge, people can only be assigned on the web.');
}

/** Asks for assignees (`askNames`), including names outside the list. `people`: best match first; `me`: who asks. */
async function askAssignees(
	about: string,
	people: readonly OwnerName[],
	me: readonly OwnerName[],
	tickets: readonly Ticket[],
): Promise<AssigneeRequest> {
	const isOne = tickets.length === 1;
	const title = vscode.l10n.t('Assignees of {0}', about);
	const { request, wantsAnother } = await askNames(
		{
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
		people.map((name) => ({
			name,
			label: visibleLine(name),
			iconPath: new vscode.ThemeIcon(me.includes(name) ? 'account' : 'person'),
			facts: me.includes(name) ? [vscode.l10n.t('you')] : [],
			possible: tickets.length,
		})),
		tickets,
		({ assignees }) => assignees.map(({ canonicalName }) => canonicalName),
	);
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

/** Says what only the web can do, and leads there. */
export async function offerWeb(text: string, address: string | undefined): Promise<void> {
	const open = vscode.l10n.t('Open on the Web');
	const chosen = await notify('information', text, ...(address === undefined ? [] : [open]));
	if (chosen === open && address !== undefined) {
		await openExactly(address);
	}
}
