import * as vscode from 'vscode';
import { searchLimits, type FileHits, type TextSearch } from '../../../store/repositories/find/textSearch.ts';
import { visible } from '../../../engine/text/visible.ts';
import { sizeText } from '../../../engine/text/size.ts';
import { shownName } from '../subjects/words.ts';

/** Visible progress of a search. */
export type ToldSearch = Pick<TextSearch, 'hits' | 'lines' | 'looked' | 'files' | 'skips' | 'standing'>;

/** Number of matches and their scope. */
export function foundText({ hits, lines, looked, files, standing }: ToldSearch): string {
	const found = countsText(lines, hits.length);
	return standing.kind === 'running' ? vscode.l10n.t('{0} · searched {1} of {2}', found, looked, files) : found;
}

function countsText(lines: number, files: number): string {
	if (files === 1) {
		return lines === 1 ? vscode.l10n.t('1 line in 1 file') : vscode.l10n.t('{0} lines in 1 file', lines);
	}
	return vscode.l10n.t('{0} lines in {1} files', lines, files);
}

/** One sentence for each skipped part and for an early end. */
export function caveats(
	{ hits, looked, files, skips, standing }: ToldSearch,
	explain: (error: unknown) => string,
): readonly string[] {
	const left = files - looked;
	return [
		...(hits.length === 0 && standing.kind === 'done' ? [noResults(files)] : []),
		...endText(standing, left, explain),
		...(skips.binary > 0 ? [binarySkipped(skips.binary)] : []),
		...(skips.tooLarge > 0 ? [largeSkipped(skips.tooLarge)] : []),
		...(skips.tooSlow > 0 ? [slowSkipped(skips.tooSlow)] : []),
		...(skips.unreadable > 0 ? [notLoaded(skips.unreadable)] : []),
	];
}

function noResults(files: number): string {
	return files === 1 ? vscode.l10n.t('No results in 1 file.') : vscode.l10n.t('No results in {0} files.', files);
}

function binarySkipped(count: number): string {
	return count === 1 ? vscode.l10n.t('1 binary file skipped.') : vscode.l10n.t('{0} binary files skipped.', count);
}

function largeSkipped(count: number): string {
	const size = sizeText(searchLimits.fileBytes, vscode.env.language);
	return count === 1
		? vscode.l10n.t('1 file larger than {0} skipped.', size)
		: vscode.l10n.t('{0} files larger than {1} skipped.', count, size);
}

function slowSkipped(count: number): string {
	return count === 1
		? vscode.l10n.t('1 file skipped because searching it took too long.')
		: vscode.l10n.t('{0} files skipped because searching them took too long.', count);
}

function notLoaded(count: number): string {
	return count === 1
		? vscode.l10n.t('1 file could not be loaded.')
		: vscode.l10n.t('{0} files could not be loaded.', count);
}

function notSearched(count: number): string {
	return count === 1 ? vscode.l10n.t('1 file was not searched.') : vscode.l10n.t('{0} files were not searched.', count);
}

function endText(
	standing: ToldSearch['standing'],
	left: number,
	explain: (error: unknown) => string,
): readonly string[] {
	switch (standing.kind) {
		case 'running':
		case 'done':
			return [];
		case 'cancelled':
			return [`${vscode.l10n.t('The search was stopped.')} ${notSearched(left)}`];
		case 'tooManyLines':
			return [
				vscode.l10n.t(
					'The search stopped at {0} lines. Use a more specific text, or fewer files.',
					searchLimits.linesInAll,
				),
			];
		case 'patternTooSlow':
			return [
				vscode.l10n.t(
					'The search stopped: the regular expression takes too long on these files. Simplify it and search again.',
				),
			];
		case 'failed':
			return [`${explain(standing.error)} ${notSearched(left)}`];
	}
}

/** All results as text, line by line: `src/main.c:12: int main;`. */
export function resultsText(heading: string, hits: readonly FileHits[], notes: readonly string[]): string {
	const files = hits.map(({ path, lines }) =>
		lines.map(({ line, text }) => `${shownName(path)}:${line + 1}: ${visible(text)}`).join('\n'),
	);
	return [heading, ...notes, '', ...files, ''].join('\n');
}

/** By path, as people read them. */
export function inPathOrder(hits: readonly FileHits[]): readonly FileHits[] {
	return hits.toSorted((a, b) => (a.path < b.path ? -1 : 1));
}
