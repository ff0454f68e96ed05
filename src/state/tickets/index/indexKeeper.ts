import type { Clock } from '../../../base/clock.ts';
import { Disposables, onDispose, type Disposable } from '../../../base/lifecycle.ts';
import type { Log } from '../../../base/log.ts';
import { nextTurn, turns } from '../../../base/timeSlice.ts';
import type { TrackerRef } from '../../../forge/tracker.ts';
import { trackersOf, trackersText } from './keptTrackers.ts';
import { linesOf, SegmentReader } from './keptTickets.ts';
import type { TicketStore } from '../ticketStore.ts';
import { trackerKey } from '../trackerShelf.ts';

/** Files of one account's index. */
export interface IndexFiles {
	names(): Promise<readonly string[]>;
	read(name: string): Promise<string>;
	/** Replaces the file at once: a reader sees the old one or the new one. False when there is no room for it. */
	write(name: string, text: string): Promise<boolean>;
	remove(name: string): Promise<void>;
	/** A name for a tracker of this forge that can stand in a file name. */
	nameOf(tracker: string): string;
}

export interface IndexKeeperParts {
	readonly files: IndexFiles;
	readonly clock: Clock;
	readonly log: Log;
	/** Milliseconds from any beginning, for telling how long one has held the host. */
	readonly tickMs: () => number;
}

/** Keeps on the disk what is known of an account's trackers and tickets. */
export interface IndexKeeper extends Disposable {
	/** Begins to read what is kept into the store, and to keep what comes. */
	attach(store: TicketStore): void;
	/** Settles once what is kept of a tracker, or of the list of trackers, has been read. Never rejects. */
	remembered(tracker: TrackerRef | undefined): Promise<void>;
	/** Settles once everything that is kept has been read. */
	readonly loaded: Promise<void>;
	/** Writes now what is not written yet. May be called after the end, when the window closes. */
	flush(): Promise<void>;
	/** Ends all writing. What is not written yet is not worth it: the account may have signed out. */
	dispose(): void;
}

const ending = '.lines';
/** What changed is written after this time, what was only confirmed after a longer one. */
const changesMs = 3000;
const checksMs = 60_000;
export function indexKeeper({ files, clock, log, tickMs }: IndexKeeperParts): IndexKeeper {
	const owned = new Disposables();
	const trackersName = `${files.nameOf('trackers')}.json`;
	const loads = new Map<string, Promise<void>>();
	let store: TicketStore | undefined;
	let listed: Promise<readonly string[]> = Promise.resolve([]);
	let trackersLoaded: Promise<void> = Promise.resolve();
	let loaded: Promise<void> = Promise.resolve();
	let writing: Promise<void> = Promise.resolve();
	let lastTrackers = '';
	/** What the names of known trackers' files begin with, when that was last looked at. */
	let lastPrefixes: readonly string[] | undefined;
	/** Counts the ends, so that what began before one goes no further. */
	let epoch = 0;
	let timer: { readonly atMs: number; readonly handle: Disposable } | undefined;

	owned.add(onDispose(() => timer?.handle.dispose()));

	const turn = turns({ nowMs: tickMs });
	/** What was begun is not left half done at the end: it may be what the closing window writes. */
	const never = new AbortController().signal;

	/** A file that cannot be read is worth nothing: what it held is read from the forge again. */
	async function dropDamaged(name: string, error: unknown): Promise<void> {
		const why = error instanceof Error ? error.message : 'unknown failure';
		log.warn(`A file of the ticket index could not be read and is dropped: ${name} (${why})`);
		await files.remove(name).catch(() => undefined);
	}

	async function loadTrackers(into: TicketStore): Promise<void> {
		const names = await listed;
		if (!names.includes(trackersName)) {
			return;
		}
		try {
			into.apply({ kind: 'rememberedTrackers', ...trackersOf(await files.read(trackersName)) });
			lastTrackers = trackersText(into.rememberedTrackers());
		} catch (error) {
			await dropDamaged(trackersName, error);
		}
	}

	async function loadTickets(into: TicketStore, ref: TrackerRef): Promise<void> {
		const prefix = prefixOf(ref);
		const names = (await listed).filter((name) => name.startsWith(prefix) && name.endsWith(ending));
		// Newest numbers first: they are what is looked at.
		for (const name of names.toSorted((a, b) => numberIn(b, prefix) - numberIn(a, prefix))) {
			await loadSegment(into, ref, name);
		}
	}

	async function loadSegment(into: TicketStore, ref: TrackerRef, name: string): Promise<void> {
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
			// It may have been unfollowed meanwhile.
			if (isKnown(into, ref) || !into.knowsAllTrackers()) {
				into.apply({ kind: 'rememberedTickets', ...remembered });
			}
			await nextTurn();
		} catch (error) {
			await dropDamaged(name, error);
		}
	}

	function load(ref: TrackerRef): Promise<void> {
		const key = trackerKey(ref);
		const loading =
			loads.get(key) ?? (store === undefined ? Promise.resolve() : loadTickets(store, ref).catch(() => undefined));
		loads.set(key, loading);
		return loading;
	}

	async function loadAll(into: TicketStore): Promise<void> {
		await trackersLoaded;
		for (const ref of into.knownTrackers()) {
			await load(ref);
		}
		await removeStrange(into);
	}

	function prefixOf(ref: TrackerRef): string {
		return `${files.nameOf(trackerKey(ref))}-`;
	}

	/** Trackers that are followed no more leave nothing behind, nor does another forge that had this one's name. */
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
		const trackers = trackersText(store.rememberedTrackers());
		if (trackers !== lastTrackers && began === epoch) {
			await files.write(trackersName, trackers);
			lastTrackers = trackers;
		}
		for (const ref of store.knownTrackers()) {
			// What is kept must be read before it is replaced, or a part of it would be lost.
			await load(ref);
			const list = store.ticketList(ref);
			// What could not be written is tried again with the next change, and so is all that comes after it.
			const left = new Set(began === epoch ? list.takeTouched() : []);
			try {
				for (const segment of left) {
					if (began === epoch && isKnown(store, ref)) {
						await writeSegment(store, ref, segment);
					}
					left.delete(segment);
				}
			} finally {
				left.forEach((segment) => list.touch(segment));
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
		attach(attached) {
			store = attached;
			listed = files.names().catch(() => []);
			trackersLoaded = loadTrackers(attached);
			loaded = loadAll(attached);
			owned.add(attached.onDidLearn((ref) => later(attached.ticketList(ref).isTouched ? changesMs : checksMs)));
			owned.add(attached.onDidChange(({ kind }) => kind === 'trackers' && later(changesMs)));
		},
		remembered: (tracker) => (tracker === undefined ? trackersLoaded : trackersLoaded.then(() => load(tracker))),
		get loaded() {
			return loaded;
		},
		flush,
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
