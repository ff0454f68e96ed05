import type { MailReading } from '../../mail/readableMail.ts';

/** How much text a reading keeps alive, in characters. */
export function readingSize(reading: MailReading): number {
	if (reading.kind === 'raw') {
		return reading.text.length;
	}
	const { body, text, attachments } = reading.mail;
	const texts = body === text ? body.length : body.length + text.length;
	return attachments.reduce((sum, each) => sum + (each.patch ?? each.text ?? '').length, texts);
}

/** What a cache is told of an entry: what is larger than all that it keeps would never be kept, and is asked for again. */
export function keptSize(size: number, most: number): number {
	return Math.min(size, most);
}
