import { encodeCharset, type SentCharset } from '../../mail/charset.ts';
import { encodeWords } from '../../mail/encodedWords.ts';
import { encodeTransfer, type TransferEncoding } from '../../mail/transferEncoding.ts';

/** How a text travels. */
export interface Packing {
	readonly charset: SentCharset;
	readonly encoding: TransferEncoding;
	/** Added to the content type, such as `; format=flowed`. */
	readonly parameters?: string;
}

/** Raw header lines by name; undefined omits one. */
export type HeaderLines = Readonly<Record<string, string | undefined>>;

/** A whole mail: `head` lines, then the packed text. ASCII text without `packing` travels bare, as old programs send it. */
export function packMail(head: HeaderLines, text: string, packing?: Packing): Buffer {
	if (Buffer.byteLength(text) === text.length && packing === undefined) {
		return Buffer.concat([writeHead(head), encodeTransfer(Buffer.from(text), '7bit')]);
	}
	const chosen = packing ?? { charset: 'utf-8', encoding: '8bit' };
	const body = encodeTransfer(encodeCharset(text, chosen.charset), chosen.encoding);
	return Buffer.concat([writeHead({ ...head, ...packingHead(chosen) }), body]);
}

export function packingHead({ charset, encoding, parameters = '' }: Packing): HeaderLines {
	return {
		'MIME-Version': '1.0',
		'Content-Type': `text/plain; charset=${charset}${parameters}`,
		'Content-Transfer-Encoding': encoding,
	};
}

export function writeHead(head: HeaderLines): Buffer {
	const lines = Object.entries(head).flatMap(([name, value]) => (value === undefined ? [] : [`${name}: ${value}`]));
	return Buffer.from(`${lines.join('\r\n')}\r\n\r\n`);
}

/** `Bob Builder <bob@forge.test>`, the name encoded or quoted where needed. */
export function mailbox({ name, email }: { readonly name: string; readonly email: string }): string {
	if (name === '') {
		return email;
	}
	const isPlain = /^[A-Za-z0-9 -]*$/.test(name);
	const isAscii = /^[\u0020-\u007e]*$/.test(name);
	const shown = isPlain ? name : isAscii ? `"${name.replaceAll(/["\\]/g, String.raw`\$&`)}"` : encodeWords(name);
	return `${shown} <${email}>`;
}

const dayNames = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];

/** A Date header in UTC. */
export function mailDate(timeMs: number): string {
	const iso = new Date(timeMs).toUTCString();
	const day = dayNames[new Date(timeMs).getUTCDay()] ?? '';
	return `${day}, ${iso.slice(5, 25)} +0000`;
}
