/** The sender's encoding of a mail. */
export type MailEncoding = '8bit' | 'quoted-printable' | 'base64';

/** A mail of `git format-patch`, re-encoded as by `git send-email`; bytes in latin1. */
export function reencoded(mail: Buffer, encoding: MailEncoding): Buffer {
	const bytes = mail.toString('latin1');
	const blank = bytes.indexOf('\n\n');
	const head = bytes.slice(0, blank);
	const body = bytes.slice(blank + 2);
	if (encoding === '8bit' || /^Content-Type: multipart/im.test(head)) {
		return mail;
	}
	const bare = head.replaceAll(/^(?:MIME-Version|Content-Type|Content-Transfer-Encoding):.*\n?/gim, '').trimEnd();
	const headers = `MIME-Version: 1.0\nContent-Type: text/plain; charset=UTF-8\nContent-Transfer-Encoding: ${encoding}`;
	const written = encoding === 'base64' ? inBase64(body) : inQuotedPrintable(body);
	return Buffer.from(`${bare}\n${headers}\n\n${written}`, 'latin1');
}

/** A mail in the forge's form: text with CRLF lines, after an mbox line. */
export function envelopeOf(mail: Buffer): string {
	return mail
		.toString()
		.replace(/^From .*\n/, 'From nobody Mon Sep 17 00:00:00 2001\n')
		.replaceAll('\n', '\r\n');
}

function inBase64(bytes: string): string {
	const encoded = Buffer.from(bytes, 'latin1').toString('base64');
	return `${encoded.replaceAll(/(.{76})/g, '$1\n')}\n`;
}

function inQuotedPrintable(bytes: string): string {
	return bytes
		.split('\n')
		.map((line) => softened(line.replaceAll(/[^ -<>-~\t]|[ \t]$/g, escaped).replace(/^From /, '=46rom ')))
		.join('\n');
}

function escaped(byte: string): string {
	return `=${byte.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`;
}

/** Lines of at most 76 characters that do not split an escape. */
function softened(line: string): string {
	return line.match(/(?:=[0-9A-F]{2}|[^=]){1,70}/g)?.join('=\n') ?? '';
}
