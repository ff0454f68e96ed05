import * as vscode from 'vscode';
import { Emitter } from '@forge-desk/base/event.ts';
import { Disposables } from '@forge-desk/base/lifecycle.ts';
import { rowContext } from '../../../commands/rows.ts';
import type { ViewId } from '../../../commands/viewIds.ts';
import { extraParagraphs } from '../../../editor/ask/extraFields.ts';
import { untrustedMarkdown } from '../../../editor/documents/untrustedMarkdown.ts';
import { onDidChoose } from '../../../editor/owned/watchedFact.ts';
import { accountRows } from '../../../editor/trees/accountRows.ts';
import { earlierNote } from '../../../editor/trees/earlierNote.ts';
import { tailRows } from '../../../editor/trees/pagingRows.ts';
import { readBeforeRows } from '../../../editor/trees/noticeRow.ts';
import type { TreeNode } from '../../../editor/trees/treeNode.ts';
import { isForgeError } from 'sourcehut/port/forgeError.ts';
import {
	ownRepositoryRef,
	type Reference,
	type Repository,
	type TreePath,
	type Commit,
} from 'sourcehut/port/repository.ts';
import { type Connection, watchConnections } from '../../../store/connection.ts';
import type { RepositoryStoreChange } from '../../../store/repositories/repositoryChange.ts';
import { treeOrPart } from '../../../store/repositories/repositoryFolders.ts';
import {
	inReadingOrder,
	referenceKind,
	type ReferenceKind,
	referenceOf,
	revisionOf,
} from '../../../store/repositories/repositoryReferences.ts';
import type { Listing, ReadBefore } from '../../../store/shared/listing.ts';
import { shortAge, fullTime, spokenAge } from '../../../engine/text/age.ts';
import { escapeMarkdown } from '../../../engine/text/escapeMarkdown.ts';
import { visibleLine } from '../../../engine/text/visible.ts';
import { artifactRows } from '../artifacts/artifactRow.ts';
import type { RenamedFollows } from '../manage/renamedFollows.ts';
import { noteRow, type InRepository } from '../subjects/rowsInRepository.ts';
import { repositoriesSubject, type CommitSubject, type ChangeSubject } from '../subjects/subjects.ts';
import { countText, partOfFolderText, signatureTexts, titleOf, shownName } from '../subjects/words.ts';
import { below, entryRow, refusedRow, sortedEntries } from './entryRows.ts';
import { groupRow, referenceRow, repositoryRow, type AtReference } from './repositoryRows.ts';
import type { RepositoriesContext } from '../parts/repositoriesContext.ts';
import { changedFiles, pathOfFile, type ChangedFile } from '../../../store/repositories/history/changedFiles.ts';
import { folderOf, nameOf } from '../../../store/repositories/repositoryEntries.ts';
import { shortId, uriOf } from '../compare/openFiles.ts';

const repositoriesView: ViewId = 'forge.repositories';

/** Rows per page of a folder: more would slow down the view. */
const folderPage = 1000;
/** Pages that the group of tags reads before it asks. */
const mostPagesAtOnce = 8;

/**
 * The Repositories view: accounts if there are several, own and followed repositories, references, folders, files and
 * commits.
 */
export function repositoryTree({ connections, problems, clock }: RepositoriesContext, follows?: RenamedFollows) {
	const owned = new Disposables();
	const changed = owned.add(new Emitter<TreeNode | undefined>());
	const accounts = accountRows(connections, (connection, signal) => repositoryNodes(connection, signal));
	const earlier = owned.add(earlierNote(connections, ({ repositories }) => repositories, clock));
	/** Rows shown of large folders, by the folder's row id. */
	const shown = new Map<string, number>();
	const explain = (error: unknown): string => problems.explain(error).message;
	/** Notice above stale rows below `parent`. Try Again refreshes `again`. */
	function noticeOver(parent: TreeNode, before: ReadBefore | undefined, again = parent): readonly TreeNode[] {
		return readBeforeRows(before, { id: parent.id, parent, clock, explain, again });
	}

	function tell(connection: Connection, change: RepositoryStoreChange): void {
		switch (change.kind) {
			case 'repositories':
			case 'renamed':
			case 'deleted':
				return changed.fire(accounts.above(connection));
			case 'repository':
				return changed.fire(repositoryNode({ connection, ref: change.ref }));
			case 'moved':
				return changed.fire(change.ref ? repositoryNode({ connection, ref: change.ref }) : accounts.above(connection));
			case 'log': {
				const all = connection.repositories.names.known(change.ref)?.references.known()?.items ?? [];
				const reference = referenceOf(change.revision, all);
				const at = reference && { connection, ref: change.ref, reference, all, isDefault: false };
				return at && changed.fire(commitsNode(at));
			}
		}
	}

	/**
	 * A missing followed repository may have a new name. If so, the account follows that name, and an event redraws the view.
	 */
	function repositoryNode({ connection, ref }: InRepository, repository?: Repository): TreeNode {
		return repositoryRow(
			{ connection, ref },
			repository ?? connection.repositories.metadata.known(ref),
			accounts.above(connection),
			async (signal) => {
				try {
					const rows = await referenceNodes({ connection, ref }, signal);
					// Not awaited. After a failure, the next read tries again.
					follows?.remember(connection, ref, signal).catch(() => undefined);
					return rows;
				} catch (error) {
					const isGone = isForgeError(error) && error.problem.kind === 'notFound';
					if (isGone && (await follows?.carryOver(connection, ref, signal)) === true) {
						return [];
					}
					throw error;
				}
			},
		);
	}

	async function repositoryNodes(connection: Connection, signal: AbortSignal): Promise<readonly TreeNode[]> {
		const { repositories, me } = connection;
		const listing = await repositories.own.cached(signal);
		const own = listing.items.map((repository) =>
			repositoryNode({ connection, ref: ownRepositoryRef(repository, me) }, repository),
		);
		const followed = repositories.followed.all().map((ref) => repositoryNode({ connection, ref }));
		const tail = tailRows({ id: connection.key, parent: accounts.above(connection) }, listing, (more) =>
			repositories.own.more(more),
		);
		const parent = accounts.above(connection);
		const notice = { id: parent?.id ?? repositoriesView, parent, clock, explain, again: repositoriesView };
		return [...readBeforeRows(repositories.own.before(), notice), ...own, ...followed, ...tail];
	}

	/** Branches alone are direct children of the repository. Beside tags or others, each kind gets a group. */
	async function referenceNodes(within: InRepository, signal: AbortSignal): Promise<readonly TreeNode[]> {
		const { repositories } = within.connection;
		const references = repositories.references(within.ref);
		const listing = await references.cached(signal);
		const first = await repositories.names.cachedDefaultBranch(within.ref, signal);
		const all = [...(await repositories.names.defaultBeyond(within.ref, listing, first, signal)), ...listing.items];
		const certain = first?.isCertain === true ? `refs/heads/${first.name}` : undefined;
		const parent = repositoryNode(within);
		const tail = tailRows({ id: parent.id, parent }, listing, (more) => references.more(more));
		const notice = noticeOver(parent, repositories.names.known(within.ref)?.referencesBefore());
		if (all.length === 0) {
			return [...notice, noteRow(`${parent.id}?note`, vscode.l10n.t('This repository is empty.'), parent), ...tail];
		}
		const rowsOf = (kinds: readonly ReferenceKind[], from: readonly Reference[]): readonly TreeNode[] =>
			inReadingOrder(from, first?.name)
				.filter((reference) => kinds.includes(referenceKind(reference)))
				.map((reference) => referenceNode({ ...within, reference, all: from, isDefault: reference.name === certain }));
		if (!isGrouped(within, all)) {
			return [...notice, ...rowsOf(['branch'], all), ...tail];
		}
		const groups = (['branch', 'tag', 'other'] as const).flatMap((kind) => {
			const members = rowsOf([kind], all);
			const row: TreeNode = groupRow(kind, parent, async (groupSignal) =>
				members.length > 0 ? members : await laterTags(within, row, (from) => rowsOf(['tag'], from), groupSignal),
			);
			return members.length > 0 || (kind === 'tag' && readsOn(listing)) ? [row] : [];
		});
		return [...notice, ...groups, ...tail];
	}

	/** Tags come after all branches, so pages of branches hide them. Reads on until the first tag. */
	async function laterTags(
		{ connection, ref }: InRepository,
		row: TreeNode,
		tagsAmong: (all: readonly Reference[]) => readonly TreeNode[],
		signal: AbortSignal,
	): Promise<readonly TreeNode[]> {
		const references = connection.repositories.references(ref);
		let listing = await references.cached(signal);
		for (let page = 0; page < mostPagesAtOnce && readsOn(listing) && tagsAmong(listing.items).length === 0; page += 1) {
			listing = await references.more(signal);
		}
		const tags = tagsAmong(listing.items);
		if (tags.length === 0 && !readsOn(listing)) {
			return [noteRow(`${row.id}?note`, vscode.l10n.t('This repository has no tags.'), row)];
		}
		return [
			...tags,
			...(tags.length === 0 ? tailRows({ id: row.id, parent: row }, listing, (more) => references.more(more)) : []),
		];
	}

	function referenceNode(at: AtReference): TreeNode {
		const { reference, all, connection, ref } = at;
		const repository = repositoryNode(at);
		const parent = isGrouped(at, all)
			? groupRow(referenceKind(reference), repository, () => Promise.resolve([]))
			: repository;
		return referenceRow(
			at,
			() => clock.nowMs(),
			parent,
			async (row, signal) => {
				const revision = revisionOf(reference, all);
				const entries = await entryNodes(at, { ref: revision, path: '' }, row, signal);
				return [
					...noticeOver(row, connection.repositories.names.known(ref)?.logBefore(revision)),
					commitsNode(at),
					...artifactRows(at, reference, row),
					...entries,
				];
			},
		);
	}

	async function entryNodes(
		at: AtReference,
		folder: TreePath,
		row: TreeNode,
		signal: AbortSignal,
	): Promise<readonly TreeNode[]> {
		const { connection, ref } = at;
		const { tree, isWhole } = await treeOrPart(connection.repositories.folders.cachedFolder(ref, folder, signal));
		const { openable, refused } = sortedEntries(tree);
		const notes = isWhole ? [] : [noteRow(`${row.id}?note`, partOfFolderText(), row)];
		const most = shown.get(row.id) ?? folderPage;
		const rows = openable
			.slice(0, most)
			.map((entry) =>
				entryRow(at, entry, below(folder, entry), row, (own, more) => entryNodes(at, below(folder, entry), own, more)),
			);
		if (openable.length > most) {
			const listing = { items: rows, completeness: { kind: 'more', total: openable.length } } as const;
			const tail = tailRows({ id: `${row.id}?`, parent: row }, listing, () => {
				shown.set(row.id, most + folderPage);
				changed.fire(row);
				return Promise.resolve();
			});
			return [...notes, ...rows, ...tail];
		}
		return [...notes, ...rows, ...refused.slice(0, folderPage).map((entry, index) => refusedRow(row, entry, index))];
	}

	function commitsNode(at: AtReference): TreeNode {
		const revision = revisionOf(at.reference, at.all);
		const known = at.connection.repositories.names.known(at.ref)?.knownLog(revision);
		const parent = referenceNode(at);
		const item = new vscode.TreeItem(vscode.l10n.t('Commits'), vscode.TreeItemCollapsibleState.Collapsed);
		item.iconPath = new vscode.ThemeIcon('history');
		item.contextValue = rowContext('commits', {});
		if (known) {
			item.description = countText(known);
		}
		const row: TreeNode = {
			id: `${parent.id}?commits`,
			item,
			parent,
			subject: undefined,
			children: async (signal) => {
				const { connection, ref } = at;
				const listing = await connection.repositories.log(ref, revision).cached(signal);
				return [
					...noticeOver(row, connection.repositories.names.known(ref)?.logBefore(revision), referenceNode(at)),
					...listing.items.map((commit) => commitRow(at, commit, row, () => clock.nowMs())),
					...tailRows({ id: row.id, parent: row }, listing, (more) =>
						connection.repositories.log(ref, revision).more(more),
					),
				];
			},
		};
		return row;
	}

	owned.add(
		watchConnections(
			connections,
			(connection) => [
				connection.repositories.onDidChange((change) => tell(connection, change)),
				onDidChoose(connection, () => changed.fire(accounts.above(connection))),
			],
			() => changed.fire(undefined),
		),
	);
	return {
		roots: (signal: AbortSignal) => accounts.roots(signal),
		onDidChange: changed.event,
		note: earlier.note,
		/** Invalidates the data of a row, or all data, before a redraw. */
		forget(node: TreeNode | undefined): void {
			const subject = repositoriesSubject(node);
			const forgetful = subject ? [connections.byKey(subject.connectionKey)] : connections.all();
			forgetful.forEach((connection) => connection?.repositories.forget(subject?.ref));
		},
		dispose: () => owned.dispose(),
	};
}

/** True also while unread pages may hold tags. */
function isGrouped({ connection, ref }: InRepository, all: readonly Reference[]): boolean {
	const known = connection.repositories.names.known(ref)?.references.known();
	return all.some((reference) => referenceKind(reference) !== 'branch') || (known !== undefined && readsOn(known));
}

/** True if the forge offers a further page. */
function readsOn({ completeness }: Listing<unknown>): boolean {
	return completeness.kind === 'more' && completeness.isLast !== true;
}

/** Row of a commit: author, age and short id, with its changed files below. */
export function commitRow(within: InRepository, commit: Commit, parent: TreeNode, nowMs: () => number): TreeNode {
	const { connection, ref } = within;
	const subject: CommitSubject = { kind: 'commit', connectionKey: connection.key, ref, id: commit.id };
	const row: TreeNode = {
		id: `${parent.id}/${commit.id}`,
		get item() {
			const [atMs, locale] = [nowMs(), vscode.env.language];
			const author = visibleLine(commit.author.name);
			const item = new vscode.TreeItem(titleOf(commit), vscode.TreeItemCollapsibleState.Collapsed);
			item.description = [author, shortAge(commit.timestampMs, atMs, locale), visibleLine(commit.shortId)].join(' · ');
			item.iconPath = new vscode.ThemeIcon('git-commit');
			item.contextValue = rowContext('commit', {});
			item.accessibilityInformation = {
				label: [
					titleOf(commit),
					vscode.l10n.t('commit {0}', visibleLine(commit.shortId)),
					author,
					spokenAge(commit.timestampMs, atMs, locale),
					...signatureTexts(commit),
				].join(', '),
			};
			item.command = {
				command: 'forge.repositories.openCommit',
				title: vscode.l10n.t('Open Commit'),
				arguments: [subject],
			};
			return item;
		},
		agedMs: commit.timestampMs,
		parent,
		subject,
		children: (signal) => changeRows(within, commit, row, signal),
		tooltip: () =>
			Promise.resolve(
				untrustedMarkdown([
					`**${escapeMarkdown(titleOf(commit))}**`,
					escapeMarkdown(`${visibleLine(commit.author.name)} <${visibleLine(commit.author.email)}>`),
					escapeMarkdown(fullTime(commit.timestampMs, vscode.env.language)),
					escapeMarkdown(visibleLine(commit.id)),
					...signatureTexts(commit).map(escapeMarkdown),
					...extraParagraphs(commit),
				]),
			),
	};
	return row;
}

/** Maximum rows per commit: more would slow down the view. */
const mostRows = 1000;

/** Rows of the files that a commit changed, below its own row. A merge compares with its first parent. */
async function changeRows(within: InRepository, commit: Commit, parent: TreeNode, signal: AbortSignal) {
	const { connection, ref } = within;
	const [first, ...others] = commit.parents;
	const sides = { ref, before: first, after: commit.id };
	const { files, leftOut, refused } = await changedFiles(connection.repositories, sides, signal);
	const isCut = leftOut !== undefined || files.length > mostRows;
	return [
		...note(
			parent,
			'merge',
			others.length > 0 &&
				first !== undefined &&
				vscode.l10n.t('Merge: compared with the first parent {0}', shortId(first)),
		),
		...note(parent, 'none', files.length === 0 && refused === 0 && vscode.l10n.t('No files changed')),
		...files.slice(0, mostRows).map((file) => changeRow(within, commit, parent, file)),
		...note(parent, 'more', isCut && vscode.l10n.t('Only the first {0} are shown', Math.min(files.length, mostRows))),
		...note(
			parent,
			'refused',
			refused > 0 &&
				(refused === 1
					? vscode.l10n.t('1 more cannot be opened: invalid file name')
					: vscode.l10n.t('{0} more cannot be opened: invalid file names', refused)),
		),
	];
}

function note(parent: TreeNode, name: string, text: string | false): readonly TreeNode[] {
	return text === false ? [] : [noteRow(`${parent.id}?${name}`, text, parent)];
}

function changeRow({ connection, ref }: InRepository, commit: Commit, parent: TreeNode, file: ChangedFile): TreeNode {
	const within = { connectionKey: connection.key, ref };
	const path = pathOfFile(file);
	const item = new vscode.TreeItem(shownName(nameOf(path)), vscode.TreeItemCollapsibleState.None);
	const at = file.after ?? file.before;
	if (at) {
		item.resourceUri = uriOf(within, at);
	}
	const folder = folderOf(path);
	const isMoved = file.kind === 'renamed' && file.before !== undefined;
	const where = isMoved ? `← ${shownName(file.before.path)}` : folder === '' ? undefined : shownName(folder);
	item.description = [letters[file.kind], ...(where === undefined ? [] : [where])].join(' · ');
	// `file` lets the icon theme choose.
	item.iconPath = new vscode.ThemeIcon('file');
	item.contextValue = rowContext('change', {});
	item.accessibilityInformation = { label: [shownName(path), kindText(file)].join(', ') };
	const sides = { before: commit.parents[0], after: commit.id };
	const subject: ChangeSubject = { kind: 'change', ...within, ...sides, path, ...(file.after ? {} : { isGone: true }) };
	item.command = {
		command: 'forge.repositories.openChange',
		title: vscode.l10n.t('Open Change'),
		arguments: [subject],
	};
	return {
		id: `${parent.id}/${path}`,
		item,
		parent,
		subject,
		tooltip: () =>
			Promise.resolve(untrustedMarkdown([`**${escapeMarkdown(shownName(path))}**`, escapeMarkdown(kindText(file))])),
	};
}

/** Git's letters. */
const letters: Readonly<Record<ChangedFile['kind'], string>> = {
	added: 'A',
	deleted: 'D',
	modified: 'M',
	typeChanged: 'T',
	renamed: 'R',
};

function kindText({ kind, before }: ChangedFile): string {
	return {
		added: vscode.l10n.t('added'),
		deleted: vscode.l10n.t('deleted'),
		modified: vscode.l10n.t('modified'),
		typeChanged: vscode.l10n.t('type changed'),
		renamed: vscode.l10n.t('renamed from {0}', shownName(before?.path ?? '')),
	}[kind];
}
