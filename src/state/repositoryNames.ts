import type { Disposable } from '../base/lifecycle.ts';
import type { RepositoryApi } from '../forge/forge.ts';
import { isForgeError, type Problem } from '../forge/forgeError.ts';
import type { Pages } from '../forge/page.ts';
import { repositoryRefText, type Commit, type Reference, type RepositoryRef } from '../forge/repository.ts';
import { PagedList } from './pagedList.ts';
import { headRevision } from './repositoryReferences.ts';
import { SharedReads } from './sharedRead.ts';

type NamesApi = Pick<RepositoryApi, 'references' | 'log' | 'defaultBranch'>;

/** The branch that a repository shows first. */
export interface DefaultBranch {
	/** Without `refs/heads/`. */
	readonly name: string;
	/** False when the server does not tell, and the name is only the usual one. */
	readonly isCertain: boolean;
}

/**
 * What the names of one repository lead to, as long as nobody says that they moved. Forgetting makes a new one of
 * these, so an answer that was under way meanwhile is kept by the old one and shown to nobody later.
 */
export class NamesOfRepository implements Disposable {
	readonly references: PagedList<Reference>;
	readonly branchReads = new SharedReads<string>();
	readonly #logs = new Map<string, PagedList<Commit>>();
	readonly #openLog: (revision: string, signal: AbortSignal) => Pages<Commit>;
	/** Short name of the default branch, once the server told it. */
	defaultBranch: string | undefined;
	/** The server has said that it does not tell. */
	isBranchUntold = false;

	constructor(
		openReferences: (signal: AbortSignal) => Pages<Reference>,
		openLog: (revision: string, signal: AbortSignal) => Pages<Commit>,
	) {
		this.references = new PagedList({
			open: openReferences,
			idOf: ({ name }) => name,
			compare: (a, b) => (a.name < b.name ? -1 : Number(a.name > b.name)),
		});
		this.#openLog = openLog;
	}

	/** Commits from a revision on, in the order in which the server sends them. */
	log(revision: string): PagedList<Commit> {
		const known = this.#logs.get(revision);
		if (known) {
			return known;
		}
		const places = new Map<string, number>();
		const placeOf = ({ id }: Commit): number => {
			const place = places.get(id) ?? places.size;
			places.set(id, place);
			return place;
		};
		const made = new PagedList<Commit>({
			open: (signal) => seen(this.#openLog(revision, signal), placeOf),
			idOf: ({ id }) => id,
			compare: (a, b) => placeOf(a) - placeOf(b),
		});
		this.#logs.set(revision, made);
		return made;
	}

	dispose(): void {
		for (const list of [this.references, ...this.#logs.values()]) {
			list.close();
		}
		this.branchReads.abortAll();
	}
}

/** The names of all repositories of one account. */
export class RepositoryNames implements Disposable {
	readonly #api: NamesApi;
	readonly #arrived: (ref: RepositoryRef, commits: readonly Commit[]) => void;
	readonly #names = new Map<string, NamesOfRepository>();

	/** `arrived` hears of every commit that comes by. */
	constructor(api: NamesApi, arrived: (ref: RepositoryRef, commits: readonly Commit[]) => void) {
		this.#api = api;
		this.#arrived = arrived;
	}

	of(ref: RepositoryRef): NamesOfRepository {
		const key = repositoryRefText(ref);
		const known = this.#names.get(key);
		if (known) {
			return known;
		}
		const made = new NamesOfRepository(
			(signal) => this.#api.references(ref, signal),
			(revision, signal) => this.openLog(ref, revision, signal),
		);
		this.#names.set(key, made);
		return made;
	}

	/** `undefined` for a repository without branches. */
	async defaultBranch(ref: RepositoryRef, signal: AbortSignal): Promise<DefaultBranch | undefined> {
		const name = await this.#toldBranch(ref, signal);
		if (name !== undefined) {
			return { name, isCertain: true };
		}
		const { items } = await this.of(ref).references.first(signal);
		const usual = ['main', 'master'].find((each) => items.some((known) => known.name === `refs/heads/${each}`));
		return usual === undefined ? undefined : { name: usual, isCertain: false };
	}

	/** Starts a log at its first page. */
	async *openLog(ref: RepositoryRef, revision: string, signal: AbortSignal): Pages<Commit> {
		const from = revision === headRevision ? undefined : revision;
		for await (const page of this.#api.log(ref, from, signal)) {
			this.#arrived(ref, page.items);
			yield page;
		}
	}

	/** Of all repositories or of one. Whoever waits for an answer still gets it; the next one asks again. */
	forget(ref?: RepositoryRef): void {
		if (ref) {
			this.#names.delete(repositoryRefText(ref));
		} else {
			this.#names.clear();
		}
	}

	dispose(): void {
		for (const names of this.#names.values()) {
			names.dispose();
		}
		this.#names.clear();
	}

	/** Short name of the default branch; `undefined` where the server has no way to tell, which is asked for once. */
	async #toldBranch(ref: RepositoryRef, signal: AbortSignal): Promise<string | undefined> {
		const names = this.of(ref);
		const ask = this.#api.defaultBranch?.bind(this.#api);
		if (!ask || names.isBranchUntold) {
			return undefined;
		}
		try {
			names.defaultBranch ??= await names.branchReads.read('HEAD', (shared) => ask(ref, shared), signal);
		} catch (error) {
			const kind = isForgeError(error) ? error.problem.kind : undefined;
			if (kind === undefined || !untold.has(kind)) {
				throw error;
			}
			names.isBranchUntold = !passing.has(kind);
		}
		return names.defaultBranch;
	}
}

/** A server that cannot say which branch comes first is no reason to show none. */
const untold: ReadonlySet<Problem['kind']> = new Set([
	'notFound',
	'notAllowed',
	'serverError',
	'notUnderstood',
	'notOffered',
	'invalid',
	'missingScope',
]);
/** What may be otherwise the next time. */
const passing: ReadonlySet<Problem['kind']> = new Set(['notAllowed', 'serverError', 'missingScope']);

/** Lets every item find its place before anybody compares it. */
async function* seen<T>(pages: Pages<T>, placeOf: (item: T) => number): Pages<T> {
	for await (const page of pages) {
		page.items.forEach(placeOf);
		yield page;
	}
}
