import { isAbort } from '@forge-desk/base/abort.ts';
import { Emitter, type Event } from '@forge-desk/base/event.ts';
import type { Disposable } from '@forge-desk/base/lifecycle.ts';
import { isForgeError } from 'sourcehut/port/forgeError.ts';
import type { Blob, RepositoryRef, TreePath } from 'sourcehut/port/repository.ts';
import type { Steps } from '@forge-desk/base/timeSlice.ts';
import type { FoundLine } from '../../../engine/search/texts/searchText.ts';
import type { TextSearcher } from '../../../engine/search/texts/textSearcher.ts';
import type { TextPattern } from '../../../engine/search/texts/textQuery.ts';
import type { IndexedPath } from './pathIndex.ts';
import type { RepositoryStore } from '../repositoryStore.ts';

/** Limits of one search. */
export const searchLimits = {
	/** Larger files are skipped. */
	fileBytes: 4 * 1024 * 1024,
	linesInAll: 5000,
	linesOfFile: 1000,
	/** After this many slow files, the search blames the pattern and stops. */
	slowFiles: 5,
	inFlight: 32,
} as const;

/** Files to search and the number of requests. Servers don't report file sizes. */
export interface SearchContents {
	readonly files: number;
	/** Contents missing from memory and disk; each costs at most one request. */
	readonly toRead: number;
	/** Paths by blob id. */
	readonly paths: ReadonlyMap<string, readonly string[]>;
}

/** Files between two yields to the event loop. */
const stride = 128;

/** Selects the files to search. Skips links, like git grep. */
export function* searchContents(
	files: readonly Pick<IndexedPath, 'id' | 'path' | 'isLink'>[],
	isWanted: (path: string) => boolean,
	isKnown: (id: string) => boolean,
): Steps<SearchContents> {
	const paths = new Map<string, string[]>();
	let [wanted, toRead, looked] = [0, 0, 0];
	for (const { id, path, isLink } of files) {
		if (!isLink && isWanted(path)) {
			wanted += 1;
			const same = paths.get(id);
			if (same) {
				same.push(path);
			} else {
				paths.set(id, [path]);
				toRead += Number(!isKnown(id));
			}
		}
		looked += 1;
		if (looked % stride === 0) {
			yield;
		}
	}
	return { files: wanted, toRead, paths };
}

export interface FileHits {
	readonly path: string;
	readonly lines: readonly FoundLine[];
	/** More lines match than the limit allows. */
	readonly isCut: boolean;
}

/** Skipped files by reason. */
export interface SearchSkips {
	readonly binary: number;
	readonly tooLarge: number;
	/** Searching the file exceeded the time limit. */
	readonly tooSlow: number;
	/** The forge refused the file, or the searcher failed. */
	readonly unreadable: number;
}

export type SearchStanding =
	| { readonly kind: 'running' }
	| { readonly kind: 'done' }
	| { readonly kind: 'cancelled' }
	| { readonly kind: 'tooManyLines' }
	| { readonly kind: 'patternTooSlow' }
	| { readonly kind: 'failed'; readonly error: unknown };

/** Contents on the forge or in a clone. */
export interface SearchedTexts {
	blob(id: string, signal: AbortSignal): Promise<Blob>;
	knownSize(id: string): number | undefined;
	/** Raises the concurrency limit while the iterator is open. Absent without requests. */
	walk?(signal: AbortSignal): AsyncGenerator;
}

export function textsOfForge({ folders, objects }: RepositoryStore, ref: RepositoryRef, at: TreePath): SearchedTexts {
	return {
		blob: (id, signal) => objects.blob(ref, id, signal),
		knownSize: (id) => objects.knownSize(ref, id),
		walk: (signal) => folders.walk(ref, at, signal),
	};
}

/** Searches the files of a tree, each content once, and reports hits as it goes. */
export class TextSearch implements Disposable {
	readonly #texts: SearchedTexts;
	readonly #contents: SearchContents;
	readonly #pattern: TextPattern;
	readonly #searcher: TextSearcher;
	readonly #changed = new Emitter<void>();
	readonly onDidChange: Event<void> = this.#changed.event;
	readonly #hits: FileHits[] = [];
	readonly #ending = new AbortController();
	#skips: SearchSkips = { binary: 0, tooLarge: 0, tooSlow: 0, unreadable: 0 };
	#standing: SearchStanding = { kind: 'running' };
	#lines = 0;
	#looked = 0;

	constructor(texts: SearchedTexts, contents: SearchContents, pattern: TextPattern, searcher: TextSearcher) {
		this.#texts = texts;
		this.#contents = contents;
		this.#pattern = pattern;
		this.#searcher = searcher;
	}

	/** In the order of discovery. */
	get hits(): readonly FileHits[] {
		return this.#hits;
	}

	/** Matching lines in all files. */
	get lines(): number {
		return this.#lines;
	}

	/** Files searched or skipped. */
	get looked(): number {
		return this.#looked;
	}

	/** Files to search. */
	get files(): number {
		return this.#contents.files;
	}

	get skips(): SearchSkips {
		return this.#skips;
	}

	get standing(): SearchStanding {
		return this.#standing;
	}

	/** Never rejects; `standing` holds the outcome. */
	async run(signal: AbortSignal): Promise<void> {
		const stop = AbortSignal.any([signal, this.#ending.signal]);
		const boost = this.#texts.walk?.(stop);
		try {
			// The first step is cached and costs no request.
			await boost?.next();
			// Several workers share the iterator, so each content goes to one worker.
			const contents = this.#contents.paths.entries();
			const work = async (): Promise<void> => {
				for (const [id, paths] of contents) {
					if (this.#standing.kind !== 'running') {
						return;
					}
					await this.#look(id, paths, stop);
				}
			};
			await Promise.all(Array.from({ length: searchLimits.inFlight }, work));
			this.#end({ kind: 'done' });
		} catch (error) {
			this.#end(isAbort(error) ? { kind: 'cancelled' } : { kind: 'failed', error });
		} finally {
			await boost?.return(undefined);
		}
	}

	cancel(): void {
		this.#end({ kind: 'cancelled' });
	}

	dispose(): void {
		this.cancel();
		this.#changed.dispose();
	}

	async #look(id: string, paths: readonly string[], signal: AbortSignal): Promise<void> {
		const { fileBytes, linesOfFile } = searchLimits;
		if ((this.#texts.knownSize(id) ?? 0) > fileBytes) {
			return this.#skip('tooLarge', paths);
		}
		const blob = await this.#read(id, signal);
		if (!blob || blob.bytes.byteLength > fileBytes) {
			return this.#skip(blob ? 'tooLarge' : 'unreadable', paths);
		}
		const outcome = await this.#searcher.search(
			{ bytes: blob.bytes, pattern: this.#pattern, mostLines: linesOfFile },
			signal,
		);
		switch (outcome.kind) {
			case 'binary':
			case 'tooSlow':
				return this.#skip(outcome.kind, paths);
			case 'failed':
				return this.#skip('unreadable', paths);
			case 'lines':
				return this.#keep(paths, outcome);
		}
	}

	/** `undefined` when the forge refuses this file. An unreachable forge ends the search. */
	async #read(id: string, signal: AbortSignal): Promise<Blob | undefined> {
		try {
			return await this.#texts.blob(id, signal);
		} catch (error) {
			const kinds: readonly string[] = ['notFound', 'tooLarge', 'notUnderstood', 'notOffered', 'invalid'];
			if (isForgeError(error) && kinds.includes(error.problem.kind)) {
				return undefined;
			}
			throw error;
		}
	}

	#keep(paths: readonly string[], { lines, isCut }: Pick<FileHits, 'lines' | 'isCut'>): void {
		this.#looked += paths.length;
		for (const path of lines.length === 0 ? [] : paths) {
			if (this.#standing.kind !== 'running') {
				return;
			}
			const room = searchLimits.linesInAll - this.#lines;
			this.#hits.push({ path, lines: lines.slice(0, room), isCut: isCut || lines.length > room });
			this.#lines += Math.min(lines.length, room);
			if (this.#lines >= searchLimits.linesInAll) {
				this.#end({ kind: 'tooManyLines' });
			}
		}
		this.#changed.fire();
	}

	#skip(why: keyof SearchSkips, paths: readonly string[]): void {
		this.#looked += paths.length;
		this.#skips = { ...this.#skips, [why]: this.#skips[why] + paths.length };
		if (this.#skips.tooSlow >= searchLimits.slowFiles) {
			this.#end({ kind: 'patternTooSlow' });
		}
		this.#changed.fire();
	}

	/** The first reason wins. */
	#end(standing: SearchStanding): void {
		if (this.#standing.kind === 'running') {
			this.#standing = standing;
			this.#ending.abort();
			this.#changed.fire();
		}
	}
}
