import { Emitter, type Event } from '@forge-desk/base/event.ts';
import { Disposables, onDispose, type Disposable } from '@forge-desk/base/lifecycle.ts';
import { isObjectId } from 'patchmail/git/objectId.ts';
import type { RepositoryApi } from 'sourcehut/port/forge.ts';
import { isForgeError } from 'sourcehut/port/forgeError.ts';
import type { RepositoryNews } from 'sourcehut/port/news.ts';
import type { Pages } from 'sourcehut/port/page.ts';
import {
	type Repository,
	type RepositoryRef,
	isSameRepository,
	type Commit,
	type Reference,
} from 'sourcehut/port/repository.ts';
import type { OwnerName } from 'sourcehut/port/user.ts';
import type { FollowedRefs } from '../shared/followedRefs.ts';
import { Collection, type CollectionChange } from '../shared/collection.ts';
import { oldestBeingRead } from '../shared/listing.ts';
import { isAnswer } from '../shared/pageRead.ts';
import type { PagedList } from '../shared/pagedList.ts';
import { RepositoryObjects } from './objects/repositoryObjects.ts';
import { PinnedRevisions, type Standing } from './pinnedRevisions.ts';
import type { RepositoryReading, RepositoryStoreChange } from './repositoryChange.ts';
import { RepositoryFolders } from './repositoryFolders.ts';
import { repositoryRefOf } from './repositoryRef.ts';
import { RepositoryNames, type DefaultBranch } from './repositoryNames.ts';
import type { RepositorySources } from './repositorySources.ts';
import { repositoryWriter, type RepositoryWrites } from './repositoryWriter.ts';

/**
 * Repositories of one account. References and logs stay cached until `forget` or a push event; trees, blobs and commits
 * never expire. An open revision stays pinned to its commit until the user moves on.
 */
export class RepositoryStore implements Disposable {
	readonly writes: RepositoryWrites;
	readonly uncached: UncachedRepositoryReads;
	readonly metadata: Collection<Repository>;
	readonly own: PagedList<Repository>;
	readonly followed: FollowedRefs;
	/** `names.known` is for views that show names without a read. */
	readonly names: RepositoryNames;
	readonly objects: RepositoryObjects;
	readonly folders: RepositoryFolders;
	readonly pinned: PinnedRevisions;
	readonly #owned = new Disposables();
	readonly #changed = this.#owned.add(new Emitter<RepositoryStoreChange>());
	readonly onDidChange: Event<RepositoryStoreChange> = this.#changed.event;

	constructor(sources: RepositorySources) {
		const apply = (news: RepositoryNews | RepositoryReading): void => this.apply(news);
		const { api, me, followed, disk } = sources;
		this.uncached = uncachedRepositoryReads(api);
		this.metadata = new Collection<Repository>({
			me,
			followed,
			refOf: repositoryRefOf,
			// docs/protocol.md#repository-names
			doesCaseCount: true,
			openOwn: (signal) => api.repositories(undefined, signal),
			ask: (ref, signal) => api.repository(ref, signal),
			ownOnDisk: disk?.own,
			itemsOnDisk: disk?.items,
			ownArrived: (page) => apply({ kind: 'ownRepositoriesRead', page }),
			arrived: (ref, repository, stamp) => apply({ kind: 'repositoryRead', ref, repository, stamp }),
		});
		this.#owned.add(onDispose(() => this.metadata.close()));
		this.own = this.metadata.own;
		this.followed = this.metadata.followed;
		this.writes = this.#owned.add(repositoryWriter(sources, this.metadata, apply));
		this.objects = this.#owned.add(new RepositoryObjects(api, sources.objects));
		this.names = this.#owned.add(new RepositoryNames(sources, this.objects, apply));
		this.pinned = new PinnedRevisions(sources.pinned);
		this.folders = this.#owned.add(new RepositoryFolders(sources, this.names, this.objects, this.pinned));
	}

	/** Checks first that the repository exists. */
	async follow(wanted: RepositoryRef, signal: AbortSignal): Promise<RepositoryRef> {
		const { name, owner } = await this.metadata.read(wanted, signal);
		const ref = { owner: owner?.canonicalName ?? wanted.owner, name };
		if (await this.followed.add(ref)) {
			this.#changed.fire({ kind: 'repositories' });
		}
		return ref;
	}

	async unfollow(ref: RepositoryRef): Promise<void> {
		if (await this.followed.remove(ref)) {
			this.#changed.fire({ kind: 'repositories' });
		}
	}

	/** Picks up follows and unfollows of other windows. No request. */
	readonly lookAtFollowed = (): void =>
		this.followed.newsElsewhere() ? this.#changed.fire({ kind: 'repositories' }) : undefined;

	references(ref: RepositoryRef): PagedList<Reference> {
		return this.names.of(ref).references;
	}

	/** Commits from a revision on, in server order. */
	log(ref: RepositoryRef, revision: string): PagedList<Commit> {
		return this.names.of(ref).log(revision);
	}

	/**
	 * Loads a repository and its references from the disk cache unless known. For views that render at once and refresh
	 * next. Returns the default branch. No request.
	 */
	async recall(ref: RepositoryRef): Promise<DefaultBranch | undefined> {
		const [branch] = await Promise.all([this.names.recall(ref), this.metadata.recall(ref)]);
		return branch;
	}

	/** Time of the oldest cached data that is being refreshed. */
	earlierMs(): number | undefined {
		return oldestBeingRead([this.own.before(), ...this.names.befores()]);
	}

	/**
	 * Pinned commit for a newly opened document. Webhook events cover only open revisions, so this asks the forge for
	 * others. Offline, it returns the old pin.
	 */
	async newestPinned(ref: RepositoryRef, revision: string, signal: AbortSignal): Promise<Standing | undefined> {
		const known = this.pinned.of(ref, revision);
		if (!known || isObjectId(revision) || this.pinned.isHeld(ref, revision)) {
			return await this.folders.standing(ref, revision, signal);
		}
		const newest = await this.newerThanStanding(ref, revision, signal).catch((error: unknown) => {
			if (!isForgeError(error) || error.problem.kind !== 'unreachable') {
				throw error;
			}
			return undefined;
		});
		if (!newest) {
			return known;
		}
		this.forget(ref);
		const standing = { revision, commit: newest };
		this.pinned.keep(ref, standing);
		return standing;
	}

	/** Newer commit of an open revision; `undefined` when it is current. Always asks the forge. */
	async newerThanStanding(ref: RepositoryRef, revision: string, signal: AbortSignal): Promise<Commit | undefined> {
		const standing = this.pinned.of(ref, revision);
		const newest = standing && (await this.folders.newest(ref, revision, signal));
		return newest?.id === standing?.commit.id ? undefined : newest;
	}

	/** Moves the pin to the current commit. */
	async advance(ref: RepositoryRef, revision: string, signal: AbortSignal): Promise<void> {
		const newest = await this.folders.newest(ref, revision, signal);
		if (newest) {
			this.pinned.keep(ref, { revision, commit: newest });
			this.forget(ref);
		}
	}

	/** The only entry for changes: commands, reads, polls and webhook deliveries. */
	apply(news: RepositoryNews | RepositoryReading): void {
		const changes = takeRepositoryNews(this, news);
		changes.forEach((change) => this.#changed.fire(change));
		if (!('page' in news) || isAnswer(news.page)) {
			this.own.retry();
			this.names.retry();
		}
	}

	/** Forgets names, so that the next read asks the forge. Pinned revisions in use stay. */
	forget(ref?: RepositoryRef): void {
		this.names.forget(ref);
		this.pinned.forget(ref);
		if (!ref) {
			this.metadata.forget();
		}
		this.#changed.fire({ kind: 'moved', ref });
	}

	/** Forgets cached data whose refresh failed, so that the next read tries again. Refreshes in progress continue. */
	forgetBefore(ref?: RepositoryRef): void {
		this.names
			.failed()
			.filter((each) => ref === undefined || isSameRepository(ref, each))
			.forEach((each) => this.forget(each));
		if (ref === undefined && this.own.before()?.error !== undefined) {
			this.metadata.forget();
			this.#changed.fire({ kind: 'repositories' });
		}
	}

	dispose(): void {
		this.#owned.dispose();
	}
}

export type UncachedRepositoryReads = ReturnType<typeof uncachedRepositoryReads>;

/** Repository reads without a cache. The server doesn't support absent members. */
export function uncachedRepositoryReads(api: RepositoryApi) {
	return {
		get artifact(): RepositoryApi['artifact'] {
			return api.artifact?.bind(api);
		},
		get blobStream(): RepositoryApi['blobStream'] {
			return api.blobStream?.bind(api);
		},
		get entriesAt(): RepositoryApi['entriesAt'] {
			return api.entriesAt?.bind(api);
		},
		/** Current name of a possibly renamed repository, if known. No request. */
		nowCalled: (ref: RepositoryRef): RepositoryRef => api.nowCalled?.(ref) ?? ref,
		/** References of so many repositories share a request. */
		together: api.referencesTogether ?? 1,
		/** Current references; without their artifacts if those cost extra requests. */
		references: (ref: RepositoryRef, signal: AbortSignal): ReturnType<RepositoryApi['references']> =>
			api.targets ? api.targets(ref, signal) : api.references(ref, signal),
		/** The owner's repositories visible to this account. With `word`, the result may also contain other names. */
		ofOwner: (
			{ owner, word }: { readonly owner: OwnerName; readonly word: string },
			signal: AbortSignal,
		): Pages<Repository> =>
			word !== '' && api.search ? api.search(owner, word, signal) : api.repositories(owner, signal),
		/** The owner's repository with this number, if visible to this account. */
		async numbered(owner: OwnerName, id: number, signal: AbortSignal): Promise<Repository | undefined> {
			for await (const { items } of api.repositories(owner, signal)) {
				const found = items.find((each) => each.id === id);
				if (found) {
					return found;
				}
			}
			return undefined;
		},
	};
}

/** Applies news or a reading. Returns the changes; none for news that confirm known data. */
function takeRepositoryNews(
	known: RepositoryStore,
	news: RepositoryNews | RepositoryReading,
): readonly RepositoryStoreChange[] {
	const { metadata, names, pinned } = known;
	/** True when somebody read names of the repository or has it open. Without a reader, nothing needs another read. */
	const isRead = (ref: RepositoryRef): boolean => names.known(ref) !== undefined || pinned.has(ref);
	switch (news.kind) {
		case 'ownRepositoriesRead':
			return metadata.takeOwn(news.page).map(changeOf);
		case 'repositoryRead': {
			const change = metadata.takeItem(news.ref, news.repository, news.stamp);
			return change ? [changeOf(change)] : [];
		}
		case 'repositoryCreated':
		case 'repositoryChanged': {
			const { kind, ref, repository } = news;
			const outcome = metadata.keep(ref, repository);
			// A created repository joins the own ones, even after a failed read of them.
			const isOfSet = outcome === 'listed' || (outcome === 'new' && kind === 'repositoryCreated');
			return outcome === 'same' ? [] : [changeOf(isOfSet ? 'set' : ref)];
		}
		case 'referencesRead':
		case 'logRead': {
			const { ref } = news;
			const outcome = names.of(ref).take(news);
			if (outcome === 'moved') {
				// Pins made from cached names are out of date too.
				pinned.forget(ref);
				return [{ kind: 'moved', ref }];
			}
			const log = news.kind === 'logRead' ? ({ kind: 'log', ref, revision: news.revision } as const) : undefined;
			return outcome === 'more' ? [log ?? { kind: 'repository', ref }] : [];
		}
		case 'repositoryRenamed':
			return rename(known, news.from, news.repository);
		case 'repositoryDeleted': {
			const { ref } = news;
			const wasRead = isRead(ref);
			names.forget(ref);
			pinned.remove(ref);
			return metadata.remove(ref) || wasRead ? [{ kind: 'deleted', ref }] : [];
		}
		case 'defaultBranchSet':
		case 'referencesMoved': {
			const { ref } = news;
			if (news.kind === 'defaultBranchSet') {
				names.branchSet(ref, news.branch);
			}
			const wasRead = isRead(ref);
			names.forget(ref);
			pinned.forget(ref);
			return wasRead ? [{ kind: 'moved', ref }] : [];
		}
	}
}

/** Objects are cached by id, so a rename needs no new reads. */
function rename(
	{ metadata, names, pinned }: RepositoryStore,
	from: RepositoryRef,
	repository: Repository,
): readonly RepositoryStoreChange[] {
	const to = { owner: repository.owner?.canonicalName ?? from.owner, name: repository.name };
	const wasMet = names.known(from) !== undefined || metadata.followed.has(from);
	const wasKnown = metadata.remove(from);
	const outcome = metadata.keep(to, repository);
	// If this fails, the follow keeps the old name.
	metadata.followed.rename(from, to).catch(() => undefined);
	names.forget(from);
	pinned.rename(from, to);
	// The same rename twice is no change.
	return wasMet || wasKnown || outcome !== 'same' ? [{ kind: 'renamed', from, to }] : [];
}

function changeOf(change: CollectionChange): RepositoryStoreChange {
	return change === 'set' ? { kind: 'repositories' } : { kind: 'repository', ref: change };
}
