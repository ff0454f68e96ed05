import { canProve } from 'patchmail/patch/blobId.ts';
import { stepped } from './logSearch.ts';
import { wantedKey, type Missing, type WantedFile } from './preImage.ts';

/** A file in a commit of the history. */
export interface FileVersion {
	readonly path: string;
	/** Full blob id. */
	readonly id: string;
	readonly commit: string;
}

/** `near`: the newest commits of the default branch. */
export type Reach = 'near' | 'whole';

export type FileVersions =
	/** `isWhole`: no other commit is left to search. */
	| { readonly kind: 'read'; readonly versions: readonly FileVersion[]; readonly isWhole: boolean }
	/** Git is missing or too old, or may not run here. */
	| { readonly kind: 'unavailable' }
	/** The history is beyond the limit. */
	| { readonly kind: 'tooLarge' }
	| { readonly kind: 'failed'; readonly error: unknown };

/** The history of one repository through git's own protocol. Methods reject only with aborts. */
export interface HistoryOfGit {
	/** `sinceMs`: commits up to then are enough. */
	versions(
		question: { readonly paths: readonly string[]; readonly sinceMs: number; readonly reach: Reach },
		signal: AbortSignal,
	): Promise<FileVersions>;
	/** Contents for those of the full ids that the server sends; verified. */
	contents(ids: readonly string[], signal: AbortSignal): Promise<ReadonlyMap<string, Uint8Array>>;
}

/** A file whose id belongs to exactly one version at its path. */
export interface LocatedVersion {
	readonly wanted: WantedFile;
	readonly version: FileVersion;
	/** `undefined` when the server did not send it. */
	readonly content: Uint8Array | undefined;
}

export interface GitFindings {
	readonly located: readonly LocatedVersion[];
	/** Files with several versions whose ids begin alike. */
	readonly ambiguous: readonly WantedFile[];
	/** Why the others are missing; `undefined` when git did not search for them. */
	readonly missing: Extract<Missing, 'notThere' | 'budget'> | undefined;
	readonly isTooLarge: boolean;
	readonly error: unknown;
}

/** Most files of one search. */
const mostFiles = 2000;

/**
 * Searches the history of a repository for the pre-images of a series. The first search covers the whole series, so
 * that its files cost no further run of git.
 */
export class GitSearch {
	readonly #history: HistoryOfGit;
	readonly #sentMs: number;
	readonly #series: () => readonly WantedFile[];
	#reach: Reach = 'near';
	#isWhole = false;
	#failure: Exclude<FileVersions, { readonly kind: 'read' }> | undefined;
	/** Keys of searched files, with their versions. */
	readonly #searched = new Map<string, readonly FileVersion[]>();

	constructor(history: HistoryOfGit, sentMs: number, series: () => readonly WantedFile[]) {
		this.#history = history;
		this.#sentMs = sentMs;
		this.#series = series;
	}

	/** A new search may retry after a failure. */
	begin(how: 'first' | 'further'): void {
		this.#failure = undefined;
		if (how === 'further') {
			this.#reach = 'whole';
			this.#searched.clear();
		}
	}

	async find(wanted: readonly WantedFile[], signal: AbortSignal): Promise<GitFindings> {
		const provable = wanted.filter(canFind);
		const contents = new Map<string, Uint8Array>();
		const isAsked = provable.some((each) => !this.#searched.has(wantedKey(each)));
		const asked = isAsked && !this.#failure ? await this.#search(provable, signal) : [];
		const onlyIds = new Set(asked.flatMap((each) => this.#only(each)?.id ?? []));
		if (onlyIds.size > 0) {
			(await this.#history.contents([...onlyIds], signal)).forEach((content, id) => contents.set(id, content));
		}
		const failure = this.#failure;
		return {
			located: distinct([...provable, ...asked]).flatMap((each): readonly LocatedVersion[] => {
				const version = this.#only(each);
				return version ? [{ wanted: each, version, content: contents.get(version.id) }] : [];
			}),
			ambiguous: provable.filter((each) => (this.#searched.get(wantedKey(each))?.length ?? 0) > 1),
			missing: failure ? undefined : this.#isWhole ? 'notThere' : 'budget',
			isTooLarge: failure?.kind === 'tooLarge',
			error: failure?.kind === 'failed' ? failure.error : undefined,
		};
	}

	/** Notes the versions of these files and of the series, and returns the files. */
	async #search(wanted: readonly WantedFile[], signal: AbortSignal): Promise<readonly WantedFile[]> {
		const files = distinct([...wanted, ...this.#series().filter(canFind)]).slice(0, mostFiles);
		const paths = [...new Set(files.map(({ path }) => path))];
		const found = await this.#history.versions({ paths, sinceMs: this.#sentMs, reach: this.#reach }, signal);
		if (found.kind !== 'read') {
			this.#failure = found;
			return [];
		}
		this.#isWhole = found.isWhole;
		const byPath = Map.groupBy(found.versions, ({ path }) => path);
		for (const file of files) {
			const { id } = file;
			const versions = (byPath.get(file.path) ?? []).filter((each) => id !== undefined && each.id.startsWith(id));
			this.#searched.set(wantedKey(file), versions);
		}
		return files;
	}

	#only(wanted: WantedFile): FileVersion | undefined {
		const [only, ...others] = this.#searched.get(wantedKey(wanted)) ?? [];
		return others.length === 0 ? only : undefined;
	}
}

/** Only an id proves a content. */
function canFind(wanted: WantedFile): boolean {
	return wanted.isInLog && canProve(wanted.id) && stepped(wanted).length > 0;
}

function distinct<T extends WantedFile>(files: readonly T[]): readonly T[] {
	return [...new Map(files.map((each) => [wantedKey(each), each])).values()];
}
