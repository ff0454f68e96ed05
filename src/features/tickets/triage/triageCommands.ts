import * as vscode from 'vscode';
import { askFor, choose, type Choice } from '../../../editor/ask/ask.ts';
import { confirmTyped } from '../../../editor/ask/confirmTyped.ts';
import { confirmForGood, notify, tellBriefly } from '../../../editor/ask/notify.ts';
import { withProgress } from '../../../editor/ask/progress.ts';
import type { CommandTable } from '../../../editor/commands/feature.ts';
import { connectionOf } from '../../../editor/commands/subjects.ts';
import { openExactly } from '../../../editor/links/openDestination.ts';
import type { TreeNode } from '../../../editor/trees/treeNode.ts';
import { openBySelection } from '../../../editor/documents/showDocument.ts';
import { ticketRefText, ticketStatuses, type Ticket } from 'sourcehut/port/ticket.ts';
import { ticketLimits } from 'sourcehut/port/ticketLimits.ts';
import { statusWanted, type StatusLimits, type StatusMove } from 'sourcehut/port/ticketRequest.ts';
import { isCommentLength } from '../../../store/tickets/writing/ticketWriter.ts';
import { visibleLine } from '../../../engine/text/visible.ts';
import type { TicketsContext } from '../context/ticketsContext.ts';
import { ticketSubject, type TicketSubject } from '../subjects/subjects.ts';
import { askResolution } from '../subjects/ticketQuestions.ts';
import { isAny, isOpen, knownTicket, ticketTarget, ticketsInWords, ticketTargets } from '../subjects/ticketTarget.ts';

import { resolutionText, statusLook } from '../subjects/words.ts';
import { listOfRow, type TicketList } from '../tree/ticketShelf.ts';
import { nameOf } from '../tree/ticketOrder.ts';
import type { TicketNavigation } from '../tree/ticketNavigation.ts';
import { assignTickets, offerWeb } from './assignTickets.ts';
import { type ItemResult, type TicketItem, alreadyText } from './outcomeTexts.ts';
import { changeWords, type AllowedTargets, type Triage } from './triage.ts';
import { askOriginal, duplicateText } from './duplicates.ts';
import { labelTickets } from './labelTickets.ts';
import { subscribeTickets } from './subscribeTickets.ts';
import { webAddress } from '../../../editor/links/webOf.ts';

type Wanted = (ticket: Ticket) => boolean;

/** Commands that change tickets and step through them, all usable by keyboard. */
export function triageCommands(triage: Triage, navigation: TicketNavigation): CommandTable {
	const { context } = triage;

	/** A command on the selected tickets. */
	function on(wanted: Wanted, work: (tickets: readonly TicketSubject[], signal: AbortSignal) => Promise<void>) {
		return async (subject: unknown, signal: AbortSignal, selected: readonly unknown[]) =>
			work(await ticketTargets(context, subject, selected, wanted, signal), signal);
	}

	/** The same on those that the account may change. */
	function onAllowed(
		wanted: Wanted,
		work: (triage: Triage, targets: AllowedTargets, signal: AbortSignal) => Promise<void>,
	) {
		return on(wanted, (tickets, signal) => work(triage, triage.allowed(tickets, 'triage'), signal));
	}

	/** The target ticket, if the API can edit it. */
	async function editable(subject: unknown, signal: AbortSignal): Promise<TicketSubject> {
		const ticket = await ticketTarget(context, subject, isAny, signal);
		if (connectionOf(context.connections, ticket).writes.editTicket) {
			triage.allowed([ticket], 'edit');
		}
		return ticket;
	}

	return {
		'forge.tickets.comment': on(isAny, (tickets, signal) => comment(triage, tickets, signal)),
		'forge.tickets.resolve': onAllowed(isOpen, async (_, targets, signal) => {
			const resolution = await askResolution(ticketsInWords(context, targets.tickets));
			const move = { kind: 'resolve', resolution } as const;
			const words = {
				heading: vscode.l10n.t('Resolving as {0}…', resolutionText(resolution)),
				result: (count: string) => vscode.l10n.t('Resolved {0} as {1}.', count, resolutionText(resolution)),
			};
			await changeStatus(triage, targets, { move, isThere: isAlready(triage, move) }, words, signal);
		}),
		'forge.tickets.reopen': onAllowed(
			(ticket) => !isOpen(ticket),
			async (_, targets, signal) => {
				const words = {
					heading: vscode.l10n.t('Reopening…'),
					result: (count: string) => vscode.l10n.t('Reopened {0}.', count),
				};
				await changeStatus(triage, targets, { move: { kind: 'reopen' }, isThere: isOpen }, words, signal);
			},
		),
		'forge.tickets.setStatus': onAllowed(isAny, setStatus),
		'forge.tickets.labels': onAllowed(isAny, labelTickets),
		'forge.tickets.assign': onAllowed(isAny, assignTickets),
		'forge.tickets.edit': async (subject, signal) => editTicket(triage, await editable(subject, signal)),
		'forge.tickets.subscription': on(isAny, (tickets, signal) => subscribeTickets(triage, tickets, signal)),
		'forge.tickets.delete': async (subject, signal) => deleteTicket(triage, await editable(subject, signal), signal),
		'forge.tickets.undo': (subject, signal, selected) => {
			// Tickets on screen: the rows of a key press, and the active page.
			const inFront = [subject, ...selected, context.pages.inFront()].flatMap((each) => ticketSubject(each) ?? []);
			return triage.bulk.undo({ kind: 'newest', inFront }, signal);
		},
		'forge.tickets.copyReference': on(isAny, async (tickets) => {
			await vscode.env.clipboard.writeText(tickets.map(({ ref }) => ticketRefText(ref)).join(', '));
			tellBriefly(vscode.l10n.t('Copied'));
		}),
		'forge.tickets.editOnWeb': async (subject, signal) =>
			editOnWeb(context, await ticketTarget(context, subject, isAny, signal)),
		'forge.tickets.next': (subject) => step(triage, navigation, subject, 'next'),
		'forge.tickets.previous': (subject) => step(triage, navigation, subject, 'previous'),
		'forge.tickets.nextUnread': (subject) => step(triage, navigation, subject, 'nextUnread'),
	};
}

async function setStatus(triage: Triage, targets: AllowedTargets, signal: AbortSignal): Promise<void> {
	const { context } = triage;
	const [first, ...others] = targets.tickets;
	const limits = targets.tickets.map((each) => connectionOf(context.connections, each).writes.limits());
	const move = await askMove(
		ticketsInWords(context, targets.tickets),
		first && others.length === 0 ? knownTicket(context, first) : undefined,
		{
			onlyResolvesAndReopens: limits.some(({ onlyResolvesAndReopens }) => onlyResolvesAndReopens),
			changesResolutions: limits.every(({ changesResolutions }) => changesResolutions === true),
		},
	);
	if (!move) {
		return;
	}
	const target = statusLook(statusWanted(move)).text;
	const words = {
		heading: vscode.l10n.t('Setting the status {0}…', target),
		result: (count: string) => vscode.l10n.t('Set the status of {0} to {1}.', count, target),
	};
	await changeStatus(triage, targets, { move, isThere: isAlready(triage, move) }, words, signal);
}

/** Sends the change for the tickets that are not there yet. Always sends a single ticket, for its answer. */
async function changeStatus(
	triage: Triage,
	{ tickets, refused }: AllowedTargets,
	{
		move,
		isThere,
	}: { readonly move: StatusMove; readonly isThere: (ticket: Ticket, subject: TicketSubject) => boolean },
	words: { readonly heading: string; readonly result: (count: string) => string },
	signal: AbortSignal,
): Promise<void> {
	const isDuplicate = move.kind === 'resolve' && move.resolution === 'duplicate' && tickets.length > 0;
	const original = isDuplicate ? await askOriginal(triage.context, tickets, signal) : undefined;
	const items: TicketItem[] = [];
	const needless: ItemResult[] = [];
	for (const subject of tickets) {
		const known = knownTicket(triage.context, subject);
		if (known && tickets.length > 1 && isThere(known, subject)) {
			needless.push({ item: { subject, wish: {} }, outcome: { kind: 'needless', reason: alreadyText(known) } });
		} else {
			const comment = original && duplicateText(subject.ref, original);
			items.push({ subject, wish: comment === undefined ? { move } : { move, comment } });
		}
	}
	const { undoing } = changeWords('move');
	await triage.bulk.carryOut({ undoing, ...words, items, unsent: [...needless, ...refused] }, signal);
}

/** A ticket in the wanted state needs no write, except for a new resolution where the forge supports that. */
function isAlready({ context }: Triage, move: StatusMove): (ticket: Ticket, subject: TicketSubject) => boolean {
	return ({ status, resolution }, subject) => {
		const { changesResolutions } = connectionOf(context.connections, subject).writes.limits();
		const isOther = move.kind === 'resolve' && changesResolutions === true && resolution !== move.resolution;
		return status === statusWanted(move) && !isOther;
	};
}

/** Opens the page for one ticket. Several tickets get the same line after a confirmation with their count. */
async function comment(triage: Triage, tickets: readonly TicketSubject[], signal: AbortSignal): Promise<void> {
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
	const { heading, result } = changeWords('comment');
	const items = tickets.map((subject) => ({ subject, wish: { comment: text } }));
	await triage.bulk.carryOut({ heading, result, items }, signal);
}

type Way = 'next' | 'previous' | 'nextUnread';

/**
 * In the view, selects the next row, or the first child of a queue, tracker or group. The page of the row before
 * follows. On a page, opens the next ticket and moves the view's selection along. With neither, opens the first ticket
 * of the first queue.
 */
async function step(
	{ context, open }: Triage,
	navigation: TicketNavigation,
	subject: unknown,
	way: Way,
): Promise<void> {
	const row = ticketSubject(subject);
	const front = ticketSubject(context.pages.inFront());
	const from = row ?? front;
	const [above] = context.view.selection;
	const isFirst = from === undefined && way !== 'previous';
	const isFromAbove = isFirst && above !== undefined;
	const to = isFirst
		? await navigation.firstBelow(above, way === 'nextUnread')
		: from && (way === 'nextUnread' ? await navigation.nextUnread(from) : (await navigation.neighbours(from))[way]);
	if (!to) {
		return tellBriefly(
			await noTargetText(navigation, from, isFromAbove && way === 'nextUnread' ? above : undefined, way),
		);
	}
	const isFromView = row !== undefined || isFromAbove;
	if (!isFromView) {
		open(to, 'page');
	} else if (row && front && nameOf(row) === nameOf(front)) {
		openBySelection('forge.tickets', () => open(to, 'page'));
	}
	await navigation.reveal(to, isFromView);
}

async function noTargetText(
	navigation: TicketNavigation,
	from: TicketSubject | undefined,
	above: TreeNode | undefined,
	way: Way,
): Promise<string> {
	if (!from) {
		return above ? endText(listOfRow(above.id), way) : vscode.l10n.t('Open a ticket or select one first.');
	}
	const { within } = await navigation.neighbours(from);
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
async function editOnWeb({ connections }: TicketsContext, subject: TicketSubject): Promise<void> {
	const { instance } = connectionOf(connections, subject);
	const ticket = webAddress(instance, { kind: 'ticket', ref: subject.ref });
	const labels = webAddress(instance, { kind: 'labels', ref: subject.ref.tracker });
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
async function deleteTicket({ context, say }: Triage, subject: TicketSubject, signal: AbortSignal): Promise<void> {
	const { ref } = subject;
	const { writes, instance } = connectionOf(context.connections, subject);
	const { removeTicket } = writes;
	if (!removeTicket) {
		const text = vscode.l10n.t('On this forge, tickets can only be deleted on the web.');
		return offerWeb(text, webAddress(instance, { kind: 'deleteTicket', ref }));
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
async function editTicket({ context, open }: Triage, subject: TicketSubject): Promise<void> {
	const { writes, instance } = connectionOf(context.connections, subject);
	if (writes.editTicket) {
		return open(subject, 'text');
	}
	const text = vscode.l10n.t('On this forge, tickets can only be edited on the web.');
	await offerWeb(text, webAddress(instance, { kind: 'editTicket', ref: subject.ref }));
}

type Status = (typeof ticketStatuses)[number];

/**
 * Asks for a status that the forge sets. Statuses that the forge refused earlier need an extra confirmation, because
 * servers get upgrades. `undefined` without the confirmation. `ticket`: the only one; its own status is not offered.
 */
async function askMove(
	about: string,
	ticket: Ticket | undefined,
	limits: StatusLimits,
): Promise<StatusMove | undefined> {
	// Some forges can change the resolution of a resolved ticket.
	const offered = ticketStatuses.filter(
		(status) => status !== ticket?.status || (status === 'resolved' && limits.changesResolutions === true),
	);
	const isRefused = (status: Status): boolean =>
		limits.onlyResolvesAndReopens && status !== 'reported' && status !== 'resolved';
	const refused = offered.filter(isRefused);
	const title = vscode.l10n.t('Status of {0}', about);
	const chosen = await choose<Status | 'others'>(title, [
		...offered.filter((status) => !isRefused(status)).map(statusChoice),
		...(refused.length > 0
			? [
					{
						label: vscode.l10n.t('Other Statuses…'),
						detail: vscode.l10n.t('This forge can only resolve or reopen tickets.'),
						iconPath: new vscode.ThemeIcon('circle-slash'),
						value: 'others' as const,
					},
				]
			: []),
	]);
	if (chosen !== 'others') {
		return moveTo(chosen, about);
	}
	const status = await choose(title, refused.map(statusChoice));
	const tryIt = vscode.l10n.t('Try Anyway');
	const text = vscode.l10n.t(
		'This forge has rejected a status such as {0}: it can only resolve or reopen tickets. Other statuses can be set on the web.',
		statusLook(status).text,
	);
	return (await notify('information', text, tryIt)) === tryIt ? moveTo(status, about) : undefined;
}

function statusChoice(status: Status): Choice<Status> {
	const { text, codicon } = statusLook(status);
	return { label: text, iconPath: new vscode.ThemeIcon(codicon), value: status };
}

async function moveTo(status: Status, about: string): Promise<StatusMove> {
	switch (status) {
		case 'reported':
			return { kind: 'reopen' };
		case 'resolved':
			return { kind: 'resolve', resolution: await askResolution(about) };
		case 'confirmed':
		case 'in_progress':
		case 'pending':
			return { kind: 'set', status };
	}
}
