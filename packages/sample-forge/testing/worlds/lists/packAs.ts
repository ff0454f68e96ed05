import { encodeTransfer, encodeCharset } from '../../../src/mail/encoding.ts';
import { packMail, packingHead, writeHead, type HeaderLines, type Packing } from '../../../src/worlds/lists/letters.ts';

/** Forms of mail, by the programs that make them. */
export const packAs = {
	quotedPrintable: (head, text) => packMail(head, text, { charset: 'utf-8', encoding: 'quoted-printable' }),
	base64: (head, text) => packMail(head, text, { charset: 'utf-8', encoding: 'base64' }),
	latin1: (head, text) => packMail(head, text, { charset: 'iso-8859-1', encoding: 'quoted-printable' }),
	/** Raw Latin-1 bytes; the server stores UTF-8 and damages them. */
	latin1Raw: (head, text) => packMail(head, text, { charset: 'iso-8859-1', encoding: '8bit' }),
	koi8: (head, text) => packMail(head, text, { charset: 'koi8-r', encoding: 'base64' }),
	/** The mail program broke long lines. */
	wrapped: (head, text) => packMail(head, text.split('\n').map(breakLine).join('\n')),
	/** format=flowed with stuffed lines. */
	flowed: (head, text) =>
		packMail(head, text.replaceAll(/^(?= |>|From )/gm, ' '), {
			charset: 'utf-8',
			encoding: '8bit',
			parameters: '; format=flowed',
		}),
	/** A letter with the patch as text/x-patch. */
	attached: packAttached,
	/** multipart/signed around the patch. */
	signed: packSigned,
	/** HTML without plain text, as stored by a server that accepts everything. */
	html: packHtml,
} satisfies Readonly<Record<string, (head: HeaderLines, text: string) => Buffer>>;

function breakLine(line: string): string {
	return line.length > 76 ? line.replaceAll(/(.{20,70}) /g, '$1\n') : line;
}

function packAttached(head: HeaderLines, text: string): Buffer {
	const letter = textPart('こんにちは。My first patch for Lantern is attached.\n\n美咲\n', {
		charset: 'utf-8',
		encoding: 'quoted-printable',
	});
	const attachment = {
		head: {
			'Content-Type': 'text/x-patch; charset=utf-8; name="0001-evening.patch"',
			'Content-Disposition': `attachment; filename*=UTF-8''0001-${encodeURIComponent('夕焼け')}.patch`,
			'Content-Transfer-Encoding': 'base64',
		},
		body: encodeTransfer(Buffer.from(text), 'base64'),
	};
	return packParts(head, 'multipart/mixed', [letter, attachment]);
}

function packSigned(head: HeaderLines, text: string): Buffer {
	const signature =
		'-----BEGIN PGP SIGNATURE-----\n\niHUEABYKAB0WIQSample+Signature+of+No+Key+AAoJEA==\n=7f3a\n-----END PGP SIGNATURE-----\n';
	return packParts(head, 'multipart/signed; micalg=pgp-sha256; protocol="application/pgp-signature"', [
		textPart(text, { charset: 'utf-8', encoding: 'quoted-printable' }),
		{
			head: {
				'Content-Type': 'application/pgp-signature; name="signature.asc"',
				'Content-Description': 'OpenPGP signature',
			},
			body: encodeTransfer(Buffer.from(signature), '7bit'),
		},
	]);
}

function packHtml(head: HeaderLines, html: string): Buffer {
	const page = `<html><body><p>${html}</p><img src="https://tracker.example/seen.gif" width="1" height="1"></body></html>\n`;
	const { 'Content-Type': _type, ...packing } = packingHead({ charset: 'utf-8', encoding: 'quoted-printable' });
	const body = encodeTransfer(Buffer.from(page), 'quoted-printable');
	return Buffer.concat([writeHead({ ...head, ...packing, 'Content-Type': 'text/html; charset=utf-8' }), body]);
}

/** One part of a multipart mail. */
interface LetterPart {
	readonly head: HeaderLines;
	/** Encoded for sending, CRLF line ends. */
	readonly body: Buffer;
}

/** A text as the first part of a multipart mail. */
function textPart(text: string, packing: Packing): LetterPart {
	const { 'MIME-Version': _version, ...head } = packingHead(packing);
	return { head, body: encodeTransfer(encodeCharset(text, packing.charset), packing.encoding) };
}

/** `type` is the content type without boundary, such as `multipart/mixed`. */
function packParts(head: HeaderLines, type: string, parts: readonly LetterPart[]): Buffer {
	const boundary = '=-sample-part-7f3a';
	const chunks = parts.flatMap((part) => [Buffer.from(`--${boundary}\r\n`), writeHead(part.head), part.body, crlf]);
	return Buffer.concat([
		writeHead({ ...head, 'MIME-Version': '1.0', 'Content-Type': `${type}; boundary="${boundary}"` }),
		...chunks,
		Buffer.from(`--${boundary}--\r\n`),
	]);
}

const crlf = Buffer.from('\r\n');
