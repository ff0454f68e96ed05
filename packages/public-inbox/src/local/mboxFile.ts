import { Buffer } from 'node:buffer';
import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { nextTurn } from '@forge-desk/base/timeSlice.ts';
import * as v from 'valibot';
import { latin1 } from './latin1.ts';
import { digestOf } from './mailFacts.ts';
import { MailboxError, mostOfMail, type IndexOfMailbox, type MailSource } from './mailSource.ts';

interface BegunMail {
	/** Of the separator line. */
	readonly at: number;
	/** Behind that line. */
	readonly start: number;
}

/** A mail in a file, up to the empty line before the next separator. */
interface MailSpan extends BegunMail {
	readonly end: number;
	/** A copy, if the mail was in memory as a whole. */
	readonly bytes: Buffer | undefined;
}

const chunkBytes = 1024 * 1024;
/** Separator lines are short; the next line shows whether a mail begins. */
const lookAhead = 2048;
const fromWord = Buffer.from('From ');
const fromLine = Buffer.from('\nFrom ');
const [lineFeed, carriageReturn] = [0x0a, 0x0d];
/** Looking at so many lines takes a millisecond or two. */
const linesAtOnce = 500;

/**
 * Length of the separator line at the start of a text. In every kind of mailbox it has a time and a year; prose that
 * begins with `From ` mostly has neither. Each search is for one thing, so that no line takes long.
 */
function separatorLength(text: string): number | undefined {
	const end = text.indexOf('\n');
	const line = text.slice(0, Math.max(0, end));
	const time = /^From [^\s:]/.test(line) ? line.search(/\d:\d\d/) : -1;
	return time !== -1 && /\b\d{4}\b/.test(line.slice(time + 4)) ? end + 1 : undefined;
}

/** Of a field. */
const longestName = 200;
/** A mail begins with a field, a quoted separator or its empty line. Archives also store other texts. */
const firstLine = /^(?:[!-9;-~]+[ \t]*:|>From |\r?\n|$)/;

/**
 * Finds the mails of a mailbox file, from a separator on. Holds one chunk, however long a mail or a line is.
 */
async function* mailsOfFile(
	file: FileHandle,
	{ from, length }: { readonly from: number; readonly length: number },
	signal: AbortSignal,
): AsyncGenerator<MailSpan, void, void> {
	let begun: BegunMail | undefined;
	/** Bytes of the file from `base` on. */
	let held = Buffer.alloc(0);
	let base = from;
	let readTo = from;
	let lines = 0;
	/** Lines before it are known. */
	let knownTo = from;
	const span = ({ at, start }: BegunMail, end: number): MailSpan => {
		const isHeld = start >= base && end - start <= mostOfMail;
		return { at, start, end, bytes: isHeld ? Buffer.from(held.subarray(start - base, end - base)) : undefined };
	};
	while (readTo < length || held.length > 0) {
		signal.throwIfAborted();
		const chunk = Buffer.allocUnsafe(Math.min(chunkBytes, length - readTo));
		const { bytesRead } = await file.read(chunk, 0, chunk.length, readTo);
		const isLast = bytesRead === 0 || readTo + bytesRead >= length;
		held = Buffer.concat([held, chunk.subarray(0, bytesRead)]);
		readTo += bytesRead;
		const decided = isLast ? held.length : Math.max(0, held.length - lookAhead);
		for (let at = firstLineAt(held, base === from); at < decided; at = nextLineAt(held, at)) {
			const line = base + at < knownTo ? undefined : separatorAt(held, at);
			lines += 1;
			if (lines % linesAtOnce === 0) {
				await nextTurn();
			}
			if (line === undefined) {
				continue;
			}
			if (begun) {
				yield span(begun, base + line.mailEnd);
			}
			begun = { at: base + at, start: base + line.next };
		}
		if (isLast) {
			if (begun) {
				yield span(begun, readTo - lastEmptyLine(held));
			}
			return;
		}
		// The two line ends before a separator belong to its pattern.
		knownTo = base + decided;
		const kept = Math.max(0, decided - 4);
		held = Buffer.from(held.subarray(kept));
		base += kept;
	}
}

/** The next line that begins with `From `; the length of the bytes without one. */
function nextLineAt(bytes: Buffer, from: number): number {
	const at = bytes.indexOf(fromLine, from);
	return at === -1 ? bytes.length : at + 1;
}

function firstLineAt(bytes: Buffer, isStart: boolean): number {
	return isStart && bytes.indexOf(fromWord) === 0 ? 0 : nextLineAt(bytes, 0);
}

/** `mailEnd`: of the mail before. The first of the two line ends is the one of its last line. */
function separatorAt(bytes: Buffer, at: number): { readonly mailEnd: number; readonly next: number } | undefined {
	const emptyLine = bytes[at - 2] === carriageReturn ? 2 : 1;
	if (at > 0 && bytes[at - emptyLine - 1] !== lineFeed) {
		return undefined;
	}
	const text = latin1(bytes.subarray(at, at + lookAhead));
	const length = separatorLength(text);
	const isMail =
		length !== undefined &&
		(text.startsWith('From mboxrd@z ') || firstLine.test(text.slice(length, length + longestName)));
	return isMail ? { mailEnd: at - (at === 0 ? 0 : emptyLine), next: at + length } : undefined;
}

function lastEmptyLine(bytes: Buffer): number {
	return /\n(\r?\n)$/.exec(latin1(bytes.subarray(-4)))?.[1]?.length ?? 0;
}

/** A mail out of a mailbox: one `>` goes from each line that mailboxes quote, wherever it is. */
function unquotedMail(bytes: Uint8Array): Uint8Array {
	const mail = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
	return mail.includes('>From ') ? Buffer.from(latin1(mail).replaceAll(/(^|\n)>(>*From )/g, '$1$2'), 'latin1') : mail;
}

/** Where reading ended, and how to see that the file before is the same. */
const position = v.object({
	/** Of the last mail. It may have been half written. */
	at: v.number(),
	size: v.number(),
	mtimeMs: v.number(),
	head: v.string(),
	/** Of the bytes around `at`. */
	mark: v.string(),
});

const headBytes = 4096;
const markBytes = 512;
/** Places sort as their offsets. */
const digits = 15;

/** A mailbox in one file. Mails that a program appends are read alone; any other change reads the file anew. */
export function mboxFile(path: string): MailSource {
	return {
		async refresh(index, signal) {
			const file = await openFile(path);
			try {
				await refreshFrom(file, index, signal);
			} finally {
				await file.close();
			}
		},
		async *contents(mails, signal) {
			const file = await openFile(path);
			try {
				for (const mail of mails) {
					signal.throwIfAborted();
					const at = Number(mail.place);
					const separator = separatorLength(latin1(await bytesAt(file, at, lookAhead))) ?? 0;
					const bytes = await bytesAt(file, at + separator, mail.size);
					// Somebody else may have removed mails since, and another one begins here.
					const isSame = digestOf(unquotedMail(bytes.subarray(0, mostOfMail))) === mail.digest;
					yield isSame ? unquotedMail(bytes) : undefined;
				}
			} finally {
				await file.close();
			}
		},
	};
}

async function refreshFrom(file: FileHandle, index: IndexOfMailbox, signal: AbortSignal): Promise<void> {
	const { size, mtimeMs } = await file.stat();
	const reached = await index.reached(signal);
	const known = positionIn(reached);
	if (known?.size === size && known.mtimeMs === mtimeMs) {
		return;
	}
	const isSame = known !== undefined && (await isLonger(file, size, known));
	if (reached !== undefined && !isSame) {
		await index.clear(signal);
	}
	const from = isSame ? known.at : 0;
	if (size > 0 && from === 0 && !(await startsAsMailbox(file))) {
		throw new MailboxError('noMailbox');
	}
	const head = await digestAt(file, 0, Math.min(headBytes, size));
	const tail = await tailAt(file, size);
	// Of a file that is not read to its end, no time counts.
	async function storeAt(at: number, isEnd: boolean): Promise<void> {
		const mark = await markAt(file, at);
		const now = await file.stat();
		const isUnchanged = now.size === size && now.mtimeMs === mtimeMs;
		// Programs may append while this one reads. Others write the file anew, in place.
		if (!isUnchanged && (now.size < size || tail !== (await tailAt(file, size)))) {
			await index.store('', signal);
			throw new MailboxError('lost');
		}
		await index.store(JSON.stringify({ at, size, mtimeMs: isEnd ? mtimeMs : 0, head, mark }), signal);
	}
	let last = from;
	let stored = 0;
	for await (const { at, start, end, bytes: held } of mailsOfFile(file, { from, length: size }, signal)) {
		last = at;
		const bytes = unquotedMail(held ?? (await bytesAt(file, start, Math.min(end - start, mostOfMail))));
		const place = String(at).padStart(digits, '0');
		await index.add({ place, stamp: `${end - start} ${digestOf(bytes)}`, size: end - start, bytes }, signal);
		stored += 1;
		if (stored % stepOfMark === 0) {
			await storeAt(at, false);
		}
	}
	await storeAt(last, true);
}

/** True if the mails that were read are still there. */
async function isLonger(file: FileHandle, size: number, known: v.InferOutput<typeof position>): Promise<boolean> {
	return (
		known.at <= size &&
		known.head === (await digestAt(file, 0, Math.min(headBytes, known.size))) &&
		known.mark === (await markAt(file, known.at))
	);
}

/** So many mails are read again after a kill. */
const stepOfMark = 1024;

async function startsAsMailbox(file: FileHandle): Promise<boolean> {
	const start = await bytesAt(file, 0, lookAhead);
	return separatorAt(start, 0) !== undefined;
}

function positionIn(text: string | undefined): v.InferOutput<typeof position> | undefined {
	try {
		return text === undefined ? undefined : v.parse(position, JSON.parse(text));
	} catch {
		return undefined;
	}
}

/** Opens regular files only: a named pipe would wait for its writer. */
async function openFile(path: string): Promise<FileHandle> {
	const file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0)).catch((error: unknown) => {
		throw new MailboxError('noMailbox', { cause: error });
	});
	if (!(await file.stat()).isFile()) {
		await file.close();
		throw new MailboxError('noMailbox');
	}
	return file;
}

async function bytesAt(file: FileHandle, at: number, length: number): Promise<Buffer> {
	const bytes = Buffer.alloc(length);
	let filled = 0;
	while (filled < length) {
		const { bytesRead } = await file.read(bytes, filled, length - filled, at + filled);
		if (bytesRead === 0) {
			break;
		}
		filled += bytesRead;
	}
	return bytes.subarray(0, filled);
}

async function digestAt(file: FileHandle, at: number, length: number): Promise<string> {
	return createHash('sha256')
		.update(await bytesAt(file, at, length))
		.digest('hex')
		.slice(0, 32);
}

/** Of the last bytes of a file of this size. */
async function tailAt(file: FileHandle, size: number): Promise<string> {
	return await digestAt(file, Math.max(0, size - headBytes), Math.min(headBytes, size));
}

/** Of the bytes before a mail and its first ones. They stay when the mail grows. */
async function markAt(file: FileHandle, at: number): Promise<string> {
	return await digestAt(file, Math.max(0, at - markBytes), Math.min(markBytes, at) + fromWord.length);
}
