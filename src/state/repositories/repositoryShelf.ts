import type { RepositoryApi } from '../../forge/forge.ts';
import { isAway, isRefused } from '../../forge/isAway.ts';
import { repositoryRefText, type Repository, type RepositoryRef } from '../../forge/repository.ts';
import type { OwnerName } from '../../forge/user.ts';
import type { KeptNames } from '../shared/keptNames.ts';
import type { KeptRepositories } from './keptRepositories.ts';
import type { Listing, ReadBefore, ReadOnce } from '../shared/listing.ts';
import { PagedList } from '../shared/pagedList.ts';
import { SharedReads } from '../../base/sharedFlights.ts';

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
}

/** What is known of one account's repositories themselves, and which of others' it follows. */
export class RepositoryShelf {
	readonly #parts: RepositoryShelfParts;
	readonly #own: PagedList<Repository>;
	readonly #others = new Map<string, Repository>();
	/** What was taken from the disk; it counts as long as nothing newer is known. */
	readonly #old = new Map<string, ReadBefore & ReadOnce<Repository>>();
	readonly #reads = new SharedReads<Repository>();

	constructor(parts: RepositoryShelfParts) {
		this.#parts = parts;
		this.#own = new PagedList({
			open: (signal) => parts.api.repositories(undefined, signal),
			idOf: ({ name }) => name,
			compare: (a, b) => a.name.localeCompare(b.name, 'en') || (a.name < b.name ? -1 : 1),
			disk: parts.disk?.own,
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

	/** Of when one's own are, where they are shown as another window read them. */
	ownBefore(): ReadBefore | undefined {
		return this.#own.before();
	}

	/** The same of one repository, whosever it is. */
	before(ref: RepositoryRef): ReadBefore | undefined {
		if (this.#here(ref)) {
			return this.isMine(ref) ? this.#own.itemBefore(ref.name) : undefined;
		}
		return this.#old.get(repositoryRefText(ref));
	}

	followed(): readonly RepositoryRef[] {
		return this.#parts.followed
			.all()
			.map(repositoryRefOf)
			.filter((ref) => ref !== undefined);
	}

	/** Answers whether anything is followed that was not before. */
	async follow(ref: RepositoryRef): Promise<boolean> {
		const names = this.#parts.followed.all();
		if (this.isMine(ref) || names.includes(repositoryRefText(ref))) {
			return false;
		}
		await this.#parts.followed.keep([...names, repositoryRefText(ref)]);
		return true;
	}

	async unfollow(ref: RepositoryRef): Promise<void> {
		const unwanted = repositoryRefText(ref);
		await this.#parts.followed.keep(this.#parts.followed.all().filter((name) => name !== unwanted));
	}

	known(ref: RepositoryRef): Repository | undefined {
		return this.#here(ref) ?? this.#old.get(repositoryRefText(ref))?.value;
	}

	/** What a list or an answer brought. */
	#here(ref: RepositoryRef): Repository | undefined {
		return this.isMine(ref) ? this.#own.item(ref.name) : this.#others.get(repositoryRefText(ref));
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
		const kept = this.known(ref) ? undefined : await this.#parts.disk?.repository(ref);
		if (kept) {
			this.#old.set(repositoryRefText(ref), { ...kept, error });
		}
		return this.known(ref);
	}

	/** Asks the forge, whatever is known. */
	read(ref: RepositoryRef, signal: AbortSignal): Promise<Repository> {
		const read = async (shared: AbortSignal): Promise<Repository> => {
			try {
				const repository = await this.#parts.api.repository(ref, shared);
				this.keep(ref, repository);
				return repository;
			} catch (error) {
				if (isRefused(error)) {
					this.#parts.disk?.drop(ref);
				}
				throw error;
			}
		};
		return this.#reads.read(repositoryRefText(ref), read, signal);
	}

	keep(ref: RepositoryRef, repository: Repository): void {
		if (this.isMine(ref)) {
			this.#own.put(repository);
			this.#own.store();
		} else {
			this.#others.set(repositoryRefText(ref), repository);
		}
		this.#old.delete(repositoryRefText(ref));
		this.#parts.disk?.keepRepository(ref, repository);
	}

	/** Takes out one that is gone, or has another name now. */
	remove(ref: RepositoryRef): void {
		this.#others.delete(repositoryRefText(ref));
		this.#old.delete(repositoryRefText(ref));
		if (this.isMine(ref)) {
			this.#own.remove(ref.name);
			this.#own.store();
		}
		this.#parts.disk?.drop(ref);
	}

	/** A follow goes along with the repository's new name, at its place among the others. */
	rename(from: RepositoryRef, to: RepositoryRef): void {
		const names = this.#parts.followed.all();
		const old = repositoryRefText(from);
		if (names.includes(old)) {
			const renamed = names.map((name) => (name === old ? repositoryRefText(to) : name));
			// What cannot be kept is looked for under its old name the next time.
			this.#parts.followed.keep(Array.from(new Set(renamed))).catch(() => undefined);
		}
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
