import * as vscode from 'vscode';
import { ticketRefText, type TicketRef } from '../../../forge/ticket.ts';
import type { PageLink } from '../../../editor/pageHost.ts';
import { connectionOf } from '../../../editor/subjects.ts';
import type { TicketPageStart, TicketProtocol } from '../../../protocol/ticketProtocol.ts';
import type { PageChange } from '../../../protocol/ticketView.ts';
import type { Connection } from '../../../state/connection.ts';
import { pageStrings } from '../pageStrings.ts';
import { tabTitle } from '../pageState.ts';
import type { TicketSubject } from '../subjects.ts';
import type { PageDoings } from '../ticketPage.ts';
import type { TicketsParts } from '../ticketsParts.ts';
import { ChangeTeller, type PageSlice, type Tellable } from './changeTeller.ts';
import { lastLook, type LastLook } from './lastLook.ts';
import { newestPoll } from './newestPoll.ts';
import { pageDrafts, type PageDrafts } from './pageDrafts.ts';
import { pageReading, type PageReading } from './pageReading.ts';
import { ticketHtml } from './pageRenderer.ts';
import { pageSending, type PageSending } from './pageSending.ts';
import { pageTelling, type PageTelling } from './pageTelling.ts';
import { PageWrites } from './pageWrites.ts';

/** What one page is made with. */
export interface PageMaking {
	readonly subject: TicketSubject;
	readonly link: PageLink<TicketProtocol>;
	readonly doings: PageDoings;
}

/** One open page: reads what it shows while the editor still opens it, and tells it every change. */
export class OpenPage {
	readonly #parts: TicketsParts;
	readonly #subject: TicketSubject;
	readonly #link: PageLink<TicketProtocol>;
	readonly #doings: PageDoings;
	readonly #teller: ChangeTeller;
	readonly writes: PageWrites;
	readonly drafts: PageDrafts;
	readonly sending: PageSending;
	readonly #reads: PageReading;
	readonly #telling: PageTelling;
	#html: ((markdown: string) => string) | undefined;
	#reading: Promise<void> | undefined;
	#watched: Connection | undefined;
	#look: LastLook | undefined;
	#startNumber = 0;
	/** Counts how often the page has asked for a start. */
	#starts = 0;
	#focusComposer: boolean;
	/** The page shows nothing but why it could not be read. */
	#hasFailed = false;

	constructor(parts: TicketsParts, { subject, link, doings }: PageMaking) {
		this.#parts = parts;
		this.#subject = subject;
		this.#link = link;
		this.#doings = doings;
		this.#focusComposer = doings.focusComposer;
		this.#teller = new ChangeTeller(parts.clock);
		const log = (error: unknown): void => parts.problems.log(error);
		this.#telling = pageTelling({
			begin: () => this.#teller.begin(),
			next: () => this.#nextSlice(),
			tell: (change) => link.tell('changed', change),
			pause: () => this.#pause(),
			told: () => this.#lookAtIt(),
			failed: log,
		});
		this.#reads = pageReading({
			ref: subject.ref,
			problems: parts.problems,
			changed: () => this.changed(),
			signal: link.signal,
		});
		this.writes = new PageWrites({
			connection: () => this.connection(),
			ref: subject.ref,
			clock: parts.clock,
			signal: doings.writing,
			wrote: (wish, outcome) => doings.wrote?.({ subject, wish }, outcome),
		});
		this.drafts = pageDrafts({ drafts: parts.drafts, connectionKey: subject.connectionKey, ref: subject.ref });
		this.sending = pageSending({ writes: this.writes, drafts: this.drafts, log });
		link.owned.add(parts.connections.onDidChange(() => this.#accountChanged()));
		const poll = link.owned.add(
			newestPoll({ clock: parts.clock, isWatched: () => link.isWatched(), read: () => this.#readNewest() }),
		);
		this.active = () => poll.active();
		link.owned.add(
			link.onDidChangeWatched(() => {
				poll.watchedChanged();
				this.#lookAtIt();
			}),
		);
		link.owned.add(
			link.onDidShow(() => {
				this.#look?.shown();
				this.#lookAtIt();
			}),
		);
	}

	/** Somebody does something on the page. */
	readonly active: () => void;

	/** Begins to read, and answers what is known without. */
	open(): TicketPageStart | undefined {
		const connection = this.#parts.connections.byKey(this.#subject.connectionKey);
		const renderer = this.#doings.renderer.loaded();
		if (connection) {
			this.#reading = this.#read(connection);
			this.#reading.catch(() => undefined);
		}
		if (!connection?.tickets.knownTicket(this.#ref) || !renderer) {
			return undefined;
		}
		this.#html ??= ticketHtml(renderer, connection.instance, this.#ref);
		this.#startNumber += 1;
		return this.#startWith(this.#nextSlice().change);
	}

	/**
	 * What the page starts with, beyond the start `number` that it has. Never refuses: the page needs its words above all
	 * to say what failed.
	 */
	async start(number: number): Promise<TicketPageStart> {
		// A page that was hidden starts with what was known when it was opened, and that is long out of date.
		const isAnew = number === 0 || number !== this.#startNumber || this.#starts > 0;
		this.#starts += 1;
		// What is told meanwhile would reach a page that is not there yet.
		this.#telling.stopListening();
		const turn = this.#starts;
		try {
			await this.load();
			this.#hasFailed = false;
			if (isAnew) {
				this.#startNumber += 1;
				this.#teller.reset();
			}
			const start = this.#startWith(this.#nextSlice().change);
			this.#focusComposer = false;
			void this.#listenAfter(turn);
			return start;
		} catch (error) {
			this.#hasFailed = true;
			this.#parts.problems.log(error);
			return { ...this.#startWith(undefined), failure: this.#parts.problems.explain(error).message };
		}
	}

	/** What is told before the answer has gone out would be void: the page takes the start for all that there is. */
	async #listenAfter(turn: number): Promise<void> {
		await this.#pause();
		if (turn === this.#starts) {
			await this.#telling.listen();
		}
	}

	/** What takes long the first time has turns of its own. */
	async #warmed({ tickets }: Connection): Promise<void> {
		const renderer = await this.#doings.renderer.load();
		const text = tickets.knownTicket(this.#ref)?.description ?? '';
		while (renderer.warm(text)) {
			await this.#pause();
		}
	}

	/** Reads the ticket unless that is under way or was done; afterwards it is known. */
	async load(): Promise<void> {
		const connection = this.connection();
		this.#reading ??= this.#read(connection);
		try {
			await this.#reading;
		} finally {
			this.#reading = undefined;
		}
	}

	/** The account, while it is signed in. */
	connection(): Connection {
		return connectionOf(this.#parts.connections, this.#subject);
	}

	/** Rendered Markdown of this ticket. */
	async html(): Promise<(markdown: string) => string> {
		this.#html ??= ticketHtml(await this.#doings.renderer.load(), this.connection().instance, this.#ref);
		return this.#html;
	}

	/** Tells the page what has changed. Resolves when everything so far is told. */
	changed(): Promise<void> {
		return this.#telling.changed();
	}

	get #ref(): TicketRef {
		return this.#subject.ref;
	}

	#startWith(change: PageChange | undefined): TicketPageStart {
		return {
			number: this.#startNumber,
			locale: vscode.env.language,
			strings: pageStrings(),
			draft: this.drafts.comment(),
			sent: this.sending.open(),
			order: this.#parts.pageOrder.now(),
			focusComposer: this.#focusComposer,
			change,
			failure: undefined,
		};
	}

	/** Readable after one request. */
	async #read(connection: Connection): Promise<void> {
		this.#watch(connection);
		const isFirst = this.#doings.renderer.loaded() === undefined;
		await Promise.all([this.#reads.all(connection), this.html()]);
		this.#link.setTitle(tabTitle(this.#ref, connection.tickets.knownTicket(this.#ref)?.title));
		if (isFirst) {
			// Loading the renderer has used this turn.
			await this.#pause();
		}
		await this.#warmed(connection);
	}

	/** An account may come after its page, when the window starts, and may be replaced while the page is open. */
	#accountChanged(): void {
		const connection = this.#parts.connections.byKey(this.#subject.connectionKey);
		if (!connection && this.#watched) {
			// Signed out: what the page shows was read with that account's token. A draft is kept for the next time.
			this.#link.close();
			return;
		}
		if (!connection || connection === this.#watched) {
			return;
		}
		if (this.#watched) {
			this.#reads.quietly(this.load());
		} else {
			this.#link.tell('reload', undefined);
		}
	}

	async #readNewest(): Promise<boolean> {
		const connection = this.#parts.connections.byKey(this.#subject.connectionKey);
		const isNews = connection !== undefined && (await this.#reads.newest(connection));
		if (isNews && this.#hasFailed) {
			this.#link.tell('reload', undefined);
		}
		return isNews;
	}

	#watch(connection: Connection): void {
		if (this.#watched === connection) {
			return;
		}
		this.#watched = connection;
		this.#look = lastLook(connection, this.#ref);
		this.#link.owned.add(
			connection.tickets.onDidChange((change) => {
				if (change.kind === 'ticket' && ticketRefText(change.ticket) === ticketRefText(this.#ref)) {
					void this.changed();
				}
			}),
		);
	}

	#nextSlice(): PageSlice {
		const connection = this.#parts.connections.byKey(this.#subject.connectionKey);
		if (!connection || !this.#html || this.#link.signal.aborted) {
			return { change: undefined, goesOn: false };
		}
		const what: Tellable = {
			connection,
			ref: this.#ref,
			html: this.#html,
			warm: (markdown) => this.#doings.renderer.loaded()?.warm(markdown) ?? false,
			refusals: this.writes.refusals,
			timelineFailure: this.#reads.timelineFailure(),
			isOldestFirst: this.#parts.pageOrder.now() === 'oldest',
			newFrom: this.#look?.newFrom(),
			hasEditDraft: (of) => this.drafts.edit(of) !== undefined,
		};
		return this.#teller.next(what);
	}

	#pause(): Promise<void> {
		return new Promise((resolve) => {
			this.#parts.clock.after(0, resolve);
		});
	}

	#lookAtIt(): void {
		if (this.#telling.isListening() && this.#link.isWatched()) {
			this.#look?.look();
		}
	}
}
