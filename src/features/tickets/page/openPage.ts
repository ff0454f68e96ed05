import * as vscode from 'vscode';
import { type Disposable, Disposables } from '../../../base/lifecycle.ts';
import { confirmForGood } from '../../../editor/ask/notify.ts';
import { entryPage, type EntryPage } from '../../../editor/pages/entryPage.ts';
import type { PageLink } from '../../../editor/pages/pageHost.ts';
import type { TellingSlice } from '../../../editor/pages/livePage.ts';
import type { ForgeInstance } from '../../../forge/port/instance.ts';
import { type TicketRef, ticketRefText } from '../../../forge/port/ticket.ts';
import type { TicketPageStart, TicketProtocol } from '../../../pages/protocol/ticketProtocol.ts';
import { ticketStrings } from '../../../pages/protocol/ticketStrings.ts';
import type { PageChange } from '../../../pages/protocol/ticketView.ts';
import type { Connection } from '../../../store/connection.ts';
import type { MarkdownRenderer } from '../../../engine/text/markdown.ts';
import type { TicketsParts } from '../parts/ticketsParts.ts';
import type { TicketSubject } from '../subjects/subjects.ts';
import { ticketWebLink } from '../subjects/webLink.ts';
import { ChangePublisher, type Tellable } from './changePublisher.ts';
import { lastLook, type LastLook } from './lastLook.ts';
import { newestPoll } from './newestPoll.ts';
import type { PageActions } from './pageActions.ts';
import { pageDrafts, type PageDrafts } from './pageDrafts.ts';
import { pageReading, type PageReading } from './pageReading.ts';
import { pageSending, type PageSending } from './pageSending.ts';
import { tabTitle } from './pageState.ts';
import { PageWrites } from './pageWrites.ts';

export interface PageMaking {
	readonly subject: TicketSubject;
	readonly link: PageLink<TicketProtocol>;
	readonly actions: PageActions;
}

/** An open ticket page. Starts to load while the editor opens the page, and sends every change. */
export class OpenPage {
	readonly #parts: TicketsParts;
	readonly #subject: TicketSubject;
	readonly #link: PageLink<TicketProtocol>;
	readonly #actions: PageActions;
	readonly #publisher: ChangePublisher;
	readonly writes: PageWrites;
	readonly drafts: PageDrafts;
	readonly sending: PageSending;
	readonly #reads: PageReading;
	readonly live: EntryPage<TicketPageStart>;
	#html: ((markdown: string) => string) | undefined;
	#look: LastLook | undefined;
	#focusComposer: boolean;
	#editsText: boolean;
	/** The page shows only an error. */
	#hasFailed = false;

	constructor(parts: TicketsParts, { subject, link, actions }: PageMaking) {
		this.#parts = parts;
		this.#subject = subject;
		this.#link = link;
		this.#actions = actions;
		this.#focusComposer = actions.focusComposer;
		this.#editsText = actions.editsText === true;
		this.#publisher = new ChangePublisher(parts.clock);
		this.live = entryPage<TicketPageStart, PageChange>({
			parts,
			subject,
			link,
			watch: (connection) => this.#watch(connection),
			arrived: (_, before) => (before ? this.#reads.quietly(this.live.load()) : link.tell('reload', undefined)),
			isKnown: (connection) => this.#isReady(connection),
			read: (connection) => this.#read(connection),
			forget: () => this.#publisher.reset(),
			begin: () => this.#publisher.begin(),
			next: () => this.#nextSlice(),
			start: (start) => ({
				...start,
				strings: ticketStrings(vscode.l10n),
				draft: this.drafts.comment(),
				sent: this.sending.open(),
				sentMs: this.drafts.commentSentMs(),
				order: parts.pageOrder.now(),
				focusComposer: this.#focusComposer,
				editsText: this.#editsText || this.drafts.text() !== undefined,
			}),
			readMark: { shown: () => this.#look?.shown(), look: () => this.#look?.look() },
		});
		this.#reads = pageReading({
			ref: subject.ref,
			problems: parts.problems,
			upTo: link.entry,
			changed: () => this.live.changed(),
			gone: () => link.tell('reload', undefined),
			signal: link.signal,
		});
		this.writes = new PageWrites({
			connection: () => this.live.connection(),
			known: () => this.live.known(),
			ref: subject.ref,
			signal: actions.writing,
			wrote: (wish, outcome) => actions.wrote?.({ subject, wish }, outcome),
		});
		const { connectionKey, ref } = subject;
		this.drafts = pageDrafts({
			drafts: parts.drafts,
			connectionKey,
			ref,
			ticket: () => this.live.known()?.tickets.knownTicket(ref),
			sent: (key) => this.live.known()?.journal.sent(key),
		});
		this.sending = pageSending({ writes: this.writes, drafts: this.drafts, confirmAgain });
		link.owned.add(link.onDidWant((entry) => this.#reads.backTo(entry, this.live.known())));
		const poll = link.owned.add(
			newestPoll({ clock: parts.clock, isWatched: () => link.isWatched(), read: () => this.#readNewest() }),
		);
		this.active = () => poll.active();
		link.owned.add(link.onDidChangeWatched(() => poll.watchedChanged()));
	}

	/** Somebody does something on the page. */
	readonly active: () => void;

	/** Data for the start with this `number`. Never rejects. */
	async start(number: number): Promise<TicketPageStart> {
		const start = await this.live.start(number);
		this.#hasFailed = start.failure !== undefined;
		if (!this.#hasFailed) {
			this.#focusComposer = false;
			this.#editsText = false;
		}
		return start;
	}

	/** True if the ticket can be shown immediately. */
	#isReady({ tickets, instance }: Connection): boolean {
		const renderer = this.#actions.renderer.loaded();
		if (!tickets.knownTicket(this.#ref) || !renderer) {
			return false;
		}
		this.#html ??= ticketHtml(renderer, instance, this.#ref);
		return true;
	}

	/** Slow first renderings run in separate turns. */
	async #warmed({ tickets }: Connection): Promise<void> {
		const renderer = await this.#actions.renderer.load();
		const text = tickets.knownTicket(this.#ref)?.description ?? '';
		while (renderer.warm(text)) {
			await this.live.pause();
		}
	}

	/** Rendered Markdown of this ticket. */
	async html(): Promise<(markdown: string) => string> {
		this.#html ??= ticketHtml(await this.#actions.renderer.load(), this.live.connection().instance, this.#ref);
		return this.#html;
	}

	get #ref(): TicketRef {
		return this.#subject.ref;
	}

	/** Readable after one request. */
	async #read(connection: Connection): Promise<void> {
		const isFirst = this.#actions.renderer.loaded() === undefined;
		await Promise.all([this.#reads.all(connection), this.html()]);
		this.#link.setTitle(tabTitle(this.#ref, connection.tickets.knownTicket(this.#ref)?.title));
		if (isFirst) {
			// Loading the renderer has used this turn.
			await this.live.pause();
		}
		await this.#warmed(connection);
	}

	async #readNewest(): Promise<boolean> {
		const connection = this.live.known();
		const isNews = connection !== undefined && (await this.#reads.newest(connection));
		if (isNews && this.#hasFailed) {
			this.#link.tell('reload', undefined);
		}
		return isNews;
	}

	#watch(connection: Connection): Disposable {
		this.#look = lastLook(connection, this.#ref);
		const watched = watchTicket(connection, this.#ref, () => void this.live.changed());
		watched.add(
			connection.journal.onDidSettle(({ write }) => {
				if (write.kind === 'ticket' && isSameRef(write.ref, this.#ref)) {
					// The new start contains the outcome.
					this.#link.tell('reload', undefined);
				}
			}),
		);
		return watched;
	}

	#nextSlice(): TellingSlice<PageChange> {
		const connection = this.live.known();
		if (!connection || !this.#html) {
			return { change: undefined, goesOn: false };
		}
		const what: Tellable = {
			connection,
			ref: this.#ref,
			html: this.#html,
			warm: (markdown) => this.#actions.renderer.loaded()?.warm(markdown) ?? false,
			refusals: this.writes.refusals,
			timelineFailure: this.#reads.timelineFailure(),
			isOldestFirst: this.#parts.pageOrder.now() === 'oldest',
			newFrom: this.#look?.newFrom(),
			hasEditDraft: (of) => this.drafts.edit(of) !== undefined,
		};
		return this.#publisher.next(what);
	}
}

/** Notifies of changes of the ticket and of mails that mention it, until disposed. */
function watchTicket({ tickets, mentions, writes }: Connection, ref: TicketRef, changed: () => void): Disposables {
	const owned = new Disposables();
	const ifMeant = (other: TicketRef): void => {
		if (isSameRef(other, ref)) {
			changed();
		}
	};
	owned.add(tickets.onDidChange((change) => (change.kind === 'ticket' ? ifMeant(change.ticket) : undefined)));
	owned.add(mentions.onDidChange(ifMeant));
	const { subscriptions } = writes;
	if (subscriptions) {
		owned.add(subscriptions.onDidChange((to) => (to.kind === 'ticket' ? ifMeant(to.ref) : undefined)));
	}
	return owned;
}

function isSameRef(one: TicketRef, other: TicketRef): boolean {
	return ticketRefText(one).toLowerCase() === ticketRefText(other).toLowerCase();
}

function confirmAgain(): Promise<boolean> {
	return confirmForGood(
		vscode.l10n.t('Your comment may have been posted already.'),
		vscode.l10n.t("The forge can't be reached to check. Sending it again may post it twice."),
		vscode.l10n.t('Send Again'),
	);
}

/** Renders each text of a ticket once: pages redraw often and texts rarely change. */
function ticketHtml(renderer: MarkdownRenderer, instance: ForgeInstance, ref: TicketRef): (markdown: string) => string {
	const context = { base: ticketWebLink(instance, ref), tracker: ref.tracker };
	const rendered = new Map<string, string>();
	return (markdown) => {
		const html = rendered.get(markdown) ?? renderer.render(markdown, context);
		rendered.set(markdown, html);
		return html;
	};
}
