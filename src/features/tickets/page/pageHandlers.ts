import * as vscode from 'vscode';
import { openExactly } from '../../../editor/links/openExactly.ts';
import { ticketRefText, type Comment, type TicketEvent } from '../../../forge/ticket.ts';
import { handler, type Handlers } from '../../../protocol/channel.ts';
import { clickedHref, nothing, wholeNumber } from '../../../protocol/pageValues.ts';
import {
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
	type TicketProtocol,
} from '../../../protocol/ticketProtocol.ts';
import type { NameChoice } from '../../../protocol/ticketView.ts';
import { visibleLine } from '../../../text/visible.ts';
import { peopleToAssign } from '../triage/assignTickets.ts';
import { labelLooks } from './pageState.ts';
import { labelView } from './sentence.ts';
import type { TicketsParts } from '../parts/ticketsParts.ts';
import { editComment } from './commentEditing.ts';
import { lookForNamings, openNamedIn } from './namedIn.ts';
import type { TicketSubject, TrackerSubject } from '../subjects/subjects.ts';
import type { OpenPage, PageMaking } from './openPage.ts';
import { editText, textStartOf } from './textEditing.ts';
import { suggestions } from './suggestions.ts';
import { webPlaceLink } from './webPlaces.ts';

type Making = PageMaking & { readonly parts: TicketsParts };

/** Messages that the page may send. */
export function pageHandlers(page: OpenPage, making: Making): Handlers<TicketProtocol> {
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
		again: handler(nothing, async () => {
			await page.live.load();
			await page.live.changed();
			return undefined;
		}),
		older: handler(nothing, async () => {
			page.active();
			await page.live.connection().tickets.moreEvents(ref, link.signal);
			await page.live.changed();
			return undefined;
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
		keepText: handler(ticketText, async (text) => {
			page.active();
			await page.drafts.keepText(text, parts.clock.nowMs());
			return undefined;
		}),
		subscribe: handler(isWanted, async (wanted) => {
			await page.live.connection().writes.subscriptions?.set({ kind: 'ticket', ref }, wanted, actions.writing);
			await page.live.changed();
			return undefined;
		}),
		editText: handler(textStart, async (edit) => {
			const ways = { connection: page.live.connection(), problems: parts.problems, ref };
			const answer = await editText(ways, edit, actions.writing);
			await page.live.changed();
			return answer;
		}),
		// The page host keeps pages with unsent text open.
		writing: handler(nothing, () => Promise.resolve(undefined)),
		keepDraft: handler(keptDraft, async (draft) => {
			page.active();
			await keepDraft(draft);
			return undefined;
		}),
	};
}

function leading(page: OpenPage, { parts, subject, link, actions }: Making): Pick<Handlers<TicketProtocol>, Leading> {
	return {
		follow: handler(clickedHref, async (href) => {
			await actions.follow(href, subject, link.signal);
			return undefined;
		}),
		openNamedIn: handler(namedInKey, async (key) => {
			await openNamedIn(page.live.connection(), subject.ref, key);
			return undefined;
		}),
		lookForNamings: handler(nothing, async () => {
			await lookForNamings(page.live.connection(), subject.ref, link.signal);
			await page.live.changed();
			return undefined;
		}),
		remove: handler(nothing, async () => {
			await vscode.commands.executeCommand('forge.tickets.delete', subject);
			return undefined;
		}),
		copyReference: handler(nothing, async () => {
			await vscode.env.clipboard.writeText(ticketRefText(subject.ref));
			return undefined;
		}),
		openOnWeb: handler(webPlace, async (place) => {
			const { me, writes } = page.live.connection();
			if (place === 'labels' && writes.labels && subject.ref.tracker.owner === me) {
				await manageLabels(subject);
				return undefined;
			}
			const address = webPlaceLink(page.live.connection().instance, subject.ref, place);
			await openExactly(address);
			return undefined;
		}),
		keepOrder: handler(timelineOrder, async (order) => {
			await parts.pageOrder.keep(order);
			return undefined;
		}),
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
	const labels = await tickets.labels(subject.ref.tracker, link.signal);
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
