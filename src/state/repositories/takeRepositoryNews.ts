import type { RepositoryNews } from '../../forge/news.ts';
import type { Repository, RepositoryRef } from '../../forge/repository.ts';
import type { NamesRead, RepositoryReading, RepositoryStoreChange } from './repositoryChange.ts';
import type { RepositoryNames } from './repositoryNames.ts';
import type { RepositoryShelf } from './repositoryShelf.ts';
import { changesOfPage } from '../shared/pageChanges.ts';
import type { PinnedRevisions } from './pinnedRevisions.ts';

/** What is known of an account's repositories and of what their names lead to. */
interface KnownRepositories {
	readonly shelf: RepositoryShelf;
	readonly names: RepositoryNames;
	readonly pinned: PinnedRevisions;
}

/** Takes news in, and answers what is different by that; nothing where they only confirm what is known. */
export function takeRepositoryNews(
	known: KnownRepositories,
	news: RepositoryNews | RepositoryReading,
): readonly RepositoryStoreChange[] {
	if (news.kind === 'ownRepositoriesRead') {
		const { shelf } = known;
		const outcome = shelf.takeOwn(news.page);
		return changesOfPage<Repository, RepositoryStoreChange>(outcome, { kind: 'repositories' }, ({ name }) => ({
			kind: 'repository',
			ref: shelf.ownRef(name),
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

function keep({ shelf }: KnownRepositories, news: OneRepository): RepositoryStoreChange | undefined {
	const { kind, ref, repository } = news;
	switch (shelf.keep(ref, repository, kind === 'repositoryRead' ? news.stamp : undefined)) {
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

/** A first read is told to who asked. What was created belongs to a list, be it one that could not be read. */
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
			// What was read of another window's names goes with them.
			pinned.forget(ref);
			return { kind: 'moved', ref };
		case 'more':
			return news.kind === 'logRead' ? { kind: 'log', ref, revision: news.revision } : { kind: 'repository', ref };
		case undefined:
			return undefined;
	}
}

/** Objects are kept by their ids whatever the name, so nothing has to be read again. */
function rename(
	{ shelf, names, pinned }: KnownRepositories,
	from: RepositoryRef,
	repository: Repository,
): RepositoryStoreChange | undefined {
	const to = { owner: repository.owner?.canonicalName ?? from.owner, name: repository.name };
	const wasMet = names.known(from) !== undefined || shelf.followed.has(from);
	const wasKnown = shelf.remove(from);
	const outcome = shelf.keep(to, repository);
	shelf.rename(from, to);
	names.forget(from);
	pinned.rename(from, to);
	// Told a second time it is no news.
	return wasMet || wasKnown || outcome !== 'same' ? { kind: 'renamed', from, to } : undefined;
}

function remove(known: KnownRepositories, ref: RepositoryRef): RepositoryStoreChange | undefined {
	const wasAsked = isAsked(known, ref);
	known.names.forget(ref);
	known.pinned.remove(ref);
	return known.shelf.remove(ref) || wasAsked ? { kind: 'deleted', ref } : undefined;
}

/** Of what nobody asked for there is nothing to ask for anew. */
function move(known: KnownRepositories, ref: RepositoryRef): RepositoryStoreChange | undefined {
	const wasAsked = isAsked(known, ref);
	known.names.forget(ref);
	known.pinned.forget(ref);
	return wasAsked ? { kind: 'moved', ref } : undefined;
}

/** Somebody asked what its names lead to, or has it open. */
function isAsked({ names, pinned }: KnownRepositories, ref: RepositoryRef): boolean {
	return names.known(ref) !== undefined || pinned.has(ref);
}
