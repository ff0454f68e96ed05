import { trailersOf, type Trailer } from '../../../engine/text/commitTrailers.ts';

/** Parts of a commit message. */
export interface CommitMessage {
	/** Its first line; empty when there is none. */
	readonly title: string;
	/** Text between title and trailers. */
	readonly body: string;
	readonly trailers: readonly Trailer[];
}

/** Takes a message apart. Lines among the trailers that are none stay in the body, and so do the trailers around them. */
export function commitMessage(message: string): CommitMessage {
	const text = message.replaceAll('\r\n', '\n').trim();
	const end = text.indexOf('\n');
	const title = end === -1 ? text : text.slice(0, end);
	const below = end === -1 ? '' : text.slice(end + 1);
	const trailers = trailersOf(text);
	const lines = below.split('\n');
	const start = lines.findLastIndex((line) => line.trim() === '') + 1;
	const own = lines.slice(start).filter((line) => !/^[ \t]/.test(line));
	const areAlone = trailers.length > 0 && own.length === trailers.length;
	return { title, body: trimmedLines(areAlone ? lines.slice(0, start) : lines), trailers };
}

/** Without surrounding blank lines. Keeps leading blanks, which mark lists and code. */
function trimmedLines(lines: readonly string[]): string {
	const first = lines.findIndex((line) => line.trim() !== '');
	return first === -1 ? '' : lines.slice(first).join('\n').trimEnd();
}
