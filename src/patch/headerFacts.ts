import { isDevNull, movedPath, namedPath, pathInLine, type Strip } from './patchPath.ts';
import type { FileChange } from './fileDiff.ts';

type Side = 'old' | 'new';

/** What the lines of a header have said so far; each of them adds to it. */
export interface HeaderFacts {
	/** The name that the line with `diff --git` says twice. */
	readonly statedName: string | undefined;
	readonly strip: Strip;
	/** Names that have no folder to be taken off. They count only when there are no others. */
	readonly bareNames: string[];
	change: FileChange;
	oldName: string | undefined;
	newName: string | undefined;
	/** The side that is said to be nothing, though no line before says that the file is new or deleted. */
	nothing: Side | undefined;
	oldMode: string | undefined;
	newMode: string | undefined;
	similarity: number | undefined;
	oldId: string | undefined;
	newId: string | undefined;
}

/** What is known of a file before any line of its header. Every fact has its place at once, so that all are made alike. */
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

/** Takes in a line, of which the words end at `at`. Returns false when git refuses it. */
type ReadLine = (facts: HeaderFacts, line: string, at: number) => boolean;

/** A line of a header. */
export interface HeaderLine {
	/** The words that it begins with. */
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

/** What the line that begins at `at` is to a header of git; `undefined` when it belongs to none. */
export function headerLineAt(text: string, at: number): HeaderLine | undefined {
	return linesByCode.get(text.charCodeAt(at))?.find(({ words }) => text.startsWith(words, at));
}

/** `index 0123abc..4567def 100644`, the mode where it does not change. */
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
	return space === -1 || readMode(facts, 'old', line, space + 1);
}

/** At most 64 digits, as long ids have. */
function isObjectId(text: string): boolean {
	return text.length <= 64 && /^[0-9a-f]+$/.test(text);
}

/**
 * A name that nothing can be taken off is passed over, as git does, so that no line can stand for another file than the
 * one that is changed. What is named already must not be named otherwise.
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
	setName(facts, side, name);
	if (isNothing) {
		facts.nothing ??= side;
	} else if (name === undefined) {
		const bare = pathInLine(line, at, 0);
		facts.bareNames.push(...(bare === undefined ? [] : [bare]));
	}
	return true;
}

function setName(facts: HeaderFacts, side: Side, name: string | undefined): void {
	if (side === 'old') {
		facts.oldName = name;
	} else {
		facts.newName = name;
	}
}

function readMode(facts: HeaderFacts, side: Side, line: string, at: number): boolean {
	const mode = modeAt(line, at);
	if (mode === undefined || !fileTypes.includes(mode >> typeShift)) {
		return false;
	}
	if (side === 'old') {
		facts.oldMode = sixDigits(mode);
	} else {
		facts.newMode = sixDigits(mode);
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
	facts.newMode = mode === undefined ? undefined : sixDigits(mode);
	return mode !== undefined && isFirst;
}

/** A file cannot be new and renamed, or the like. */
function setChange(facts: HeaderFacts, change: FileChange): boolean {
	const isFirst = facts.change === 'modified' || facts.change === change;
	facts.change = change;
	return isFirst;
}

function readSimilarity(facts: HeaderFacts, line: string, at: number): boolean {
	const percent = /^(\d{1,3})%/.exec(line.slice(at, at + 4))?.[1];
	if (percent !== undefined && Number(percent) <= 100) {
		facts.similarity = Number(percent);
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
/** Regular files, links, folders and submodules. Git finds no file of another type, but it creates a regular file for one. */
const fileTypes: readonly number[] = [regularType, 0o12, 0o04, 0o16];
const ownerExecutes = 0o100;

/** The octal number of any width in a line at offset `at`, as git reads it; `undefined` where there is none. */
function modeAt(line: string, at: number): number | undefined {
	const digits = /^[\t\v\f\r ]*\+?([0-7]+)(?=[\t\r ]|$)/.exec(line.slice(at))?.[1];
	const mode = digits === undefined ? Number.NaN : Number.parseInt(digits, 8);
	return mode <= mostMode ? mode : undefined;
}

/** Of the bits of a regular file git keeps only the owner's execute bit. */
function sixDigits(mode: number): string {
	const type = mode >> typeShift;
	if (type !== regularType && fileTypes.includes(type)) {
		return mode.toString(8).padStart(6, '0');
	}
	return (mode & ownerExecutes) === 0 ? '100644' : '100755';
}
