import { pushAll } from '@forge-desk/base/longArrays.ts';

/** The kinds of mailboxes in one file. */
export interface MailboxForm {
	/** `mail`: one mail without a separator. */
	readonly kind: 'mbox' | 'mmdf' | 'mail';
	/** Offset of the first separator or mail, behind a byte order mark and empty lines. */
	readonly at: number;
	/** The first separator has an address and no time, so later ones may lack it, too. */
	readonly isUndated: boolean;
	/** Each line ends in CR. The reader gives LF in its place, so offsets stay. */
	readonly hasReturns: boolean;
}

/** A mail as its mailbox stores it. */
export interface MailOfMailbox {
	/** Offset of its separator. */
	readonly at: number;
	readonly start: number;
	/** Of the whole mail. */
	readonly size: number;
	/** Up to the limit of the reader. `unquoted` returns the mail as it travelled. */
	readonly bytes: Uint8Array;
	/** False if its writer does not quote lines that begin with `From `, such as git. */
	readonly isQuoted: boolean;
}

/** Bytes that are no mailbox. */
export class NoMailbox extends Error {
	override readonly name = 'NoMailbox';

	constructor() {
		super('This is no mailbox: it begins neither with a separator nor with the fields of a mail');
	}
}

/** Mailboxes from archives: no other line separates their mails, and each mail ends before a line feed. */
export const archiveForm: MailboxForm = { kind: 'mbox', at: 0, isUndated: false, hasReturns: false };

/** A separator and the fields behind it are shorter. */
export const lookAhead = 4096;
const longestLine = 1000;
const longestName = 200;
const longestHead = 65_536;
/** The reader holds a mail with a Content-Length until it knows the next separator. Longer ones count for nothing. */
const longestCounted = 8 * 1024 * 1024;
const [lineFeed, carriageReturn] = [0x0a, 0x0d];
const archiveLine = 'From mboxrd@z ';
const mmdfLine = '\u0001\u0001\u0001\u0001';
const gitLine = /^From [0-9a-f]{40,64} Mon Sep 17 00:00:00 2001$/;

const clock = String.raw`\d\d?:\d\d(?::\d\d(?:\.\d+)?)?`;
const zone = String.raw`(?:[-+]\d\d:?\d\d|\(?\p{Lu}\S*(?: \p{Lu}\S*){0,3})`;
const year = String.raw`(?:\d{4}|\d\d)(?!\d)`;
const month = String.raw`[^\s\d:]{2,12}`;
const dates = [
	`${month} +\\d\\d?,? +${clock},?(?: *${zone})? +${year}`,
	`${month} +\\d\\d?,? +${year},? +${clock}`,
	`\\d\\d?[ -]${month}[ -]${year},? +${clock}`,
	String.raw`\d{1,4}[-/.]\d\d?[-/.]\d{1,4}(?:T|,? +)${clock}`,
].join('|');
const dated = new RegExp(String.raw`\s(?:${dates})(?: ?${zone}){0,2}(?: remote from \S+)?\s*$`, 'u');
/** An address, perhaps with a name or a hidden `@`, and the day of the week. */
const plainSender = /^From *(?:"[^"]*" <\S+>|\S+ at \S+|\S+)?(?: +[^\s\d:]{2,12})?$/;
const bareLine = /^From\s+-?\s*$/;
const undatedLine = /^From\s+(?:\S*@\S*|MAILER-DAEMON|-)(?:\s[^@]*)?$/;
const field = /^[!-9;-~]+[ \t]*:/;
/** Also a quoted separator, and the body of a mail without fields. */
const firstLine = /^(?:[!-9;-~]+[ \t]*:|>From |\r?\n|$)/;
const knownField = /^(?:from|to|date|subject|message-id|received|return-path|delivered-to|x-mozilla-status)[ \t]*:/i;

/** The form of a mailbox, by its first `lookAhead` bytes. `undefined`: the file is no mailbox. */
export function mailboxForm(start: Uint8Array): MailboxForm | undefined {
	const read = Buffer.from(start.subarray(0, lookAhead)).toString('latin1');
	const hasReturns = read.includes('\r') && !read.includes('\n');
	const text = hasReturns ? read.replaceAll('\r', '\n') : read;
	const at = /^(?:\u00ef\u00bb\u00bf)?(?:[ \t]*\r?\n)*/.exec(text)?.[0].length ?? 0;
	const [line = '', rest = ''] = text.slice(at).split(/\r?\n(.*)/s);
	const isUndated = !dated.test(line) && undatedLine.test(line);
	const form = { at, isUndated, hasReturns };
	return line === mmdfLine
		? { ...form, kind: 'mmdf' }
		: line.startsWith(archiveLine) || separates(line.slice(0, longestLine), () => rest, true, isUndated)
			? { ...form, kind: 'mbox' }
			: isHead(text.slice(at))
				? { ...form, kind: 'mail' }
				: undefined;
}

/** True for fields up to an empty line, one of them a field of mails. */
function isHead(text: string): boolean {
	let isOfMail = false;
	for (let at = 0; ;) {
		const end = text.indexOf('\n', at);
		const line = text.slice(at, Math.max(at, end));
		if (end === -1 || line === '' || line === '\r') {
			return isOfMail;
		}
		if (!field.test(line) && !line.startsWith('>From ') && (at === 0 || !/^[ \t]/.test(line))) {
			return false;
		}
		isOfMail ||= knownField.test(line);
		at = end + 1;
	}
}

/**
 * True for a separator that no archive wrote. `rest`: as many characters of the lines behind it. Odd separators need a
 * whole head.
 */
function separates(line: string, rest: (length: number) => string, isAfterEmpty: boolean, isUndated: boolean): boolean {
	const date = line.startsWith('From ') ? dated.exec(line) : null;
	if (date && plainSender.test(line.slice(0, date.index))) {
		return (isAfterEmpty ? firstLine : field).test(rest(longestName));
	}
	const isOdd = date !== null || bareLine.test(line) || (isUndated && undatedLine.test(line));
	return isOdd && field.test(rest(longestName)) && ((isAfterEmpty && !date) || isHead(rest(lookAhead)));
}

/** The only Content-Length of a head. */
function statedLength(head: string): number | undefined {
	const [length, ...others] = Array.from(head.matchAll(/^content-length:[ \t]*(\d{1,9})[ \t]*\r?$/gim), ([, digits]) =>
		Number(digits),
	);
	return others.length > 0 || length === undefined || length > longestCounted ? undefined : length;
}

/** A mail whose end is unknown. */
interface BegunMail {
	readonly at: number;
	readonly start: number;
	readonly isQuoted: boolean;
	readonly isOfArchive: boolean;
}

/**
 * Splits a mailbox that comes in chunks. Its memory is bounded by a chunk, the kept bytes of a mail and the longest
 * counted mail, however long a mail or a line is.
 */
export class MailboxReader {
	readonly #mostBytes: number;
	/** Known once its start has come. */
	form: MailboxForm | undefined;
	/**
	 * True while the Content-Length of each mail leads to the next one, in mailboxes whose writers quote nothing. A single
	 * other mail ends it: then senders wrote these fields.
	 */
	hasLengths: boolean;
	/** Bytes from offset `#base` on. Those before `#known` need no second look. */
	#held = Buffer.alloc(0);
	/** Chunks to come after it, and the number of bytes before the next look. */
	#arrived: Uint8Array[] = [];
	#missing = lookAhead;
	#base: number;
	#known = 0;
	#first: number;
	#begun: BegunMail | undefined;
	#isCounted = false;
	/** Bytes of the begun mail, up to offset `#keptTo`. */
	#parts: Uint8Array[] = [];
	#partBytes = 0;
	#keptTo = 0;

	/** `form`: of the file; found at its start without one. `from`: offset of the first chunk, at a separator. */
	constructor(form: MailboxForm | undefined, mostBytes: number, from = 0, hasLengths = true) {
		this.form = form;
		this.#mostBytes = mostBytes;
		this.#base = from;
		this.#first = from;
		this.hasLengths = form !== archiveForm && hasLengths;
	}

	/** The mails that this chunk completes. */
	add(chunk: Uint8Array): readonly MailOfMailbox[] {
		this.#arrived.push(chunk);
		this.#missing -= chunk.byteLength;
		return this.#missing > 0 ? [] : this.#read(false);
	}

	/** The last mails. `undefined`: this was no mailbox. */
	end(): readonly MailOfMailbox[] | undefined {
		const mails = this.#read(true);
		return this.form ? mails : undefined;
	}

	#read(isLast: boolean): readonly MailOfMailbox[] {
		const arrived = Buffer.concat(this.#arrived);
		this.form ??= mailboxForm(arrived);
		const { form } = this;
		this.#arrived = form ? [] : [arrived.subarray(0, lookAhead)];
		this.#missing = lookAhead;
		if (!form) {
			return [];
		}
		this.#held = Buffer.concat([this.#held, form.hasReturns ? lineFeeds(arrived) : arrived]);
		if (!this.#begun) {
			this.#start(form);
		}
		const mails: MailOfMailbox[] = [];
		const decided = isLast ? this.#held.length : Math.max(0, this.#held.length - lookAhead);
		while (this.#known < decided && this.#skipCounted(form, isLast)) {
			const at = this.#nextLine(form);
			if (at >= decided) {
				this.#known = Math.max(this.#known, decided);
				break;
			}
			const next = this.#separatorAt(at, form);
			if (next && this.#begun) {
				mails.push(this.#ended(this.#begun, this.#endBefore(at, this.#begun)));
			}
			this.#known = next ? next.start - this.#base : at + 1;
			this.#begin(next ?? this.#begun);
		}
		if (isLast) {
			pushAll(mails, this.#last(form));
		}
		this.#forget();
		// Two lines in a row end a mail and begin the next one.
		return form.kind === 'mmdf' ? mails.filter(({ size }) => size > 0) : mails;
	}

	/** The mail at the end. Half a separator begins nothing. */
	#last({ kind }: MailboxForm): readonly MailOfMailbox[] {
		const { length } = this.#held;
		const begun = this.#begun;
		this.#begun = undefined;
		return begun && begun.start <= this.#base + length
			? [this.#ended(begun, kind === 'mail' ? length : this.#endBefore(length, begun))]
			: [];
	}

	/** Goes to the first separator or mail. */
	#start({ kind, at }: MailboxForm): void {
		this.hasLengths &&= kind === 'mbox';
		if (this.#first < at) {
			this.#first = at;
			this.#known = at - this.#base;
		}
		if (kind === 'mail') {
			this.#begin({ at: this.#first, start: this.#first, isQuoted: false, isOfArchive: false });
		}
	}

	/** Index of the next line that may be a separator; infinite without one. */
	#nextLine({ kind }: MailboxForm): number {
		if (kind === 'mail') {
			return Infinity;
		}
		if (this.#base + this.#known === this.#first) {
			return this.#known;
		}
		const found = this.#held.indexOf(kind === 'mmdf' ? `\n${mmdfLine}` : '\nFrom ', this.#known - 1, 'latin1');
		return found === -1 ? Infinity : found + 1;
	}

	#begin(mail: BegunMail | undefined): void {
		if (mail && mail !== this.#begun) {
			this.#begun = mail;
			this.#isCounted = false;
			this.#keptTo = mail.start;
		}
	}

	/** Goes to the end of a mail with a Content-Length. False if more bytes have to come first. */
	#skipCounted(form: MailboxForm, isLast: boolean): boolean {
		const begun = this.#begun;
		if (!begun || !this.hasLengths || this.#isCounted) {
			return true;
		}
		const from = begun.start - this.#base;
		const text = this.#held.toString('latin1', from, from + longestHead);
		const head = /^.*?\n\r?\n|/s.exec(text)?.[0] ?? '';
		if (head === '' && !isLast && text.length < longestHead) {
			return false;
		}
		const length = statedLength(head);
		if (length === undefined) {
			this.hasLengths = false;
			return true;
		}
		const end = from + head.length + length;
		if (!isLast && this.#held.length < end + lookAhead) {
			this.#missing = end + lookAhead - this.#held.length;
			return false;
		}
		const behind = this.#held.toString('latin1', end, end + 4);
		const at = end + behind.length - behind.replace(/^(?:\r?\n){1,2}/, '').length;
		this.#isCounted = true;
		this.hasLengths = at === this.#held.length || this.#separatorAt(at, form) !== undefined;
		this.#known = this.hasLengths ? at : this.#known;
		return true;
	}

	/** The mail that begins behind a separator at this index. */
	#separatorAt(index: number, form: MailboxForm): BegunMail | undefined {
		const found = this.#held.indexOf(lineFeed, index);
		const end = found === -1 ? this.#held.length : found;
		const [at, start] = [this.#base + index, this.#base + end + 1];
		if (end - index > longestLine) {
			return undefined;
		}
		const line = this.#held.toString('latin1', index, end).replace(/\r$/, '');
		const rest = (length: number): string => this.#held.toString('latin1', end + 1, end + 1 + length);
		if (form.kind === 'mmdf') {
			const other = rest(lookAhead);
			const from = other.startsWith('From ') ? other.indexOf('\n') + 1 : 0;
			return line === mmdfLine ? { at, start: start + from, isQuoted: false, isOfArchive: false } : undefined;
		}
		const isOfArchive = line.startsWith(archiveLine);
		const isAfterEmpty = this.#endBefore(index, { start: 0, isOfArchive: false }) < index;
		const isSeparator =
			isOfArchive ||
			(form !== archiveForm &&
				found !== -1 &&
				(at === this.#first || separates(line, rest, isAfterEmpty, form.isUndated)));
		return isSeparator ? { at, start, isOfArchive, isQuoted: !gitLine.test(line) } : undefined;
	}

	/** Index behind a mail. Writers put an empty line between mails, and archives a line feed. */
	#endBefore(index: number, { start, isOfArchive }: Pick<BegunMail, 'start' | 'isOfArchive'>): number {
		const [third, second, last] = [3, 2, 1].map((back) => this.#held[index - back]);
		const length =
			last !== lineFeed
				? 0
				: isOfArchive || second === lineFeed
					? 1
					: second === carriageReturn && third === lineFeed
						? 2
						: 0;
		return Math.max(start - this.#base, index - length);
	}

	#ended({ at, start, isQuoted }: BegunMail, index: number): MailOfMailbox {
		this.#keep(index);
		const bytes = Buffer.concat(this.#parts);
		this.#parts = [];
		this.#partBytes = 0;
		return { at, start, isQuoted, size: this.#base + index - start, bytes };
	}

	/** Keeps the bytes of the begun mail up to this index. */
	#keep(index: number): void {
		const part = this.#held.subarray(this.#keptTo - this.#base, index).subarray(0, this.#mostBytes - this.#partBytes);
		if (this.#keptTo - this.#base < index && part.length > 0) {
			this.#parts.push(part);
			this.#partBytes += part.length;
		}
		this.#keptTo = Math.max(this.#keptTo, this.#base + index);
	}

	/** Drops the bytes that nobody looks at again. */
	#forget(): void {
		const isWaiting = this.#begun !== undefined && this.hasLengths && !this.#isCounted;
		const start = isWaiting ? (this.#begun?.start ?? 0) - this.#base : this.#known;
		// An empty line before a separator has two line ends.
		const count = Math.max(0, Math.min(start, this.#known) - 4);
		if (this.#begun) {
			this.#keep(count);
		}
		this.#held = Buffer.from(this.#held.subarray(count));
		this.#base += count;
		this.#known -= count;
	}
}

/** Each CR becomes LF. */
export function lineFeeds(bytes: Uint8Array): Buffer {
	return Buffer.from(bytes.map((byte) => (byte === carriageReturn ? lineFeed : byte)));
}

/** The mail of a file that holds one, without a separator at its start. */
export function mailInFile(file: Uint8Array): Uint8Array {
	const { kind, at, hasReturns } = mailboxForm(file) ?? { kind: 'mail', at: 0, hasReturns: false };
	const bytes = hasReturns ? lineFeeds(file) : file;
	return bytes.subarray(kind === 'mbox' ? bytes.indexOf(lineFeed, at) + 1 : at);
}

/** All mails of a mailbox in memory. `undefined`: the bytes are no mailbox. */
export function mailsIn(mailbox: Uint8Array): readonly MailOfMailbox[] | undefined {
	const reader = new MailboxReader(undefined, mailbox.byteLength);
	const mails = reader.add(mailbox);
	const last = reader.end();
	return last && [...mails, ...last];
}

/**
 * A mail as it travelled. Removes one `>` from each line of the body that mailboxes quote; in a mail with a
 * Content-Length only if no line lacks its quote.
 */
export function unquoted({ bytes, isQuoted }: Pick<MailOfMailbox, 'bytes' | 'isQuoted'>): Uint8Array {
	const mail = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
	// An empty line ends the head. The ends of both lines may differ.
	const [plain, mixed] = [mail.indexOf('\n\n'), mail.indexOf('\n\r\n')];
	const body = plain === -1 || mixed === -1 ? Math.max(plain, mixed) : Math.min(plain, mixed);
	if (!isQuoted || body === -1 || mail.indexOf('\n>', body) === -1 || mail.indexOf('From ', body) === -1) {
		return bytes;
	}
	const isAsItWas = mail.indexOf('\nFrom ', body) !== -1 && /^content-length:/im.test(mail.toString('latin1', 0, body));
	const text = mail.toString('latin1', body);
	const restored = isAsItWas ? text : text.replace(/\n>(>*From )/g, '\n$1');
	return restored === text ? bytes : Buffer.concat([mail.subarray(0, body), Buffer.from(restored, 'latin1')]);
}
