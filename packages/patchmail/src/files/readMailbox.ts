import { mailText } from '../mail/mailText.ts';
import { MailboxReader, NoMailbox, unquoted } from '../mail/mailbox.ts';
import { readEnvelopes } from '../series/postedSeries.ts';
import type { SeriesMail } from '../series/seriesReading.ts';
import { inflated, isGzip } from './gunzip.ts';
import { fileOfMail, mailFolder, openRegular, plainChunks } from './mailFiles.ts';

/** Reads all mails of a mailbox, as `readEnvelopes`. Rejects as `mailsOf`. */
export async function readMailbox(place: string | Uint8Array, signal: AbortSignal): Promise<readonly SeriesMail[]> {
	const envelopes: string[] = [];
	for await (const mail of mailsOf(place, signal)) {
		envelopes.push(mailText(mail));
	}
	return await readEnvelopes(envelopes, signal);
}

/**
 * All mails of a mailbox as they travelled: of its bytes, or of the file or folder at a path. Gzip is unpacked. Throws
 * `NoMailbox`, `DamagedBody`, errors of the file system, and the signal's reason.
 */
export function mailsOf(place: string | Uint8Array, signal: AbortSignal): AsyncGenerator<Uint8Array, void, undefined> {
	return typeof place === 'string'
		? mailsAt(place, signal)
		: mailsAmong(isGzip(place) ? inflated(once(place)) : once(place));
}

async function* mailsAt(path: string, signal: AbortSignal): AsyncGenerator<Uint8Array, void, undefined> {
	const file = await openRegular(path, 0);
	if (file) {
		try {
			yield* mailsAmong(plainChunks(file, (await file.stat()).size, signal));
		} finally {
			await file.close();
		}
		return;
	}
	for (const each of (await mailFolder(path)).files.values()) {
		const mail = await fileOfMail(each, Number.MAX_SAFE_INTEGER, signal);
		yield* mail ? [mail] : [];
	}
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array, void, undefined> {
	yield await Promise.resolve(bytes);
}

async function* mailsAmong(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void, undefined> {
	const reader = new MailboxReader(undefined, Number.MAX_SAFE_INTEGER);
	let bytes = 0;
	for await (const chunk of chunks) {
		bytes += chunk.byteLength;
		yield* reader.add(chunk).map(unquoted);
	}
	const last = reader.end();
	if (!last && bytes > 0) {
		throw new NoMailbox();
	}
	yield* (last ?? []).map(unquoted);
}
