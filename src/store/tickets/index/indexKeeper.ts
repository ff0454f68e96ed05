import * as v from 'valibot';
import type { Clock } from '@forge-desk/base/clock.ts';
import { isSameValue } from '../../../base/isSameValue.ts';
import { Disposables, onDispose, type Disposable } from '@forge-desk/base/lifecycle.ts';
import type { Log } from '../../../base/log.ts';
import { nextTurn, turns } from '@forge-desk/base/timeSlice.ts';
import { ticketRefText } from 'sourcehut/port/ticket.ts';
import type { TrackerRef, ShortTracker } from 'sourcehut/port/tracker.ts';
import { type FieldsOf, maybe, named, time, whole } from '../../shared/keptText.ts';
import { clipped, type NumberRange } from '../../shared/numberRanges.ts';
import type { KnownComments } from '../commentTexts.ts';
import {
	keptShortTracker,
	keptTicket,
	keptTicketPart,
	trackersOf,
	trackersText,
	type RememberedTicket,
	type RememberedTickets,
} from '../savedTickets.ts';
import type { KeptCursor } from '../ticketCursors.ts';
import type { TicketList } from '../ticketList.ts';
import { segmentLimits } from '../ticketSegments.ts';
import type { TicketStore } from '../ticketStore.ts';
import { trackerKey } from '../trackerRefs.ts';

/** Increment when the format changes: old files are deleted and read again. */
const version = 1;

/** Files of one account's index. */
export interface IndexFiles {
	names(): Promise<readonly string[]>;
	read(name: string): Promise<string>;
	/** Atomic replace. False when the disk quota is exhausted. */
	write(name: string, text: string): Promise<boolean>;
	remove(name: string): Promise<void>;
	/** Encodes a tracker as part of a file name; unique per forge. */
	nameOf(tracker: string): string;
}

const ending = '.lines';
/** Write delays after changes, and after mere confirmations. */
const changesMs = 3000;
const checksMs = 60_000;
/** Disk cache of trackers and tickets. */
export type IndexKeeper = ReturnType<typeof indexKeeper>;

/** `tickMs`: monotonic clock in milliseconds; measures time since the last yield. */
export function indexKeeper(files: IndexFiles, clock: Clock, log: Log, tickMs: () => number) {
	const owned = new Disposables();
	const trackersName = `${files.nameOf('trackers')}.json`;
	const loads = new Map<string, Promise<void>>();
	let store: TicketStore | undefined;
	let listed: Promise<readonly string[]> = Promise.resolve([]);
	let trackersLoaded: Promise<void> = Promise.resolve();
	let loaded: Promise<void> = Promise.resolve();
	let writing: Promise<void> = Promise.resolve();
	let lastTrackers = '';
	/** File name prefixes of the known trackers at the last cleanup. */
	let lastPrefixes: readonly string[] | undefined;
	/** Incremented by `dispose`, to stop work begun earlier. */
	let epoch = 0;
	let timer: { readonly atMs: number; readonly handle: Disposable } | undefined;

	owned.add(onDispose(() => timer?.handle.dispose()));

	const turn = turns({ nowMs: tickMs });
	/** Writes in progress finish even during shutdown. */
	const never = new AbortController().signal;

	/** Deletes a corrupt file; the forge has its data. */
	async function dropDamaged(name: string, error: unknown): Promise<void> {
		// The message of a schema repeats remote text.
		const why = error instanceof Error && !v.isValiError(error) ? error.message : 'unexpected content';
		log.warn(`A file of the ticket index could not be read and is dropped: ${name} (${why})`);
		await files.remove(name).catch(() => undefined);
	}

	async function loadTickets(into: TicketStore, ref: TrackerRef): Promise<void> {
		const prefix = prefixOf(ref);
		const names = (await listed).filter((name) => name.startsWith(prefix) && name.endsWith(ending));
		// Newest numbers first: users look at those.
		for (const name of names.toSorted((a, b) => numberIn(b, prefix) - numberIn(a, prefix))) {
			try {
				const text = await files.read(name);
				const reader = new SegmentReader();
				for (let start = 0; start < text.length;) {
					const end = text.indexOf('\n', start);
					reader.read(text.slice(start, end === -1 ? text.length : end));
					start = end === -1 ? text.length : end + 1;
					await turn(never);
				}
				const remembered = reader.end();
				if (trackerKey(remembered.tracker) !== trackerKey(ref)) {
					throw new Error('The file is another tracker\u2019s');
				}
				// The tracker may have been unfollowed meanwhile.
				if (isKnown(into, ref) || !into.knowsAllTrackers()) {
					into.apply({ kind: 'rememberedTickets', ...remembered });
				}
				await nextTurn();
			} catch (error) {
				await dropDamaged(name, error);
			}
		}
	}

	function load(ref: TrackerRef): Promise<void> {
		const key = trackerKey(ref);
		const loading =
			loads.get(key) ?? (store === undefined ? Promise.resolve() : loadTickets(store, ref).catch(() => undefined));
		loads.set(key, loading);
		return loading;
	}

	function prefixOf(ref: TrackerRef): string {
		return `${files.nameOf(trackerKey(ref))}-`;
	}

	/** Deletes files of unfollowed trackers and of a former forge with the same name. */
	async function removeStrange(from: TicketStore): Promise<void> {
		const prefixes = from.knownTrackers().map(prefixOf);
		const isSame = lastPrefixes?.join(' ') === prefixes.join(' ');
		if (isSame || !from.knowsAllTrackers()) {
			return;
		}
		lastPrefixes = prefixes;
		listed = files.names().catch(() => []);
		const strange = (await listed).filter(
			(name) => name !== trackersName && !prefixes.some((prefix) => name.startsWith(prefix)),
		);
		for (const name of strange) {
			await files.remove(name).catch(() => undefined);
		}
		listed = listed.then((names) => names.filter((name) => !strange.includes(name)));
		for (const key of loads.keys()) {
			if (!prefixes.includes(`${files.nameOf(key)}-`)) {
				loads.delete(key);
			}
		}
	}

	function later(delayMs: number): void {
		const atMs = clock.nowMs() + delayMs;
		if (timer === undefined || timer.atMs > atMs) {
			timer?.handle.dispose();
			timer = { atMs, handle: clock.after(delayMs, () => void flush()) };
		}
	}

	function flush(): Promise<void> {
		timer?.handle.dispose();
		timer = undefined;
		writing = writing.then(writeAll).catch((error: unknown) => {
			log.warn(`The ticket index could not be written: ${error instanceof Error ? error.message : 'unknown failure'}`);
		});
		return writing;
	}

	async function writeAll(): Promise<void> {
		if (store === undefined) {
			return;
		}
		const began = epoch;
		await trackersLoaded;
		const trackers = trackersText(store.trackers.remembered());
		if (trackers !== lastTrackers && began === epoch) {
			await files.write(trackersName, trackers);
			lastTrackers = trackers;
		}
		for (const ref of store.knownTrackers()) {
			// Load before writing: writing first would lose the unloaded part.
			await load(ref);
			const { segments } = store.ticketList(ref);
			// After a failed write, the remaining segments wait for the next change.
			const left = new Set(began === epoch ? segments.take() : []);
			try {
				for (const segment of left) {
					if (began === epoch && isKnown(store, ref)) {
						await writeSegment(store, ref, segment);
					}
					left.delete(segment);
				}
			} finally {
				left.forEach(segments.touch);
			}
		}
		if (began === epoch) {
			await removeStrange(store);
		}
	}

	async function writeSegment(from: TicketStore, ref: TrackerRef, segment: number): Promise<void> {
		const lines: string[] = [];
		for (const line of linesOf(ref, from.ticketList(ref), segment)) {
			lines.push(line);
			await turn(never);
		}
		const name = `${prefixOf(ref)}${segment}${ending}`;
		if (!(await files.write(name, lines.join('\n')))) {
			log.info(`The ticket index is as large as it may be; a part of ${trackerKey(ref)} is not kept.`);
		}
	}

	return {
		/** Starts loading the cache into the store and writing changes. */
		attach(attached: TicketStore) {
			store = attached;
			listed = files.names().catch(() => []);
			trackersLoaded = listed.then(async (names) => {
				if (names.includes(trackersName)) {
					try {
						attached.apply({ kind: 'rememberedTrackers', ...trackersOf(await files.read(trackersName)) });
						lastTrackers = trackersText(attached.trackers.remembered());
					} catch (error) {
						await dropDamaged(trackersName, error);
					}
				}
			});
			loaded = trackersLoaded.then(async () => {
				for (const ref of attached.knownTrackers()) {
					await load(ref);
				}
				await removeStrange(attached);
			});
			owned.add(
				attached.onDidLearn((ref) => later(attached.ticketList(ref).segments.isTouched ? changesMs : checksMs)),
			);
			owned.add(attached.onDidChange(({ kind }) => kind === 'trackers' && later(changesMs)));
		},
		/** Resolves when the cache of a tracker, or of the tracker list, is loaded. Never rejects. */
		remembered: (tracker: TrackerRef | undefined) =>
			tracker === undefined ? trackersLoaded : trackersLoaded.then(() => load(tracker)),
		/** Resolves when the whole cache is loaded. */
		get loaded() {
			return loaded;
		},
		/** Writes pending changes. May run after `dispose`, while the window closes. */
		flush,
		/** Stops writing and drops pending changes: the account may have signed out. */
		dispose() {
			epoch += 1;
			owned.dispose();
		},
	};
}

function isKnown(store: TicketStore, ref: TrackerRef): boolean {
	const key = trackerKey(ref);
	return store.knownTrackers().some((each) => trackerKey(each) === key);
}

function numberIn(name: string, prefix: string): number {
	return Number(name.slice(prefix.length, -ending.length));
}

/** File lines: a header, then one line per ticket. */
function* linesOf(ref: TrackerRef, list: TicketList, segment: number): Generator<string, void, undefined> {
	const limits = segmentLimits(segment);
	const tickets = list.within(limits);
	const short = tickets[0]?.ticket.tracker;
	const covered = clipped(list.covered, limits);
	const kept = list.cursors.within(limits);
	const cursors = kept.length === 0 ? undefined : kept;
	yield JSON.stringify({ version, ref, segment, short, covered, cursors, isUnstated: list.isUnstated });
	for (const { ticket } of tickets) {
		const { tracker, ref: written, ...rest } = ticket;
		const own = refOf(tracker);
		const isUsual =
			short !== undefined &&
			isSameValue(own, refOf(short)) &&
			written === ticketRefText({ tracker: own, id: ticket.id });
		// Omits the tracker from each ticket: the header has it once.
		const slim = isUsual ? rest : ticket;
		yield JSON.stringify([list.checkedAtMs(ticket.id) ?? 0, slim, list.comments(ticket.id) ?? null]);
	}
}

/** Reads a file line by line. Throws on an invalid line. */
export class SegmentReader {
	#head: v.InferOutput<typeof head> | undefined;
	readonly #tickets: RememberedTicket[] = [];

	read(line: string): void {
		if (this.#head === undefined) {
			this.#head = v.parse(head, JSON.parse(line));
			return;
		}
		const { short } = this.#head;
		const [checkedAtMs, written, known] = v.parse(ticketLine, JSON.parse(line));
		const ticket =
			'tracker' in written || short === undefined
				? v.parse(keptTicket, written)
				: {
						...v.parse(keptTicketPart, written),
						ref: ticketRefText({ tracker: refOf(short), id: written.id }),
						tracker: short,
					};
		this.#tickets.push({ ticket, checkedAtMs, comments: known ?? undefined });
	}

	end(): RememberedTickets {
		if (this.#head === undefined) {
			throw new Error('The file is empty');
		}
		const { ref, covered, cursors, isUnstated } = this.#head;
		return { tracker: ref, tickets: this.#tickets, covered, cursors, isUnstated };
	}
}

const head = v.object({
	version: v.literal(version),
	ref: named,
	short: maybe(keptShortTracker),
	covered: v.array(v.object({ top: whole, bottom: whole } satisfies FieldsOf<NumberRange>)),
	cursors: v.optional(v.array(v.object({ below: whole, cursor: v.string() } satisfies FieldsOf<KeptCursor>)), []),
	isUnstated: v.boolean(),
});
const comments = v.object({
	texts: v.array(v.string()),
	eventIds: v.array(whole),
	count: maybe(whole),
	size: whole,
} satisfies FieldsOf<KnownComments>);
const ticketLine = v.tuple([time, v.looseObject({ id: whole }), v.nullish(comments)]);

function refOf({ owner, name }: ShortTracker): TrackerRef {
	return { owner: owner.canonicalName, name };
}
