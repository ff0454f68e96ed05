import { generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto';

/** A certificate with its key, as PEM. */
export interface Certificate {
	readonly cert: string;
	readonly key: string;
}

/** A certificate authority that nobody knows until its certificate is trusted. */
export interface CertificateAuthority {
	readonly certificate: string;
	/** A certificate of a server with this name. */
	issue(host: string): Certificate;
}

/** Makes an authority with a key of its own. */
export function certificateAuthority(name: string): CertificateAuthority {
	const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
	const basics = sequence(oid('551d13'), boolean(true), octets(sequence(boolean(true))));
	return {
		certificate: pem(certificate({ subject: name, issuer: name, of: publicKey, by: privateKey, extension: basics })),
		issue(host) {
			const own = generateKeyPairSync('ec', { namedCurve: 'P-256' });
			const dnsName = element(0x82, Buffer.from(host, 'latin1'));
			const names = sequence(oid('551d11'), octets(sequence(dnsName)));
			return {
				cert: pem(certificate({ subject: host, issuer: name, of: own.publicKey, by: privateKey, extension: names })),
				key: own.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
			};
		},
	};
}

/** A certificate by X.509, version 3 (RFC 5280, 4.1). */
function certificate(told: {
	readonly subject: string;
	readonly issuer: string;
	readonly of: KeyObject;
	readonly by: KeyObject;
	readonly extension: Buffer;
}): Buffer {
	const ecdsaWithSha256 = sequence(oid('2a8648ce3d040302'));
	const serial = randomBytes(16);
	serial[0] = 0x40;
	const content = sequence(
		element(0xa0, element(0x02, Buffer.from([2]))),
		element(0x02, serial),
		ecdsaWithSha256,
		commonName(told.issuer),
		sequence(time('20200101000000Z'), time('21200101000000Z')),
		commonName(told.subject),
		told.of.export({ type: 'spki', format: 'der' }),
		element(0xa3, sequence(told.extension)),
	);
	const signature = sign('sha256', content, told.by);
	return sequence(content, ecdsaWithSha256, element(0x03, Buffer.concat([Buffer.from([0]), signature])));
}

function pem(certified: Buffer): string {
	const lines = certified.toString('base64').replace(/.{64}(?=.)/g, '$&\n');
	return `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`;
}

function element(tag: number, content: Buffer): Buffer {
	const { length } = content;
	const size =
		length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, Math.floor(length / 0x100), length % 0x100];
	return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

function sequence(...parts: readonly Buffer[]): Buffer {
	return element(0x30, Buffer.concat(parts));
}

function oid(hex: string): Buffer {
	return element(0x06, Buffer.from(hex, 'hex'));
}

function boolean(value: boolean): Buffer {
	return element(0x01, Buffer.from([value ? 0xff : 0]));
}

function octets(content: Buffer): Buffer {
	return element(0x04, content);
}

function time(text: string): Buffer {
	return element(0x18, Buffer.from(text, 'latin1'));
}

function commonName(name: string): Buffer {
	return sequence(element(0x31, sequence(oid('550403'), element(0x0c, Buffer.from(name, 'utf8')))));
}
