import type { RepositoryApi } from '../forge/forge.ts';
import { repositoryRefText, type Repository, type RepositoryRef } from '../forge/repository.ts';
import type { OwnerName } from '../forge/user.ts';
import type { KeptNames } from './keptNames.ts';
import type { Listing } from './listing.ts';
import { PagedList } from './pagedList.ts';
import { SharedReads } from './sharedRead.ts';

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
}

/** What is known of one account's repositories themselves, and which of others' it follows. */
export class RepositoryShelf {
	readonly #parts: RepositoryShelfParts;
	readonly #own: PagedList<Repository>;
	readonly #others = new Map<string, Repository>();
	readonly #reads = new SharedReads<Repository>();

	constructor(parts: RepositoryShelfParts) {
		this.#parts = parts;
		this.#own = new PagedList({
			open: (signal) => parts.api.repositories(undefined, signal),
			idOf: ({ name }) => name,
			compare: (a, b) => a.name.localeCompare(b.name, 'en') || (a.name < b.name ? -1 : 1),
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
		return this.isMine(ref) ? this.#own.item(ref.name) : this.#others.get(repositoryRefText(ref));
	}

	/** Asks the forge, whatever is known. */
	read(ref: RepositoryRef, signal: AbortSignal): Promise<Repository> {
		const read = async (shared: AbortSignal): Promise<Repository> => {
			const repository = await this.#parts.api.repository(ref, shared);
			this.keep(ref, repository);
			return repository;
		};
		return this.#reads.read(repositoryRefText(ref), read, signal);
	}

	keep(ref: RepositoryRef, repository: Repository): void {
		if (this.isMine(ref)) {
			this.#own.put(repository);
		} else {
			this.#others.set(repositoryRefText(ref), repository);
		}
	}

	/** Takes out one that is gone, or has another name now. */
	remove(ref: RepositoryRef): void {
		this.#others.delete(repositoryRefText(ref));
		if (this.isMine(ref)) {
			this.#own.remove(ref.name);
		}
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
	}

	dispose(): void {
		this.#own.close();
		this.forget();
		this.#reads.abortAll();
	}
}
