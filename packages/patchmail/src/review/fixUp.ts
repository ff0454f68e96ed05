import { isKeptBody } from '../mail/outgoingMail.ts';
import type { Suggestion } from './reviewDraft.ts';

/** Text of a comment with nothing but a suggestion. In English, like mails. */
export const suggestedChange = 'Suggested change:';

/** The same when mail cannot carry the file's lines exactly. */
export const inexactChange =
	'Suggested change. Line ends or characters of this file get lost in mail, so the diff may not apply as it is:';

/** Chooses the text for a suggestion. `isWholeText`: the shown text is the complete file. */
export function changeText({ rows }: Pick<Suggestion, 'rows'>, isWholeText: boolean): string {
	return isWholeText && isKeptBody(`${rows.join('\n')}\n`) ? suggestedChange : inexactChange;
}

/**
 * A suggestion as a diff against the patched file. Indented: without indentation, a forge would treat the reply as a
 * patch, and a quote mark would make it a quotation.
 */
export function fixUpLines(path: string, { firstLine, rows }: Suggestion): readonly string[] {
	const count = (sign: '-' | '+'): number => rows.filter((row) => row.startsWith(' ') || row.startsWith(sign)).length;
	const lines = [
		`--- a/${path}`,
		`+++ b/${path}`,
		`@@ -${range(firstLine, count('-'))} +${range(firstLine, count('+'))} @@`,
		...rows,
	];
	return lines.map((line) => `    ${line.replaceAll(/[\r\n]+/g, '')}`);
}

/** An empty side refers to the line before. */
function range(first: number, count: number): string {
	return `${count === 0 ? first - 1 : first},${count}`;
}
