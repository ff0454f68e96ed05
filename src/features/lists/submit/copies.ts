import * as vscode from 'vscode';
import { askFor } from '../../../editor/ask/ask.ts';
import { peopleIn } from '../../../engine/mail/mailDraftText.ts';
import { peopleText } from '../../../engine/mail/writtenAddress.ts';
import type { MailPerson } from '../../../engine/mail/readableMail.ts';
import { replyPeople, type ReplyOwner } from '../../../engine/review/replyPeople.ts';
import type { SeriesReading } from '../../../engine/series/seriesReading.ts';

/** Recipients of the earlier version besides list and author, who probably get the next one too. */
export function earlierCopies(
	{ cover, patches }: Pick<SeriesReading, 'cover' | 'patches'>,
	owner: ReplyOwner,
): readonly MailPerson[] {
	const reading = (cover ?? patches[0]?.mail)?.reading;
	return reading?.kind === 'read'
		? replyPeople({ from: [], replyTo: [], to: reading.mail.to, cc: reading.mail.cc }, owner).cc
		: [];
}

/** Asks for Cc recipients; may be empty. Throws `cancelled()` if the user closes the question. */
export async function askCopies(likely: readonly MailPerson[]): Promise<readonly MailPerson[]> {
	const text = await askFor({
		title: vscode.l10n.t('Cc'),
		prompt: vscode.l10n.t('Who gets these patches besides the list? Leave it empty for no one.'),
		placeHolder: 'Bob Builder <bob@example.org>, carol@example.org',
		value: peopleText(likely),
		complaint: (typed) =>
			peopleIn(typed.trim()) ? undefined : vscode.l10n.t('Write email addresses with commas between them.'),
	});
	return peopleIn(text) ?? [];
}
