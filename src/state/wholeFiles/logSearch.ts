import type { Commit, TreeEntry } from '../../forge/repository.ts';
import { putByTime } from '../repositories/history/byTime.ts';
import type { LimitedReads } from '../repositories/history/historyReads.ts';
import { isBlob } from '../repositories/repositoryEntries.ts';
import { entriesAt, type SteppedPath } from './entriesAt.ts';
import { isUntil } from './preImage.ts';

/** A file that is looked for: the commit in which it has this id, which may be cut short. */
export interface SoughtFile extends SteppedPath {
	readonly id: string;
}

/** Where a content stands. */
export interface LocatedFile {
	readonly commit: string;
	readonly entry: TreeEntry;
}

/** Nobody sends patches to what was so long ago. */
const mostCommits = 4096;

/**
 * Looks for files in the commits up to the time of a mail. Most patches are made from the newest of them, so the steps back
 * become longer and longer; between two commits in which a file differs, its other versions are looked for by halves, where
 * most are likely to be found first. Where one file is found, the others are looked at as well, since all were made from one
 * commit. What was looked at is remembered from one look to the next.
 */
export class LogSearch {
	readonly #sentMs: number;
	/** The commits that count, newest first, as far as they were needed. */
	readonly #line: Commit[] = [];
	/** Commits whose turn has not come; the newest last. */
	readonly #queue: Commit[] = [];
	readonly #met = new Set<string>();
	readonly #tracks = new Map<string, Track>();
	#isBegun = false;

	constructor(sentMs: number) {
		this.#sentMs = sentMs;
	}

	/** The newest commit that counts; `undefined` where there is none. */
	async newest(
		head: () => Promise<string | undefined>,
		reads: LimitedReads,
		signal: AbortSignal,
	): Promise<Commit | undefined> {
		if (!this.#isBegun) {
			const id = await head();
			await this.#meet(id === undefined ? [] : [id], reads, signal);
			this.#isBegun = true;
		}
		return await this.#at(0, reads, signal);
	}

	/**
	 * Call after `newest`. Calls `tell` for each file that is found, or that the server failed to read. Ends when no file or
	 * no place is left; rejects like the reads.
	 */
	async look<T extends SoughtFile>(
		sought: readonly T[],
		tell: (file: T, located: LocatedFile | 'unread') => void,
		reads: LimitedReads,
		signal: AbortSignal,
	): Promise<void> {
		const left = new Set(sought);
		for (const file of sought) {
			const seen = this.#track(file).find(file.id);
			const commit = seen && this.#line[seen.at];
			if (commit) {
				left.delete(file);
				tell(file, { commit: commit.id, entry: seen.entry });
			}
		}
		while (left.size > 0) {
			const turns = [...left].map((file) => ({
				file,
				turn: this.#track(file).next(this.#line.length, this.#isWhole()),
			}));
			const next = likeliest(turns.map(({ turn }) => turn));
			if (next === undefined) {
				return;
			}
			const commit = await this.#at(next, reads, signal);
			if (!commit) {
				// There are fewer commits than that; now it is known how many.
				continue;
			}
			const due = turns.filter(({ turn }) => turn?.at === next).map(({ file }) => file);
			const found = await this.#probe({ commit, at: next }, due, reads, signal);
			const others = found.every(({ entry }) => entry === 'unread')
				? []
				: [...left].filter((file) => !due.includes(file));
			found.push(...(await this.#probe({ commit, at: next }, others, reads, signal)));
			for (const { file, entry } of found) {
				left.delete(file);
				tell(file, entry === 'unread' ? entry : { commit: commit.id, entry });
			}
		}
	}

	async #probe<T extends SoughtFile>(
		{ commit, at }: { readonly commit: Commit; readonly at: number },
		files: readonly T[],
		reads: LimitedReads,
		signal: AbortSignal,
	): Promise<{ readonly file: T; readonly entry: TreeEntry | 'unread' }[]> {
		const entries = await entriesAt(reads, commit, files, signal);
		return files.flatMap((file) => {
			const entry = entries.get(file.path);
			if (entry !== 'unread') {
				this.#track(file).note(at, entry && isBlob(entry) ? entry : undefined);
			}
			const isTold = entry === 'unread' || (entry && isBlob(entry) && entry.id.startsWith(file.id));
			return entry && isTold ? [{ file, entry }] : [];
		});
	}

	#track({ path }: SteppedPath): Track {
		const known = this.#tracks.get(path) ?? new Track();
		this.#tracks.set(path, known);
		return known;
	}

	#isWhole(): boolean {
		return this.#isBegun && (this.#queue.length === 0 || this.#line.length >= mostCommits);
	}

	async #at(place: number, reads: LimitedReads, signal: AbortSignal): Promise<Commit | undefined> {
		while (this.#line.length <= place && !this.#isWhole()) {
			const commit = this.#queue.at(-1);
			if (commit) {
				await this.#meet(commit.parents, reads, signal);
				this.#queue.splice(this.#queue.indexOf(commit), 1);
				this.#line.push(...(isUntil(commit, this.#sentMs) ? [commit] : []));
			}
		}
		return this.#line[place];
	}

	/** A read that is given up leaves nothing half done: the same is read again. */
	async #meet(ids: readonly string[], reads: LimitedReads, signal: AbortSignal): Promise<void> {
		const commits: Commit[] = [];
		for (const id of ids) {
			if (!this.#met.has(id)) {
				commits.push(await reads.commit(id, signal));
			}
		}
		for (const commit of commits) {
			this.#met.add(commit.id);
			putByTime(this.#queue, commit, (each) => each);
		}
	}
}

/** What was seen of one path, and where to look next. */
class Track {
	/** By place in the line of commits; in its order. */
	readonly #seen: { readonly at: number; readonly entry: TreeEntry | undefined }[] = [];

	note(at: number, entry: TreeEntry | undefined): void {
		const behind = this.#seen.findIndex((each) => each.at >= at);
		if (this.#seen[behind]?.at !== at) {
			this.#seen.splice(behind === -1 ? this.#seen.length : behind, 0, { at, entry });
		}
	}

	/** The newest place at which it was seen with this id. */
	find(id: string): { readonly at: number; readonly entry: TreeEntry } | undefined {
		for (const { at, entry } of this.#seen) {
			if (entry?.id.startsWith(id) === true) {
				return { at, entry };
			}
		}
		return undefined;
	}

	/** `undefined` where every change that can be seen has been looked into, to the end of a history of `commits`. */
	next(commits: number, isWhole: boolean): Turn | undefined {
		if (this.#seen.length === 0) {
			return commits === 0 && isWhole ? undefined : { at: 0, likelihood: 1 };
		}
		const last = (isWhole ? commits : mostCommits) - 1;
		return [...this.#between(), ...this.#beyond(last)].toSorted((one, other) => other.likelihood - one.likelihood)[0];
	}

	/** In the middle of two places where it differs. */
	#between(): readonly Turn[] {
		return this.#seen.slice(1).flatMap(({ at, entry }, index): readonly Turn[] => {
			const newer = this.#seen[index];
			return newer && at > newer.at + 1 && newer.entry?.id !== entry?.id
				? [{ at: (newer.at + at) >> 1, likelihood: likelihood(newer.at, at) }]
				: [];
		});
	}

	/** Twice as far as it was looked for. */
	#beyond(last: number): readonly Turn[] {
		const from = this.#seen.at(-1)?.at ?? 0;
		const to = Math.max(1, from * 2);
		return from < last ? [{ at: Math.min(to, last), likelihood: likelihood(from, to) }] : [];
	}
}

/** Where to look for a file, and how likely it is to be found behind the place before. */
interface Turn {
	readonly at: number;
	readonly likelihood: number;
}

/**
 * How fast bases become seldom with their age: the share of those beyond some place, to the power of this. In a measured
 * history 0.1 to 2 find as much up to 25 commits back, and more than 1 finds less a hundred back.
 */
const decay = 0.5;

/** How likely it is that a patch was made from a commit behind one place and up to another. */
function likelihood(from: number, to: number): number {
	return (from + 1) ** -decay - (to + 1) ** -decay;
}

/** The place at which most is likely to be found. */
function likeliest(turns: readonly (Turn | undefined)[]): number | undefined {
	const sums = new Map<number, number>();
	for (const turn of turns) {
		if (turn) {
			sums.set(turn.at, (sums.get(turn.at) ?? 0) + turn.likelihood);
		}
	}
	return [...sums].toSorted(([, one], [, other]) => other - one)[0]?.[0];
}
