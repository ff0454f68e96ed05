import { isAbort } from '@forge-desk/base/abort.ts';
import { Emitter, type Event } from '@forge-desk/base/event.ts';
import type { Disposable } from '@forge-desk/base/lifecycle.ts';
import { foldPath, type FoldedPath } from '../../../engine/search/paths/fuzzyPath.ts';
import { runResting, type Resting, type Steps } from '@forge-desk/base/timeSlice.ts';
import { entryKind, isBlob, joined } from '../repositoryEntries.ts';
import type { WalkStep } from '../repositoryWalk.ts';

export interface IndexedPath extends FoldedPath {
	/** Id of the blob. */
	readonly id: string;
	/** A symbolic link; its content is the target. */
	readonly isLink: boolean;
}

export type IndexStanding =
	| { readonly kind: 'reading' }
	/** The limit of unasked reads is reached; call `goOn` to continue. */
	| { readonly kind: 'asking' }
	/** Nobody holds the index. Entries read so far remain. */
	| { readonly kind: 'stopped' }
	/** `isAll`: false when the walk omitted entries beyond its limits. */
	| { readonly kind: 'read'; readonly isAll: boolean }
	| { readonly kind: 'failed'; readonly error: unknown };

export interface PathIndexParts {
	/** Recursive walk. Cached trees cost no request. */
	readonly walk: (signal: AbortSignal) => AsyncIterable<WalkStep>;
	/** Ids of trees read for earlier indexes of this repository; the index adds its own. */
	readonly readTrees: Set<string>;
	readonly resting: () => Resting;
}

/** New folders to read before asking. Each `goOn` multiplies the limit by ten. */
const unasked = 200;
const eachTime = 10;

/** Entries between two yields to the event loop. */
const stride = 256;

/**
 * All file paths below a folder; grows while reading. Reads only while somebody holds it; the next hold resumes from
 * cached trees.
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

	/** In the order of discovery. */
	get entries(): readonly IndexedPath[] {
		return this.#entries;
	}

	/** Paths of all discovered folders, read or not. */
	get folders(): readonly string[] {
		return this.#folders;
	}

	get foldersRead(): number {
		return this.#foldersRead;
	}

	/** Discovered but unread folders; a lower bound, because they may contain more. */
	get foldersAhead(): number {
		return Math.max(0, this.#folders.length + 1 - this.#foldersRead);
	}

	get standing(): IndexStanding {
		return this.#standing;
	}

	/** Starts reading, or keeps it going, until disposed. */
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

	/** Continues from `asking`. */
	goOn(): void {
		this.#goOn?.();
	}

	/** Resolves when reading pauses or ends. The caller must hold the index. Rejects with the signal's reason. */
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

	/** Stops reading regardless of holders; `settled` resolves with `stopped`. */
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
		// The previous entries stay searchable until the new read has caught up.
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
			// Somebody took hold while the read was stopping.
			void this.#read();
		}
	}

	/** True when the walk was complete. */
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
		const at = joined(path, entry.name);
		const kind = entryKind(entry);
		if (kind === 'folder') {
			fresh.folders.push(at);
			ids.set(at, entry.id);
		} else if (isBlob(entry)) {
			fresh.entries.push({ ...foldPath(at), id: entry.id, isLink: kind === 'symlink' });
		}
		taken += 1;
		if (taken % stride === 0) {
			yield;
		}
	}
	// Many small cached folders would otherwise never yield.
	yield;
}
