import { Emitter, type Event } from '../../base/event.ts';
import { Disposables, type Disposable } from '../../base/lifecycle.ts';
import { isObjectId } from '../../engine/git/objectId.ts';
import { isForgeError } from '../../forge/port/forgeError.ts';
import type { RepositoryNews } from '../../forge/port/news.ts';
import {
	isSameRepository,
	type Commit,
	type Reference,
	type Repository,
	type RepositoryRef,
} from '../../forge/port/repository.ts';
import type { FollowedRefs } from '../shared/followedRefs.ts';
import { oldestBeingRead } from '../shared/listing.ts';
import type { PagedList } from '../shared/pagedList.ts';
import { RepositoryObjects } from './objects/repositoryObjects.ts';
import { PinnedRevisions, type Standing } from './pinnedRevisions.ts';
import type { RepositoryReading, RepositoryStoreChange } from './repositoryChange.ts';
import { RepositoryFolders } from './repositoryFolders.ts';
import { RepositoryMetadata } from './repositoryMetadata.ts';
import { RepositoryNames, type DefaultBranch } from './repositoryNames.ts';
import type { RepositorySources } from './repositorySources.ts';
import { repositoryWriter, type RepositoryWrites } from './repositoryWriter.ts';
import { takeRepositoryNews } from './takeRepositoryNews.ts';
import { uncachedRepositoryReads, type UncachedRepositoryReads } from './uncachedRepositoryReads.ts';

/**
 * Repositories of one account. References and logs stay cached until `forget` or a push event; trees, blobs and commits
 * never expire. An open revision stays pinned to its commit until the user moves on.
 */
export class RepositoryStore implements Disposable {
	readonly writes: RepositoryWrites;
	readonly uncached: UncachedRepositoryReads;
	readonly metadata: RepositoryMetadata;
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
		this.uncached = uncachedRepositoryReads(sources.api);
		this.metadata = this.#owned.add(new RepositoryMetadata(sources, apply));
		this.own = this.metadata.own;
		this.followed = this.metadata.followed;
		this.writes = this.#owned.add(repositoryWriter(sources, this.metadata, apply));
		this.objects = this.#owned.add(new RepositoryObjects(sources.api, sources.objects));
		this.names = this.#owned.add(new RepositoryNames(sources, this.objects, apply));
		this.pinned = new PinnedRevisions(sources.pinned);
		this.folders = this.#owned.add(new RepositoryFolders(sources, this.names, this.objects, this.pinned));
	}

	/** Checks first that the repository exists. */
	async follow(wanted: RepositoryRef, signal: AbortSignal): Promise<RepositoryRef> {
		const { name, owner } = await this.metadata.renew(wanted, signal);
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
		const newest = await this.newerThanStanding(ref, revision, signal).catch(unreachable);
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

function unreachable(error: unknown): undefined {
	if (!isForgeError(error) || error.problem.kind !== 'unreachable') {
		throw error;
	}
}
