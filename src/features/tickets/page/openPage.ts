import * as vscode from 'vscode';
import { type Disposable, Disposables } from '@forge-desk/base/lifecycle.ts';
import { confirmForGood } from '../../../editor/ask/notify.ts';
import { connectionOf } from '../../../editor/commands/subjects.ts';
import { entryPage, type EntryPage, type TellingSlice } from '../../../editor/pages/livePage.ts';
import type { PageLink } from '../../../editor/pages/pageHost.ts';
import type { ForgeInstance } from 'sourcehut/port/instance.ts';
import { type TicketRef, ticketRefText } from 'sourcehut/port/ticket.ts';
import {
	ticketStrings,
	type TicketPageStart,
	type TicketProtocol,
	type PageChange,
} from '../../../pages/protocol/ticketProtocol.ts';
import type { Connection } from '../../../store/connection.ts';
import type { MarkdownRenderer } from '../../../engine/text/markdown.ts';
import type { PageRenderer } from '../../../editor/pages/pageRenderer.ts';
import type { TicketRequest } from 'sourcehut/port/ticketRequest.ts';
import type { TicketsContext } from '../context/ticketsContext.ts';
import type { ItemOutcome, TicketItem } from '../triage/outcomeTexts.ts';
import type { TicketSubject } from '../subjects/subjects.ts';

import { ChangePublisher } from './changePublisher.ts';
import { lastVisit, type LastVisit } from './lastVisit.ts';
import { newestPoll } from './newestPoll.ts';
import { pageDrafts } from './pageDrafts.ts';
import { pageReading } from './pageReading.ts';
import { pageSending } from './pageSending.ts';
import { tabTitle } from './pageState.ts';
import { pageWrites } from './pageWrites.ts';
import { webOf, webAddress } from '../../../editor/links/webOf.ts';

/** Actions that leave the page. */
export interface PageActions {
	/** Opens a clicked link if the link policy allows it. */
	readonly follow: (href: string, from: TicketSubject, signal: AbortSignal) => Promise<void>;
	/** Outlives the page: a running write may already have reached the forge. */
	readonly writing: AbortSignal;
	/** True if the page opens for a new comment. */
	readonly focusComposer: boolean;
	/** True if the page opens to edit title and description. */
	readonly editsText?: boolean;
	readonly renderer: PageRenderer;
	/** Receives writes from the page for Undo. */
	readonly wrote?: (item: TicketItem, outcome: ItemOutcome) => void;
}

/** An open ticket page. */
export type OpenPage = ReturnType<typeof openPage>;

/** Starts to load while the editor opens the page, and sends every change. */
export function openPage(
	context: TicketsContext,
	subject: TicketSubject,
	link: PageLink<TicketProtocol>,
	actions: PageActions,
) {
	const { ref, connectionKey } = subject;
	const { renderer } = actions;
	const publisher = new ChangePublisher(context.clock);
	let { focusComposer, editsText = false } = actions;
	let html: ((markdown: string) => string) | undefined;
	let look: LastVisit | undefined;
	/** The page shows only an error. */
	let hasFailed = false;

	const account = {
		known: () => context.connections.byKey(connectionKey),
		connection: () => connectionOf(context.connections, subject),
	};
	const drafts = pageDrafts(
		context.drafts,
		connectionKey,
		ref,
		() => account.known()?.tickets.knownTicket(ref),
		(key) => account.known()?.journal.sent(key),
	);
	const wrote = (wish: TicketRequest, outcome: ItemOutcome): void => actions.wrote?.({ subject, wish }, outcome);
	const writes = pageWrites(account, ref, wrote, actions.writing);
	const sending = pageSending(writes, drafts, () =>
		confirmForGood(
			vscode.l10n.t('Your comment may have been posted already.'),
			vscode.l10n.t("The forge can't be reached to check. Sending it again may post it twice."),
			vscode.l10n.t('Send Again'),
		),
	);
	// Reads publish their results, and the page starts reads.
	const reads = pageReading(link, ref, context.problems, () => live.changed());
	const live: EntryPage<TicketPageStart> = entryPage<TicketPageStart, PageChange>({
		parts: context,
		subject,
		link,
		watch,
		arrived: (_, before) => (before ? reads.quietly(live.load()) : link.tell('reload', undefined)),
		isKnown,
		read,
		forget: () => publisher.reset(),
		begin: () => publisher.begin(),
		next: nextSlice,
		start: (start) => ({
			...start,
			strings: ticketStrings(vscode.l10n),
			draft: drafts.comment(),
			sent: sending.open(),
			sentMs: drafts.commentSentMs(),
			order: context.pageOrder.now(),
			focusComposer,
			editsText: editsText || drafts.text() !== undefined,
		}),
		readMark: { shown: () => look?.shown(), look: () => look?.look() },
	});
	link.owned.add(link.onDidWant((entry) => reads.backTo(entry, account.known())));
	const poll = link.owned.add(
		newestPoll(
			context.clock,
			() => link.isWatched(),
			async () => {
				const connection = account.known();
				const isNews = connection !== undefined && (await reads.newest(connection));
				if (isNews && hasFailed) {
					link.tell('reload', undefined);
				}
				return isNews;
			},
		),
	);
	link.owned.add(link.onDidChangeWatched(() => poll.watchedChanged()));

	/** True if the ticket can be shown immediately. */
	function isKnown({ tickets, instance }: Connection): boolean {
		const loaded = renderer.loaded();
		if (!tickets.knownTicket(ref) || !loaded) {
			return false;
		}
		html ??= ticketHtml(loaded, instance, ref);
		return true;
	}

	/** Rendered Markdown of this ticket. */
	async function rendered(): Promise<(markdown: string) => string> {
		html ??= ticketHtml(await renderer.load(), account.connection().instance, ref);
		return html;
	}

	/** Readable after one request. */
	async function read(connection: Connection): Promise<void> {
		const isFirst = renderer.loaded() === undefined;
		await Promise.all([reads.all(connection), rendered()]);
		const ticket = connection.tickets.knownTicket(ref);
		link.setTitle(tabTitle(ref, ticket?.title));
		if (isFirst) {
			// Loading the renderer has used this turn.
			await live.pause();
		}
		// Slow first renderings run in separate turns.
		const loaded = await renderer.load();
		while (loaded.warm(ticket?.description ?? '')) {
			await live.pause();
		}
	}

	function watch(connection: Connection): Disposable {
		look = lastVisit(connection, ref);
		const { tickets, mentions } = connection;
		const watched = new Disposables();
		const changed = (of: TicketRef): void => void (isSameRef(of, ref) && live.changed());
		watched.add(tickets.onDidChange((change) => void (change.kind === 'ticket' && changed(change.ticket))));
		watched.add(mentions.onDidChange(changed));
		watched.add(connection.outbox.onDidChange(() => void live.changed()));
		const { subscriptions } = connection.writes;
		if (subscriptions) {
			watched.add(subscriptions.onDidChange((to) => void (to.kind === 'ticket' && changed(to.ref))));
		}
		watched.add(
			connection.journal.onDidSettle(({ write }) => {
				if (write.kind === 'ticket' && isSameRef(write.ref, ref)) {
					// The new start contains the outcome.
					link.tell('reload', undefined);
				}
			}),
		);
		return watched;
	}

	function nextSlice(): TellingSlice<PageChange> {
		const connection = account.known();
		if (!connection || !html) {
			return { change: undefined, goesOn: false };
		}
		return publisher.next({
			connection,
			ref,
			html,
			warm: (markdown) => renderer.loaded()?.warm(markdown) ?? false,
			refusals: writes.refusals,
			timelineFailure: reads.timelineFailure(),
			isOldestFirst: context.pageOrder.now() === 'oldest',
			newFrom: look?.newFrom(),
			hasEditDraft: (of) => drafts.edit(of) !== undefined,
		});
	}

	return {
		context,
		subject,
		link,
		actions,
		live,
		writes,
		drafts,
		sending,
		html: rendered,
		/** Somebody does something on the page. */
		active: () => poll.active(),
		/** Data for the start with this `number`. Never rejects. */
		async start(number: number) {
			const start = await live.start(number);
			hasFailed = start.failure !== undefined;
			if (!hasFailed) {
				focusComposer = false;
				editsText = false;
			}
			return start;
		},
	};
}

function isSameRef(one: TicketRef, other: TicketRef): boolean {
	return ticketRefText(one).toLowerCase() === ticketRefText(other).toLowerCase();
}

/** Renders each text of a ticket once: pages redraw often and texts rarely change. */
function ticketHtml(renderer: MarkdownRenderer, instance: ForgeInstance, ref: TicketRef): (markdown: string) => string {
	const context = {
		base: webAddress(instance, { kind: 'ticket', ref }),
		web: webOf(instance),
		tracker: ref.tracker,
	};
	const rendered = new Map<string, string>();
	return (markdown) => {
		const html = rendered.get(markdown) ?? renderer.render(markdown, context);
		rendered.set(markdown, html);
		return html;
	};
}
