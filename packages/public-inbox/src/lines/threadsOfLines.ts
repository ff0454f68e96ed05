import type { PatchMail } from 'patchmail/series/seriesReading.ts';
import { subjectPlace } from 'patchmail/series/subjectPlace.ts';
import { commitFacts, patchFacts, statedIds, titleOf, type CommitFacts, type CommittedLine } from './committedLine.ts';
import { lineQuery, longestLines, patchIdQuery, titleEnd, titleQuery } from './lineQueries.ts';
import {
	nearestTo,
	rankedThreads,
	versionOf,
	versionsWithLine,
	type Candidate,
	type LineThread,
	type ListedMail,
	type ReadThread,
} from './rankedThreads.ts';

/** Reads of one list. `M`: mails as the caller knows them. */
export interface SearchedList<M extends ListedMail> {
	/** Searches understand the prefixes of public-inbox. Other servers search for words. */
	readonly hasPrefixes: boolean;
	/** The first hits. */
	readonly search: (query: string, signal: AbortSignal) => Promise<readonly M[]>;
	/** The thread of a mail; empty if the list lacks it. `row`: the mail, if a search found it. */
	readonly thread: (messageId: string, row: M | undefined, signal: AbortSignal) => Promise<readonly M[]>;
	/** The patch in a mail of a thread. */
	readonly patch: (mail: M, signal: AbortSignal) => Promise<PatchMail | undefined>;
}

/** Reads for a commit. They serve all of its lines. */
interface KnownCommit<M> {
	readonly facts: CommitFacts;
	readonly rows: Map<string, readonly M[]>;
	readonly threads: Map<string, ReadThread<M>>;
}

const mostCommits = 100;
/** Clocks of people differ. */
const clockMs = 24 * 60 * 60_000;
const mostSearches = 3;
const mostThreads = 2;
/** Of one thread. */
const mostPatches = 200;

/**
 * Finds the mails about lines in a list. A line takes at most three searches and two threads. Known ones count, so the
 * cache changes no result.
 */
export function threadsOfLines<M extends ListedMail>(list: SearchedList<M>) {
	/** The last used one is last. */
	const commits = new Map<string, KnownCommit<M>>();

	function knownCommit(line: CommittedLine): KnownCommit<M> {
		const known = commits.get(line.commit) ?? { facts: commitFacts(line), rows: new Map(), threads: new Map() };
		commits.delete(line.commit);
		commits.set(line.commit, known);
		const [oldest] = commits.keys();
		if (commits.size > mostCommits && oldest !== undefined) {
			commits.delete(oldest);
		}
		return known;
	}

	return {
		/** The threads about the line, the best one first. Empty if the list has none. */
		async of(line: CommittedLine, signal: AbortSignal): Promise<readonly LineThread<M>[]> {
			const commit = knownCommit(line);
			const { searched, read, readNearest, candidates, threads } = readsOf(list, line, commit, signal);
			const isSettled = async (): Promise<boolean> => (await candidates()).some(({ adds }) => adds);
			const isNone = async (): Promise<boolean> => (await candidates()).length === 0;
			// Later ones may be copies for other branches.
			const inTime = (mails: readonly M[]): readonly M[] =>
				mails.filter(({ createdMs }) => createdMs <= line.committedMs + clockMs);

			const patchQuery = list.hasPrefixes ? patchIdQuery(commit.facts.patchId) : undefined;
			await read(statedIds(line.message)[0], undefined);
			const ofPatch = (await isSettled()) ? [] : await searched(patchQuery);
			await readNearest(inTime(ofPatch));
			let late = ofPatch;
			if (await isNone()) {
				const rows = await searched(titleQuery(line, list.hasPrefixes));
				const end = titleOf(titleEnd(line.subject));
				const titled = rows.filter(({ subject }) => titleOf(subject) === commit.facts.title);
				const alike = titled.length > 0 ? titled : rows.filter(({ subject }) => titleOf(subject).endsWith(end));
				await readNearest(inTime(alike));
				late = [...ofPatch, ...alike];
			}
			if (!(await isSettled())) {
				const texts = [line.text, ...longestLines(line, commit.facts)];
				const rows = inTime(await searched(list.hasPrefixes ? lineQuery(line, texts) : undefined));
				await readNearest(rows);
				if (!(await isSettled())) {
					await readNearest(rows.filter(({ messageId }) => !threads.some(({ names }) => names.has(messageId))));
				}
			}
			if (await isNone()) {
				await readNearest(late);
			}
			// Each version may have a thread of its own.
			const [form] = versionsWithLine(await candidates());
			const isBefore = (mail: M): boolean => form !== undefined && versionOf(mail) < form.version;
			if (form && form.version > 1 && !threads.some(({ patches }) => patches.some(isBefore))) {
				const inText = list.hasPrefixes ? lineQuery(line, [line.text]) : undefined;
				const rows = await searched(inText ?? titleQuery(line, list.hasPrefixes));
				const earlier = inTime(rows).filter(isBefore);
				const lowest = earlier.reduce((least, mail) => Math.min(least, versionOf(mail)), Number.POSITIVE_INFINITY);
				await readNearest(earlier.filter((mail) => versionOf(mail) === lowest));
			}
			return rankedThreads(threads, await candidates(), line.authoredMs);
		},
	};
}

/** Searches and threads for one line. */
function readsOf<M extends ListedMail>(
	list: SearchedList<M>,
	line: CommittedLine,
	{ facts, rows, threads: known }: KnownCommit<M>,
	signal: AbortSignal,
) {
	const threads: ReadThread<M>[] = [];
	const asked = new Set<string>();

	/** Hits that are no replies. */
	async function searched(query: string | undefined): Promise<readonly M[]> {
		if (query === undefined || (asked.size === mostSearches && !asked.has(query))) {
			return [];
		}
		asked.add(query);
		const isNoReply = ({ subject }: M): boolean => subjectPlace(subject)?.isReply !== true;
		const found = rows.get(query) ?? (await list.search(query, signal)).filter(isNoReply);
		rows.set(query, found);
		return found;
	}

	async function read(messageId: string | undefined, row: M | undefined): Promise<void> {
		if (
			messageId === undefined ||
			threads.length === mostThreads ||
			threads.some(({ names }) => names.has(messageId))
		) {
			return;
		}
		const thread = known.get(messageId) ?? threadOf(await list.thread(messageId, row, signal), messageId, row);
		known.set(messageId, thread);
		threads.push(thread);
	}

	async function readNearest(mails: readonly M[]): Promise<void> {
		const mail = nearestTo(line.authoredMs, mails);
		await read(mail?.messageId, mail);
	}

	async function compared(thread: ReadThread<M>, mails: readonly M[]): Promise<readonly Candidate<M>[]> {
		const found: Candidate<M>[] = [];
		for (const mail of mails) {
			if (!thread.compared.has(mail)) {
				const patch = await list.patch(mail, signal);
				thread.compared.set(mail, patch && patchFacts(patch, mail.subject, facts));
			}
			const patch = thread.compared.get(mail);
			const adds = patch?.adds(line) === true;
			if (patch && (patch.isSame || patch.isAlike)) {
				found.push({ thread, mail, version: versionOf(mail), isSame: patch.isSame, adds });
			}
		}
		return found;
	}

	return {
		threads,
		searched,
		read,
		readNearest,
		/** Patches of the threads that may be that of the line. Those with its subject come first, and may be enough. */
		candidates: async (): Promise<readonly Candidate<M>[]> => {
			const found: (readonly Candidate<M>[])[] = [];
			for (const thread of threads) {
				const titled = thread.patches.filter(({ subject }) => titleOf(subject) === facts.title);
				const same = await compared(thread, titled);
				const versions = new Set(titled.map(versionOf));
				const isWhole = same.some(({ adds }) => adds) && thread.patches.every((mail) => versions.has(versionOf(mail)));
				found.push(isWhole ? same : await compared(thread, thread.patches.slice(0, mostPatches)));
			}
			return found.flat();
		},
	};
}

function threadOf<M extends ListedMail>(mails: readonly M[], named: string, row: M | undefined): ReadThread<M> {
	return {
		names: new Set(mails.map(({ messageId }) => messageId)),
		patches: mails.filter(({ subject }) => subjectPlace(subject)?.isReply === false),
		compared: new Map(),
		stated: row ? undefined : mails.find(({ messageId }) => messageId === named),
	};
}
