import type { OutgoingMail } from '../mail/outgoingMail.ts';
import { parseDiff } from '../patch/parseDiff.ts';
import { editedMail, type EditedMailFault } from './editedMail.ts';

/** What of an edited patch keeps it from being sent. */
export type EditedPatchFault =
	| EditedMailFault
	/** What git would apply is not what the commit changes. */
	| { readonly kind: 'changedDiff' }
	/** The forge counts the patches of a series by what stands in brackets: `text`. */
	| { readonly kind: 'otherTag'; readonly text: string };

/** The mail of a patch with what somebody made of its document. Its place in the series and its diff cannot be changed. */
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
