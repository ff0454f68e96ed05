/** A trailer of a commit message, as git reads it. */
export interface Trailer {
	readonly key: string;
	/** Without the blanks around it; a value that goes on over several lines is one line. */
	readonly value: string;
}

/** The trailers that a forge acts on when a push brings them (docs/protocol.md#commit-trailers). */
export const actingTrailers = ['Closes', 'Fixes', 'Implements', 'References'] as const;
export type ActingTrailer = (typeof actingTrailers)[number];

/** Prefixes by which git knows its own trailers, even among lines that are none. */
const made = ['Signed-off-by: ', '(cherry picked from commit '];

/**
 * The trailers of a commit message by the rules of `git interpret-trailers`: they stand in the last paragraph, which
 * is not the first; that paragraph holds nothing else, or one line of git's own making and a quarter trailers. Lines
 * that begin with `commentLeader` are no part of the message.
 */
export function trailersOf(message: string, commentLeader = '#'): readonly Trailer[] {
	const lines = linesOf(message);
	const start = trailerStart(lines, commentLeader);
	const found: { key: string; value: string }[] = [];
	for (const line of lines.slice(start)) {
		const last = found.at(-1);
		const isComment = line.startsWith(commentLeader);
		const at = isComment ? -1 : separatorOf(line);
		if (isIndented(line) && last) {
			last.value = trimmed(`${last.value} ${trimmed(line)}`);
		} else if (at > 0) {
			found.push({ key: trimmed(line.slice(0, at)), value: trimmed(line.slice(at + 1)) });
		} else if (!isBlank(line)) {
			// What is no trailer ends the one before it, and a comment does, too.
			found.push({ key: '', value: '' });
		}
	}
	return found.filter(({ key }) => key !== '');
}

/** Whether the last paragraph of a message is one of trailers, so that no blank line separates the next trailer from it. */
export function endsInTrailers(message: string): boolean {
	const lines = linesOf(message);
	return trailerStart(lines, '#') < lines.length;
}

/** The acting trailer that a key stands for, in whatever case it is written. */
export function actingTrailer(key: string): ActingTrailer | undefined {
	return actingTrailers.find((each) => each.toLowerCase() === key.toLowerCase());
}

/**
 * True when a trailer may be written into line `at` (from 0) of a message, in the place of what stands there: git would
 * read it as one.
 */
export function mayBeTrailer(message: string, at: number, commentLeader = '#'): boolean {
	const lines = linesOf(message);
	const line = lines[at] ?? '';
	if (line.startsWith(commentLeader) || (isIndented(line) && !isBlank(line))) {
		return false;
	}
	const mark = 'The-trailer-in-question';
	return trailersOf(lines.with(at, `${mark}: here`).join('\n'), commentLeader).some(({ key }) => key === mark);
}

/** The message with one more trailer at its end. What stands there is not touched; a trailer that is there already stays alone. */
export function withTrailer(message: string, { key, value }: Trailer): string {
	const isThere = trailersOf(message).some((each) => each.key === key && each.value === value);
	if (isThere || message.split(/\r?\n/).includes(`${key}: ${value}`)) {
		return message;
	}
	const text = message.trimEnd();
	const gap = endsInTrailers(text) ? '\n' : '\n\n';
	return `${text}${gap}${key}: ${value}`;
}

/**
 * Where the message in a file ends that git lets people edit: what stands below the scissors is cut off, such as the
 * changes that `git commit --verbose` shows.
 */
export function messageEnd(text: string): number {
	const scissors = text.search(/^# -+ >8 -+\r?$/m);
	return scissors === -1 ? text.length : scissors;
}

function linesOf(message: string): readonly string[] {
	return message.split(/\r?\n/);
}

/** First line of the last paragraph when it is one of trailers, else the number of lines. */
function trailerStart(lines: readonly string[], commentLeader: string): number {
	const titleEnd = lines.findIndex(isBlank);
	const tally = { trailers: 0, others: 0, mayGoOn: 0, isGits: false, isBlank: true };
	if (titleEnd === -1) {
		return lines.length;
	}
	for (let at = lines.length - 1; at >= titleEnd; at--) {
		const line = lines[at] ?? '';
		if (isBlank(line)) {
			if (tally.isBlank) {
				continue;
			}
			tally.others += tally.mayGoOn;
			const isBlock = tally.isGits ? tally.trailers * 3 >= tally.others : tally.trailers > 0 && tally.others === 0;
			return isBlock ? at + 1 : lines.length;
		}
		count(tally, line, commentLeader);
	}
	return lines.length;
}

interface Tally {
	trailers: number;
	others: number;
	/** Indented lines below, which belong to the line above them if that is a trailer. */
	mayGoOn: number;
	isGits: boolean;
	isBlank: boolean;
}

function count(tally: Tally, line: string, commentLeader: string): void {
	if (line.startsWith(commentLeader)) {
		tally.others += tally.mayGoOn;
		tally.mayGoOn = 0;
		return;
	}
	tally.isBlank = false;
	if (made.some((prefix) => line.startsWith(prefix))) {
		tally.trailers += 1;
		tally.mayGoOn = 0;
		tally.isGits = true;
	} else if (isIndented(line)) {
		tally.mayGoOn += 1;
	} else if (separatorOf(line) > 0) {
		tally.trailers += 1;
		tally.mayGoOn = 0;
	} else {
		tally.others += 1 + tally.mayGoOn;
		tally.mayGoOn = 0;
	}
}

/** Git knows the blanks of ASCII and no others. */
function isBlank(line: string): boolean {
	return /^[ \t\r]*$/.test(line);
}

function isIndented(line: string): boolean {
	return /^[ \t\r]/.test(line);
}

/** Counted by hand: a pattern for the end of a text begins anew at every blank in the middle. */
function trimmed(text: string): string {
	let start = 0;
	let end = text.length;
	while (start < end && isIndented(text.charAt(start))) {
		start += 1;
	}
	while (end > start && isIndented(text.charAt(end - 1))) {
		end -= 1;
	}
	return text.slice(start, end);
}

/** Place of the colon after letters, digits and hyphens, and perhaps blanks; -1 in what is no trailer. */
function separatorOf(line: string): number {
	return (/^[A-Za-z0-9-]+[ \t]*:/.exec(line)?.[0].length ?? 0) - 1;
}
