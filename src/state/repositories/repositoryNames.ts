import type { Disposable } from '../../base/lifecycle.ts';
import type { RepositoryApi } from '../../forge/forge.ts';
import { isForgeError, type Problem } from '../../forge/forgeError.ts';
import { isAway } from '../../forge/isAway.ts';
import type { Pages } from '../../forge/page.ts';
import { refText } from '../../forge/namedRef.ts';
import type { Commit, Reference, RepositoryRef } from '../../forge/repository.ts';
import type { KeptRepositories, ToldBranch } from './keptRepositories.ts';
import { recalling, seen } from './passedItems.ts';
import { isBeingRead, type KeptListing, type Listing, type ReadBefore } from '../shared/listing.ts';
import type { PageOutcome } from '../shared/pageChanges.ts';
import { PagedList } from '../shared/pagedList.ts';
import type { PageRead } from '../shared/pageRead.ts';
import type { NamesRead } from './repositoryChange.ts';
import { headRevision, insteadOfHead, shortName, usualBranch } from './repositoryReferences.ts';
import { SharedReads } from '../../base/sharedFlights.ts';

type NamesApi = Pick<RepositoryApi, 'references' | 'log' | 'defaultBranch'>;

/** The branch that a repository shows first. */
export interface DefaultBranch {
	/** Without `refs/heads/`. */
	readonly name: string;
	/** False when the server does not tell, and the name is only the usual one. */
	readonly isCertain: boolean;
	/** The server says that `HEAD` leads nowhere. */
	readonly isHeadNowhere?: true;
}

/** Where the names of one repository come from. */
interface NamesSource {
	readonly ref: RepositoryRef;
	readonly openReferences: (signal: AbortSignal) => Pages<Reference>;
	readonly openLog: (revision: string, signal: AbortSignal) => Pages<Commit>;
	/** Hears of commits that are shown as another window read them. */
	readonly recalled: (commits: readonly Commit[]) => void;
	readonly diskReferences: KeptListing<Reference> | undefined;
	readonly diskLog: (revision: string) => KeptListing<Commit> | undefined;
	readonly arrived: (reading: NamesRead) => void;
}

/** What the names of repositories are read with. */
export interface RepositoryNamesParts {
	readonly api: NamesApi;
	/** Hears of every commit that comes by. */
	readonly passing: (ref: RepositoryRef, commits: readonly Commit[]) => void;
	/** Where names outlive the window; absent where they are not to. */
	readonly disk: KeptRepositories | undefined;
	/** Takes in what was read, by `take` of the names. */
	readonly arrived: (reading: NamesRead) => void;
}

/**
 * What the names of one repository lead to, as long as nobody says that they moved. Forgetting makes a new one of
 * these, so an answer that was under way meanwhile is kept by the old one and shown to nobody later.
 */
export class NamesOfRepository implements Disposable {
	readonly ref: RepositoryRef;
	readonly references: PagedList<Reference>;
	readonly branchReads = new SharedReads<string | undefined>();
	readonly #logs = new Map<string, PagedList<Commit>>();
	readonly #source: NamesSource;
	/** Short name of the default branch, once the server told it. */
	defaultBranch: string | undefined;
	/** The server has said that it does not tell. */
	isBranchUntold = false;
	isHeadNowhere = false;
	/** What it told another window, while it is away. */
	branchBefore: (ReadBefore & ToldBranch) | undefined;

	constructor(source: NamesSource) {
		this.#source = source;
		this.ref = source.ref;
		this.references = new PagedList({
			open: source.openReferences,
			idOf: ({ name }) => name,
			compare: (a, b) => (a.name < b.name ? -1 : Number(a.name > b.name)),
			disk: source.diskReferences,
			arrived: (page) => source.arrived({ kind: 'referencesRead', ref: source.ref, page }),
		});
	}

	/**
	 * Takes in what was read, and answers whether something is different that was known: `moved` where that was of another
	 * window.
	 */
	take(reading: NamesRead): 'moved' | 'more' | undefined {
		switch (reading.kind) {
			case 'referencesRead':
				return this.#takeReferences(reading.page);
			case 'logRead':
				return takeLog(this.log(reading.revision), reading.page);
		}
	}

	#takeReferences(page: PageRead<Reference>): 'moved' | 'more' | undefined {
		const wasKnown = page.place !== 'before' && this.references.known() !== undefined;
		const before = this.referencesBefore();
		const was = isBeingRead(before) ? this.references.known() : undefined;
		const isOther = isDifferent(this.references.take(page));
		if (wasKnown) {
			// The forge answers again, and is asked for its default branch, too.
			this.branchBefore = undefined;
		}
		if (wasKnown && before) {
			const now = this.references.known();
			return was && now && !haveMoved(was, now) ? 'more' : 'moved';
		}
		return isOther ? 'more' : undefined;
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
		const see = (commits: readonly Commit[]): void => {
			// What is read anew takes the place of what another window read, and has an order of its own.
			if (made.before()) {
				places.clear();
			}
			commits.forEach(placeOf);
		};
		const recall = (commits: readonly Commit[]): void => {
			see(commits);
			this.#source.recalled(commits);
		};
		const disk = this.#source.diskLog(revision);
		const made: PagedList<Commit> = new PagedList<Commit>({
			open: (signal) => seen(this.#source.openLog(revision, signal), see),
			idOf: ({ id }) => id,
			compare: (a, b) => placeOf(a) - placeOf(b),
			disk: disk && recalling(disk, recall),
			arrived: (page) => this.#source.arrived({ kind: 'logRead', ref: this.ref, revision, page }),
		});
		this.#logs.set(revision, made);
		return made;
	}

	knownLog(revision: string): Listing<Commit> | undefined {
		return this.#logs.get(revision)?.known();
	}

	/** Of when a log is, where it is shown as another window read it. */
	logBefore(revision: string): ReadBefore | undefined {
		return this.#logs.get(revision)?.before();
	}

	/** The same of the references, and of which of them comes first. */
	referencesBefore(): ReadBefore | undefined {
		return this.references.before() ?? this.branchBefore;
	}

	/** Something is shown as another window read it, because it could not be read anew. */
	hasFailed(): boolean {
		return this.befores().some((before) => before?.error !== undefined);
	}

	/** Of everything that is shown. */
	befores(): readonly (ReadBefore | undefined)[] {
		return [this.referencesBefore(), ...[...this.#logs.values()].map((log) => log.before())];
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
	readonly #parts: RepositoryNamesParts;
	readonly #names = new Map<string, NamesOfRepository>();

	constructor(parts: RepositoryNamesParts) {
		this.#parts = parts;
	}

	/** Those of a repository that somebody asked for. */
	known(ref: RepositoryRef): NamesOfRepository | undefined {
		return this.#names.get(refText(ref));
	}

	of(ref: RepositoryRef): NamesOfRepository {
		const key = refText(ref);
		const known = this.#names.get(key);
		if (known) {
			return known;
		}
		const { api, passing, disk, arrived } = this.#parts;
		const made: NamesOfRepository = new NamesOfRepository({
			ref,
			openReferences: (signal) => api.references(ref, signal),
			openLog: (revision, signal) => this.openLog(ref, revision, signal),
			recalled: (commits) => passing(ref, commits),
			diskReferences: disk?.references(ref),
			diskLog: (revision) => disk?.log(ref, revision),
			// What comes for names that were forgotten meanwhile is for those who wait for it, and shown to nobody else.
			arrived: (reading) => void (this.#names.get(key) === made ? arrived(reading) : made.take(reading)),
		});
		this.#names.set(key, made);
		return made;
	}

	befores(): readonly (ReadBefore | undefined)[] {
		return [...this.#names.values()].flatMap((names) => names.befores());
	}

	/** Repositories of which something could not be read anew. */
	failed(): readonly RepositoryRef[] {
		return [...this.#names.values()].filter((names) => names.hasFailed()).map(({ ref }) => ref);
	}

	/** `undefined` for a repository without branches. */
	async defaultBranch(ref: RepositoryRef, signal: AbortSignal): Promise<DefaultBranch | undefined> {
		const name = await this.#toldBranch(ref, signal);
		if (name !== undefined) {
			return { name, isCertain: true };
		}
		const listing = await this.of(ref).references.first(signal);
		if (!this.of(ref).isHeadNowhere) {
			return usualAmong(listing);
		}
		const instead = insteadOfHead(listing.items);
		return instead && { name: shortName(instead), isCertain: false, isHeadNowhere: true };
	}

	/** What the server told an earlier window, while the references are of then. */
	async defaultBranchAtOnce(ref: RepositoryRef, signal: AbortSignal): Promise<DefaultBranch | undefined> {
		const { references, defaultBranch } = this.of(ref);
		const { api, disk } = this.#parts;
		const old = isBeingRead(references.before()) ? references.known() : undefined;
		if (!old || defaultBranch !== undefined) {
			return this.defaultBranch(ref, signal);
		}
		const untold: ToldBranch = { name: undefined };
		const told = api.defaultBranch ? (await disk?.branch(ref))?.value : untold;
		if (!told) {
			return this.defaultBranch(ref, signal);
		}
		return told.name === undefined ? usualAmong(old) : { name: told.name, isCertain: true };
	}

	/** What an earlier window read of the references is known after this, where nothing else is. Answers their default branch. */
	async recall(ref: RepositoryRef): Promise<DefaultBranch | undefined> {
		const { api, disk } = this.#parts;
		const { references } = this.of(ref);
		await references.recall();
		const told = api.defaultBranch ? (await disk?.branch(ref))?.value.name : undefined;
		const known = references.known();
		return told === undefined ? known && usualAmong(known) : { name: told, isCertain: true };
	}

	/** Starts a log at its first page. */
	async *openLog(ref: RepositoryRef, revision: string, signal: AbortSignal): Pages<Commit> {
		const from = revision === headRevision ? undefined : revision;
		for await (const page of this.#parts.api.log(ref, from, signal)) {
			this.#parts.passing(ref, page.items);
			yield page;
		}
	}

	/** Another branch is the default one; a window that is opened next says so at once. */
	branchSet(ref: RepositoryRef, name: string): void {
		this.#parts.disk?.keepBranch(ref, { name });
	}

	/** Of all repositories or of one. Whoever waits for an answer still gets it; the next one asks again. */
	forget(ref?: RepositoryRef): void {
		if (ref) {
			this.#names.delete(refText(ref));
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
		const ask = this.#parts.api.defaultBranch?.bind(this.#parts.api);
		if (!ask || names.isBranchUntold) {
			return undefined;
		}
		if (names.defaultBranch !== undefined || names.branchBefore) {
			return names.defaultBranch ?? names.branchBefore?.name;
		}
		try {
			names.defaultBranch = await names.branchReads.read('HEAD', (shared) => ask(ref, shared), signal);
			names.isHeadNowhere = names.defaultBranch === undefined;
			names.isBranchUntold = names.isHeadNowhere;
			this.#keepBranch(names, { name: names.defaultBranch });
			return names.defaultBranch;
		} catch (error) {
			return await this.#branchAfter(error, ref, names);
		}
	}

	/** What is told of names that were forgotten meanwhile may be of before another branch was set, and is kept by nobody. */
	#keepBranch(names: NamesOfRepository, told: ToldBranch): void {
		if (this.known(names.ref) === names) {
			this.#parts.disk?.keepBranch(names.ref, told);
		}
	}

	/** What is known of the default branch when the server has not told it. */
	#branchAfter(error: unknown, ref: RepositoryRef, names: NamesOfRepository): Promise<string | undefined> {
		const kind = isForgeError(error) ? error.problem.kind : undefined;
		if (kind === undefined || !untold.has(kind)) {
			return this.#branchBefore(error, ref, names);
		}
		names.isBranchUntold = !notForEver.has(kind);
		if (names.isBranchUntold) {
			this.#keepBranch(names, { name: undefined });
		}
		return Promise.resolve(names.defaultBranch);
	}

	/** What the server told another window, or that it did not tell, stands in while it is away. */
	async #branchBefore(error: unknown, ref: RepositoryRef, names: NamesOfRepository): Promise<string | undefined> {
		const old = isAway(error) ? await this.#parts.disk?.branch(ref) : undefined;
		if (!old) {
			throw error;
		}
		names.branchBefore = { name: old.value.name, readAtMs: old.readAtMs, error };
		return old.value.name;
	}
}

function takeLog(log: PagedList<Commit>, page: PageRead<Commit>): 'moved' | 'more' | undefined {
	const before = log.before();
	const [was] = log.known()?.items ?? [];
	if (!isDifferent(log.take(page))) {
		return undefined;
	}
	// Nothing moved where the newest commit is the same as then; why it could not be read is told above all rows below it.
	const isConfirmed = isBeingRead(before) && log.before() === undefined && was?.id === log.known()?.items[0]?.id;
	return before && !isConfirmed ? 'moved' : 'more';
}

/** Whether a name leads elsewhere than before, or is gone. Of what was not read on to yet nothing is known. */
function haveMoved(before: Listing<Reference>, now: Listing<Reference>): boolean {
	const was = new Map(before.items.map(({ name, target }) => [name, target]));
	const isGone = now.completeness.kind === 'complete' && now.items.length !== before.items.length;
	return isGone || now.items.some(({ name, target }) => was.get(name) !== target);
}

/** The branch that usually comes first. */
function usualAmong({ items }: Listing<Reference>): DefaultBranch | undefined {
	const usual = usualBranch(items);
	return usual && { name: shortName(usual), isCertain: false };
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
const notForEver: ReadonlySet<Problem['kind']> = new Set(['notAllowed', 'serverError', 'missingScope']);

/** References and commits have no changes of their own. */
function isDifferent({ isOtherList, changed }: PageOutcome<unknown>): boolean {
	return isOtherList || changed.length > 0;
}
