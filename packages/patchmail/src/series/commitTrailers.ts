/** A trailer of a commit message, as git reads it. */
export interface Trailer {
	readonly key: string;
	/** Without surrounding blanks. Continuation lines become one line. */
	readonly value: string;
}

/** Trailers that a forge acts on after a push (docs/protocol.md#commit-trailers). */
export const actingTrailers = ['Closes', 'Fixes', 'Implements', 'References'] as const;
export type ActingTrailer = (typeof actingTrailers)[number];

/** Prefixes of git's own trailers, valid even among other lines. */
const made = ['Signed-off-by: ', '(cherry picked from commit '];

/**
 * Trailers by the rules of `git interpret-trailers`. They form the last paragraph, but not the first. It contains only
 * trailers, or one line by git and at least a quarter trailers. Lines with `commentLeader` are not part of the message.
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
			// Any other line ends the previous trailer, even a comment.
			found.push({ key: '', value: '' });
		}
	}
	return found.filter(({ key }) => key !== '');
}

/** True if the message ends in a block of trailers. The next trailer then needs no blank line before it. */
export function endsInTrailers(message: string): boolean {
	const lines = linesOf(message);
	return trailerStart(lines, '#') < lines.length;
}

/** The acting trailer of a key, case-insensitive. */
export function actingTrailer(key: string): ActingTrailer | undefined {
	return actingTrailers.find((each) => each.toLowerCase() === key.toLowerCase());
}

/** True if git would read a trailer in line `at` (from 0), in place of the current text. */
export function mayBeTrailer(message: string, at: number, commentLeader = '#'): boolean {
	const lines = linesOf(message);
	const line = lines[at]!;
	if (line.startsWith(commentLeader) || (isIndented(line) && !isBlank(line))) {
		return false;
	}
	const mark = 'The-trailer-in-question';
	return trailersOf(lines.with(at, `${mark}: here`).join('\n'), commentLeader).some(({ key }) => key === mark);
}

/** The message with the trailer at its end, unless it already has it. */
export function withTrailer(message: string, { key, value }: Trailer): string {
	const isThere = trailersOf(message).some((each) => each.key === key && each.value === value);
	if (isThere || message.split(/\r?\n/).includes(`${key}: ${value}`)) {
		return message;
	}
	const text = message.trimEnd();
	const gap = endsInTrailers(text) ? '\n' : '\n\n';
	return `${text}${gap}${key}: ${value}`;
}

/** End of the editable message. Cuts everything below the scissors line, such as the diff of `git commit --verbose`. */
export function messageEnd(text: string): number {
	const scissors = text.search(/^# -+ >8 -+\r?$/m);
	return scissors === -1 ? text.length : scissors;
}

function linesOf(message: string): readonly string[] {
	return message.split(/\r?\n/);
}

/** First line of the block of trailers, or the number of lines without one. */
function trailerStart(lines: readonly string[], commentLeader: string): number {
	const titleEnd = lines.findIndex(isBlank);
	const tally = { trailers: 0, others: 0, mayGoOn: 0, isGits: false, isBlank: true };
	if (titleEnd === -1) {
		return lines.length;
	}
	for (let at = lines.length - 1; at >= titleEnd; at--) {
		const line = lines[at]!;
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
	/** Indented lines below. They continue the line above if that is a trailer. */
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

/** Git only treats ASCII blanks as blank. */
function isBlank(line: string): boolean {
	return /^[ \t\r]*$/.test(line);
}

function isIndented(line: string): boolean {
	return /^[ \t\r]/.test(line);
}

/** A loop, because a pattern for the end of a text restarts at every blank in the middle. */
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

/** Index of the colon after letters, digits, hyphens and optional blanks; -1 in other lines. */
function separatorOf(line: string): number {
	return (/^[A-Za-z0-9-]+[ \t]*:/.exec(line)?.[0].length ?? 0) - 1;
}
