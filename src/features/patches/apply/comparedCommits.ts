import { resting, runResting, turns, type Steps } from '@forge-desk/base/timeSlice.ts';
import type { Clock } from '@forge-desk/base/clock.ts';
import { submoduleBytes } from 'patchmail/git/submoduleBytes.ts';
import { authorIn } from 'patchmail/mail/personIn.ts';
import { byteText } from 'patchmail/patch/byteText.ts';
import type { FileDiff } from 'patchmail/patch/fileDiff.ts';
import { isChangeOfHunks } from 'patchmail/patch/mergedChange.ts';
import type { FileThere, FileVerdict } from 'patchmail/patch/tryFile.ts';
import { trySeries, type SeriesTrial, type TrialParts } from 'patchmail/patch/trySeries.ts';
import type { MailChange } from 'patchmail/series/mailForGit.ts';
import { authorKey } from 'patchmail/series/offeredLines.ts';
import type { SeriesPatch } from 'patchmail/series/seriesReading.ts';
import type { MadeCommit } from 'hardened-git/applyState.ts';
import { GitFailure } from 'hardened-git/gitFailure.ts';
import { changedPaths, isNone, isUnseen } from './patchedFiles.ts';

/*
 * Commits that git made of a series, compared with the shown patches: paths, modes, contents, author, date and message.
 */

/** A commit that differs from its patch. */
export interface OtherCommit {
	/** Number of the patch; 0 if the series has no patch for the commit. */
	readonly index: number;
	readonly commit: string;
	readonly texts: readonly OtherText[];
	readonly files: readonly OtherFile[];
}

interface OtherText {
	readonly kind: 'author' | 'date' | 'message';
	readonly shown: string;
	readonly committed: string;
}

export interface OtherFile {
	readonly path: string;
	/**
	 * `unnamed`: no diff of the patch has the path. `untried`: too large to compare. `stated`: the patch states another
	 * blob id. `unseen`: a binary file that the patch does not contain.
	 */
	readonly kind: 'other' | 'unnamed' | 'untried' | 'stated' | 'unseen';
	/** `undefined` for no file. */
	readonly shown: FileSide | undefined;
	readonly committed: FileSide | undefined;
}

interface FileSide {
	readonly mode: string;
	/** `undefined` if unknown. */
	readonly content: Uint8Array | undefined;
}

/** Commits and the contents of their files by blob id. */
interface Made {
	readonly commits: readonly MadeCommit[];
	readonly contents: ReadonlyMap<string, Uint8Array>;
}

/** The patches given to git. */
export interface ShownSeries {
	readonly patches: readonly SeriesPatch[];
	/** Trailers and authors added to each mail. */
	readonly added: readonly MailChange['trailers'][];
	/** Reads a file of the commit before the first patch. */
	readonly read: TrialParts['read'];
}

/**
 * Compares each commit with its patch, on the files of its own parent. So a merge or a resolved conflict hides no other
 * patch. Our parser decides about a file. Where it finds no exact place, git has merged the file; then each changed
 * line must be a line of the diff.
 */
export async function comparedCommits(
	clock: Clock,
	{ patches, added, read }: ShownSeries,
	{ commits, contents }: Made,
	signal: AbortSignal,
): Promise<readonly OtherCommit[]> {
	const places = placesOf(patches, added, commits);
	/** Files after the commits so far; `undefined` for unknown contents. */
	const now = new Map<string, FileThere | undefined>();
	const others: OtherCommit[] = [];
	for (const [at, commit] of commits.entries()) {
		const place = places[at];
		const patch = place === undefined ? undefined : patches[place];
		const texts = patch ? otherTexts(patch, added[place ?? 0], commit) : [];
		const unknown = new Set<string>();
		const changed = new Map(commit.files.map((file) => [file.path, file]));
		const before = async (path: string, reading: AbortSignal): Promise<FileThere> => {
			const change = changed.get(path);
			const content = change && contentOf(change.before, change.beforeMode, contents);
			if (change && content) {
				return { kind: 'file', content, mode: change.beforeMode };
			}
			const known = now.has(path) ? now.get(path) : await readIfSmall(read, path, reading);
			if (change && isNone(change.before)) {
				return known?.kind === 'notFile' ? known : { kind: 'missing' };
			}
			if (change || !known) {
				unknown.add(path);
			}
			return known ?? { kind: 'missing' };
		};
		const files = await otherFiles(clock, { patch, commit, contents, unknown, before }, signal);
		if (!patch || texts.length + files.length > 0) {
			others.push({ index: patch?.index ?? 0, commit: commit.id, texts, files });
		}
		for (const { path, after, afterMode } of commit.files) {
			const content = contentOf(after, afterMode, contents);
			now.set(path, isNone(after) ? { kind: 'missing' } : content && { kind: 'file', content, mode: afterMode });
		}
	}
	return others;
}

/** `undefined` for a file that is too large. */
async function readIfSmall(read: TrialParts['read'], path: string, signal: AbortSignal) {
	try {
		return await read(path, signal);
	} catch (error) {
		if (error instanceof GitFailure && error.problem.kind === 'tooMuch') {
			return undefined;
		}
		throw error;
	}
}

/** Position of each commit's patch. Git and people skip patches; people also add commits. */
function placesOf(
	patches: readonly SeriesPatch[],
	added: readonly MailChange['trailers'][],
	commits: readonly MadeCommit[],
): readonly (number | undefined)[] {
	let at = 0;
	const sure = commits.map((commit) => {
		const found = patches.findIndex(
			(patch, place) => place >= at && otherTexts(patch, added[place], commit).length === 0,
		);
		at = found === -1 ? at : found + 1;
		return found === -1 ? undefined : found;
	});
	at = 0;
	return sure.map((found, commit) => {
		if (found !== undefined) {
			at = found + 1;
			return found;
		}
		const next = sure.find((each, later) => later > commit && each !== undefined) ?? patches.length;
		return at < next ? at++ : undefined;
	});
}

/** Ignores blanks, and for names also the signs that git removes around them. */
export function otherTexts(
	{ mail, patch }: SeriesPatch,
	added: MailChange['trailers'] = [],
	{ name, address, dateSeconds, message }: MadeCommit,
): readonly OtherText[] {
	const chosen = added.find(({ key }) => key === authorKey);
	const author = chosen ? authorIn(chosen.value) : patch.author;
	const body = patch.gitMessage ?? patch.message;
	const there = body.split('\n');
	const trailers = added.filter(({ key }) => key !== authorKey).map(({ key, value }) => `${key}: ${value}`);
	const lines = [patch.subject, '', body, ...trailers.filter((line) => !there.includes(line))].join('\n');
	const [shownName, shownAddress] = [author?.name === '' ? author.address : author?.name, author?.address].map(
		(each = '') => each,
	);
	const dateMs = mail.reading.kind === 'raw' ? undefined : mail.reading.mail.dateMs;
	const found: (OtherText | false)[] = [
		(words(shownName) !== words(name) || words(shownAddress) !== words(address)) && {
			kind: 'author',
			shown: `${shownName} <${shownAddress}>`,
			committed: `${name} <${address}>`,
		},
		(dateMs === undefined || Math.floor(dateMs / 1000) !== dateSeconds) && {
			kind: 'date',
			shown: dateMs === undefined ? '' : new Date(dateMs).toISOString(),
			committed: new Date(dateSeconds * 1000).toISOString(),
		},
		signs(lines) !== signs(message) && { kind: 'message', shown: lines, committed: message },
	];
	return found.filter((each) => each !== false);
}

function words(text = ''): string {
	return text.replaceAll(/[\s\p{Cc}.,:;<>"'\\]/gu, '');
}

function signs(text: string): string {
	return text.replaceAll(/\s/g, '');
}

interface Comparing {
	/** `undefined` if the series has no patch for the commit. */
	readonly patch: SeriesPatch | undefined;
	readonly commit: MadeCommit;
	readonly contents: Made['contents'];
	/** Paths whose content is too large. `before` adds them. */
	readonly unknown: ReadonlySet<string>;
	/** Reads a file of the commit's parent. */
	readonly before: TrialParts['read'];
}

async function otherFiles(
	clock: Clock,
	{ patch, commit, contents, unknown, before }: Comparing,
	signal: AbortSignal,
): Promise<readonly OtherFile[]> {
	const shown = patch ? await shownTrial(clock, [patch], before, () => false, signal) : undefined;
	// The verdicts are about these, and so are the places of their hunks.
	const diffs = (patch?.patch.bytes.diff.files ?? []).map((diff, at) => ({
		diff,
		verdict: shown?.verdicts[0]?.files[at],
	}));
	const byPath = Map.groupBy(
		diffs.flatMap((each) => changedPaths(each.diff).map((path) => ({ ...each, path }))),
		({ path }) => path,
	);
	const changes = new Map(commit.files.map((file) => [file.path, file]));
	const sideOf = (there: FileThere | undefined): FileSide | undefined =>
		there?.kind === 'file' ? { mode: there.mode ?? '100644', content: there.content } : undefined;
	const kindOf = async (path: string, committed: FileSide | undefined): Promise<OtherFile['kind'] | undefined> => {
		const own = byPath.get(path);
		const change = changes.get(path);
		if (!own) {
			return 'unnamed';
		}
		const isTakenUnseen =
			change &&
			own.some(
				({ diff }) =>
					isUnseen(diff) && diff.newId === change.after && (diff.newMode ?? change.afterMode) === change.afterMode,
			);
		if (isTakenUnseen) {
			return 'unseen';
		}
		const sources = [path, ...own.flatMap(({ diff: { oldPath } }) => oldPath ?? [])];
		const isTooMuch = own.some(
			({ verdict }) =>
				verdict?.kind === 'conflict' && (verdict.reason === 'tooLarge' || verdict.reason === 'tooMuchWork'),
		);
		if (sources.some((each) => unknown.has(each)) || (committed && !committed.content) || isTooMuch) {
			return 'untried';
		}
		if (own.every(isSure)) {
			return isSameSide(sideOf(shown?.after.get(path)), committed) ? undefined : 'other';
		}
		if (!own.every(mayBeMerged)) {
			return 'other';
		}
		if (!change) {
			return undefined;
		}
		const from = sideOf(await before(own[0]?.diff.oldPath ?? path, signal));
		const isMergedAsShown = await runResting(isOfDiffs(own, patch, from, committed), resting(clock), signal);
		return isMergedAsShown ? undefined : 'other';
	};
	const others: OtherFile[] = [];
	for (const path of new Set([...byPath.keys(), ...changes.keys()])) {
		const change = changes.get(path);
		const committed = change
			? isNone(change.after)
				? undefined
				: { mode: change.afterMode, content: contentOf(change.after, change.afterMode, contents) }
			: sideOf(await before(path, signal));
		const kind = await kindOf(path, committed);
		if (kind) {
			others.push({ path, kind, shown: sideOf(shown?.after.get(path)), committed });
		}
	}
	return others;
}

type TriedDiff = { readonly diff: FileDiff; readonly verdict: FileVerdict | undefined };

function isSure({ verdict }: TriedDiff): boolean {
	return verdict?.kind === 'alreadyApplied' || (verdict?.kind === 'applies' && verdict.fuzz === 0);
}

/** Git merges a sound diff whose place our parser does not find. It applies damaged ones elsewhere. */
function mayBeMerged(tried: TriedDiff): boolean {
	const { verdict } = tried;
	return (
		isSure(tried) ||
		verdict?.kind === 'applies' ||
		(verdict?.kind === 'conflict' && ['noMatch', 'missing', 'exists', 'afterConflict'].includes(verdict.reason))
	);
}

function isSameSide(one: FileSide | undefined, other: FileSide | undefined): boolean {
	return one && other
		? one.mode === other.mode &&
				byteText(one.content ?? new Uint8Array()) === byteText(other.content ?? new Uint8Array())
		: one === other;
}

/** Whether the change of a merged file consists of lines of its diff, and of its mode. */
function* isOfDiffs(
	[only, ...more]: readonly TriedDiff[],
	patch: SeriesPatch | undefined,
	before: FileSide | undefined,
	after: FileSide | undefined,
): Steps<boolean> {
	if (!only || !patch || more.length > 0 || only.diff.content.kind !== 'text') {
		return false;
	}
	const { oldMode, newMode, newPath, change, content } = only.diff;
	if (!after) {
		return newPath === undefined || change === 'renamed';
	}
	const mode = newMode === oldMode ? before?.mode : newMode;
	if (newPath === undefined || (mode !== undefined && after.mode !== mode)) {
		return false;
	}
	const [old, young] = [before, after].map((side) => byteText(side?.content ?? new Uint8Array()));
	return yield* isChangeOfHunks(old ?? '', young ?? '', patch.patch.bytes.diffText, content.hunks);
}

/** Our own parser's result of the patches. */
export function shownTrial(
	clock: Clock,
	patches: readonly SeriesPatch[],
	read: TrialParts['read'],
	isCommitted: (patch: SeriesPatch) => boolean,
	signal: AbortSignal,
): Promise<SeriesTrial> {
	const committed = patches.map(isCommitted);
	return trySeries(
		{
			patches: patches.map(({ patch }) => patch.bytes),
			read,
			isCommitted: (at) => committed[at] ?? false,
			turn: turns(clock),
		},
		signal,
	);
}

function contentOf(id: string, mode: string, contents: Made['contents']): Uint8Array | undefined {
	return mode === '160000' ? submoduleBytes(id) : contents.get(id);
}
