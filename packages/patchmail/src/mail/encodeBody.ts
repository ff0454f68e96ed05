/** A body as it travels: lines end with LF. */
export interface EncodedBody {
	readonly encoding: '7bit' | 'quoted-printable';
	readonly text: string;
}

/** A line may have 998 bytes (RFC 5322, 2.1.1). */
const longestPlain = 900;
/** Of quoted-printable, without the `=` that breaks it (RFC 2045, 6.7). */
const longestEncoded = 75;
const [equals, blank, tab, dot] = [0x3d, 0x20, 0x09, 0x2e];

/**
 * ASCII travels as it is, all other text as quoted-printable: every server on the way leaves both alone. Mailboxes put a
 * mark before a line that begins with `From `.
 */
export function encodedBody(text: string): EncodedBody {
	const isPlain =
		/^[\t\n\x20-\x7e]*$/.test(text) &&
		text.split('\n').every((line) => line.length <= longestPlain && !line.startsWith('From '));
	return isPlain
		? { encoding: '7bit', text }
		: { encoding: 'quoted-printable', text: quotedPrintable(Buffer.from(text.toWellFormed(), 'utf8')) };
}

/** Bytes whose lines end with LF; every other control character is escaped. */
export function quotedPrintable(bytes: Buffer): string {
	return bytes.toString('latin1').split('\n').map(encodedLine).join('\n');
}

/** `line`: one character for each byte. */
function encodedLine(line: string): string {
	const broken: string[] = [];
	let current = '';
	for (let at = 0; at < line.length; at++) {
		const byte = line.charCodeAt(at);
		const [isFirst, isLast] = [at === 0, at === line.length - 1];
		// A blank at the end of a line gets lost on the way.
		// A dot at its head ends the mail where somebody forgets it.
		const isBlank = byte === blank || byte === tab;
		const isSign = byte > blank && byte < 0x7f && byte !== equals && !(isFirst && byte === dot);
		const isPlain = isBlank ? !isLast : isSign;
		const token = isPlain ? String.fromCharCode(byte) : `=${byte.toString(16).toUpperCase().padStart(2, '0')}`;
		if (current.length + token.length > longestEncoded) {
			broken.push(`${current}=`);
			current = '';
		}
		current += token;
	}
	return [...broken, current].join('\n').replace(/^From /, '=46rom ');
}
