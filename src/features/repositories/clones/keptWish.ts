import * as v from 'valibot';
import type { Clock } from '../../../base/clock.ts';
import { continueKey } from '../../../editor/names/storageKeys.ts';

/** What is selected in a text, from 0 on as in the editor. A caret selects nothing, and stands at the end. */
export interface SelectedText {
	readonly line: number;
	readonly character: number;
	readonly endLine: number;
	readonly endCharacter: number;
}

/** A place in a clone that somebody wants to see. */
export interface CloneWishedPlace {
	/** Address of the top folder. */
	readonly root: string;
	/** Below it, by slashes. */
	readonly path: string;
	readonly selected: SelectedText;
	/** Commit that the place was seen in; `undefined` when that could not be told. */
	readonly commit: string | undefined;
}

/** A wish that outlives the reload by which a window opens another folder. */
export interface KeptWish {
	keep(wish: CloneWishedPlace): Promise<void>;
	/** The wish that one of these folders fulfils, once: it is forgotten with that. Old ones are forgotten, too. */
	take(folders: readonly string[]): Promise<CloneWishedPlace | undefined>;
}

/** The part of the editor's storage that is needed; the one for all windows. */
export interface WishStorage {
	get(key: string): unknown;
	update(key: string, value: unknown): PromiseLike<void>;
}

const count = v.pipe(v.number(), v.safeInteger(), v.minValue(0));

/** As it is kept; JSON leaves out what is undefined. */
const keptPlace = v.object({
	root: v.string(),
	path: v.string(),
	selected: v.object({ line: count, character: count, endLine: count, endCharacter: count }),
	commit: v.optional(v.string()),
	atMs: v.number(),
});

/** A window opens in less; later nobody would know any more where the file came from. */
const lifeMs = 5 * 60_000;

export function keptWish(storage: WishStorage, clock: Pick<Clock, 'nowMs'>): KeptWish {
	return {
		async keep(wish) {
			await storage.update(continueKey, { ...wish, atMs: clock.nowMs() });
		},
		async take(folders) {
			const kept = storage.get(continueKey);
			const read = v.safeParse(keptPlace, kept);
			const isYoung = read.success && Math.abs(clock.nowMs() - read.output.atMs) < lifeMs;
			const isHere = read.success && folders.includes(read.output.root);
			if (kept !== undefined && (!isYoung || isHere)) {
				await storage.update(continueKey, undefined);
			}
			if (!isYoung || !isHere) {
				return undefined;
			}
			const { root, path, selected, commit } = read.output;
			return { root, path, selected, commit };
		},
	};
}
