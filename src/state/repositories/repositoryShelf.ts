import { isAbort } from '../../base/abort.ts';
import type { RepositoryApi } from '../../forge/forge.ts';
import { isAway, isRefused } from '../../forge/isAway.ts';
import { refText } from '../../forge/namedRef.ts';
import type { Repository, RepositoryRef } from '../../forge/repository.ts';
import type { OwnerName } from '../../forge/user.ts';
import type { FollowedRefs } from '../shared/followedRefs.ts';
import type { KeptNames } from '../shared/keptNames.ts';
import type { KeptRepositories } from './keptRepositories.ts';
import type { RepositoryReading } from './repositoryChange.ts';
import type { Listing, ReadBefore, ReadOnce } from '../shared/listing.ts';
import type { PageOutcome } from '../shared/pageChanges.ts';
import { OwnedShelf, type KeepOutcome } from '../shared/ownedShelf.ts';
import type { PageRead } from '../shared/pageRead.ts';
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

/** What is known of one account's repositories themselves, and which of others' it follows. */
export class RepositoryShelf {
	readonly #parts: RepositoryShelfParts;
	readonly #repositories: OwnedShelf<Repository>;
	/** What was taken from the disk; it counts as long as nothing newer is known. */
	readonly #old = new StampedItems<ReadBefore & ReadOnce<Repository>>();

	constructor(parts: RepositoryShelfParts) {
		this.#parts = parts;
		// docs/protocol.md#repository-names
		this.#repositories = new OwnedShelf({
			me: parts.me,
			followed: parts.followed,
			refOf: repositoryRefOf,
			doesCaseCount: true,
			openOwn: (signal) => parts.api.repositories(undefined, signal),
			ask: (ref, signal) => this.#ask(ref, signal),
			disk: parts.disk?.own,
			ownArrived: (page) => parts.arrived({ kind: 'ownRepositoriesRead', page }),
			arrived: (ref, repository, stamp) => parts.arrived({ kind: 'repositoryRead', ref, repository, stamp }),
		});
	}

	/** Others' repositories. */
	get followed(): FollowedRefs {
		return this.#repositories.followed;
	}

	isMine(ref: RepositoryRef): boolean {
		return this.#repositories.isMine(ref);
	}

	/** One's own, by name. */
	own(signal: AbortSignal): Promise<Listing<Repository>> {
		return this.#repositories.own.first(signal);
	}

	ownAtOnce(signal: AbortSignal): Promise<Listing<Repository>> {
		return this.#repositories.own.atOnce(signal);
	}

	/** Asks for all of one's own again, whatever is known. What is not among them any more is gone. */
	renewOwn(asks: () => void, signal: AbortSignal): Promise<Listing<Repository>> {
		return this.#repositories.own.renewAll(asks, signal);
	}

	knownOwn(): Listing<Repository> | undefined {
		return this.#repositories.own.known();
	}

	moreOwn(signal: AbortSignal): Promise<Listing<Repository>> {
		return this.#repositories.own.more(signal);
	}

	/** Takes in a page of one's own. */
	takeOwn(page: PageRead<Repository>): PageOutcome<Repository> {
		return this.#repositories.own.take(page, ({ name }) => {
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
		return this.#repositories.own.before();
	}

	/** The same of one repository, whosever it is. */
	before(ref: RepositoryRef): ReadBefore | undefined {
		if (this.#repositories.known(ref)) {
			return this.isMine(ref) ? this.#repositories.own.itemBefore(ref.name) : undefined;
		}
		return this.#old.item(refText(ref));
	}

	known(ref: RepositoryRef): Repository | undefined {
		return this.#repositories.known(ref) ?? this.#old.item(refText(ref))?.value;
	}

	/** What the one with this id is called, among those that are known. */
	refOfRid(rid: string): RepositoryRef | undefined {
		return this.#repositories.refOfRid(rid);
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
			const old = isAway(error) ? await this.#takeOld(ref, error) : this.#dropOld(ref, error);
			if (!old) {
				throw error;
			}
			return old;
		}
	}

	/** What is on the disk stands in while the forge is away. */
	async #takeOld(ref: RepositoryRef, error: unknown): Promise<Repository | undefined> {
		const stamp = this.#repositories.own.tick();
		const recalled = this.#repositories.known(ref) ? undefined : this.#old.item(refText(ref));
		const kept = recalled ?? (this.known(ref) ? undefined : await this.#parts.disk?.repository(ref));
		if (kept) {
			this.#old.keep(refText(ref), { ...kept, error }, stamp);
		}
		return this.known(ref);
	}

	/** What the forge was not away for is not shown any longer as it was. */
	#dropOld(ref: RepositoryRef, error: unknown): undefined {
		if (!isAbort(error)) {
			this.#old.remove(refText(ref), this.#repositories.own.tick());
		}
	}

	/** Takes in what an earlier window read, where nothing is known; whoever shows it asks next. */
	async recall(ref: RepositoryRef): Promise<void> {
		const stamp = this.#repositories.own.tick();
		const kept = this.known(ref) ? undefined : await this.#parts.disk?.repository(ref);
		if (kept && !this.known(ref)) {
			this.#old.keep(refText(ref), { ...kept, error: undefined }, stamp);
		}
	}

	/** Asks the forge, whatever is known. */
	read(ref: RepositoryRef, signal: AbortSignal): Promise<Repository> {
		return this.#repositories.read(ref, signal);
	}

	async #ask(ref: RepositoryRef, signal: AbortSignal): Promise<Repository> {
		try {
			return await this.#parts.api.repository(ref, signal);
		} catch (error) {
			if (isRefused(error)) {
				this.#parts.disk?.drop(ref);
			}
			throw error;
		}
	}

	/** `stamp` tells when its request began; now, if it is left out. */
	keep(ref: RepositoryRef, repository: Repository, stamp?: number): KeepOutcome {
		const isKnown = this.known(ref) !== undefined;
		const outcome = this.#repositories.keep(ref, repository, stamp);
		const here = this.#repositories.known(ref) ?? this.#repositories.known({ ...ref, name: repository.name });
		if (!here) {
			return 'same'; // It is gone since.
		}
		const wasOld = this.#old.remove(refText(ref), this.#repositories.own.tick());
		this.#storeOwn(ref);
		this.#parts.disk?.keepRepository(ref, here);
		return isKnown && (outcome === 'new' || (wasOld && outcome === 'same')) ? 'changed' : outcome;
	}

	/**
	 * Takes out one that is gone, or has another name now, whatever a reading says that began before. True when it was known.
	 */
	remove(ref: RepositoryRef): boolean {
		const wasHere = this.#repositories.remove(ref);
		const wasOld = this.#old.remove(refText(ref), this.#repositories.own.tick());
		if (wasHere) {
			this.#storeOwn(ref);
		}
		this.#parts.disk?.drop(ref);
		return wasHere || wasOld;
	}

	#storeOwn(ref: RepositoryRef): void {
		if (this.isMine(ref)) {
			this.#repositories.own.store();
		}
	}

	/** A follow goes along with the repository's new name. */
	rename(from: RepositoryRef, to: RepositoryRef): void {
		// What cannot be kept is looked for under its old name the next time.
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
