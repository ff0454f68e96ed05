import { pushAll } from '@forge-desk/base/longArrays.ts';
import type { Commit, TreeEntry } from 'sourcehut/port/repository.ts';
import { type LimitedReads, putByTime } from '../repositories/history/historyReads.ts';
import { entryKind, entryNamed, stepsOf, isBlob } from '../repositories/repositoryEntries.ts';
import { walkLimits } from '../repositories/repositoryWalk.ts';

/** A path with its segments. */
export interface SteppedPath {
	readonly path: string;
	readonly steps: readonly string[];
}

/** Path segments; empty for an invalid path. */
export function stepped({ path }: { readonly path: string }): readonly SteppedPath[] {
	const steps = stepsOf(path, walkLimits.depth);
	return steps && steps.length > 0 ? [{ path, steps }] : [];
}

/**
 * Entries by path at a commit; omits missing paths. Doesn't follow links or submodules. Cached trees are free. A forge
 * that resolves paths gets one query for the rest; otherwise each missing tree costs one read.
 */
export async function entriesAt(
	reads: LimitedReads,
	commit: Pick<Commit, 'id' | 'tree'>,
	paths: readonly SteppedPath[],
	signal: AbortSignal,
): Promise<ReadonlyMap<string, TreeEntry | 'unread'>> {
	const found = new Map<string, TreeEntry | 'unread'>();
	const { entries } = reads;
	/** Paths below uncached trees. */
	const asked: SteppedPath[] = [];

	async function look(id: string, below: readonly SteppedPath[], depth: number): Promise<void> {
		const tree = entries ? await reads.keptTree(id) : await reads.tree(id, signal);
		if (!tree) {
			pushAll(asked, below);
			return;
		}
		const byName = Map.groupBy(below, ({ steps }) => steps[depth] ?? '');
		const folders: Promise<void>[] = [];
		for (const [name, wanted] of byName) {
			const entry = entryNamed(tree, name);
			if (!entry) {
				continue;
			}
			const deeper = wanted.filter(({ steps }) => steps.length > depth + 1);
			if (entryKind(entry) === 'folder' && deeper.length > 0) {
				folders.push(look(entry.id, deeper, depth + 1));
			}
			for (const { path, steps } of wanted) {
				if (steps.length === depth + 1) {
					found.set(path, entry);
				}
			}
		}
		await Promise.all(folders);
	}

	if (paths.length > 0) {
		await look(commit.tree, paths, 0);
	}
	if (entries && asked.length > 0) {
		const told = await entries(
			commit.id,
			asked.map(({ path }) => path),
			signal,
		);
		told.forEach((entry, path) => found.set(path, entry));
	}
	return found;
}

/** A file to find: the commit in which it has this possibly abbreviated id. */
export interface SoughtFile extends SteppedPath {
	readonly id: string;
}

/** Location of a content. */
export interface LocatedFile {
	readonly commit: string;
	readonly entry: TreeEntry;
}

/** Nobody bases patches on anything older. */
const mostCommits = 4096;

/**
 * Searches the commits up to the time of a mail. Most patches start from a recent commit, so steps back grow
 * exponentially. Between two commits with different versions of a file, it bisects, most likely position first. A hit
 * for one file also checks the others there, because all share a base. Remembers all visited positions.
 */
export class LogSearch {
	readonly #sentMs: number;
	/** First-parent line up to the mail's date, newest first, as far as read. */
	readonly #line: Commit[] = [];
	/** Unvisited commits, newest last. */
	readonly #queue: Commit[] = [];
	readonly #met = new Set<string>();
	readonly #tracks = new Map<string, Track>();
	#isBegun = false;

	constructor(sentMs: number) {
		this.#sentMs = sentMs;
	}

	/** Newest commit up to the mail's date; `undefined` for none. */
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
	 * Call after `newest`. Calls `onFound` for each file that is found or unreadable. Ends when no file or position
	 * remains; rejects like the reads.
	 */
	async look<T extends SoughtFile>(
		sought: readonly T[],
		onFound: (file: T, located: LocatedFile | 'unread') => void,
		reads: LimitedReads,
		signal: AbortSignal,
	): Promise<void> {
		const left = new Set(sought);
		for (const file of sought) {
			const seen = this.#track(file).find(file.id);
			const commit = seen && this.#line[seen.at];
			if (commit) {
				left.delete(file);
				onFound(file, { commit: commit.id, entry: seen.entry });
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
				// The history is shorter than assumed; its length is now known.
				continue;
			}
			const due = turns.filter(({ turn }) => turn?.at === next).map(({ file }) => file);
			const found = await this.#probe({ commit, at: next }, due, reads, signal);
			const others = found.every(({ entry }) => entry === 'unread')
				? []
				: [...left].filter((file) => !due.includes(file));
			pushAll(found, await this.#probe({ commit, at: next }, others, reads, signal));
			for (const { file, entry } of found) {
				left.delete(file);
				onFound(file, entry === 'unread' ? entry : { commit: commit.id, entry });
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
			const isResult = entry === 'unread' || (entry && isBlob(entry) && entry.id.startsWith(file.id));
			return entry && isResult ? [{ file, entry }] : [];
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
				this.#line.push(...(commit.timestampMs <= this.#sentMs ? [commit] : []));
			}
		}
		return this.#line[place];
	}

	/** Repeatable after an abort: state changes only after all reads. */
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

/** Visited positions of one path, and the next one. */
class Track {
	/** Sorted by position in the line of commits. */
	readonly #seen: { readonly at: number; readonly entry: TreeEntry | undefined }[] = [];

	note(at: number, entry: TreeEntry | undefined): void {
		const behind = this.#seen.findIndex((each) => each.at >= at);
		if (this.#seen[behind]?.at !== at) {
			this.#seen.splice(behind === -1 ? this.#seen.length : behind, 0, { at, entry });
		}
	}

	/** The newest position with this id. */
	find(id: string): { readonly at: number; readonly entry: TreeEntry } | undefined {
		for (const { at, entry } of this.#seen) {
			if (entry?.id.startsWith(id) === true) {
				return { at, entry };
			}
		}
		return undefined;
	}

	/** `undefined` when every visible change is searched, to the end of the history of `commits`. */
	next(commits: number, isWhole: boolean): Turn | undefined {
		if (this.#seen.length === 0) {
			return commits === 0 && isWhole ? undefined : { at: 0, likelihood: 1 };
		}
		const last = (isWhole ? commits : mostCommits) - 1;
		// The middle of two positions with different versions.
		const turns = this.#seen.slice(1).flatMap(({ at, entry }, index): readonly Turn[] => {
			const newer = this.#seen[index];
			return newer && at > newer.at + 1 && newer.entry?.id !== entry?.id
				? [{ at: (newer.at + at) >> 1, likelihood: likelihood(newer.at, at) }]
				: [];
		});
		// Beyond the oldest position, the distance doubles.
		const from = this.#seen.at(-1)?.at ?? 0;
		const to = Math.max(1, from * 2);
		if (from < last) {
			turns.push({ at: Math.min(to, last), likelihood: likelihood(from, to) });
		}
		return turns.toSorted((one, other) => other.likelihood - one.likelihood)[0];
	}
}

/** A position and the probability of a hit beyond the previous one. */
interface Turn {
	readonly at: number;
	readonly likelihood: number;
}

/**
 * Decay of the base's probability with age, as an exponent. In a measured history, 0.1 to 2 perform equally up to 25
 * commits back; above 1 is worse at a hundred.
 */
const decay = 0.5;

/** Probability of the base being after one position and up to another. */
function likelihood(from: number, to: number): number {
	return (from + 1) ** -decay - (to + 1) ** -decay;
}

/** The position with the highest total probability. */
function likeliest(turns: readonly (Turn | undefined)[]): number | undefined {
	const sums = new Map<number, number>();
	for (const turn of turns) {
		if (turn) {
			sums.set(turn.at, (sums.get(turn.at) ?? 0) + turn.likelihood);
		}
	}
	return [...sums].toSorted(([, one], [, other]) => other - one)[0]?.[0];
}
