import * as vscode from 'vscode';
import { isAbort } from '../../../base/abort.ts';
import type { Disposable } from '../../../base/lifecycle.ts';
import { nextTurnBy } from '../../../base/timeSlice.ts';
import { pageLooks } from '../../../editor/pages/pageLooks.ts';
import { pageAccount, type PageAccount } from '../../../editor/pages/pageAccount.ts';
import type { PageLink } from '../../../editor/pages/pageHost.ts';
import { pageStarts, type PageStarts } from '../../../editor/pages/pageStarts.ts';
import { pageTarget, type PageTarget } from '../../../editor/pages/pageTarget.ts';
import { pageTelling, type PageTelling, type TellingSlice } from '../../../editor/pages/pageTelling.ts';
import type { ThreadPageStart, ThreadProtocol } from '../../../protocol/threadProtocol.ts';
import type { ThreadChange } from '../../../protocol/threadView.ts';
import type { Connection } from '../../../state/connection.ts';
import type { ThreadRef } from '../../../state/readMarks/listLooks.ts';
import type { ListsParts } from '../parts/listsParts.ts';
import type { MailSubject } from '../subjects/subjects.ts';
import { threadTitle } from './threadHead.ts';
import { patchsetIds } from '../subjects/patchsetIds.ts';
import { threadOrder } from './threadOrder.ts';
import { threadPageStrings } from './threadPageStrings.ts';
import { ThreadTeller } from './threadTeller.ts';
import { threadTexts, type ThreadTexts } from './threadTexts.ts';
import { readPatchsets, watchThread } from './threadWatch.ts';

/** What one page is made with. */
export interface ThreadMaking {
	/** The first mail of the conversation. */
	readonly subject: MailSubject;
	readonly link: PageLink<ThreadProtocol>;
	/** The mail that somebody wants to see. */
	readonly target: number | undefined;
}

/** One open page: reads its conversation, tells it what is different, and hears of every change. */
export class OpenThread {
	readonly #parts: ListsParts;
	readonly #subject: MailSubject;
	readonly #link: PageLink<ThreadProtocol>;
	readonly #teller: ThreadTeller;
	readonly #telling: PageTelling;
	readonly #starts: PageStarts<ThreadPageStart>;
	readonly #account: PageAccount;
	#texts: ThreadTexts | undefined;
	readonly #target: PageTarget;
	#failure: string | undefined;
	#lastSeen: number | undefined;
	readonly #looks = pageLooks();

	constructor(parts: ListsParts, { subject, link, target }: ThreadMaking) {
		this.#parts = parts;
		this.#subject = subject;
		this.#link = link;
		this.#teller = new ThreadTeller(parts.clock);
		const pause = (): Promise<void> => nextTurnBy(parts.clock);
		this.#telling = pageTelling<ThreadChange>({
			begin: () => undefined,
			next: () => this.#nextSlice(),
			tell: (change) => link.tell('changed', change),
			pause,
			told: () => this.#look(),
			failed: (error) => parts.problems.log(error),
		});
		this.#target = pageTarget(target, {
			telling: this.#telling,
			isVisible: () => link.isVisible(),
			tell: (mail) => link.tell('goTo', mail),
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
			arrived: () => link.tell('reload', undefined),
		});
		link.owned.add(link.onDidChangeWatched(() => this.#look()));
		link.owned.add(
			link.onDidShow(() => {
				this.#looks.shown();
				this.#look();
			}),
		);
	}

	/** Begins to read, and answers what is known without. */
	open(): ThreadPageStart | undefined {
		const connection = this.#account.known();
		if (!connection) {
			return undefined;
		}
		this.#starts.begin();
		return this.#known(connection) ? this.#starts.first() : undefined;
	}

	/** What the page starts with, beyond the start `number` that it has. Never refuses. */
	async start(number: number): Promise<ThreadPageStart> {
		const start = await this.#starts.answer(number);
		if (start.failure === undefined) {
			this.#target.reached();
		}
		return start;
	}

	/** Reads the conversation unless that is under way. */
	load(): Promise<void> {
		return this.#starts.load();
	}

	/** The account, while it is signed in. */
	connection(): Connection {
		return this.#account.connection();
	}

	/** Brings a mail into view. */
	goTo(mail: number): void {
		this.#target.goTo(mail);
	}

	step(way: 'next' | 'previous'): void {
		this.#link.tell('step', way);
	}

	/** Tells the page what has changed. Resolves when everything so far is told. */
	changed(): Promise<void> {
		return this.#telling.changed();
	}

	texts(): ThreadTexts {
		const connection = this.connection();
		this.#account.follow(connection);
		this.#texts ??= this.#textsOf(connection);
		return this.#texts;
	}

	get #ref(): ThreadRef {
		return { list: this.#subject.list, id: this.#subject.id };
	}

	#known({ lists }: Connection): ReturnType<Connection['lists']['knownThread']> {
		return lists.knownThread(this.#subject.list, this.#subject.id);
	}

	#startWith(number: number, change: ThreadChange | undefined): ThreadPageStart {
		return {
			number,
			locale: vscode.env.language,
			strings: threadPageStrings(),
			look: this.#parts.threadLook.now(),
			target: this.#target.now(),
			change,
			failure: undefined,
		};
	}

	#startOver(number: number, error: unknown): ThreadPageStart {
		this.#parts.problems.log(error);
		return { ...this.#startWith(number, undefined), failure: this.#parts.problems.explain(error).message };
	}

	/** Readable after one request: what the mails say comes one by one. */
	async #read(connection: Connection): Promise<void> {
		this.#account.follow(connection);
		const { list, id } = this.#ref;
		const mails = await connection.lists.thread(list, id, this.#link.signal);
		this.#failure = undefined;
		this.#link.setTitle(threadTitle(mails.find((mail) => mail.id === id) ?? mails[0]));
		this.#readRest(connection).catch((error: unknown) => this.#parts.problems.log(error));
	}

	async #readRest(connection: Connection): Promise<void> {
		const { signal } = this.#link;
		const early = readPatchsets(connection, this.#ref, signal).then(() => this.changed());
		await this.#readTexts(connection);
		await early;
		// Short mails tell their patchset only once they are read.
		await readPatchsets(connection, this.#ref, signal);
		await this.changed();
	}

	#readTexts(connection: Connection): Promise<void> {
		const ids = threadOrder(this.#known(connection) ?? []).map(({ mail }) => mail.id);
		const target = this.#target.now();
		const first = target !== undefined && ids.includes(target) ? [target] : [];
		return this.texts().read([...first, ...ids]);
	}

	#watch(connection: Connection): Disposable {
		this.#texts = undefined;
		this.#lastSeen = connection.threadLooks.lastSeenEventId(this.#ref);
		return watchThread(connection, this.#ref, {
			listsChanged: () => this.#renew(connection),
			changed: () => void this.changed(),
		});
	}

	/** A conversation that was forgotten, because a mail has come or somebody asked, is read anew. */
	#renew(connection: Connection): void {
		if (this.#known(connection)) {
			void this.changed();
			return;
		}
		this.load().then(
			() => this.changed(),
			(error: unknown) => {
				if (!isAbort(error)) {
					this.#parts.problems.log(error);
					this.#failure = this.#parts.problems.explain(error).message;
					void this.changed();
				}
			},
		);
	}

	#textsOf({ texts }: Connection): ThreadTexts {
		return threadTexts({
			texts,
			problems: this.#parts.problems,
			changed: () => void this.changed(),
			pause: () => nextTurnBy(this.#parts.clock),
			signal: this.#link.signal,
		});
	}

	#nextSlice(): TellingSlice<ThreadChange> {
		const connection = this.#account.known();
		if (!connection || this.#link.signal.aborted) {
			return { change: undefined, goesOn: false };
		}
		return this.#teller.next({
			connection,
			connections: this.#parts.connections,
			ref: this.#ref,
			failure: this.#failure,
			mailFailure: (id) => this.#texts?.failure(id),
			lastSeen: this.#lastSeen,
			target: this.#target.now(),
		});
	}

	/** What is in sight counts as read; what was new when the page was opened stays marked while it is open. */
	#look(): void {
		const connection = this.#account.followed();
		const mails = connection && this.#known(connection);
		if (mails && this.#telling.isListening() && this.#link.isWatched()) {
			const newest = mails.reduce((most, { id }) => Math.max(most, id), 0);
			this.#lastSeen ??= newest;
			const updated = patchsetIds(connection, this.#ref, mails).map(
				(id) => connection.lists.knownPatchset({ list: this.#ref.list, id })?.updatedMs ?? 0,
			);
			if (this.#looks.counts(newest, Math.max(0, ...updated))) {
				this.#parts.marks.lookAtThread(connection, this.#ref, newest);
			}
		}
	}
}
