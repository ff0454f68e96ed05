import { Emitter, type Event } from '../../base/event.ts';
import { Disposables, type Disposable } from '../../base/lifecycle.ts';
import type { RepositoryApi } from '../../forge/port/forge.ts';
import { isForgeError } from '../../forge/port/forgeError.ts';
import {
	isSameRepository,
	type Blob,
	type Commit,
	type Reference,
	type Repository,
	type RepositoryRef,
	type Tree,
	type TreeEntry,
	type TreePath,
} from '../../forge/port/repository.ts';
import type { RepositoryNews } from '../../forge/port/news.ts';
import type { OwnerName } from '../../forge/port/user.ts';
import type { Comparison } from '../../engine/git/compareTrees.ts';
import { isObjectId } from '../../engine/git/objectId.ts';
import type { WriteJournal } from '../shared/writeJournal.ts';
import type { KeptNames } from '../shared/keptNames.ts';
import type { KeptObjects } from './objects/keptObjects.ts';
import type { KeptText } from '../shared/keptText.ts';
import type { RepositoryReading, RepositoryStoreChange } from './repositoryChange.ts';
import { takeRepositoryNews } from './takeRepositoryNews.ts';
import type { KeptRepositories } from './keptRepositories.ts';
import { oldestBeingRead, type Listing, type ReadBefore } from '../shared/listing.ts';
import { RepositoryFolders, type CommitPair, type Found } from './repositoryFolders.ts';
import { RepositoryNames, type DefaultBranch } from './repositoryNames.ts';
import { blobByShortId, type BlobByShortId } from './objects/blobByShortId.ts';
import { RepositoryObjects } from './objects/repositoryObjects.ts';
import { RepositoryShelf } from './repositoryShelf.ts';
import { repositoryWriter, type RepositoryWrites } from './repositoryWriter.ts';
import { uncachedRepositoryReads, type UncachedRepositoryReads } from './uncachedRepositoryReads.ts';
import { PinnedRevisions, type HeldRevision, type Standing } from './pinnedRevisions.ts';
import type { WalkStep } from './repositoryWalk.ts';

export interface RepositoryStoreParts {
	readonly api: RepositoryApi;
	readonly journal: WriteJournal;
	/** `~name` of the account. */
	readonly me: OwnerName;
	/** Followed repositories of other owners, as `~owner/name`. */
	readonly followed: KeptNames;
	/** Disk cache of trees and blobs. */
	readonly objects: KeptObjects;
	/** Disk cache of references and logs; absent when nothing may be stored. */
	readonly disk?: KeptRepositories | undefined;
	/** Storage for the pinned revisions of this window. */
	readonly pinned: KeptText;
	/** Raises the request concurrency until disposed. */
	readonly beginWalk: () => Promise<Disposable>;
}

/**
 * Repositories of one account. References and logs stay cached until `forget` or a push event; trees, blobs and commits
 * never expire. An open revision stays pinned to its commit until the user moves on.
 */
export class RepositoryStore implements Disposable {
	readonly writes: RepositoryWrites;
	readonly uncached: UncachedRepositoryReads;
	/** Reads blobs by abbreviated ids; absent when the server doesn't support it. */
	readonly blobByShortId: BlobByShortId | undefined;
	readonly #shelf: RepositoryShelf;
	readonly #objects: RepositoryObjects;
	readonly #names: RepositoryNames;
	readonly #pinned: PinnedRevisions;
	readonly #folders: RepositoryFolders;
	readonly #owned = new Disposables();
	readonly #changed = this.#owned.add(new Emitter<RepositoryStoreChange>());
	readonly onDidChange: Event<RepositoryStoreChange> = this.#changed.event;

	constructor(parts: RepositoryStoreParts) {
		const { api, journal, me, followed, objects, disk, pinned, beginWalk } = parts;
		const apply = (news: RepositoryNews | RepositoryReading): void => this.apply(news);
		const known = (ref: RepositoryRef): Repository | undefined => this.knownRepository(ref);
		this.writes = this.#owned.add(repositoryWriter({ api, journal, me, apply, known }));
		this.uncached = uncachedRepositoryReads(api);
		this.#shelf = this.#owned.add(new RepositoryShelf({ api, me, followed, disk, arrived: apply }));
		this.#objects = this.#owned.add(new RepositoryObjects({ api, kept: objects }));
		this.blobByShortId = blobByShortId(api, this.#objects);
		this.#names = this.#owned.add(
			new RepositoryNames({
				api,
				disk,
				passing: (ref, commits) => this.#objects.keepCommits(ref, commits),
				arrived: apply,
			}),
		);
		this.#pinned = new PinnedRevisions(pinned);
		this.#folders = this.#owned.add(
			new RepositoryFolders({
				api,
				names: this.#names,
				objects: this.#objects,
				pinned: this.#pinned,
				disk,
				beginWalk,
			}),
		);
	}

	/** Own repositories, sorted by name. */
	ownRepositories(signal: AbortSignal): Promise<Listing<Repository>> {
		return this.#shelf.own(signal);
	}

	/** For views: immediately returns cached data; `ownRepositoriesBefore` reports its age. */
	ownRepositoriesAtOnce(signal: AbortSignal): Promise<Listing<Repository>> {
		return this.#shelf.ownAtOnce(signal);
	}

	/** Loaded pages only; no request. */
	knownOwnRepositories(): Listing<Repository> | undefined {
		return this.#shelf.knownOwn();
	}

	/** Reads the complete list again and removes missing repositories. `asks`: called before each page request. */
	async renewOwnRepositories(asks: () => void, signal: AbortSignal): Promise<void> {
		await this.#shelf.renewOwn(asks, signal);
	}

	/** Age of the cached list; `undefined` for fresh data. */
	ownRepositoriesBefore(): ReadBefore | undefined {
		return this.#shelf.ownBefore();
	}

	/** Reads the next page. */
	moreOwnRepositories(signal: AbortSignal): Promise<Listing<Repository>> {
		return this.#shelf.moreOwn(signal);
	}

	/** Followed repositories of other owners, in the order of their addition. No request. */
	readonly followedRepositories = (): readonly RepositoryRef[] => this.#shelf.followed.all();

	/** Checks first that the repository exists. */
	async follow(wanted: RepositoryRef, signal: AbortSignal): Promise<RepositoryRef> {
		const { name, owner } = await this.#shelf.read(wanted, signal);
		const ref = { owner: owner?.canonicalName ?? wanted.owner, name };
		if (await this.#shelf.followed.add(ref)) {
			this.#changed.fire({ kind: 'repositories' });
		}
		return ref;
	}

	async unfollow(ref: RepositoryRef): Promise<void> {
		if (await this.#shelf.followed.remove(ref)) {
			this.#changed.fire({ kind: 'repositories' });
		}
	}

	/** Picks up follows and unfollows of other windows. No request. */
	readonly lookAtFollowed = (): void =>
		this.#shelf.followed.newsElsewhere() ? this.#changed.fire({ kind: 'repositories' }) : undefined;

	/** No request. */
	knownRepository(ref: RepositoryRef): Repository | undefined {
		return this.#shelf.known(ref);
	}

	/** Current name of the repository with this resource id, if known. No request. */
	readonly refOfRid = (rid: string): RepositoryRef | undefined => this.#shelf.refOfRid(rid);

	repository(ref: RepositoryRef, signal: AbortSignal): Promise<Repository> {
		return this.#shelf.one(ref, signal);
	}

	/**
	 * Loads a repository and its references from the disk cache unless known. For views that render at once and refresh
	 * next. Returns the default branch. No request.
	 */
	async recall(ref: RepositoryRef): Promise<DefaultBranch | undefined> {
		const [branch] = await Promise.all([this.#names.recall(ref), this.#shelf.recall(ref)]);
		return branch;
	}

	/** Loads a log from the disk cache. No request. */
	recallLog(ref: RepositoryRef, revision: string): Promise<void> {
		return this.#names.of(ref).log(revision).recall();
	}

	/** Always asks the forge. */
	renew(ref: RepositoryRef, signal: AbortSignal): Promise<Repository> {
		return this.#shelf.read(ref, signal);
	}

	/** Age of a cached repository; `undefined` for fresh data. */
	repositoryBefore(ref: RepositoryRef): ReadBefore | undefined {
		return this.#shelf.before(ref);
	}

	/** References on loaded pages, sorted by full name. */
	references(ref: RepositoryRef, signal: AbortSignal): Promise<Listing<Reference>> {
		return this.#names.of(ref).references.first(signal);
	}

	/** For views: immediately returns cached data; `referencesBefore` reports its age. */
	referencesAtOnce(ref: RepositoryRef, signal: AbortSignal): Promise<Listing<Reference>> {
		return this.#names.of(ref).references.atOnce(signal);
	}

	knownReferences(ref: RepositoryRef): Listing<Reference> | undefined {
		return this.#names.known(ref)?.references.known();
	}

	/** Age of the cached references or default branch. */
	referencesBefore(ref: RepositoryRef): ReadBefore | undefined {
		return this.#names.known(ref)?.referencesBefore();
	}

	/** Time of the oldest cached data that is being refreshed. */
	earlierMs(): number | undefined {
		return oldestBeingRead([this.#shelf.ownBefore(), ...this.#names.befores()]);
	}

	/** Reads the next page. */
	moreReferences(ref: RepositoryRef, signal: AbortSignal): Promise<Listing<Reference>> {
		return this.#names.of(ref).references.more(signal);
	}

	/** `undefined` for a repository without branches. */
	defaultBranch(ref: RepositoryRef, signal: AbortSignal): Promise<DefaultBranch | undefined> {
		return this.#names.defaultBranch(ref, signal);
	}

	/** For views: the cached default branch while the references are cached too. */
	defaultBranchAtOnce(ref: RepositoryRef, signal: AbortSignal): Promise<DefaultBranch | undefined> {
		return this.#names.defaultBranchAtOnce(ref, signal);
	}

	/** Commits on loaded pages from a revision on, in server order. */
	log(ref: RepositoryRef, revision: string, signal: AbortSignal): Promise<Listing<Commit>> {
		return this.#names.of(ref).log(revision).first(signal);
	}

	/** For views: immediately returns cached data; `logBefore` reports its age. */
	logAtOnce(ref: RepositoryRef, revision: string, signal: AbortSignal): Promise<Listing<Commit>> {
		return this.#names.of(ref).log(revision).atOnce(signal);
	}

	knownLog(ref: RepositoryRef, revision: string): Listing<Commit> | undefined {
		return this.#names.known(ref)?.knownLog(revision);
	}

	/** Age of a cached log; `undefined` for fresh data. */
	logBefore(ref: RepositoryRef, revision: string): ReadBefore | undefined {
		return this.#names.known(ref)?.logBefore(revision);
	}

	/** Reads the next page of older commits. */
	moreLog(ref: RepositoryRef, revision: string, signal: AbortSignal): Promise<Listing<Commit>> {
		return this.#names.of(ref).log(revision).more(signal);
	}

	/** `revision`: an id, an abbreviated id, or a name. */
	commit(ref: RepositoryRef, revision: string, signal: AbortSignal): Promise<Commit> {
		return this.#folders.commit(ref, revision, signal);
	}

	/** A commit seen in this window. */
	knownCommit(ref: RepositoryRef, id: string): Commit | undefined {
		return this.#objects.knownCommit(ref, id);
	}

	/**
	 * Pinned commit of a revision (`HEAD`: the default branch); `undefined` for an empty repository. All reads below
	 * the revision start there.
	 */
	standing(ref: RepositoryRef, revision: string, signal: AbortSignal): Promise<Standing | undefined> {
		return this.#folders.standing(ref, revision, signal);
	}

	knownPinned(ref: RepositoryRef, revision: string): Standing | undefined {
		return this.#folders.knownPinned(ref, revision);
	}

	/**
	 * Pinned commit for a newly opened document. Webhook events cover only open revisions, so this asks the forge for
	 * others. Offline, it returns the old pin.
	 */
	async newestPinned(ref: RepositoryRef, revision: string, signal: AbortSignal): Promise<Standing | undefined> {
		const known = this.#pinned.of(ref, revision);
		if (!known || isObjectId(revision) || this.#pinned.isHeld(ref, revision)) {
			return await this.standing(ref, revision, signal);
		}
		const newest = await this.newerThanStanding(ref, revision, signal).catch(unreachable);
		if (!newest) {
			return known;
		}
		this.forget(ref);
		const standing = { revision, commit: newest };
		this.#pinned.keep(ref, standing);
		return standing;
	}

	/** Replaces the set of open revisions. Only those keep their pins on `forget` and after a restart. */
	hold(revisions: readonly HeldRevision[]): void {
		this.#pinned.hold(revisions);
	}

	/** Newer commit of an open revision; `undefined` when it is current. Always asks the forge. */
	async newerThanStanding(ref: RepositoryRef, revision: string, signal: AbortSignal): Promise<Commit | undefined> {
		const standing = this.#pinned.of(ref, revision);
		const newest = standing && (await this.#folders.newest(ref, revision, signal));
		return newest?.id === standing?.commit.id ? undefined : newest;
	}

	/** Moves the pin to the current commit. */
	async advance(ref: RepositoryRef, revision: string, signal: AbortSignal): Promise<void> {
		const newest = await this.#folders.newest(ref, revision, signal);
		if (newest) {
			this.#pinned.keep(ref, { revision, commit: newest });
			this.forget(ref);
		}
	}

	/** The tree of a revision or of a folder. An empty repository has an empty root tree. */
	folder(ref: RepositoryRef, at: TreePath, signal: AbortSignal): Promise<Tree> {
		return this.#folders.folder(ref, at, signal);
	}

	/** For views: the cached folder while the log of the revision is cached; see `logBefore`. */
	folderAtOnce(ref: RepositoryRef, at: TreePath, signal: AbortSignal): Promise<Tree> {
		return this.#folders.folderAtOnce(ref, at, signal);
	}

	/** Finds an entry by path. Reads its folder but not the entry. */
	find(ref: RepositoryRef, at: TreePath, signal: AbortSignal): Promise<Found> {
		return this.#folders.find(ref, at, signal);
	}

	/** No request. */
	knownEntry(ref: RepositoryRef, at: TreePath): TreeEntry | undefined {
		return this.#folders.knownEntry(ref, at);
	}

	/** Shared by all callers: never modify the bytes. */
	blob(ref: RepositoryRef, id: string, signal: AbortSignal): Promise<Blob> {
		return this.#objects.blob(ref, id, signal);
	}

	/** See `RepositoryFolders.readAhead`. */
	readAhead(ref: RepositoryRef, files: readonly TreePath[], onRead: () => void, signal: AbortSignal): Promise<void> {
		return this.#folders.readAhead(ref, files, onRead, signal);
	}

	/** From memory or disk. No request. */
	keptBlob(ref: RepositoryRef, id: string): Promise<Blob | undefined> {
		return this.#objects.keptBlob(ref, id);
	}

	/** The subset readable without a request. Checks only for existence. */
	keptAmong(ref: RepositoryRef, ids: readonly string[]): Promise<ReadonlySet<string>> {
		return this.#objects.keptAmong(ref, ids);
	}

	/** Size in bytes; reads the blob unless the size is known. */
	size(ref: RepositoryRef, id: string, signal: AbortSignal): Promise<number> {
		return this.#objects.size(ref, id, signal);
	}

	knownSize(ref: RepositoryRef, id: string): number | undefined {
		return this.#objects.knownSize(ref, id);
	}

	/** Everything below a folder, at the server's maximum concurrency. Only for user actions. */
	walk(ref: RepositoryRef, at: TreePath, signal: AbortSignal): AsyncGenerator<WalkStep, void, undefined> {
		return this.#folders.walk(ref, at, signal);
	}

	/** At most one request. */
	tree(ref: RepositoryRef, id: string, signal: AbortSignal): Promise<Tree> {
		return this.#objects.tree(ref, id, signal);
	}

	/** From memory or disk. No request. */
	keptTree(ref: RepositoryRef, id: string): Promise<Tree | undefined> {
		return this.#objects.keptTree(ref, id);
	}

	/** Compares trees, reading each at most once. */
	changes(ref: RepositoryRef, pair: CommitPair, signal: AbortSignal): Promise<Comparison> {
		return this.#folders.changes(ref, pair, signal);
	}

	/** The only entry for changes: commands, reads, polls and webhook deliveries. */
	apply(news: RepositoryNews | RepositoryReading): void {
		const changes = takeRepositoryNews({ shelf: this.#shelf, names: this.#names, pinned: this.#pinned }, news);
		changes.forEach((change) => this.#changed.fire(change));
	}

	/** Forgets names, so that the next read asks the forge. Pinned revisions in use stay. */
	forget(ref?: RepositoryRef): void {
		this.#names.forget(ref);
		this.#pinned.forget(ref);
		if (!ref) {
			this.#shelf.forget();
		}
		this.#changed.fire({ kind: 'moved', ref });
	}

	/** Forgets cached data whose refresh failed, so that the next read tries again. Refreshes in progress continue. */
	forgetBefore(ref?: RepositoryRef): void {
		this.#names
			.failed()
			.filter((each) => ref === undefined || isSameRepository(ref, each))
			.forEach((each) => this.forget(each));
		if (ref === undefined && this.#shelf.ownBefore()?.error !== undefined) {
			this.#shelf.forget();
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
