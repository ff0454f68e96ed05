import * as vscode from 'vscode';
import { isDescriptionUnsent, unsentText } from '../../../editor/ask/extraFields.ts';
import type { Problems } from '../../../editor/ask/problems.ts';
import { openExactly } from '../../../editor/links/openExactly.ts';
import type { PageContent } from '../../../editor/pages/pageHost.ts';
import { isBareRefusal, isForgeError } from '../../../forge/port/forgeError.ts';
import { ticketRefText, type Comment, type TicketEvent, type TicketRef } from '../../../forge/port/ticket.ts';
import { ticketLimits } from '../../../forge/port/ticketLimits.ts';
import { action, handler, type Handlers } from '../../../pages/protocol/channel.ts';
import { clickedHref, nothing, wholeNumber } from '../../../pages/protocol/pageValues.ts';
import {
	type TicketProtocol,
	commentEdit,
	completionWish,
	entryId,
	keptDraft,
	isWanted,
	nameChange,
	textStart,
	ticketText,
	namedInKey,
	ticketPageSend,
	timelineOrder,
	typedText,
	webPlace,
	type KeptDraft,
	type SendAnswer,
	type TextAnswer,
	type TextStart,
	type TicketText,
} from '../../../pages/protocol/ticketProtocol.ts';
import type { NameChoice } from '../../../pages/protocol/ticketView.ts';
import type { Connection } from '../../../store/connection.ts';
import { saysAll } from '../../../store/tickets/writing/ticketEdits.ts';
import { visibleLine } from '../../../engine/text/visible.ts';
import type { TicketsParts } from '../parts/ticketsParts.ts';
import { refusedText } from '../subjects/permissions.ts';
import type { TicketSubject, TrackerSubject } from '../subjects/subjects.ts';
import { peopleToAssign } from '../triage/assignTickets.ts';
import { editComment } from './commentEditing.ts';
import { lookForNamings, openNamedIn } from './namedIn.ts';
import { OpenPage, type PageMaking } from './openPage.ts';
import type { PageActions } from './pageActions.ts';
import type { PageDrafts } from './pageDrafts.ts';
import { tabTitle, labelLooks } from './pageState.ts';
import { labelView } from './sentence.ts';
import { suggestions } from './suggestions.ts';
import { webPlaceLink } from './webPlaces.ts';

/** The ticket page of one ticket. */
export function ticketPage(
	parts: TicketsParts,
	subject: TicketSubject,
	actions: PageActions,
): PageContent<TicketProtocol> {
	const known = parts.connections.byKey(subject.connectionKey)?.tickets.knownTicket(subject.ref);
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
			const page = new OpenPage(parts, { subject, link, actions });
			return { handlers: pageHandlers(page, { parts, subject, link, actions }), start: page.live.open() };
		},
	};
}

type Making = PageMaking & { readonly parts: TicketsParts };

/** Messages that the page may send. */
function pageHandlers(page: OpenPage, making: Making): Handlers<TicketProtocol> {
	return { ...reading(page, making), ...writing(page, making), ...leading(page, making) };
}

type Reading =
	| 'load'
	| 'again'
	| 'older'
	| 'preview'
	| 'complete'
	| 'labelChoices'
	| 'personChoices'
	| 'ticketText'
	| 'commentText'
	| 'commentDraft';

type Leading = 'follow' | 'openNamedIn' | 'lookForNamings' | 'remove' | 'copyReference' | 'openOnWeb' | 'keepOrder';

function reading(page: OpenPage, { parts, subject, link }: Making): Pick<Handlers<TicketProtocol>, Reading> {
	const { ref } = subject;
	return {
		load: handler(wholeNumber, (number) => page.start(number)),
		again: action(nothing, async () => {
			await page.live.load();
			await page.live.changed();
		}),
		older: action(nothing, async () => {
			page.active();
			await page.live.connection().tickets.moreEvents(ref, link.signal);
			await page.live.changed();
		}),
		preview: handler(typedText, async (text) => (await page.html())(text)),
		complete: handler(completionWish, async (wish) => suggestions(page.live.connection(), ref, wish)),
		labelChoices: handler(nothing, () => labelChoices(page, { subject, link })),
		personChoices: handler(nothing, async () => personChoices(page, { parts, subject })),
		ticketText: handler(nothing, async () => textStartOf(page.live.connection(), ref, page.drafts)),
		commentText: handler(entryId, async (id) => commentOf(page, subject.ref, id).comment.text),
		commentDraft: handler(entryId, async (id) => {
			const of = commentOf(page, ref, id);
			return page.drafts.edit(of)?.text ?? of.comment.text;
		}),
	};
}

type Place = Pick<PageMaking, 'subject' | 'link'>;

function writing(
	page: OpenPage,
	{ parts, subject, actions }: Making,
): Omit<Handlers<TicketProtocol>, Reading | Leading> {
	const { ref } = subject;

	async function keepDraft({ text, atMs, entryId: id }: KeptDraft): Promise<void> {
		const draft = { text, atMs };
		await (id === undefined ? page.drafts.keepComment(draft) : page.drafts.keepEdit(commentOf(page, ref, id), draft));
	}

	async function written(work: () => Promise<SendAnswer>): Promise<SendAnswer> {
		page.active();
		try {
			return await work();
		} finally {
			// The page shows the server's answer, success or not.
			await page.live.changed();
		}
	}

	return {
		send: handler(ticketPageSend, async (send) => {
			const answer = await written(() => page.sending.send(send));
			// A comment subscribes its author.
			const { subscriptions } = page.live.connection().writes;
			subscriptions?.read({ kind: 'ticket', ref }, actions.writing).catch(parts.problems.log);
			return answer;
		}),
		lookAgain: handler(nothing, () => written(() => page.sending.lookAgain())),
		outcome: handler(nothing, () => written(() => page.sending.outcome())),
		changeLabels: handler(nameChange, (labels) => written(() => page.writes.send({ labels }))),
		changeAssignees: handler(nameChange, (assignees) => written(() => page.writes.send({ assignees }))),
		editComment: handler(commentEdit, async ({ entryId: id, text }) => {
			const found = commentOf(page, ref, id);
			const ways = { connection: page.live.connection(), problems: parts.problems };
			const answer = await editComment(ways, { ref, ...found, text }, actions.writing);
			await page.live.changed();
			return answer;
		}),
		keepText: action(ticketText, async (text) => {
			page.active();
			await page.drafts.keepText(text, parts.clock.nowMs());
		}),
		subscribe: action(isWanted, async (wanted) => {
			await page.live.connection().writes.subscriptions?.set({ kind: 'ticket', ref }, wanted, actions.writing);
			await page.live.changed();
		}),
		editText: handler(textStart, async (edit) => {
			const ways = { connection: page.live.connection(), problems: parts.problems, ref };
			const answer = await editText(ways, edit, actions.writing);
			await page.live.changed();
			return answer;
		}),
		// The page host keeps pages with unsent text open.
		writing: action(nothing, () => undefined),
		keepDraft: action(keptDraft, async (draft) => {
			page.active();
			await keepDraft(draft);
		}),
	};
}

function leading(page: OpenPage, { parts, subject, link, actions }: Making): Pick<Handlers<TicketProtocol>, Leading> {
	return {
		follow: action(clickedHref, (href) => actions.follow(href, subject, link.signal)),
		openNamedIn: action(namedInKey, (key) => openNamedIn(page.live.connection(), subject.ref, key)),
		lookForNamings: action(nothing, async () => {
			await lookForNamings(page.live.connection(), subject.ref, link.signal);
			await page.live.changed();
		}),
		remove: action(nothing, () => vscode.commands.executeCommand('forge.tickets.delete', subject)),
		copyReference: action(nothing, () => vscode.env.clipboard.writeText(ticketRefText(subject.ref))),
		openOnWeb: action(webPlace, async (place) => {
			const { me, writes } = page.live.connection();
			if (place === 'labels' && writes.labels && subject.ref.tracker.owner === me) {
				await manageLabels(subject);
				return undefined;
			}
			const address = webPlaceLink(page.live.connection().instance, subject.ref, place);
			await openExactly(address);
		}),
		keepOrder: action(timelineOrder, (order) => parts.pageOrder.keep(order)),
	};
}

function commentOf(
	page: OpenPage,
	ref: Place['subject']['ref'],
	id: number,
): { readonly id: number; readonly event: TicketEvent; readonly comment: Comment } {
	const event = page.live
		.connection()
		.tickets.knownEvents(ref)
		?.items.find((each) => each.id === id);
	if (!event?.comment) {
		throw new Error(`There is no comment in the entry ${id}`);
	}
	return { id, event, comment: event.comment };
}

async function labelChoices(page: OpenPage, { subject, link }: Place): Promise<readonly NameChoice[]> {
	const { tickets } = page.live.connection();
	const labels = await tickets.trackers.labels(subject.ref.tracker, link.signal);
	const looks = labelLooks(labels);
	const on = tickets.knownTicket(subject.ref)?.labels ?? [];
	const names = new Set([...labels.map(({ name }) => name), ...on]);
	return Array.from(names)
		.toSorted((a, b) => a.localeCompare(b))
		.map((name) => ({ name, look: labelView(name, looks), isOn: on.includes(name) }));
}

/** Assignees first, then the account itself and people in the tracker. */
function personChoices(page: OpenPage, { parts, subject }: Pick<Making, 'parts' | 'subject'>): readonly NameChoice[] {
	const { tickets } = page.live.connection();
	const on = (tickets.knownTicket(subject.ref)?.assignees ?? []).map(({ canonicalName }) => canonicalName);
	const names = new Set([...on, ...peopleToAssign(parts, [subject])]);
	return [...names].map((name) => ({
		name,
		look: { name: visibleLine(name), colors: undefined },
		isOn: on.includes(name),
	}));
}

async function manageLabels({ connectionKey, ref }: TicketSubject): Promise<void> {
	const tracker: TrackerSubject = { kind: 'tracker', connectionKey, ref: ref.tracker };
	await vscode.commands.executeCommand('forge.trackers.manageLabels', tracker);
}

/** Initial title and description of an edit: the draft if one exists, otherwise the ticket's text. */
export function textStartOf(
	{ tickets }: Pick<Connection, 'tickets'>,
	ref: TicketRef,
	drafts: Pick<PageDrafts, 'text'>,
): TextStart {
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
	{ connection, problems, ref }: EditTextParts,
	{ from, ...typed }: TextStart,
	signal: AbortSignal,
): Promise<TextAnswer> {
	const { tickets, writes } = connection;
	const wanted = { title: typed.title.trim(), description: typed.description.replaceAll('\r\n', '\n').trimEnd() };
	const fault = writes.editTicket ? faultOf(wanted) : onlyOnWeb();
	if (fault !== undefined || !writes.editTicket) {
		return { kind: 'failed', text: fault ?? onlyOnWeb() };
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
			return { kind: 'conflict', text: conflictText(from), now: { title, description } };
		}
		await writes.editTicket(ref, changeOf(now, wanted), signal);
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

export interface EditTextParts {
	readonly connection: Connection;
	readonly problems: Pick<Problems, 'explain' | 'log'>;
	readonly ref: TicketRef;
}

function changeOf(now: TicketText, { title, description }: TicketText): Partial<TicketText> {
	return {
		...(saysAll(now, { title }) ? {} : { title }),
		...(saysAll(now, { description }) ? {} : { description }),
	};
}

function faultOf({ title }: TicketText): string | undefined {
	const { shortestTitle, longestTitle } = ticketLimits;
	const length = Array.from(title).length;
	return length < shortestTitle || length > longestTitle
		? vscode.l10n.t('A title must have {0} to {1} characters. Change it and try again.', shortestTitle, longestTitle)
		: undefined;
}

function conflictText(from: TicketText | undefined): string {
	return from
		? vscode.l10n.t(
				'Someone has changed the title or description since you began. It is shown below, and your text is kept. Save again to replace it.',
			)
		: vscode.l10n.t(
				'The ticket may have changed since you began. Its title and description are shown below, and your text is kept. Save again to replace them.',
			);
}

function onlyOnWeb(): string {
	return vscode.l10n.t('On this forge, tickets can only be edited on the web.');
}
