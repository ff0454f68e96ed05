import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { draftKey, draftSubjectOf } from '../state/draftSubject.ts';
import type { DraftEntry, DraftSubject } from '../state/drafts.ts';

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
	/** Resolves when the draft is on the disk; a reader sees the old one or the new one and never half of it. */
	write(name: string, entry: DraftEntry): Promise<void>;
	/** The same for the moment of start, when nobody can wait. */
	writeAtOnce(name: string, entry: DraftEntry): void;
	remove(name: string): Promise<void>;
}

/** Only the user may read what was typed. */
const mode = 0o600;

/** Drafts below `folder`, which is made when the first one is written. */
export function draftFiles(folder: string): DraftFiles {
	const path = (name: string): string => join(folder, name);
	const makeFolder = (): void => void mkdirSync(folder, { recursive: true, mode: 0o700 });
	return {
		nameOf: (about, writer) => `${prefixOf(about)}${writer}.json`,
		read(about) {
			const prefix = about ? prefixOf(about) : '';
			return namesIn(folder)
				.filter((name) => name.startsWith(prefix) && name.endsWith('.json'))
				.map((name) => readDraft(path(name), name))
				.filter((file) => file !== undefined);
		},
		async write(name, entry) {
			makeFolder();
			const unfinished = path(`${name}.new`);
			const file = await open(unfinished, 'w', mode);
			try {
				await file.writeFile(written(entry));
				// Not needed when only the process dies, but without it a power cut could leave an empty file.
				await file.datasync();
			} finally {
				await file.close();
			}
			await rename(unfinished, path(name));
		},
		writeAtOnce(name, entry) {
			makeFolder();
			writeFileSync(path(name), written(entry), { mode });
		},
		remove: (name) => rm(path(name), { force: true }),
	};
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
	return about && typeof text === 'string' && typeof atMs === 'number'
		? { name, about, draft: { text, atMs } }
		: undefined;
}

function parsed(path: string): unknown {
	try {
		return JSON.parse(readFileSync(path, 'utf8'));
	} catch {
		// Another window has just removed it, or it is none of ours.
		return undefined;
	}
}
