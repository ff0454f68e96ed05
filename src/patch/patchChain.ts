import type { FileDiff, ParsedDiff } from './fileDiff.ts';

/** The diff of one file among patches that follow each other; both count from 0. */
export interface FilePlace {
	readonly patch: number;
	readonly file: number;
}

/** A file that patches change together: what it was before the first of them, and what the last one leaves. */
export interface FileSpan {
	readonly first: FilePlace;
	readonly last: FilePlace;
	/** All that change it, in their order. */
	readonly places: readonly FilePlace[];
}

/** Which file of which patch goes on with which. */
export interface PatchChain {
	/** The diff whose result this one changes; `undefined` where it changes what was there before all of them. */
	follows(place: FilePlace): FilePlace | undefined;
	/** What all patches together do, in the order of their last changes. What comes and goes again is left out. */
	readonly spans: readonly FileSpan[];
}

/**
 * Follows the files of patches from one to the next, by their paths and by what is moved or copied. Within one patch a
 * file that is moved or copied is what it was before that patch, as git has it; another diff of a path that the same patch
 * changed already goes on with that.
 */
export function patchChain(patches: readonly Pick<ParsedDiff, 'files'>[]): PatchChain {
	const followed = new Map<string, FilePlace>();
	const touched = new TouchedPaths();
	for (const [patch, { files }] of patches.entries()) {
		touched.begin();
		for (const [index, file] of files.entries()) {
			const place: FilePlace = { patch, file: index };
			const last = file.oldPath === undefined ? undefined : touched.last(file.oldPath, isMoved(file));
			if (last && !last.isGone) {
				followed.set(keyOf(place), last.place);
			}
			touch(touched, file, place);
		}
	}
	const follows = (place: FilePlace): FilePlace | undefined => followed.get(keyOf(place));
	return { follows, spans: spansOf(patches, touched.all(), follows) };
}

interface Touch {
	readonly place: FilePlace;
	readonly isGone: boolean;
	/** It was moved away; what became of it stands at its new path. */
	readonly isMovedAway: boolean;
}

/** The last change of each path. One that was deleted or moved away stays, so that nothing goes on with it. */
class TouchedPaths {
	readonly #last = new Map<string, Touch>();
	/** What stood there before the patch that is read now, where that has changed. */
	readonly #before = new Map<string, Touch | undefined>();

	/** Another patch begins. */
	begin(): void {
		this.#before.clear();
	}

	/** `isBefore`: as the patches before have left it, whatever this one has changed already. */
	last(path: string, isBefore: boolean): Touch | undefined {
		return isBefore && this.#before.has(path) ? this.#before.get(path) : this.#last.get(path);
	}

	set(path: string, touch: Touch): void {
		const known = this.#last.get(path);
		if (!this.#before.has(path)) {
			this.#before.set(path, known);
		}
		this.#last.delete(path);
		this.#last.set(path, touch);
	}

	all(): readonly Touch[] {
		return [...this.#last.values()];
	}
}

function isMoved({ change }: FileDiff): boolean {
	return change === 'renamed' || change === 'copied';
}

function touch(touched: TouchedPaths, { change, oldPath, newPath }: FileDiff, place: FilePlace): void {
	// Another file of the same patch may have taken the place of the one that is moved away.
	if (change === 'renamed' && oldPath !== undefined && touched.last(oldPath, false)?.place.patch !== place.patch) {
		touched.set(oldPath, { place, isGone: true, isMovedAway: true });
	}
	const path = newPath ?? oldPath;
	if (path !== undefined) {
		touched.set(path, { place, isGone: newPath === undefined, isMovedAway: false });
	}
}

function spansOf(
	patches: readonly Pick<ParsedDiff, 'files'>[],
	touched: readonly Touch[],
	follows: PatchChain['follows'],
): readonly FileSpan[] {
	return touched
		.filter(({ isMovedAway }) => !isMovedAway)
		.map(({ place: last, isGone }) => ({ span: spanTo(last, follows), isGone }))
		.filter(({ span: { first }, isGone }) => !isGone || patches[first.patch]?.files[first.file]?.oldPath !== undefined)
		.map(({ span }) => span);
}

function spanTo(last: FilePlace, follows: PatchChain['follows']): FileSpan {
	const places = [last];
	let first = last;
	for (let before = follows(first); before; before = follows(first)) {
		first = before;
		places.push(first);
	}
	return { first, last, places: places.toReversed() };
}

function keyOf({ patch, file }: FilePlace): string {
	return `${patch} ${file}`;
}
