import type { RepositoryNews } from '../../forge/port/news.ts';
import type { Repository, RepositoryRef } from '../../forge/port/repository.ts';
import type { NamesRead, RepositoryReading, RepositoryStoreChange } from './repositoryChange.ts';
import type { RepositoryNames } from './repositoryNames.ts';
import type { RepositoryMetadata } from './repositoryMetadata.ts';
import { changesOfPage } from '../shared/pageChanges.ts';
import type { PinnedRevisions } from './pinnedRevisions.ts';

interface KnownRepositories {
	readonly metadata: RepositoryMetadata;
	readonly names: RepositoryNames;
	readonly pinned: PinnedRevisions;
}

/** Applies news or a reading. Returns the changes; none for news that confirm known data. */
export function takeRepositoryNews(
	known: KnownRepositories,
	news: RepositoryNews | RepositoryReading,
): readonly RepositoryStoreChange[] {
	if (news.kind === 'ownRepositoriesRead') {
		const { metadata } = known;
		const outcome = metadata.takeOwn(news.page);
		return changesOfPage<Repository, RepositoryStoreChange>(outcome, { kind: 'repositories' }, ({ name }) => ({
			kind: 'repository',
			ref: metadata.ownRef(name),
		}));
	}
	const change = takeOne(known, news);
	return change ? [change] : [];
}

type OneNews = Exclude<RepositoryNews | RepositoryReading, { readonly kind: 'ownRepositoriesRead' }>;

function takeOne(known: KnownRepositories, news: OneNews): RepositoryStoreChange | undefined {
	switch (news.kind) {
		case 'repositoryCreated':
		case 'repositoryChanged':
		case 'repositoryRead':
			return keep(known, news);
		case 'referencesRead':
		case 'logRead':
			return takeNames(known, news);
		case 'repositoryRenamed':
			return rename(known, news.from, news.repository);
		case 'repositoryDeleted':
			return remove(known, news.ref);
		case 'defaultBranchSet':
			known.names.branchSet(news.ref, news.branch);
			return move(known, news.ref);
		case 'referencesMoved':
			return move(known, news.ref);
	}
}

type OneRepository = Extract<
	RepositoryNews | RepositoryReading,
	{ readonly kind: 'repositoryCreated' | 'repositoryChanged' | 'repositoryRead' }
>;

function keep({ metadata }: KnownRepositories, news: OneRepository): RepositoryStoreChange | undefined {
	const { kind, ref, repository } = news;
	switch (metadata.keep(ref, repository, kind === 'repositoryRead' ? news.stamp : undefined)) {
		case 'listed':
			return { kind: 'repositories' };
		case 'changed':
			return { kind: 'repository', ref };
		case 'new':
			return ofNew(news);
		case 'same':
			return undefined;
	}
}

/** A first read needs no event: its caller gets the answer. A new repository does, even if the list failed to load. */
function ofNew({ kind, ref }: OneRepository): RepositoryStoreChange | undefined {
	switch (kind) {
		case 'repositoryCreated':
			return { kind: 'repositories' };
		case 'repositoryChanged':
			return { kind: 'repository', ref };
		case 'repositoryRead':
			return undefined;
	}
}

function takeNames({ names, pinned }: KnownRepositories, news: NamesRead): RepositoryStoreChange | undefined {
	const { ref } = news;
	switch (names.of(ref).take(news)) {
		case 'moved':
			// Pins made from cached names are out of date too.
			pinned.forget(ref);
			return { kind: 'moved', ref };
		case 'more':
			return news.kind === 'logRead' ? { kind: 'log', ref, revision: news.revision } : { kind: 'repository', ref };
		case undefined:
			return undefined;
	}
}

/** Objects are cached by id, so a rename needs no new reads. */
function rename(
	{ metadata, names, pinned }: KnownRepositories,
	from: RepositoryRef,
	repository: Repository,
): RepositoryStoreChange | undefined {
	const to = { owner: repository.owner?.canonicalName ?? from.owner, name: repository.name };
	const wasMet = names.known(from) !== undefined || metadata.followed.has(from);
	const wasKnown = metadata.remove(from);
	const outcome = metadata.keep(to, repository);
	metadata.rename(from, to);
	names.forget(from);
	pinned.rename(from, to);
	// The same rename twice is no change.
	return wasMet || wasKnown || outcome !== 'same' ? { kind: 'renamed', from, to } : undefined;
}

function remove(known: KnownRepositories, ref: RepositoryRef): RepositoryStoreChange | undefined {
	const wasAsked = isAsked(known, ref);
	known.names.forget(ref);
	known.pinned.remove(ref);
	return known.metadata.remove(ref) || wasAsked ? { kind: 'deleted', ref } : undefined;
}

/** Without a reader, nothing needs another read. */
function move(known: KnownRepositories, ref: RepositoryRef): RepositoryStoreChange | undefined {
	const wasAsked = isAsked(known, ref);
	known.names.forget(ref);
	known.pinned.forget(ref);
	return wasAsked ? { kind: 'moved', ref } : undefined;
}

/** True when somebody read names of the repository or has it open. */
function isAsked({ names, pinned }: KnownRepositories, ref: RepositoryRef): boolean {
	return names.known(ref) !== undefined || pinned.has(ref);
}
