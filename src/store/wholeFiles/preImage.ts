import type { TreePath } from 'sourcehut/port/repository.ts';
import type { HistorySource, SearchBudget } from '../repositories/history/historyReads.ts';

/** A pre-image to find. */
export interface WantedFile {
	/** From the patch; untrusted. */
	readonly path: string;
	/** From the patch, maybe abbreviated; `undefined` without an index line. */
	readonly id: string | undefined;
	/** False when only an earlier patch creates it, so no commit can have it. */
	readonly isInLog: boolean;
}

/** Source of a content. */
export type Origin = 'found before' | 'clone' | 'id' | 'base commit' | 'log' | 'history';

/** Why the exact content is missing. */
export type Missing =
	/** Not found in any source. */
	| 'notThere'
	/** The budget is spent; the next search continues. */
	| 'budget'
	/** Invalid path for a repository. */
	| 'badPath'
	/** Several versions of the file have ids that begin like the one in the patch. */
	| 'ambiguous'
	/** Not found in the newest commits, and git refused the rest of the history for its size. */
	| 'tooLarge'
	/** The patches change more files than the limit. */
	| 'tooMany'
	/** The repository is unknown, and no clone has the content. */
	| 'noRepository'
	/** The forge request failed. */
	| 'failed';

export type FoundFile =
	/** Verified by its id. */
	| { readonly kind: 'exact'; readonly content: Uint8Array; readonly origin: Origin }
	/** Content at the path in the most likely base commit; unverified. */
	| { readonly kind: 'near'; readonly content: Uint8Array; readonly commit: string; readonly missing: Missing }
	/** `error`: the forge's error, if any. */
	| { readonly kind: 'none'; readonly missing: Missing; readonly error?: unknown };

/** Already downloaded contents, by the ids in patches. */
export interface FoundBefore {
	/** No request. Never rejects. */
	content(id: string): Promise<Uint8Array | undefined>;
	/** Records the content of an abbreviated id. */
	note(id: string, content: Uint8Array): void;
}

/** The object store of a local clone. */
export interface ObjectsOfClone {
	/**
	 * Contents for those of the (possibly abbreviated) ids in the clone. Skips ambiguous ones. Rejects only with
	 * aborts.
	 */
	contents(ids: readonly string[], signal: AbortSignal): Promise<ReadonlyMap<string, Uint8Array>>;
}

/** One repository of the forge. */
export interface ObjectsOfForge {
	readonly history: HistorySource;
	/**
	 * A head commit of the default branch; it may be cached if newer than `sinceMs`. `undefined` for an empty
	 * repository.
	 */
	head(sinceMs: number, budget: SearchBudget, signal: AbortSignal): Promise<string | undefined>;
	/** A content by full id and its path at a full commit id. */
	content(id: string, at: TreePath, budget: SearchBudget, signal: AbortSignal): Promise<Uint8Array>;
	readonly byId: ContentsById;
}

/** Contents by the ids in patches. Only trying shows if a server supports abbreviated ids. */
export interface ContentsById {
	/** False when the server doesn't support it, or while the first try is in progress. */
	canAsk(id: string): boolean;
	/** One or two requests. `undefined` when the server refuses; verified otherwise. */
	content(id: string, budget: SearchBudget, signal: AbortSignal): Promise<Uint8Array | undefined>;
	/** Reports that the repository has this content, although the server refused the id. */
	wasThere(id: string): void;
}

/** Hints to the base commit of patches. */
export interface PatchBase {
	/** Full id from the `base-commit:` trailer, if present. */
	readonly commit: string | undefined;
	/** Date of the first mail. */
	readonly sentMs: number;
}

export function wantedKey({ path, id, isInLog }: WantedFile): string {
	return JSON.stringify([path, id, isInLog]);
}
