import { headedMailOf, mailDraftText, peopleIn, type MailDraftFault } from '../mail/mailDraftText.ts';
import { peopleText } from '../mail/writtenAddress.ts';
import { oneLine } from '../mail/encodeWords.ts';
import { isKeptBody, plainBody, type OutgoingMail } from '../mail/outgoingMail.ts';

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
	const thread = mail.inReplyTo === undefined ? '' : `In-Reply-To: ${oneLine(mail.inReplyTo)}\n`;
	// What is left out of every mail that is sent would keep an edited one from being sent.
	return `${from}${thread}${mailDraftText({ ...mail, body: plainBody(mail.body) })}`;
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
	const thread = mail.inReplyTo === undefined ? undefined : oneLine(mail.inReplyTo);
	if (read.others.get('in-reply-to') !== thread) {
		return { kind: 'otherThread', text: thread ?? '' };
	}
	const whole = body.endsWith('\n') ? body : `${body}\n`;
	return isKeptBody(whole) ? { ...mail, ...head, from, body: whole } : { kind: 'unsendableText' };
}
