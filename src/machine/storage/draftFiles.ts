import { createHash, randomBytes } from 'node:crypto';
import { linkSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { draftKey, draftSubjectOf, type Draft, type DraftEntry, type DraftSubject } from '../../store/drafts/drafts.ts';
import { isTime } from '../../base/lenientJson.ts';
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
	return {
		/** File name of a window's draft. */
		nameOf: (about: DraftSubject, writer: string) => `${prefixOf(about)}${writer}${suffix}`,
		/** Current drafts of one subject, or all; skips invalid files. */
		read(about?: DraftSubject): readonly DraftFile[] {
			const prefix = about ? prefixOf(about) : '';
			let names: readonly string[] = [];
			try {
				names = readdirSync(folder);
			} catch {
				// No drafts yet.
			}
			return names
				.filter((name) => name.startsWith(prefix) && name.endsWith(suffix))
				.map((name) => readDraft(path(name), name))
				.filter((file) => file !== undefined);
		},
		/** Synchronous, like `replaceNow`. */
		write(name: string, { about, draft: { atMs, text } }: DraftEntry) {
			mkdirSync(folder, { recursive: true, mode: privateFolderMode });
			replaceNow(path(name), JSON.stringify({ about: draftKey(about), atMs, text }));
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

/** File systems don't accept every character of a reference, and some are case-insensitive. */
function prefixOf(about: DraftSubject): string {
	return `${createHash('sha256').update(draftKey(about)).digest('hex').slice(0, 32)}.`;
}

function readDraft(path: string, name: string): DraftFile | undefined {
	let value: unknown;
	try {
		value = JSON.parse(readFileSync(path, 'utf8'));
	} catch {
		// Deleted by another window, or not ours.
		return undefined;
	}
	if (typeof value !== 'object' || value === null || !('about' in value) || !('text' in value) || !('atMs' in value)) {
		return undefined;
	}
	const about = typeof value.about === 'string' ? draftSubjectOf(value.about) : undefined;
	const { text, atMs } = value;
	if (!about || typeof text !== 'string') {
		return undefined;
	}
	const knownMs = isTime(atMs) ? atMs : (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0);
	return { name, about, draft: { text, atMs: knownMs } };
}
