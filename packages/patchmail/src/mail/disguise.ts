/**
 * An envelope arrives as text: UTF-8 is characters, and all other bytes are lone surrogates U+DC80 to U+DCFF. If the
 * body of a part holds such bytes, all of it becomes bytes again, and its charset decodes them. All other characters
 * beyond ASCII travel through decoders and parsers in disguise, as ASCII that neither charsets nor base64 nor address
 * parsers touch: `|~` and `~|` around octal digits, written as other signs. A hash of the whole text gives the first
 * six, so that no text looks like a disguise by chance.
 */

/** The signs of the octal digits. */
const digitSigns = '!#$&^{}.';
const keyLength = 6;
const mostPieces = 8192;
const [carriageReturn, lineFeed] = [0x0d, 0x0a];

/** Text as the bytes that a parser or decoder is given. */
export interface DisguisedText {
	readonly bytes: Uint8Array;
	/** Gives text that was made of those bytes its characters back. */
	readonly reveal: (text: string) => string;
	/** The same for bytes that are no text: the characters become UTF-8. */
	readonly revealBytes: (bytes: Uint8Array) => Uint8Array;
}

/**
 * Hides non-ASCII characters, and a CR at the end of a line, because parsers count it to the line end. `isNeeded` if
 * the caller knows.
 */
export function disguise(text: string, isNeeded = needsDisguise(text)): DisguisedText {
	if (!isNeeded) {
		return { bytes: new TextEncoder().encode(text), reveal: (same) => same, revealBytes: (same) => same };
	}
	// Nobody writes a text by chance that holds the sign made of that very text.
	let hash = 0x811c9dc5;
	for (let at = 0; at < text.length; at += 1) {
		hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
	}
	const key = inSigns(hash >>> 0, keyLength).slice(-keyLength);
	const sign = /\|~([!#$&^{}.]{6})([!#$&^{}.]{2,7})~\|/g;
	const characters = (shown: string, made: (code: number) => string): string => {
		const parts = growingText();
		let end = 0;
		for (const { 0: whole, 1: found, 2: digits = '', index } of shown.matchAll(sign)) {
			const code = found === key ? codeOf(digits) : undefined;
			if (code !== undefined) {
				parts.add(shown.slice(end, index), made(code));
				end = index + whole.length;
			}
		}
		return parts.whole(shown.slice(end));
	};
	return {
		bytes: disguisedBytes(text, key),
		reveal: (shown) => characters(shown, (code) => String.fromCodePoint(code)),
		revealBytes: (bytes) => {
			const shown = characters(latin1(bytes), (code) => latin1(Buffer.from(String.fromCodePoint(code))));
			return Uint8Array.from(Buffer.from(shown, 'latin1'));
		},
	};
}

/** Whether a text cannot go to a decoder as it is. */
export function needsDisguise(text: string): boolean {
	return /\P{ASCII}|\r(?:\n|$)/u.test(text);
}

function disguisedBytes(text: string, key: string): Uint8Array {
	const parts = growingText();
	for (const { text: piece, isBytes } of text.isWellFormed() ? [{ text, isBytes: false }] : piecesOf(text)) {
		let plainFrom = 0;
		for (let at = 0; at < piece.length; at += 1) {
			const code = piece.charCodeAt(at);
			const isReturn = code === carriageReturn;
			if (code >= 0x80 || (isReturn && (at + 1 === piece.length || piece.charCodeAt(at + 1) === lineFeed))) {
				const whole = piece.codePointAt(at)!;
				parts.add(piece.slice(plainFrom, at), isBytes && whole >= 0x80 ? asBytes(whole) : asAscii(whole, key));
				at += whole > 0xffff ? 1 : 0;
				plainFrom = at + 1;
			}
		}
		parts.add(piece.slice(plainFrom), '');
	}
	return Buffer.from(parts.whole(''), 'latin1');
}

interface Piece {
	readonly text: string;
	readonly isBytes: boolean;
}

/** Heads and bodies of a mail and of its parts. */
function piecesOf(mail: string): readonly Piece[] {
	const boundaries = new Set(
		Array.from(
			mail.matchAll(/boundary=(?:"([^"\n]{1,200})"|([^\s;"]{1,200}))/gi),
			([, quoted, bare]) => quoted ?? bare,
		),
	);
	const starts = [0];
	for (let at = mail.indexOf('\n--'); at !== -1; at = mail.indexOf('\n--', at + 1)) {
		const line = mail
			.slice(at + 3, at + 3 + 204)
			.split('\n', 1)[0]!
			.trimEnd();
		if (boundaries.has(line) || (line.endsWith('--') && boundaries.has(line.slice(0, -2)))) {
			starts.push(at + 1);
		}
	}
	return starts.flatMap((start, index) => {
		const part = mail.slice(start, starts[index + 1]);
		const gap = part.indexOf('\n\n');
		const head = gap === -1 ? part : part.slice(0, gap + 1);
		const body = part.slice(head.length);
		return [
			{ text: head, isBytes: false },
			{ text: body, isBytes: !body.isWellFormed() },
		];
	});
}

function asBytes(code: number): string {
	return code >= 0xdc80 && code <= 0xdcff
		? String.fromCharCode(code - 0xdc00)
		: Buffer.from(String.fromCodePoint(code)).toString('latin1');
}

/** Joins very many pieces without keeping all of them until the end. */
function growingText(): {
	readonly add: (plain: string, character: string) => void;
	readonly whole: (end: string) => string;
} {
	const texts: string[] = [];
	let pieces: string[] = [];
	const join = (): void => {
		texts.push(pieces.join(''));
		pieces = [];
	};
	return {
		add(plain, character) {
			pieces.push(plain, character);
			if (pieces.length >= mostPieces) {
				join();
			}
		},
		whole(end) {
			pieces.push(end);
			join();
			return texts.join('');
		},
	};
}

function asAscii(code: number, key: string): string {
	if (code >= 0xdc80 && code <= 0xdcff) {
		return String.fromCharCode(code - 0xdc00);
	}
	const shown = code >= 0xd800 && code <= 0xdfff ? 0xfffd : code;
	return `|~${key}${inSigns(shown, 2)}~|`;
}

function inSigns(value: number, leastLength: number): string {
	return value
		.toString(8)
		.padStart(leastLength, '0')
		.replaceAll(/\d/g, (digit) => digitSigns.charAt(Number(digit)));
}

/** At most characters appear that could have been written openly. */
function codeOf(digits: string): number | undefined {
	const code = Array.from(digits).reduce((value, sign) => value * 8 + digitSigns.indexOf(sign), 0);
	const isCharacter = code <= 0x10_ffff && (code < 0xd800 || code > 0xdfff);
	return isCharacter && (code >= 0x80 || code === carriageReturn) ? code : undefined;
}

function latin1(bytes: Uint8Array): string {
	return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
}
