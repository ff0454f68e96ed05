import * as vscode from 'vscode';
import { type Disposable, Disposables } from '../../../base/lifecycle.ts';
import { nextTurnBy } from '../../../base/timeSlice.ts';
import { pageAccount, type PageAccount } from '../../../editor/pages/pageAccount.ts';
import type { PageLink } from '../../../editor/pages/pageHost.ts';
import { pageStarts, type PageStarts } from '../../../editor/pages/pageStarts.ts';
import { pageTarget, type PageTarget } from '../../../editor/pages/pageTarget.ts';
import { pageTelling, type PageTelling } from '../../../editor/pages/pageTelling.ts';
import { type TicketRef, ticketRefText } from '../../../forge/ticket.ts';
import type { TicketPageStart, TicketProtocol } from '../../../protocol/ticketProtocol.ts';
import type { PageChange } from '../../../protocol/ticketView.ts';
import type { Connection } from '../../../state/connection.ts';
import { pageStrings } from './pageStrings.ts';
import { tabTitle } from './pageState.ts';
import { isSameTicket, type TicketSubject } from '../subjects/subjects.ts';
import type { PageDoings } from './pageDoings.ts';
import type { TicketsParts } from '../parts/ticketsParts.ts';
import { ChangeTeller, type PageSlice, type Tellable } from './changeTeller.ts';
import { lastLook, type LastLook } from './lastLook.ts';
import { newestPoll } from './newestPoll.ts';
import { pageDrafts, type PageDrafts } from './pageDrafts.ts';
import { pageReading, type PageReading } from './pageReading.ts';
import { ticketHtml } from './ticketHtml.ts';
import { pageSending, type PageSending } from './pageSending.ts';
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
	readonly #starts: PageStarts<TicketPageStart>;
	readonly #account: PageAccount;
	#html: ((markdown: string) => string) | undefined;
	#look: LastLook | undefined;
	#focusComposer: boolean;
	/** The entry of the timeline that somebody wants to see. */
	readonly #target: PageTarget;
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
		const pause = (): Promise<void> => nextTurnBy(parts.clock);
		this.#telling = pageTelling({
			begin: () => this.#teller.begin(),
			next: () => this.#nextSlice(),
			tell: (change) => link.tell('changed', change),
			pause,
			told: () => this.#lookAtIt(),
			failed: log,
		});
		this.#target = pageTarget(doings.entry, {
			telling: this.#telling,
			isVisible: () => link.isVisible(),
			tell: (entry) => link.tell('goTo', entry),
		});
		this.#starts = pageStarts({
			read: async () => this.#read(this.connection()),
			forget: () => this.#teller.reset(),
			start: (number) => this.#startWith(number, this.#nextSlice().change),
			failed: (number, error) => this.#startOver(number, error),
			telling: this.#telling,
			listens: () => this.#target.listens(),
			pause,
		});
		this.#account = pageAccount({
			connections: parts.connections,
			connectionKey: subject.connectionKey,
			link,
			watch: (connection) => this.#watch(connection),
			arrived: (_, before) => (before ? this.#reads.quietly(this.load()) : link.tell('reload', undefined)),
		});
		this.#reads = pageReading({
			ref: subject.ref,
			problems: parts.problems,
			upTo: doings.entry,
			changed: () => this.changed(),
			gone: () => link.tell('reload', undefined),
			signal: link.signal,
		});
		this.writes = new PageWrites({
			connection: () => this.connection(),
			ref: subject.ref,
			signal: doings.writing,
			wrote: (wish, outcome) => doings.wrote?.({ subject, wish }, outcome),
		});
		this.drafts = pageDrafts({ drafts: parts.drafts, connectionKey: subject.connectionKey, ref: subject.ref });
		this.sending = pageSending({ writes: this.writes, drafts: this.drafts, log });
		const wanting = doings.onDidWant?.((wanted) => {
			if (isSameTicket(wanted.subject, subject)) {
				this.#goTo(wanted.entry);
			}
		});
		link.owned.add({ dispose: () => wanting?.dispose() });
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
		const connection = this.#account.known();
		const renderer = this.#doings.renderer.loaded();
		if (connection) {
			this.#starts.begin();
		}
		if (!connection?.tickets.knownTicket(this.#ref) || !renderer) {
			return undefined;
		}
		this.#html ??= ticketHtml(renderer, connection.instance, this.#ref);
		return this.#starts.first();
	}

	/**
	 * What the page starts with, beyond the start `number` that it has. Never refuses: the page needs its words above all
	 * to say what failed.
	 */
	async start(number: number): Promise<TicketPageStart> {
		const start = await this.#starts.answer(number);
		this.#hasFailed = start.failure !== undefined;
		if (!this.#hasFailed) {
			this.#focusComposer = false;
			this.#target.reached();
		}
		return start;
	}

	/** What takes long the first time has turns of its own. */
	async #warmed({ tickets }: Connection): Promise<void> {
		const renderer = await this.#doings.renderer.load();
		const text = tickets.knownTicket(this.#ref)?.description ?? '';
		while (renderer.warm(text)) {
			await nextTurnBy(this.#parts.clock);
		}
	}

	/** Brings an entry into view, and reads the timeline back to it. */
	#goTo(entry: number): void {
		this.#target.goTo(entry);
		this.#reads.backTo(entry, this.#account.known());
	}

	/** Reads the ticket unless that is under way; afterwards it is known. */
	load(): Promise<void> {
		return this.#starts.load();
	}

	/** The account, while it is signed in. */
	connection(): Connection {
		return this.#account.connection();
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

	#startOver(number: number, error: unknown): TicketPageStart {
		this.#parts.problems.log(error);
		return { ...this.#startWith(number, undefined), failure: this.#parts.problems.explain(error).message };
	}

	#startWith(number: number, change: PageChange | undefined): TicketPageStart {
		return {
			number,
			locale: vscode.env.language,
			strings: pageStrings(),
			draft: this.drafts.comment(),
			sent: this.sending.open(),
			order: this.#parts.pageOrder.now(),
			focusComposer: this.#focusComposer,
			entry: this.#target.now(),
			change,
			failure: undefined,
		};
	}

	/** Readable after one request. */
	async #read(connection: Connection): Promise<void> {
		this.#account.follow(connection);
		const isFirst = this.#doings.renderer.loaded() === undefined;
		await Promise.all([this.#reads.all(connection), this.html()]);
		this.#link.setTitle(tabTitle(this.#ref, connection.tickets.knownTicket(this.#ref)?.title));
		if (isFirst) {
			// Loading the renderer has used this turn.
			await nextTurnBy(this.#parts.clock);
		}
		await this.#warmed(connection);
	}

	async #readNewest(): Promise<boolean> {
		const connection = this.#account.known();
		const isNews = connection !== undefined && (await this.#reads.newest(connection));
		if (isNews && this.#hasFailed) {
			this.#link.tell('reload', undefined);
		}
		return isNews;
	}

	#watch(connection: Connection): Disposable {
		this.#look = lastLook(connection, this.#ref);
		return watchTicket(connection, this.#ref, () => void this.changed());
	}

	#nextSlice(): PageSlice {
		const connection = this.#account.known();
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

	#lookAtIt(): void {
		if (this.#telling.isListening() && this.#link.isWatched()) {
			this.#look?.look();
		}
	}
}

/** Tells of whatever changes on a ticket's page: the ticket itself, and which mails name it. Until disposed. */
function watchTicket({ tickets, mentions }: Connection, ref: TicketRef, changed: () => void): Disposable {
	const owned = new Disposables();
	const ifMeant = (other: TicketRef): void => {
		if (ticketRefText(other).toLowerCase() === ticketRefText(ref).toLowerCase()) {
			changed();
		}
	};
	owned.add(tickets.onDidChange((change) => (change.kind === 'ticket' ? ifMeant(change.ticket) : undefined)));
	owned.add(mentions.onDidChange(ifMeant));
	return owned;
}
