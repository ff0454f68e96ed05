import { isFullId } from './blobId.ts';
import type { Damage, DamageKind, DiffContent, FileDiff, Hunk, ParsedDiff } from './fileDiff.ts';
import { gitHeader, isBareHeader, isNamelessHeader, loneHeaderPath, type FileHeader } from './gitHeader.ts';
import { hunkHeader } from './hunkHeader.ts';
import { isPatchBreak } from './patchBreak.ts';
import type { Strip } from './patchPath.ts';
import { plainHeader } from './plainHeader.ts';
import { readBinary } from './readBinary.ts';
import { readCombined } from './readCombined.ts';
import { damageOfHunks, readHunks, skipLooseLines } from './readHunks.ts';
import { nextLine } from './textLines.ts';

interface FileReading {
	readonly file: FileDiff;
	readonly strip: Strip;
}

const letterD = 0x64;
const minus = 0x2d;

/**
 * Parses every diff in a text like `git apply -p1`: unified diffs of git and `diff -u`, binary patches and merge diffs.
 * Ignores other text around them. If all names lack `a/` and `b/`, parses like `git apply -p0`. Never throws, but
 * records damage per file. Copies only names and sections. Takes linear time.
 */
export function parseDiff(text: string): ParsedDiff {
	const files = filesIn(text, 1);
	const isBare = files.map(({ start, content }) =>
		content.kind === 'combined' ? undefined : isBareHeader(text, start),
	);
	if (!isBare.includes(true)) {
		return parsed(text, files, false);
	}
	return isBare.includes(false)
		? parsed(
				text,
				files.map((file, at) => (isBare[at] ? withDamage(file, { kind: 'noPrefix', at: file.start }) : file)),
				false,
			)
		: parsed(text, filesIn(text, 0), true);
}

function filesIn(text: string, givenStrip: Strip): readonly FileDiff[] {
	const files = new Array<FileDiff>();
	const made = new Set<string>();
	let strip = givenStrip;
	/** False in the commit message: git ignores it. */
	let isPatch = false;
	/** Damage above all files. */
	let early: Damage | undefined;
	let at = 0;
	while (at < text.length) {
		const reading = readFile(text, at, strip);
		if (reading) {
			const { file } = reading;
			const begun = early ? withDamage({ ...file, start: early.at }, early) : file;
			files.push(madeOnce(withLoneHeader(text, files.at(-1), begun, strip), made));
			isPatch = true;
			early = undefined;
			strip = reading.strip;
			at = file.end;
			continue;
		}
		isPatch ||= isPatchBreak(text, at);
		const kind = isPatch ? damageOfLine(text, at, strip) : undefined;
		const end = kind === 'hunkApart' ? skipLooseLines(text, nextLine(text, at)) : nextLine(text, at);
		const last = kind && files.pop();
		if (kind && last) {
			files.push(withDamage({ ...last, end }, { kind, at }));
		} else if (kind) {
			early ??= { kind, at };
		}
		at = end;
	}
	return files;
}

/** Git keeps the names of a lone header line between two files until other lines name the next file. */
function withLoneHeader(text: string, last: FileDiff | undefined, file: FileDiff, strip: Strip): FileDiff {
	const from = last?.end ?? 0;
	const { change, newPath, start, content } = file;
	const at = from + `\n${text.slice(from, start)}`.lastIndexOf('\ndiff --git ');
	const path = at < from ? undefined : loneHeaderPath(text, at, strip);
	const isOther = newPath !== path && change === 'modified' && text.startsWith('diff --git ', start);
	const isMistaken = content.kind !== 'combined' && (change === 'added' || change === 'deleted' || isOther);
	return path !== undefined && isMistaken ? withDamage({ ...file, start: at }, { kind: 'loneHeader', at }) : file;
}

/** Git looks for the file only in the tree before the patch, so it does not refuse to create it twice. */
function madeOnce(file: FileDiff, made: Set<string>): FileDiff {
	const { change, newPath, start } = file;
	if (newPath === undefined || change === 'modified') {
		return file;
	}
	const isMadeAgain = made.has(newPath);
	made.add(newPath);
	return isMadeAgain ? withDamage(file, { kind: 'madeTwice', at: start }) : file;
}

function parsed(text: string, files: readonly FileDiff[], isBare: boolean): ParsedDiff {
	const sum = (of: (file: FileDiff) => number): number => files.reduce((all, file) => all + of(file), 0);
	return {
		files,
		isBare,
		added: sum(({ added }) => added),
		removed: sum(({ removed }) => removed),
		start: files[0]?.start ?? text.length,
		end: files.at(-1)?.end ?? text.length,
	};
}

/** Damage of a line between files. Git refuses the whole text; the neighbouring file gets the damage. */
function damageOfLine(text: string, at: number, strip: Strip): DamageKind | undefined {
	if (hunkHeader(text, at)) {
		return 'hunkApart';
	}
	// Git ignores the last line of a text.
	return isNamelessHeader(text, at, strip) && text.length >= nextLine(text, at) + 6 ? 'namelessHeader' : undefined;
}

function withDamage(file: FileDiff, damage: Damage): FileDiff {
	const isNoted = file.damage.some(({ kind }) => kind === damage.kind);
	return isNoted ? file : { ...file, damage: [...file.damage, damage] };
}

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
	const { forward, reverse, end } = binary;
	const isUnstated = forward !== undefined && ![header.oldId, header.newId].every(isFullId);
	// Git applies a binary patch only with both full ids.
	const damage = isUnstated ? [...binary.damage, { kind: 'badHeader', at } as const] : binary.damage;
	const content: DiffContent = { kind: 'binary', forward, reverse };
	return { ...header, content, added: 0, removed: 0, damage: together(header.damage, damage), start: at, end };
}

function withHunks(text: string, start: number, header: FileHeader): FileDiff {
	const { hunks, damage, added, removed, end } = readHunks(text, header.end);
	const content: DiffContent = { kind: 'text', hunks };
	const known = together(header.damage, damage);
	return {
		...header,
		content,
		added,
		removed,
		damage: known.length > 0 ? known : damageOfSound(text, start, header, hunks),
		start,
		end,
	};
}

function damageOfSound(text: string, at: number, header: FileHeader, hunks: readonly Hunk[]): readonly Damage[] {
	return hunks.length === 0 && !hasOwnChange(header)
		? [{ kind: 'onlyHeader', at }]
		: damageOfHunks(text, header.change, hunks);
}

function hasOwnChange({ change, oldMode, newMode }: FileHeader): boolean {
	return change !== 'modified' || (oldMode !== undefined && newMode !== undefined && oldMode !== newMode);
}

/** Allocates nothing for the many files without damage. */
function together(inHeader: readonly Damage[], below: readonly Damage[]): readonly Damage[] {
	return below.length === 0 ? inHeader : [...inHeader, ...below];
}
