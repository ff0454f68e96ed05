import * as vscode from 'vscode';
import { isAbort } from '@forge-desk/base/abort.ts';
import { onDispose } from '@forge-desk/base/lifecycle.ts';
import { maxOf } from '@forge-desk/base/longArrays.ts';
import { entryPage, pageLooks, type EntryPage } from '../../../editor/pages/livePage.ts';
import type { PageLink } from '../../../editor/pages/pageHost.ts';
import { refText } from 'sourcehut/port/namedRef.ts';
import { patchSubject } from 'patchmail/series/patchSubject.ts';
import {
	threadStrings,
	type ThreadPageStart,
	type ThreadProtocol,
	type ThreadChange,
} from '../../../pages/protocol/threadProtocol.ts';
import type { ReplyView } from '../../../pages/protocol/mailsProtocol.ts';
import type { Connection } from '../../../store/connection.ts';
import type { ThreadRef } from '../../../store/readMarks/storedReadMarks.ts';
import { isBeingRead } from '../../../store/shared/listing.ts';
import type { ListsContext } from '../context/listsContext.ts';
import { patchsetIds } from '../subjects/mailPlaces.ts';
import type { MailSubject } from '../subjects/subjects.ts';

import { threadOrder } from './threadOrder.ts';
import { threadTitle, ThreadPublisher } from './threadPublisher.ts';
import { isForgeError } from 'sourcehut/port/forgeError.ts';
import type { Problems } from '../../../editor/ask/problems.ts';
import type { MailTexts } from '../../../store/lists/listMailTexts.ts';

/** An open thread page. Loads the thread and sends every change. */
export class OpenThread {
	readonly #parts: ListsContext;
	readonly #subject: MailSubject;
	readonly #link: PageLink<ThreadProtocol>;
	readonly #publisher: ThreadPublisher;
	readonly live: EntryPage<ThreadPageStart>;
	#texts: ThreadTexts | undefined;
	#failure: string | undefined;
	#lastSeen: number | undefined;
	readonly #replies: (mails: ReadonlySet<number>) => readonly ReplyView[];
	readonly #looks = pageLooks();

	/** `subject`: the first mail of the conversation. `replies`: drafts of replies to these mails. */
	constructor(
		context: ListsContext,
		subject: MailSubject,
		link: PageLink<ThreadProtocol>,
		replies: (mails: ReadonlySet<number>) => readonly ReplyView[],
	) {
		this.#replies = replies;
		this.#parts = context;
		this.#subject = subject;
		this.#link = link;
		this.#publisher = new ThreadPublisher(context.clock);
		this.live = entryPage<ThreadPageStart, ThreadChange>({
			parts: context,
			subject,
			link,
			watch: (connection) => {
				this.#texts = undefined;
				this.#lastSeen = connection.threadReadMarks.lastSeenEventId(this.#ref);
				return watchThread(
					connection,
					this.#ref,
					() => this.#renew(connection),
					() => void this.live.changed(),
				);
			},
			arrived: () => link.tell('reload', undefined),
			isKnown: (connection) => this.#known(connection) !== undefined,
			read: (connection) => this.#read(connection),
			forget: () => this.#publisher.reset(),
			begin: () => this.#publisher.begin(),
			next: () => {
				const connection = this.live.known();
				if (!connection) {
					return { change: undefined, goesOn: false };
				}
				return this.#publisher.next({
					connection,
					connections: context.connections,
					ref: this.#ref,
					failure: this.#failure,
					mailFailure: (id) => this.#texts?.failure(id),
					lastSeen: this.#lastSeen,
					target: this.live.entry(),
					replies: this.#replies,
				});
			},
			start: (start) => ({
				...start,
				strings: threadStrings(vscode.l10n),
				look: context.threadLook.now(),
			}),
			readMark: { shown: () => this.#looks.shown(), look: () => this.#look() },
		});
	}

	texts(): ThreadTexts {
		const connection = this.live.connection();
		this.live.follow(connection);
		const changed = (): void => void this.live.changed();
		this.#texts ??= threadTexts(connection.texts, this.#parts.problems, changed, this.live.pause, this.#link.signal);
		return this.#texts;
	}

	get #ref(): ThreadRef {
		return { list: this.#subject.list, id: this.#subject.id };
	}

	#known({ lists }: Connection): ReturnType<Connection['lists']['knownThread']> {
		return lists.knownThread(this.#subject.list, this.#subject.id);
	}

	/** Resolves after one request, when the page is readable; the texts follow one by one. */
	async #read(connection: Connection): Promise<void> {
		const { list, id } = this.#ref;
		const { lists } = connection;
		const { signal } = this.#link;
		await lists.recall(list, 'thread', id);
		const isBefore = isBeingRead(lists.threadBefore(list, id));
		// The request that replaces data from another window's cache.
		const reading = lists.thread(list, id, signal);
		const old = isBefore ? lists.knownThread(list, id) : undefined;
		const mails = old ?? (await reading);
		this.#failure = undefined;
		this.#link.setTitle(threadTitle(mails.find((mail) => mail.id === id) ?? mails[0]));
		const readRest = async (): Promise<void> => {
			const early = readPatchsets(connection, this.#ref, signal).then(() => this.live.changed());
			await Promise.all([this.#readTexts(connection), reading.then(() => this.#readTexts(connection))]);
			await early;
			// Short mails reveal their patchset only after a load.
			await readPatchsets(connection, this.#ref, signal);
			await this.live.changed();
		};
		readRest().catch((error: unknown) => this.live.log(error));
	}

	#readTexts(connection: Connection): Promise<void> {
		const ids = threadOrder(this.#known(connection) ?? []).map(({ mail }) => mail.id);
		const target = this.live.entry();
		const first = target !== undefined && ids.includes(target) ? [target] : [];
		return this.texts().read([...first, ...ids]);
	}

	/** Reloads a thread that the store dropped after a new mail or a refresh. */
	#renew(connection: Connection): void {
		if (this.#known(connection)) {
			void this.live.changed();
			return;
		}
		this.live.load().then(
			() => this.live.changed(),
			(error: unknown) => {
				if (!isAbort(error)) {
					this.live.log(error);
					this.#failure = this.live.explain(error);
					void this.live.changed();
				}
			},
		);
	}

	/** Marks visible mails as read; mails that were new at the start keep their mark while the page is open. */
	#look(): void {
		const connection = this.live.followed();
		const mails = connection && this.#known(connection);
		if (mails) {
			const newest = mails.reduce((most, { id }) => Math.max(most, id), 0);
			this.#lastSeen ??= newest;
			const updated = patchsetIds(connection, this.#ref, mails).map(
				(id) => connection.lists.knownPatchset({ list: this.#ref.list, id })?.updatedMs ?? 0,
			);
			if (this.#looks.counts(newest, maxOf([0, ...updated]))) {
				this.#parts.finder.marks.lookAtThread(connection, this.#ref, newest);
			}
		}
	}
}

/**
 * Notifies of all changes that affect a thread page. `listsChanged`: a new mail, or a cleared cache. `changed`: a mail
 * loaded, or a patchset changed.
 */
function watchThread(connection: Connection, ref: ThreadRef, listsChanged: () => void, changed: () => void) {
	const { lists, texts } = connection;
	const isMine = (list: ThreadRef['list']): boolean => refText(list) === refText(ref.list);

	const listening = [
		lists.onDidChange((change) => {
			switch (change.kind) {
				case 'lists':
					return listsChanged();
				case 'list':
					return isMine(change.list) ? listsChanged() : undefined;
				case 'thread':
					return isMine(change.list) && change.id === ref.id ? listsChanged() : undefined;
				case 'patchset':
					return isMine(change.patchset.list) ? changed() : undefined;
				case 'patchsets':
				case 'posts':
					return undefined;
			}
		}),
		texts.onDidRead((id) => {
			if (lists.knownThread(ref.list, ref.id)?.some((mail) => mail.id === id) === true) {
				changed();
			}
		}),
	];
	return onDispose(() => listening.forEach((each) => each.dispose()));
}

/**
 * Loads the patchsets of a thread and skips failing ones. For servers without patchset ids in mails, also loads the
 * mails of their newest patchsets.
 */
async function readPatchsets(connection: Connection, ref: ThreadRef, signal: AbortSignal): Promise<void> {
	const { lists } = connection;
	const mails = lists.knownThread(ref.list, ref.id) ?? [];
	const ids = patchsetIds(connection, ref, mails);
	const isPatches = mails.some(({ subject, isPatch }) => isPatch === true || patchSubject(subject) !== undefined);
	await Promise.allSettled(
		ids.length === 0 && isPatches
			? [lists.patchsets(ref.list).first(signal)]
			: ids.map((id) => lists.patchset({ list: ref.list, id }, signal)),
	);
}

/** Concurrent requests. */
const atATime = 4;
/** After this many failures in a row that are no mail's own fault, stop: the forge is unreachable. */
const patience = 4;

/** Texts of a thread's mails; each failure keeps its reason. */
export type ThreadTexts = ReturnType<typeof threadTexts>;

/** Skips mails that are loaded or in flight, even if the thread's order changes. */
export function threadTexts(
	texts: MailTexts,
	problems: Problems,
	/** A mail failed to load, or a retry is possible. */
	changed: () => void,
	/** Lets others have their turn. */
	pause: () => Promise<void>,
	/** Ends with the page. */
	signal: AbortSignal,
) {
	const failures = new Map<number, string>();
	const underWay = new Set<number>();
	let failed = 0;

	async function readOne(id: number, work: () => Promise<unknown>): Promise<void> {
		try {
			await work();
			failures.delete(id);
			failed = 0;
		} catch (error) {
			if (isAbort(error)) {
				return;
			}
			problems.log(error);
			failures.set(id, problems.explain(error).message);
			const isOfOneMail = isForgeError(error) && ['notFound', 'notAllowed', 'tooLarge'].includes(error.problem.kind);
			failed = isOfOneMail ? 0 : failed + 1;
		}
		changed();
	}

	async function workOff(queue: number[]): Promise<void> {
		for (let id = queue.shift(); id !== undefined; id = queue.shift()) {
			const next = id;
			await readOne(next, () => texts.read(next, signal));
			underWay.delete(next);
			if (failed >= patience) {
				const reason = failures.get(next) ?? '';
				for (const each of queue.splice(0)) {
					failures.set(each, reason);
					underWay.delete(each);
				}
				changed();
			}
			await pause();
		}
	}

	async function read(ids: readonly number[]): Promise<void> {
		const queue = [...new Set(ids)].filter((id) => !texts.known(id) && !underWay.has(id));
		queue.forEach((id) => underWay.add(id));
		failed = 0;
		await Promise.all(Array.from({ length: Math.min(atATime, queue.length) }, () => workOff(queue)));
	}

	return {
		/** Loads missing mails in this order; resolves at the end. */
		read,
		/** Error of a mail as a sentence. */
		failure: (id: number) => failures.get(id),
		async again(id: number) {
			failures.delete(id);
			changed();
			await readOne(id, () => texts.read(id, signal));
			if (!failures.has(id)) {
				// The same cause may have affected other mails.
				await read([...failures.keys()]);
			}
		},
		async readWhole(id: number) {
			await texts.readWhole(id, signal);
		},
	};
}
