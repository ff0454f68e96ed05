import * as vscode from 'vscode';
import { showDocument } from '../../../editor/documents/showDocument.ts';
import { isAbort } from '@forge-desk/base/abort.ts';
import { runResting, resting } from '@forge-desk/base/timeSlice.ts';
import { cancelled, choose, type Choice } from '../../../editor/ask/ask.ts';
import { confirm, notify } from '../../../editor/ask/notify.ts';
import type { Problems } from '../../../editor/ask/problems.ts';
import { withProgress } from '../../../editor/ask/progress.ts';
import type { CommandTable } from '../../../editor/commands/feature.ts';
import { pathFilter, splitOutsideBraces } from '../../../engine/search/texts/pathGlob.ts';
import { visibleLine } from '../../../engine/text/visible.ts';
import { ForgeError } from 'sourcehut/port/forgeError.ts';
import { refText } from 'sourcehut/port/namedRef.ts';
import { GitFailure } from 'hardened-git/gitFailure.ts';
import type { BlobOfClone, FileOfCommit } from 'hardened-git/readClone.ts';
import type { PathIndex } from '../../../store/repositories/find/pathIndex.ts';
import type { PathIndexes } from '../../../store/repositories/find/pathIndexes.ts';
import {
	searchLimits,
	type SearchContents,
	type SearchedTexts,
	searchContents,
	TextSearch,
	textsOfForge,
} from '../../../store/repositories/find/textSearch.ts';
import { stepsOf, nameOf } from '../../../store/repositories/repositoryEntries.ts';
import { walkLimits } from '../../../store/repositories/repositoryWalk.ts';
import { tellFailure } from '../clones/failureText.ts';
import type { CloneToSearch } from '../parts/openClones.ts';
import type { FileSearch, RepositoriesContext } from '../parts/repositoriesContext.ts';
import { shownName } from '../subjects/words.ts';
import { filesText, foldersText } from './fileRows.ts';
import { askSearch, noWish, type ReadWish, type SearchHeading, type SearchWish } from './searchQuestion.ts';
import type { SearchView, ShownSearch } from './searchView.ts';

/** The files of a commit below a folder, as a clone lists them, but for those that a remote folder does not show either. */
export async function filesOfClone(
	clone: CloneToSearch,
	{ commit, folder }: { readonly commit: string; readonly folder: string },
	signal: AbortSignal,
): Promise<readonly FileOfCommit[]> {
	const found: FileOfCommit[] = [];
	const below = folder === '' ? '' : `${folder}/`;
	for await (const files of clone.files(commit, signal)) {
		for (const file of files) {
			if (file.path.startsWith(below) && stepsOf(file.path, walkLimits.depth)) {
				found.push(file);
			}
		}
	}
	return found;
}

/** Contents from a clone for one search, in the order of `contents`. */
export function textsOfClone(
	clone: CloneToSearch,
	listed: readonly FileOfCommit[],
	{ paths }: SearchContents,
): SearchedTexts {
	const sizes = new Map(listed.map(({ id, sizeBytes }) => [id, sizeBytes]));
	const wanted = Array.from(paths.keys()).filter((id) => (sizes.get(id) ?? 0) <= searchLimits.fileBytes);
	let read: BlobOfClone | undefined;
	return {
		async blob(id, signal) {
			read ??= clone.blobs(wanted, signal);
			const bytes = await read(id);
			if (!bytes) {
				throw new ForgeError({ kind: 'notFound' });
			}
			return { bytes, isBinary: false };
		},
		knownSize: (id) => sizes.get(id),
	};
}

/** Requests that need no confirmation. */
const unasked = 200;

/** Commands to search all files of a repository and to use the results. */
export function searchCommands(
	context: RepositoriesContext,
	indexes: PathIndexes,
	results: SearchView,
	placeOf: (subject: unknown, signal: AbortSignal) => Promise<FileSearch>,
): CommandTable {
	/** Last typed search of this window, even if it never ran. */
	let last: SearchWish = noWish;

	async function ask(where: FileSearch, signal: AbortSignal): Promise<void> {
		const source = await askSearchSource(context, where, signal);
		const wish = await askSearch(headingOf(source, where), last, (typed) => (last = typed), signal);
		switch (source.kind) {
			case 'forge': {
				const search = await searchRemote(context, indexes, where, wish, signal);
				return run({ search, wish, where, from: undefined }, signal);
			}
			case 'commit': {
				const search = await searchCommit(context, { ...where, ...source }, wish, signal);
				return search && run({ search, wish, where, from: cloneName(source.clone) }, signal);
			}
			case 'workingTree':
				return searchWorkingTree(source.clone.folder, wish);
		}
	}

	async function run(shown: ShownSearch, signal: AbortSignal): Promise<void> {
		if (shown.search.files === 0) {
			void notify(
				'information',
				shown.wish.include === ''
					? vscode.l10n.t('There are no files to search.')
					: vscode.l10n.t('No files match {0}. Choose others and search again.', visibleLine(shown.wish.include)),
			);
			return;
		}
		await results.show(shown);
		await shown.search.run(signal);
	}

	return {
		'forge.repositories.search': async (subject, signal) => ask(await placeOf(subject, signal), signal),
		'forge.search.again': async (_, signal) => {
			const shown = results.shown();
			await ask(shown ? shown.where : await placeOf(undefined, signal), signal);
		},
		'forge.search.cancel': async () => results.shown()?.search.cancel(),
		'forge.search.clear': () => results.clear(),
		'forge.search.openAsText': async () => {
			const content = results.text();
			if (content !== undefined) {
				await showDocument(await vscode.workspace.openTextDocument({ content, language: 'plaintext' }));
			}
		},
	};
}

function headingOf(source: SearchSource, where: FileSearch): SearchHeading {
	const [name, revision] = [placeName(where), shownName(where.at.ref)];
	switch (source.kind) {
		case 'forge':
			return {
				title: vscode.l10n.t('Search in {0} at {1}', name, revision),
				prompt: vscode.l10n.t('In all files, line by line. You are asked before many requests are sent.'),
			};
		case 'commit':
			return {
				title: vscode.l10n.t('Search in {0} at {1}', name, revision),
				prompt: vscode.l10n.t(
					'In all files of this commit, line by line, from the clone {0}. No requests are sent to the forge.',
					cloneName(source.clone),
				),
			};
		case 'workingTree':
			return {
				title: vscode.l10n.t('Search in the clone {0}', cloneName(source.clone)),
				prompt: vscode.l10n.t('In all current files, with the search of the editor.'),
			};
	}
}

/** The editor's search includes unsaved changes and respects .gitignore. */
async function searchWorkingTree(folder: vscode.Uri, { query, include }: SearchWish): Promise<void> {
	const patterns = splitOutsideBraces(include)
		.map((pattern) => pattern.trim())
		.filter((pattern) => pattern !== '');
	// The editor also parses the folder as a glob, with a comma as separator.
	const root = folder.fsPath.replaceAll(/[[{}*?,]/g, '[$&]');
	const below = (pattern: string): string =>
		/^\.?\//.test(pattern) ? `${root}/${pattern.replace(/^\.?\//, '')}` : `${root}/**/${pattern}`;
	const wanted = patterns.filter((pattern) => !pattern.startsWith('!'));
	await vscode.commands.executeCommand('workbench.action.findInFiles', {
		query: query.text,
		isRegex: query.isRegex,
		isCaseSensitive: query.matchCase,
		matchWholeWord: query.wholeWord,
		filesToInclude: wanted.length === 0 ? root : wanted.map(below).join(','),
		// The editor excludes a relative pattern at any depth, and reads a leading slash as an absolute path.
		filesToExclude: patterns
			.filter((pattern) => pattern.startsWith('!'))
			.map((pattern) => pattern.slice(1).replace(/^\.?\//, ''))
			.join(','),
		triggerSearch: true,
	});
}

/** A commit in a clone. */
type ClonedCommit = FileSearch & Extract<SearchSource, { kind: 'commit' }>;

/** A commit in a clone, in the same files as on the forge. The results open the forge's files. `undefined`: git failed. */
async function searchCommit(
	{ clock, problems, searcher }: RepositoriesContext,
	{ clone, commit, at }: ClonedCommit,
	wish: ReadWish,
	signal: AbortSignal,
): Promise<TextSearch | undefined> {
	const title = vscode.l10n.t('Listing the files of {0}…', cloneName(clone));
	try {
		const files = await withProgress(title, signal, (working) =>
			filesOfClone(clone, { commit, folder: at.path }, working),
		);
		const choosing = searchContents(files, pathFilter(wish.include), () => true);
		const contents = await runResting(choosing, resting(clock), signal);
		return new TextSearch(textsOfClone(clone, files, contents), contents, wish.pattern, searcher);
	} catch (error) {
		if (!(error instanceof GitFailure)) {
			throw error;
		}
		problems.log(error);
		void tellFailure(error.problem);
		return undefined;
	}
}

async function searchRemote(
	{ clock, searcher }: RepositoriesContext,
	indexes: PathIndexes,
	where: FileSearch,
	wish: ReadWish,
	signal: AbortSignal,
): Promise<TextSearch> {
	const { connection, ref, at } = where;
	const listed = await filesOf(indexes, where, signal);
	const kept = await connection.repositories.objects.keptAmong(
		ref,
		listed.map(({ id }) => id),
	);
	const choosing = searchContents(listed, pathFilter(wish.include), (id) => kept.has(id));
	const contents = await runResting(choosing, resting(clock), signal);
	if (
		contents.toRead > unasked &&
		!(await confirm(
			vscode.l10n.t('Search {0} files of {1}?', contents.files, placeName(where)),
			vscode.l10n.t(
				'Up to {0} of them have to be loaded, one request each. Their sizes are not known in advance. Loaded files are kept for the next search.',
				contents.toRead,
			),
			vscode.l10n.t('Search'),
		))
	) {
		throw cancelled();
	}
	return new TextSearch(textsOfForge(connection.repositories, ref, at), contents, wish.pattern, searcher);
}

function placeName({ ref, at }: FileSearch): string {
	return shownName(`${refText(ref)}${at.path === '' ? '' : `/${at.path}`}`);
}

/** All files of a place. Asks before loading many folders. */
async function filesOf(indexes: PathIndexes, { connection, ref, at }: FileSearch, signal: AbortSignal) {
	const title = vscode.l10n.t('Listing the files of {0}…', shownName(refText(ref)));
	const index = await withProgress(title, signal, (working) => indexes.of(connection, ref, at, working));
	const holding = index.hold();
	try {
		for (;;) {
			const standing = await withProgress(title, signal, (working) => index.settled(working));
			if (standing.kind === 'failed') {
				throw standing.error;
			}
			if (standing.kind === 'read' && !standing.isAll) {
				const left = vscode.l10n.t(
					'Not all files are known here, so some are not searched. Clone the repository to search all.',
				);
				void notify('warning', left);
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

/** Asks whether to load more folders. Throws an abort on cancel. */
function wantsMore({ entries, foldersRead, foldersAhead }: PathIndex): Promise<boolean> {
	const choices: readonly Choice<boolean>[] = [
		{
			label: vscode.l10n.t('Load More'),
			description:
				foldersAhead === 1
					? vscode.l10n.t('at least 1 more folder, one request each')
					: vscode.l10n.t('at least {0} more folders, one request each', foldersAhead),
			iconPath: new vscode.ThemeIcon('play'),
			value: true,
		},
		{
			label: vscode.l10n.t('Search Only Loaded Files'),
			description: filesText(entries.length),
			iconPath: new vscode.ThemeIcon('search'),
			value: false,
		},
	];
	return choose(
		vscode.l10n.t('{0} loaded, at least {1} more to load. Continue?', foldersText(foldersRead), foldersAhead),
		choices,
	);
}

/** Source of the searched files. */
type SearchSource =
	| { readonly kind: 'forge' }
	/** The requested commit, read from a clone. */
	| { readonly kind: 'commit'; readonly clone: CloneToSearch; readonly commit: string }
	/** Current files in a clone's folder, at any commit. */
	| { readonly kind: 'workingTree'; readonly clone: CloneToSearch };

/** Asks for the source if a clone is open; otherwise only the forge is available. */
async function askSearchSource({ cloneOf, problems }: RepositoriesContext, where: FileSearch, signal: AbortSignal) {
	const forge: SearchSource = { kind: 'forge' };
	const clone = await cloneOf(where.connection, where.ref, signal);
	if (!clone) {
		return forge;
	}
	const revision = shownName(where.at.ref);
	const title = vscode.l10n.t('Checking whether the clone {0} has {1}…', cloneName(clone), revision);
	const { commit, isThere } = await withProgress(title, signal, async (working) => {
		const { folders } = where.connection.repositories;
		const standing = await unlessFailing(folders.standing(where.ref, where.at.ref, working), problems);
		const found = standing?.commit.id;
		const has = found !== undefined && (await unlessFailing(clone.has(found, working), problems));
		return { commit: found, isThere: has === true };
	});
	const choices: readonly Choice<SearchSource>[] = [
		...(commit !== undefined && isThere
			? [
					{
						label: vscode.l10n.t('At {0}, from the clone {1}', revision, cloneName(clone)),
						detail: vscode.l10n.t('Commit {0} as it was committed. Sends no requests to the forge.', shortId(commit)),
						iconPath: new vscode.ThemeIcon('repo-clone'),
						value: { kind: 'commit', clone, commit } as const,
					},
				]
			: []),
		{
			label: vscode.l10n.t('In the working tree of the clone {0}', cloneName(clone)),
			detail: vscode.l10n.t(
				'Current files on this computer, with the search of the editor. Sends no requests to the forge.',
			),
			iconPath: new vscode.ThemeIcon('folder-opened'),
			value: { kind: 'workingTree', clone },
		},
		{
			label: vscode.l10n.t('On the forge, at {0}', revision),
			...(commit === undefined || isThere
				? {}
				: { detail: vscode.l10n.t('The clone does not have commit {0}.', shortId(commit)) }),
			iconPath: new vscode.ThemeIcon('cloud'),
			value: forge,
		},
	];
	return choose(vscode.l10n.t('Choose where to search'), choices);
}

/** As people call a clone. */
function cloneName({ folder }: CloneToSearch): string {
	return shownName(nameOf(folder.path));
}

/** One failing source must not stop the others. */
async function unlessFailing<T>(asking: Promise<T>, problems: Problems): Promise<T | undefined> {
	try {
		return await asking;
	} catch (error) {
		if (isAbort(error)) {
			throw error;
		}
		problems.log(error);
		return undefined;
	}
}

function shortId(commit: string): string {
	return commit.slice(0, 7);
}
