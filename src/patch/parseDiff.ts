import type { Damage, DiffContent, FileDiff, ParsedDiff } from './fileDiff.ts';
import { gitHeader, type FileHeader } from './gitHeader.ts';
import { hunkHeader } from './hunkHeader.ts';
import { isPatchBreak } from './patchBreak.ts';
import type { Strip } from './patchPath.ts';
import { plainHeader } from './plainHeader.ts';
import { readBinary } from './readBinary.ts';
import { readCombined } from './readCombined.ts';
import { readHunks, skipLooseLines } from './readHunks.ts';
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
	let strip: Strip = 1;
	/** Git looks at no line of the message above. */
	let isPatch = false;
	let apartAt = -1;
	let at = 0;
	while (at < text.length) {
		const reading = readFile(text, at, strip);
		if (reading) {
			const { file } = reading;
			files.push(apartAt < 0 ? file : withHunkApart(file, apartAt, { start: apartAt, end: file.end }));
			isPatch = true;
			apartAt = -1;
			strip = reading.strip;
			at = file.end;
		} else if (isPatch && hunkHeader(text, at)) {
			const end = skipLooseLines(text, nextLine(text, at));
			const last = files.pop();
			if (last) {
				files.push(withHunkApart(last, at, { start: last.start, end }));
			} else if (apartAt < 0) {
				apartAt = at;
			}
			at = end;
		} else {
			isPatch ||= isPatchBreak(text, at);
			at = nextLine(text, at);
		}
	}
	return parsed(text, files);
}

function parsed(text: string, files: readonly FileDiff[]): ParsedDiff {
	const sum = (of: (file: FileDiff) => number): number => files.reduce((all, file) => all + of(file), 0);
	return {
		files,
		added: sum(({ added }) => added),
		removed: sum(({ removed }) => removed),
		start: files[0]?.start ?? text.length,
		end: files.at(-1)?.end ?? text.length,
	};
}

/** Git applies nothing of a text in which a hunk stands apart from its file. It is shown with the file that is next to it. */
function withHunkApart(file: FileDiff, at: number, place: Pick<FileDiff, 'start' | 'end'>): FileDiff {
	const isNoted = file.damage.at(-1)?.kind === 'hunkApart';
	return { ...file, ...place, damage: isNoted ? file.damage : [...file.damage, { kind: 'hunkApart', at }] };
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
