import { Emitter, type Event } from '../base/event.ts';
import type { Disposable } from '../base/lifecycle.ts';
import type { RepositoryApi } from '../forge/forge.ts';
import { ForgeError, isForgeError } from '../forge/forgeError.ts';
import type { Pages } from '../forge/page.ts';
import {
	repositoryRefText,
	type Blob,
	type Commit,
	type Reference,
	type Repository,
	type RepositoryRef,
	type Tree,
	type TreeEntry,
	type TreePath,
} from '../forge/repository.ts';
import type { OwnerName } from '../forge/user.ts';
import type { Listing } from './listing.ts';
import { PagedList } from './pagedList.ts';
import { entryKind, entryNamed, folderOf, isSafeName, nameOf, stepsOf } from './repositoryEntries.ts';
import { RepositoryNames } from './repositoryNames.ts';
import { RepositoryObjects } from './repositoryObjects.ts';
import { headRevision } from './repositoryReferences.ts';
import { walkLimits, walkTree, type WalkStep } from './repositoryWalk.ts';
import { SharedReads } from './sharedRead.ts';
import type { KeptNames } from './keptNames.ts';

export interface RepositoryStoreParts {
	readonly api: RepositoryApi;
	/** `~name` of the account. */
	readonly me: OwnerName;
	/** Others' repositories that the account follows, each `~owner/name`. */
	readonly followed: KeptNames;
	/** Lets more calls be in flight until disposed. */
	readonly beginWalk: () => Promise<Disposable>;
}

/** Something that is newer than what is known, whoever tells it: an answer to a command, a poll, a delivery. */
export type RepositoryNews =
	| { readonly kind: 'repositoryChanged'; readonly ref: RepositoryRef; readonly repository: Repository }
	| { readonly kind: 'repositoryDeleted'; readonly ref: RepositoryRef }
	/** Something was pushed: names lead elsewhere now. */
	| { readonly kind: 'referencesMoved'; readonly ref: RepositoryRef };

/** What changed, as narrowly as it is known. */
export type RepositoryStoreChange =
	/** Repositories came or went. */
	| { readonly kind: 'repositories' }
	/** A repository itself, its references, or what they lead to. */
	| { readonly kind: 'repository'; readonly ref: RepositoryRef }
	/** More commits of one revision are known. */
	| { readonly kind: 'log'; readonly ref: RepositoryRef; readonly revision: string };

/** The branch that a repository shows first. */
export interface DefaultBranch {
	/** Without `refs/heads/`. */
	readonly name: string;
	/** False when the server does not tell, and the name is only the usual one. */
	readonly isCertain: boolean;
}

/** What stands at a path. */
export type Found =
	| { readonly kind: 'root' }
	/** Whatever its kind: see `entryKind`. */
	| { readonly kind: 'entry'; readonly entry: TreeEntry };

const ownerAndName = /^(~[^/\s]+)\/([^/\s]+)$/;

/** Reads `~owner/name`. */
export function repositoryRefOf(text: string): RepositoryRef | undefined {
	const [, owner, name] = ownerAndName.exec(text) ?? [];
	return owner === undefined || name === undefined ? undefined : { owner, name };
}

/**
 * What we know of one account's repositories. Names (references, and the trees and logs that they lead to) are kept
 * until they are forgotten or somebody tells that they moved; trees, blobs and commits are kept by id.
 */
export class RepositoryStore implements Disposable {
	readonly #parts: RepositoryStoreParts;
	readonly #own: PagedList<Repository>;
	readonly #others = new Map<string, Repository>();
	readonly #repositoryReads = new SharedReads<Repository>();
	readonly #objects: RepositoryObjects;
	readonly #names: RepositoryNames;
	readonly #changed = new Emitter<RepositoryStoreChange>();
	readonly onDidChange: Event<RepositoryStoreChange> = this.#changed.event;

	constructor(parts: RepositoryStoreParts) {
		this.#parts = parts;
		this.#own = new PagedList({
			open: (signal) => parts.api.repositories(undefined, signal),
			idOf: ({ name }) => name,
			compare: (a, b) => a.name.localeCompare(b.name, 'en') || (a.name < b.name ? -1 : 1),
		});
		this.#objects = new RepositoryObjects(parts.api);
		this.#names = new RepositoryNames(parts.api, (ref, commits) => this.#objects.keepCommits(ref, commits));
	}

	/** One's own repositories, by name. */
	ownRepositories(signal: AbortSignal): Promise<Listing<Repository>> {
		return this.#own.first(signal);
	}

	/** Reads on in one's own repositories. */
	async moreOwnRepositories(signal: AbortSignal): Promise<Listing<Repository>> {
		const listing = await this.#own.more(signal);
		this.#changed.fire({ kind: 'repositories' });
		return listing;
	}

	/** Others' repositories that are followed, in the order in which they were added. Needs no request. */
	followedRepositories(): readonly RepositoryRef[] {
		return this.#parts.followed
			.all()
			.map(repositoryRefOf)
			.filter((ref) => ref !== undefined);
	}

	/** Follows a repository once the forge has shown that it exists. */
	async follow(wanted: RepositoryRef, signal: AbortSignal): Promise<RepositoryRef> {
		const { name, owner } = await this.#readRepository(wanted, signal);
		const ref = { owner: owner?.canonicalName ?? wanted.owner, name };
		const names = this.#parts.followed.all();
		if (!this.#isMine(ref) && !names.includes(repositoryRefText(ref))) {
			await this.#parts.followed.keep([...names, repositoryRefText(ref)]);
			this.#changed.fire({ kind: 'repositories' });
		}
		return ref;
	}

	async unfollow(ref: RepositoryRef): Promise<void> {
		const unwanted = repositoryRefText(ref);
		await this.#parts.followed.keep(this.#parts.followed.all().filter((name) => name !== unwanted));
		this.#changed.fire({ kind: 'repositories' });
	}

	/** A repository as last seen, without asking. */
	knownRepository(ref: RepositoryRef): Repository | undefined {
		return this.#isMine(ref) ? this.#own.item(ref.name) : this.#others.get(repositoryRefText(ref));
	}

	async repository(ref: RepositoryRef, signal: AbortSignal): Promise<Repository> {
		return this.knownRepository(ref) ?? (await this.#readRepository(ref, signal));
	}

	/** All references as far as they were read, by full name. */
	references(ref: RepositoryRef, signal: AbortSignal): Promise<Listing<Reference>> {
		return this.#names.of(ref).references.first(signal);
	}

	knownReferences(ref: RepositoryRef): Listing<Reference> | undefined {
		return this.#names.of(ref).references.known();
	}

	/** Reads on in a repository's references. */
	async moreReferences(ref: RepositoryRef, signal: AbortSignal): Promise<Listing<Reference>> {
		const listing = await this.#names.of(ref).references.more(signal);
		this.#changed.fire({ kind: 'repository', ref });
		return listing;
	}

	/** `undefined` for a repository without branches. */
	async defaultBranch(ref: RepositoryRef, signal: AbortSignal): Promise<DefaultBranch | undefined> {
		const name = await this.#names.defaultBranch(ref, signal).catch(missing);
		if (name !== undefined) {
			return { name, isCertain: true };
		}
		const { items } = await this.references(ref, signal);
		const usual = ['main', 'master'].find((each) => items.some((known) => known.name === `refs/heads/${each}`));
		return usual === undefined ? undefined : { name: usual, isCertain: false };
	}

	/** Commits from a revision on, as far as they were read, in the server's order. */
	log(ref: RepositoryRef, revision: string, signal: AbortSignal): Promise<Listing<Commit>> {
		return this.#names.of(ref).log(revision).first(signal);
	}

	knownLog(ref: RepositoryRef, revision: string): Listing<Commit> | undefined {
		return this.#names.of(ref).log(revision).known();
	}

	/** Reads on towards older commits. */
	async moreLog(ref: RepositoryRef, revision: string, signal: AbortSignal): Promise<Listing<Commit>> {
		const listing = await this.#names.of(ref).log(revision).more(signal);
		this.#changed.fire({ kind: 'log', ref, revision });
		return listing;
	}

	/** The commit that a revision leads to: an id, the beginning of one, or a name. */
	async commit(ref: RepositoryRef, revision: string, signal: AbortSignal): Promise<Commit> {
		const known = this.#objects.knownCommit(ref, revision);
		const [first] = known ? [known] : await firstPage(this.#names.openLog(ref, revision, signal));
		if (!first) {
			throw new ForgeError({ kind: 'notFound' });
		}
		return first;
	}

	/** The tree of a revision (`HEAD`: of the default branch), or of a folder below it. */
	async folder(ref: RepositoryRef, at: TreePath, signal: AbortSignal): Promise<Tree> {
		const steps = stepsOf(at.path, walkLimits.depth);
		if (!steps) {
			throw new ForgeError({ kind: 'notFound' });
		}
		let tree = await this.#root(ref, at.ref, signal);
		for (const step of steps) {
			const entry = entryNamed(tree, step);
			if (!entry || entryKind(entry) !== 'folder') {
				throw new ForgeError({ kind: 'notFound' });
			}
			tree = await this.#objects.tree(ref, entry.id, signal);
		}
		return tree;
	}

	/** What stands at a path. Folders on the way are read, what is found is not. */
	async find(ref: RepositoryRef, at: TreePath, signal: AbortSignal): Promise<Found> {
		const holder = await this.folder(ref, { ref: at.ref, path: folderOf(at.path) }, signal);
		if (at.path === '') {
			return { kind: 'root' };
		}
		const name = nameOf(at.path);
		const entry = isSafeName(name) ? entryNamed(holder, name) : undefined;
		if (!entry) {
			throw new ForgeError({ kind: 'notFound' });
		}
		return { kind: 'entry', entry };
	}

	/** What stands at a path, as far as that is known without asking. */
	knownEntry(ref: RepositoryRef, at: TreePath): TreeEntry | undefined {
		const steps = stepsOf(at.path, walkLimits.depth) ?? [];
		const rootId = this.#names.of(ref).rootId(at.ref);
		let tree = rootId === undefined ? undefined : this.#objects.knownTree(ref, rootId);
		let entry: TreeEntry | undefined;
		for (const step of steps) {
			entry = tree && entryNamed(tree, step);
			tree = entry && this.#objects.knownTree(ref, entry.id);
		}
		return entry;
	}

	/** Content of a blob. Shared with everybody who asks for it: read, never written. */
	blob(ref: RepositoryRef, id: string, signal: AbortSignal): Promise<Blob> {
		return this.#objects.blob(ref, id, signal);
	}

	/** Bytes of a blob; reads it when they are not known. */
	size(ref: RepositoryRef, id: string, signal: AbortSignal): Promise<number> {
		return this.#objects.size(ref, id, signal);
	}

	knownSize(ref: RepositoryRef, id: string): number | undefined {
		return this.#objects.knownSize(ref, id);
	}

	/** Everything below a folder, with as many calls at a time as the server bears. For what a user started. */
	async *walk(ref: RepositoryRef, at: TreePath, signal: AbortSignal): AsyncGenerator<WalkStep, void, undefined> {
		const haste = await this.#parts.beginWalk();
		try {
			const start = { path: at.path, tree: await this.folder(ref, at, signal) };
			const read = (id: string, reading: AbortSignal): Promise<Tree> => this.#objects.tree(ref, id, reading);
			yield* walkTree({ start, read, limits: walkLimits }, signal);
		} finally {
			haste.dispose();
		}
	}

	/** Every change enters here, whether a command, a poll or a delivery brought it. */
	apply(news: RepositoryNews): void {
		switch (news.kind) {
			case 'repositoryChanged':
				this.#keepRepository(news.ref, news.repository);
				return this.#changed.fire({ kind: 'repositories' });
			case 'repositoryDeleted':
				this.#names.forget(news.ref);
				this.#others.delete(repositoryRefText(news.ref));
				if (this.#isMine(news.ref)) {
					this.#own.reset();
				}
				return this.#changed.fire({ kind: 'repositories' });
			case 'referencesMoved':
				return this.forget(news.ref);
		}
	}

	/** Forgets names, of everything or of one repository, so that the next look asks again. */
	forget(ref?: RepositoryRef): void {
		this.#names.forget(ref);
		if (ref) {
			return this.#changed.fire({ kind: 'repository', ref });
		}
		this.#own.reset();
		this.#others.clear();
		this.#changed.fire({ kind: 'repositories' });
	}

	dispose(): void {
		this.#own.close();
		this.#own.reset();
		this.#others.clear();
		this.#repositoryReads.abortAll();
		this.#names.dispose();
		this.#objects.dispose();
		this.#changed.dispose();
	}

	async #root(ref: RepositoryRef, revision: string, signal: AbortSignal): Promise<Tree> {
		const names = this.#names.of(ref);
		const known = names.rootId(revision);
		if (known !== undefined) {
			return await this.#objects.tree(ref, known, signal);
		}
		const read = async (shared: AbortSignal): Promise<Tree> => {
			const at = revision === headRevision ? undefined : { ref: revision, path: '' };
			const tree = await this.#parts.api.tree(ref, at, shared);
			this.#objects.keepTree(ref, tree);
			// The id of a tree or commit leads to the same tree for ever, so it may be kept like any other name.
			names.keepRootId(revision, tree.id);
			return tree;
		};
		return await names.rootReads.read(revision, read, signal);
	}

	#readRepository(ref: RepositoryRef, signal: AbortSignal): Promise<Repository> {
		const read = async (shared: AbortSignal): Promise<Repository> => {
			const repository = await this.#parts.api.repository(ref, shared);
			this.#keepRepository(ref, repository);
			return repository;
		};
		return this.#repositoryReads.read(repositoryRefText(ref), read, signal);
	}

	#keepRepository(ref: RepositoryRef, repository: Repository): void {
		if (this.#isMine(ref)) {
			this.#own.put(repository);
		} else {
			this.#others.set(repositoryRefText(ref), repository);
		}
	}

	#isMine(ref: RepositoryRef): boolean {
		return ref.owner === this.#parts.me;
	}
}

/** A server that cannot say which branch comes first is no reason to show none. */
function missing(error: unknown): undefined {
	const kinds: readonly string[] = [
		'notFound',
		'notAllowed',
		'serverError',
		'notUnderstood',
		'invalid',
		'missingScope',
	];
	if (isForgeError(error) && kinds.includes(error.problem.kind)) {
		return undefined;
	}
	throw error;
}

async function firstPage<T>(pages: Pages<T>): Promise<readonly T[]> {
	const { value: page, done } = await pages.next();
	await pages.return();
	return done ? [] : page.items;
}
