import type { MailReading } from 'patchmail/mail/readableMail.ts';

/** Memory use in characters. */
export function readingSize(reading: MailReading): number {
	if (reading.kind === 'raw') {
		return reading.text.length;
	}
	const { body, text, attachments } = reading.mail;
	const texts = body === text ? body.length : body.length + text.length;
	return attachments.reduce((sum, each) => sum + (each.patch ?? each.text ?? '').length, texts);
}

/** Size for the cache: it rejects entries above its limit, which would then be read again and again. */
export function keptSize(size: number, most: number): number {
	return Math.min(size, most);
}
