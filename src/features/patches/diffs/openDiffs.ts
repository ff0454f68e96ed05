import * as vscode from 'vscode';
import { openDiff, openUri, openChanges } from '../../../editor/documents/showDocument.ts';
import { notify, tellBriefly } from '../../../editor/ask/notify.ts';
import { withProgress } from '../../../editor/ask/progress.ts';
import { connectionOf } from '../../../editor/commands/subjects.ts';
import { isForgeError } from 'sourcehut/port/forgeError.ts';
import { ownBefore } from 'patchmail/patch/ownBefore.ts';
import { combinedFiles, type CombinedFile } from '../../../editor/patchDocuments/combinedFiles.ts';
import { fileName, hasSides } from '../../../editor/patchDocuments/fileWords.ts';
import {
	comparedFiles,
	fileOpening,
	type ComparedFile,
	type PlacedPatch,
} from '../../../editor/patchDocuments/patchDiffs.ts';
import type { PatchFiles } from '../../../editor/patchDocuments/patchFiles.ts';
import { seriesOfPatch } from '../../../editor/patchDocuments/patchInSeries.ts';
import type { FoundFile } from '../../../editor/patchDocuments/fullFileTexts.ts';
import { shownInBytes } from 'patchmail/series/diffInBytes.ts';
import { longestGap } from '../../../editor/patchDocuments/diffSides.ts';
import type { PatchMail, SeriesReading } from 'patchmail/series/seriesReading.ts';
import type { ListRef, PatchsetRef } from 'sourcehut/port/list.ts';
import type { Connection } from '../../../store/connection.ts';
import { seriesAlone } from '../../../store/lists/patchsets/seriesAlone.ts';
import type { HowFar } from '../../../store/wholeFiles/fileFinder.ts';
import { visibleLine } from '../../../engine/text/visible.ts';
import type { ListsContext } from '../../lists/context/listsContext.ts';
import { unreadPatches } from '../../lists/subjects/problemTexts.ts';
import type { MailSubject, PatchFileSubject, PatchsetSubject } from '../../lists/subjects/subjects.ts';
import { filesIn, placedSeries, searchedSeries, searchTitle, type WholeSearch } from './wholeSearch.ts';
import type { Certainty } from './certainty.ts';

/** Needed to open patches as diffs. */
export interface DiffContext extends ListsContext {
	readonly files: PatchFiles;
	readonly search: WholeSearch;
	readonly certainty: Certainty;
}

/** Opens a file of a patch: the whole file if found, otherwise the patch's hunks. */
export async function openFile(context: DiffContext, subject: PatchFileSubject, how: HowFar, signal: AbortSignal) {
	const { connectionKey, list, patchsetId, mailId, fileIndex } = subject;
	const connection = connectionOf(context.connections, subject);
	const { patch } = await readPatch(connection, subject, signal);
	const file = patch?.diff.files[fileIndex];
	if (!patch || !file) {
		tellNoFile();
		return;
	}
	const place = { connectionKey, list, patchsetId, mailId };
	const { placed, found } = await searched(context, place, patch, { wanted: [fileIndex], how }, signal);
	const opening = fileOpening(placed, fileIndex);
	if (!opening) {
		return;
	}
	const folded = subject.at === undefined ? foldedFile(placed, fileIndex) : undefined;
	if (folded) {
		await openMany(context, [opening.title ?? fileName(file)], [{ compared: folded, found: found(fileIndex) }]);
		return;
	}
	const documents = opening.kind === 'sides' ? [opening.before, opening.after] : [opening.uri];
	context.certainty.note([{ documents, found: found(fileIndex) }]);
	const line = await lineOf(context, subject, opening.kind === 'sides' ? opening.after : opening.uri, signal);
	const selection = line === undefined ? {} : { selection: new vscode.Range(line, 0, line, 0) };
	const options = { preview: true, ...selection };
	await (opening.kind === 'sides'
		? openDiff(opening.before, opening.after, opening.title, options)
		: openUri(opening.uri, options, opening.title));
}

/** Document line of a place in a patch. A removed line maps to its successor. */
async function lineOf({ files }: DiffContext, { at }: PatchFileSubject, uri: vscode.Uri, signal: AbortSignal) {
	const lines = at === undefined ? [] : ((await files.lines(uri, signal))?.lines ?? []);
	return (lines.find(({ end }) => at !== undefined && end >= at) ?? lines.at(-1))?.line;
}

/** Placeholder lines that are worth folding. */
const manyLeftOut = 20;

/**
 * A file whose diff has a long gap, for the editor's multi-file diff: only that folds equal lines. It can't go to a
 * line.
 */
function foldedFile(placed: PlacedPatch, fileIndex: number): ComparedFile | undefined {
	const file = placed.patch.diff.files[fileIndex];
	const found = placed.found?.file(fileIndex);
	const isPartial = found === undefined || found.whole.kind === 'hunksOnly';
	const isModified = file?.oldPath !== undefined && file.newPath !== undefined && hasSides(file);
	const isFar = file?.content.kind === 'text' && longestGap(file.content.hunks) >= manyLeftOut;
	return isPartial && isModified && isFar ? comparedFiles(placed)[fileIndex] : undefined;
}

export function tellNoFile(): void {
	tellBriefly(vscode.l10n.t('This file is not in the patch.'));
}

/** Opens all files of a patch in one diff; false if there are none. */
export async function openPatch(context: DiffContext, subject: MailSubject, how: HowFar, signal: AbortSignal) {
	const { connectionKey, list, id: mailId } = subject;
	const connection = connectionOf(context.connections, subject);
	const known = connection.lists.knownMail(mailId)?.patchsetId;
	const { patch, subject: title } = await readPatch(connection, { list, patchsetId: known, mailId }, signal);
	const patchsetId = connection.lists.knownMail(mailId)?.patchsetId;
	if (!patch || patch.diff.files.length === 0) {
		return false;
	}
	if (patch.diff.files.length === 1 && patchsetId !== undefined) {
		const file: PatchFileSubject = { kind: 'patchFile', connectionKey, list, patchsetId, mailId, fileIndex: 0 };
		await openFile(context, file, how, signal);
		return true;
	}
	const place = { connectionKey, list, patchsetId, mailId };
	const wanted = patch.diff.files.slice(0, mostFiles).map((_, fileIndex) => fileIndex);
	const { placed, found } = await searched(context, place, patch, { wanted, how }, signal);
	const words = [placed.number, visibleLine(patch.subject === '' ? title : patch.subject)];
	const files = comparedFiles({ ...placed, number: '' });
	await openMany(
		context,
		words,
		files.map((compared, fileIndex) => ({ compared, found: found(fileIndex) })),
	);
	return true;
}

/** Opens all files of a series: patch by patch, or the combined diff. */
export async function openSeries(
	context: DiffContext,
	subject: PatchsetSubject,
	how: { readonly far: HowFar; readonly isCombined: boolean },
	signal: AbortSignal,
): Promise<void> {
	const { connectionKey, ref } = subject;
	const connection = connectionOf(context.connections, subject);
	const series = await readSeries(connection, ref, signal);
	const patches = series.patches.filter(({ patch }) => patch.diff.files.length > 0);
	const isUnread = tellUnread(series);
	if (patches.length === 0) {
		if (isUnread) {
			return;
		}
		tellBriefly(vscode.l10n.t('No patch of this series contains a diff.'));
		return;
	}
	const found = await searchedSeries(context, connection, ref, { far: how.far }, signal);
	const placed = placedSeries(connectionKey, ref, series, found);
	const files =
		how.isCombined && found.spans.length > 0
			? combinedFiles(found.spans, (patch) => placed.find(({ mailId }) => mailId === found.series?.mailIds[patch]))
			: placed.flatMap((each) =>
					comparedFiles(each).map((compared, fileIndex) => ({ compared, found: each.found?.file(fileIndex) })),
				);
	const known = connection.lists.knownPatchset(ref) ?? (await connection.lists.patchset(ref, signal));
	// The page of the patchset has the plain title.
	const title = vscode.l10n.t('{0} (diffs)', `v${known.version} ${visibleLine(known.subject)}`);
	await openMany(context, [title], files);
}

/** Warns of patches missing in a series' diff; false if there are none. */
export function tellUnread(series: SeriesReading): boolean {
	const unread = unreadPatches(series);
	if (unread !== undefined) {
		void notify('warning', vscode.l10n.t('Patches shown as raw text are missing from this diff: {0}.', unread));
	}
	return unread !== undefined;
}

/** Loads a patchset's series for questions and diffs. */
export function readSeries(connection: Connection, ref: PatchsetRef, signal: AbortSignal): Promise<SeriesReading> {
	return withProgress(vscode.l10n.t('Loading the series…'), signal, (working) => seriesAlone(connection, ref, working));
}

/** Loads a patch at high priority. A patchset's patches arrive in one request, and whole files need them all. */
export function readPatch(
	{ texts, lists, reviews }: Connection,
	{ list, patchsetId, mailId }: PatchOfList,
	signal: AbortSignal,
): ReturnType<Connection['texts']['readPatch']> {
	return withProgress(vscode.l10n.t('Opening the patch…'), signal, async (working) => {
		if (patchsetId !== undefined && !texts.known(mailId)) {
			await seriesAlone({ texts, lists, reviews }, { list, id: patchsetId }, working).catch((error: unknown) => {
				if (!isForgeError(error)) {
					throw error;
				}
			});
		}
		return texts.readPatch(mailId, working);
	});
}

interface PatchOfList {
	readonly list: ListRef;
	readonly patchsetId: number | undefined;
	readonly mailId: number;
}

/** A patch with its found files. `wanted`: places in its diff; skips files that the patch contains completely. */
async function searched(
	{ search, connections }: DiffContext,
	place: PatchOfList & { readonly connectionKey: string },
	patch: PatchMail,
	{ wanted, how }: { readonly wanted: readonly number[]; readonly how: HowFar },
	signal: AbortSignal,
): Promise<{ readonly placed: PlacedPatch; readonly found: (fileIndex: number) => FoundFile }> {
	const connection = connectionOf(connections, place);
	const missing = wanted.filter((fileIndex) => {
		const { diff, diffText } = shownInBytes(patch);
		const file = diff.files[fileIndex];
		return file !== undefined && hasSides(file) && ownBefore(diffText, file).kind === 'wanted';
	});
	const { patchsetId, mailId, list } = place;
	const numberOf = (numbers: readonly string[] | undefined, at: number): string =>
		numbers?.[at] ?? knownNumber(connection, place);
	if (missing.length === 0) {
		const own = filesIn(undefined, -1, patch);
		return { placed: { ...place, patch, number: numberOf(undefined, -1), found: own }, found: (at) => own.file(at) };
	}
	const [only, ...others] = missing.flatMap((fileIndex) => patch.diff.files[fileIndex] ?? []);
	const found = await search.find(
		{
			connection,
			list,
			read: (working) => seriesOfPatch(connection, { list, patchsetId, mailId }, working),
			wanted: ({ mailIds }) => missing.map((file) => ({ patch: mailIds.indexOf(mailId), file })),
			title: searchTitle(only && others.length === 0 ? fileName(only) : undefined),
		},
		how,
		signal,
	);
	const at = found.series?.mailIds.indexOf(mailId) ?? -1;
	const files = filesIn(found, at, patch);
	const number = numberOf(found.series?.numbers, at);
	return { placed: { ...place, patch, number, found: files }, found: (fileIndex) => files.file(fileIndex) };
}

/** `2/4` within a loaded series. */
function knownNumber({ reviews }: Connection, { list, patchsetId, mailId }: PatchOfList): string {
	const series = patchsetId === undefined ? undefined : reviews.known({ list, id: patchsetId })?.series;
	const index = series?.patches.find(({ mail }) => mail.id === mailId)?.index;
	return index === undefined || (series?.count ?? 0) <= 1 ? '' : `${index}/${series?.count ?? 0}`;
}

/** The editor draws files lazily, but needs the complete list at once. */
const mostFiles = 2000;

/** Opens a multi-file diff. `words` are its title. */
export async function openMany(
	{ certainty }: { readonly certainty: Certainty },
	words: readonly string[],
	files: readonly CombinedFile[],
): Promise<void> {
	if (files.length > mostFiles) {
		tellBriefly(vscode.l10n.t('Only the first {0} of {1} files are shown.', mostFiles, files.length));
	}
	const shown = files.slice(0, mostFiles);
	certainty.note(shown.map(({ compared, found }) => ({ documents: compared.slice(1), found })));
	await openChanges(
		words.filter((word) => word !== '').join(' '),
		shown.map(({ compared }) => compared),
	);
}
