import { isAbort } from '../../../base/abort.ts';
import { Emitter, type Event } from '../../../base/event.ts';
import type { Disposable } from '../../../base/lifecycle.ts';
import type { TreeEntry } from '../../../forge/repository.ts';
import { foldPath, type FoldedPath } from '../../../search/paths/fuzzyPath.ts';
import { runResting, type Resting, type Steps } from '../../../base/timeSlice.ts';
import { entryKind, isBlob, joined } from '../repositoryEntries.ts';
import type { WalkStep } from '../repositoryWalk.ts';

/** A file of a tree. */
export interface IndexedPath extends FoldedPath {
	/** Of its content. */
	readonly id: string;
	/** Its content says where it points. */
	readonly isLink: boolean;
}

/** How far the reading of an index is. */
export type IndexStanding =
	| { readonly kind: 'reading' }
	/** Many folders were read and more are known of: whoever wants them has to say `goOn`. */
	| { readonly kind: 'asking' }
	/** Nobody wanted it any more. What was read so far is there. */
	| { readonly kind: 'stopped' }
	/** `isAll`: false when the walk has left something out, because there is too much or it lies too deep. */
	| { readonly kind: 'read'; readonly isAll: boolean }
	| { readonly kind: 'failed'; readonly error: unknown };

export interface PathIndexParts {
	/** Walks through everything. What was read before costs no request. */
	readonly walk: (signal: AbortSignal) => AsyncIterable<WalkStep>;
	/** Trees that were read for an index of this repository before, by their ids; more are put in. */
	readonly readTrees: Set<string>;
	readonly resting: () => Resting;
}

/** So many folders that were not read before are read unasked; each time that somebody says to go on ten times as many. */
const unasked = 200;
const eachTime = 10;

/** How many entries are taken in between two chances to rest. */
const stride = 256;

/**
 * The paths of all files below a folder of one tree, growing while it is read. It is read for as long as somebody holds
 * it, and read on from the kept trees when somebody does again.
 */
export class PathIndex implements Disposable {
	readonly #parts: PathIndexParts;
	readonly #changed = new Emitter<void>();
	readonly onDidChange: Event<void> = this.#changed.event;
	#entries: IndexedPath[] = [];
	#folders: string[] = [];
	#foldersRead = 0;
	#unaskedLeft = unasked;
	#allowed = unasked;
	#standing: IndexStanding = { kind: 'stopped' };
	#reading: AbortController | undefined;
	#holders = 0;
	#goOn: (() => void) | undefined;
	#isDisposed = false;

	constructor(parts: PathIndexParts) {
		this.#parts = parts;
	}

	/** In the order in which they were met. */
	get entries(): readonly IndexedPath[] {
		return this.#entries;
	}

	/** Paths of the folders met, read or not. */
	get folders(): readonly string[] {
		return this.#folders;
	}

	get foldersRead(): number {
		return this.#foldersRead;
	}

	/** Folders that are known of and not read yet. There may be more below them. */
	get foldersAhead(): number {
		return Math.max(0, this.#folders.length + 1 - this.#foldersRead);
	}

	get standing(): IndexStanding {
		return this.#standing;
	}

	/** Has it read, or kept being read, until disposed of. */
	hold(): Disposable {
		this.#holders += 1;
		if (this.#standing.kind === 'stopped' || this.#standing.kind === 'failed') {
			void this.#read();
		}
		let isHeld = true;
		return {
			dispose: () => {
				this.#holders -= Number(isHeld);
				isHeld = false;
				if (this.#holders === 0) {
					this.#reading?.abort();
				}
			},
		};
	}

	/** Answers "asking". */
	goOn(): void {
		this.#goOn?.();
	}

	/** Resolves once it neither reads nor is about to; the caller holds it. Throws the signal's reason. */
	async settled(signal: AbortSignal): Promise<IndexStanding> {
		while (this.#standing.kind === 'reading') {
			const changed = Promise.withResolvers<void>();
			const subscription = this.#changed.event(() => changed.resolve());
			const giveUp = (): void => changed.resolve();
			signal.addEventListener('abort', giveUp, { once: true });
			try {
				signal.throwIfAborted();
				await changed.promise;
			} finally {
				subscription.dispose();
				signal.removeEventListener('abort', giveUp);
			}
		}
		signal.throwIfAborted();
		return this.#standing;
	}

	/** Nothing is read any more, whoever holds it; who waits for it is told that it stopped. */
	dispose(): void {
		this.#isDisposed = true;
		this.#reading?.abort();
		this.#stand({ kind: 'stopped' });
		this.#changed.dispose();
	}

	async #read(): Promise<void> {
		if (this.#isDisposed) {
			return;
		}
		const reading = new AbortController();
		this.#reading = reading;
		// What is there already stays to be looked through until as much was read again.
		const fresh = { entries: [] as IndexedPath[], folders: [] as string[], foldersRead: 0 };
		this.#stand({ kind: 'reading' });
		try {
			const isAll = await this.#walk(fresh, reading.signal);
			this.#take(fresh);
			this.#stand({ kind: 'read', isAll });
		} catch (error) {
			this.#stand(isAbort(error) ? { kind: 'stopped' } : { kind: 'failed', error });
		} finally {
			this.#reading = undefined;
			this.#goOn = undefined;
		}
		if (this.#standing.kind === 'stopped' && this.#holders > 0) {
			// Somebody came while it was being stopped.
			void this.#read();
		}
	}

	/** Answers whether everything was met. */
	async #walk(fresh: FreshPaths, signal: AbortSignal): Promise<boolean> {
		const { walk, readTrees, resting } = this.#parts;
		const rest = resting();
		const ids = new Map<string, string>();
		let isAll = true;
		for await (const step of walk(signal)) {
			if (step.kind === 'leftOut') {
				isAll = false;
				continue;
			}
			const id = ids.get(step.path);
			ids.delete(step.path);
			const isNew = id !== undefined && !readTrees.has(id);
			if (isNew) {
				readTrees.add(id);
				this.#unaskedLeft -= 1;
			}
			fresh.foldersRead += 1;
			await runResting(takeIn(step, { fresh, ids }), rest, signal);
			if (fresh.entries.length >= this.#entries.length && fresh.folders.length >= this.#folders.length) {
				this.#take(fresh);
				this.#changed.fire();
			}
			if (isNew && this.#unaskedLeft <= 0 && fresh.folders.length + 1 > fresh.foldersRead) {
				await this.#ask(signal);
			}
		}
		return isAll;
	}

	async #ask(signal: AbortSignal): Promise<void> {
		const answered = Promise.withResolvers<void>();
		const giveUp = (): void => answered.reject(signal.reason);
		this.#goOn = () => {
			this.#allowed *= eachTime;
			this.#unaskedLeft = this.#allowed;
			this.#stand({ kind: 'reading' });
			answered.resolve();
		};
		signal.addEventListener('abort', giveUp, { once: true });
		this.#stand({ kind: 'asking' });
		try {
			signal.throwIfAborted();
			await answered.promise;
		} finally {
			signal.removeEventListener('abort', giveUp);
			this.#goOn = undefined;
		}
	}

	#take({ entries, folders, foldersRead }: FreshPaths): void {
		this.#entries = entries;
		this.#folders = folders;
		this.#foldersRead = foldersRead;
	}

	#stand(standing: IndexStanding): void {
		this.#standing = standing;
		this.#changed.fire();
	}
}

interface FreshPaths {
	readonly entries: IndexedPath[];
	readonly folders: string[];
	foldersRead: number;
}

function* takeIn(
	{ path, entries }: Extract<WalkStep, { readonly kind: 'folder' }>,
	{ fresh, ids }: { readonly fresh: FreshPaths; readonly ids: Map<string, string> },
): Steps<void> {
	let taken = 0;
	for (const entry of entries) {
		takeEntry(joined(path, entry.name), entry, { fresh, ids });
		taken += 1;
		if (taken % stride === 0) {
			yield;
		}
	}
	// Many small folders that are all known come without any rest between them.
	yield;
}

function takeEntry(
	path: string,
	entry: TreeEntry,
	{ fresh, ids }: { readonly fresh: FreshPaths; readonly ids: Map<string, string> },
): void {
	const kind = entryKind(entry);
	if (kind === 'folder') {
		fresh.folders.push(path);
		ids.set(path, entry.id);
	} else if (isBlob(entry)) {
		fresh.entries.push({ ...foldPath(path), id: entry.id, isLink: kind === 'symlink' });
	}
}
