import * as vscode from 'vscode';
import type { ForgeInstance } from 'sourcehut/port/instance.ts';
import { refText } from 'sourcehut/port/namedRef.ts';
import type { Commit, Repository, RepositoryRef } from 'sourcehut/port/repository.ts';
import type {
	AboutView,
	CommitRowView,
	ReferenceGroupView,
	ReferencesView,
	RepositoryHeadView,
} from '../../../pages/protocol/repositoryProtocol.ts';
import type { Listing } from '../../../store/shared/listing.ts';
import {
	inReadingOrder,
	referenceKind,
	revisionOf,
	shortName,
} from '../../../store/repositories/repositoryReferences.ts';
import { visibleLine } from '../../../engine/text/visible.ts';
import { shownName, titleOf, visibilityText } from '../subjects/words.ts';
import { cloneAddress } from '../clones/cloneAddresses.ts';
import type { RepositoryNamesRead } from './repositoryReading.ts';

/** So many of the latest commits are an overview, and leave room for the README below them. */
const latest = 5;

/** The Repositories view lists the rest. */
const mostOfKind = 300;

/** Data without a load. `instance`: the forge, if an account may read the repository. */
export function headView(
	instance: ForgeInstance | undefined,
	ref: RepositoryRef,
	canClone: boolean,
): RepositoryHeadView {
	// Git must never receive some names; those have no address.
	const readOnly = instance && cloneAddress(instance, ref, 'https');
	const readWrite = instance && cloneAddress(instance, ref, 'ssh');
	const clone =
		readOnly === undefined && readWrite === undefined
			? undefined
			: {
					...(readOnly === undefined ? {} : { readOnly: visibleLine(readOnly) }),
					...(readWrite === undefined ? {} : { readWrite: visibleLine(readWrite) }),
				};
	return {
		title: shownName(ref.name),
		owner: visibleLine(ref.owner),
		reference: shownName(refText(ref)),
		isReadable: instance !== undefined,
		clone,
		canClone,
	};
}

/** `html` renders Markdown; `undefined` while the renderer is not loaded. */
export function aboutView(repository: Repository, html: ((markdown: string) => string) | undefined): AboutView {
	const description = repository.description?.trim() ?? '';
	return {
		visibility: visibilityText(repository) ?? vscode.l10n.t('public'),
		descriptionHtml: description === '' ? '' : html?.(description),
		updatedAtMs: repository.updatedMs,
	};
}

/** The latest commits. */
export function commitViews({ items }: Listing<Commit>): readonly CommitRowView[] {
	return items.slice(0, latest).map((commit) => ({
		id: commit.id,
		shortId: visibleLine(commit.shortId),
		title: titleOf(commit),
		author: visibleLine(commit.author.name),
		atMs: commit.timestampMs,
	}));
}

/** Branches, tags and others, with the server's default branch first. */
export function referencesView({ listing, branch }: RepositoryNamesRead): ReferencesView {
	const { items, completeness } = listing;
	const ordered = inReadingOrder(items, branch?.name);
	const certain = branch?.isCertain === true ? `refs/heads/${branch.name}` : undefined;
	const groups = (['branch', 'tag', 'other'] as const).flatMap((kind): readonly ReferenceGroupView[] => {
		const members = ordered.filter((reference) => referenceKind(reference) === kind);
		const rows = members.slice(0, mostOfKind).map((reference) => ({
			revision: revisionOf(reference, items),
			name: shownName(shortName(reference)),
			isDefault: reference.name === certain,
		}));
		return rows.length === 0 ? [] : [{ kind, rows, left: members.length - rows.length }];
	});
	return { groups, isMore: completeness.kind === 'more' };
}

/** Commands for the first push to an empty repository; none without an SSH address. */
export function pushCommands(instance: ForgeInstance, ref: RepositoryRef): readonly string[] {
	const address = cloneAddress(instance, ref, 'ssh');
	return address === undefined ? [] : [`git remote add origin ${address}`, 'git push --set-upstream origin HEAD'];
}
