import type { ReadableMail } from '../mail/readableMail.ts';
import type { DraftPlace } from './reviewDraft.ts';
import type { ReviewComment } from './reviewComment.ts';

/** Drafts are compared with all comments of a patchset, and mails may be long. */
const remembered = new WeakMap<ReadableMail, readonly string[]>();

/** Where a reply to a comment stands: below its last line in the mail that says it. */
export function answerPlace({ mail: { messageId, reading }, prose, lastLine }: ReviewComment): DraftPlace {
	const lines = reading.kind === 'raw' ? [] : linesOf(reading.mail);
	const said = squeezed(prose.slice(prose.lastIndexOf('\n') + 1));
	const at = nearest(lines, Math.min(lastLine, lines.length - 1), said);
	return at === -1 ? { kind: 'mail', messageId } : { kind: 'text', messageId, part: 'text', line: at + 1 };
}

function linesOf(mail: ReadableMail): readonly string[] {
	const known = remembered.get(mail) ?? mail.text.split('\n').map(squeezed);
	remembered.set(mail, known);
	return known;
}

/** Programs do not agree on the blanks where flowed lines are joined. */
function squeezed(line: string): string {
	return line.replaceAll(/\s+/g, '');
}

/** The line that says something and is the nearest to `from`; -1 where none says it. */
function nearest(lines: readonly string[], from: number, said: string): number {
	// Mailboxes put a mark before lines that begin with `From `.
	const isIt = (line: string | undefined): boolean => line === said || line === `>${said}`;
	for (let away = 0; from - away >= 0 || from + away < lines.length; away += 1) {
		if (isIt(lines[from - away])) {
			return from - away;
		}
		if (isIt(lines[from + away])) {
			return from + away;
		}
	}
	return -1;
}
