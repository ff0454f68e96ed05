import { disguise } from 'patchmail/mail/disguise.ts';
import { messageOf } from 'patchmail/mail/envelope.ts';
import { isHead } from 'patchmail/mail/mailHead.ts';
import { mimeMail } from 'patchmail/mail/readMail.ts';
import { isTooMuch } from 'patchmail/mail/partLimit.ts';

/** Whether the general parser gives up a mail by itself: what our own reading throws must not look like that. */
export async function isUnreadable(envelope: string): Promise<boolean> {
	const message = messageOf(envelope);
	if (isTooMuch(message)) {
		return true;
	}
	try {
		const { headers, parts } = await mimeMail(disguise(message).bytes);
		return !isHead(headers) || parts.length === 0;
	} catch {
		return true;
	}
}
