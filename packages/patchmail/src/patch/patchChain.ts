import type { FileDiff, ParsedDiff } from './fileDiff.ts';

/** Indexes of a patch in its series, and of a file diff in that patch. */
export interface FilePlace {
	readonly patch: number;
	readonly file: number;
}

/** Combined change of several patches to one file, from its first diff to its last. */
export interface FileSpan {
	readonly first: FilePlace;
	readonly last: FilePlace;
	/** All diffs of the file, in order. */
	readonly places: readonly FilePlace[];
}

/** Links from each file diff to its predecessor in earlier patches. */
export interface PatchChain {
	/** The diff whose result this one changes; `undefined` if it changes the base. */
	follows(place: FilePlace): FilePlace | undefined;
	/** Combined changes, sorted by last diff. Without files that the patches create and delete again. */
	readonly spans: readonly FileSpan[];
}

/**
 * Links the files of a series by their paths, renames and copies. Like in git, a rename or copy starts from the file
 * before its patch. Any other second diff of a path in the same patch continues the first one.
 */
export function patchChain(patches: readonly Pick<ParsedDiff, 'files'>[]): PatchChain {
	const followed = new Map<string, FilePlace>();
	const touched = new TouchedPaths();
	for (const [patch, { files }] of patches.entries()) {
		touched.begin();
		for (const [index, file] of files.entries()) {
			const place: FilePlace = { patch, file: index };
			const isMoved = file.change === 'renamed' || file.change === 'copied';
			const last = file.oldPath === undefined ? undefined : touched.last(file.oldPath, isMoved);
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
	/** Renamed to another path; the new path has its own entry. */
	readonly isMovedAway: boolean;
}

/** Last change of each path. Keeps deleted and renamed paths, so that no later diff continues them. */
class TouchedPaths {
	readonly #last = new Map<string, Touch>();
	/** State before the current patch, for the paths that it changes. */
	readonly #before = new Map<string, Touch | undefined>();

	/** Starts the next patch. */
	begin(): void {
		this.#before.clear();
	}

	/** `isBefore`: ignores changes of the current patch. */
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

function touch(touched: TouchedPaths, { change, oldPath, newPath }: FileDiff, place: FilePlace): void {
	// Another file of the same patch may already have taken the old path.
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
	const spans: FileSpan[] = [];
	for (const { place: last, isGone, isMovedAway } of touched) {
		if (isMovedAway) {
			continue;
		}
		const places = [last];
		let first = last;
		for (let before = follows(first); before; before = follows(first)) {
			first = before;
			places.push(first);
		}
		if (!isGone || patches[first.patch]?.files[first.file]?.oldPath !== undefined) {
			spans.push({ first, last, places: places.toReversed() });
		}
	}
	return spans;
}

function keyOf({ patch, file }: FilePlace): string {
	return `${patch} ${file}`;
}
