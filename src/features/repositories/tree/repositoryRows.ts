import * as vscode from 'vscode';
import { rowContext } from '../../../commands/rows.ts';
import { extraParagraphs, unsentMark } from '../../../editor/ask/extraFields.ts';
import { watchedFact } from '../../../editor/owned/watchedFact.ts';
import type { TreeNode } from '../../../editor/trees/treeNode.ts';
import { untrustedMarkdown } from '../../../editor/documents/untrustedMarkdown.ts';
import { refText } from 'sourcehut/port/namedRef.ts';
import type { Reference, Repository } from 'sourcehut/port/repository.ts';
import {
	referenceKind,
	revisionOf,
	shortName,
	type ReferenceKind,
} from '../../../store/repositories/repositoryReferences.ts';
import { knownCommitOf } from '../questions/referenceItems.ts';
import { fullTime, shortAge } from '../../../engine/text/age.ts';
import { escapeMarkdown } from '../../../engine/text/escapeMarkdown.ts';
import { visibleLine } from '../../../engine/text/visible.ts';
import type { ReferenceSubject, RepositorySubject } from '../subjects/subjects.ts';
import { referenceKindText, shownName, visibilityText } from '../subjects/words.ts';
import { type InRepository, rowId } from '../subjects/rowsInRepository.ts';

type Children = NonNullable<TreeNode['children']>;

/** A reference with all references of its repository. */
export interface AtReference extends InRepository {
	readonly reference: Reference;
	readonly all: readonly Reference[];
	/** True only if the server states it. */
	readonly isDefault: boolean;
}

/** `repository`: `undefined` for a followed one before its first read. */
export function repositoryRow(
	{ connection, ref }: InRepository,
	repository: Repository | undefined,
	parent: TreeNode | undefined,
	children: Children,
): TreeNode {
	const isOwn = ref.owner === connection.me;
	const facts = [
		repository && visibilityText(repository),
		watchedFact(connection, { kind: 'repository', ref }),
		...(repository ? unsentMark(repository) : []),
	].filter((fact) => fact !== undefined);
	const item = new vscode.TreeItem(shownName(ref.name), vscode.TreeItemCollapsibleState.Collapsed);
	item.description = [visibleLine(ref.owner), ...facts].join(' · ');
	item.iconPath = new vscode.ThemeIcon('repo');
	item.contextValue = rowContext(isOwn ? 'repository.own' : 'repository.followed', {});
	item.accessibilityInformation = {
		label: [vscode.l10n.t('Repository {0} of {1}', shownName(ref.name), visibleLine(ref.owner)), ...facts].join(', '),
	};
	const subject: RepositorySubject = { kind: 'repository', connectionKey: connection.key, ref };
	return {
		id: rowId({ connection, ref }),
		item,
		parent,
		children,
		subject,
		async tooltip(signal) {
			const read = repository ?? (await connection.repositories.metadata.get(ref, signal));
			const about = Array.from(visibleLine(read.description ?? ''))
				.slice(0, 300)
				.join('');
			const { updatedMs } = read;
			return untrustedMarkdown([
				`**${escapeMarkdown(shownName(refText(ref)))}**`,
				escapeMarkdown(about),
				escapeMarkdown(visibilityText(read) ?? ''),
				updatedMs === undefined
					? ''
					: escapeMarkdown(vscode.l10n.t('Updated on {0}', fullTime(updatedMs, vscode.env.language))),
				...extraParagraphs(read),
			]);
		},
	};
}

/** Row of all branches, tags or other references. */
export function groupRow(kind: ReferenceKind, parent: TreeNode, children: Children): TreeNode {
	// Most users look for branches, and showing them costs no request.
	const { Collapsed, Expanded } = vscode.TreeItemCollapsibleState;
	const item = new vscode.TreeItem(referenceKindText(kind), kind === 'branch' ? Expanded : Collapsed);
	item.contextValue = rowContext('references', {});
	return { id: `${parent.id}${kind}`, item, parent, children, subject: undefined };
}

/** Row of a branch, a tag or another reference. `nowMs`: for the age of its last commit, if known. */
export function referenceRow(
	at: AtReference,
	nowMs: () => number,
	parent: TreeNode,
	children: (row: TreeNode, signal: AbortSignal) => Promise<readonly TreeNode[]>,
): TreeNode {
	const { connection, ref, reference, all } = at;
	const { repositories } = connection;
	const revision = revisionOf(reference, all);
	const commitId = knownCommitOf(repositories, { ref, reference, revision });
	const newest = repositories.names.known(ref)?.knownLog(revision)?.items[0];
	const subject: ReferenceSubject = { kind: 'reference', connectionKey: connection.key, ref, revision };
	const row: TreeNode = {
		id: rowId(at, reference.name),
		get item() {
			const age = newest && shortAge(newest.timestampMs, nowMs(), vscode.env.language);
			const kind = referenceKind(at.reference);
			const name = shownName(shortName(at.reference));
			const item = new vscode.TreeItem(name, vscode.TreeItemCollapsibleState.Collapsed);
			const facts = [
				...(commitId === undefined ? [] : [visibleLine(commitId.slice(0, 7))]),
				...(age === undefined ? [] : [age]),
				...(at.isDefault ? [vscode.l10n.t('default')] : []),
				...(at.reference.areArtifactsUnread === true ? [vscode.l10n.t('release files not loaded')] : []),
			];
			item.description = facts.join(' · ');
			item.iconPath = new vscode.ThemeIcon(icons[kind]);
			item.contextValue = rowContext(`reference.${kind}`, {});
			item.accessibilityInformation = {
				label: [
					{
						branch: vscode.l10n.t('Branch {0}', name),
						tag: vscode.l10n.t('Tag {0}', name),
						other: vscode.l10n.t('Reference {0}', name),
					}[kind],
					...facts,
				].join(', '),
			};
			return item;
		},
		agedMs: newest?.timestampMs,
		parent,
		children: (signal) => children(row, signal),
		subject,
		tooltip: () =>
			Promise.resolve(
				untrustedMarkdown([
					`**${escapeMarkdown(shownName(shortName(reference)))}**`,
					escapeMarkdown(shownName(reference.name)),
					escapeMarkdown(visibleLine(commitId ?? '')),
					escapeMarkdown(
						commitId === reference.target ? '' : vscode.l10n.t('Points to object {0}', visibleLine(reference.target)),
					),
					...extraParagraphs(reference),
				]),
			),
	};
	return row;
}

const icons: Readonly<Record<ReferenceKind, string>> = { branch: 'git-branch', tag: 'tag', other: 'bookmark' };
