/** Longer lines are no statistics, and matching them would take long. */
const longestLine = 1000;

const statistics =
	/^ (?:\S.*\s\|\s+(?:\d+|Bin\b).*|\.\.\..*\|.*|\d+ files? changed\b.*|(?:create|delete) mode \d+ .*|(?:rename|copy|mode change) .*)$/;
const sum = /^ \d+ files? changed\b/;
const base = /^(?:base-commit|prerequisite-patch-id|change-id): \S{1,200}$/;
const author = /^\S.* \(\d{1,6}\):$/;

/** A line of a diffstat, of its sum, or of modes and renames below it. */
export function isStatistics(line: string): boolean {
	return line.length <= longestLine && statistics.test(line);
}

/**
 * Offset of the part that git writes below a cover letter or message: shortlog, diffstat and base commit. It goes to the
 * end of the text. The length of the text without such a part. A text ends above its signature and its diff; LF line
 * ends.
 */
export function generatedFrom(text: string): number {
	const lines = text.split('\n');
	let from = lines.length;
	let hasStatistics = false;
	for (;;) {
		let end = from;
		while (end > 0 && isGap(lines[end - 1])) {
			end -= 1;
		}
		let start = end;
		while (start > 0 && !isGap(lines[start - 1])) {
			start -= 1;
		}
		const paragraph = lines.slice(start, end);
		const isDiffstat =
			paragraph.length > 0 && paragraph.every(isStatistics) && paragraph.some((line) => sum.test(line));
		// Elsewhere people write such lists themselves.
		const isShortlog = hasStatistics && isOfAuthor(paragraph);
		if (!isDiffstat && !isShortlog && !isBase(paragraph)) {
			break;
		}
		hasStatistics ||= isDiffstat;
		from = start;
	}
	// The mark above a diffstat belongs to it.
	if (from < lines.length && lines[from - 1] === '---') {
		from -= 1;
	}
	return lines.slice(0, from).reduce((offset, line) => offset + line.length + 1, 0) - (from === lines.length ? 1 : 0);
}

function isGap(line: string | undefined): boolean {
	return line?.trim() === '' || line === '---';
}

function isBase(paragraph: readonly string[]): boolean {
	return paragraph.length > 0 && paragraph.every((line) => base.test(line));
}

function isOfAuthor([first = '', ...titles]: readonly string[]): boolean {
	return (
		first.length <= longestLine &&
		author.test(first) &&
		titles.length > 0 &&
		titles.every((line) => /^ {2}\S/.test(line))
	);
}
