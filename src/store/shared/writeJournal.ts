import type { Clock } from '@forge-desk/base/clock.ts';
import { isSameValue } from '../../base/isSameValue.ts';
import { Emitter } from '@forge-desk/base/event.ts';
import type { Disposable } from '@forge-desk/base/lifecycle.ts';
import { pushAll } from '@forge-desk/base/longArrays.ts';
import type { TicketRef } from 'sourcehut/port/ticket.ts';
import { keptIn } from './keptText.ts';
import {
	journalText,
	wholeJournal,
	type JournalEntry,
	type JournalText,
	type SentDraft,
	type TicketFacts,
	type WriteKind,
	type WriteOf,
	type WriteRecord,
} from './writeRecord.ts';

/** Storage of the journal. Each window has its own file, so no window overwrites the entries of another. */
export interface JournalPlace {
	/** Resolves after the flush. An empty text removes the file. */
	write(text: string): Promise<void>;
	/** Renews the lease of this window. */
	renew(): void;
	/** Ends the lease: another window may adopt the files at once. */
	release(): void;
	/** Claims the files of dead windows that are at least `minAgeMs` old. Only one window can claim a file. */
	adopt(minAgeMs: number): readonly OrphanedFile[];
}

/** The file of a dead window. The adopter removes it. */
export interface OrphanedFile {
	/** `undefined` if it is unreadable. */
	readonly text: string | undefined;
	readonly remove: () => void;
	/** Moves it to where the user sees it. */
	readonly setAside: () => void;
}

/** Result of a lookup on the forge. */
export type Verdict =
	/** `made`: the created ticket. */
	| { readonly kind: 'there'; readonly before?: TicketFacts; readonly after?: TicketFacts; readonly made?: TicketRef }
	/** `arrived`: the part of the write that the forge has. */
	| { readonly kind: 'notThere'; readonly arrived?: WriteRecord }
	| { readonly kind: 'unknown' };

/** Looks up a write of one kind on the forge; `undefined` for another kind. Rejects if the lookup fails. */
type Look = (entry: JournalEntry, looking: AbortSignal) => Promise<Verdict> | undefined;

/** Forgets the drafts of a delivered write, and returns them. */
export type ForgetDrafts = (write: WriteRecord) => Promise<readonly SentDraft[]>;

/** State of a ticket immediately before a write. */
export interface BeforeWrite {
	readonly newestEventId?: number | undefined;
	readonly facts?: TicketFacts | undefined;
}

/** One write, from before the request until its outcome is known. */
export interface JournaledWrite {
	readonly id: string;
	/** Writes the entry to disk. Never rejects: `onDidFail` reports a full disk, and the write continues. */
	persist(before?: BeforeWrite): Promise<void>;
	/** The forge has the write, or part of it. Forgets its drafts, then removes the entry. */
	arrived(part?: {
		readonly write?: WriteRecord;
		readonly before?: TicketFacts;
		readonly after?: TicketFacts;
	}): Promise<void>;
	/** The forge does not have the write. */
	failed(): Promise<void>;
	/** The outcome is unknown. The entry stays until a lookup finds it. */
	inDoubt(): Promise<void>;
}

/** `isUnsent`: the entry of a request that is about to be sent is not on the disk. */
export interface JournalFailure {
	readonly error: unknown;
	readonly isUnsent: boolean;
}

export interface OpenWrite {
	readonly entry: JournalEntry;
	readonly isMissing: boolean;
}

/** An entry of an interrupted bulk action. `verdict` is `undefined` if it needed no lookup. */
export interface BulkPart {
	readonly entry: JournalEntry;
	readonly verdict: Verdict | undefined;
}

/** A bulk action with one entry per part, in order. */
export interface BulkPlan {
	readonly ids: readonly string[];
	/** Removes all entries except those in doubt. */
	end(): Promise<void>;
}

/** The writes of a bulk action, in the journal before the first request. */
export interface PlannedWrites<Sent> {
	/** Sends one write. `at`: its index. */
	send(at: number, signal: AbortSignal): Promise<Sent>;
	/** Removes the entries, except those in doubt. Call after the outcomes were recorded. */
	end(): Promise<void>;
}

/** `send` gets a write and the id of its entry. */
export async function planWrites<Write extends WriteRecord, Sent>(
	journal: WriteJournal,
	writes: readonly Write[],
	send: (write: Write, from: string | undefined, signal: AbortSignal) => Promise<Sent>,
): Promise<PlannedWrites<Sent>> {
	const plan = await journal.plan(writes);
	return {
		async send(at, signal) {
			const write = writes[at];
			if (!write) {
				throw new RangeError('Nothing was planned there');
			}
			return send(write, plan.ids[at], signal);
		},
		end: () => plan.end(),
	};
}

/** Enough for the pages and documents that an editor restores at start. */
const mostSent = 20;
/** After a reload, the reloaded window should adopt its own file first. */
const othersWaitMs = 30_000;

const nothing: JournalText = { entries: [], sent: [] };

/**
 * Journal of the account's pending writes. After a crash, the next window looks them up on the forge before the user
 * can send them again (docs/decisions/0014-writes-looked-after.md).
 */
export type WriteJournal = ReturnType<typeof writeJournal>;

/**
 * Opens the journal and adopts the files of dead windows. `name`: unique name of this window.
 */
export function writeJournal(place: JournalPlace, name: string, clock: Clock) {
	const failed = new Emitter<JournalFailure>();
	const settled = new Emitter<JournalEntry>();
	const entries = new Map<string, JournalEntry>();
	const missing = new Map<string, JournalEntry>();
	const untold = new Set<string>();
	const looks = new Map<WriteKind, Look>();
	const forgetters = new Set<ForgetDrafts>();
	let sent: readonly SentDraft[] = [];
	let count = 0;
	/** Last reported kind of disk failure. */
	let reportedFailure: 'unsent' | 'settled' | undefined;
	let isOver = false;
	const adoptedFiles: OrphanedFile[] = [];
	/** Removes adopted files. An adopted entry is not settled before that: the next window would report it again. */
	let adopting: Promise<void> = Promise.resolve();
	adopt(0);

	const nextId = (): string => `${name}-${(count += 1)}`;

	async function save(isUnsent = false): Promise<boolean> {
		const isWritten = await write(isUnsent);
		await adopting;
		return isWritten;
	}

	async function write(isUnsent: boolean): Promise<boolean> {
		if (isOver) {
			return true;
		}
		const isEmpty = entries.size === 0 && sent.length === 0;
		try {
			await place.write(isEmpty ? '' : JSON.stringify({ entries: [...entries.values()], sent }));
			reportedFailure = undefined;
			return true;
		} catch (error) {
			if (reportedFailure === undefined || (isUnsent && reportedFailure === 'settled')) {
				reportedFailure = isUnsent ? 'unsent' : 'settled';
				failed.fire({ error, isUnsent });
			}
			return false;
		}
	}

	function adopt(minAgeMs: number): void {
		try {
			const left = place.adopt(minAgeMs);
			for (const { text, setAside } of left) {
				if (keptIn(text, wholeJournal, undefined) === undefined) {
					// It may be of a newer version. Nothing of it may get lost.
					setAside();
				}
				const { entries: others, sent: drafts } = keptIn(text, journalText, nothing);
				for (const entry of others) {
					entries.set(entry.id, entry.progress === 'pending' ? { ...entry, progress: 'inDoubt' } : entry);
					untold.add(entry.id);
				}
				sent = newest([...drafts, ...sent]);
			}
			pushAll(adoptedFiles, left);
			if (left.length > 0) {
				// If the disk refused them, the next window adopts the old files again.
				const earlier = adopting;
				adopting = write(false)
					.then((isWritten) => (isWritten ? removeAdopted() : undefined))
					.catch((error: unknown) => failed.fire({ error, isUnsent: false }))
					.then(() => earlier);
			}
		} catch (error) {
			failed.fire({ error, isUnsent: false });
		}
	}

	function removeAdopted(): void {
		adoptedFiles.splice(0).forEach(({ remove }) => remove());
	}

	async function put(entry: JournalEntry, isUnsent = false): Promise<boolean> {
		entries.set(entry.id, entry);
		return save(isUnsent);
	}

	/** Removes files that call a part of a bulk action unsent: Continue would send it twice. A full disk can remove. */
	async function removeOutdated(): Promise<void> {
		try {
			await place.write('');
			removeAdopted();
		} catch (error) {
			failed.fire({ error, isUnsent: true });
		}
	}

	async function remove(id: string): Promise<void> {
		untold.delete(id);
		if (entries.delete(id)) {
			await save();
		}
	}

	/** Returns false if a draft could not be removed. */
	async function forgetDrafts(write: WriteRecord): Promise<boolean> {
		try {
			for (const forget of forgetters) {
				sent = newest([...sent, ...(await forget(write))]);
			}
			return true;
		} catch (error) {
			failed.fire({ error, isUnsent: false });
			return false;
		}
	}

	function handle(first: JournalEntry): JournaledWrite {
		const { id } = first;
		return {
			id,
			async persist({ newestEventId, facts } = {}) {
				const known = {
					...(newestEventId === undefined ? {} : { newestEventId }),
					...(facts ? { before: facts } : {}),
				};
				const isPlanned = first.act !== undefined;
				const isWritten = await put({ ...first, progress: 'pending', sentMs: clock.nowMs(), ...known }, true);
				if (isPlanned && !isWritten) {
					await removeOutdated();
				}
			},
			async arrived({ write = first.write, before, after } = {}) {
				missing.delete(id);
				const isForgotten = await forgetDrafts(write);
				const entry = entries.get(id);
				if (!entry) {
					return;
				}
				for (const { id: other, progress, write: sameWrite } of entries.values()) {
					// An earlier try in doubt needs no lookup any more.
					if (other !== id && progress === 'inDoubt' && isSameValue(sameWrite, first.write)) {
						entries.delete(other);
						untold.delete(other);
					}
				}
				if (!isForgotten) {
					// The next window finds the write on the forge and removes the draft then.
					await put({ ...entry, progress: 'inDoubt' });
					return;
				}
				await (entry.act === undefined
					? remove(id)
					: put({ ...entry, write, progress: 'done', ...(before ? { before } : {}), ...(after ? { after } : {}) }));
			},
			async failed() {
				missing.delete(id);
				const entry = entries.get(id);
				await (entry?.act === undefined ? remove(id) : put({ ...entry, progress: 'waiting' }));
			},
			async inDoubt() {
				const entry = entries.get(id);
				await (entry && put({ ...entry, progress: 'inDoubt' }));
			},
		};
	}

	return {
		/** `from`: id of a waiting entry of a bulk action. */
		begin: (write: WriteRecord, from?: string) =>
			handle({ ...(entries.get(from ?? '') ?? { id: nextId(), progress: 'pending', sentMs: clock.nowMs() }), write }),
		/** Writes all entries of a bulk action to disk before its first request. */
		async plan(writes: readonly WriteRecord[]): Promise<BulkPlan> {
			const act = nextId();
			const planned = writes.map((write): JournalEntry => ({
				id: nextId(),
				write,
				act,
				progress: 'waiting',
				sentMs: clock.nowMs(),
			}));
			planned.forEach((entry) => entries.set(entry.id, entry));
			await save(true);
			return {
				ids: planned.map(({ id }) => id),
				async end() {
					for (const { id, write } of planned) {
						const entry = entries.get(id);
						entries.delete(id);
						if (entry?.progress === 'inDoubt') {
							const { progress, sentMs, newestEventId } = entry;
							entries.set(id, {
								id,
								write,
								progress,
								sentMs,
								...(newestEventId === undefined ? {} : { newestEventId }),
							});
						}
					}
					await save();
				},
			};
		},
		/** Continues an existing entry. */
		handle,
		entry: (id: string) => entries.get(id),
		/** Sets the lookup for one kind of write. */
		registerLookup<K extends WriteKind>(
			kind: K,
			look: (write: WriteOf<K>, entry: JournalEntry, looking: AbortSignal) => Promise<Verdict>,
		) {
			looks.set(kind, (entry, looking) => (isOf(kind, entry.write) ? look(entry.write, entry, looking) : undefined));
		},
		async look(entry: JournalEntry, looking: AbortSignal): Promise<Verdict> {
			const found = Array.from(looks.values(), (look) => look(entry, looking)).find((each) => each !== undefined);
			return (await found) ?? { kind: 'unknown' };
		},
		/** Calls `forget` after each delivered write, before its entry is removed. */
		onDelivered(forget: ForgetDrafts): Disposable {
			forgetters.add(forget);
			return { dispose: () => void forgetters.delete(forget) };
		},
		/** Adopted but unreported entries. First adopts new files and renews the lease. */
		adopted(): readonly JournalEntry[] {
			if (entries.size > 0) {
				place.renew();
			}
			adopt(othersWaitMs);
			return [...entries.values()].filter(({ id }) => untold.has(id));
		},
		/** Marks an adopted entry as reported. `isMissing`: the forge does not have it, and the user can send it again. */
		reported(entry: JournalEntry, isMissing: boolean) {
			untold.delete(entry.id);
			if (isMissing) {
				missing.set(entry.id, entry);
			}
			settled.fire(entry);
		},
		/** Writes in doubt, and missing writes of earlier windows. Newest last. */
		open: (): readonly OpenWrite[] => [
			...[...missing.values()].map((entry) => ({ entry, isMissing: true })),
			...[...entries.values()]
				.filter(({ progress }) => progress === 'inDoubt')
				.map((entry) => ({ entry, isMissing: false })),
		],
		/** Removes an unresolved entry. */
		async close(id: string) {
			missing.delete(id);
			await remove(id);
		},
		/** The last sent draft with this key. */
		sent: (key: string) => sent.findLast((draft) => draft.key === key),
		/** Fires when an adopted entry gets a result. */
		onDidSettle: settled.event,
		/** Fires when the disk fails, once of each kind until a write succeeds. */
		onDidFail: failed.event,
		dispose() {
			isOver = true;
			try {
				place.release();
			} finally {
				failed.dispose();
			}
		},
	};
}

function isOf<K extends WriteKind>(kind: K, write: WriteRecord): write is WriteOf<K> {
	return write.kind === kind;
}

function newest(sent: readonly SentDraft[]): readonly SentDraft[] {
	return sent.slice(-mostSent);
}
