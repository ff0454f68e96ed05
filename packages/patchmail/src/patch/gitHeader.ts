import { headerLineAt, noFacts, type HeaderFacts } from './headerFacts.ts';
import { lineAt, nextLine } from './textLines.ts';
import { isDevNull, isOpenQuote, isUnsafePath, pathInLine, quotedPath, strippedPath, type Strip } from './patchPath.ts';
import type { Damage, DamageKind, FileChange } from './fileDiff.ts';

/** The lines above a file's hunks or binary data. */
export interface FileHeader {
	readonly change: FileChange;
	readonly oldPath: string | undefined;
	readonly newPath: string | undefined;
	readonly oldMode: string | undefined;
	readonly newMode: string | undefined;
	readonly similarity: number | undefined;
	readonly oldId: string | undefined;
	readonly newId: string | undefined;
	/** Contradicting and malformed lines. */
	readonly damage: readonly Damage[];
	/** Exclusive. */
	readonly end: number;
}

const diffGit = 'diff --git ';
const naming = /^(?:---|\+\+\+|rename|copy) /;
const sound: readonly Damage[] = [];

/**
 * Reads the header that begins with `diff --git` at `at`. `undefined` without a header line below, since prose may
 * begin like that, and without a name. Damage marks everything that git refuses.
 */
export function gitHeader(text: string, at: number, strip: Strip): FileHeader | undefined {
	const first = nextLine(text, at);
	if (headerLineAt(text, first) === undefined) {
		return undefined;
	}
	const names = lineAt(text, at).slice(diffGit.length);
	const facts = noFacts(nameStatedTwice(names, strip), strip);
	let damageAt = -1;
	let end = first;
	for (let line = headerLineAt(text, end); line !== undefined; line = headerLineAt(text, end)) {
		const isRead = line.read(facts, lineAt(text, end), line.words.length);
		const isSound = isRead && !(naming.test(line.words) && isOpenQuote(text, end + line.words.length));
		damageAt = isSound || damageAt >= 0 ? damageAt : end;
		end = nextLine(text, end);
	}
	const found = pathsOf(facts, names);
	if (found === undefined) {
		return undefined;
	}
	const { kind = unusable(found, facts) } = found;
	return headerOf(facts, found, damageAt >= 0 ? { kind: 'badHeader', at: damageAt } : kind && { kind, at }, end);
}

/** Why git cannot write the file of a sound header. */
function unusable({ change, old, new: fresh }: FoundPaths, { newMode }: HeaderFacts): DamageKind | undefined {
	if (isUnsafePath(old) || isUnsafePath(fresh)) {
		return 'unsafePath';
	}
	return change === 'added' && newMode?.startsWith('04') === true ? 'folderMode' : undefined;
}

/** The path of a `diff --git` line at `at`. */
export function headerPath(text: string, at: number, strip: Strip): string | undefined {
	return nameStatedTwice(lineAt(text, at).slice(diffGit.length), strip);
}

/** Whether the line at `at` is a `diff --git` without a name. Git then refuses the whole text. */
export function isNamelessHeader(text: string, at: number, strip: Strip): boolean {
	return text.startsWith(diffGit, at) && headerPath(text, at, strip) === undefined;
}

/** Whether the file header at `at` has names without `a/` and `b/`; `undefined` if ambiguous. */
export function isBareHeader(text: string, at: number): boolean | undefined {
	if (!text.startsWith(diffGit, at)) {
		const [old = '', fresh = ''] = namesIn(text, at, namedSides).map(unquoted);
		if (!old.includes('/')) {
			// With -p1, git finds no name of a deleted file without a folder.
			return (text.startsWith('--- ', at) && isDevNull(text, nextLine(text, at) + '+++ '.length)) || undefined;
		}
		return fresh === '' ? undefined : old === fresh;
	}
	const names = lineAt(text, at).slice(diffGit.length);
	if (/^"?a\/.* "?b\//.test(names)) {
		return false;
	}
	const stated = halved(names);
	return stated === undefined
		? names === namesIn(text, nextLine(text, at), movedSides).join(' ')
		: namesIn(text, nextLine(text, at), namedSides).every((name) => unquoted(name) === unquoted(stated));
}

const namedSides: readonly string[] = ['--- ', '+++ '];
const movedSides: readonly string[] = ['rename from ', 'rename to ', 'copy from ', 'copy to '];

/** Names in the wanted header lines, as they are written, without `/dev/null`. */
function namesIn(text: string, at: number, wanted: readonly string[]): readonly string[] {
	const names: string[] = [];
	let next = at;
	for (let line = headerLineAt(text, next); line !== undefined && names.length < 2; line = headerLineAt(text, next)) {
		const { words } = line;
		const written = lineAt(text, next).slice(words.length);
		if (wanted.includes(words) && !isDevNull(written, 0)) {
			names.push(written);
		}
		next = nextLine(text, next);
	}
	return names;
}

function unquoted(written: string): string | undefined {
	return pathInLine(written, 0, 0);
}

function headerOf(facts: HeaderFacts, found: FoundPaths, wrong: Damage | undefined, end: number): FileHeader {
	const { change } = found;
	const oldPath = change === 'added' ? undefined : found.old;
	const newPath = change === 'deleted' ? undefined : found.new;
	const { similarity, oldId, newId } = facts;
	const newMode = change === 'deleted' ? undefined : (facts.newMode ?? facts.oldMode);
	// A new mode equal to the old one still changes a file that has another mode.
	const isSet = facts.newMode === facts.oldMode && change !== 'deleted';
	const oldMode = change === 'added' || isSet ? undefined : facts.oldMode;
	const damage = wrong === undefined ? sound : [wrong];
	return { change, oldPath, newPath, oldMode, newMode, similarity, oldId, newId, damage, end };
}

interface FoundPaths {
	readonly change: FileChange;
	readonly old: string;
	readonly new: string;
	/** Why git refuses these paths. */
	readonly kind: DamageKind | undefined;
}

/** Prefers the name of each side, then the name of the `diff --git` line. */
function pathsOf(facts: HeaderFacts, names: string): FoundPaths | undefined {
	const { change, oldName, newName, statedName, nothing } = facts;
	const name = statedName ?? oldName ?? newName;
	if (name === undefined) {
		return barePathsOf(facts, names);
	}
	if (nothing !== undefined) {
		// No line marks the file as new or deleted.
		const path = statedName ?? (nothing === 'old' ? newName : oldName) ?? 'dev/null';
		const made = nothing === 'old' ? 'added' : 'deleted';
		return { change: change === 'modified' ? made : change, old: path, new: path, kind: 'devNull' };
	}
	// An added file has only a new name, a deleted file only an old one, others have both.
	const isFitting =
		(oldName === undefined) === (change === 'added') && (newName === undefined) === (change === 'deleted');
	const isSound = (oldName === undefined && newName === undefined) || isFitting;
	return { change, old: oldName ?? name, new: newName ?? name, kind: isSound ? undefined : 'badHeader' };
}

/** Names without any folder, from `git diff --no-prefix`. Git applies them only with `-p0`. */
function barePathsOf({ change, bareNames }: HeaderFacts, names: string): FoundPaths | undefined {
	const stated = halved(names);
	const name = stated ?? bareNames[0];
	if (name === undefined) {
		return undefined;
	}
	const isSound = stated !== undefined && !name.includes('/') && bareNames.every((bare) => bare === name);
	return { change, old: name, new: name, kind: isSound ? undefined : 'badHeader' };
}

const blank = 0x20;
const tab = 0x09;

/**
 * The path in `a/x b/x` of a line `diff --git a/x b/x`. `undefined` if the two names differ or their border is
 * ambiguous, as in renames. The header of a rename has its paths in other lines.
 */
function nameStatedTwice(names: string, strip: Strip): string | undefined {
	const name = statedTwice(names, strip);
	return name === '' ? undefined : name;
}

function statedTwice(names: string, strip: Strip): string | undefined {
	const first = quotedPath(names, 0);
	if (first !== undefined) {
		const rest = names.slice(first.end).trimStart();
		const second = quotedPath(rest, 0)?.path ?? rest;
		const path = bare(first.path, strip);
		return path !== undefined && path === bare(second, strip) ? strippedPath(first.path, strip) : undefined;
	}
	const quote = names.indexOf('"');
	if (quote > 0) {
		const second = quotedPath(names, quote);
		const before = names.charCodeAt(quote - 1);
		if (second === undefined || (before !== blank && before !== tab)) {
			return undefined;
		}
		const path = bare(second.path, strip);
		return path === bare(names.slice(0, quote - 1), strip) ? path : undefined;
	}
	return strip === 0 ? halved(names) : behindFolders(names);
}

function bare(path: string, strip: Strip): string | undefined {
	const slash = strip === 0 ? -1 : path.indexOf('/');
	return slash === 0 || (strip === 1 && slash === -1) ? undefined : path.slice(slash + 1);
}

/**
 * Finds the border between the two names. Both paths have the same length, so only one border is possible: the loop
 * visits each slash once and compares text once.
 */
function behindFolders(names: string): string | undefined {
	const start = names.indexOf('/') + 1;
	if (start <= 1) {
		return undefined;
	}
	let before = start - 1;
	for (let slash = names.indexOf('/', start); slash !== -1; slash = names.indexOf('/', slash + 1)) {
		const end = start + names.length - slash - 1;
		const separator = names.charCodeAt(end);
		if (before <= end && end + 1 < slash && (separator === blank || separator === tab)) {
			return names.slice(start, end) === names.slice(slash + 1) ? names.slice(start, end) : undefined;
		}
		before = slash;
	}
	return undefined;
}

function halved(names: string): string | undefined {
	const length = (names.length - 1) / 2;
	const separator = names.charCodeAt(length);
	if (!Number.isInteger(length) || length < 1 || (separator !== blank && separator !== tab)) {
		return undefined;
	}
	const name = names.slice(0, length);
	return names.endsWith(name) ? name : undefined;
}
