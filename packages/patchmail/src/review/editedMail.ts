import { headedMailOf, mailDraftText, peopleIn, type MailDraftFault } from '../mail/mailDraftText.ts';
import { peopleText } from '../mail/writtenAddress.ts';
import { oneLine } from '../mail/encodeWords.ts';
import { isKeptBody, plainBody, type OutgoingMail } from '../mail/outgoingMail.ts';

export type EditedMailFault =
	| MailDraftFault
	/** From has no address or several. */
	| { readonly kind: 'badSender'; readonly text: string }
	/** In-Reply-To changed to `text`. */
	| { readonly kind: 'otherThread'; readonly text: string }
	/** Characters that mail cannot carry. */
	| { readonly kind: 'unsendableText' };

/** A review mail as an editable document: one line per header, then a blank line. */
export function reviewMailText(mail: OutgoingMail): string {
	const from = `From: ${peopleText([mail.from])}\n`;
	const thread = mail.inReplyTo === undefined ? '' : `In-Reply-To: ${oneLine(mail.inReplyTo)}\n`;
	// Sending removes these characters; without this, they would make an edited mail unsendable.
	return `${from}${thread}${mailDraftText({ ...mail, body: plainBody(mail.body) })}`;
}

/**
 * Applies an edited document to the mail: sender, recipients, subject, and the exact text. In-Reply-To is fixed,
 * because another value would move the reply to another thread.
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
