import type { Commit, TreePath } from '../../forge/repository.ts';
import type { HistorySource, SearchBudget } from '../repositories/history/historyReads.ts';

/** The content of a file that a patch changes. */
export interface WantedFile {
	/** As the patch names it; it may be anything. */
	readonly path: string;
	/** As the patch states it, perhaps cut short; `undefined` where it does not. */
	readonly id: string | undefined;
	/** False for what only a patch before has made, so that no commit had it when the mail was sent. */
	readonly isInLog: boolean;
}

/** Where a content was found. */
export type Origin = 'found before' | 'clone' | 'id' | 'base commit' | 'log';

/** Why the very content was not found. */
export type Missing =
	/** It was looked for in all places. */
	| 'notThere'
	/** The requests that one look may take are used up; the next one goes on from there. */
	| 'budget'
	/** No file of a repository can have this path. */
	| 'badPath'
	/** The patches change more files than are looked for. */
	| 'tooMany'
	/** It is not known which repository the patch belongs to, and no clone has the content. */
	| 'noRepository'
	/** The forge did not answer. */
	| 'failed';

/** What was found for a file. */
export type FoundFile =
	/** The very content, by its id. */
	| { readonly kind: 'exact'; readonly content: Uint8Array; readonly origin: Origin }
	/** What stood at the path in the commit that the patch was most likely made from. */
	| { readonly kind: 'near'; readonly content: Uint8Array; readonly commit: string; readonly missing: Missing }
	/** `error`: what the forge said where it failed. */
	| { readonly kind: 'none'; readonly missing: Missing; readonly error?: unknown };

/** Contents that are here already, by the ids that patches state. */
export interface FoundBefore {
	/** Needs no request. Never rejects. */
	content(id: string): Promise<Uint8Array | undefined>;
	/** Remembers what a stated id turned out to be. */
	note(id: string, content: Uint8Array): void;
}

/** The object store of a clone on this disk. */
export interface ObjectsOfClone {
	/** Of these ids, which may be cut short, those that the clone has. What it cannot tell is left out; rejects with aborts only. */
	contents(ids: readonly string[], signal: AbortSignal): Promise<ReadonlyMap<string, Uint8Array>>;
}

/** One repository of the forge. */
export interface ObjectsOfForge {
	readonly history: HistorySource;
	/** A commit of the default branch that is newer than `sinceMs` or the newest; `undefined` where there is none yet. */
	head(sinceMs: number, budget: SearchBudget, signal: AbortSignal): Promise<string | undefined>;
	/** A content by its full id, and where it stands at a full commit id. */
	content(id: string, at: TreePath, budget: SearchBudget, signal: AbortSignal): Promise<Uint8Array>;
	readonly byId: ContentsById;
}

/** Contents by the ids that patches state. Servers differ in whether they give them out, and nothing tells. */
export interface ContentsById {
	/** False once it is known that the server does not, and while that is being tried. */
	canAsk(id: string): boolean;
	/** One request or two. `undefined` for what the server does not give out; what it gives is proven. */
	content(id: string, budget: SearchBudget, signal: AbortSignal): Promise<Uint8Array | undefined>;
	/** The repository has this content, as it turned out, and did not give it out by this id. */
	wasThere(id: string): void;
}

/** Where contents come from, each absent where there is none. */
export interface FileSources {
	readonly before: FoundBefore | undefined;
	readonly clone: ObjectsOfClone | undefined;
	readonly forge: ObjectsOfForge | undefined;
}

/** What is known of the commit that patches were made from. */
export interface PatchBase {
	/** Full id of the trailer `base-commit:`, where there is one. */
	readonly commit: string | undefined;
	/** When the first mail was sent. */
	readonly sentMs: number;
}

/** Names a wanted file among others. */
export function wantedKey({ path, id, isInLog }: WantedFile): string {
	return JSON.stringify([path, id, isInLog]);
}

/** True for a commit that a patch could be made from at that time. */
export function isUntil({ timestampMs }: Pick<Commit, 'timestampMs'>, sentMs: number): boolean {
	return timestampMs <= sentMs;
}
