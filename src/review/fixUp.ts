import { isKeptBody } from '../mail/outgoingMail.ts';
import type { Suggestion } from './reviewDraft.ts';

/** What a comment says that only suggests a change. Mails are in English. */
export const suggestedChange = 'Suggested change:';

/** The same where a mail does not carry all that the lines of the file hold. */
export const inexactChange =
	'Suggested change. Line ends or characters of this file get lost in mail, so the diff may not apply as it is:';

/** What a comment says that only suggests this change. `isWholeText`: the file holds nothing but what is shown of it. */
export function changeText({ rows }: Pick<Suggestion, 'rows'>, isWholeText: boolean): string {
	return isWholeText && isKeptBody(`${rows.join('\n')}\n`) ? suggestedChange : inexactChange;
}

/**
 * A suggestion as a diff against the patched file. It is indented: at the margin a forge would take the reply for a patch,
 * and a mark would make it something that the patch is quoted with.
 */
export function fixUpLines(path: string, { firstLine, rows }: Suggestion): readonly string[] {
	const count = (sign: '-' | '+'): number => rows.filter((row) => row.startsWith(' ') || row.startsWith(sign)).length;
	const lines = [
		`--- a/${path}`,
		`+++ b/${path}`,
		`@@ -${range(firstLine, count('-'))} +${range(firstLine, count('+'))} @@`,
		...rows,
	];
	return lines.map((line) => `    ${oneRow(line)}`);
}

/** A side without lines stands behind the line before. */
function range(first: number, count: number): string {
	return `${count === 0 ? first - 1 : first},${count}`;
}

function oneRow(line: string): string {
	return line.replaceAll(/[\r\n]+/g, '');
}
