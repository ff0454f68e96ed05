import type * as vscode from 'vscode';
import type { FileSpan } from 'patchmail/patch/patchChain.ts';
import { comparedFiles, wholeSide, type ComparedFile, type PlacedPatch } from './patchDiffs.ts';
import type { FoundFile } from './fullFileTexts.ts';

/** A compared file with its search result. */
export interface CombinedFile {
	readonly compared: ComparedFile;
	readonly found: FoundFile;
}

/**
 * Combined changes of several patches per file: content before the first patch and after the last one. Files without
 * whole contents appear patch by patch. `placed`: a patch by its index in the series.
 */
export function combinedFiles(
	spans: readonly FileSpan[],
	placed: (patch: number) => PlacedPatch | undefined,
): readonly CombinedFile[] {
	return spans.flatMap(
		(span) =>
			together(span, placed) ??
			span.places.flatMap((place) => {
				const at = placed(place.patch);
				const compared = at && comparedFiles(at)[place.file];
				return compared ? [{ compared, found: at.found?.file(place.file) }] : [];
			}),
	);
}

/** `undefined` for a file without whole contents or with only one patch; empty if the patches leave it unchanged. */
function together(
	{ first, last, places }: FileSpan,
	placed: (patch: number) => PlacedPatch | undefined,
): readonly CombinedFile[] | undefined {
	const [from, to] = [placed(first.patch), placed(last.patch)];
	const all = places.map(({ patch, file }) => placed(patch)?.found?.file(file));
	const isText = places.every(({ patch, file }) => placed(patch)?.patch.diff.files[file]?.content.kind === 'text');
	if (!from || !to || places.length < 2 || !isText || all.some((each) => !each || each.whole.kind === 'hunksOnly')) {
		return undefined;
	}
	const least = leastSure(all);
	const before = wholeSide(from, { kind: 'wholeBefore', fileIndex: first.file }, least);
	const after = wholeSide(to, { kind: 'wholeAfter', fileIndex: last.file }, least);
	const named: vscode.Uri | undefined = after ?? before;
	return named && [{ compared: [named, before, after], found: least }];
}

/** The least certain result. Pure renames state no ids and don't count. */
export function leastSure(all: readonly FoundFile[]): FoundFile {
	const applied = all.find((each) => each?.whole.kind === 'applied' && each.whole.hunks.length > 0);
	return applied ?? all.find((each) => each?.whole.kind === 'verified') ?? all.at(-1);
}
