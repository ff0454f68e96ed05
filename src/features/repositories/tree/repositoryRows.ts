import * as vscode from 'vscode';
import { rowContext } from '../../../commands/rows.ts';
import { extraParagraphs, unsentMark } from '../../../editor/ask/extraFields.ts';
import { watchedFact } from '../../../editor/owned/watchedFact.ts';
import type { TreeNode } from '../../../editor/trees/treeNode.ts';
import { untrustedMarkdown } from '../../../editor/documents/untrustedMarkdown.ts';
import { refText } from '../../../forge/port/namedRef.ts';
import type { Reference, Repository, RepositoryRef } from '../../../forge/port/repository.ts';
import { referenceKind, shortName, type ReferenceKind } from '../../../store/repositories/repositoryReferences.ts';
import { fullTime } from '../../../engine/text/age.ts';
import { escapeMarkdown } from '../../../engine/text/escapeMarkdown.ts';
import { visibleLine } from '../../../engine/text/visible.ts';
import type { ReferenceSubject, RepositorySubject } from '../subjects/subjects.ts';
import { referenceKindText, shownName, visibilityText } from '../subjects/words.ts';
import { type InRepository, rowId } from '../subjects/rowsInRepository.ts';

type Children = NonNullable<TreeNode['children']>;

export interface RepositoryRowParts extends InRepository {
	/** `undefined` for a followed repository before its first read. */
	readonly repository: Repository | undefined;
	readonly parent: TreeNode | undefined;
	readonly children: Children;
}

export function repositoryRow({ connection, ref, repository, parent, children }: RepositoryRowParts): TreeNode {
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
		tooltip: async (signal) =>
			repositoryTooltip(ref, repository ?? (await connection.repositories.metadata.get(ref, signal))),
	};
}

function repositoryTooltip(ref: RepositoryRef, repository: Repository): vscode.MarkdownString {
	const about = Array.from(visibleLine(repository.description ?? ''))
		.slice(0, 300)
		.join('');
	const { updatedMs } = repository;
	return untrustedMarkdown([
		`**${escapeMarkdown(shownName(refText(ref)))}**`,
		escapeMarkdown(about),
		escapeMarkdown(visibilityText(repository) ?? ''),
		updatedMs === undefined
			? ''
			: escapeMarkdown(vscode.l10n.t('Updated on {0}', fullTime(updatedMs, vscode.env.language))),
		...extraParagraphs(repository),
	]);
}

/** Row of all branches, tags or other references. */
export function groupRow(kind: ReferenceKind, parent: TreeNode, children: Children): TreeNode {
	// Most users look for branches, and showing them costs no request.
	const { Collapsed, Expanded } = vscode.TreeItemCollapsibleState;
	const item = new vscode.TreeItem(referenceKindText(kind), kind === 'branch' ? Expanded : Collapsed);
	item.contextValue = rowContext('references', {});
	return { id: `${parent.id}${kind}`, item, parent, children, subject: undefined };
}

export interface ReferenceRowParts extends InRepository {
	readonly reference: Reference;
	/** Spelling for requests to the server. */
	readonly revision: string;
	/** True only if the server states it. */
	readonly isDefault: boolean;
	/** Id of its commit, if known. */
	readonly commitId: string | undefined;
	/** Time and age of its last commit, if known. */
	readonly age: { readonly atMs: number; readonly text: () => string } | undefined;
	readonly parent: TreeNode;
	readonly children: Children;
}

/** Row of a branch, a tag or another reference. */
export function referenceRow(parts: ReferenceRowParts): TreeNode {
	const { connection, ref, reference, revision, commitId, age, parent, children } = parts;
	const subject: ReferenceSubject = { kind: 'reference', connectionKey: connection.key, ref, revision };
	return {
		id: rowId({ connection, ref }, reference.name),
		get item() {
			return referenceItem(parts);
		},
		agedMs: age?.atMs,
		parent,
		children,
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
}

function referenceItem({ reference, isDefault, commitId, age }: ReferenceRowParts): vscode.TreeItem {
	const kind = referenceKind(reference);
	const name = shownName(shortName(reference));
	const item = new vscode.TreeItem(name, vscode.TreeItemCollapsibleState.Collapsed);
	const facts = [
		...(commitId === undefined ? [] : [visibleLine(commitId.slice(0, 7))]),
		...(age === undefined ? [] : [age.text()]),
		...(isDefault ? [vscode.l10n.t('default')] : []),
		...(reference.areArtifactsUnread === true ? [vscode.l10n.t('release files not loaded')] : []),
	];
	item.description = facts.join(' · ');
	item.iconPath = new vscode.ThemeIcon(icons[kind]);
	item.contextValue = rowContext(`reference.${kind}`, {});
	item.accessibilityInformation = { label: [spokenName(kind, name), ...facts].join(', ') };
	return item;
}

const icons: Readonly<Record<ReferenceKind, string>> = { branch: 'git-branch', tag: 'tag', other: 'bookmark' };

function spokenName(kind: ReferenceKind, name: string): string {
	switch (kind) {
		case 'branch':
			return vscode.l10n.t('Branch {0}', name);
		case 'tag':
			return vscode.l10n.t('Tag {0}', name);
		case 'other':
			return vscode.l10n.t('Reference {0}', name);
	}
}
