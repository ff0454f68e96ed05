import type { RepositoryApi } from '../../forge/forge.ts';
import { isAway, isRefused } from '../../forge/isAway.ts';
import { repositoryRefText, type Repository, type RepositoryRef } from '../../forge/repository.ts';
import type { OwnerName } from '../../forge/user.ts';
import { followedRefs, type FollowedRefs } from '../shared/followedRefs.ts';
import type { KeptNames } from '../shared/keptNames.ts';
import type { KeptRepositories } from './keptRepositories.ts';
import type { RepositoryReading } from './repositoryChange.ts';
import type { Listing, ReadBefore, ReadOnce } from '../shared/listing.ts';
import type { PageOutcome } from '../shared/pageChanges.ts';
import { PagedList, type PageRead, type PutOutcome } from '../shared/pagedList.ts';
import { SharedReads } from '../../base/sharedFlights.ts';
import { StampedItems } from '../shared/stampedItems.ts';

const ownerAndName = /^(~[^/\s]+)\/([^/\s]+)$/;

/** Reads `~owner/name`. */
export function repositoryRefOf(text: string): RepositoryRef | undefined {
	const [, owner, name] = ownerAndName.exec(text) ?? [];
	return owner === undefined || name === undefined ? undefined : { owner, name };
}

export interface RepositoryShelfParts {
	readonly api: Pick<RepositoryApi, 'repositories' | 'repository'>;
	/** `~name` of the account. */
	readonly me: OwnerName;
	/** Others' repositories that the account follows, each `~owner/name`. */
	readonly followed: KeptNames;
	/** Where they outlive the window; absent where they are not to. */
	readonly disk: KeptRepositories | undefined;
	/** Takes in what was read. */
	readonly arrived: (reading: RepositoryReading) => void;
}

/** What taking in a repository made of what is known: `new` where nothing was, and it came to no list either. */
export type KeepOutcome = PutOutcome | 'new';

/** What is known of one account's repositories themselves, and which of others' it follows. */
export class RepositoryShelf {
	readonly #parts: RepositoryShelfParts;
	/** Others' repositories. */
	readonly followed: FollowedRefs;
	readonly #own: PagedList<Repository>;
	readonly #others = new StampedItems<Repository>();
	/** What was taken from the disk; it counts as long as nothing newer is known. */
	readonly #old = new StampedItems<ReadBefore & ReadOnce<Repository>>();
	readonly #reads = new SharedReads<Repository>();

	constructor(parts: RepositoryShelfParts) {
		this.#parts = parts;
		// docs/protocol.md#repository-names
		this.followed = followedRefs({ names: parts.followed, me: parts.me, refOf: repositoryRefOf, doesCaseCount: true });
		this.#own = new PagedList({
			open: (signal) => parts.api.repositories(undefined, signal),
			idOf: ({ name }) => name,
			compare: (a, b) => a.name.localeCompare(b.name, 'en') || (a.name < b.name ? -1 : 1),
			disk: parts.disk?.own,
			arrived: (page) => parts.arrived({ kind: 'ownRepositoriesRead', page }),
		});
	}

	isMine(ref: RepositoryRef): boolean {
		return ref.owner === this.#parts.me;
	}

	/** One's own, by name. */
	own(signal: AbortSignal): Promise<Listing<Repository>> {
		return this.#own.first(signal);
	}

	moreOwn(signal: AbortSignal): Promise<Listing<Repository>> {
		return this.#own.more(signal);
	}

	/** Takes in a page of one's own. */
	takeOwn(page: PageRead<Repository>): PageOutcome<Repository> {
		return this.#own.take(page, ({ name }) => {
			const known = this.known(this.ownRef(name));
			return known && [known, this.before(this.ownRef(name))];
		});
	}

	/** One's own repository of this name. */
	ownRef(name: string): RepositoryRef {
		return { owner: this.#parts.me, name };
	}

	/** Of when one's own are, where they are shown as another window read them. */
	ownBefore(): ReadBefore | undefined {
		return this.#own.before();
	}

	/** The same of one repository, whosever it is. */
	before(ref: RepositoryRef): ReadBefore | undefined {
		if (this.#here(ref)) {
			return this.isMine(ref) ? this.#own.itemBefore(ref.name) : undefined;
		}
		return this.#old.item(repositoryRefText(ref));
	}

	known(ref: RepositoryRef): Repository | undefined {
		return this.#here(ref) ?? this.#old.item(repositoryRefText(ref))?.value;
	}

	/** What a list or an answer brought. */
	#here(ref: RepositoryRef): Repository | undefined {
		return this.isMine(ref) ? this.#own.item(ref.name) : this.#others.item(repositoryRefText(ref));
	}

	/** A repository as known, which is asked for when nothing is, or when that is of another window. */
	async one(ref: RepositoryRef, signal: AbortSignal): Promise<Repository> {
		const known = this.known(ref);
		if (known && !this.before(ref)) {
			return known;
		}
		try {
			return await this.read(ref, signal);
		} catch (error) {
			const old = isAway(error) ? await this.#takeOld(ref, error) : undefined;
			if (!old) {
				throw error;
			}
			return old;
		}
	}

	/** What is on the disk stands in while the forge is away. */
	async #takeOld(ref: RepositoryRef, error: unknown): Promise<Repository | undefined> {
		const stamp = this.#own.tick();
		const kept = this.known(ref) ? undefined : await this.#parts.disk?.repository(ref);
		if (kept) {
			this.#old.keep(repositoryRefText(ref), { ...kept, error }, stamp);
		}
		return this.known(ref);
	}

	/** Asks the forge, whatever is known. */
	read(ref: RepositoryRef, signal: AbortSignal): Promise<Repository> {
		const read = async (shared: AbortSignal): Promise<Repository> => {
			const stamp = this.#own.tick();
			try {
				const repository = await this.#parts.api.repository(ref, shared);
				this.#parts.arrived({ kind: 'repositoryRead', ref, repository, stamp });
				return this.#here(ref) ?? repository;
			} catch (error) {
				if (isRefused(error)) {
					this.#parts.disk?.drop(ref);
				}
				throw error;
			}
		};
		return this.#reads.read(repositoryRefText(ref), read, signal);
	}

	/** `stamp` tells when its request began; now, if it is left out. */
	keep(ref: RepositoryRef, repository: Repository, stamp: number = this.#own.tick()): KeepOutcome {
		const isKnown = this.known(ref) !== undefined;
		const outcome = this.isMine(ref) ? this.#keepOwn(repository, stamp) : this.#keepOther(ref, repository, stamp);
		const here = this.#here(ref) ?? this.#here({ ...ref, name: repository.name });
		if (!here) {
			return 'same'; // It is gone since.
		}
		const wasOld = this.#old.remove(repositoryRefText(ref), this.#own.tick());
		this.#parts.disk?.keepRepository(ref, here);
		if (outcome === 'changed' && !isKnown) {
			return 'new';
		}
		return wasOld && outcome === 'same' ? 'changed' : outcome;
	}

	#keepOwn(repository: Repository, stamp: number): PutOutcome {
		const outcome = this.#own.put(repository, stamp);
		this.#own.store();
		return outcome;
	}

	#keepOther(ref: RepositoryRef, repository: Repository, stamp: number): PutOutcome {
		return this.#others.keep(repositoryRefText(ref), repository, stamp) === 'changed' ? 'changed' : 'same';
	}

	/**
	 * Takes out one that is gone, or has another name now, whatever a reading says that began before. True when it was known.
	 */
	remove(ref: RepositoryRef): boolean {
		const stamp = this.#own.tick();
		const wasOther = this.#others.remove(repositoryRefText(ref), stamp);
		const wasOld = this.#old.remove(repositoryRefText(ref), stamp);
		const wasOwn = this.isMine(ref) && this.#own.remove(ref.name, stamp);
		if (wasOwn) {
			this.#own.store();
		}
		this.#parts.disk?.drop(ref);
		return wasOther || wasOld || wasOwn;
	}

	/** A follow goes along with the repository's new name. */
	rename(from: RepositoryRef, to: RepositoryRef): void {
		// What cannot be kept is looked for under its old name the next time.
		this.followed.rename(from, to).catch(() => undefined);
	}

	forget(): void {
		this.#own.reset();
		this.#others.clear();
		this.#old.clear();
	}

	dispose(): void {
		this.#own.close();
		this.forget();
		this.#reads.abortAll();
	}
}
