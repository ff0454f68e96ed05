import { trimmedBytes, type SignedMail } from './signedMail.ts';

/** The signature of a mail in the form `multipart/signed` (RFC 3156). */
export interface OpenpgpSignature {
	readonly data: Uint8Array;
	/** In ASCII armor. */
	readonly signature: Uint8Array;
	/** False if the mail has text beside the signed part: git reads that text too. */
	readonly coversAll: boolean;
}

const armored = /-----BEGIN PGP SIGNATURE-----\r\n[^]*?-----END PGP SIGNATURE-----/;

/** `undefined` for a mail without such a signature. */
export function openpgpSignature({ headers, body }: SignedMail): OpenpgpSignature | undefined {
	const types = headers.filter(({ name }) => name.toLowerCase() === 'content-type');
	const type = types.map(({ value }) => value.replaceAll('\r\n', '')).join(';');
	if (!/^\s*multipart\/signed\b/i.test(type) || !/application\/pgp-signature/i.test(type)) {
		return clearSignature(body);
	}
	const [, quoted, bare] = /;\s*boundary=(?:"([^"]{1,70})"|([^\s";]{1,70}))/i.exec(type) ?? [];
	const boundary = `--${quoted ?? bare ?? ''}`;
	const [before = '', data, second, after, ...more] = `\r\n${body}`.split(`\r\n${boundary}`);
	const signature = armored.exec(second ?? '')?.[0];
	if (data === undefined || signature === undefined) {
		return undefined;
	}
	return {
		// The line end behind the boundary is not part of the text, nor is the one before the next.
		data: Buffer.from(data.replace(/^[ \t]*\r\n/, ''), 'latin1'),
		signature: Buffer.from(`${signature}\r\n`, 'latin1'),
		coversAll:
			types.length === 1 &&
			more.length === 0 &&
			after?.startsWith('--') === true &&
			[before, after.slice(2)].every((text) => trimmedBytes(text) === ''),
	};
}

/** A mail whose text contains its signature. Only its armor is found, since lists and programs re-wrap such texts. */
function clearSignature(body: string): OpenpgpSignature | undefined {
	return /(?:^|\n)-----BEGIN PGP SIGNED MESSAGE-----\r\n/.test(body)
		? { data: new Uint8Array(), signature: new Uint8Array(), coversAll: false }
		: undefined;
}
