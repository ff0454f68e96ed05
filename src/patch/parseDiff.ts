import type { Damage, DiffContent, FileDiff, ParsedDiff } from './fileDiff.ts';
import { gitHeader, type FileHeader } from './gitHeader.ts';
import type { Strip } from './patchPath.ts';
import { plainHeader } from './plainHeader.ts';
import { readBinary } from './readBinary.ts';
import { readCombined } from './readCombined.ts';
import { readHunks } from './readHunks.ts';
import { nextLine } from './textLines.ts';

interface FileReading {
	readonly file: FileDiff;
	readonly strip: Strip;
}

const letterD = 0x64;
const minus = 0x2d;

/**
 * Finds and reads every diff in a text, as `git apply -p1` would: unified diffs of git and of `diff -u`, binary patches
 * and merges' diffs, with whatever else stands around them. Never throws; what is damaged says so. Nothing of the text is
 * copied but names and sections. Takes time in proportion to the length of the text.
 */
export function parseDiff(text: string): ParsedDiff {
	const files = new Array<FileDiff>();
	let added = 0;
	let removed = 0;
	let strip: Strip = 1;
	for (let at = 0; at < text.length;) {
		const reading = readFile(text, at, strip);
		if (reading === undefined) {
			at = nextLine(text, at);
			continue;
		}
		files.push(reading.file);
		added += reading.file.added;
		removed += reading.file.removed;
		strip = reading.strip;
		at = reading.file.end;
	}
	return { files, added, removed, start: files[0]?.start ?? text.length, end: files.at(-1)?.end ?? text.length };
}

/** The diff of a file that begins at `at`, if one does. */
function readFile(text: string, at: number, strip: Strip): FileReading | undefined {
	switch (text.charCodeAt(at)) {
		case letterD: {
			const file = text.startsWith('diff --git ', at) ? readGitDiff(text, at, strip) : readCombined(text, at, strip);
			return file === undefined ? undefined : { file, strip };
		}
		case minus: {
			const plain = text.startsWith('--- ', at) ? plainHeader(text, at, strip) : undefined;
			return plain === undefined ? undefined : { file: withHunks(text, at, plain.header), strip: plain.strip };
		}
		default:
			return undefined;
	}
}

function readGitDiff(text: string, at: number, strip: Strip): FileDiff | undefined {
	const header = gitHeader(text, at, strip);
	if (header === undefined) {
		return undefined;
	}
	const binary = readBinary(text, header.end);
	if (binary === undefined) {
		return withHunks(text, at, header);
	}
	const { forward, reverse, damage, end } = binary;
	const content: DiffContent = { kind: 'binary', forward, reverse };
	return { ...header, content, added: 0, removed: 0, damage: together(header.damage, damage), start: at, end };
}

function withHunks(text: string, start: number, header: FileHeader): FileDiff {
	const { hunks, damage, added, removed, end } = readHunks(text, header.end);
	const content: DiffContent = { kind: 'text', hunks };
	return { ...header, content, added, removed, damage: together(header.damage, damage), start, end };
}

/** Hardly any file is damaged, and what is not made need not be cleared away. */
function together(inHeader: readonly Damage[], below: readonly Damage[]): readonly Damage[] {
	return below.length === 0 ? inHeader : [...inHeader, ...below];
}
