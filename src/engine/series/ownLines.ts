/** Lines behind this offset are ignored, to bound the time. */
const farthest = 1_000_000;

/** A dashed line above an unquoted original mail: `-----Original Message-----`. */
const dashedMark = /^-{4,} ?\p{L}[^-]{1,100}?(?:-\p{L}[^-]{1,100}?)? ?-{4,}$/u;
/** `On Mon, 03 Mar 2025 10:00:00 +0100 Ann Lee <ann@forge.test> wrote` between dashes. */
const dashedAttribution = /^-{4} ?\p{L}.{1,150}<[^<>\s]+@[^<>\s]+>.{0,30}-{4}$/u;
/** `label: text` in the head of an unquoted original mail. */
const labelled = /^\*{0,2}[\p{L}\p{M}][\p{L}\p{M} ]{0,30}[:：]\*{0,2}\s*\S/u;
const address = /[^\s<>@]@[^\s<>@]/;
const subjectLike = /\[[^\]]{1,100}\]|[:：]\s*(?:re|aw|sv):/i;
/** A year and a time. */
const moment = /\b(?:19|20)\d\d(?!\d).{0,40}?\d[:.]\d\d|\d[:.]\d\d.{0,40}?\b(?:19|20)\d\d\b/;
const [fewestLabels, mostLabels] = [3, 8];
/** Lines of a head with folded recipients, and blank ones. */
const farthestQuotation = 24;
const quoted = /^[ \t]{0,8}[>|]/;
const longestLabelled = 200;

/**
 * The lines of a mail by its own writer, without line ends: no quotations, diffs, signature or original mail below.
 * Quoted lines are `undefined`, which separates the text around them.
 */
export function ownLines(text: string): readonly (string | undefined)[] {
	const all = text.slice(0, farthest).split('\n');
	const lines: (string | undefined)[] = [];
	let isBegun = false;
	let isInDiff = false;
	for (const [at, line] of all.entries()) {
		const bare = line.endsWith('\r') ? line.slice(0, -1) : line;
		// At the top of a text, a mail head belongs to a forwarded patch.
		const isMark = isOriginalBelow(bare) || (isBegun && isMailHead(all, at));
		if (bare === '-- ' || (isMark && !isAboveQuotation(all, at))) {
			break;
		}
		isBegun ||= bare.trim() !== '';
		// A diff inside a text ends at a blank line before a line of another kind.
		isInDiff = bare.startsWith('diff --') || (isInDiff && (isDiffLine(bare) || all[at - 1]!.trim() !== ''));
		lines.push(isInDiff || isMark || quoted.test(bare) ? undefined : bare);
	}
	return lines;
}

function isDiffLine(line: string): boolean {
	return (
		line.trim() === '' ||
		/^(?:[ +@\\-]|(?:index|old mode|new mode|new file|deleted file|similarity|rename|copy|Binary|GIT binary) )/.test(
			line,
		)
	);
}

/** True if the original mail follows this line. */
export function isOriginalBelow(line: string): boolean {
	return (
		line.length <= longestLabelled &&
		(dashedMark.test(line.trimEnd()) ||
			dashedAttribution.test(line.trimEnd()) ||
			/^-{2,}\s?original message/i.test(line))
	);
}

/** True if marked lines follow a mark and its mail head, which makes the mark an attribution. */
export function isAboveQuotation(lines: readonly string[], at: number): boolean {
	let isHead = true;
	for (const line of lines.slice(at + 1, at + 1 + farthestQuotation)) {
		if (quoted.test(line)) {
			return true;
		}
		isHead &&= line.trim() === '' || labelled.test(line.slice(0, longestLabelled)) || /^[ \t]/.test(line);
		if (!isHead) {
			return false;
		}
	}
	return false;
}

/**
 * True if a mail head starts here: at least three lines `label: text` in any language, with a time in one line and an
 * address or a subject tag in another.
 */
export function isMailHead(lines: readonly string[], at: number): boolean {
	const next = lines.slice(at, at + mostLabels);
	const end = next.findIndex((line) => !isLabelled(line));
	const head = (end === -1 ? next : next.slice(0, end)).map((line) => line.slice(0, longestLabelled));
	return (
		head.length >= fewestLabels &&
		head.some((line) => moment.test(line)) &&
		head.some((line) => address.test(line) || subjectLike.test(line))
	);
}

/** Keys of trailers contain a hyphen or are well-known words. */
function isLabelled(line: string): boolean {
	const start = line.slice(0, longestLabelled);
	return labelled.test(start) && !/^(?:Fixes|Link|Closes|References|Implements)\s?:/i.test(start);
}
