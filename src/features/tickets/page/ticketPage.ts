import * as vscode from 'vscode';
import { isDescriptionUnsent, unsentText } from '../../../editor/ask/extraFields.ts';
import type { Problems } from '../../../editor/ask/problems.ts';
import { openExactly } from '../../../editor/links/openDestination.ts';
import type { PageContent } from '../../../editor/pages/pageHost.ts';
import { isBareRefusal, isForgeError } from 'sourcehut/port/forgeError.ts';
import { ticketRefText, type TicketRef } from 'sourcehut/port/ticket.ts';
import { ticketLimits } from 'sourcehut/port/ticketLimits.ts';
import { action, handler, clickedHref, nothing, wholeNumber } from '../../../pages/protocol/pageProtocol.ts';
import {
	commentEdit,
	completionWish,
	entryId,
	keptDraft,
	isWanted,
	nameChange,
	queuedAct,
	textStart,
	ticketText,
	namedInKey,
	ticketPageSend,
	timelineOrder,
	typedText,
	webPlace,
	type TicketProtocol,
	type TextAnswer,
	type TextStart,
	type NameChoice,
} from '../../../pages/protocol/ticketProtocol.ts';
import type { Connection } from '../../../store/connection.ts';
import { saysAll } from '../../../store/tickets/writing/ticketEdits.ts';
import { visibleLine } from '../../../engine/text/visible.ts';
import type { TicketsContext } from '../context/ticketsContext.ts';
import { refusedText } from '../subjects/permissions.ts';
import { webPlaceLink } from '../subjects/webLink.ts';
import { trackerOf, type QueuedSubject, type TicketSubject } from '../subjects/subjects.ts';
import { peopleToAssign } from '../triage/assignTickets.ts';
import { withOriginal } from '../triage/duplicates.ts';
import { editComment } from './commentEditing.ts';
import { lookForNamings, openNamedIn } from './namedIn.ts';
import { openPage, type OpenPage, type PageActions } from './openPage.ts';
import type { PageDrafts } from './pageDrafts.ts';
import { tabTitle, labelLooks } from './pageState.ts';
import { labelView } from './sentence.ts';
import { suggestions } from './suggestions.ts';

/** The ticket page of one ticket. */
export function ticketPage(
	context: TicketsContext,
	subject: TicketSubject,
	actions: PageActions,
): PageContent<TicketProtocol> {
	const known = context.connections.byKey(subject.connectionKey)?.tickets.knownTicket(subject.ref);
	return {
		type: 'forge.ticket',
		key: `${subject.connectionKey} ${ticketRefText(subject.ref)}`,
		title: tabTitle(subject.ref, known?.title),
		icon: 'issues',
		subject,
		script: 'ticket.js',
		styles: ['page.css', 'ticketPage.css'],
		keptOpenBy: ['writing', 'keepDraft', 'send', 'editComment', 'keepText', 'editText', 'follow'],
		connect(link) {
			const page = openPage(context, subject, link, actions);
			const handlers = { ...reading(page), ...writing(page), ...leading(page) };
			return { handlers, start: page.live.open() };
		},
	};
}

/** Messages that read. */
function reading(page: OpenPage) {
	const { live, drafts, link } = page;
	const { ref } = page.subject;
	return {
		load: handler(wholeNumber, (number) => page.start(number)),
		again: action(nothing, async () => {
			await live.load();
			await live.changed();
		}),
		older: action(nothing, async () => {
			page.active();
			await live.connection().tickets.moreEvents(ref, link.signal);
			await live.changed();
		}),
		preview: handler(typedText, async (text) => (await page.html())(text)),
		complete: handler(completionWish, async (wish) => suggestions(live.connection(), ref, wish)),
		labelChoices: handler(nothing, () => labelChoices(live.connection(), ref, link.signal)),
		personChoices: handler(nothing, async () => personChoices(page)),
		ticketText: handler(nothing, async () => textStartOf(live.connection(), ref, drafts)),
		commentText: handler(entryId, async (id) => commentOf(page, id).comment.text),
		commentDraft: handler(entryId, async (id) => {
			const of = commentOf(page, id);
			return drafts.edit(of)?.text ?? of.comment.text;
		}),
	};
}

/** Messages that write. */
function writing(page: OpenPage) {
	const { live, drafts, sending, actions, context } = page;
	const { ref } = page.subject;
	const { problems } = context;

	/** The page shows the server's answer, success or not. */
	async function written<Answer>(work: () => Promise<Answer>): Promise<Answer> {
		page.active();
		try {
			return await work();
		} finally {
			await live.changed();
		}
	}

	return {
		original: handler(typedText, (text) => withOriginal(context, page.subject, text, page.link.signal)),
		send: handler(ticketPageSend, async (send) => {
			const answer = await written(() => sending.send(send));
			// A comment subscribes its author.
			const { subscriptions } = live.connection().writes;
			subscriptions?.read({ kind: 'ticket', ref }, actions.writing).catch(problems.log);
			return answer;
		}),
		lookAgain: handler(nothing, () => written(() => sending.lookAgain())),
		outcome: handler(nothing, () => written(() => sending.outcome())),
		changeLabels: handler(nameChange, (labels) => written(() => page.writes.send({ labels }))),
		changeAssignees: handler(nameChange, (assignees) => written(() => page.writes.send({ assignees }))),
		editComment: handler(commentEdit, async ({ entryId: id, text }) => {
			const change = { ref, ...commentOf(page, id), text };
			const answer = await editComment(live.connection(), problems, change, actions.writing);
			await live.changed();
			return answer;
		}),
		keepText: action(ticketText, async (text) => {
			page.active();
			await drafts.keepText(text, context.clock.nowMs());
		}),
		subscribe: action(isWanted, async (wanted) => {
			await live.connection().writes.subscriptions?.set({ kind: 'ticket', ref }, wanted, actions.writing);
			await live.changed();
		}),
		editText: handler(textStart, async (edit) => {
			const answer = await editText(live.connection(), problems, ref, edit, actions.writing);
			await live.changed();
			return answer;
		}),
		// The page host keeps pages with unsent text open.
		writing: action(nothing, () => undefined),
		keepDraft: action(keptDraft, async ({ text, atMs, entryId: id }) => {
			page.active();
			const draft = { text, atMs };
			await (id === undefined ? drafts.keepComment(draft) : drafts.keepEdit(commentOf(page, id), draft));
		}),
	};
}

/** Messages that leave the page. */
function leading({ live, subject, link, actions, context }: OpenPage) {
	const { ref } = subject;
	return {
		follow: action(clickedHref, (href) => actions.follow(href, subject, link.signal)),
		openNamedIn: action(namedInKey, (key) => openNamedIn(live.connection(), ref, key)),
		lookForNamings: action(nothing, async () => {
			await lookForNamings(live.connection(), ref, link.signal);
			await live.changed();
		}),
		remove: action(nothing, () => vscode.commands.executeCommand('forge.tickets.delete', subject)),
		actOnQueued: action(queuedAct, async ({ id, act }) => {
			const queued: QueuedSubject = { kind: 'queued', connectionKey: subject.connectionKey, id };
			await vscode.commands.executeCommand(`forge.outbox.${act}`, queued);
		}),
		copyReference: action(nothing, () => vscode.env.clipboard.writeText(ticketRefText(ref))),
		openOnWeb: action(webPlace, async (place) => {
			const { me, writes, instance } = live.connection();
			if (place === 'labels' && writes.labels && ref.tracker.owner === me) {
				await vscode.commands.executeCommand('forge.trackers.manageLabels', trackerOf(subject));
				return undefined;
			}
			await openExactly(webPlaceLink(instance, ref, place));
		}),
		keepOrder: action(timelineOrder, (order) => context.pageOrder.keep(order)),
	};
}

function commentOf({ live, subject }: OpenPage, id: number) {
	const { tickets } = live.connection();
	const event = tickets.knownEvents(subject.ref)?.items.find((each) => each.id === id);
	if (!event?.comment) {
		throw new Error(`There is no comment in the entry ${id}`);
	}
	return { id, event, comment: event.comment };
}

async function labelChoices(
	{ tickets }: Connection,
	ref: TicketRef,
	signal: AbortSignal,
): Promise<readonly NameChoice[]> {
	const labels = await tickets.trackers.labels(ref.tracker, signal);
	const looks = labelLooks(labels);
	const on = tickets.knownTicket(ref)?.labels ?? [];
	const names = new Set([...labels.map(({ name }) => name), ...on]);
	return Array.from(names)
		.toSorted((a, b) => a.localeCompare(b))
		.map((name) => ({ name, look: labelView(name, looks), isOn: on.includes(name) }));
}

/** Assignees first, then the account itself and people in the tracker. */
function personChoices({ live, context, subject }: OpenPage): readonly NameChoice[] {
	const { tickets } = live.connection();
	const on = (tickets.knownTicket(subject.ref)?.assignees ?? []).map(({ canonicalName }) => canonicalName);
	const names = new Set([...on, ...peopleToAssign(context, [subject])]);
	return [...names].map((name) => ({
		name,
		look: { name: visibleLine(name), colors: undefined },
		isOn: on.includes(name),
	}));
}

/** Initial title and description of an edit: the draft if one exists, otherwise the ticket's text. */
export function textStartOf({ tickets }: Connection, ref: TicketRef, drafts: PageDrafts): TextStart {
	const known = tickets.knownTicket(ref);
	const now = { title: known?.title ?? '', description: known?.description ?? '' };
	const draft = drafts.text();
	return draft ? { ...draft, from: undefined } : { ...now, from: now };
}

/**
 * Sends the changed title and description if the ticket still has the text that the edit began with. Otherwise returns
 * a conflict with the newer text, and keeps both texts.
 */
export async function editText(
	{ tickets, writes }: Connection,
	problems: Problems,
	ref: TicketRef,
	{ from, ...typed }: TextStart,
	signal: AbortSignal,
): Promise<TextAnswer> {
	const wanted = { title: typed.title.trim(), description: typed.description.replaceAll('\r\n', '\n').trimEnd() };
	if (!writes.editTicket) {
		return { kind: 'failed', text: vscode.l10n.t('On this forge, tickets can only be edited on the web.') };
	}
	const { shortestTitle: least, longestTitle: most } = ticketLimits;
	const length = Array.from(wanted.title).length;
	if (length < least || length > most) {
		const text = vscode.l10n.t('A title must have {0} to {1} characters. Change it and try again.', least, most);
		return { kind: 'failed', text };
	}
	try {
		const now = await tickets.renewTicket(ref, signal);
		if (isDescriptionUnsent(now)) {
			return { kind: 'failed', text: unsentText([now]) };
		}
		if (saysAll(now, wanted)) {
			return { kind: 'done' };
		}
		if (!from || !saysAll(now, from)) {
			const { title, description } = now;
			return {
				kind: 'conflict',
				text: from
					? vscode.l10n.t(
							'Someone has changed the title or description since you began. It is shown below, and your text is kept. Save again to replace it.',
						)
					: vscode.l10n.t(
							'The ticket may have changed since you began. Its title and description are shown below, and your text is kept. Save again to replace them.',
						),
				now: { title, description },
			};
		}
		await writes.editTicket(
			ref,
			{
				...(saysAll(now, { title: wanted.title }) ? {} : { title: wanted.title }),
				...(saysAll(now, { description: wanted.description }) ? {} : { description: wanted.description }),
			},
			signal,
		);
		return { kind: 'done' };
	} catch (error) {
		if (!isForgeError(error)) {
			throw error;
		}
		problems.log(error);
		const text = isBareRefusal(error) ? refusedText('edit', ref.tracker.owner) : problems.explain(error).message;
		return { kind: 'failed', text };
	}
}
