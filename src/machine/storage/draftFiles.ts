import { createHash, randomBytes } from 'node:crypto';
import { linkSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { draftKey, draftSubjectOf, type Draft, type DraftEntry, type DraftSubject } from '../../store/drafts/drafts.ts';
import { isTime } from '../../base/looseJson.ts';
import { isMissing } from './objectFiles.ts';
import { flushFile, privateFolderMode, replaceNow } from './replaceNow.ts';

/** A draft on disk. */
export interface DraftFile extends DraftEntry {
	readonly name: string;
}

const suffix = '.json';

/** A folder with one file per draft and window. */
export type DraftFiles = ReturnType<typeof draftFiles>;

/** Drafts below `folder`, created by the first write. */
export function draftFiles(folder: string) {
	const path = (name: string): string => join(folder, name);
	const makeFolder = (): void => void mkdirSync(folder, { recursive: true, mode: privateFolderMode });
	return {
		/** File name of a window's draft. */
		nameOf: (about: DraftSubject, writer: string) => `${prefixOf(about)}${writer}${suffix}`,
		/** Current drafts of one subject, or all; skips invalid files. */
		read(about?: DraftSubject): readonly DraftFile[] {
			const prefix = about ? prefixOf(about) : '';
			return namesIn(folder)
				.filter((name) => name.startsWith(prefix) && name.endsWith(suffix))
				.map((name) => readDraft(path(name), name))
				.filter((file) => file !== undefined);
		},
		/** Synchronous, like `replaceNow`. */
		write(name: string, entry: DraftEntry) {
			makeFolder();
			replaceNow(path(name), written(entry));
		},
		/** Resolves when the file is safe from a power cut. Ignores a missing file. */
		flush: (name: string) => flushFile(path(name)),
		/** Deletes a file of this window synchronously. */
		removeOwn: (name: string) => rmSync(path(name), { force: true }),
		/** Deletes a file synchronously if its content is unchanged; keeps newer text of another window. */
		remove(file: DraftFile) {
			// Rename before comparing: nobody writes to the new name, but readers still find it.
			const taken = `${file.name.slice(0, -suffix.length)}.${randomBytes(4).toString('hex')}${suffix}`;
			try {
				renameSync(path(file.name), path(taken));
			} catch (error) {
				if (isMissing(error)) {
					return;
				}
				throw error;
			}
			const now = readDraft(path(taken), taken);
			const isNew = now !== undefined && !isSameDraft(now.draft, file.draft);
			if (!isNew || isPutBack(path(taken), path(file.name))) {
				rmSync(path(taken), { force: true });
			}
		},
	};
}

export function isSameDraft(a: Draft, b: Draft): boolean {
	return a.text === b.text && a.atMs === b.atMs;
}

/** Restores the original name. False when the draft must stay under its temporary name. */
function isPutBack(taken: string, path: string): boolean {
	try {
		linkSync(taken, path);
		return true;
	} catch (error) {
		// `EEXIST`: its window has written newer text. Other errors: the disk doesn't support links.
		return error instanceof Error && 'code' in error && error.code === 'EEXIST';
	}
}

function namesIn(folder: string): readonly string[] {
	try {
		return readdirSync(folder);
	} catch {
		// No drafts yet.
		return [];
	}
}

/** File systems don't accept every character of a reference, and some are case-insensitive. */
function prefixOf(about: DraftSubject): string {
	return `${createHash('sha256').update(draftKey(about)).digest('hex').slice(0, 32)}.`;
}

function written({ about, draft }: DraftEntry): string {
	return JSON.stringify({ about: draftKey(about), atMs: draft.atMs, text: draft.text });
}

function readDraft(path: string, name: string): DraftFile | undefined {
	const value = parsed(path);
	if (typeof value !== 'object' || value === null || !('about' in value) || !('text' in value) || !('atMs' in value)) {
		return undefined;
	}
	const about = typeof value.about === 'string' ? draftSubjectOf(value.about) : undefined;
	const { text, atMs } = value;
	return about && typeof text === 'string'
		? { name, about, draft: { text, atMs: isTime(atMs) ? atMs : writtenMs(path) } }
		: undefined;
}

/** Fallback for a draft with an invalid time. */
function writtenMs(path: string): number {
	return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

function parsed(path: string): unknown {
	try {
		return JSON.parse(readFileSync(path, 'utf8'));
	} catch {
		// Deleted by another window, or not ours.
		return undefined;
	}
}
