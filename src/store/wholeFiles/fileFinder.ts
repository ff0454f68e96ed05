import { isAbort } from '@forge-desk/base/abort.ts';
import { isForgeError, type Problem } from 'sourcehut/port/forgeError.ts';
import type { Commit, TreeEntry } from 'sourcehut/port/repository.ts';
import { isObjectId } from 'patchmail/git/objectId.ts';
import { searchBudget, type SearchBudget, limitedReads, withoutReserve } from '../repositories/history/historyReads.ts';
import { isBlob, unreadEntry } from '../repositories/repositoryEntries.ts';
import type { GitFindings, GitSearch } from './gitSearch.ts';
import { entriesAt, stepped, LogSearch } from './logSearch.ts';
import {
	wantedKey,
	type FoundFile,
	type PatchBase,
	type WantedFile,
	type Missing,
	type ObjectsOfForge,
	type ObjectsOfClone,
	type FoundBefore,
	type Origin,
} from './preImage.ts';

/** Limit of guesses by path, which prove nothing. */
const mostNear = 10;

const saysNoSuchCommit: ReadonlySet<Problem['kind']> = new Set(['notFound', 'notUnderstood', 'invalid']);

/** Requests before git fetches the history: most patches are made from one of the newest commits. */
const recentRequests = 12;

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

/** Sources of pre-images; each may be absent. */
export interface FileSources {
	readonly before: FoundBefore | undefined;
	readonly clone: ObjectsOfClone | undefined;
	readonly forge: ObjectsOfForge | undefined;
	/** Commits that the forge would only show one by one. */
	readonly history: GitSearch | undefined;
}

/** Finds the pre-images of patches. */
export type FileFinder = ReturnType<typeof fileFinder>;

/**
 * Searches the cheapest sources first: earlier findings, a clone, the forge by id, the patch's base commit, the newest
 * commits up to the time of the mail, and all commits through git. Without git, searches older commits of the forge. All
 * verify the content by its id. Otherwise, guesses the content from the path at the time of the patch.
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
			const isApart = (each: WantedFile): boolean => !asked.has(wantedKey(each));
			if (sources.history && look.left().some(isApart)) {
				await look.inHistory(sources.history, signal);
			}
			look.leaveOut('tooMany', isApart);
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
			sources.history?.begin(how);
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
	readonly sources: FileSources;
	readonly #left: Map<string, WantedFile>;

	constructor(wanted: readonly WantedFile[], sources: FileSources) {
		this.sources = sources;
		this.#left = new Map(wanted.map((each) => [wantedKey(each), each]));
		this.leaveOut('badPath', (each) => stepped(each).length === 0);
	}

	left(): readonly WantedFile[] {
		return [...this.#left.values()];
	}

	isLeft(wanted: WantedFile): boolean {
		return this.#left.has(wantedKey(wanted));
	}

	settle(wanted: WantedFile, found: FoundFile): void {
		const key = wantedKey(wanted);
		if (this.#left.delete(key)) {
			this.results.set(key, found);
		}
	}

	exact(wanted: WantedFile, content: Uint8Array, origin: Origin): void {
		if (wanted.id !== undefined && origin !== 'found before') {
			this.sources.before?.note(wanted.id, content);
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
			const content = each.id === undefined ? undefined : await this.sources.before?.content(each.id);
			if (content) {
				this.exact(each, content, 'found before');
			}
		}
	}

	async inClone(signal: AbortSignal): Promise<void> {
		const ids = new Set(this.left().flatMap(({ id }) => (id === undefined ? [] : [id])));
		const contents = ids.size === 0 ? undefined : await this.sources.clone?.contents([...ids], signal);
		for (const each of contents ? this.left() : []) {
			const content = each.id === undefined ? undefined : contents?.get(each.id);
			if (content) {
				this.exact(each, content, 'clone');
			}
		}
	}

	/** Also notes the contents of other files of the series. */
	async inHistory(history: GitSearch, signal: AbortSignal): Promise<GitFindings> {
		const found = await history.find(this.left(), signal);
		for (const { wanted, content } of found.located) {
			if (content) {
				this.exact(wanted, content, 'history');
			}
		}
		found.ambiguous.forEach((each) => this.settle(each, { kind: 'none', missing: 'ambiguous' }));
		return found;
	}
}

type Rooted = Pick<Commit, 'id' | 'tree'>;

/** A wanted file with its location. */
interface Located {
	readonly wanted: WantedFile;
	readonly commit: string;
	/** Full blob id. */
	readonly id: string;
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
			return isIt ? [{ wanted: each, commit: based.id, id: entry.id }] : [];
		});
		await take(located, 'base commit', signal);
	}
	if (inLog().length === 0) {
		return;
	}
	const { history } = look.sources;
	let { newest, isWhole } = await inCommits(
		history ? withoutReserve(budget, Math.max(0, budget.left() - recentRequests)) : budget,
		history ? 0 : Math.min(mostNear, inLog().length),
		signal,
	);
	let missing: Missing = isWhole ? 'notThere' : 'budget';
	let error: unknown;
	if (history && inLog().length > 0) {
		const found = await look.inHistory(history, signal);
		await take(
			found.located.map(({ wanted, version: { commit, id } }) => ({ wanted, commit, id })),
			'history',
			signal,
		);
		if (found.missing === undefined && inLog().length > 0) {
			({ newest, isWhole } = await inCommits(budget, Math.min(mostNear, inLog().length), signal));
			missing = isWhole ? 'notThere' : found.isTooLarge ? 'tooLarge' : 'budget';
		} else {
			missing = found.missing ?? missing;
		}
		({ error } = found);
	}
	const nearest = based ?? newest;
	if (nearest) {
		const wanted = inLog().slice(0, mostNear);
		const entries = await entriesAt(reads, nearest, wanted.flatMap(stepped), signal);
		await inTurns(wanted, async (each) => {
			const entry = readOf(entries, each);
			if (entry && isBlob(entry)) {
				const at = { ref: nearest.id, path: each.path };
				const content = await forge.content(entry.id, at, budget, signal);
				look.settle(each, { kind: 'near', content, commit: nearest.id, missing });
			}
		});
	}
	look.giveUp(missing, error);

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

	/**
	 * Searches commits up to the time of the mail. `reserve`: requests that stay for other contents. `isWhole`: no commit
	 * is left to search.
	 */
	async function inCommits(
		within: SearchBudget,
		reserve: number,
		signal: AbortSignal,
	): Promise<{ readonly newest: Commit | undefined; readonly isWhole: boolean }> {
		const wanted = inLog();
		const searching = withoutReserve(within, reserve);
		const located: Located[] = [];
		const sought = wanted.flatMap((each) => {
			const { id } = each;
			return id === undefined ? [] : stepped(each).map((at) => ({ ...at, id, wanted: each }));
		});
		let newest: Commit | undefined;
		let isWhole = true;
		try {
			const head = (): Promise<string | undefined> => forge.head(base.sentMs, within, signal);
			newest = await search.newest(head, limitedReads(forge.history, within), signal);
			await search.look(
				sought,
				({ wanted: each }, at) => {
					if (at === 'unread') {
						failed(each);
					} else {
						located.push({ wanted: each, commit: at.commit, id: at.entry.id });
					}
				},
				limitedReads(forge.history, searching),
				signal,
			);
		} catch (error) {
			if (!(searching.isSpent() || within.isSpent()) || !isAbort(error) || signal.aborted) {
				throw error;
			}
			isWhole = false;
		}
		await take(located, 'log', signal);
		return { newest, isWhole };
	}

	async function take(all: readonly Located[], origin: Origin, signal: AbortSignal): Promise<void> {
		await inTurns(
			all.filter(({ wanted }) => look.isLeft(wanted)),
			async ({ wanted, commit, id }) => {
				const content = await forge.content(id, { ref: commit, path: wanted.path }, budget, signal);
				forge.byId.wasThere(wanted.id ?? '');
				look.exact(wanted, content, origin);
			},
		);
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
