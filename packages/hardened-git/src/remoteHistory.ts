import type { Buffer } from 'node:buffer';
import { join } from 'node:path';
import { isAbort } from '@forge-desk/base/abort.ts';
import { SharedReads } from '@forge-desk/base/sharedFlights.ts';
import { GitFailure } from './gitFailure.ts';
import { isLine } from './gitNames.ts';
import { historyCommands, type FetchedPart } from './historyCommands.ts';
import { type GitPlace, outputOf } from './hardenedGit.ts';
import {
	addressDigest,
	canGrow,
	copyHistory,
	dropHistory,
	historiesIn,
	isShallow,
	makeHistory,
	noteUse,
	tidyHistories,
	type KeptHistory,
	type Reach,
} from './keptHistories.ts';
import { limitedFetch } from './limitedFetch.ts';
import { looseBlob } from './looseBlob.ts';
import { borrow, inPrivateFolder } from './ownFolder.ts';

/** A file in a commit. */
export interface VersionInHistory {
	readonly path: string;
	/** Full blob id. */
	readonly id: string;
	readonly commit: string;
}

/** A repository on a server, for one account. */
export interface HistoryPlace {
	/** Name of the account's folder. */
	readonly room: string;
	/** The first working one counts. */
	readonly addresses: readonly string[];
}

/** Files whose versions are wanted. */
export interface HistoryQuestion {
	readonly paths: readonly string[];
	/** A history that was fetched later than this is new enough. */
	readonly sinceMs: number;
	/** `near`: the newest commits of the default branch. `whole`: everything that fits into the larger limit. */
	readonly reach: 'near' | 'whole';
}

export interface HistoryLimits {
	readonly nearCommits: number;
	readonly nearMebibytes: number;
	readonly wholeMebibytes: number;
	/** All files of one question. */
	readonly filesMebibytes: number;
}

export const historyLimits: HistoryLimits = {
	nearCommits: 4096,
	nearMebibytes: 32,
	wholeMebibytes: 256,
	filesMebibytes: 64,
};

const nearMs = 30_000;
const wholeMs = 60 * 60_000;
/** Of a large history only commits up to this age before the message are fetched. */
const largeMs = 180 * 86_400_000;

/**
 * Histories of server repositories without files, kept below `root`. One question costs at most two runs of git, and
 * its files one more. Methods throw `GitFailure`.
 */
export function remoteHistory(
	{ git, tempFolder, root, nowMs }: GitPlace & { readonly root: string; readonly nowMs: () => number },
	limits: HistoryLimits = historyLimits,
) {
	const fetches = new SharedReads<KeptHistory>();
	/** Repositories that took too long in this session. */
	const slow = new Set<string>();
	/** The working address, by the first one. */
	const working = new Map<string, string>();

	/** Tries one address after the other, from the one that worked before. */
	async function byAny<T>(addresses: readonly string[], read: (address: string) => Promise<T>): Promise<T> {
		const [first = ''] = addresses;
		const known = working.get(first);
		let failure = new GitFailure({ kind: 'refused', what: 'address' });
		for (const address of known === undefined ? addresses : [known]) {
			try {
				const result = await read(address);
				working.set(first, address);
				return result;
			} catch (error) {
				if (!(error instanceof GitFailure) || error.problem.kind !== 'failed') {
					throw error;
				}
				working.delete(first);
				failure = error;
			}
		}
		throw failure;
	}

	async function fetchHistory(
		folder: string,
		addresses: readonly string[],
		{ part, isNear }: { readonly part: FetchedPart; readonly isNear: boolean },
		signal: AbortSignal,
	): Promise<void> {
		const mostMebibytes = isNear ? limits.nearMebibytes : limits.wholeMebibytes;
		await byAny(addresses, async (address) => {
			const command = historyCommands.fetchHistory(address, part, isNear ? nearMs : wholeMs);
			const { code, complaint } = await limitedFetch(git, command, { folder, mostMebibytes }, signal);
			if (code !== 0) {
				throw new GitFailure({ kind: 'failed', program: 'git' }, complaint);
			}
		});
	}

	/** Fetches a history, from `before` on if there is one. */
	async function fetched(
		{ room, addresses }: HistoryPlace,
		{ sinceMs, reach }: HistoryQuestion,
		known: readonly KeptHistory[],
		signal: AbortSignal,
	): Promise<KeptHistory> {
		const [digest, startedMs] = [addressDigest(addresses[0] ?? ''), nowMs()];
		const folder = join(root, room);
		const isLarge = known.some((each) => each.reach === 'large');
		const last = known.find((each) => each.reach === 'whole') ?? known.find((each) => each.reach === 'near');
		const before = last && (await canGrow(last)) ? last : undefined;
		const made = async (): Promise<KeptHistory> =>
			await makeHistory(folder, { digest, startedMs }, async (own) => {
				await (before ? copyHistory(before, own) : borrow(own, undefined, 'sha1'));
				const part = await partToFetch(own);
				await fetchHistory(own, addresses, { part, isNear: reach === 'near' }, signal);
				return part.kind === 'whole' || before?.reach === 'whole' ? 'whole' : 'near';
			});
		async function partToFetch(own: string): Promise<FetchedPart> {
			if (reach === 'whole' && isLarge) {
				return { kind: 'since', seconds: Math.floor((sinceMs - largeMs) / 1000) };
			}
			if (reach === 'whole') {
				return { kind: 'whole', isShallow: await isShallow(own) };
			}
			return before ? { kind: 'update' } : { kind: 'newest', commits: limits.nearCommits };
		}
		try {
			return await made();
		} catch (error) {
			const problem = error instanceof GitFailure && reach === 'near' ? error.problem.kind : undefined;
			if (problem === 'tooMuch') {
				await makeHistory(folder, { digest, startedMs }, async () => 'large');
			} else if (problem === 'tooSlow') {
				slow.add(digest);
			}
			throw error;
		} finally {
			await tidyHistories(root, startedMs);
		}
	}

	/** `isNew`: false for an older history that could not be updated. */
	async function kept(
		place: HistoryPlace,
		question: HistoryQuestion,
		signal: AbortSignal,
	): Promise<{ readonly history: KeptHistory; readonly isNew: boolean }> {
		const { sinceMs, reach } = question;
		const digest = addressDigest(place.addresses[0] ?? '');
		const known = await historiesIn(join(root, place.room), digest, nowMs());
		const reaches: readonly Reach[] = reach === 'near' ? ['near', 'whole'] : ['whole'];
		const fit = known.filter((each) => reaches.includes(each.reach));
		const isFresh = ({ startedMs }: KeptHistory): boolean => startedMs >= sinceMs;
		const fresh = fit.find((each) => each.reach === 'whole' && isFresh(each)) ?? fit.find(isFresh);
		if (fresh) {
			return { history: fresh, isNew: true };
		}
		if (reach === 'near' && fit.length === 0 && known.length > 0) {
			throw new GitFailure({ kind: 'tooMuch' });
		}
		try {
			if (reach === 'near' && slow.has(digest)) {
				throw new GitFailure({ kind: 'tooSlow' });
			}
			const read = (shared: AbortSignal): Promise<KeptHistory> => fetched(place, question, known, shared);
			const history = await fetches.read(`${place.room} ${digest} ${reach}`, read, signal);
			return { history, isNew: true };
		} catch (error) {
			const [older] = fit;
			if (!older || isAbort(error)) {
				throw error;
			}
			return { history: older, isNew: false };
		}
	}

	return {
		/** Versions of files in the fetched commits. `isWhole`: the fetched branches have no other commits. */
		versions: async (place: HistoryPlace, question: HistoryQuestion, signal: AbortSignal) => {
			const paths = question.paths.filter(isLine);
			const { history, isNew } = await kept(place, question, signal);
			await noteUse(history, nowMs());
			try {
				const output = await outputOf(git, history.folder, historyCommands.versions(paths), signal);
				return { versions: versionsIn(output), isWhole: isNew && !(await isShallow(history.folder)) };
			} catch (error) {
				// A damaged history would fail for ever.
				if (error instanceof GitFailure && error.problem.kind === 'failed') {
					await dropHistory(history);
				}
				throw error;
			}
		},
		/** Files that match their ids. Skips too large ones. */
		contents: ({ addresses }: HistoryPlace, ids: readonly string[], signal: AbortSignal) =>
			inPrivateFolder(tempFolder, async (own): Promise<ReadonlyMap<string, Uint8Array>> => {
				await borrow(own, undefined, 'sha1');
				await byAny(addresses, async (address) => {
					const place = { folder: own, mostMebibytes: limits.filesMebibytes };
					const { code, complaint } = await limitedFetch(git, historyCommands.fetchBlobs(address, ids), place, signal);
					if (code !== 0) {
						throw new GitFailure({ kind: 'failed', program: 'git' }, complaint);
					}
				});
				const found = new Map<string, Uint8Array>();
				for (const id of ids) {
					const content = await looseBlob(own, id);
					if (content) {
						found.set(id, content);
					}
				}
				return found;
			}),
	};
}

/** Parses `git log --raw -z --format=%H`: an id, then pairs of a raw line and its path. */
export function versionsIn(output: Buffer): readonly VersionInHistory[] {
	const found = new Map<string, VersionInHistory>();
	const parts = output.toString('utf8').split('\0');
	let commit = '';
	for (let at = 0; at < parts.length; at += 1) {
		const part = (parts[at] ?? '').replace(/^\n/, '');
		const [, mode, id = ''] = /^:\d{6} (\d{6}) [0-9a-f]+ ([0-9a-f]+) [A-Z]\d*$/.exec(part) ?? [];
		if (mode === undefined) {
			commit = part;
			continue;
		}
		at += 1;
		const path = parts[at] ?? '';
		// A deletion has mode 000000, a submodule 160000.
		if (mode.startsWith('10') || mode === '120000') {
			const key = `${id} ${path}`;
			found.set(key, found.get(key) ?? { path, id, commit });
		}
	}
	return [...found.values()];
}
