import type { OutgoingMail } from '../mail/outgoingMail.ts';
import { parseDiff } from '../patch/parseDiff.ts';
import { editedMail, type EditedMailFault } from './editedMail.ts';

export type EditedPatchFault =
	| EditedMailFault
	/** The diff no longer equals the commit's. */
	| { readonly kind: 'changedDiff' }
	/** Changed brackets `text` in the subject; forges count the series by them. */
	| { readonly kind: 'otherTag'; readonly text: string };

/** Applies an edited document to a patch mail. The position in the series and the diff are fixed. */
export function editedPatch(text: string, made: OutgoingMail): OutgoingMail | EditedPatchFault {
	const edited = editedMail(text, made);
	if ('kind' in edited) {
		return edited;
	}
	const tag = tagOf(made.subject);
	if (tagOf(edited.subject) !== tag) {
		return { kind: 'otherTag', text: tag };
	}
	if (diffIn(edited.body) !== diffIn(made.body)) {
		return { kind: 'changedDiff' };
	}
	return made.bytes === undefined ? edited : { ...edited, bytes: withDiff(edited.body, made.bytes) };
}

/** The bytes of an edited text around the exact bytes of a diff. */
function withDiff(text: string, bytes: string): string {
	const bytesOf = (part: string): string => Buffer.from(part).toString('latin1');
	const { start, end } = parseDiff(text);
	return `${bytesOf(text.slice(0, start))}${diffIn(bytes)}${bytesOf(text.slice(end))}`;
}

function tagOf(subject: string): string {
	return /^\[[^\]]*\]/.exec(subject)?.[0] ?? '';
}

function diffIn(body: string): string {
	const { start, end } = parseDiff(body);
	return body.slice(start, end);
}
