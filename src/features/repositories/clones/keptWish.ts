import * as v from 'valibot';
import type { Clock } from '@forge-desk/base/clock.ts';
import { continueKey } from '../../../editor/names/storageKeys.ts';

/** A selection, counted from 0 as in the editor. A caret is an empty selection at its end. */
export interface SelectedText {
	readonly line: number;
	readonly character: number;
	readonly endLine: number;
	readonly endCharacter: number;
}

/** A requested place in a clone. */
export interface CloneWishedPlace {
	/** Address of the top folder. */
	readonly root: string;
	/** Below it, by slashes. */
	readonly path: string;
	readonly selected: SelectedText;
	/** Commit of the place; `undefined` if unknown. */
	readonly commit: string | undefined;
}

/** The used part of the editor's global storage. */
export interface WishStorage {
	get(key: string): unknown;
	update(key: string, value: unknown): PromiseLike<void>;
}

const count = v.pipe(v.number(), v.safeInteger(), v.minValue(0));

/** Stored form; JSON drops undefined members. */
const keptPlace = v.object({
	root: v.string(),
	path: v.string(),
	selected: v.object({ line: count, character: count, endLine: count, endCharacter: count }),
	commit: v.optional(v.string()),
	atMs: v.number(),
});

/** Windows open faster; later the user would be surprised. */
const lifeMs = 5 * 60_000;

/** A stored request that survives the reload of a window with another folder. */
export type KeptWish = ReturnType<typeof keptWish>;

export function keptWish(storage: WishStorage, clock: Clock) {
	return {
		async keep(wish: CloneWishedPlace) {
			await storage.update(continueKey, { ...wish, atMs: clock.nowMs() });
		},
		/** Returns the request for one of these folders, and deletes it together with expired ones. */
		async take(folders: readonly string[]): Promise<CloneWishedPlace | undefined> {
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
