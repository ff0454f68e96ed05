import * as vscode from 'vscode';
import { addressInFront } from '../../../editor/commands/addressInFront.ts';
import { isAbort } from '@forge-desk/base/abort.ts';
import { rowContext } from '../../../commands/rows.ts';
import { notify, tellBriefly } from '../../../editor/ask/notify.ts';
import { withProgress } from '../../../editor/ask/progress.ts';
import type { Feature } from '../../../editor/commands/feature.ts';
import { connectionOf } from '../../../editor/commands/subjects.ts';
import { untrustedMarkdown } from '../../../editor/documents/untrustedMarkdown.ts';
import { noticeRow } from '../../../editor/trees/noticeRow.ts';
import { moreRow } from '../../../editor/trees/pagingRows.ts';
import type { TreeNode } from '../../../editor/trees/treeNode.ts';
import type { TreeSource } from '../../../editor/trees/treeSource.ts';
import { isObjectId } from 'patchmail/git/objectId.ts';
import { fullTime, shortAge, spokenAge } from '../../../engine/text/age.ts';
import { escapeMarkdown } from '../../../engine/text/escapeMarkdown.ts';
import { visibleLine } from '../../../engine/text/visible.ts';
import { refText } from 'sourcehut/port/namedRef.ts';
import type { TreePath, RepositoryRef } from 'sourcehut/port/repository.ts';
import type { Connection, Connections } from '../../../store/connection.ts';
import { changedFiles, type ChangedFile } from '../../../store/repositories/history/changedFiles.ts';
import {
	type FileHistory,
	type HistoryEntry,
	fileHistory,
	historyLimits,
	type StoodAt,
} from '../../../store/repositories/history/fileHistory.ts';
import { historySource } from '../../../store/repositories/history/historyReads.ts';
import { entryKind, stepsOf, nameOf } from '../../../store/repositories/repositoryEntries.ts';
import { headRevision } from '../../../store/repositories/repositoryReferences.ts';
import { walkLimits } from '../../../store/repositories/repositoryWalk.ts';
import { branchOf, isPushed } from '../links/permalinkOfClone.ts';
import type { FileOfClone } from '../parts/openClones.ts';
import type { RepositoriesContext } from '../parts/repositoriesContext.ts';
import { resultsView } from '../parts/resultsView.ts';
import { noteRow } from '../subjects/rowsInRepository.ts';
import { repositoriesSubject, type CommitSubject, changeSubject } from '../subjects/subjects.ts';
import { shownName, titleOf } from '../subjects/words.ts';
import { isLocal, type WithinConnection, type Within, openFile, openFiles, shortId } from './openFiles.ts';

/** A path's history and its context. */
interface ShownHistory {
	readonly history: FileHistory;
	readonly within: WithinConnection & { readonly connection: Connection };
	/** Path and start revision in readable form. */
	readonly name: string;
	readonly revision: string;
}

interface Opened {
	readonly shown: ShownHistory;
	/** Set during a pass. */
	looking: AbortController | undefined;
	/** Error of the last pass. */
	failure: { readonly error: unknown } | undefined;
}

/** View of a file's history: shows commits as the search finds them. */
function historyView(context: RepositoriesContext) {
	const { problems, clock } = context;
	const ending = new AbortController();
	const view = resultsView<Opened>('forge.history', context, {
		connectionOf: ({ shown }) => shown.within.connection,
		isRunning: ({ looking }) => looking !== undefined,
		rows,
		note: noteText,
		tryAgain(opened) {
			// Loaded history never changes, so retry only after a failure.
			if (opened.failure) {
				void look(opened, ending.signal);
			}
		},
		end: ({ looking }) => looking?.abort(),
	});

	async function look(at: Opened, signal: AbortSignal): Promise<void> {
		if (at !== view.shown() || at.looking) {
			return;
		}
		const looking = new AbortController();
		at.looking = looking;
		at.failure = undefined;
		view.draw();
		const working = AbortSignal.any([signal, looking.signal, ending.signal]);
		try {
			await vscode.window.withProgress({ location: { viewId: 'forge.history' } }, () =>
				at.shown.history.lookOn(working, view.drawSoon),
			);
		} catch (error) {
			if (!isAbort(error)) {
				problems.log(error);
				at.failure = { error };
			}
		}
		at.looking = undefined;
		if (at === view.shown()) {
			view.draw();
		}
	}

	/** Throws the error of an empty pass, which the view's welcome text then shows. */
	function rows(opened: Opened, turn: number): readonly TreeNode[] {
		if (opened.failure && opened.shown.history.entries().length === 0) {
			throw opened.failure.error;
		}
		const { history, within } = opened.shown;
		const nowMs = (): number => clock.nowMs();
		const found = history.entries().map((entry) => historyRow(`${turn}/${entry.commit.id}`, within, entry, nowMs));
		return [...found, ...lastRows(opened, turn)];
	}

	function lastRows(at: Opened, turn: number): readonly TreeNode[] {
		const { history } = at.shown;
		const id = `${turn}?`;
		const isNone = history.entries().length === 0;
		if (at.looking) {
			return isNone ? [noteRow(id, vscode.l10n.t('Searching commits…'), undefined, 'search')] : [];
		}
		if (at.failure) {
			const { error } = at.failure;
			const reason = problems.explain(error).message;
			return [noticeRow({ id, parent: undefined, error, reason, again: 'forge.history' })];
		}
		if (!history.isWhole()) {
			const searched = history.commits();
			const counts =
				searched === 1 ? vscode.l10n.t('1 commit searched') : vscode.l10n.t('{0} commits searched', searched);
			return [moreRow({ id, parent: undefined, counts }, (signal) => look(at, signal))];
		}
		return [
			noteRow(
				id,
				isNone
					? vscode.l10n.t('No commit changed this.')
					: vscode.l10n.t('This is the whole history along first parents.'),
				undefined,
			),
		];
	}

	function noteText({ shown: { history, within, name, revision } }: Opened): string {
		const count = history.entries().length;
		const found = count === 1 ? vscode.l10n.t('1 commit') : vscode.l10n.t('{0} commits', count);
		return [name, found, shownName(refText(within.ref)), revision].join(' · ');
	}

	return {
		tree: view.tree,
		/** Replaces the shown history. Resolves after the first pass. Never rejects. */
		async show(shown: ShownHistory, signal: AbortSignal) {
			const opened: Opened = { shown, looking: undefined, failure: undefined };
			let looked: Promise<void> | undefined;
			await view.show(opened, () => void (looked = look(opened, signal)));
			await looked;
		},
		/** The commit's change to the path, for a row of the view. */
		entryOf(row: unknown): { readonly within: ShownHistory['within']; readonly entry: HistoryEntry } | undefined {
			const subject = repositoriesSubject(row);
			const opened = view.shown();
			const entry =
				subject?.kind === 'commit' &&
				opened?.shown.within.connectionKey === subject.connectionKey &&
				opened.shown.history.entries().find(({ commit }) => commit.id === subject.id);
			return opened && entry ? { within: opened.shown.within, entry } : undefined;
		},
		/** Stops the current pass. Keeps its results. */
		cancel: (): void => view.shown()?.looking?.abort(),
		/** Takes the view away. */
		clear: view.clear,
		dispose() {
			ending.abort();
			view.dispose();
		},
	};
}

/** Row of a commit that changed the path. Menus treat it as the commit; a click opens its change to the path. */
function historyRow(id: string, { connectionKey, ref }: Within, entry: HistoryEntry, nowMs: () => number): TreeNode {
	const { commit, before, after } = entry;
	const subject: CommitSubject = { kind: 'commit', connectionKey, ref, id: commit.id };
	return {
		id,
		get item() {
			const [atMs, locale] = [nowMs(), vscode.env.language];
			const [author, shortId] = [visibleLine(commit.author.name), visibleLine(commit.shortId)];
			const item = new vscode.TreeItem(titleOf(commit), vscode.TreeItemCollapsibleState.None);
			const isPlainChange = before !== undefined && after?.path === before.path;
			const what = isPlainChange ? [] : [whatText(entry)];
			item.description = [...what, author, shortAge(commit.timestampMs, atMs, locale), shortId].join(' · ');
			item.iconPath = new vscode.ThemeIcon('git-commit');
			item.contextValue = rowContext('commit', {});
			item.accessibilityInformation = {
				label: [
					titleOf(commit),
					whatText(entry),
					vscode.l10n.t('commit {0}', shortId),
					author,
					spokenAge(commit.timestampMs, atMs, locale),
				].join(', '),
			};
			item.command = { command: 'forge.history.openChange', title: vscode.l10n.t('Open Change'), arguments: [subject] };
			return item;
		},
		agedMs: commit.timestampMs,
		parent: undefined,
		subject,
		tooltip: () =>
			Promise.resolve(
				untrustedMarkdown([
					`**${escapeMarkdown(titleOf(commit))}**`,
					escapeMarkdown(`${shownName((after ?? before)?.path ?? '')}: ${whatText(entry)}`),
					escapeMarkdown(`${visibleLine(commit.author.name)} <${visibleLine(commit.author.email)}>`),
					escapeMarkdown(fullTime(commit.timestampMs, vscode.env.language)),
					escapeMarkdown(visibleLine(commit.id)),
				]),
			),
	};
}

/** The commit's change to the path. */
function whatText({ before, after }: HistoryEntry): string {
	if (!before) {
		return vscode.l10n.t('added');
	}
	if (!after) {
		return vscode.l10n.t('deleted');
	}
	return before.path === after.path
		? vscode.l10n.t('modified')
		: vscode.l10n.t('renamed from {0}', shownName(before.path));
}

/** The history of a file or folder: its view, and the commands on it. */
export function historyFeature(context: RepositoriesContext): Feature & { readonly tree: TreeSource } {
	const view = historyView(context);
	return {
		tree: view.tree,
		commands: {
			'forge.repositories.fileHistory': (subject, signal) => openHistory(context, view, subject, signal),
			'forge.history.openChange': async (subject, signal) => {
				const found = view.entryOf(subject);
				if (found) {
					await openEntry(found.within, found.entry, signal);
				}
			},
			'forge.history.cancel': async () => view.cancel(),
			'forge.history.clear': () => view.clear(),
		},
		dispose: () => view.dispose(),
	};
}

/** Shows the commits that changed a file or folder. */
async function openHistory(
	context: RepositoriesContext,
	view: ReturnType<typeof historyView>,
	subject: unknown,
	signal: AbortSignal,
): Promise<void> {
	const meant = await pathTarget(context, subject ?? addressInFront(), signal);
	const steps = meant && stepsOf(meant.at.path, walkLimits.depth);
	if (!meant || !steps || steps.length === 0) {
		// Not awaited here and below: the notice may stay open for hours.
		void notify(
			'information',
			vscode.l10n.t('Open a file of a remote repository or of a clone, or choose one in the Repositories view.'),
		);
		return;
	}
	const { connectionKey, ref, at } = meant;
	const connection = connectionOf(context.connections, { connectionKey });
	const { repositories } = connection;
	const standing = await withProgress(vscode.l10n.t('Loading {0}…', shownName(at.ref)), signal, (working) =>
		repositories.newestPinned(ref, at.ref, working),
	);
	if (!standing) {
		void notify('information', vscode.l10n.t('This repository is empty.'));
		return;
	}
	const start = { commit: standing.commit.id, steps };
	const history = fileHistory(historySource(repositories, ref), start, historyLimits);
	const within = { connection, connectionKey, ref, problems: context.problems };
	await view.show({ history, within, name: shownName(at.path), revision: shownName(at.ref) }, signal);
}

/** Opens a commit's change to the path: one diff for a file, all changes below a folder. */
async function openEntry(
	within: ShownHistory['within'],
	{ commit, parent, before, after }: HistoryEntry,
	signal: AbortSignal,
): Promise<void> {
	if (!isFolder(before) && !isFolder(after)) {
		return openFile(within, {
			before: before && parent !== undefined ? { ref: parent, path: before.path } : undefined,
			after: after && { ref: commit.id, path: after.path },
		});
	}
	const { connection, ref } = within;
	const changed = await withProgress(vscode.l10n.t('Comparing…'), signal, (working) =>
		changedFiles(connection.repositories, { ref, before: parent, after: commit.id }, working),
	);
	const path = (after ?? before)?.path ?? '';
	const isIn = (at: TreePath | undefined): boolean => at?.path === path || at?.path.startsWith(`${path}/`) === true;
	await openFiles(
		within,
		{
			files: changed.files.filter(({ before, after }: ChangedFile) => isIn(before) || isIn(after)),
			leftOut: changed.leftOut,
			refused: 0,
		},
		{
			title: vscode.l10n.t('{0} {1} ({2})', visibleLine(commit.shortId), titleOf(commit), shownName(path)),
			nothing: vscode.l10n.t('This commit changes no files.'),
		},
		signal,
	);
}

function isFolder(stood: StoodAt | undefined): boolean {
	return stood !== undefined && entryKind(stood.entry) === 'folder';
}

/** A repository path and the start revision of its history. */
interface PathTarget {
	readonly connectionKey: string;
	readonly ref: RepositoryRef;
	readonly at: TreePath;
}

/** The path of a command's argument, remote or in a clone; `undefined` for anything else. */
async function pathTarget({ connections, clones }: RepositoriesContext, subject: unknown, signal: AbortSignal) {
	const change = changeSubject(subject);
	if (change) {
		return { connectionKey: change.connectionKey, ref: change.ref, at: { ref: change.after, path: change.path } };
	}
	if (isLocal(subject)) {
		const file = await clones.at(subject, signal);
		return file && (await pathOfClone(connections, file, signal));
	}
	const given = repositoriesSubject(subject);
	return given && 'at' in given ? given : undefined;
}

/** Starts at the checked-out commit if the forge has it, otherwise at a branch of the forge, with a message. */
async function pathOfClone(
	connections: Connections,
	{ clone: { connectionKey, ref, head }, path }: FileOfClone,
	signal: AbortSignal,
): Promise<PathTarget> {
	const connection = connectionOf(connections, { connectionKey });
	const commit = head?.commit;
	const revision = await withProgress(
		vscode.l10n.t('Loading {0}…', shownName(nameOf(path))),
		signal,
		async (working) => {
			if (commit !== undefined && isObjectId(commit) && (await isPushed(connection, ref, commit, working))) {
				return commit;
			}
			const branch = await branchOf(connection, ref, [head?.upstream?.name, head?.name], working);
			if (branch) {
				const name = shownName(branch.name);
				tellBriefly(
					commit === undefined
						? vscode.l10n.t('This is the history of {0} on the forge.', name)
						: vscode.l10n.t('Commit {0} is not on the forge. This is the history of {1} there.', shortId(commit), name),
				);
			}
			return branch?.revision;
		},
	);
	return { connectionKey, ref, at: { ref: revision ?? headRevision, path } };
}
