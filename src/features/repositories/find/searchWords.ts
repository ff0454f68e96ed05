import * as vscode from 'vscode';
import { searchLimits, type FileHits, type TextSearch } from '../../../state/repositories/find/textSearch.ts';
import { visible } from '../../../text/visible.ts';
import { shownName, sizeText } from '../subjects/words.ts';

/** How far a search is, as far as it is told. */
export type ToldSearch = Pick<TextSearch, 'hits' | 'lines' | 'looked' | 'files' | 'skips' | 'standing'>;

/** How much was found, and where. */
export function foundText({ hits, lines, looked, files, standing }: ToldSearch): string {
	const found = countsText(lines, hits.length);
	return standing.kind === 'running' ? vscode.l10n.t('{0} · looked through {1} of {2}', found, looked, files) : found;
}

function countsText(lines: number, files: number): string {
	if (files === 1) {
		return lines === 1 ? vscode.l10n.t('1 line in 1 file') : vscode.l10n.t('{0} lines in 1 file', lines);
	}
	return vscode.l10n.t('{0} lines in {1} files', lines, files);
}

/** What was not looked through and why, and why the search ended early; each one sentence. */
export function caveats(
	{ hits, looked, files, skips, standing }: ToldSearch,
	explain: (error: unknown) => string,
): readonly string[] {
	const size = sizeText(searchLimits.fileBytes, vscode.env.language);
	const left = files - looked;
	return [
		...(hits.length === 0 && standing.kind === 'done'
			? [vscode.l10n.t('Nothing was found. Files looked through: {0}.', files)]
			: []),
		...endText(standing, left, explain),
		...(skips.binary > 0 ? [vscode.l10n.t('Files that are no text and were left out: {0}.', skips.binary)] : []),
		...(skips.tooLarge > 0
			? [vscode.l10n.t('Files larger than {0} that were left out: {1}.', size, skips.tooLarge)]
			: []),
		...(skips.tooSlow > 0
			? [vscode.l10n.t('Files that were left out because looking through them took too long: {0}.', skips.tooSlow)]
			: []),
		...(skips.unreadable > 0 ? [vscode.l10n.t('Files that could not be read: {0}.', skips.unreadable)] : []),
	];
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
			return [vscode.l10n.t('The search was stopped. Files not looked through: {0}.', left)];
		case 'tooManyLines':
			return [
				vscode.l10n.t(
					'The search stopped at {0} lines. Say more exactly what to look for, or in which files.',
					searchLimits.linesInAll,
				),
			];
		case 'patternTooSlow':
			return [
				vscode.l10n.t(
					'The search stopped: the regular expression takes too long on these files. Make it simpler and search again.',
				),
			];
		case 'failed':
			return [vscode.l10n.t('{0} Files not looked through: {1}.', explain(standing.error), left)];
	}
}

/** Everything that was found as a text, line by line: `src/main.c:12: int main;`. */
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
