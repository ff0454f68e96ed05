/*
 * An envelope arrives as text: what is not ASCII in it was decoded by the server already, and the charset that its
 * part declares no longer applies. Such characters travel through the MIME parser in disguise, as ASCII that neither
 * charsets nor address parsers touch: `|~e9~|`. What looks like the beginning of a disguise is put into one itself.
 * Lone surrogates U+DC80 to U+DCFF are bytes that the server could not decode; they stay bytes.
 */

const needsDisguise = /\P{ASCII}|\|(?=~)/gu;
const disguised = /\|~([0-9a-f]{2,6})~\|/g;

/** A mail as the bytes that a MIME parser is given. */
export interface DisguisedMail {
	readonly bytes: Uint8Array;
	/** Gives text that came out of the parser its characters back. */
	readonly reveal: (text: string) => string;
}

/** Hides what is not ASCII from the parser. */
export function disguise(mail: string): DisguisedMail {
	return /\P{ASCII}/u.test(mail)
		? { bytes: oneBytePerCharacter(mail.replaceAll(needsDisguise, asAscii)), reveal }
		: { bytes: new TextEncoder().encode(mail), reveal: (text) => text };
}

function asAscii(character: string): string {
	const code = character.codePointAt(0) ?? 0;
	if (code >= 0xdc80 && code <= 0xdcff) {
		return String.fromCharCode(code - 0xdc00);
	}
	const shown = code >= 0xd800 && code <= 0xdfff ? 0xfffd : code;
	return `|~${shown.toString(16)}~|`;
}

function oneBytePerCharacter(text: string): Uint8Array {
	const bytes = new Uint8Array(text.length);
	for (let at = 0; at < text.length; at += 1) {
		bytes[at] = text.charCodeAt(at);
	}
	return bytes;
}

/** Encoded text may hold such signs of its own; then at most characters that could be written openly appear. */
function reveal(text: string): string {
	return text.replaceAll(disguised, (whole, hex: string) => {
		const code = Number.parseInt(hex, 16);
		const isCharacter = code <= 0x10_ffff && (code < 0xd800 || code > 0xdfff);
		return isCharacter && (code >= 0x80 || code === 0x7c) ? String.fromCodePoint(code) : whole;
	});
}
