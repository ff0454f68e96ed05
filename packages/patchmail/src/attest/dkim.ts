import { createHash, createPublicKey, verify, type KeyObject } from 'node:crypto';
import { tagsOf, trimmedBytes, type RawHeader, type SignedMail } from './signedMail.ts';

/** A DKIM signature whose body hash was compared. Its key is not part of the mail. */
export interface DkimSignature {
	readonly domain: string;
	readonly selector: string;
	readonly algorithm: 'rsa-sha256' | 'ed25519-sha256';
	/** `partial`: a length tag leaves text below the signed part uncovered. */
	readonly body: 'same' | 'changed' | 'partial';
	/** True if the domain of the identity is a subdomain of the signing one. */
	readonly isForSubdomain: boolean;
	/** The signed headers in bytes, one character each. */
	readonly data: string;
	readonly signature: Uint8Array;
}

/** Each verification costs time, and nobody needs more. */
const most = 5;
const fewestBits = 1024;
const algorithms = ['rsa-sha256', 'ed25519-sha256'] as const;
const bodyForms: ReadonlySet<string> = new Set(['simple', 'relaxed']);
const base64 = /^[A-Za-z0-9+/]+={0,2}$/;

/** Signatures of a mail in their order. `undefined` in place of a malformed or unsupported one. */
export function dkimSignatures(mail: SignedMail): readonly (DkimSignature | undefined)[] {
	return mail.headers
		.filter(({ name }) => name.toLowerCase() === 'dkim-signature')
		.slice(0, most)
		.map((header) => readSignature(mail, header));
}

function readSignature(mail: SignedMail, header: RawHeader): DkimSignature | undefined {
	const tag = tagReader(header.value);
	const [domain, selector] = [tag('d').toLowerCase(), tag('s').toLowerCase()];
	const forms = tag('c', 'simple/simple').toLowerCase().split('/');
	const [headForm = '', bodyForm = 'simple'] = forms;
	const names = tag('h')
		.toLowerCase()
		.split(/\s*:\s*/);
	const signature = tag('b').replaceAll(/\s+/g, '');
	const bodyHash = tag('bh').replaceAll(/\s+/g, '');
	const algorithm = algorithms.find((each) => each === tag('a').toLowerCase());
	const identity = tag('i', `@${domain}`).toLowerCase();
	const identityDomain = identity.slice(identity.lastIndexOf('@') + 1);
	const isSound = [
		tag('v') === '1',
		forms.length < 3,
		[headForm, bodyForm].every((form) => bodyForms.has(form)),
		isName(domain),
		isName(selector),
		`.${identityDomain}`.endsWith(`.${domain}`),
		names.includes('from'),
		/^\d{0,15}$/.test(tag('l')),
		tag('q', 'dns/txt') === 'dns/txt',
		base64.test(signature),
		base64.test(bodyHash),
	].every(Boolean);
	if (!isSound || algorithm === undefined) {
		return undefined;
	}
	const form = headForm === 'relaxed' ? relaxedHeader : simpleHeader;
	// One more sender than signed would be shown instead of the signed one.
	const signed = selected(mail.headers, [...names, 'from'])
		.map(form)
		.join('');
	return {
		domain,
		selector,
		algorithm,
		body: bodyState(canonicalBody(mail.body, bodyForm), tag('l'), bodyHash),
		isForSubdomain: identityDomain !== domain,
		data: signed + ownHeader(form({ ...header, value: withoutSignature(header.value) })),
		signature: Buffer.from(signature, 'base64'),
	};
}

function bodyState(body: string, length: string, hash: string): DkimSignature['body'] {
	const hashed = length === '' ? body : body.slice(0, Number(length));
	const isSame = createHash('sha256').update(hashed, 'latin1').digest('base64') === hash;
	return isSame ? (length === '' ? 'same' : 'partial') : 'changed';
}

/** Values of tags; all are missing in a malformed list. */
function tagReader(list: string): (name: string, missing?: string) => string {
	const tags = tagsOf(list);
	return (name, missing = '') => tags?.get(name) ?? missing;
}

/** Blanks at its start belong to the simple form. */
function ownHeader(header: string): string {
	return `.${header}`.slice(1, trimmedBytes(`.${header}`).length);
}

/** Letters of a name in DNS; a selector may have several labels. */
function isName(name: string): boolean {
	return name.length <= 253 && /^[a-z0-9_](?:[a-z0-9_.-]*[a-z0-9_])?$/.test(name) && !name.includes('..');
}

/** Headers by name; a repeated name takes the next one from the bottom up. */
function selected(headers: readonly RawHeader[], names: readonly string[]): readonly RawHeader[] {
	const left = Map.groupBy(headers, ({ name }) => name.toLowerCase());
	const stacks = new Map(Array.from(left, ([name, of]) => [name, [...of]]));
	return names.flatMap((name) => stacks.get(name)?.pop() ?? []);
}

function simpleHeader({ name, value }: RawHeader): string {
	return `${name}:${value}`;
}

function relaxedHeader({ name, value }: RawHeader): string {
	return `${name.toLowerCase()}:${trimmedBytes(value.replaceAll('\r\n', '').replaceAll(/[\t ]+/g, ' '))}\r\n`;
}

/** The header with an empty tag `b`, whose own value no signature can cover. */
function withoutSignature(value: string): string {
	return (
		value.replace(/((?:^|;)\s*b\s*=)[^;]*/, (_, tag: string) => tag) +
		(/(?:^|;)\s*b\s*=[^;]*$/.test(value) ? '\r\n' : '')
	);
}

function canonicalBody(body: string, form: string): string {
	const lines = body.split('\r\n');
	const made =
		form === 'simple'
			? lines
			: // A pattern for blanks before a line end needs quadratic time.
				lines
					.map((line) => line.replaceAll(/[\t ]+/g, ' '))
					.map((line) => (line.endsWith(' ') ? line.slice(0, -1) : line));
	const end = made.findLastIndex((line) => line !== '') + 1;
	return end === 0 ? (form === 'simple' ? '\r\n' : '') : `${made.slice(0, end).join('\r\n')}\r\n`;
}

/** The name whose TXT record has the key. */
export function dkimKeyName({ domain, selector }: DkimSignature): string {
	return `${selector}._domainkey.${domain}`;
}

/** Compares a signature with a key record. `noKey`: the record has no usable key for it. */
export function verifyDkim(signature: DkimSignature, record: string): 'valid' | 'changed' | 'noKey' {
	const key = keyOf(signature, record);
	if (!key) {
		return 'noKey';
	}
	const data = Buffer.from(signature.data, 'latin1');
	const isValid =
		signature.algorithm === 'rsa-sha256'
			? verify('sha256', data, key, signature.signature)
			: verify(null, createHash('sha256').update(data).digest(), key, signature.signature);
	return isValid && signature.body === 'same' ? 'valid' : 'changed';
}

function keyOf({ algorithm, isForSubdomain }: DkimSignature, record: string): KeyObject | undefined {
	const tag = tagReader(record);
	const kind = tag('k', 'rsa');
	const key = tag('p').replaceAll(/\s+/g, '');
	const listed = (name: string, missing: string): readonly string[] =>
		tag(name, missing)
			.split(':')
			.map((each) => each.trim());
	const isFit = [
		tag('v', 'DKIM1') === 'DKIM1',
		algorithm === `${kind}-sha256`,
		listed('h', 'sha256').includes('sha256'),
		listed('s', '*').some((service) => ['*', 'email'].includes(service)),
		// Flag `s`: the key is for the domain itself.
		!isForSubdomain || !listed('t', '').includes('s'),
		base64.test(key),
	].every(Boolean);
	if (!isFit) {
		return undefined;
	}
	const bytes = Buffer.from(key, 'base64');
	if (kind === 'ed25519') {
		return ed25519Key(bytes);
	}
	const read = rsaKey(bytes, 'spki') ?? rsaKey(bytes, 'pkcs1');
	const { modulusLength = 0 } = read?.asymmetricKeyDetails ?? {};
	return modulusLength >= fewestBits ? read : undefined;
}

function rsaKey(key: Buffer, type: 'spki' | 'pkcs1'): KeyObject | undefined {
	try {
		const made = createPublicKey({ key, format: 'der', type });
		return made.asymmetricKeyType === 'rsa' ? made : undefined;
	} catch {
		return undefined;
	}
}

/** A key from its 32 bytes. */
export function ed25519Key(bytes: Buffer): KeyObject | undefined {
	try {
		return bytes.length === 32
			? createPublicKey({ format: 'jwk', key: { kty: 'OKP', crv: 'Ed25519', x: bytes.toString('base64url') } })
			: undefined;
	} catch {
		return undefined;
	}
}
