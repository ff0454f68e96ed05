import { createHash, verify } from 'node:crypto';
import { decodeWords } from '../mail/encodedWords.ts';
import { gitPatch } from '../mail/gitPatch.ts';
import { committedText } from '../mail/gitWords.ts';
import { authorIn } from '../mail/personIn.ts';
import { messageParts } from '../series/messageParts.ts';
import { commitSubject } from '../series/patchMail.ts';
import { ed25519Key } from './dkim.ts';
import { trimmedBytes, type SignedMail } from './signedMail.ts';

/** A header `X-Developer-Signature` (patatt), compared with the mail as git reads it. */
export interface DeveloperSignature {
	/** The address of the signer as claimed. */
	readonly identity: string;
	readonly selector: string;
	readonly algorithm: 'ed25519' | 'openpgp' | 'openssh';
	/** False if the message or patch is another one than the signed one. */
	readonly isBodySame: boolean;
	/** SHA-256 of the signed headers. The signature has to contain or cover it. */
	readonly digest: Uint8Array;
	readonly signature: Uint8Array;
}

const most = 5;
const signatureName = 'x-developer-signature';
const algorithms = ['ed25519', 'openpgp', 'openssh'] as const;

/**
 * Signatures of a mail in their order; `undefined` in place of a malformed one. They cover author, subject, message and
 * patch as `git mailinfo` reads them. So a list may change the encoding of the mail. `isSentOn`: by a list, whose footer
 * is no part of the patch.
 */
export function developerSignatures(mail: SignedMail, isSentOn: boolean): readonly (DeveloperSignature | undefined)[] {
	const signed = mail.headers.filter(({ name }) => name.toLowerCase() === signatureName).slice(0, most);
	if (signed.length === 0) {
		return [];
	}
	const git = readByGit(mail, isSentOn);
	return signed.map(({ value }) => readSignature(mail, git, value));
}

interface ReadByGit {
	readonly author: { readonly name: string; readonly address: string } | undefined;
	readonly subject: string;
	/** In base64; of a mail sent on also without the footer of the list. */
	readonly bodyHashes: readonly string[];
}

function readByGit({ headers, body }: SignedMail, isSentOn: boolean): ReadByGit {
	const head = headers.map(({ name, value }) => `${name}:${value}`).join('');
	const { letter, bytes, read } = gitPatch(`${head}\r\n${body}`);
	const text = letter + bytes;
	const { messageStart } = messageParts(text);
	const { inBody } = messageParts(committedText(letter) + bytes);
	const lines = text.slice(messageStart).split('\n').map(withoutReturns);
	const footerAt = isSentOn ? lines.findLastIndex(beginsFooter) : -1;
	return {
		author: authorIn(inBody.get('from') ?? read.from ?? ''),
		subject: commitSubject(inBody.get('subject') ?? read.subject),
		bodyHashes: [lines, ...(footerAt === -1 ? [] : [lines.slice(0, footerAt)])].map(hashOfBody),
	};
}

function hashOfBody(lines: readonly string[]): string {
	const end = lines.findLastIndex((line) => line !== '') + 1;
	const canonical = `${lines.slice(0, end).join('\r\n')}\r\n`;
	return createHash('sha256').update(canonical, 'latin1').digest('base64');
}

/** The footer of Mailman or of a group. */
function beginsFooter(line: string, at: number, lines: readonly string[]): boolean {
	const isAbove = /^(?:Mailing list info|You received this message because)/.test(lines[at + 1] ?? '');
	return /^_{40,60}$/.test(line) || (line === '-- ' && isAbove);
}

function withoutReturns(line: string): string {
	let end = line.length;
	while (line.charAt(end - 1) === '\r') {
		end -= 1;
	}
	return line.slice(0, end);
}

function readSignature({ headers }: SignedMail, git: ReadByGit, value: string): DeveloperSignature | undefined {
	const written = unfolded(value);
	const fields = new Map(
		written
			.replaceAll(' ', '')
			.split(';')
			.flatMap((field) =>
				field.includes('=') ? [[field.split('=', 1)[0]!, field.slice(field.indexOf('=') + 1)]] : [],
			),
	);
	const algorithm = algorithms.find((each) => (fields.get('a') ?? '').startsWith(each));
	const names = (fields.get('h') ?? '').split(':');
	// Base64 may end in the same letters as the tag.
	const start = written.search(/; ?b=[^;]*$/);
	const from = git.author && `${git.author.name === '' ? git.author.address : git.author.name} <${git.author.address}>`;
	const identity = fields.get('i') ?? git.author?.address;
	const isSound =
		algorithm !== undefined &&
		identity !== undefined &&
		start !== -1 &&
		['from', 'subject'].every((name) => names.includes(name)) &&
		(algorithm === 'openpgp' || fields.has('t')) &&
		/^[A-Za-z0-9+/]+={0,2}$/.test(fields.get('b') ?? '');
	if (!isSound) {
		return undefined;
	}
	const left = new Map(
		Array.from(
			Map.groupBy(headers, ({ name }) => name.toLowerCase()),
			([name, of]) => [name, [...of]],
		),
	);
	const signed = names.flatMap((name) => {
		const header = left.get(name)?.pop();
		const read = name === 'from' ? from : name === 'subject' ? git.subject : undefined;
		const bytes = read === undefined ? header?.value : Buffer.from(read).toString('latin1');
		return header === undefined ? [] : [`${name}:${unfolded(bytes ?? '')}\r\n`];
	});
	const own = `${signatureName}:${written.slice(0, written.indexOf('b=', start) + 2)}`;
	const hash = createHash('sha256');
	for (const line of [...signed, own]) {
		hash.update(line, 'latin1');
	}
	return {
		identity,
		selector: fields.get('s') ?? 'default',
		algorithm,
		isBodySame: git.bodyHashes.some((hash) => hash === fields.get('bh')),
		digest: hash.digest(),
		signature: Buffer.from(fields.get('b')!, 'base64'),
	};
}

/** A header in one line; one blank for several. */
function unfolded(value: string): string {
	const words = value.includes('?q?')
		? Buffer.from(decodeWords(value.replaceAll(/[\x80-\xff]/g, ''))).toString('latin1')
		: value;
	return trimmedBytes(words.replaceAll(/[\r\n]/g, '').replaceAll(/[\t\v\f ]+/g, ' '));
}

/** True if the key made the signature over exactly this mail. `key`: as in a keyring file, in base64. */
export function verifiesEd25519({ isBodySame, digest, signature }: DeveloperSignature, key: string): boolean {
	const made = ed25519Key(Buffer.from(key.trim(), 'base64'));
	// The signed text follows the signature.
	const text = signature.subarray(64);
	return (
		isBodySame &&
		made !== undefined &&
		Buffer.from(digest).equals(text) &&
		verify(null, text, made, signature.subarray(0, 64))
	);
}

/**
 * Places of a key in a keyring folder of patatt, the usual one first. The names are quoted, because a mail states them.
 */
export function keyPlaces({ algorithm, identity, selector }: DeveloperSignature): readonly string[] {
	const at = identity.indexOf('@');
	const parts = [
		algorithm,
		identity.slice(at + 1).toLowerCase(),
		identity.slice(0, at).toLowerCase(),
		selector.toLowerCase(),
	];
	if (at < 1 || parts.some((part) => part === '' || /^\.+$/.test(part))) {
		return [];
	}
	const path = parts.map(quotedName).join('/');
	const hash = createHash('sha256').update(path).digest('hex');
	return [path, `by-hash/${hash.slice(0, 2)}/${hash.slice(2)}`];
}

/** Like Python's `quote_plus`. */
function quotedName(name: string): string {
	return encodeURIComponent(name)
		.replaceAll('%20', '+')
		.replaceAll(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
}
