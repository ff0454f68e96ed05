import { decodeBase85, lineBytes } from './base85.ts';
import { isFullId } from './blobId.ts';
import type { Damage, DamageKind, DiffContent, FileDiff, ParsedDiff, BinaryData } from './fileDiff.ts';
import { gitHeader, isBareHeader, isNamelessHeader, headerPath, type FileHeader } from './gitHeader.ts';
import { hunkHeader, looksLikeHunk } from './hunkHeader.ts';
import { isPatchBreak } from './patchBreak.ts';
import { type Strip, isDevNull, isOpenQuote, isUnsafePath, quotedPath, strippedPath } from './patchPath.ts';
import { readCombined } from './readCombined.ts';
import { damageOfHunks, readHunks, skipLooseLines } from './readHunks.ts';
import { nextLine, lineAt } from './textLines.ts';

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
	const isBare = files.map(({ start }) => isBareHeader(text, start));
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
		let kind: DamageKind | undefined;
		if (isPatch && hunkHeader(text, at)) {
			kind = 'hunkApart';
		} else if (isPatch && isNamelessHeader(text, at, strip) && text.length >= nextLine(text, at) + 6) {
			// Git ignores the last line of a text.
			kind = 'namelessHeader';
		}
		// Git refuses the whole text; the neighbouring file gets the damage.
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
	const path = at < from ? undefined : headerPath(text, at, strip);
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
	const { change, oldMode, newMode } = header;
	const setsMode = oldMode !== undefined && newMode !== undefined && oldMode !== newMode;
	const isOnlyHeader = hunks.length === 0 && change === 'modified' && !setsMode;
	return {
		...header,
		content,
		added,
		removed,
		damage:
			known.length > 0
				? known
				: isOnlyHeader
					? [{ kind: 'onlyHeader', at: start }]
					: damageOfHunks(text, change, hunks),
		start,
		end,
	};
}

/** Allocates nothing for the many files without damage. */
function together(inHeader: readonly Damage[], below: readonly Damage[]): readonly Damage[] {
	return below.length === 0 ? inHeader : [...inHeader, ...below];
}

/** `strip`: applies to the files below, too. */
interface PlainHeader {
	readonly header: FileHeader;
	readonly strip: Strip;
}

/**
 * Reads `--- x` and `+++ y` of `diff -u` at `at`. `undefined` unless a hunk follows, because prose has such lines, too.
 * Like git, keeps names without a folder, and strips no names below a new name without one.
 */
function plainHeader(text: string, at: number, strip: Strip): PlainHeader | undefined {
	const second = nextLine(text, at);
	if (!text.startsWith('+++ ', second)) {
		return undefined;
	}
	const end = nextLine(text, second);
	if (!looksLikeHunk(text, end)) {
		return undefined;
	}
	const old = sideOf(lineAt(text, at).slice(4));
	const fresh = sideOf(lineAt(text, second).slice(4));
	if (old.name === '' || fresh.name === '') {
		return undefined;
	}
	const nowStrip = fresh.name.includes('/') ? strip : 0;
	const header = headerOf(at, old, fresh, nowStrip, end);
	const isOpen = [at, second].some((line) => isOpenQuote(text, line + 4));
	return { header: isOpen ? { ...header, damage: [{ kind: 'badHeader', at }] } : header, strip: nowStrip };
}

interface Side {
	/** Verbatim, without its timestamp. */
	readonly name: string;
	/** `/dev/null`, or a file with the timestamp 0. */
	readonly isMissing: boolean;
	readonly isDevNull: boolean;
}

/** The timestamp of `diff` after a name: date and time, optionally with a fraction and a time zone. */
const timeStamp = /[ \t]\d{4}-\d\d-\d\d[ \t]\d\d:\d\d:\d\d(?:[.,]\d{1,9})?(?:[ \t][+-]\d\d:?\d\d)?$/;

function sideOf(line: string): Side {
	const [stamp = ''] = timeStamp.exec(line.slice(-48)) ?? [];
	const [beforeTab] = line.split('\t', 1);
	const unquoted = stamp === '' ? beforeTab! : line.slice(0, line.length - stamp.length).trimEnd();
	const name = quotedPath(line, 0)?.path ?? unquoted;
	// `diff -N` writes the Unix epoch for a missing file.
	const [, date, time, hours, minutes] =
		/(\S+)[ \t](\d\d:\d\d:\d\d)(?:[.,]0+)?[ \t]([+-]\d\d):?(\d\d)$/.exec(stamp) ?? [];
	const isEpoch = Date.parse(`${date}T${time}${hours}:${minutes}`) === 0;
	const isNull = isDevNull(line, 0);
	return { name, isMissing: isNull || isEpoch, isDevNull: isNull };
}

function headerOf(at: number, old: Side, fresh: Side, strip: Strip, end: number): FileHeader {
	const [oldName, newName] = [strippedPath(old.name, strip), strippedPath(fresh.name, strip)];
	// Picks `x` from `x` and `x.orig`; otherwise the new name.
	const shorter = newName.startsWith(oldName) ? oldName : newName;
	const path = old.isDevNull ? newName : fresh.isDevNull ? oldName : shorter;
	const isAdded = old.isMissing;
	const isDeleted = !isAdded && fresh.isMissing;
	return {
		change: isAdded ? 'added' : isDeleted ? 'deleted' : 'modified',
		oldPath: isAdded ? undefined : path,
		newPath: isDeleted ? undefined : path,
		oldMode: undefined,
		newMode: undefined,
		similarity: undefined,
		oldId: undefined,
		newId: undefined,
		damage: isUnsafePath(path) ? [{ kind: 'unsafePath', at }] : [],
		end,
	};
}

interface BinaryReading {
	readonly forward: BinaryData | undefined;
	readonly reverse: BinaryData | undefined;
	readonly damage: readonly Damage[];
	readonly end: number;
}

/** Reads `GIT binary patch` or `Binary files … differ` at `at`; `undefined` for other lines. */
function readBinary(text: string, at: number): BinaryReading | undefined {
	// Git ignores the binary data if this line has any further text.
	if (lineAt(text, at) !== 'GIT binary patch') {
		const isNotice = text.startsWith('Binary files ', at) || text.startsWith('Files ', at);
		return isNotice && lineAt(text, at).endsWith(' differ')
			? { forward: undefined, reverse: undefined, damage: [], end: nextLine(text, at) }
			: undefined;
	}
	const start = nextLine(text, at);
	const forward = readData(text, start);
	if (forward?.data === undefined) {
		const damage = [{ kind: 'badBinary', at: start } as const];
		return { forward: undefined, reverse: undefined, damage, end: forward?.end ?? start };
	}
	const reverse = readData(text, forward.end);
	if (reverse !== undefined && reverse.data === undefined) {
		const damage = [{ kind: 'badBinary', at: forward.end } as const];
		return { forward: forward.data, reverse: undefined, damage, end: reverse.end };
	}
	return { forward: forward.data, reverse: reverse?.data, damage: [], end: reverse?.end ?? forward.end };
}

interface DataReading {
	/** `undefined` for malformed lines. */
	readonly data: BinaryData | undefined;
	/** Offset after the data, with the empty line at its end. */
	readonly end: number;
}

function readData(text: string, at: number): DataReading | undefined {
	const [, method, digits = ''] = /^(literal|delta) (\d{1,15})/.exec(text.slice(at, at + 24)) ?? [];
	if (method !== 'literal' && method !== 'delta') {
		return undefined;
	}
	const start = nextLine(text, at);
	let end = start;
	for (; end < text.length; end = nextLine(text, end)) {
		const { length } = lineAt(text, end);
		if (length === 0) {
			const isSound = decodeBase85(text, start, end) !== undefined;
			const data: BinaryData | undefined = isSound ? { method, size: Number(digits), start, end } : undefined;
			return { data, end: nextLine(text, end) };
		}
		// A letter for the number of bytes, then five characters per four bytes.
		const bytes = lineBytes(text.charCodeAt(end));
		const most = ((length - 1) / 5) * 4;
		if (length < 6 || (length - 1) % 5 !== 0 || bytes === 0 || bytes > most || bytes <= most - 4) {
			return { data: undefined, end };
		}
	}
	return { data: undefined, end };
}
