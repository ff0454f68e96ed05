import { isAbort } from '@forge-desk/base/abort.ts';
import { isForgeError, type Problem } from 'sourcehut/port/forgeError.ts';
import type { Commit, TreeEntry } from 'sourcehut/port/repository.ts';
import { isObjectId } from 'patchmail/git/objectId.ts';
import { searchBudget, type SearchBudget, limitedReads, withoutReserve } from '../repositories/history/historyReads.ts';
import { isBlob, unreadEntry } from '../repositories/repositoryEntries.ts';
import { entriesAt, stepped, LogSearch } from './logSearch.ts';
import {
	wantedKey,
	type FileSources,
	type FoundFile,
	type PatchBase,
	type WantedFile,
	type Missing,
	type ObjectsOfForge,
	type Origin,
} from './preImage.ts';

/** Limit of guesses by path, which prove nothing. */
const mostNear = 10;

const saysNoSuchCommit: ReadonlySet<Problem['kind']> = new Set(['notFound', 'notUnderstood', 'invalid']);

/** Concurrent content reads. */
const atATime = 8;

/** Limits of one search. */
export interface FinderLimits {
	readonly requests: number;
	/** Request limit when the user asks to search further. */
	readonly further: number;
	/** Maximum files to request from the forge in all searches; each `further` adds the same number. */
	readonly files: number;
}

export const finderLimits: FinderLimits = { requests: 60, further: 600, files: 300 };

/** `further`: repeats a failed search with more requests. */
export type HowFar = 'first' | 'further';

/** Finds the pre-images of patches. */
export type FileFinder = ReturnType<typeof fileFinder>;

/**
 * Searches the cheapest sources first: earlier findings, a clone, the forge by id, the patch's base commit, and commits
 * up to the time of the mail. All verify the content by its id. Otherwise, guesses the content from the path at the
 * time of the patch.
 */
export function fileFinder(sources: FileSources, base: PatchBase, limits: FinderLimits = finderLimits) {
	const search = new LogSearch(base.sentMs);
	const asked = new Set<string>();
	let { files } = limits;

	return {
		/**
		 * Searches for files together until all are found or the budget is spent. The finder remembers its progress, so
		 * another search continues. Rejects only with aborts.
		 */
		async find(
			wanted: readonly WantedFile[],
			budget: SearchBudget,
			signal: AbortSignal,
		): Promise<ReadonlyMap<string, FoundFile>> {
			const look = new Look(wanted, sources);
			await look.before();
			await look.inClone(signal);
			const { forge } = sources;
			if (!forge) {
				look.giveUp('noRepository');
				return look.results;
			}
			look.left().forEach((each) => asked.size < files && asked.add(wantedKey(each)));
			look.leaveOut('tooMany', (each) => !asked.has(wantedKey(each)));
			try {
				await lookInForge(forge, look, budget, { base, search }, signal);
			} catch (error) {
				if (signal.aborted || (!isForgeError(error) && !(isAbort(error) && budget.isSpent()))) {
					throw error;
				}
				look.giveUp(isForgeError(error) ? 'failed' : 'budget', isForgeError(error) ? error : undefined);
			}
			look.giveUp('notThere');
			return look.results;
		},
		/** Budget of one search. `further` also raises the file limit for all. */
		begin(how: HowFar) {
			if (how === 'first') {
				return searchBudget(limits.requests);
			}
			files = asked.size + limits.files;
			return searchBudget(limits.further);
		},
	};
}

/** State of one search: results and remaining files. */
class Look {
	readonly results = new Map<string, FoundFile>();
	readonly #sources: FileSources;
	readonly #left: Map<string, WantedFile>;

	constructor(wanted: readonly WantedFile[], sources: FileSources) {
		this.#sources = sources;
		this.#left = new Map(wanted.map((each) => [wantedKey(each), each]));
		this.leaveOut('badPath', (each) => stepped(each).length === 0);
	}

	left(): readonly WantedFile[] {
		return [...this.#left.values()];
	}

	settle(wanted: WantedFile, found: FoundFile): void {
		const key = wantedKey(wanted);
		if (this.#left.delete(key)) {
			this.results.set(key, found);
		}
	}

	exact(wanted: WantedFile, content: Uint8Array, origin: Origin): void {
		if (wanted.id !== undefined && origin !== 'found before') {
			this.#sources.before?.note(wanted.id, content);
		}
		this.settle(wanted, { kind: 'exact', content, origin });
	}

	leaveOut(missing: Missing, isOut: (wanted: WantedFile) => boolean): void {
		for (const each of this.left().filter(isOut)) {
			this.settle(each, { kind: 'none', missing });
		}
	}

	giveUp(missing: Missing, error?: unknown): void {
		for (const each of this.left()) {
			this.settle(each, { kind: 'none', missing, ...(error === undefined ? {} : { error }) });
		}
	}

	async before(): Promise<void> {
		for (const each of this.left()) {
			const content = each.id === undefined ? undefined : await this.#sources.before?.content(each.id);
			if (content) {
				this.exact(each, content, 'found before');
			}
		}
	}

	async inClone(signal: AbortSignal): Promise<void> {
		const ids = new Set(this.left().flatMap(({ id }) => (id === undefined ? [] : [id])));
		const contents = ids.size === 0 ? undefined : await this.#sources.clone?.contents([...ids], signal);
		for (const each of contents ? this.left() : []) {
			const content = each.id === undefined ? undefined : contents?.get(each.id);
			if (content) {
				this.exact(each, content, 'clone');
			}
		}
	}
}

type Rooted = Pick<Commit, 'id' | 'tree'>;

/** A wanted file with its location. */
interface Located {
	readonly wanted: WantedFile;
	readonly commit: string;
	readonly entry: TreeEntry;
}

/** The forge part of a search. */
async function lookInForge(
	forge: ObjectsOfForge,
	look: Look,
	budget: SearchBudget,
	{ base, search }: { readonly base: PatchBase; readonly search: LogSearch },
	signal: AbortSignal,
): Promise<void> {
	const reads = limitedReads(forge.history, budget);
	await byId(signal);
	const based = await basedCommit(signal);
	if (based) {
		const wanted = inLog();
		const entries = await entriesAt(reads, based, wanted.flatMap(stepped), signal);
		const located = wanted.flatMap((each) => {
			const entry = readOf(entries, each);
			const isIt = entry && each.id !== undefined && isBlob(entry) && entry.id.startsWith(each.id);
			return isIt ? [{ wanted: each, commit: based.id, entry }] : [];
		});
		await take(located, 'base commit', signal);
	}
	if (inLog().length === 0) {
		return;
	}
	const head = (): Promise<string | undefined> => forge.head(base.sentMs, budget, signal);
	const newest = await search.newest(head, reads, signal);
	const { located, isWhole } = await locatedInLog(signal);
	await take(located, 'log', signal);
	const nearest = based ?? newest;
	if (nearest) {
		const wanted = inLog().slice(0, mostNear);
		const entries = await entriesAt(reads, nearest, wanted.flatMap(stepped), signal);
		await inTurns(wanted, async (each) => {
			const entry = readOf(entries, each);
			if (entry && isBlob(entry)) {
				const at = { ref: nearest.id, path: each.path };
				const content = await forge.content(entry.id, at, budget, signal);
				const missing = isWhole ? 'notThere' : 'budget';
				look.settle(each, { kind: 'near', content, commit: nearest.id, missing });
			}
		});
	}
	if (!isWhole) {
		look.giveUp('budget');
	}

	function inLog(): readonly WantedFile[] {
		return look.left().filter(({ isInLog }) => isInLog);
	}

	async function byId(signal: AbortSignal): Promise<void> {
		const ask = async (each: WantedFile): Promise<void> => {
			const content = each.id === undefined ? undefined : await forge.byId.content(each.id, budget, signal);
			if (content) {
				look.exact(each, content, 'id');
			}
		};
		const canAsk = ({ id }: WantedFile): boolean => id !== undefined && forge.byId.canAsk(id);
		// The first request may reveal that the server doesn't support it.
		await inTurns(look.left().filter(canAsk).slice(0, 1), ask);
		await inTurns(look.left().filter(canAsk), ask);
	}

	async function basedCommit(signal: AbortSignal): Promise<Rooted | undefined> {
		const { commit } = base;
		if (commit === undefined || !isObjectId(commit) || inLog().length === 0) {
			return undefined;
		}
		try {
			return await reads.commit(commit, signal);
		} catch (error) {
			// The sender's base commit may be private.
			if (isForgeError(error) && saysNoSuchCommit.has(error.problem.kind)) {
				return undefined;
			}
			throw error;
		}
	}

	/** Resolves a file that the server failed to read. */
	function readOf(entries: ReadonlyMap<string, TreeEntry | 'unread'>, wanted: WantedFile): TreeEntry | undefined {
		const entry = entries.get(wanted.path);
		if (entry === 'unread') {
			failed(wanted);
			return undefined;
		}
		return entry;
	}

	function failed(wanted: WantedFile): void {
		look.settle(wanted, { kind: 'none', missing: 'failed', error: unreadEntry() });
	}

	/** Reserves requests for reading the found contents. */
	async function locatedInLog(
		signal: AbortSignal,
	): Promise<{ readonly located: readonly Located[]; readonly isWhole: boolean }> {
		const wanted = inLog();
		const searching = withoutReserve(budget, Math.min(mostNear, wanted.length));
		const located: Located[] = [];
		const sought = wanted.flatMap((each) => {
			const { id } = each;
			return id === undefined ? [] : stepped(each).map((at) => ({ ...at, id, wanted: each }));
		});
		const reads = limitedReads(forge.history, searching);
		try {
			await search.look(
				sought,
				({ wanted: each }, at) => (at === 'unread' ? failed(each) : void located.push({ wanted: each, ...at })),
				reads,
				signal,
			);
			return { located, isWhole: true };
		} catch (error) {
			if (searching.isSpent() && isAbort(error) && !signal.aborted) {
				return { located, isWhole: false };
			}
			throw error;
		}
	}

	async function take(all: readonly Located[], origin: Origin, signal: AbortSignal): Promise<void> {
		await inTurns(all, async ({ wanted, commit, entry }) => {
			const content = await forge.content(entry.id, { ref: commit, path: wanted.path }, budget, signal);
			forge.byId.wasThere(wanted.id ?? '');
			look.exact(wanted, content, origin);
		});
	}
}

/** Waits for the whole group before rejecting. */
async function inTurns<T>(all: readonly T[], work: (each: T) => Promise<void>): Promise<void> {
	for (let from = 0; from < all.length; from += atATime) {
		const done = await Promise.allSettled(all.slice(from, from + atATime).map(work));
		for (const each of done) {
			if (each.status === 'rejected') {
				throw each.reason;
			}
		}
	}
}
