import type { FileHeader } from './gitHeader.ts';
import { looksLikeHunk } from './hunkHeader.ts';
import { isDevNull, isOpenQuote, isUnsafePath, quotedPath, strippedPath, type Strip } from './patchPath.ts';
import { lineAt, nextLine } from './textLines.ts';

/** `strip`: applies to the files below, too. */
export interface PlainHeader {
	readonly header: FileHeader;
	readonly strip: Strip;
}

/**
 * Reads `--- x` and `+++ y` of `diff -u` at `at`. `undefined` unless a hunk follows, because prose has such lines, too.
 * Like git, keeps names without a folder, and strips no names below.
 */
export function plainHeader(text: string, at: number, strip: Strip): PlainHeader | undefined {
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
	const nowStrip = stripOf(old, fresh, strip);
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

function sideOf(line: string): Side {
	const stamp = timeStampOf(line);
	const name = quotedPath(line, 0)?.path ?? withoutStamp(line, stamp);
	const isNull = isDevNull(line, 0);
	return { name, isMissing: isNull || (stamp !== '' && isEpoch(stamp)), isDevNull: isNull };
}

/** The timestamp of `diff` after a name: date and time, optionally with a fraction and a time zone. */
function timeStampOf(line: string): string {
	const tail = line.slice(-48);
	return /[ \t]\d{4}-\d\d-\d\d[ \t]\d\d:\d\d:\d\d(?:[.,]\d{1,9})?(?:[ \t][+-]\d\d:?\d\d)?$/.exec(tail)?.[0] ?? '';
}

function withoutStamp(line: string, stamp: string): string {
	if (stamp !== '') {
		return line.slice(0, line.length - stamp.length).trimEnd();
	}
	const tab = line.indexOf('\t');
	return tab === -1 ? line : line.slice(0, tab);
}

/** The Unix epoch: `diff -N` writes it for a missing file. */
function isEpoch(stamp: string): boolean {
	const [, date = '', time = '', fraction = '', zone = ''] =
		/(\d{4}-\d\d-\d\d)[ \t](\d\d:\d\d:\d\d)(?:[.,](\d+))?(?:[ \t]([+-]\d\d:?\d\d))?/.exec(stamp) ?? [];
	const zoned = zone === '' || zone.includes(':') ? zone : `${zone.slice(0, 3)}:${zone.slice(3)}`;
	return zoned !== '' && /^0*$/.test(fraction) && Date.parse(`${date}T${time}${zoned}`) === 0;
}

function stripOf(old: Side, fresh: Side, strip: Strip): Strip {
	const named = [old, fresh].filter(({ isDevNull: isNull }) => !isNull);
	return named.length > 0 && named.every(({ name }) => !name.includes('/')) ? 0 : strip;
}

function headerOf(at: number, old: Side, fresh: Side, strip: Strip, end: number): FileHeader {
	const path = old.isDevNull
		? strippedPath(fresh.name, strip)
		: fresh.isDevNull
			? strippedPath(old.name, strip)
			: shorterOf(strippedPath(old.name, strip), strippedPath(fresh.name, strip));
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

/** Picks `x` from `x` and `x.orig`; otherwise the second name. */
function shorterOf(first: string, second: string): string {
	return second.startsWith(first) ? first : second;
}
