import * as vscode from 'vscode';
import { connectionOf } from '../../../editor/commands/subjects.ts';
import { refText } from '../../../forge/namedRef.ts';
import { changesNone } from '../../../forge/ticketRequest.ts';
import type { OwnerName } from '../../../forge/user.ts';
import { peopleAround } from '../subjects/peopleAround.ts';
import type { TicketSubject } from '../subjects/subjects.ts';
import { ticketsInWords } from '../subjects/ticketTarget.ts';
import { ticketWebLink } from '../subjects/webLink.ts';
import type { TicketsParts } from '../parts/ticketsParts.ts';
import type { AllowedTargets } from './allowedTargets.ts';
import type { ItemResult } from './bulk.ts';
import { askAssignees } from './assigneePick.ts';
import { carryOut } from './carryOut.ts';
import type { Triage } from './job.ts';
import { offerWeb } from './offerWeb.ts';

/** Longer lists are hard to scan. */
const mostPeople = 60;

/** Asks for assignees and sends the change. Offers the web page if the API can't assign. */
export async function assignTickets(
	triage: Triage,
	{ tickets: subjects, refused }: AllowedTargets,
	signal: AbortSignal,
): Promise<void> {
	const { parts } = triage;
	const able = subjects.filter((each) => connectionOf(parts.connections, each).writes.canAssign());
	if (able.length === 0) {
		return assignOnWeb(parts, subjects);
	}
	const tickets = await Promise.all(
		able.map((each) => connectionOf(parts.connections, each).tickets.ticket(each.ref, signal)),
	);
	const assignees = await askAssignees({
		about: ticketsInWords(parts, able),
		people: peopleToAssign(parts, able),
		me: able.map((each) => connectionOf(parts.connections, each).me),
		tickets,
	});
	if (changesNone(assignees)) {
		return;
	}
	await carryOut(
		triage,
		{
			heading: vscode.l10n.t('Changing assignees…'),
			undoing: vscode.l10n.t('Undoing assignee changes…'),
			result: (count) => vscode.l10n.t('Changed assignees on {0}.', count),
			items: able.map((subject) => ({ subject, wish: { assignees } })),
			needless: [...subjects.filter((each) => !able.includes(each)).map(onlyOnWeb), ...refused],
		},
		signal,
	);
}

/** The account itself, assignees, participants and people in the trackers, without duplicates. */
export function peopleToAssign(
	{ connections }: TicketsParts,
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

async function assignOnWeb({ connections }: TicketsParts, subjects: readonly TicketSubject[]): Promise<void> {
	const [subject] = subjects;
	const isOne = subject !== undefined && subjects.length === 1;
	await offerWeb(
		onlyOnWebText(),
		isOne ? ticketWebLink(connectionOf(connections, subject).instance, subject.ref) : undefined,
	);
}

function onlyOnWeb(subject: TicketSubject): ItemResult {
	return { item: { subject, wish: {} }, outcome: { kind: 'needless', reason: onlyOnWebText() } };
}

function onlyOnWebText(): string {
	return vscode.l10n.t('On this forge, people can only be assigned on the web.');
}
