import { disguise } from '../../src/engine/mail/disguise.ts';
import { messageOf } from '../../src/engine/mail/envelope.ts';
import { isHead } from '../../src/engine/mail/mailHead.ts';
import { mimeMail } from '../../src/engine/mail/readMail.ts';
import { isTooMuch } from '../../src/engine/mail/partLimit.ts';

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
