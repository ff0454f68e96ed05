import { isDevNull, movedPath, namedPath, pathInLine, type Strip } from './patchPath.ts';
import type { FileChange } from './fileDiff.ts';

type Side = 'old' | 'new';

/** Accumulator for the lines of a header. */
export interface HeaderFacts {
	/** The name in the `diff --git` line. */
	readonly statedName: string | undefined;
	readonly strip: Strip;
	/** Names without a folder to strip. Used only without any other name. */
	readonly bareNames: string[];
	change: FileChange;
	oldName: string | undefined;
	newName: string | undefined;
	/** The side with `/dev/null`, if no line before marks the file as new or deleted. */
	nothing: Side | undefined;
	oldMode: string | undefined;
	newMode: string | undefined;
	similarity: number | undefined;
	oldId: string | undefined;
	newId: string | undefined;
}

/** Sets every property, so that all objects share one hidden class. */
export function noFacts(statedName: string | undefined, strip: Strip): HeaderFacts {
	return {
		statedName,
		strip,
		bareNames: [],
		change: 'modified',
		oldName: undefined,
		newName: undefined,
		nothing: undefined,
		oldMode: undefined,
		newMode: undefined,
		similarity: undefined,
		oldId: undefined,
		newId: undefined,
	};
}

/** `at`: offset after the keyword of the line. Returns false if git refuses the line. */
type ReadLine = (facts: HeaderFacts, line: string, at: number) => boolean;

export interface HeaderLine {
	/** Keyword at the start of the line. */
	readonly words: string;
	readonly read: ReadLine;
}

const headerLines: readonly HeaderLine[] = [
	{ words: 'index ', read: readIndex },
	{ words: '--- ', read: (facts, line, at) => readName(facts, 'old', line, at) },
	{ words: '+++ ', read: (facts, line, at) => readName(facts, 'new', line, at) },
	{ words: 'old mode ', read: (facts, line, at) => readMode(facts, 'old', line, at) },
	{ words: 'new mode ', read: (facts, line, at) => readMode(facts, 'new', line, at) },
	{ words: 'deleted file mode ', read: readDeletion },
	{ words: 'new file mode ', read: readCreation },
	{ words: 'similarity index ', read: readSimilarity },
	{ words: 'dissimilarity index ', read: () => true },
	{ words: 'rename from ', read: (facts, line, at) => moveFrom(facts, 'renamed', line, at) },
	{ words: 'rename to ', read: (facts, line, at) => moveTo(facts, 'renamed', line, at) },
	{ words: 'rename old ', read: (facts, line, at) => moveFrom(facts, 'renamed', line, at) },
	{ words: 'rename new ', read: (facts, line, at) => moveTo(facts, 'renamed', line, at) },
	{ words: 'copy from ', read: (facts, line, at) => moveFrom(facts, 'copied', line, at) },
	{ words: 'copy to ', read: (facts, line, at) => moveTo(facts, 'copied', line, at) },
];

const linesByCode = Map.groupBy(headerLines, ({ words }) => words.charCodeAt(0));

/** The kind of header line at `at`; `undefined` for other lines. */
export function headerLineAt(text: string, at: number): HeaderLine | undefined {
	return linesByCode.get(text.charCodeAt(at))?.find(({ words }) => text.startsWith(words, at));
}

/** `index 0123abc..4567def 100644`; the mode is present only if unchanged. */
function readIndex(facts: HeaderFacts, line: string, at: number): boolean {
	const dots = line.indexOf('.', at);
	if (dots === -1 || line.charAt(dots + 1) !== '.') {
		return true;
	}
	const space = line.indexOf(' ', dots);
	const oldId = line.slice(at, dots);
	const newId = line.slice(dots + 2, space === -1 ? line.length : space);
	if (isObjectId(oldId) && isObjectId(newId)) {
		facts.oldId = oldId;
		facts.newId = newId;
	}
	// Git leaves a line with longer ids at once.
	const isRead = [oldId, newId].every((id) => id.length <= sha1Digits || /^[0-9a-f]{64}$/.test(id));
	return space === -1 || !isRead || readMode(facts, 'old', line, space + 1);
}

const sha1Digits = 40;

/** At most 64 digits, the length of SHA-256. */
function isObjectId(text: string): boolean {
	return text.length <= 64 && /^[0-9a-f]+$/.test(text);
}

/**
 * Skips a name without a folder to strip, like git, so that no line can name another file than the changed one. A
 * second name for the same side must equal the first.
 */
function readName(facts: HeaderFacts, side: Side, line: string, at: number): boolean {
	const isNothing = isDevNull(line, at);
	const isMissing = facts.change === (side === 'old' ? 'added' : 'deleted');
	const known = side === 'old' ? facts.oldName : facts.newName;
	if (isMissing && known === undefined) {
		return isNothing;
	}
	const name = namedPath(line, at, facts.strip);
	if (known !== undefined) {
		return !isMissing && name === known;
	}
	if (side === 'old') {
		facts.oldName = name;
	} else {
		facts.newName = name;
	}
	if (isNothing) {
		facts.nothing ??= side;
	} else if (name === undefined) {
		const bare = pathInLine(line, at, 0);
		facts.bareNames.push(...(bare === undefined ? [] : [bare]));
	}
	return true;
}

function readMode(facts: HeaderFacts, side: Side, line: string, at: number): boolean {
	const mode = modeAt(line, at);
	// To git, zero is no mode, also where an earlier line stated one.
	if (mode !== 0 && !fileTypes.includes(mode >> typeShift)) {
		return false;
	}
	const stated = mode === 0 ? undefined : sixDigits(mode);
	if (side === 'old') {
		facts.oldMode = stated;
	} else {
		facts.newMode = stated;
	}
	return true;
}

function readDeletion(facts: HeaderFacts, line: string, at: number): boolean {
	const isFirst = setChange(facts, 'deleted');
	facts.oldName = facts.statedName;
	return readMode(facts, 'old', line, at) && isFirst;
}

function readCreation(facts: HeaderFacts, line: string, at: number): boolean {
	const isFirst = setChange(facts, 'added');
	facts.newName = facts.statedName;
	const mode = modeAt(line, at);
	const isMode = !Number.isNaN(mode);
	facts.newMode = isMode ? sixDigits(mode) : undefined;
	return isMode && isFirst;
}

/** Returns false for a second, different change, such as new and renamed. */
function setChange(facts: HeaderFacts, change: FileChange): boolean {
	const isFirst = facts.change === 'modified' || facts.change === change;
	facts.change = change;
	return isFirst;
}

function readSimilarity(facts: HeaderFacts, line: string, at: number): boolean {
	const percent = Number(/^(\d{1,3})%/.exec(line.slice(at, at + 4))?.[1]);
	if (percent <= 100) {
		facts.similarity = percent;
	}
	return true;
}

function moveFrom(facts: HeaderFacts, change: 'renamed' | 'copied', line: string, at: number): boolean {
	facts.oldName = movedPath(line, at);
	return setChange(facts, change);
}

function moveTo(facts: HeaderFacts, change: 'renamed' | 'copied', line: string, at: number): boolean {
	facts.newName = movedPath(line, at);
	return setChange(facts, change);
}

const mostMode = 0o177_777;
const typeShift = 12;
const regularType = 0o10;
/**
 * Regular files, links, folders and submodules. Git finds no file of another type, but it creates a regular file for
 * one.
 */
const fileTypes: readonly number[] = [regularType, 0o12, 0o04, 0o16];
const ownerExecutes = 0o100;

/** Octal number of any width at offset `at`, parsed like git does. NaN without a valid one. */
function modeAt(line: string, at: number): number {
	const digits = /^[\t\v\f\r ]*\+?([0-7]+)(?=[\t\r ]|$)/.exec(line.slice(at))?.[1] ?? '';
	const mode = Number.parseInt(digits, 8);
	return mode <= mostMode ? mode : Number.NaN;
}

/** Git keeps only the owner's execute bit of a regular file. */
function sixDigits(mode: number): string {
	const type = mode >> typeShift;
	if (type !== regularType && fileTypes.includes(type)) {
		return mode.toString(8).padStart(6, '0');
	}
	return (mode & ownerExecutes) === 0 ? '100644' : '100755';
}
