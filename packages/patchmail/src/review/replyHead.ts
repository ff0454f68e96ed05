import { cut, oneLine } from '../mail/encodeWords.ts';
import { messageIdsIn } from '../mail/mailHead.ts';
import type { ReadableMail } from '../mail/readableMail.ts';
import type { SeriesMail } from '../series/seriesReading.ts';

/** Adds `Re:` unless present. */
export function replySubject(subject: string): string {
	return /^\s*re:/i.test(subject) ? subject.trim() : `Re: ${subject.trim()}`;
}

/** References of the answered mail plus its id; falls back to its In-Reply-To. */
export function referencesOf(
	{ messageId }: Pick<SeriesMail, 'messageId'>,
	mail: ReadableMail | undefined,
): readonly string[] {
	const above = mail?.references ?? [];
	return [...new Set([...(above.length > 0 ? above : messageIdsIn(mail?.inReplyTo)), messageId])];
}

/** `On 2026-03-02 08:01 UTC, Ada Quill wrote:`; in English, like mailing lists. */
export function attributionOf({ createdMs }: Pick<SeriesMail, 'createdMs'>, mail: ReadableMail | undefined): string {
	const [sender] = mail?.from ?? [];
	const name = cut(oneLine(sender?.name ?? '').replaceAll(/[<>:]/g, ' '), 100).trim();
	const date = new Date(mail?.dateMs ?? createdMs).toISOString();
	return `On ${date.slice(0, 10)} ${date.slice(11, 16)} UTC, ${name === '' ? (sender?.address ?? 'somebody') : name} wrote:`;
}
