import type { ReadableMail } from '../mail/readableMail.ts';
import type { DraftPlace } from './reviewDraft.ts';
import type { ReviewComment } from './reviewComment.ts';

/** Cached, because each draft is compared with all comments, and mails may be long. */
const remembered = new WeakMap<ReadableMail, readonly string[]>();

/** Place of a reply to a comment: below its last line. */
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

/** Programs join flowed lines with different blanks. */
function squeezed(line: string): string {
	return line.replaceAll(/\s+/g, '');
}

/** The equal line nearest to `from`; -1 for none. */
function nearest(lines: readonly string[], from: number, said: string): number {
	// Mbox files escape lines that start with `From `.
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
