import type { FileHandle } from 'node:fs/promises';
import { DamagedBody, isGzip } from 'patchmail/files/gunzip.ts';
import { bytesAt, chunksOf, openRegular, plainChunks } from 'patchmail/files/mailFiles.ts';
import {
	lineFeeds,
	lookAhead,
	mailboxForm,
	MailboxReader,
	unquoted,
	type MailOfMailbox,
} from 'patchmail/mail/mailbox.ts';
import * as v from 'valibot';
import type { MailText } from './mailIndex.ts';
import { digestOf } from './mailFacts.ts';
import { MailboxError, mostOfMail, type IndexOfMailbox, type MailSource } from './mailSource.ts';

/** Where reading ended, and how to see that the file before is the same. */
const position = v.object({
	/** Of the last mail. It may have been half written. */
	at: v.number(),
	hasLengths: v.boolean(),
	size: v.number(),
	mtimeMs: v.number(),
	head: v.string(),
	/** Of the bytes around `at`. */
	mark: v.string(),
});

const headBytes = 4096;
const markBytes = 512;
const fromWord = 5;
/** Places sort as their offsets, with two marks behind them. */
const digits = 15;
const [asItIs, withReturns] = ['=', 'r'];
const noBytes = new Uint8Array();
/** So many mails are read again after a kill. */
const stepOfMark = 1024;

/**
 * A mailbox in one file, also packed by gzip. Mails that a program appends are read alone. Any other change reads the
 * file anew, and so does each change of a packed one.
 */
export function mailboxFile(path: string): MailSource {
	async function opened(): Promise<FileHandle> {
		return (await openRegular(path, 0)) ?? fail('noMailbox');
	}
	return {
		async refresh(index, signal) {
			const file = await opened();
			try {
				await refreshFrom(file, index, signal);
			} catch (error) {
				throw error instanceof DamagedBody ? new MailboxError('damaged', { cause: error }) : error;
			} finally {
				await file.close();
			}
		},
		async *contents(mails, signal) {
			const file = await opened();
			try {
				const isPacked = isGzip(await bytesAt(file, 0, 2, signal));
				const unpacked = isPacked ? await unpackedMails(file, mails, signal) : undefined;
				for (const { place, size, digest } of mails) {
					signal.throwIfAborted();
					const raw =
						unpacked?.get(place) ??
						(isPacked ? noBytes : await bytesAt(file, Number(place.slice(0, digits)), size, signal));
					const bytes = place.includes(withReturns) ? lineFeeds(raw) : raw;
					const isQuoted = !place.includes(asItIs);
					// Somebody else may have removed mails since, and another one begins here.
					const start = unquoted({ bytes: bytes.subarray(0, mostOfMail), isQuoted });
					yield digestOf(start) === digest ? unquoted({ bytes, isQuoted }) : undefined;
				}
			} finally {
				await file.close();
			}
		},
	};
}

/** All mails in one pass, by their places. */
async function unpackedMails(
	file: FileHandle,
	mails: readonly MailText[],
	signal: AbortSignal,
): Promise<ReadonlyMap<string, Buffer>> {
	const wanted = mails.map(({ place, size }) => ({ place, from: Number(place.slice(0, digits)), size }));
	const end = wanted.reduce((last, { from, size }) => Math.max(last, from + size), 0);
	const parts = new Map<string, Buffer[]>();
	let base = 0;
	try {
		for await (const chunk of plainChunks(file, (await file.stat()).size, signal)) {
			for (const { place, from, size } of wanted) {
				const part = chunk.subarray(Math.max(0, from - base), Math.max(0, from + size - base));
				if (part.length > 0) {
					parts.set(place, [...(parts.get(place) ?? []), Buffer.from(part)]);
				}
			}
			base += chunk.byteLength;
			if (base >= end) {
				break;
			}
		}
	} catch {
		// The mails before the damage are whole.
		signal.throwIfAborted();
	}
	return new Map(Array.from(parts, ([place, all]) => [place, Buffer.concat(all)]));
}

async function refreshFrom(file: FileHandle, index: IndexOfMailbox, signal: AbortSignal): Promise<void> {
	const { size, mtimeMs } = await file.stat();
	const reached = await index.reached(signal);
	const known = positionIn(reached);
	if (known?.size === size && known.mtimeMs === mtimeMs) {
		return;
	}
	const start = await bytesAt(file, 0, lookAhead, signal);
	const isPacked = isGzip(start);
	const isSame = known !== undefined && !isPacked && (await isLonger(file, size, known, signal));
	if (reached !== undefined && !isSame) {
		await index.clear(signal);
	}
	const from = isSame ? known.at : 0;
	const form = isPacked ? undefined : mailboxForm(start);
	const head = await digestAt(file, 0, Math.min(headBytes, size), signal);
	const tail = await tailAt(file, size, signal);
	const reader = new MailboxReader(form, mostOfMail, from, !isSame || known.hasLengths);
	// Of a file that is not read to its end, no time counts.
	async function storeAt(at: number, isEnd: boolean): Promise<void> {
		const mark = await markAt(file, isPacked ? 0 : at, signal);
		const now = await file.stat();
		const isUnchanged = now.size === size && now.mtimeMs === mtimeMs;
		// Programs may append while this one reads. Others write the file anew, in place.
		if (!isUnchanged && (now.size < size || tail !== (await tailAt(file, size, signal)))) {
			await index.store('', signal);
			fail('lost');
		}
		const { hasLengths } = reader;
		const reachedNow = { at, hasLengths, size, mtimeMs: isEnd ? mtimeMs : 0, head, mark };
		await index.store(JSON.stringify(reachedNow), signal);
	}
	let last = from;
	let stored = 0;
	async function take(mails: readonly MailOfMailbox[]): Promise<void> {
		const returns = reader.form?.hasReturns === true ? withReturns : '';
		for (const mail of mails) {
			last = mail.at;
			const bytes = unquoted(mail);
			const place = `${String(mail.start).padStart(digits, '0')}${mail.isQuoted ? '' : asItIs}${returns}`;
			await index.add({ place, stamp: `${mail.size} ${digestOf(bytes)}`, size: mail.size, bytes }, signal);
			stored += 1;
			if (stored % stepOfMark === 0) {
				await storeAt(last, false);
			}
		}
	}
	for await (const chunk of isPacked ? plainChunks(file, size, signal) : chunksOf(file, { from, to: size }, signal)) {
		await take(reader.add(chunk));
	}
	await take(reader.end() ?? (size === 0 ? [] : fail('noMailbox')));
	await storeAt(last, true);
}

function fail(trouble: MailboxError['trouble']): never {
	throw new MailboxError(trouble);
}

/** True if the mails that were read are still there. */
async function isLonger(
	file: FileHandle,
	size: number,
	known: v.InferOutput<typeof position>,
	signal: AbortSignal,
): Promise<boolean> {
	return (
		known.at <= size &&
		known.head === (await digestAt(file, 0, Math.min(headBytes, known.size), signal)) &&
		known.mark === (await markAt(file, known.at, signal))
	);
}

function positionIn(text: string | undefined): v.InferOutput<typeof position> | undefined {
	try {
		return text === undefined ? undefined : v.parse(position, JSON.parse(text));
	} catch {
		return undefined;
	}
}

async function digestAt(file: FileHandle, at: number, length: number, signal: AbortSignal): Promise<string> {
	return digestOf(await bytesAt(file, at, length, signal));
}

/** Of the last bytes of a file of this size. */
async function tailAt(file: FileHandle, size: number, signal: AbortSignal): Promise<string> {
	return await digestAt(file, Math.max(0, size - headBytes), Math.min(headBytes, size), signal);
}

/** Of the bytes before a mail and its first ones. They stay when the mail grows. */
async function markAt(file: FileHandle, at: number, signal: AbortSignal): Promise<string> {
	return await digestAt(file, Math.max(0, at - markBytes), Math.min(markBytes, at) + fromWord, signal);
}
