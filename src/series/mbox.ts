import { charsetOf, charsetOfLines, decodeBytes, type Charset } from '../mail/charsets.ts';

/** What stands above a mail whose own line `From …` would not be known as one. */
const fromLine = 'From nobody Thu Jan  1 00:00:00 1970';

/**
 * A mailbox that `git am` takes, of mails in this order, each as the forge hands it out: perhaps with a line `From …` at its
 * head, with any line ends, and with bytes that nobody decoded as U+DC80 to U+DCFF. The mailbox has LF.
 */
export function mailboxOf(envelopes: readonly string[]): Uint8Array {
	return Buffer.concat(envelopes.map(oneMail));
}

/** One mail of the box: its line `From …`, its own lines, and a blank one. */
function oneMail(envelope: string): Buffer {
	// Where the head ends its lines with CR LF, so does the transport; elsewhere a CR is the patch's own.
	const text = /^[^\n]*\r\n/.test(envelope) ? envelope.replaceAll('\r\n', '\n') : envelope;
	const isBoxed = /^From [^\s:]/.test(text);
	const end = text.indexOf('\n');
	const given = isBoxed ? latin1(text.slice(0, end === -1 ? text.length : end)) : '';
	const rest = isBoxed ? (end === -1 ? '' : text.slice(end + 1)) : text;
	// Git looks at bytes, of which only one ends a line.
	const lines = latin1(rest.replace(/^\n+/, '')).split('\n');
	const escaped = lines.map((line) => (beginsMail(line) ? `>${line}` : line)).join('\n');
	const whole = `${beginsMail(given) ? given : fromLine}\n${escaped}${escaped.endsWith('\n') ? '' : '\n'}\n`;
	return Buffer.from(whole, 'latin1');
}

/** The bytes of a text, one a character. */
function latin1(text: string): string {
	return mailBytes(text).toString('latin1');
}

/**
 * Whether `git mailsplit` takes a line for the beginning of a mail: it ends with a time and a year. Other lines `From …`
 * stay as they are, since git takes no mark off again. The line's bytes, one a character.
 */
function beginsMail(line: string): boolean {
	const colon = line.lastIndexOf(':', line.length - 2);
	return (
		line.length >= 19 &&
		line.startsWith('From ') &&
		/^\d[^]\d\d:\d\d/.test(line.slice(colon - 4, colon + 3)) &&
		Number.parseInt(line.slice(colon + 3), 10) > 90
	);
}

/*
 * Servers hand out mails as text. What they could decode stands in it as characters, and everything else as lone
 * surrogates U+DC80 to U+DCFF, one for each byte.
 */

/** Text between real characters: ASCII and bytes that nobody decoded, without the ends of lines. */
const undecoded = /(?:(?!\n)[\p{ASCII}\u{dc80}-\u{dcff}])+/gu;
const isPlain = /^\p{ASCII}*$/u;
const hasCharacters = /[^\p{ASCII}\u{dc80}-\u{dcff}]/u;
const hasBytes = /[\u{dc80}-\u{dcff}]/u;
const escape = '\u{1b}';

/** The head of a mail or of one of its parts with its blank line, and everything up to the next head. */
interface Entity {
	readonly head: string;
	readonly body: string;
}

/**
 * A mail as it travelled: bytes that the server could not decode are themselves again, and what it decoded is encoded as
 * the mail declares. Where that is not possible, the text is UTF-8 and the mail says so from now on. Line ends stay.
 */
export function mailBytes(text: string): Buffer {
	return isPlain.test(text) ? Buffer.from(text, 'latin1') : Buffer.concat(entitiesOf(text).flatMap(entityBytes()));
}

/** Takes a mail apart at the heads of its parts; put together, the pieces are the whole text. */
function entitiesOf(text: string): readonly Entity[] {
	const entities: Entity[] = [];
	const boundaries = new Set<string>();
	let [start, bodyStart, at] = [0, -1, 0];
	while (at < text.length) {
		const end = text.indexOf('\n', at);
		const next = end === -1 ? text.length : end + 1;
		const line = text.slice(at, end === -1 ? text.length : end).trimEnd();
		if (bodyStart === -1 && line === '') {
			bodyStart = next;
			boundaryIn(text.slice(start, next)).forEach((boundary) => boundaries.add(boundary));
		} else if (line.startsWith('--') && boundaries.has(line.slice(2))) {
			entities.push(entity(text, { start, bodyStart, end: next }));
			[start, bodyStart] = [next, -1];
		}
		at = next;
	}
	return [...entities, entity(text, { start, bodyStart, end: text.length })];
}

function entity(
	text: string,
	{ start, bodyStart, end }: { readonly start: number; readonly bodyStart: number; readonly end: number },
): Entity {
	const cut = bodyStart === -1 ? end : bodyStart;
	return { head: text.slice(start, cut), body: text.slice(cut, end) };
}

/** A field with the lines in which it goes on. */
const contentType = /^content-type[ \t]*:[^\n]*(?:\n[ \t][^\n]*)*/gim;
const charsetParameter = /\bcharset=("[^"\n]*"|[^\s;"]*)/i;

function boundaryIn(head: string): readonly string[] {
	return Array.from(head.matchAll(contentType), ([field]) => /\bboundary=(?:"([^"\n]*)"|([^\s;"]+))/i.exec(field))
		.map((found) => (found?.[1] ?? found?.[2] ?? '').trimEnd())
		.filter((boundary) => boundary !== '');
}

/** Makes bytes of the parts of one mail, which may be very many of few charsets. */
function entityBytes(): (entity: Entity) => readonly Buffer[] {
	const tables = new Map<string, ReadonlyMap<string, number>>();
	return ({ head, body }) => {
		const charset = charsetToChange(head, body);
		if (charset === undefined) {
			return [bytesOf(head), bytesOf(body)];
		}
		const key = charset.kind === 'other' ? charset.decoder.encoding : charset.kind;
		const byteOf = tables.get(key) ?? bytesByCharacter(charset);
		tables.set(key, byteOf);
		const exact = encoded(body, byteOf);
		if (exact !== undefined) {
			return [bytesOf(head), exact];
		}
		const declared = head.replaceAll(contentType, (field) => field.replace(charsetParameter, 'charset=utf-8'));
		return [bytesOf(declared), bytesOf(decoded(body, charset))];
	};
}

/** What the characters of a part were decoded from; `undefined` where there are none, and for UTF-8. */
function charsetToChange(head: string, body: string): Charset | undefined {
	const isEncoded = /^content-transfer-encoding[ \t]*:[ \t]*(?:base64|quoted-printable)/im.test(head);
	if (isEncoded || !hasCharacters.test(body)) {
		return undefined;
	}
	const charset = charsetOfLines(charsetOf(charsetIn(head)));
	return charset.kind === 'utf8' ? undefined : charset;
}

function charsetIn(head: string): string | undefined {
	const [field = ''] = head.match(contentType) ?? [];
	return charsetParameter.exec(field)?.[1]?.replaceAll('"', '');
}

/** Characters that single bytes stand for; none where nobody knows what they were. */
function bytesByCharacter(charset: Charset): ReadonlyMap<string, number> {
	const byteOf = new Map<string, number>();
	for (let byte = 0xff; byte >= 0 && charset.kind !== 'guess'; byte -= 1) {
		byteOf.set(byte < 0x80 ? String.fromCharCode(byte) : decodeBytes(Uint8Array.of(byte), charset), byte);
		if (byte >= 0x80) {
			byteOf.set(String.fromCharCode(0xdc00 + byte), byte);
		}
	}
	byteOf.delete('\u{fffd}');
	return byteOf;
}

/** The bytes that a text was decoded from; `undefined` where one of its characters is no single byte. */
function encoded(body: string, byteOf: ReadonlyMap<string, number>): Buffer | undefined {
	const bytes = new Uint8Array(body.length);
	let length = 0;
	for (const character of body) {
		const byte = byteOf.get(character);
		if (byte === undefined) {
			return undefined;
		}
		bytes[length] = byte;
		length += 1;
	}
	return Buffer.from(bytes.buffer, 0, length);
}

/** With the bytes between the characters decoded, too. */
function decoded(body: string, charset: Charset): string {
	return body.replaceAll(undecoded, (piece) =>
		hasBytes.test(piece) || piece.includes(escape) ? decodeBytes(bytesOf(piece), charset) : piece,
	);
}

/** Characters as UTF-8, bytes as they are. */
function bytesOf(text: string): Buffer {
	if (!hasBytes.test(text)) {
		return Buffer.from(text, 'utf8');
	}
	const pieces = text.match(/[\u{dc80}-\u{dcff}]+|[^\u{dc80}-\u{dcff}]+/gu) ?? [];
	return Buffer.concat(
		pieces.map((piece) =>
			hasBytes.test(piece)
				? Buffer.from(Array.from(piece, (byte) => byte.charCodeAt(0) - 0xdc00))
				: Buffer.from(piece, 'utf8'),
		),
	);
}
