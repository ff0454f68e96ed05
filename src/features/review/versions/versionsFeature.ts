import * as vscode from 'vscode';
import { isAbort } from '@forge-desk/base/abort.ts';
import { openUri } from '../../../editor/documents/showDocument.ts';
import { onDispose, type Disposable } from '@forge-desk/base/lifecycle.ts';
import { resting, runResting } from '@forge-desk/base/timeSlice.ts';
import { notify, tellBriefly } from '../../../editor/ask/notify.ts';
import { withProgress } from '../../../editor/ask/progress.ts';
import type { CommandTable } from '../../../editor/commands/feature.ts';
import { isRecord, connectionOf } from '../../../editor/commands/subjects.ts';
import type { FilePlace, FileSpan } from 'patchmail/patch/patchChain.ts';
import { leastSure, type CombinedFile } from '../../../editor/patchDocuments/combinedFiles.ts';
import { endForLines, wholeSide, type PlacedPatch } from '../../../editor/patchDocuments/patchDiffs.ts';
import type { FoundFile } from '../../../editor/patchDocuments/fullFileTexts.ts';
import { isDoubtful } from 'patchmail/series/versions.ts';
import { interdiff, type FileBetween } from 'patchmail/review/interdiff.ts';
import { seriesAlone } from '../../../store/lists/patchsets/seriesAlone.ts';
import { searchBudget, withoutReserve, type SearchBudget } from '../../../store/repositories/history/historyReads.ts';
import { finderLimits } from '../../../store/wholeFiles/fileFinder.ts';
import { visibleLine } from '../../../engine/text/visible.ts';
import { type DiffContext, readSeries, tellUnread, openMany } from '../../patches/diffs/openDiffs.ts';
import { placedSeries, searchedSeries } from '../../patches/diffs/wholeSearch.ts';
import { textFiles } from '../../lists/mail/textFiles.ts';
import type { ListsContext } from '../../lists/context/listsContext.ts';
import { placeOfVersionUri, versionUri, type VersionPair } from '../../lists/subjects/versionUri.ts';
import { hunksBetween, rangeDiffOf, sideText, type ReadPair } from './versionTexts.ts';
import { cancelled, choose, type Choice } from '../../../editor/ask/ask.ts';
import type { Patchset } from 'sourcehut/port/list.ts';
import type { PatchsetReview, SeriesVersion } from '../../../store/lists/patchsets/patchsetReview.ts';
import { patchsetChoice } from '../../lists/subjects/listQuestions.ts';
import { patchsetTarget } from '../../lists/subjects/listTargets.ts';
import type { PatchsetSubject } from '../../lists/subjects/subjects.ts';
import { showOwnComments } from './ownComments.ts';
import { lastReviewed } from '../comments/lastReviewed.ts';

/** Versions of a series beside each other. */
export function versions(context: DiffContext) {
	const files = versionFiles(context);
	const commands: CommandTable = {
		'forge.patchsets.compareVersions': async (subject, signal) => {
			const { pair, earlier, later } = await chooseVersions(context, subject, signal);
			const title = `v${earlier.version}..v${later.version} ${visibleLine(later.subject).replaceAll('/', '\u2215')}`;
			const uri = versionUri({ pair, view: { kind: 'rangeDiff' } }, `${title}.range-diff`);
			// Loads the mails here to show a failure with a next step. The document reuses them.
			await withProgress(vscode.l10n.t('Comparing versions…'), signal, (working) => readPair(context, pair, working));
			await openUri(uri, { preview: true });
		},
		'forge.patchsets.openVersionChanges': async (subject, signal) =>
			openChanges(context, await chooseVersions(context, subject, signal), signal),
		'forge.patchsets.ownComments': async (subject, signal) =>
			showOwnComments(context, await patchsetTarget(context, subject, signal), signal),
		'forge.patchsets.openChangesSinceReview': async (subject, signal) => {
			const patchset = await patchsetTarget(context, subject, signal);
			const { review, reviewed, unread } = await readVersions(context, patchset, signal);
			const [failure] = unread;
			if (!reviewed && failure) {
				// An unreadable version may be the reviewed one.
				throw failure;
			}
			if (!reviewed) {
				const title = visibleLine(review.patchset.subject);
				void notify('information', vscode.l10n.t('You reviewed no earlier version of "{0}".', title));
				throw cancelled();
			}
			await openChanges(context, pairOf(patchset, review.patchset, reviewed.patchset), signal);
		},
	};
	/** `files`: comparisons as documents, `forge-versions:`. */
	return { files, commands, dispose: () => files.dispose() };
}

/** Opens all files that the two versions leave different, the earlier version beside the later one. */
async function openChanges(context: DiffContext, { pair, earlier, later }: ChosenVersions, signal: AbortSignal) {
	const read = await withProgress(vscode.l10n.t('Comparing versions…'), signal, (working) =>
		readPair(context, pair, working),
	);
	const isUnread = [tellUnread(read.earlier), tellUnread(read.later)].includes(true);
	const budget = searchBudget(finderLimits.requests);
	// Half the budget: missing files in one version must leave requests for the other.
	const share = withoutReserve(budget, finderLimits.requests / 2);
	const before = await foundVersion(context, pair, pair.earlier, share, signal);
	const after = await foundVersion(context, pair, pair.later, budget, signal);
	const files = await runResting(interdiff(versionOf(before), versionOf(after)), resting(context.clock), signal);
	const different = files.filter(({ isSame }) => isSame !== true);
	if (different.length === 0) {
		if (!isUnread) {
			tellBriefly(vscode.l10n.t('v{0} and v{1} change all files in the same way.', earlier.version, later.version));
		}
		return;
	}
	const words = [`v${earlier.version} → v${later.version}`, visibleLine(later.subject)];
	await openMany(
		context,
		words,
		different.map((file) =>
			file.texts.kind === 'whole'
				? wholeFile(file, before, after)
				: { compared: hunkFile(pair, file), found: undefined },
		),
	);
}

/** The patches of a version in series order, with the files found for them. */
async function foundVersion(
	context: DiffContext,
	{ connectionKey, list }: VersionPair,
	id: number,
	budget: SearchBudget,
	signal: AbortSignal,
): Promise<readonly PlacedPatch[]> {
	const connection = connectionOf(context.connections, { connectionKey });
	const ref = { list, id };
	const series = await readSeries(connection, ref, signal);
	const found = await searchedSeries(context, connection, ref, { far: 'first', budget }, signal);
	return placedSeries(connectionKey, ref, series, found);
}

function versionOf(placed: readonly PlacedPatch[]) {
	return {
		patches: placed.map(({ patch }) => patch),
		whole(place: FilePlace) {
			const found = foundAt(placed, place);
			return found && found.whole.kind !== 'hunksOnly' ? found.whole : undefined;
		},
	};
}

function foundAt(placed: readonly PlacedPatch[], { patch, file }: FilePlace): FoundFile {
	return placed[patch]?.found?.file(file);
}

/** If only one version changes a file, the other side shows the file before all patches. */
function wholeFile(
	{ earlier, later }: FileBetween,
	before: readonly PlacedPatch[],
	after: readonly PlacedPatch[],
): CombinedFile {
	const least = leastSure([
		...(earlier?.places ?? []).map((place) => foundAt(before, place)),
		...(later?.places ?? []).map((place) => foundAt(after, place)),
	]);
	const side = (placed: readonly PlacedPatch[], span: FileSpan | undefined, kind: 'wholeBefore' | 'wholeAfter') => {
		const place = kind === 'wholeBefore' ? span?.first : span?.last;
		const patch = place && placed[place.patch];
		return patch && wholeSide(patch, { kind, fileIndex: place.file }, least);
	};
	const left = earlier ? side(before, earlier, 'wholeAfter') : side(after, later, 'wholeBefore');
	const right = later ? side(after, later, 'wholeAfter') : side(before, earlier, 'wholeBefore');
	const named = right ?? left;
	if (!named) {
		throw new RangeError('A file that differs is there in one version');
	}
	return { compared: [named, left, right], found: least };
}

function hunkFile(pair: VersionPair, { path, texts }: FileBetween): CombinedFile['compared'] {
	const end = texts.kind === 'hunks' ? endForLines({ oldPath: path, newPath: path }) : '.txt';
	const label =
		texts.kind === 'hunks' && texts.base === 'other'
			? vscode.l10n.t('only what the patches show, from different originals')
			: '';
	const side = (kind: 'earlier' | 'later'): vscode.Uri =>
		versionUri({ pair, view: { kind, path } }, `${path}${end}`, label);
	const isThere = (kind: 'before' | 'after'): boolean => texts.kind === 'hunks' && texts[kind].length > 0;
	const left = isThere('before') ? side('earlier') : undefined;
	const right = isThere('after') || texts.kind !== 'hunks' ? side('later') : undefined;
	return [right ?? left ?? side('later'), left, right];
}

/** The read-only file system `forge-versions:`. Its URIs come from `versionUri`. */
function versionFiles(parts: ListsContext): vscode.FileSystemProvider & Disposable {
	const ending = new AbortController();
	const { signal } = ending;
	/** Cache: files shown side by side belong to the same two versions. */
	let last: { readonly key: string; readonly files: readonly FileBetween[] } | undefined;

	const files = textFiles(parts, async (uri) => {
		const place = placeOfVersionUri(uri);
		if (!place) {
			throw vscode.FileSystemError.FileNotFound(uri);
		}
		const { view } = place;
		const pair = await readPair(parts, place.pair, signal);
		if (view.kind === 'rangeDiff') {
			return rangeDiffOf(pair, await readTrailers(parts, place.pair, signal), parts.clock, signal);
		}
		const mails = [pair.earlier, pair.later].map(({ patches }) => patches.map(({ mail }) => mail.id));
		const key = JSON.stringify([place.pair.connectionKey, mails]);
		if (last?.key !== key) {
			last = { key, files: await hunksBetween(pair, parts.clock, signal) };
		}
		const file = last.files.find(({ path }) => path === view.path);
		if (!file) {
			throw vscode.FileSystemError.FileNotFound(uri);
		}
		return sideText(file, view.kind);
	});
	return { ...files, ...onDispose(() => ending.abort()) };
}

/** Both versions from the cache, else from their own mails. */
async function readPair(
	{ connections }: ListsContext,
	{ connectionKey, list, earlier, later }: VersionPair,
	signal: AbortSignal,
): Promise<ReadPair> {
	const connection = connectionOf(connections, { connectionKey });
	const [one, other] = await Promise.all([
		seriesAlone(connection, { list, id: earlier }, signal),
		seriesAlone(connection, { list, id: later }, signal),
	]);
	return { earlier: one, later: other };
}

/** Trailers of the later version, with the patches that they were given to. Never fails: the comparison needs none. */
async function readTrailers(
	{ connections, problems }: ListsContext,
	{ connectionKey, list, later }: VersionPair,
	signal: AbortSignal,
): Promise<Parameters<typeof rangeDiffOf>[1]> {
	try {
		const { reviews } = connectionOf(connections, { connectionKey });
		const { trailers, failures } = await reviews.readWithEarlier({ list, id: later }, signal);
		const failed = failures.find(({ part }) => part !== 'versions');
		return { trailers, failure: failed && problems.explain(failed.error).message };
	} catch (error) {
		if (isAbort(error)) {
			throw error;
		}
		return { trailers: [], failure: problems.explain(error).message };
	}
}

/** Two versions to compare. */
interface ChosenVersions {
	readonly pair: VersionPair;
	readonly earlier: Patchset;
	readonly later: Patchset;
}

/** The target patchset and another version: the page's choice, the only other one, or the user's answer. */
async function chooseVersions(parts: ListsContext, subject: unknown, signal: AbortSignal): Promise<ChosenVersions> {
	const patchset = await patchsetTarget(parts, subject, signal);
	const { review, others, reviewed } = await readVersions(parts, patchset, signal);
	const { otherVersion } = isRecord(subject) ? subject : {};
	const named = others.find((each) => each.patchset.id === otherVersion);
	const [first, second] = others;
	const other = named ?? (first && !second ? first : await ask(review, others, reviewed));
	return pairOf(patchset, review.patchset, other.patchset);
}

/**
 * `others`: nearest lower version first, then the higher ones; at least one. `unread`: errors that may hide a reviewed
 * version.
 */
async function readVersions(parts: ListsContext, subject: PatchsetSubject, signal: AbortSignal) {
	const connection = connectionOf(parts.connections, subject);
	const unread: Error[] = [];
	const log = (error: unknown): void => {
		unread.push(...(error instanceof Error ? [error] : []));
		parts.problems.log(error);
	};
	const { review, reviewed } = await withProgress(vscode.l10n.t('Searching for versions…'), signal, async (working) => {
		const read = await connection.reviews.read(subject.ref, working);
		return { review: read, reviewed: await lastReviewed(log, connection, read, working) };
	});
	const at = review.versions.findIndex(({ patchset }) => patchset.id === subject.ref.id);
	const beside = [...review.versions.slice(0, Math.max(0, at)).toReversed(), ...review.versions.slice(at + 1)];
	const others = beside.toSorted((one, other) => Number(isDoubtful(one.link)) - Number(isDoubtful(other.link)));
	if (others.length === 0) {
		void tellNone(subject, review.patchset);
		throw cancelled();
	}
	return { review, others, reviewed, unread };
}

async function tellNone(subject: PatchsetSubject, { subject: title }: Patchset): Promise<void> {
	const link = vscode.l10n.t('Link Another Version…');
	const text = vscode.l10n.t('No other version of "{0}" is known.', visibleLine(title));
	if ((await notify('information', text, link)) === link) {
		await vscode.commands.executeCommand('forge.patchsets.linkVersion', subject);
	}
}

async function ask(
	{ patchset }: PatchsetReview,
	others: readonly SeriesVersion[],
	reviewed: SeriesVersion | undefined,
): Promise<SeriesVersion> {
	const [previous] = others;
	const first = others.find((each) => each === reviewed) ?? previous;
	const ordered = first ? [first, ...others.filter((each) => each !== first)] : others;
	return choose(
		vscode.l10n.t(
			'Which version do you want to compare with v{0} of "{1}"?',
			patchset.version,
			visibleLine(patchset.subject),
		),
		ordered.map((other): Choice<SeriesVersion> => {
			const isPrevious = other === previous && other.patchset.version < patchset.version;
			const detail =
				other === reviewed
					? vscode.l10n.t('The version that you last reviewed')
					: isPrevious
						? vscode.l10n.t('The previous version')
						: '';
			return { ...patchsetChoice(other.patchset), detail, value: other };
		}),
	);
}

function pairOf({ connectionKey, ref }: PatchsetSubject, one: Patchset, other: Patchset): ChosenVersions {
	const isEarlier = other.version === one.version ? other.id < one.id : other.version < one.version;
	const [earlier, later] = isEarlier ? [other, one] : [one, other];
	return { pair: { connectionKey, list: ref.list, earlier: earlier.id, later: later.id }, earlier, later };
}
