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
	return diffIn(edited.body) === diffIn(made.body) ? edited : { kind: 'changedDiff' };
}

function tagOf(subject: string): string {
	return /^\[[^\]]*\]/.exec(subject)?.[0] ?? '';
}

function diffIn(body: string): string {
	const { start, end } = parseDiff(body);
	return body.slice(start, end);
}
