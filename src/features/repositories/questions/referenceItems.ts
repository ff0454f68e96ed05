import * as vscode from 'vscode';
import { withoutPictures } from '../../../editor/ask/notify.ts';
import { shortAge } from '../../../engine/text/age.ts';
import { visibleLine } from '../../../engine/text/visible.ts';
import type { Reference, RepositoryRef } from 'sourcehut/port/repository.ts';
import type { DefaultBranch } from '../../../store/repositories/repositoryNames.ts';
import {
	referenceKind,
	headRevision,
	inReadingOrder,
	revisionOf,
	shortName,
	type ReferenceKind,
} from '../../../store/repositories/repositoryReferences.ts';
import type { RepositoryStore } from '../../../store/repositories/repositoryStore.ts';
import type { Listing } from '../../../store/shared/listing.ts';
import { referenceKindText, shownName } from '../subjects/words.ts';

/** A reference among those of its repository. */
export interface AskedReference {
	readonly ref: RepositoryRef;
	readonly reference: Reference;
	/** In the form that the server accepts. */
	readonly revision: string;
}

/**
 * Commit id of a reference, without a request. A branch points to a commit; a tag or other name may point to a tag
 * object (docs/protocol.md#references), whose id is no commit id.
 */
export function knownCommitOf(
	repositories: RepositoryStore,
	{ ref, reference, revision }: AskedReference,
): string | undefined {
	const { target } = reference;
	if (referenceKind(reference) === 'branch' || repositories.objects.knownCommit(ref, target)) {
		return target;
	}
	return (
		repositories.names.known(ref)?.knownLog(revision)?.items[0]?.id ??
		repositories.folders.knownPinned(ref, revision)?.commit.id
	);
}

/** A row of the list of references; separators mean nothing. */
export interface ReferenceItem extends vscode.QuickPickItem {
	readonly meaning?:
		| { readonly kind: 'revision'; readonly revision: string }
		/** Typed and unverified. */
		| { readonly kind: 'typed'; readonly text: string }
		| { readonly kind: 'more' };
}

/** The references of a repository and their facts. */
export interface ShownReferences {
	readonly repositories: RepositoryStore;
	readonly ref: RepositoryRef;
	readonly listing: Listing<Reference>;
	readonly first: DefaultBranch | undefined;
	/** The current revision, marked in the list. */
	readonly current: string | undefined;
	/** `undefined` hides ages. */
	readonly nowMs: number | undefined;
}

/**
 * Branches, tags and others under headings; names never become icons. `HEAD` is first if the default branch is unknown,
 * so that no guess is preselected.
 */
export function referenceItems(parts: ShownReferences): readonly ReferenceItem[] {
	const { listing, first } = parts;
	const ordered = inReadingOrder(listing.items, first?.name);
	const groups = (['branch', 'tag', 'other'] as const).flatMap((kind): readonly ReferenceItem[] => {
		const members = ordered.filter((reference) => referenceKind(reference) === kind);
		const heading = { label: referenceKindText(kind), kind: vscode.QuickPickItemKind.Separator };
		return members.length === 0 ? [] : [heading, ...members.map((reference) => itemOf(parts, reference))];
	});
	const more: readonly ReferenceItem[] =
		listing.completeness.kind === 'more'
			? [{ label: vscode.l10n.t('Show More'), alwaysShow: true, meaning: { kind: 'more' } }]
			: [];
	if (first?.isCertain === true) {
		return [...groups, ...more];
	}
	const isCurrent = headRevision === parts.current;
	const facts = [
		vscode.l10n.t('this forge does not report which branch it is'),
		...(isCurrent ? [vscode.l10n.t('open now')] : []),
	];
	return [
		{ label: vscode.l10n.t('Default branch'), kind: vscode.QuickPickItemKind.Separator },
		{
			label: headRevision,
			description: facts.join(' · '),
			iconPath: new vscode.ThemeIcon(isCurrent ? 'check' : icons.branch),
			meaning: { kind: 'revision', revision: headRevision },
		},
		...groups,
		...more,
	];
}

const icons: Readonly<Record<ReferenceKind, string>> = { branch: 'git-branch', tag: 'tag', other: 'bookmark' };

function itemOf(
	{ repositories, ref, listing, first, current, nowMs }: ShownReferences,
	reference: Reference,
): ReferenceItem {
	const revision = revisionOf(reference, listing.items);
	const kind = referenceKind(reference);
	const commitId = knownCommitOf(repositories, { ref, reference, revision });
	const log = repositories.names.known(ref)?.knownLog(revision)?.items ?? [];
	const commit = repositories.objects.knownCommit(ref, commitId ?? '') ?? log.find(({ id }) => id === commitId);
	const age = commit && nowMs !== undefined ? shortAge(commit.timestampMs, nowMs, vscode.env.language) : undefined;
	const isCurrent = revision === current;
	const facts = [
		...(commitId === undefined ? [] : [visibleLine(commitId.slice(0, 7))]),
		...(age === undefined ? [] : [age]),
		...(kind === 'branch' && first?.isCertain === true && shortName(reference) === first.name
			? [vscode.l10n.t('default')]
			: []),
		...(isCurrent ? [vscode.l10n.t('open now')] : []),
	];
	return {
		label: withoutPictures(shownName(shortName(reference))),
		description: facts.join(' · '),
		iconPath: new vscode.ThemeIcon(isCurrent ? 'check' : icons[kind]),
		meaning: { kind: 'revision', revision },
	};
}

/** True for text that the server accepts as a revision: a name, an id, or an abbreviated id. */
export function canBeRevision(text: string): boolean {
	return /^[^\s/][^\s]*$/.test(text);
}

/** Whether a text looks like a commit id or the beginning of one. */
export function isIdLike(text: string): boolean {
	return /^[0-9a-f]{7,64}$/.test(text);
}

/**
 * Adds a row for typed text that may be a revision. Text like an id goes on top; other text goes below all matches, so
 * that Enter takes an existing branch. The editor sorts rows by the match in their label, so only a top row has the
 * text as its label.
 */
export function withTyped(items: readonly ReferenceItem[], typed: string): readonly ReferenceItem[] {
	const text = typed.trim();
	const isThere = items.some(({ meaning }) => meaning?.kind === 'revision' && meaning.revision === text);
	if (!canBeRevision(text) || isThere) {
		return items;
	}
	const shown = withoutPictures(shownName(text));
	const isId = isIdLike(text);
	const row: ReferenceItem = {
		label: isId ? shown : vscode.l10n.t('Another revision'),
		description: isId ? vscode.l10n.t('commit id or revision, as typed') : shown,
		iconPath: new vscode.ThemeIcon('git-commit'),
		alwaysShow: true,
		meaning: { kind: 'typed', text },
	};
	return isId ? [row, ...items] : [...items, row];
}
