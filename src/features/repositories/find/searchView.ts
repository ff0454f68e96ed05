import * as vscode from 'vscode';
import type { Disposable } from '@forge-desk/base/lifecycle.ts';
import { rowContext } from '../../../commands/rows.ts';
import type { TreeNode } from '../../../editor/trees/treeNode.ts';
import type { FoundLine } from '../../../engine/search/texts/searchText.ts';
import { sizeText } from '../../../engine/text/size.ts';
import { visible, visibleLine } from '../../../engine/text/visible.ts';
import { refText } from 'sourcehut/port/namedRef.ts';
import { GitFailure } from 'hardened-git/gitFailure.ts';
import { searchLimits, type FileHits, type TextSearch } from '../../../store/repositories/find/textSearch.ts';
import { folderOf, nameOf } from '../../../store/repositories/repositoryEntries.ts';
import { failureText } from '../clones/failureText.ts';
import type { FileSearch, RepositoriesContext } from '../parts/repositoriesContext.ts';
import { resultsView } from '../parts/resultsView.ts';
import { uriOfPlace } from '../subjects/place.ts';
import { noteRow } from '../subjects/rowsInRepository.ts';
import type { EntrySubject } from '../subjects/subjects.ts';
import { shownName } from '../subjects/words.ts';
import type { SearchWish } from './searchQuestion.ts';

/** Visible progress of a search. */
export type ToldSearch = Pick<TextSearch, 'hits' | 'lines' | 'looked' | 'files' | 'skips' | 'standing'>;

/** Number of matches and their scope. */
function foundText({ hits, lines, looked, files, standing }: ToldSearch): string {
	const inOneFile = lines === 1 ? vscode.l10n.t('1 line in 1 file') : vscode.l10n.t('{0} lines in 1 file', lines);
	const found = hits.length === 1 ? inOneFile : vscode.l10n.t('{0} lines in {1} files', lines, hits.length);
	return standing.kind === 'running' ? vscode.l10n.t('{0} · searched {1} of {2}', found, looked, files) : found;
}

/** One sentence for each skipped part and for an early end. */
function caveats({ hits, looked, files, skips, standing }: ToldSearch, explain: (error: unknown) => string) {
	const left = files - looked;
	const size = sizeText(searchLimits.fileBytes, vscode.env.language);
	return [
		...(hits.length === 0 && standing.kind === 'done'
			? [files === 1 ? vscode.l10n.t('No results in 1 file.') : vscode.l10n.t('No results in {0} files.', files)]
			: []),
		...endText(standing, left, explain),
		...(skips.binary > 0
			? [
					skips.binary === 1
						? vscode.l10n.t('1 binary file skipped.')
						: vscode.l10n.t('{0} binary files skipped.', skips.binary),
				]
			: []),
		...(skips.tooLarge > 0
			? [
					skips.tooLarge === 1
						? vscode.l10n.t('1 file larger than {0} skipped.', size)
						: vscode.l10n.t('{0} files larger than {1} skipped.', skips.tooLarge, size),
				]
			: []),
		...(skips.tooSlow > 0
			? [
					skips.tooSlow === 1
						? vscode.l10n.t('1 file skipped because searching it took too long.')
						: vscode.l10n.t('{0} files skipped because searching them took too long.', skips.tooSlow),
				]
			: []),
		...(skips.unreadable > 0
			? [
					skips.unreadable === 1
						? vscode.l10n.t('1 file could not be loaded.')
						: vscode.l10n.t('{0} files could not be loaded.', skips.unreadable),
				]
			: []),
	];
}

function notSearched(count: number): string {
	return count === 1 ? vscode.l10n.t('1 file was not searched.') : vscode.l10n.t('{0} files were not searched.', count);
}

function endText(standing: ToldSearch['standing'], left: number, explain: (error: unknown) => string) {
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

/** By path, as people read them. */
function inPathOrder(hits: readonly FileHits[]): readonly FileHits[] {
	return hits.toSorted((a, b) => (a.path < b.path ? -1 : 1));
}

export interface ShownSearch {
	readonly search: TextSearch;
	readonly wish: SearchWish;
	readonly where: FileSearch;
	/** Name of the clone that replaces the forge as source. */
	readonly from: string | undefined;
}

/** Number of files with expanded lines; the others expand on click. */
const expandedFiles = 50;

/** A longer query would push the counts out of the title. */
const longestTerm = 30;

/** View of search results, visible only with a search. */
export type SearchView = ReturnType<typeof searchView>;

/** Shows results as the search finds them. */
export function searchView(context: RepositoriesContext) {
	let listening: Disposable | undefined;
	/** The rows of files, each made once: a search may find thousands while it is drawn again and again. */
	const made = new Map<FileHits, TreeNode>();
	const view = resultsView<ShownSearch>('forge.search', context, {
		connectionOf: ({ where }) => where.connection,
		isRunning: ({ search }) => search.standing.kind === 'running',
		rows,
		note(shown) {
			// Quoted beside the name of the view, because the editor writes those names in capitals.
			const letters = Array.from(visibleLine(shown.wish.query.text));
			const term = `${letters.slice(0, longestTerm).join('')}${letters.length > longestTerm ? '…' : ''}`;
			return `${vscode.l10n.t('"{0}"', term)} · ${foundText(shown.search)} · ${placeText(shown)}`;
		},
		tryAgain: () => undefined,
		end({ search }) {
			listening?.dispose();
			search.dispose();
			made.clear();
		},
	});

	const explain = (error: unknown): string =>
		error instanceof GitFailure ? failureText(error.problem) : context.problems.explain(error).message;

	function rows({ search, where }: ShownSearch, turn: number): readonly TreeNode[] {
		const files = inPathOrder(search.hits).map((hits) => {
			const { connection, ref, at } = where;
			const known = made.get(hits);
			if (known) {
				return known;
			}
			const place = { connectionKey: connection.key, ref, at: { ref: at.ref, path: hits.path } };
			const uri = uriOfPlace({ kind: 'entry', ...place });
			const subject: EntrySubject = { kind: 'file', ...place };
			const { Expanded, Collapsed } = vscode.TreeItemCollapsibleState;
			const item = new vscode.TreeItem(shownName(nameOf(hits.path)), made.size < expandedFiles ? Expanded : Collapsed);
			const count = hits.isCut ? vscode.l10n.t('{0}+', hits.lines.length) : String(hits.lines.length);
			const folder = folderOf(hits.path);
			item.description = folder === '' ? count : `${count} · ${shownName(folder)}`;
			item.iconPath = vscode.ThemeIcon.File;
			item.resourceUri = uri;
			item.contextValue = rowContext('searchFile', {});
			item.tooltip = shownName(hits.path);
			item.accessibilityInformation = { label: vscode.l10n.t('{0}, lines found: {1}', shownName(hits.path), count) };
			const row: TreeNode = {
				id: `${turn}/${hits.path}`,
				item,
				parent: undefined,
				subject,
				children: () => Promise.resolve(hits.lines.map((line) => lineRow(row, line, uri, subject))),
			};
			made.set(hits, row);
			return row;
		});
		const notes = caveats(search, explain).map((text, index) => noteRow(`${turn}?${index}`, text, undefined));
		const isWaiting = search.standing.kind === 'running' && files.length === 0;
		const waiting = isWaiting ? [noteRow(`${turn}?`, vscode.l10n.t('Searching…'), undefined, 'search')] : [];
		return [...waiting, ...files, ...notes];
	}

	function placeText({ where: { ref, at }, from }: ShownSearch): string {
		const place = `${refText(ref)}${at.path === '' ? '' : `/${at.path}`}`;
		const parts = [shownName(place), shownName(at.ref), from && vscode.l10n.t('from the clone {0}', from)];
		return parts.filter((part) => part !== undefined).join(' · ');
	}

	return {
		tree: view.tree,
		/** Shows a search and ends the previous one. */
		show: (next: ShownSearch) =>
			view.show(next, () => {
				listening = next.search.onDidChange(() =>
					next.search.standing.kind === 'running' ? view.drawSoon() : view.draw(),
				);
				view.draw();
			}),
		shown: view.shown,
		/** Ends the search and takes the view away. */
		clear: view.clear,
		/** All results as text; `undefined` without a search. */
		text() {
			const shown = view.shown();
			if (!shown) {
				return undefined;
			}
			const { search, wish } = shown;
			const heading = vscode.l10n.t('Search for "{0}" in {1}', visibleLine(wish.query.text), placeText(shown));
			const hits = inPathOrder(search.hits);
			const notes = [foundText(search), ...caveats(search, explain)];
			const files = hits.map(({ path, lines }) =>
				lines.map(({ line, text }) => `${shownName(path)}:${line + 1}: ${visible(text)}`).join('\n'),
			);
			return [heading, ...notes, '', ...files, ''].join('\n');
		},
		dispose: () => view.dispose(),
	};
}

/** Row of a line. A click opens the file there. */
function lineRow(parent: TreeNode, found: FoundLine, uri: vscode.Uri, subject: EntrySubject): TreeNode {
	const item = new vscode.TreeItem(lineLabel(found), vscode.TreeItemCollapsibleState.None);
	const number = String(found.line + 1);
	item.description = number;
	item.tooltip = visible(found.text);
	item.contextValue = rowContext('searchLine', {});
	item.accessibilityInformation = { label: vscode.l10n.t('Line {0}: {1}', number, visible(found.text).trim()) };
	const selection = new vscode.Range(found.line, found.column, found.line, found.endColumn);
	item.command = {
		command: 'vscode.open',
		title: vscode.l10n.t('Open File'),
		arguments: [uri, { selection, preserveFocus: true, preview: true }],
	};
	const lines = { first: found.line + 1, last: found.line + 1 };
	return { id: `${parent.id}:${number}`, item, parent, subject: { ...subject, lines } satisfies EntrySubject };
}

/** The line without leading blanks, with hidden characters spelled out, and its highlights. */
export function lineLabel({ text, ranges }: FoundLine): {
	label: string;
	highlights: [number, number][];
} {
	const blanks = text.length - text.trimStart().length;
	const [first] = ranges;
	let at = Math.min(blanks, first?.[0] ?? blanks);
	let label = '';
	const highlights: [number, number][] = [];
	for (const [start, end] of ranges) {
		label += shownPart(text.slice(at, start));
		const from = label.length;
		label += shownPart(text.slice(start, end));
		highlights.push([from, label.length]);
		at = end;
	}
	return { label: label + shownPart(text.slice(at)), highlights };
}

/** Rows show tabs and line breaks as blanks. */
function shownPart(text: string): string {
	return visible(text).replaceAll(/[\t\n\r]/g, ' ');
}
