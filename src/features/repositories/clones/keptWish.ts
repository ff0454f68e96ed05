import type { Clock } from '../../../base/clock.ts';
import { continueKey } from '../../../editor/names/storageKeys.ts';
import { isRecord } from '../../../editor/commands/subjects.ts';

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

/** A window opens in less; later nobody would know any more where the file came from. */
const lifeMs = 5 * 60_000;

export function keptWish(storage: WishStorage, clock: Pick<Clock, 'nowMs'>): KeptWish {
	return {
		async keep(wish) {
			await storage.update(continueKey, { ...wish, atMs: clock.nowMs() });
		},
		async take(folders) {
			const kept = storage.get(continueKey);
			const wish = wishOf(kept);
			const isOld = !wish || !isYoung(kept, clock.nowMs());
			const isHere = wish !== undefined && folders.includes(wish.root);
			if (kept !== undefined && (isOld || isHere)) {
				await storage.update(continueKey, undefined);
			}
			return isHere && !isOld ? wish : undefined;
		},
	};
}

function isYoung(kept: unknown, nowMs: number): boolean {
	const atMs = isRecord(kept) ? kept['atMs'] : undefined;
	return typeof atMs === 'number' && Math.abs(nowMs - atMs) < lifeMs;
}

function wishOf(kept: unknown): CloneWishedPlace | undefined {
	if (!isRecord(kept)) {
		return undefined;
	}
	const { root, path, commit } = kept;
	const selected = selectedOf(kept['selected']);
	return typeof root === 'string' &&
		typeof path === 'string' &&
		selected &&
		(commit === undefined || typeof commit === 'string')
		? { root, path, selected, commit }
		: undefined;
}

function selectedOf(kept: unknown): SelectedText | undefined {
	if (!isRecord(kept)) {
		return undefined;
	}
	const { line, character, endLine, endCharacter } = kept;
	return isCount(line) && isCount(character) && isCount(endLine) && isCount(endCharacter)
		? { line, character, endLine, endCharacter }
		: undefined;
}

function isCount(value: unknown): value is number {
	return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}
