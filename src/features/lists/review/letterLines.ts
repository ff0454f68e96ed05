import { isAsideInNotes } from '../../../review/sourceLines.ts';
import { messageParts } from '../../../series/messageParts.ts';
import type { PatchMail } from '../../../series/seriesReading.ts';

/** A line above the diff in the raw text of a patch. */
export interface LetterLine {
	/** In the document, from 0. */
	readonly line: number;
	readonly part: 'message' | 'commentary';
	/** In its part, from 1, as comments count them. */
	readonly number: number;
}

/** Lines of the commit message and its notes in a patch's raw text. */
export function letterLines(patch: PatchMail): readonly LetterLine[] {
	const { diff, diffText, message, commentary } = patch;
	const head = diff.files.length === 0 ? diffText : diffText.slice(0, diff.start);
	const parts = messageParts(diffText);
	// An attached patch has its letter in another, hidden part.
	const hasMessage = message !== '' && parts.message === message;
	const messageEnd = lastFilled(linesOf(head.slice(0, parts.messageEnd)));
	const messageLines = message.split('\n');
	const notesStart = linesOf(head.slice(0, parts.restStart)).length;
	const notes = linesOf(head.slice(parts.restStart));
	const notesFrom = notes.findIndex((line) => line !== '');
	const noteLines = commentary.split('\n');
	const hasNotes =
		commentary !== '' &&
		notes
			.slice(notesFrom, notesFrom + noteLines.length)
			.join('\n')
			.trimEnd() === commentary;
	return [
		...(hasMessage ? numbered('message', messageLines, messageEnd + 1 - messageLines.length) : []),
		...(hasNotes
			? numbered('commentary', noteLines, notesStart + notesFrom).filter(
					({ number }) => !isAsideInNotes(noteLines[number - 1] ?? ''),
				)
			: []),
	];
}

function numbered(part: LetterLine['part'], lines: readonly string[], first: number): readonly LetterLine[] {
	return lines.map((_, at) => ({ line: first + at, part, number: at + 1 }));
}

/** Drops the empty rest after the last line feed. */
function linesOf(text: string): readonly string[] {
	const lines = text.replaceAll('\r\n', '\n').split('\n');
	return lines.at(-1) === '' ? lines.slice(0, -1) : lines;
}

function lastFilled(lines: readonly string[]): number {
	return lines.findLastIndex((line) => line.trim() !== '');
}
