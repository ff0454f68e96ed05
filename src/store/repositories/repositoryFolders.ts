import type { Disposable } from '@forge-desk/base/lifecycle.ts';
import { ForgeError, isForgeError } from 'sourcehut/port/forgeError.ts';
import { placeText } from 'sourcehut/port/namedMissing.ts';
import { refText } from 'sourcehut/port/namedRef.ts';
import { leavesKnown, unlessMissing } from 'sourcehut/port/isAway.ts';
import type { Commit, RepositoryRef, Tree, TreeEntry, TreePath } from 'sourcehut/port/repository.ts';
import { compareLimits, compareTrees, type Comparison } from 'patchmail/git/compareTrees.ts';
import { isObjectId } from 'patchmail/git/objectId.ts';
import {
	entryKind,
	entryNamed,
	folderOf,
	isBlob,
	isSafeName,
	joined,
	nameOf,
	readEntry,
	stepsOf,
} from './repositoryEntries.ts';
import { isBeingRead } from '../shared/listing.ts';
import type { RepositorySources } from './repositorySources.ts';
import type { RepositoryNames } from './repositoryNames.ts';
import type { RepositoryObjects } from './objects/repositoryObjects.ts';
import type { PinnedRevisions, Standing } from './pinnedRevisions.ts';
import { walkLimits, walkTree, type WalkStep } from './repositoryWalk.ts';
import { SharedReads } from '@forge-desk/base/sharedFlights.ts';
import { isHopeless } from 'sourcehut/port/isHopeless.ts';

export type Found =
	| { readonly kind: 'root' }
	/** Of any kind; see `entryKind`. */
	| { readonly kind: 'entry'; readonly entry: TreeEntry };

/** Full ids. Without `before`, the comparison is with the empty tree. */
export interface CommitPair {
	readonly before: string | undefined;
	readonly after: string;
}

/** Root of a repository without commits. */
const emptyTree: Tree = { id: '', shortId: '', entries: [] };

/** Folders and entries at the pinned commit of a revision. */
export class RepositoryFolders implements Disposable {
	readonly #sources: RepositorySources;
	readonly #names: RepositoryNames;
	readonly #objects: RepositoryObjects;
	readonly #pinned: PinnedRevisions;
	/** Trees read by path. */
	readonly #treeReads = new SharedReads<Tree>();

	constructor(sources: RepositorySources, names: RepositoryNames, objects: RepositoryObjects, pinned: PinnedRevisions) {
		this.#sources = sources;
		this.#names = names;
		this.#objects = objects;
		this.#pinned = pinned;
	}

	/** Pinned commit of a revision; `undefined` for an empty repository. */
	async standing(ref: RepositoryRef, revision: string, signal: AbortSignal): Promise<Standing | undefined> {
		const known = this.knownPinned(ref, revision);
		if (known) {
			return known;
		}
		const log = this.#names.of(ref).log(revision);
		const [first] = (await log.first(signal)).items;
		const stands = this.#pinned.of(ref, revision);
		if (stands && log.before()) {
			return stands;
		}
		// After `forget`, don't pin from the discarded log.
		if (first && this.#names.of(ref).log(revision) === log) {
			this.#pinned.keep(ref, { revision, commit: first });
		}
		return first && { revision, commit: first };
	}

	knownPinned(ref: RepositoryRef, revision: string): Standing | undefined {
		const commit = isObjectId(revision) ? this.#objects.knownCommit(ref, revision) : undefined;
		return this.#pinned.of(ref, revision) ?? (commit && { revision, commit });
	}

	/** Tree of a folder. The root of an empty repository has an empty tree. */
	async folder(ref: RepositoryRef, at: TreePath, signal: AbortSignal): Promise<Tree> {
		const steps = stepsOf(at.path, walkLimits.depth);
		if (!steps) {
			return missing(ref, at);
		}
		const standing = await this.standing(ref, at.ref, signal);
		if (!standing) {
			return steps.length === 0 ? emptyTree : missing(ref, at);
		}
		const path = await this.#cachedPath(ref, standing.commit.tree, steps, at);
		// A parent folder is unknown: read the tree by path, in one request.
		if (path.unread.length > 0) {
			const { commit } = standing;
			const read = async (shared: AbortSignal): Promise<Tree> => {
				const tree = await this.#sources.api.tree(ref, { ref: commit.id, path: at.path }, shared);
				this.#objects.keepTree(ref, tree);
				this.#pinned.keepTreeId(commit.tree, at.path, tree.id);
				return tree;
			};
			return await this.#treeReads.read(JSON.stringify([ref.owner, ref.name, commit.id, at.path]), read, signal);
		}
		return await this.#objects.tree(ref, path.id, signal);
	}

	/**
	 * For views: in a new window, the cached folder while the log is being refreshed. Doesn't pin the revision; only
	 * the fresh answer does.
	 */
	async cachedFolder(ref: RepositoryRef, at: TreePath, signal: AbortSignal): Promise<Tree> {
		const steps = stepsOf(at.path, walkLimits.depth);
		if (steps && !this.knownPinned(ref, at.ref)) {
			const log = this.#names.of(ref).log(at.ref);
			const [newest] = (await log.cached(signal)).items;
			const isOld = isBeingRead(log.before());
			const path = newest && isOld ? await unlessMissing(this.#cachedPath(ref, newest.tree, steps, at)) : undefined;
			const tree = path?.unread.length === 0 ? await this.#objects.keptTree(ref, path.id) : undefined;
			// After the refresh, don't show older data.
			if (tree && isBeingRead(log.before())) {
				return tree;
			}
		}
		return await this.folder(ref, at, signal);
	}

	/** Reads the folder but not the entry. */
	async find(ref: RepositoryRef, at: TreePath, signal: AbortSignal): Promise<Found> {
		const name = nameOf(at.path);
		const entry = await this.#entryAt(ref, at, name, signal);
		if (at.path === '') {
			return { kind: 'root' };
		}
		if (!entry || !isSafeName(name)) {
			return missing(ref, at);
		}
		const commit = this.knownPinned(ref, at.ref)?.commit;
		if (commit && isBlob(entry)) {
			this.#objects.met(ref, entry.id, { ref: commit.id, path: at.path });
		}
		return { kind: 'entry', entry };
	}

	/** If the server truncated the folder listing, asks for the entry by path. */
	async #entryAt(ref: RepositoryRef, at: TreePath, name: string, signal: AbortSignal): Promise<TreeEntry | undefined> {
		try {
			return entryNamed(await this.folder(ref, { ref: at.ref, path: folderOf(at.path) }, signal), name);
		} catch (error) {
			const known = knownPart(error);
			const commit = this.knownPinned(ref, at.ref)?.commit;
			if (!known || !commit) {
				throw error;
			}
			const wanted = at.path === '' ? [] : [{ ref: commit.id, path: at.path }];
			return entryNamed(known, name) ?? readEntry((await this.#sources.api.entriesAt?.(ref, wanted, signal))?.[0]);
		}
	}

	/** No request. */
	knownEntry(ref: RepositoryRef, at: TreePath): TreeEntry | undefined {
		const steps = stepsOf(at.path, walkLimits.depth) ?? [];
		const name = steps.at(-1);
		const root = this.knownPinned(ref, at.ref)?.commit.tree;
		if (root === undefined || name === undefined) {
			return undefined;
		}
		const above = steps.slice(0, -1);
		const known = this.#pinned.treeId(root, above.join('/'));
		let holder = this.#objects.knownTree(ref, known ?? root);
		for (const step of known === undefined ? above : []) {
			const entry = holder && entryNamed(holder, step);
			holder = entry && this.#objects.knownTree(ref, entry.id);
		}
		return holder && entryNamed(holder, name);
	}

	/** Everything below a folder, at the server's maximum concurrency. Only for user actions. */
	async *walk(ref: RepositoryRef, at: TreePath, signal: AbortSignal): AsyncGenerator<WalkStep, void, undefined> {
		const boost = await this.#sources.beginWalk();
		try {
			let isWhole = true;
			const known = async (reading: Promise<Tree>): Promise<Tree> => {
				const found = await treeOrPart(reading);
				isWhole &&= found.isWhole;
				return found.tree;
			};
			const start = { path: at.path, tree: await known(this.folder(ref, at, signal)) };
			const commit = this.knownPinned(ref, at.ref)?.commit;
			const read = (id: string, reading: AbortSignal): Promise<Tree> => known(this.#objects.tree(ref, id, reading));
			for await (const step of walkTree(start, read, walkLimits, signal)) {
				if (step.kind === 'folder' && commit && this.#objects.wantsPlaces(ref)) {
					for (const entry of step.entries.filter(isBlob)) {
						this.#objects.met(ref, entry.id, { ref: commit.id, path: joined(step.path, entry.name) });
					}
				}
				yield step;
			}
			if (!isWhole) {
				yield { kind: 'leftOut', why: 'incomplete' };
			}
		} finally {
			boost.dispose();
		}
	}

	/** Compares trees, reading each at most once. */
	async changes(ref: RepositoryRef, pair: CommitPair, signal: AbortSignal): Promise<Comparison> {
		const treeOf = async (id: string): Promise<string> => {
			const tree = this.knownPinned(ref, id)?.commit.tree ?? (await this.commit(ref, id, signal)).tree;
			// Makes comparisons available offline. Logs contain too many commits to store them all.
			const commit = this.#objects.knownCommit(ref, id);
			if (commit) {
				this.#sources.disk?.keepCommit(ref, commit);
			}
			return tree;
		};
		const [before, after] = await Promise.all([
			pair.before === undefined ? undefined : treeOf(pair.before),
			treeOf(pair.after),
		]);
		const boost = await this.#sources.beginWalk();
		try {
			const read = (id: string, reading: AbortSignal): Promise<Tree> => this.#objects.tree(ref, id, reading);
			return await compareTrees(before, after, read, compareLimits, signal);
		} finally {
			boost.dispose();
		}
	}

	/** Reads files that are about to be opened, at the server's maximum concurrency. */
	readAhead(ref: RepositoryRef, files: readonly TreePath[], onRead: () => void, signal: AbortSignal): Promise<void> {
		const read = async (at: TreePath, reading: AbortSignal): Promise<void> => {
			const found = await this.find(ref, at, reading);
			if (found.kind === 'entry' && isBlob(found.entry)) {
				await this.#objects.blob(ref, found.entry.id, reading);
			}
		};
		return readAhead(files, this.#sources.beginWalk, read, onRead, signal);
	}

	/** `revision`: an id, an abbreviated id, or a name. */
	async commit(ref: RepositoryRef, revision: string, signal: AbortSignal): Promise<Commit> {
		const known = this.#objects.knownCommit(ref, revision);
		if (known) {
			return known;
		}
		try {
			return (await this.newest(ref, revision, signal)) ?? missing(ref, { ref: revision, path: '' });
		} catch (error) {
			// Commits are immutable, so the disk cache can answer for an id. Names may have moved.
			const canBeKept = leavesKnown(error) && isObjectId(revision);
			const kept = canBeKept ? await this.#sources.disk?.commit(ref, revision) : undefined;
			if (!kept) {
				throw error;
			}
			this.#objects.keepCommits(ref, [kept]);
			return kept;
		}
	}

	/** Always asks the forge; `undefined` for an empty repository. */
	async newest(ref: RepositoryRef, revision: string, signal: AbortSignal): Promise<Commit | undefined> {
		const pages = this.#names.openLog(ref, revision, signal);
		const { value: page } = await pages.next();
		await pages.return();
		return page?.items[0];
	}

	dispose(): void {
		this.#treeReads.abortAll();
	}

	/** Descends as far as folders are cached in memory or on disk. A non-folder on the path is an error. */
	async #cachedPath(ref: RepositoryRef, root: string, steps: readonly string[], at: TreePath): Promise<CachedPath> {
		const id = this.#pinned.treeId(root, steps.join('/'));
		if (id !== undefined) {
			return { id, unread: [] };
		}
		let path: CachedPath = { id: root, unread: steps };
		for (let step = path.unread[0]; step !== undefined; step = path.unread[0]) {
			const tree = await this.#objects.keptTree(ref, path.id);
			if (!tree) {
				break;
			}
			const entry = entryNamed(tree, step);
			const id = entry && entryKind(entry) === 'folder' ? entry.id : missing(ref, at);
			path = { id, unread: path.unread.slice(1) };
		}
		return path;
	}
}

/** Entries of a truncated folder listing. */
function knownPart(error: unknown): Tree | undefined {
	return isForgeError(error) && error.problem.kind === 'incomplete' ? error.problem.known : undefined;
}

/** A folder, or the known part of a truncated one. */
export interface TreeOrPart {
	readonly tree: Tree;
	readonly isWhole: boolean;
}

export async function treeOrPart(reading: Promise<Tree>): Promise<TreeOrPart> {
	try {
		return { tree: await reading, isWhole: true };
	} catch (error) {
		const tree = knownPart(error);
		if (!tree) {
			throw error;
		}
		return { tree, isWhole: false };
	}
}

/** The deepest cached tree on the path, and the remaining segments. */
interface CachedPath {
	readonly id: string;
	readonly unread: readonly string[];
}

function missing(ref: RepositoryRef, at: TreePath): never {
	throw new ForgeError({ kind: 'notFound' }, { about: placeText(refText(ref), at) });
}

/** Concurrency: far above normal, but leaves room for other requests. */
const mostAtOnce = 32;

/**
 * Prefetches items in order. Individual failures are ignored, because the view reports them. A failure that affects all
 * items stops the prefetch and rejects. `beginWalk`: raises the request concurrency until disposed. `onRead`: called
 * after each success or failure.
 */
export async function readAhead<T>(
	all: readonly T[],
	beginWalk: () => Promise<Disposable>,
	read: (one: T, signal: AbortSignal) => Promise<void>,
	onRead: () => void,
	signal: AbortSignal,
): Promise<void> {
	const failing = new AbortController();
	const working = AbortSignal.any([signal, failing.signal]);
	const left = all.values();
	async function readOn(): Promise<void> {
		for (const one of left) {
			working.throwIfAborted();
			try {
				await read(one, working);
			} catch (error) {
				if (isHopeless(error)) {
					failing.abort(error);
					throw error;
				}
			}
			onRead();
		}
	}
	const boost = await beginWalk();
	try {
		await Promise.all(Array.from({ length: mostAtOnce }, readOn));
	} finally {
		boost.dispose();
	}
}
