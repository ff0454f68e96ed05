import { Emitter, type Event } from '../../base/event.ts';
import { Disposables, type Disposable } from '../../base/lifecycle.ts';
import type { RepositoryApi } from '../../forge/forge.ts';
import { isForgeError } from '../../forge/forgeError.ts';
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
} from '../../forge/repository.ts';
import type { RepositoryNews } from '../../forge/news.ts';
import type { OwnerName } from '../../forge/user.ts';
import type { Comparison } from '../../git/compareTrees.ts';
import { isObjectId } from '../../git/objectId.ts';
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
	/** Others' repositories that the account follows, each `~owner/name`. */
	readonly followed: KeptNames;
	/** Trees and blobs that outlive the window. */
	readonly objects: KeptObjects;
	/** Names, and what they lead to, that outlive the window; absent where they are not to. */
	readonly disk?: KeptRepositories | undefined;
	/** Where the revisions stand that are open in this window. */
	readonly pinned: KeptText;
	/** Lets more calls be in flight until disposed. */
	readonly beginWalk: () => Promise<Disposable>;
}

/**
 * What we know of one account's repositories. Names (references, and the logs that they lead to) are kept until they are
 * forgotten or somebody tells that they moved; trees, blobs and commits are kept by id. A revision that is open stands
 * where it stood when it was opened, until its reader goes on.
 */
export class RepositoryStore implements Disposable {
	/** Changes one's own repositories. */
	readonly writes: RepositoryWrites;
	/** Reads of which nothing is kept. */
	readonly uncached: UncachedRepositoryReads;
	/** Files by the beginnings of their ids; absent where the server has no way to ask for them. */
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

	/** One's own repositories, by name. */
	ownRepositories(signal: AbortSignal): Promise<Listing<Repository>> {
		return this.#shelf.own(signal);
	}

	/** The same for who shows them: at once what an earlier window read, of which `ownRepositoriesBefore` says of when it is. */
	ownRepositoriesAtOnce(signal: AbortSignal): Promise<Listing<Repository>> {
		return this.#shelf.ownAtOnce(signal);
	}

	/** The same as far as they were read, without asking. */
	knownOwnRepositories(): Listing<Repository> | undefined {
		return this.#shelf.knownOwn();
	}

	/** Asks for all of one's own repositories again: what is not among them any more is gone. `asks`: a page is about to be asked for. */
	async renewOwnRepositories(asks: () => void, signal: AbortSignal): Promise<void> {
		await this.#shelf.renewOwn(asks, signal);
	}

	/** Of when they are, where they are shown as another window read them. */
	ownRepositoriesBefore(): ReadBefore | undefined {
		return this.#shelf.ownBefore();
	}

	/** Reads on in one's own repositories. */
	moreOwnRepositories(signal: AbortSignal): Promise<Listing<Repository>> {
		return this.#shelf.moreOwn(signal);
	}

	/** Others' repositories that are followed, in the order in which they were added. Needs no request. */
	readonly followedRepositories = (): readonly RepositoryRef[] => this.#shelf.followed.all();

	/** Follows a repository once the forge has shown that it exists. */
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

	/** Tells of what another window follows or unfollows since the last look. Needs no request. */
	readonly lookAtFollowed = (): void =>
		this.#shelf.followed.newsElsewhere() ? this.#changed.fire({ kind: 'repositories' }) : undefined;

	/** A repository as last seen, without asking. */
	knownRepository(ref: RepositoryRef): Repository | undefined {
		return this.#shelf.known(ref);
	}

	/** What the repository with this id is called, as last seen, without asking. */
	readonly refOfRid = (rid: string): RepositoryRef | undefined => this.#shelf.refOfRid(rid);

	repository(ref: RepositoryRef, signal: AbortSignal): Promise<Repository> {
		return this.#shelf.one(ref, signal);
	}

	/**
	 * What an earlier window read of a repository and its references is known after this, where nothing else is: for who shows
	 * it at once, and asks the forge next. Answers which branch came first. Needs no request.
	 */
	async recall(ref: RepositoryRef): Promise<DefaultBranch | undefined> {
		const [branch] = await Promise.all([this.#names.recall(ref), this.#shelf.recall(ref)]);
		return branch;
	}

	/** The same of a log. */
	recallLog(ref: RepositoryRef, revision: string): Promise<void> {
		return this.#names.of(ref).log(revision).recall();
	}

	/** Asks the forge for a repository, whatever is known. */
	renew(ref: RepositoryRef, signal: AbortSignal): Promise<Repository> {
		return this.#shelf.read(ref, signal);
	}

	/** Of when a repository is, where it is shown as another window read it. */
	repositoryBefore(ref: RepositoryRef): ReadBefore | undefined {
		return this.#shelf.before(ref);
	}

	/** All references as far as they were read, by full name. */
	references(ref: RepositoryRef, signal: AbortSignal): Promise<Listing<Reference>> {
		return this.#names.of(ref).references.first(signal);
	}

	/** The same for who shows them: at once what an earlier window read, of which `referencesBefore` says of when it is. */
	referencesAtOnce(ref: RepositoryRef, signal: AbortSignal): Promise<Listing<Reference>> {
		return this.#names.of(ref).references.atOnce(signal);
	}

	knownReferences(ref: RepositoryRef): Listing<Reference> | undefined {
		return this.#names.known(ref)?.references.known();
	}

	/** The same of its references, and of which of them comes first. */
	referencesBefore(ref: RepositoryRef): ReadBefore | undefined {
		return this.#names.known(ref)?.referencesBefore();
	}

	/** Of when the oldest is that an earlier window read, while the forge is being asked for it. */
	earlierMs(): number | undefined {
		return oldestBeingRead([this.#shelf.ownBefore(), ...this.#names.befores()]);
	}

	/** Reads on in a repository's references. */
	moreReferences(ref: RepositoryRef, signal: AbortSignal): Promise<Listing<Reference>> {
		return this.#names.of(ref).references.more(signal);
	}

	/** `undefined` for a repository without branches. */
	defaultBranch(ref: RepositoryRef, signal: AbortSignal): Promise<DefaultBranch | undefined> {
		return this.#names.defaultBranch(ref, signal);
	}

	/** The same for who shows it, while the references are those of an earlier window. */
	defaultBranchAtOnce(ref: RepositoryRef, signal: AbortSignal): Promise<DefaultBranch | undefined> {
		return this.#names.defaultBranchAtOnce(ref, signal);
	}

	/** Commits from a revision on, as far as they were read, in the server's order. */
	log(ref: RepositoryRef, revision: string, signal: AbortSignal): Promise<Listing<Commit>> {
		return this.#names.of(ref).log(revision).first(signal);
	}

	/** The same for who shows them: at once what an earlier window read, of which `logBefore` says of when it is. */
	logAtOnce(ref: RepositoryRef, revision: string, signal: AbortSignal): Promise<Listing<Commit>> {
		return this.#names.of(ref).log(revision).atOnce(signal);
	}

	knownLog(ref: RepositoryRef, revision: string): Listing<Commit> | undefined {
		return this.#names.known(ref)?.knownLog(revision);
	}

	/** Of when a log is, where it is shown as another window read it. */
	logBefore(ref: RepositoryRef, revision: string): ReadBefore | undefined {
		return this.#names.known(ref)?.logBefore(revision);
	}

	/** Reads on towards older commits. */
	moreLog(ref: RepositoryRef, revision: string, signal: AbortSignal): Promise<Listing<Commit>> {
		return this.#names.of(ref).log(revision).more(signal);
	}

	/** The commit that a revision leads to now: an id, the beginning of one, or a name. */
	commit(ref: RepositoryRef, revision: string, signal: AbortSignal): Promise<Commit> {
		return this.#folders.commit(ref, revision, signal);
	}

	/** A commit that came by in this window. */
	knownCommit(ref: RepositoryRef, id: string): Commit | undefined {
		return this.#objects.knownCommit(ref, id);
	}

	/**
	 * Where a revision stands (`HEAD`: the default branch), asked for when nobody has yet; `undefined` in an empty
	 * repository. Everything below it is read from there.
	 */
	standing(ref: RepositoryRef, revision: string, signal: AbortSignal): Promise<Standing | undefined> {
		return this.#folders.standing(ref, revision, signal);
	}

	knownPinned(ref: RepositoryRef, revision: string): Standing | undefined {
		return this.#folders.knownPinned(ref, revision);
	}

	/**
	 * Where something new begins: as `standing`, but what nobody has open is asked for anew, because nobody tells of pushes
	 * to that. Without a network it begins where it stood.
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

	/** Says what is open in this window: those revisions, and no others, stay where they stand. */
	hold(revisions: readonly HeldRevision[]): void {
		this.#pinned.hold(revisions);
	}

	/** The commit that a revision has gone on to while it was open; `undefined` when it has not. Always asks. */
	async newerThanStanding(ref: RepositoryRef, revision: string, signal: AbortSignal): Promise<Commit | undefined> {
		const standing = this.#pinned.of(ref, revision);
		const newest = standing && (await this.#folders.newest(ref, revision, signal));
		return newest?.id === standing?.commit.id ? undefined : newest;
	}

	/** Goes on to where a revision leads now. */
	async advance(ref: RepositoryRef, revision: string, signal: AbortSignal): Promise<void> {
		const newest = await this.#folders.newest(ref, revision, signal);
		if (newest) {
			this.#pinned.keep(ref, { revision, commit: newest });
			this.forget(ref);
		}
	}

	/** The tree of a revision, or of a folder below it. Of the root of an empty repository a tree without entries. */
	folder(ref: RepositoryRef, at: TreePath, signal: AbortSignal): Promise<Tree> {
		return this.#folders.folder(ref, at, signal);
	}

	/** The same for who shows it, where the log of the revision is that of an earlier window: see `logBefore`. */
	folderAtOnce(ref: RepositoryRef, at: TreePath, signal: AbortSignal): Promise<Tree> {
		return this.#folders.folderAtOnce(ref, at, signal);
	}

	/** What stands at a path. Its folder is read, what is found is not. */
	find(ref: RepositoryRef, at: TreePath, signal: AbortSignal): Promise<Found> {
		return this.#folders.find(ref, at, signal);
	}

	/** What stands at a path, as far as that is known without asking. */
	knownEntry(ref: RepositoryRef, at: TreePath): TreeEntry | undefined {
		return this.#folders.knownEntry(ref, at);
	}

	/** Content of a blob. Shared with everybody who asks for it: read, never written. */
	blob(ref: RepositoryRef, id: string, signal: AbortSignal): Promise<Blob> {
		return this.#objects.blob(ref, id, signal);
	}

	/** See `RepositoryFolders.readAhead`. */
	readAhead(ref: RepositoryRef, files: readonly TreePath[], onRead: () => void, signal: AbortSignal): Promise<void> {
		return this.#folders.readAhead(ref, files, onRead, signal);
	}

	/** A blob that was read before, in this window or in an earlier one. Needs no request. */
	keptBlob(ref: RepositoryRef, id: string): Promise<Blob | undefined> {
		return this.#objects.keptBlob(ref, id);
	}

	/** Which of these blobs can be read without a request, as far as that is known without reading them. */
	keptAmong(ref: RepositoryRef, ids: readonly string[]): Promise<ReadonlySet<string>> {
		return this.#objects.keptAmong(ref, ids);
	}

	/** Bytes of a blob; reads it when they are not known. */
	size(ref: RepositoryRef, id: string, signal: AbortSignal): Promise<number> {
		return this.#objects.size(ref, id, signal);
	}

	knownSize(ref: RepositoryRef, id: string): number | undefined {
		return this.#objects.knownSize(ref, id);
	}

	/** Everything below a folder, with as many calls at a time as the server bears. For what a user started. */
	walk(ref: RepositoryRef, at: TreePath, signal: AbortSignal): AsyncGenerator<WalkStep, void, undefined> {
		return this.#folders.walk(ref, at, signal);
	}

	/** A tree by its id. One request at most. */
	tree(ref: RepositoryRef, id: string, signal: AbortSignal): Promise<Tree> {
		return this.#objects.tree(ref, id, signal);
	}

	/** A tree that was read before, in this window or in an earlier one. Needs no request. */
	keptTree(ref: RepositoryRef, id: string): Promise<Tree | undefined> {
		return this.#objects.keptTree(ref, id);
	}

	/** What is different between two commits, from trees alone; each tree is asked for once at most. */
	changes(ref: RepositoryRef, pair: CommitPair, signal: AbortSignal): Promise<Comparison> {
		return this.#folders.changes(ref, pair, signal);
	}

	/** Every change enters here, whether a command, a read, a poll or a delivery brought it. */
	apply(news: RepositoryNews | RepositoryReading): void {
		const changes = takeRepositoryNews({ shelf: this.#shelf, names: this.#names, pinned: this.#pinned }, news);
		changes.forEach((change) => this.#changed.fire(change));
	}

	/** Forgets names, of everything or of one repository, so that the next look asks again. What is held stays. */
	forget(ref?: RepositoryRef): void {
		this.#names.forget(ref);
		this.#pinned.forget(ref);
		if (!ref) {
			this.#shelf.forget();
		}
		this.#changed.fire({ kind: 'moved', ref });
	}

	/**
	 * Forgets what is shown as another window read it because it could not be read anew, of everything or of one repository,
	 * so that the next look asks. What is being read comes by itself.
	 */
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
