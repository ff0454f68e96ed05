import type { Disposable } from '@forge-desk/base/lifecycle.ts';
import { isForgeError, type Problem } from 'sourcehut/port/forgeError.ts';
import { leavesKnown } from 'sourcehut/port/isAway.ts';
import type { Pages } from 'sourcehut/port/page.ts';
import { refText } from 'sourcehut/port/namedRef.ts';
import type { Commit, Reference, RepositoryRef } from 'sourcehut/port/repository.ts';
import type { ReportedBranch } from './keptRepositories.ts';
import type { RepositoryObjects } from './objects/repositoryObjects.ts';
import type { RepositorySources } from './repositorySources.ts';
import { isBeingRead, type Listing, type ReadBefore } from '../shared/listing.ts';
import type { PageOutcome } from '../shared/pageChanges.ts';
import { PagedList } from '../shared/pagedList.ts';
import type { PageRead } from '../shared/pageRead.ts';
import type { NamesRead } from './repositoryChange.ts';
import { headRevision, insteadOfHead, revisionOf, shortName, usualBranch } from './repositoryReferences.ts';
import { SharedReads } from '@forge-desk/base/sharedFlights.ts';

export interface DefaultBranch {
	/** Without `refs/heads/`. */
	readonly name: string;
	/** False when the server doesn't report a default branch and we guess the usual name. */
	readonly isCertain: boolean;
	/** The server reports that `HEAD` points to a missing branch. */
	readonly isHeadNowhere?: true;
}

/**
 * References, logs and default branch of one repository until `forget`. Forgetting creates a new instance, so late
 * answers land in the discarded one and never reach a view.
 */
export class NamesOfRepository implements Disposable {
	readonly ref: RepositoryRef;
	readonly references: PagedList<Reference>;
	readonly branchReads = new SharedReads<string | undefined>();
	readonly #logs = new Map<string, PagedList<Commit>>();
	readonly #names: RepositoryNames;
	/** Short name of the default branch, after the server reported it. */
	defaultBranch: string | undefined;
	/** The server has no default branch to report. */
	isBranchUnreported = false;
	isHeadNowhere = false;
	/** Default branch from the disk cache, while the server is unreachable. */
	branchBefore: (ReadBefore & ReportedBranch) | undefined;

	constructor(ref: RepositoryRef, names: RepositoryNames) {
		this.ref = ref;
		this.#names = names;
		this.references = new PagedList({
			open: (signal) => names.sources.api.references(ref, signal),
			idOf: ({ name }) => name,
			compare: (a, b) => (a.name < b.name ? -1 : Number(a.name > b.name)),
			disk: names.sources.disk?.references(ref),
			arrived: (page) => this.#arrive({ kind: 'referencesRead', ref, page }),
		});
	}

	/** A late page for forgotten names goes only to its own waiting callers. */
	#arrive(reading: NamesRead): void {
		if (this.#names.known(this.ref) === this) {
			this.#names.arrived(reading);
		} else {
			this.take(reading);
		}
	}

	/** Applies a page. `moved`: a cached value from another window turned out to be stale. `more`: other changes. */
	take(reading: NamesRead): 'moved' | 'more' | undefined {
		switch (reading.kind) {
			case 'referencesRead':
				return this.#takeReferences(reading.page);
			case 'logRead':
				if (reading.page.place === 'before') {
					this.#names.objects.keepCommits(this.ref, reading.page.items);
				}
				return takeLog(this.log(reading.revision), reading.page);
		}
	}

	#takeReferences(page: PageRead<Reference>): 'moved' | 'more' | undefined {
		const wasKnown = page.place !== 'before' && this.references.known() !== undefined;
		const before = this.referencesBefore();
		const was = isBeingRead(before) ? this.references.known() : undefined;
		const isOther = isDifferent(this.references.take(page));
		if (wasKnown) {
			// The forge answers again, so the next caller asks for the default branch too.
			this.branchBefore = undefined;
		}
		if (wasKnown && before) {
			const now = this.references.known();
			return was && now && !haveMoved(was, now) ? 'more' : 'moved';
		}
		return isOther ? 'more' : undefined;
	}

	/** Commits from a revision on, in server order. */
	log(revision: string): PagedList<Commit> {
		const known = this.#logs.get(revision);
		if (known) {
			return known;
		}
		const made = new PagedList<Commit>({
			open: (signal) => this.#names.openLog(this.ref, revision, signal),
			idOf: ({ id }) => id,
			disk: this.#names.sources.disk?.log(this.ref, revision),
			arrived: (page) => this.#arrive({ kind: 'logRead', ref: this.ref, revision, page }),
		});
		this.#logs.set(revision, made);
		return made;
	}

	knownLog(revision: string): Listing<Commit> | undefined {
		return this.#logs.get(revision)?.known();
	}

	/** Age of a log that still shows cached data. */
	logBefore(revision: string): ReadBefore | undefined {
		return this.#logs.get(revision)?.before();
	}

	/** Age of cached references or of a cached default branch. */
	referencesBefore(): ReadBefore | undefined {
		return this.references.before() ?? this.branchBefore;
	}

	/** True when a refresh failed and cached data stays on screen. */
	hasFailed(): boolean {
		return this.befores().some((before) => before?.error !== undefined);
	}

	/** See `PagedList`. */
	retry(): void {
		[this.references, ...this.#logs.values()].forEach((list) => list.retry());
	}

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

export class RepositoryNames implements Disposable {
	readonly sources: RepositorySources;
	readonly objects: RepositoryObjects;
	/** Called with each page; apply it with `take`. */
	readonly arrived: (reading: NamesRead) => void;
	readonly #names = new Map<string, NamesOfRepository>();

	constructor(sources: RepositorySources, objects: RepositoryObjects, arrived: (reading: NamesRead) => void) {
		this.sources = sources;
		this.objects = objects;
		this.arrived = arrived;
	}

	/** `undefined` until somebody calls `of`. */
	known(ref: RepositoryRef): NamesOfRepository | undefined {
		return this.#names.get(refText(ref));
	}

	of(ref: RepositoryRef): NamesOfRepository {
		const key = refText(ref);
		const known = this.#names.get(key);
		if (known) {
			return known;
		}
		const made = new NamesOfRepository(ref, this);
		this.#names.set(key, made);
		return made;
	}

	befores(): readonly (ReadBefore | undefined)[] {
		return [...this.#names.values()].flatMap((names) => names.befores());
	}

	/** See `PagedList`. */
	retry(): void {
		this.#names.forEach((names) => names.retry());
	}

	/** Repositories with at least one failed refresh. */
	failed(): readonly RepositoryRef[] {
		return [...this.#names.values()].filter((names) => names.hasFailed()).map(({ ref }) => ref);
	}

	/** `undefined` for a repository without branches. */
	async defaultBranch(ref: RepositoryRef, signal: AbortSignal): Promise<DefaultBranch | undefined> {
		const name = await this.#reportedBranch(ref, signal);
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

	/** The default branch, if it is on none of the loaded pages. A failure costs only its early place. */
	async defaultBeyond(
		ref: RepositoryRef,
		{ items, completeness }: Listing<Reference>,
		branch: DefaultBranch | undefined,
		signal: AbortSignal,
	): Promise<readonly Reference[]> {
		const name = `refs/heads/${branch?.name}`;
		const isRead = completeness.kind === 'complete' || items.some((each) => each.name === name);
		if (branch?.isCertain !== true || isRead) {
			return [];
		}
		try {
			const log = await this.of(ref)
				.log(revisionOf({ name, target: '' }, items))
				.cached(signal);
			return log.items.slice(0, 1).map(({ id }) => ({ name, target: id }));
		} catch (error) {
			if (!isForgeError(error)) {
				throw error;
			}
			return [];
		}
	}

	/** Cached default branch while the references are cached too; otherwise asks the server. A 429 may hold it a minute. */
	async cachedDefaultBranch(ref: RepositoryRef, signal: AbortSignal): Promise<DefaultBranch | undefined> {
		const { references, defaultBranch } = this.of(ref);
		const { api, disk } = this.sources;
		const old = references.before() && references.known();
		if (!old || defaultBranch !== undefined) {
			return this.defaultBranch(ref, signal);
		}
		const unreported: ReportedBranch = { name: undefined };
		const reported = api.defaultBranch ? (await disk?.branch(ref))?.value : unreported;
		if (!reported) {
			return this.defaultBranch(ref, signal);
		}
		return reported.name === undefined ? usualAmong(old) : { name: reported.name, isCertain: true };
	}

	/** Loads references from the disk cache unless they are known. Returns their default branch. */
	async recall(ref: RepositoryRef): Promise<DefaultBranch | undefined> {
		const { api, disk } = this.sources;
		const { references } = this.of(ref);
		await references.recall();
		const reported = api.defaultBranch ? (await disk?.branch(ref))?.value.name : undefined;
		const known = references.known();
		return reported === undefined ? known && usualAmong(known) : { name: reported, isCertain: true };
	}

	async *openLog(ref: RepositoryRef, revision: string, signal: AbortSignal): Pages<Commit> {
		const from = revision === headRevision ? undefined : revision;
		for await (const page of this.sources.api.log(ref, from, signal)) {
			this.objects.keepCommits(ref, page.items);
			yield page;
		}
	}

	/** Stores the new default branch, so the next window shows it immediately. */
	branchSet(ref: RepositoryRef, name: string): void {
		this.sources.disk?.keepBranch(ref, { name });
	}

	/** Forgets one repository, or all. Callers already waiting still get their answer; the next call reads again. */
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

	/**
	 * Short name of the default branch; `undefined` when the server cannot report it. Such a server gets only one
	 * request.
	 */
	async #reportedBranch(ref: RepositoryRef, signal: AbortSignal): Promise<string | undefined> {
		const names = this.of(ref);
		const ask = this.sources.api.defaultBranch?.bind(this.sources.api);
		if (!ask || names.isBranchUnreported) {
			return undefined;
		}
		if (names.defaultBranch !== undefined || names.branchBefore) {
			return names.defaultBranch ?? names.branchBefore?.name;
		}
		try {
			names.defaultBranch = await names.branchReads.read('HEAD', (shared) => ask(ref, shared), signal);
			names.isHeadNowhere = names.defaultBranch === undefined;
			names.isBranchUnreported = names.isHeadNowhere;
			this.#keepBranch(names, { name: names.defaultBranch });
			return names.defaultBranch;
		} catch (error) {
			const kind = isForgeError(error) ? error.problem.kind : undefined;
			if (kind !== undefined && guessAfter.has(kind)) {
				names.isBranchUnreported = !temporaryErrors.has(kind);
				if (names.isBranchUnreported) {
					this.#keepBranch(names, { name: undefined });
				}
				return names.defaultBranch;
			}
			// When the server is unreachable, the cached answer of another window stands in.
			const old = leavesKnown(error) ? await this.sources.disk?.branch(ref) : undefined;
			if (!old) {
				throw error;
			}
			names.branchBefore = { name: old.value.name, readAtMs: old.readAtMs, error };
			return old.value.name;
		}
	}

	/** An answer for forgotten names may predate a change of the default branch, so nothing stores it. */
	#keepBranch(names: NamesOfRepository, reported: ReportedBranch): void {
		if (this.known(names.ref) === names) {
			this.sources.disk?.keepBranch(names.ref, reported);
		}
	}
}

function takeLog(log: PagedList<Commit>, page: PageRead<Commit>): 'moved' | 'more' | undefined {
	const before = log.before();
	const [was] = log.known()?.items ?? [];
	if (!isDifferent(log.take(page))) {
		return undefined;
	}
	// The same newest commit confirms the cached log. One message above all rows explains a failed refresh.
	const isConfirmed = isBeingRead(before) && log.before() === undefined && was?.id === log.known()?.items[0]?.id;
	return before && !isConfirmed ? 'moved' : 'more';
}

/** True when a reference has a new target or disappeared. Says nothing about references on unread pages. */
function haveMoved(before: Listing<Reference>, now: Listing<Reference>): boolean {
	const was = new Map(before.items.map(({ name, target }) => [name, target]));
	const isGone = now.completeness.kind === 'complete' && now.items.length !== before.items.length;
	return isGone || now.items.some(({ name, target }) => was.get(name) !== target);
}

/** Guesses the default branch by its usual name. */
function usualAmong({ items }: Listing<Reference>): DefaultBranch | undefined {
	const usual = usualBranch(items);
	return usual && { name: shortName(usual), isCertain: false };
}

/** After these errors, the view guesses a default branch instead of failing. */
const guessAfter: ReadonlySet<Problem['kind']> = new Set([
	'notFound',
	'notAllowed',
	'serverError',
	'notUnderstood',
	'notOffered',
	'invalid',
	'missingScope',
]);
/** These errors may be temporary, so the next read tries again. */
const temporaryErrors: ReadonlySet<Problem['kind']> = new Set(['notAllowed', 'serverError', 'missingScope']);

/** References and commits never change in place. */
function isDifferent({ isOtherList, changed }: PageOutcome<unknown>): boolean {
	return isOtherList || changed.length > 0;
}
