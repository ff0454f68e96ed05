import * as vscode from 'vscode';
import type { MailDraftFault } from '../../../engine/mail/mailDraftText.ts';
import type { EditedMailFault } from '../../../engine/review/editedMail.ts';
import { shortLine } from '../../../engine/text/visible.ts';

const longestText = 100;

/** Problem that prevents sending, with the next step. */
export function faultText(fault: MailDraftFault): string {
	switch (fault.kind) {
		case 'nobody':
			return vscode.l10n.t('Add a recipient after "To:".');
		case 'badPeople':
			return vscode.l10n.t(
				'No message can be sent to this: {0}. Write email addresses with commas between them.',
				shortLine(fault.text, longestText),
			);
		case 'badHeader':
			return vscode.l10n.t(
				'Only To, Cc and Subject can stand above the empty line: {0}',
				shortLine(fault.text, longestText),
			);
		case 'twice':
			return vscode.l10n.t('This can stand above the empty line only once: {0}', shortLine(fault.text, longestText));
		case 'noSubject':
			return vscode.l10n.t('Add a subject after "Subject:".');
		case 'noText':
			return vscode.l10n.t('Write a text below the empty line.');
	}
}

/** The same of an edited mail of a review. */
export function editedFaultText(fault: EditedMailFault): string {
	switch (fault.kind) {
		case 'badHeader':
			return vscode.l10n.t(
				'Only From, In-Reply-To, To, Cc and Subject can stand above the empty line, each in one line: {0}',
				shortLine(fault.text, longestText),
			);
		case 'badSender':
			return vscode.l10n.t(
				'Write one email address after "From:", instead of this: {0}',
				shortLine(fault.text, longestText),
			);
		case 'otherThread':
			return vscode.l10n.t(
				'A review replies to the message that it is about. Restore this line: "In-Reply-To: {0}".',
				shortLine(fault.text, longestText),
			);
		case 'unsendableText':
			return vscode.l10n.t('The text has control characters, which messages do not keep. Remove them.');
		case 'nobody':
		case 'badPeople':
		case 'twice':
		case 'noSubject':
		case 'noText':
			return faultText(fault);
	}
}
