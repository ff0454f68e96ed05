import { disguise } from 'patchmail/mail/disguise.ts';
import { messageOf } from 'patchmail/mail/envelope.ts';
import { isHead } from 'patchmail/mail/mailHead.ts';
import { mimeMail } from 'patchmail/mail/readMail.ts';
import { isTooMuch } from 'patchmail/mail/partLimit.ts';

/** True if the general parser rejects a mail. Our own reader must not throw for such a mail. */
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
