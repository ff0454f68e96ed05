import { createHash, randomBytes } from 'node:crypto';
import { linkSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { draftKey, draftSubjectOf } from '../state/drafts/draftSubject.ts';
import type { Draft, DraftEntry, DraftSubject } from '../state/drafts/drafts.ts';
import { isTime } from '../state/shared/keptValues.ts';
import { isMissing } from './objectFiles.ts';
import { flushFile, privateFolderMode, replaceNow } from './replaceNow.ts';

/** A draft as it stands on the disk. */
export interface DraftFile extends DraftEntry {
	readonly name: string;
}

/** A folder with one file for each draft and window. */
export interface DraftFiles {
	/** The name under which a window keeps its draft of a subject. */
	nameOf(about: DraftSubject, writer: string): string;
	/** What is there now, of one subject or of all; files that are no drafts are passed over. */
	read(about?: DraftSubject): readonly DraftFile[];
	/** Writes at once, as `replaceNow` does. */
	write(name: string, entry: DraftEntry): void;
	/** Resolves when a power cut takes nothing of the file any more. Nothing happens where it is gone. */
	flush(name: string): Promise<void>;
	/** Removes a file of this window's own at once. */
	removeOwn(name: string): void;
	/** Removes the file at once if it still says this: what another window wrote into it meanwhile stays. */
	remove(file: DraftFile): void;
}

const suffix = '.json';

/** Drafts below `folder`, which is made when the first one is written. */
export function draftFiles(folder: string): DraftFiles {
	const path = (name: string): string => join(folder, name);
	const makeFolder = (): void => void mkdirSync(folder, { recursive: true, mode: privateFolderMode });
	return {
		nameOf: (about, writer) => `${prefixOf(about)}${writer}${suffix}`,
		read(about) {
			const prefix = about ? prefixOf(about) : '';
			return namesIn(folder)
				.filter((name) => name.startsWith(prefix) && name.endsWith(suffix))
				.map((name) => readDraft(path(name), name))
				.filter((file) => file !== undefined);
		},
		write(name, entry) {
			makeFolder();
			replaceNow(path(name), written(entry));
		},
		flush: (name) => flushFile(path(name)),
		removeOwn: (name) => rmSync(path(name), { force: true }),
		remove(file) {
			// Under another name that readers find as well, nobody writes into it between the last look and its end.
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

/** True for the same text typed at the same time. */
export function isSameDraft(a: Draft, b: Draft): boolean {
	return a.text === b.text && a.atMs === b.atMs;
}

/** False when it has to stay under the name that it was taken to, where it is a draft like any other. */
function isPutBack(taken: string, path: string): boolean {
	try {
		linkSync(taken, path);
		return true;
	} catch (error) {
		// Its window has written again, and that is the newer text. Anything else: the disk knows no links.
		return error instanceof Error && 'code' in error && error.code === 'EEXIST';
	}
}

function namesIn(folder: string): readonly string[] {
	try {
		return readdirSync(folder);
	} catch {
		// Nothing was ever kept.
		return [];
	}
}

/** File systems do not take every character of a reference, and some do not tell capitals apart. */
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

/** When the file was written: for a draft whose own time is none. */
function writtenMs(path: string): number {
	return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

function parsed(path: string): unknown {
	try {
		return JSON.parse(readFileSync(path, 'utf8'));
	} catch {
		// Another window has just removed it, or it is none of ours.
		return undefined;
	}
}
