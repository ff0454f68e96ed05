/** Lines behind this offset are ignored, to bound the time. */
const farthest = 1_000_000;

/** A line between dashes that mail programs put above a mail that they do not quote: `-----Original Message-----`. */
const dashedMark = /^-{4,} ?\p{L}[^-]{1,100}?(?:-\p{L}[^-]{1,100}?)? ?-{4,}$/u;
/** `On Mon, 03 Mar 2025 10:00:00 +0100 Ann Lee <ann@forge.test> wrote` between dashes. */
const dashedAttribution = /^-{4} ?\p{L}.{1,150}<[^<>\s]+@[^<>\s]+>.{0,30}-{4}$/u;
/** `label: text`, as programs write the head of a mail above one that they do not quote. */
const labelled = /^\*{0,2}[\p{L}\p{M}][\p{L}\p{M} ]{0,30}[:：]\*{0,2}\s*\S/u;
const address = /[^\s<>@]@[^\s<>@]/;
const subjectLike = /\[[^\]]{1,100}\]|[:：]\s*(?:re|aw|sv):/i;
/** A year and a time. */
const moment = /\b(?:19|20)\d\d(?!\d).{0,40}?\d{1,2}[:.]\d\d|\d{1,2}[:.]\d\d.{0,40}?\b(?:19|20)\d\d\b/;
const [fewestLabels, mostLabels] = [3, 8];
const longestLabelled = 200;

/**
 * The lines that a mail's writer wrote: not the quoted ones, not a diff, not the signature and not what was answered
 * below. Quoted lines are `undefined`, so that what stands around them stays apart. Without line ends.
 */
export function ownLines(text: string): readonly (string | undefined)[] {
	const all = text.slice(0, farthest).split('\n');
	const lines: (string | undefined)[] = [];
	let isBegun = false;
	let isInDiff = false;
	for (const [at, line] of all.entries()) {
		const bare = line.endsWith('\r') ? line.slice(0, -1) : line;
		if (isOriginalBelow(bare) || isEnd(all, at, isBegun)) {
			break;
		}
		isBegun ||= bare.trim() !== '';
		isInDiff = bare.startsWith('diff --') || (isInDiff && isStillDiff(bare, all[at - 1]));
		lines.push(isInDiff || /^[ \t]{0,8}[>|]/.test(bare) ? undefined : bare);
	}
	return lines;
}

/** At the head of a text, the head of a mail is that of a patch that was sent on. */
function isEnd(all: readonly string[], at: number, isBegun: boolean): boolean {
	return /^-- \r?$/.test(all[at] ?? '') || (isBegun && isMailHead(all, at));
}

/** A diff that somebody wrote into a text ends with a blank line and a line that is none of it. */
function isStillDiff(line: string, before: string | undefined): boolean {
	return isDiffLine(line) || before?.trim() !== '';
}

function isDiffLine(line: string): boolean {
	return (
		line.trim() === '' ||
		/^(?:[ +@\\-]|(?:index|old mode|new mode|new file|deleted file|similarity|rename|copy|Binary|GIT binary) )/.test(
			line,
		)
	);
}

/** Whether a line says that the mail that is answered follows it. */
export function isOriginalBelow(line: string): boolean {
	return (
		line.startsWith('--') &&
		line.length <= longestLabelled &&
		(dashedMark.test(line.trimEnd()) ||
			dashedAttribution.test(line.trimEnd()) ||
			/^-{2,}\s?original message/i.test(line))
	);
}

/**
 * Whether the head of a mail begins in a line: at least three lines `label: text` in a row, whatever their language, with a
 * moment in one line, and an address or a mark of subjects in one.
 */
export function isMailHead(lines: readonly string[], at: number): boolean {
	if (!isLabelled(lines[at] ?? '')) {
		return false;
	}
	const next = lines.slice(at, at + mostLabels).map((line) => line.slice(0, longestLabelled));
	const end = next.findIndex((line) => !isLabelled(line));
	const head = end === -1 ? next : next.slice(0, end);
	return (
		head.length >= fewestLabels &&
		head.some((line) => moment.test(line)) &&
		head.some((line) => address.test(line) || subjectLike.test(line))
	);
}

/** Keys of trailers have a hyphen or are some usual words. */
function isLabelled(line: string): boolean {
	const start = line.slice(0, longestLabelled);
	return labelled.test(start) && !/^(?:Fixes|Link|Closes|References|Implements)\s?:/i.test(start);
}
