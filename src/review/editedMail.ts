import { headedMailOf, mailDraftText, peopleIn, peopleText, type MailDraftFault } from '../mail/mailDraftText.ts';
import { isKeptBody, type OutgoingMail } from '../mail/outgoingMail.ts';

/** What of an edited mail keeps it from being sent. */
export type EditedMailFault =
	| MailDraftFault
	/** Not one address behind From. */
	| { readonly kind: 'badSender'; readonly text: string }
	/** In-Reply-To is not as it was: `text`. */
	| { readonly kind: 'otherThread'; readonly text: string }
	/** Mails do not carry some letters of the text. */
	| { readonly kind: 'unsendableText' };

/** A mail of a review as the document in which it is edited: each header in one line, above an empty one. */
export function reviewMailText(mail: OutgoingMail): string {
	const from = `From: ${peopleText([mail.from])}\n`;
	const thread = mail.inReplyTo === undefined ? '' : `In-Reply-To: ${mail.inReplyTo}\n`;
	return `${from}${thread}${mailDraftText(mail)}`;
}

/**
 * The mail with what somebody made of its document: sender, recipients, subject, and the text letter by letter. Which mail it
 * answers cannot be changed: readers would find it in another conversation.
 */
export function editedMail(text: string, mail: OutgoingMail): OutgoingMail | EditedMailFault {
	const read = headedMailOf(text, ['from', 'in-reply-to']);
	if ('kind' in read) {
		return read;
	}
	const { body, ...head } = read.mail;
	const sender = read.others.get('from') ?? '';
	const [from, second] = peopleIn(sender) ?? [];
	if (!from || second) {
		return { kind: 'badSender', text: sender };
	}
	if (read.others.get('in-reply-to') !== mail.inReplyTo) {
		return { kind: 'otherThread', text: mail.inReplyTo ?? '' };
	}
	const whole = body.endsWith('\n') ? body : `${body}\n`;
	return isKeptBody(whole) ? { ...mail, ...head, from, body: whole } : { kind: 'unsendableText' };
}
