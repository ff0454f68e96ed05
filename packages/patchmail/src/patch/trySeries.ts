import { foldersAbove } from '@forge-desk/base/foldersAbove.ts';
import type { FileDiff, ParsedDiff } from './fileDiff.ts';
import { conflict, nothing, triedFile, type FileThere, type FileVerdict, type Tried } from './tryFile.ts';

export interface PatchVerdict {
	/** `alreadyApplied`: all files are, or a commit has the same patch. */
	readonly kind: 'applies' | 'alreadyApplied' | 'conflicts' | 'empty';
	/** In the order of the patch's files; empty if a commit has the same patch. */
	readonly files: readonly FileVerdict[];
}

export interface TriedPatch {
	readonly diff: Pick<ParsedDiff, 'files' | 'start'>;
	/** Bytes, one character for each. */
	readonly diffText: string;
}

export interface TrialParts {
	readonly patches: readonly TriedPatch[];
	/** Reads a file of the commit. Its errors reject the trial. */
	readonly read: (path: string, signal: AbortSignal) => Promise<FileThere>;
	/** Whether a known commit has a patch; `at`: from 0. */
	readonly isCommitted: (at: number) => boolean;
	/** Yields to the event loop between two files. */
	readonly turn: (signal: AbortSignal) => Promise<void>;
}

/** Verdicts in the order of the patches, and final contents by path. */
export interface SeriesTrial {
	readonly verdicts: readonly PatchVerdict[];
	readonly after: ReadonlyMap<string, FileThere>;
}

/** Dry run: applies patches on top of each other to a commit. Rejects on errors of `read`, and on aborts. */
export async function trySeries(parts: TrialParts, signal: AbortSignal): Promise<SeriesTrial> {
	const trial = new Trial(parts);
	const verdicts: PatchVerdict[] = [];
	for (const [at, patch] of parts.patches.entries()) {
		verdicts.push(await trial.patch(patch, parts.isCommitted(at), signal));
	}
	return { verdicts, after: trial.files() };
}

/** All contents stay in memory, and a kilobyte of a mail unpacks to hundreds. */
const mostUnpackedBytes = 64 * 1024 * 1024;

class Trial {
	readonly #parts: TrialParts;
	/** State after the patches so far. */
	readonly #files = new Map<string, FileThere>();
	readonly #broken = new Set<string>();
	#unpackedBytes = 0;
	/** Folders of all files read or written so far. */
	readonly #folders = new Set<string>();

	constructor(parts: TrialParts) {
		this.#parts = parts;
	}

	files(): ReadonlyMap<string, FileThere> {
		return this.#files;
	}

	async patch({ diff, diffText }: TriedPatch, isCommitted: boolean, signal: AbortSignal): Promise<PatchVerdict> {
		if (isCommitted) {
			return { kind: 'alreadyApplied', files: [] };
		}
		const files: FileVerdict[] = [];
		const gone = diff.files.filter(({ change }) => change === 'deleted' || change === 'renamed');
		const now: Now = { made: new Map(), leaving: new Set(gone.map(({ oldPath }) => oldPath)) };
		for (const file of diff.files) {
			const { verdict, after } = await this.#file(diffText, file, now, signal);
			files.push(verdict);
			this.#note(file, after, now.made);
			await this.#parts.turn(signal);
		}
		now.made.forEach((there, path) => this.#files.set(path, there));
		if (files.every(({ kind }) => kind === 'alreadyApplied')) {
			return { kind: files.length === 0 ? 'empty' : 'alreadyApplied', files };
		}
		return { kind: files.some(({ kind }) => kind === 'conflict') ? 'conflicts' : 'applies', files };
	}

	async #there(path: string, now: Now, signal: AbortSignal): Promise<FileThere> {
		const known = now.made.get(path) ?? (await this.#before(path, signal));
		if (known.kind === 'file') {
			return known;
		}
		return (await this.#isFree(path, known, now, signal)) ? nothing : blocked;
	}

	/** State before the current patch. */
	async #before(path: string, signal: AbortSignal): Promise<FileThere> {
		const known = this.#files.get(path);
		if (known) {
			return known;
		}
		const read = await this.#parts.read(path, signal);
		this.#set(this.#files, path, read);
		return read;
	}

	#set(files: Map<string, FileThere>, path: string, there: FileThere): void {
		files.set(path, there);
		foldersAbove(path).forEach((folder) => this.#folders.add(folder));
	}

	/** Whether a file can exist at the path: no file of the commit or a patch is above or below it. */
	async #isFree(path: string, known: FileThere, now: Now, signal: AbortSignal): Promise<boolean> {
		if (known.kind === 'notFile') {
			if (!known.inTheWay) {
				return false;
			}
			for (const each of known.inTheWay) {
				if (isStanding(each, await this.#before(each, signal), now)) {
					return false;
				}
			}
		}
		const isMade = (each: string): boolean => isStanding(each, this.#files.get(each) ?? nothing, now);
		if (foldersAbove(path).some(isMade)) {
			return false;
		}
		const below = this.#folders.has(path) ? [...this.#files.keys(), ...now.made.keys()] : [];
		return !below.some((each) => each.startsWith(`${path}/`) && isMade(each));
	}

	async #file(text: string, file: FileDiff, now: Now, signal: AbortSignal): Promise<Tried> {
		const { oldPath, newPath, change } = file;
		if ([oldPath, newPath].some((path) => path !== undefined && this.#broken.has(path))) {
			return conflict('afterConflict');
		}
		// A rename or copy starts from the file before the whole patch.
		const isMoved = change === 'renamed' || change === 'copied';
		const old = oldPath === undefined ? nothing : await this.#there(oldPath, isMoved ? atFirst : now, signal);
		let target: FileThere | undefined;
		if (newPath !== undefined && newPath !== oldPath) {
			// Another file of the patch may leave this path.
			const isLeft = now.leaving.has(newPath) && !now.made.has(newPath);
			target = isLeft ? nothing : await this.#there(newPath, now, signal);
		}
		const tried = triedFile({ text, file, old, target });
		if (file.content.kind === 'binary' && tried.verdict.kind === 'applies' && tried.after?.kind === 'file') {
			this.#unpackedBytes += tried.after.content.length;
			return this.#unpackedBytes > mostUnpackedBytes ? conflict('tooLarge') : tried;
		}
		return tried;
	}

	#note({ oldPath, newPath, change }: FileDiff, after: FileThere | undefined, made: Map<string, FileThere>): void {
		if (after === undefined) {
			[oldPath, newPath].forEach((path) => path !== undefined && this.#broken.add(path));
			return;
		}
		if (oldPath !== undefined && oldPath !== newPath && change !== 'copied' && !made.has(oldPath)) {
			made.set(oldPath, nothing);
		}
		const path = newPath ?? oldPath;
		if (path !== undefined) {
			this.#set(made, path, newPath === undefined ? nothing : after);
		}
	}
}

/** Progress within a patch. */
interface Now {
	/** State after the earlier files of the patch. */
	readonly made: Map<string, FileThere>;
	/** Paths that the patch deletes or renames. Git removes them first, in any order of the patch. */
	readonly leaving: ReadonlySet<string | undefined>;
}

function isStanding(path: string, before: FileThere, { made, leaving }: Now): boolean {
	const there = made.get(path) ?? (leaving.has(path) ? nothing : before);
	return there.kind === 'file';
}

const blocked: FileThere = { kind: 'notFile' };
/** Start of a patch. */
const atFirst: Now = { made: new Map(), leaving: new Set() };
