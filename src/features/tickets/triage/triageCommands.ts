import * as vscode from 'vscode';
import { askFor, choose } from '../../../editor/ask/ask.ts';
import { confirmTyped } from '../../../editor/ask/confirmTyped.ts';
import { confirmForGood, tellBriefly } from '../../../editor/ask/notify.ts';
import { withProgress } from '../../../editor/ask/progress.ts';
import type { CommandTable } from '../../../editor/commands/feature.ts';
import { connectionOf } from '../../../editor/commands/subjects.ts';
import { openExactly } from '../../../editor/links/openExactly.ts';
import type { TreeNode } from '../../../editor/trees/treeNode.ts';
import { ticketRefText, type Ticket } from '../../../forge/port/ticket.ts';
import { ticketLimits } from '../../../forge/port/ticketLimits.ts';
import { statusWanted, type StatusMove, type TicketRequest } from '../../../forge/port/ticketRequest.ts';
import { isCommentLength } from '../../../store/tickets/writing/ticketWriter.ts';
import { trackerPath } from '../../../engine/text/forgeAddress.ts';
import { visibleLine } from '../../../engine/text/visible.ts';
import type { TicketsParts } from '../parts/ticketsParts.ts';
import { ticketSubject, type TicketSubject } from '../subjects/subjects.ts';
import { askResolution } from '../subjects/ticketQuestions.ts';
import { isOpen, knownTicket, ticketTarget, ticketsInWords, ticketTargets } from '../subjects/ticketTarget.ts';
import { ticketWebLink } from '../subjects/webLink.ts';
import { resolutionText, statusLook } from '../subjects/words.ts';
import { listOfRow, type TicketList } from '../tree/queues.ts';
import type { TicketWays } from '../tree/ticketWays.ts';
import { allowedTargets } from './allowedTargets.ts';
import { assignTickets } from './assignTickets.ts';
import type { ItemResult } from './bulk.ts';
import type { Triage } from './triage.ts';
import { labelTickets } from './labelTickets.ts';
import { offerWeb } from './offerWeb.ts';
import { alreadyText } from './outcomeTexts.ts';
import { askMove } from './statusPick.ts';
import { subscribeTickets } from './subscribeTickets.ts';

const any = (): boolean => true;

/** Commands that change tickets and step through them, all usable by keyboard. */
export function triageCommands(triage: Triage, ways: TicketWays): CommandTable {
	const { parts } = triage;
	return {
		'forge.tickets.comment': (subject, signal, selected) => comment(triage, { subject, selected, signal }),
		'forge.tickets.resolve': (subject, signal, selected) => resolve(triage, { subject, selected, signal }),
		'forge.tickets.reopen': (subject, signal, selected) => reopen(triage, { subject, selected, signal }),
		'forge.tickets.setStatus': (subject, signal, selected) => setStatus(triage, { subject, selected, signal }),
		'forge.tickets.labels': (subject, signal, selected) => labels(triage, { subject, selected, signal }),
		'forge.tickets.assign': (subject, signal, selected) => assign(triage, { subject, selected, signal }),
		'forge.tickets.edit': async (subject, signal) => editTicket(triage, await editable(triage, subject, signal)),
		'forge.tickets.subscription': async (subject, signal, selected) =>
			subscribeTickets(triage, await ticketTargets(parts, subject, selected, { wanted: any, signal }), signal),
		'forge.tickets.delete': async (subject, signal) =>
			deleteTicket(triage, await editable(triage, subject, signal), signal),
		'forge.tickets.undo': (subject, signal, selected) =>
			triage.bulk.undo({ kind: 'newest', inFront: inFront(triage, subject, selected) }, signal),
		'forge.tickets.copyReference': async (subject, signal, selected) => {
			const tickets = await ticketTargets(parts, subject, selected, { wanted: any, signal });
			await vscode.env.clipboard.writeText(tickets.map(({ ref }) => ticketRefText(ref)).join(', '));
			tellBriefly(vscode.l10n.t('Copied'));
		},
		'forge.tickets.editOnWeb': async (subject, signal) =>
			editOnWeb(parts, await ticketTarget(parts, subject, { wanted: any, signal })),
		'forge.tickets.next': (subject) => step(triage, ways, { subject, way: 'next' }),
		'forge.tickets.previous': (subject) => step(triage, ways, { subject, way: 'previous' }),
		'forge.tickets.nextUnread': (subject) => step(triage, ways, { subject, way: 'nextUnread' }),
	};
}

/** Tickets on screen: the rows of a key press, and the active page. */
function inFront({ parts }: Triage, subject: unknown, selected: readonly unknown[]): readonly TicketSubject[] {
	return [subject, ...selected, parts.pages.inFront()].flatMap((each) => ticketSubject(each) ?? []);
}

interface Called {
	readonly subject: unknown;
	readonly selected: readonly unknown[];
	readonly signal: AbortSignal;
}

async function resolve(triage: Triage, { subject, selected, signal }: Called): Promise<void> {
	const chosen = await ticketTargets(triage.parts, subject, selected, { wanted: isOpen, signal });
	const { tickets, refused } = allowedTargets(triage, chosen, 'triage');
	const resolution = await askResolution(ticketsInWords(triage.parts, tickets));
	const move = { kind: 'resolve', resolution } as const;
	const { wanted, needless } = parted(triage, tickets, isAlready(triage, move));
	const wish: TicketRequest = { move };
	await triage.bulk.carryOut(
		{
			heading: vscode.l10n.t('Resolving as {0}…', resolutionText(resolution)),
			undoing: vscode.l10n.t('Undoing status changes…'),
			result: (count) => vscode.l10n.t('Resolved {0} as {1}.', count, resolutionText(resolution)),
			items: wanted.map((each) => ({ subject: each, wish })),
			unsent: [...needless, ...refused],
		},
		signal,
	);
}

async function reopen(triage: Triage, { subject, selected, signal }: Called): Promise<void> {
	const chosen = await ticketTargets(triage.parts, subject, selected, { wanted: (known) => !isOpen(known), signal });
	const { tickets, refused } = allowedTargets(triage, chosen, 'triage');
	const { wanted, needless } = parted(triage, tickets, isOpen);
	await triage.bulk.carryOut(
		{
			heading: vscode.l10n.t('Reopening…'),
			undoing: vscode.l10n.t('Undoing status changes…'),
			result: (count) => vscode.l10n.t('Reopened {0}.', count),
			items: wanted.map((each) => ({ subject: each, wish: { move: { kind: 'reopen' } } })),
			unsent: [...needless, ...refused],
		},
		signal,
	);
}

/** Separates tickets already in the wanted state. Always sends a single ticket, for its answer. */
function parted(
	triage: Triage,
	tickets: readonly TicketSubject[],
	isThere: (ticket: Ticket, subject: TicketSubject) => boolean,
): { readonly wanted: readonly TicketSubject[]; readonly needless: readonly ItemResult[] } {
	const wanted: TicketSubject[] = [];
	const needless: ItemResult[] = [];
	for (const subject of tickets) {
		const known = knownTicket(triage.parts, subject);
		if (known && tickets.length > 1 && isThere(known, subject)) {
			needless.push({ item: { subject, wish: {} }, outcome: { kind: 'needless', reason: alreadyText(known) } });
		} else {
			wanted.push(subject);
		}
	}
	return { wanted, needless };
}

async function setStatus(triage: Triage, { subject, selected, signal }: Called): Promise<void> {
	const { parts } = triage;
	const chosen = await ticketTargets(parts, subject, selected, { wanted: any, signal });
	const { tickets, refused } = allowedTargets(triage, chosen, 'triage');
	const [first] = tickets;
	const limits = tickets.map((each) => connectionOf(parts.connections, each).writes.limits());
	const move = await askMove({
		about: ticketsInWords(parts, tickets),
		ticket: first && tickets.length === 1 ? knownTicket(parts, first) : undefined,
		limits: {
			onlyResolvesAndReopens: limits.some(({ onlyResolvesAndReopens }) => onlyResolvesAndReopens),
			changesResolutions: limits.every(({ changesResolutions }) => changesResolutions === true),
		},
	});
	if (!move) {
		return;
	}
	const target = statusLook(statusWanted(move)).text;
	const { wanted, needless } = parted(triage, tickets, isAlready(triage, move));
	await triage.bulk.carryOut(
		{
			heading: vscode.l10n.t('Setting the status {0}…', target),
			undoing: vscode.l10n.t('Undoing status changes…'),
			result: (count) => vscode.l10n.t('Set the status of {0} to {1}.', count, target),
			items: wanted.map((each) => ({ subject: each, wish: { move } })),
			unsent: [...needless, ...refused],
		},
		signal,
	);
}

async function labels(triage: Triage, { subject, selected, signal }: Called): Promise<void> {
	const chosen = await ticketTargets(triage.parts, subject, selected, { wanted: any, signal });
	await labelTickets(triage, allowedTargets(triage, chosen, 'triage'), signal);
}

async function assign(triage: Triage, { subject, selected, signal }: Called): Promise<void> {
	const chosen = await ticketTargets(triage.parts, subject, selected, { wanted: any, signal });
	await assignTickets(triage, allowedTargets(triage, chosen, 'triage'), signal);
}

/** The target ticket, if the API can edit it. */
async function editable(triage: Triage, subject: unknown, signal: AbortSignal): Promise<TicketSubject> {
	const ticket = await ticketTarget(triage.parts, subject, { wanted: any, signal });
	const { writes } = connectionOf(triage.parts.connections, ticket);
	if (writes.editTicket) {
		allowedTargets(triage, [ticket], 'edit');
	}
	return ticket;
}

/** A ticket in the wanted state needs no write, except for a new resolution where the forge supports that. */
function isAlready({ parts }: Triage, move: StatusMove): (ticket: Ticket, subject: TicketSubject) => boolean {
	return ({ status, resolution }, subject) => {
		const { changesResolutions } = connectionOf(parts.connections, subject).writes.limits();
		const isOther = move.kind === 'resolve' && changesResolutions === true && resolution !== move.resolution;
		return status === statusWanted(move) && !isOther;
	};
}

/** Opens the page for one ticket. Several tickets get the same line after a confirmation with their count. */
async function comment(triage: Triage, { subject, selected, signal }: Called): Promise<void> {
	const tickets = await ticketTargets(triage.parts, subject, selected, { wanted: any, signal });
	const [only] = tickets;
	if (only && tickets.length === 1) {
		return triage.open(only, 'composer');
	}
	const { shortestComment, longestComment } = ticketLimits;
	const text = await askFor({
		title: vscode.l10n.t('Comment on {0} tickets', tickets.length),
		prompt: vscode.l10n.t('The same comment for all, in Markdown'),
		complaint: (value) =>
			isCommentLength(value.trim())
				? undefined
				: vscode.l10n.t('A comment must have {0} to {1} characters.', shortestComment, longestComment),
	});
	const send = vscode.l10n.t('Comment');
	const question = vscode.l10n.t("Send this comment to {0} tickets? Comments can't be undone.", tickets.length);
	if (!(await confirmForGood(question, visibleLine(text), send))) {
		return;
	}
	await triage.bulk.carryOut(
		{
			heading: vscode.l10n.t('Commenting…'),
			result: (count) => vscode.l10n.t('Commented on {0}.', count),
			items: tickets.map((each) => ({ subject: each, wish: { comment: text } })),
		},
		signal,
	);
}

type Way = 'next' | 'previous' | 'nextUnread';

async function reachedBy(ways: TicketWays, from: TicketSubject, way: Way): Promise<TicketSubject | undefined> {
	return way === 'nextUnread' ? ways.nextUnread(from) : (await ways.neighbours(from))[way];
}

/**
 * In the view, selects the next row, or the first child of a queue, tracker or group. On a page, opens the next ticket
 * and moves the view's selection along. With neither, opens the first ticket of the first queue.
 */
async function step(
	{ parts, open }: Triage,
	ways: TicketWays,
	{ subject, way }: { readonly subject: unknown; readonly way: Way },
): Promise<void> {
	const row = ticketSubject(subject);
	const from = row ?? ticketSubject(parts.pages.inFront());
	const [above] = parts.view.selection;
	const isFirst = from === undefined && way !== 'previous';
	const isFromAbove = isFirst && above !== undefined;
	const to = isFirst ? await ways.firstBelow(above, way === 'nextUnread') : from && (await reachedBy(ways, from, way));
	if (!to) {
		return tellBriefly(await whyNowhere(ways, from, isFromAbove && way === 'nextUnread' ? above : undefined, way));
	}
	const isFromView = row !== undefined || isFromAbove;
	if (!isFromView) {
		open(to, 'page');
	}
	await ways.reveal(to, { focus: isFromView });
}

async function whyNowhere(
	ways: TicketWays,
	from: TicketSubject | undefined,
	above: TreeNode | undefined,
	way: Way,
): Promise<string> {
	if (!from) {
		return above ? endText(listOfRow(above.id), way) : vscode.l10n.t('Open a ticket or select one first.');
	}
	const { within } = await ways.neighbours(from);
	return within ? endText(within, way) : vscode.l10n.t('This ticket is not among those that the view shows.');
}

function endText(within: TicketList, way: Way): string {
	switch (way) {
		case 'next':
			return within === 'queue'
				? vscode.l10n.t('This is the last ticket listed in this queue.')
				: vscode.l10n.t('This is the last ticket listed in this tracker.');
		case 'previous':
			return within === 'queue'
				? vscode.l10n.t('This is the first ticket listed in this queue.')
				: vscode.l10n.t('This is the first ticket listed in this tracker.');
		case 'nextUnread':
			return within === 'queue'
				? vscode.l10n.t('No other unread tickets in this queue.')
				: vscode.l10n.t('No other unread tickets in this tracker.');
	}
}

/** Opens the web page for actions missing in the API: assign, edit, delete, create labels. */
async function editOnWeb(parts: TicketsParts, subject: TicketSubject): Promise<void> {
	const { instance } = connectionOf(parts.connections, subject);
	const ticket = ticketWebLink(instance, subject.ref);
	const labels = `${instance.areas.todo}${trackerPath(subject.ref.tracker)}/labels`;
	const page = await choose(
		vscode.l10n.t('Choose what to do with {0} on the web', visibleLine(ticketRefText(subject.ref))),
		[
			{ label: vscode.l10n.t('Assign People'), iconPath: new vscode.ThemeIcon('person-add'), value: ticket },
			{
				label: vscode.l10n.t('Edit Title and Description'),
				iconPath: new vscode.ThemeIcon('edit'),
				value: `${ticket}/edit`,
			},
			{ label: vscode.l10n.t('Create or Change Labels'), iconPath: new vscode.ThemeIcon('tag'), value: labels },
			{ label: vscode.l10n.t('Delete Ticket'), iconPath: new vscode.ThemeIcon('trash'), value: `${ticket}/delete` },
		],
	);
	await openExactly(page);
}

/** Deletes a ticket after the user typed its whole reference. Offers the web page if the API can't delete. */
async function deleteTicket({ parts, say }: Triage, subject: TicketSubject, signal: AbortSignal): Promise<void> {
	const { ref } = subject;
	const { writes, instance } = connectionOf(parts.connections, subject);
	const { removeTicket } = writes;
	if (!removeTicket) {
		const text = vscode.l10n.t('On this forge, tickets can only be deleted on the web.');
		return offerWeb(text, `${ticketWebLink(instance, ref)}/delete`);
	}
	const name = visibleLine(ticketRefText(ref));
	await confirmTyped({
		exact: ticketRefText(ref),
		name,
		deletes: vscode.l10n.t("Its description, comments and history are deleted for everyone. This can't be undone."),
		typeToDelete: vscode.l10n.t('Type {0} to delete the ticket', name),
	});
	await withProgress(vscode.l10n.t('Deleting…'), signal, (working) => removeTicket(ref, working));
	say(subject, vscode.l10n.t('This ticket was deleted.'));
	tellBriefly(vscode.l10n.t('Deleted {0}', name));
}

/** Opens a ticket's page to edit title and description. Offers the web page if the API can't edit. */
async function editTicket({ parts, open }: Triage, subject: TicketSubject): Promise<void> {
	const { writes, instance } = connectionOf(parts.connections, subject);
	if (writes.editTicket) {
		return open(subject, 'text');
	}
	const text = vscode.l10n.t('On this forge, tickets can only be edited on the web.');
	await offerWeb(text, `${ticketWebLink(instance, subject.ref)}/edit`);
}
