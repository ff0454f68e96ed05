import * as vscode from 'vscode';
import { cancelled, choose, type Choice } from '../../../editor/ask.ts';
import type { CommandTable } from '../../../editor/feature.ts';
import { confirm, notify } from '../../../editor/notify.ts';
import { withProgress } from '../../../editor/progress.ts';
import { repositoryRefText } from '../../../forge/repository.ts';
import { runResting } from '../../../search/restingSteps.ts';
import { pathFilter } from '../../../search/texts/pathGlob.ts';
import type { IndexedPath, PathIndex } from '../../../state/pathIndex.ts';
import { searchContents, TextSearch, type SearchContents } from '../../../state/textSearch.ts';
import { visibleLine } from '../../../text/visible.ts';
import { shownName } from '../words.ts';
import type { FindParts, FindSurroundings } from './findParts.ts';
import type { FileSearch } from './goToFile.ts';
import { resting } from './resting.ts';
import { askSearch, noWish, type ReadWish, type SearchWish } from './searchQuestion.ts';
import type { SearchView } from './searchView.ts';

export interface SearchParts extends FindParts, FindSurroundings {
	readonly results: SearchView;
	/** Where a command on a row, an open file or nothing at all is to look; asks for it when it has to. */
	readonly placeOf: (subject: unknown, signal: AbortSignal) => Promise<FileSearch>;
}

/** So many requests need no question. */
const unasked = 200;

/** Looking for a text in all files of a repository, and what can be done with what was found. */
export function searchCommands(parts: SearchParts): CommandTable {
	/** What was last typed in this window, whether it was looked for or not. */
	let last: SearchWish = noWish;
	const { results } = parts;

	async function ask(where: FileSearch, signal: AbortSignal): Promise<void> {
		const clone = await cloneMeant(parts, where, signal);
		const title = clone
			? vscode.l10n.t('Search in the clone {0}', shownName(clone.name))
			: vscode.l10n.t('Search in {0} at {1}', placeName(where), shownName(where.at.ref));
		const wish = await askSearch(title, last, (typed) => (last = typed), signal);
		if (clone) {
			return searchInClone(clone.folder, wish);
		}
		await searchRemote(parts, where, wish, signal);
	}

	return {
		'forge.repositories.search': async (subject, signal) => ask(await parts.placeOf(subject, signal), signal),
		'forge.search.again': async (_, signal) => {
			const shown = results.shown();
			await ask(shown ? shown.where : await parts.placeOf(undefined, signal), signal);
		},
		'forge.search.cancel': async () => results.shown()?.search.cancel(),
		'forge.search.clear': () => results.clear(),
		'forge.search.openAsText': async () => {
			const content = results.text();
			if (content !== undefined) {
				await vscode.window.showTextDocument(
					await vscode.workspace.openTextDocument({ content, language: 'plaintext' }),
				);
			}
		},
	};
}

interface Clone {
	readonly folder: vscode.Uri;
	readonly name: string;
}

/** The clone that is to be looked through instead, if one is open in this window and the user wants that. */
async function cloneMeant(
	parts: SearchParts,
	{ connection, ref, at }: FileSearch,
	signal: AbortSignal,
): Promise<Clone | undefined> {
	const folder = await parts.cloneFolder(connection, ref, signal);
	if (!folder) {
		return undefined;
	}
	const clone = { folder, name: folder.path.slice(folder.path.lastIndexOf('/') + 1) };
	return choose<Clone | undefined>(vscode.l10n.t('Where should be searched?'), [
		{
			label: vscode.l10n.t('In the clone {0}', shownName(clone.name)),
			detail: vscode.l10n.t('As it is on this machine now. Asks the forge for nothing.'),
			iconPath: new vscode.ThemeIcon('folder-opened'),
			value: clone,
		},
		{
			label: vscode.l10n.t('On the forge, at {0}', shownName(at.ref)),
			iconPath: new vscode.ThemeIcon('cloud'),
			value: undefined,
		},
	]);
}

async function searchInClone(folder: vscode.Uri, { query, include }: SearchWish): Promise<void> {
	const patterns = include
		.split(',')
		.map((pattern) => pattern.trim())
		.filter((pattern) => pattern !== '');
	const below = (pattern: string): string =>
		/^\.?\//.test(pattern) ? `${folder.fsPath}/${pattern.replace(/^\.?\//, '')}` : `${folder.fsPath}/**/${pattern}`;
	const wanted = patterns.filter((pattern) => !pattern.startsWith('!'));
	await vscode.commands.executeCommand('workbench.action.findInFiles', {
		query: query.text,
		isRegex: query.isRegex,
		isCaseSensitive: query.matchCase,
		matchWholeWord: query.wholeWord,
		filesToInclude: wanted.length === 0 ? folder.fsPath : wanted.map(below).join(','),
		filesToExclude: patterns
			.filter((pattern) => pattern.startsWith('!'))
			.map((pattern) => pattern.slice(1))
			.join(','),
		triggerSearch: true,
	});
}

async function searchRemote(parts: SearchParts, where: FileSearch, wish: ReadWish, signal: AbortSignal): Promise<void> {
	const { connection, ref, at } = where;
	const listed = await filesOf(parts, where, signal);
	const { repositories } = connection;
	const kept = await repositories.keptAmong(
		ref,
		listed.map(({ id }) => id),
	);
	const choosing = searchContents(listed, pathFilter(wish.include), (id) => kept.has(id));
	const contents = await runResting(choosing, resting(parts.clock), signal);
	if (contents.files === 0) {
		void notify('information', noFiles(wish));
		return;
	}
	if (contents.toRead > unasked && !(await isConfirmed(where, contents))) {
		throw cancelled();
	}
	const search = new TextSearch({ repositories, ref, at, contents, pattern: wish.pattern, searcher: parts.searcher });
	await parts.results.show({ search, wish, where });
	await search.run(signal);
}

function noFiles({ include }: SearchWish): string {
	return include === ''
		? vscode.l10n.t('There is no file to look through.')
		: vscode.l10n.t('No file is called {0}. Choose others and search again.', visibleLine(include));
}

function isConfirmed(where: FileSearch, { files, toRead }: SearchContents): Promise<boolean> {
	return confirm(
		vscode.l10n.t('Search {0} files of {1}?', files, placeName(where)),
		vscode.l10n.t(
			'Up to {0} of them have to be read, each with a request. How large they are is not known before. What is read is kept for the next search.',
			toRead,
		),
		vscode.l10n.t('Search'),
	);
}

function placeName({ ref, at }: FileSearch): string {
	return shownName(`${repositoryRefText(ref)}${at.path === '' ? '' : `/${at.path}`}`);
}

/** All files of a place; asks before many folders are read. */
async function filesOf(
	{ indexes }: SearchParts,
	{ connection, ref, at }: FileSearch,
	signal: AbortSignal,
): Promise<readonly IndexedPath[]> {
	const title = vscode.l10n.t('Listing the files of {0}…', shownName(repositoryRefText(ref)));
	const index = await withProgress(title, signal, (working) => indexes.of(connection, ref, at, working));
	const holding = index.hold();
	try {
		for (;;) {
			const standing = await withProgress(title, signal, (working) => index.settled(working));
			if (standing.kind === 'failed') {
				throw standing.error;
			}
			if (standing.kind !== 'asking' || !(await wantsMore(index))) {
				return index.entries;
			}
			index.goOn();
		}
	} finally {
		holding.dispose();
	}
}

/** Whether more folders are to be read; throws an abort when neither that nor what is known is wanted. */
function wantsMore({ entries, foldersRead, foldersAhead }: PathIndex): Promise<boolean> {
	const choices: readonly Choice<boolean>[] = [
		{
			label: vscode.l10n.t('Read on'),
			description: vscode.l10n.t('at least {0} more folders, each with a request', foldersAhead),
			iconPath: new vscode.ThemeIcon('play'),
			value: true,
		},
		{
			label: vscode.l10n.t('Search only in what was read'),
			description: vscode.l10n.t('{0} files', entries.length),
			iconPath: new vscode.ThemeIcon('search'),
			value: false,
		},
	];
	return choose(
		vscode.l10n.t('{0} folders read so far, at least {1} more to read. Go on?', foldersRead, foldersAhead),
		choices,
	);
}
