import { isAbort } from '@forge-desk/base/abort.ts';
import { isAway, isRefused } from 'sourcehut/port/isAway.ts';
import { refText } from 'sourcehut/port/namedRef.ts';
import type { Repository, RepositoryRef } from 'sourcehut/port/repository.ts';
import type { FollowedRefs } from '../shared/followedRefs.ts';
import type { RepositoryReading } from './repositoryChange.ts';
import type { ReadBefore, ReadOnce } from '../shared/listing.ts';
import type { PageOutcome } from '../shared/pageChanges.ts';
import { OwnedShelf, type KeepOutcome } from '../shared/ownedShelf.ts';
import type { PagedList } from '../shared/pagedList.ts';
import type { PageRead } from '../shared/pageRead.ts';
import type { RepositorySources } from './repositorySources.ts';
import { StampedItems } from '../shared/stampedItems.ts';

const ownerAndName = /^(~[^/\s]+)\/([^/\s]+)$/;

/** Parses `~owner/name`. */
export function repositoryRefOf(text: string): RepositoryRef | undefined {
	const [, owner, name] = ownerAndName.exec(text) ?? [];
	return owner === undefined || name === undefined ? undefined : { owner, name };
}

/** Cached metadata of own, followed and other repositories. */
export class RepositoryMetadata {
	/** Own repositories, sorted by name. */
	readonly own: PagedList<Repository>;
	/** Followed repositories of other owners, in the order of their addition. */
	readonly followed: FollowedRefs;
	readonly #sources: RepositorySources;
	readonly #repositories: OwnedShelf<Repository>;
	/** Repositories from the disk cache, until a newer reading replaces them. */
	readonly #old = new StampedItems<ReadBefore & ReadOnce<Repository>>();

	/** `arrived`: called with each reading; apply it to the store. */
	constructor(sources: RepositorySources, arrived: (reading: RepositoryReading) => void) {
		this.#sources = sources;
		// docs/protocol.md#repository-names
		this.#repositories = new OwnedShelf({
			me: sources.me,
			followed: sources.followed,
			refOf: repositoryRefOf,
			doesCaseCount: true,
			openOwn: (signal) => sources.api.repositories(undefined, signal),
			ask: (ref, signal) => this.#ask(ref, signal),
			disk: sources.disk?.own,
			ownArrived: (page) => arrived({ kind: 'ownRepositoriesRead', page }),
			arrived: (ref, repository, stamp) => arrived({ kind: 'repositoryRead', ref, repository, stamp }),
		});
		this.own = this.#repositories.own;
		this.followed = this.#repositories.followed;
	}

	/** Applies a page of own repositories. */
	takeOwn(page: PageRead<Repository>): PageOutcome<Repository> {
		return this.own.take(page, ({ name }) => {
			const known = this.known(this.ownRef(name));
			return known && [known, this.before(this.ownRef(name))];
		});
	}

	ownRef(name: string): RepositoryRef {
		return { owner: this.#sources.me, name };
	}

	/** Age of a cached repository; `undefined` for fresh data. */
	before(ref: RepositoryRef): ReadBefore | undefined {
		if (this.#repositories.known(ref)) {
			return this.#repositories.isMine(ref) ? this.own.itemBefore(ref.name) : undefined;
		}
		return this.#old.item(refText(ref));
	}

	/** No request. */
	known(ref: RepositoryRef): Repository | undefined {
		return this.#repositories.known(ref) ?? this.#old.item(refText(ref))?.value;
	}

	/** Name of the repository with this resource id, if known. */
	refOfRid(rid: string): RepositoryRef | undefined {
		return this.#repositories.refOfRid(rid);
	}

	/** Asks the forge unless fresh data is known. */
	async get(ref: RepositoryRef, signal: AbortSignal): Promise<Repository> {
		const known = this.known(ref);
		if (known && !this.before(ref)) {
			return known;
		}
		try {
			return await this.renew(ref, signal);
		} catch (error) {
			const old = isAway(error) ? await this.#takeOld(ref, error) : this.#dropOld(ref, error);
			if (!old) {
				throw error;
			}
			return old;
		}
	}

	/** Falls back to the disk cache while the forge is unreachable. */
	async #takeOld(ref: RepositoryRef, error: unknown): Promise<Repository | undefined> {
		const stamp = this.own.tick();
		const recalled = this.#repositories.known(ref) ? undefined : this.#old.item(refText(ref));
		const kept = recalled ?? (this.known(ref) ? undefined : await this.#sources.disk?.repository(ref));
		if (kept) {
			this.#old.keep(refText(ref), { ...kept, error }, stamp);
		}
		return this.known(ref);
	}

	/** The forge answered with an error, so the cached repository is out of date. */
	#dropOld(ref: RepositoryRef, error: unknown): undefined {
		if (!isAbort(error)) {
			this.#old.remove(refText(ref), this.own.tick());
		}
	}

	/** Loads from the disk cache unless known; the view refreshes next. */
	async recall(ref: RepositoryRef): Promise<void> {
		const stamp = this.own.tick();
		const kept = this.known(ref) ? undefined : await this.#sources.disk?.repository(ref);
		if (kept && !this.known(ref)) {
			this.#old.keep(refText(ref), { ...kept, error: undefined }, stamp);
		}
	}

	/** Always asks the forge. */
	renew(ref: RepositoryRef, signal: AbortSignal): Promise<Repository> {
		return this.#repositories.read(ref, signal);
	}

	async #ask(ref: RepositoryRef, signal: AbortSignal): Promise<Repository> {
		try {
			return await this.#sources.api.repository(ref, signal);
		} catch (error) {
			if (isRefused(error)) {
				this.#sources.disk?.drop(ref);
			}
			throw error;
		}
	}

	/** `stamp`: when the request began; default now. */
	keep(ref: RepositoryRef, repository: Repository, stamp?: number): KeepOutcome {
		const isKnown = this.known(ref) !== undefined;
		const outcome = this.#repositories.keep(ref, repository, stamp);
		const here = this.#repositories.known(ref) ?? this.#repositories.known({ ...ref, name: repository.name });
		if (!here) {
			return 'same'; // Removed since the request began.
		}
		const wasOld = this.#old.remove(refText(ref), this.own.tick());
		this.#storeOwn(ref);
		this.#sources.disk?.keepRepository(ref, here);
		return isKnown && (outcome === 'new' || (wasOld && outcome === 'same')) ? 'changed' : outcome;
	}

	/**
	 * Removes a deleted or renamed repository; readings that began earlier cannot bring it back. True when it was
	 * known.
	 */
	remove(ref: RepositoryRef): boolean {
		const wasHere = this.#repositories.remove(ref);
		const wasOld = this.#old.remove(refText(ref), this.own.tick());
		if (wasHere) {
			this.#storeOwn(ref);
		}
		this.#sources.disk?.drop(ref);
		return wasHere || wasOld;
	}

	#storeOwn(ref: RepositoryRef): void {
		if (this.#repositories.isMine(ref)) {
			this.own.store();
		}
	}

	/** Moves the follow to the new name. */
	rename(from: RepositoryRef, to: RepositoryRef): void {
		// If this fails, the follow keeps the old name.
		this.followed.rename(from, to).catch(() => undefined);
	}

	forget(): void {
		this.#repositories.forget();
		this.#old.clear();
	}

	dispose(): void {
		this.#repositories.close();
		this.forget();
	}
}
