import { Buffer } from 'node:buffer';
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import { isAbort } from '@forge-desk/base/abort.ts';
import { isObjectId } from 'patchmail/git/objectId.ts';
import { findProgram, programEnvironment, runProgram, type Ended } from './runProgram.ts';
import { GitFailure, type ProgramName } from './gitFailure.ts';
import { programPlaces, type GitOnMachine } from './hardenedGit.ts';
import { inPrivateFolder, putFile } from './ownFolder.ts';
import { userSetting } from './userSettings.ts';
import { decodedPart } from '@forge-desk/base/decodedPart.ts';

/** A commit as a forge shows it. */
interface ShownCommit {
	readonly id: string;
	readonly tree: string;
	readonly parents: readonly string[];
	readonly author: ShownPerson;
	readonly committer: ShownPerson;
	/** Author time. */
	readonly timestampMs: number;
	readonly message: string;
	/** A text: the forge reports no signatures. */
	readonly signature: ShownSignature | string | undefined;
}

interface ShownPerson {
	readonly name: string;
	readonly email: string;
}

/** Both in base64. */
interface ShownSignature {
	readonly signature: string;
	readonly data: string;
}

const base64 = /^[A-Za-z0-9+/\s]*(?:={1,2}\s*)?$/;

/** Base64 characters. No person writes longer commits. */
const longestPayload = 1_400_000;

/** Base64 characters. Signatures have some hundred bytes, or a few thousand with certificates. */
const longestSignature = 100_000;

const mostHeaders = 200;

/** Limit of bytes hashed while searching the signature's place. Git's own place is always tried first. */
const mostHashed = 8_000_000;

const limits = { timeMs: 20_000, outputBytes: 100_000 } as const;

/**
 * Verifies a commit's signature with the user's gpg or ssh. Fetches no keys, and only uses the user's global keys and
 * settings. All failures except aborts return `notVerified`.
 */
export async function verifySignature(
	parts: GitOnMachine,
	commit: ShownCommit,
	signal: AbortSignal,
): Promise<SignatureFinding> {
	// An untrusted workspace skips even the parsing.
	const signed = parts.machine.isTrusted() ? signedCommit(commit) : undefined;
	if (!signed) {
		return { kind: 'notVerified' };
	}
	const begin = Buffer.from(signed.signature).toString('latin1', 0, 64);
	const look = begin.startsWith('-----BEGIN PGP SIGNATURE-----')
		? byGpg
		: begin.startsWith('-----BEGIN SSH SIGNATURE-----')
			? bySsh
			: undefined;
	if (!look) {
		return { kind: 'notVerified' };
	}
	return inTrusted(parts, (within) => look(within, signed, signal));
}

interface Look extends GitOnMachine {
	/** Private folder. */
	readonly folder: string;
}

async function byGpg(look: Look, { payload, signature }: SignedText, signal: AbortSignal): Promise<SignatureFinding> {
	const data = await putFile(look.folder, 'signed', payload);
	const file = await putFile(look.folder, 'signed.asc', signature);
	return readGpgStatus(await gpgStatus(look, ['--verify', '--', file, data], signal));
}

async function gpgStatus(look: Look, action: readonly string[], signal: AbortSignal): Promise<string> {
	const own =
		(await userSetting(look.git, look.folder, 'gpg.openpgp.program', signal)) ??
		(await userSetting(look.git, look.folder, 'gpg.program', signal));
	const args = ['--batch', '--no-tty', '--no-auto-key-retrieve', '--disable-dirmngr', '--status-fd=1', ...action];
	const { output } = await run(look, { name: 'gpg', own, args }, signal);
	return output.toString('utf8');
}

/** Verifies a text with its detached signature, as `verifySignature` does. */
export function verifyText(
	parts: GitOnMachine,
	payload: Uint8Array,
	signature: Uint8Array,
	signal: AbortSignal,
): Promise<SignatureFinding> {
	return inTrusted(parts, (look) => byGpg(look, { payload, signature }, signal));
}

/** Verifies a signature that contains its text, and returns that text. */
export async function openSignature(
	parts: GitOnMachine,
	message: Uint8Array,
	signal: AbortSignal,
): Promise<{ readonly finding: SignatureFinding; readonly text: Uint8Array }> {
	let text: Uint8Array = new Uint8Array();
	const finding = await inTrusted(parts, async (look) => {
		const file = await putFile(look.folder, 'message.gpg', message);
		const to = join(look.folder, 'text');
		const status = await gpgStatus(look, ['--max-output=10000', '--output', to, '--verify', '--', file], signal);
		// Without the key, gpg writes no text.
		text = await readFile(to).catch(() => new Uint8Array());
		// The caller compares the text, so its mention in the status proves nothing else.
		return readGpgStatus(status.replaceAll(/^\[GNUPG:\] PLAINTEXT(?:_LENGTH)? .*\n?/gm, ''));
	});
	return { finding, text };
}

/** Nothing runs in an untrusted workspace. All failures except aborts return `notVerified`. */
async function inTrusted(
	parts: GitOnMachine,
	work: (look: Look) => Promise<SignatureFinding>,
): Promise<SignatureFinding> {
	if (!parts.machine.isTrusted()) {
		return { kind: 'notVerified' };
	}
	try {
		return await inPrivateFolder(parts.tempFolder, (folder) => work({ ...parts, folder }));
	} catch (error) {
		if (isAbort(error)) {
			throw error;
		}
		return { kind: 'notVerified' };
	}
}

async function bySsh(look: Look, signed: SignedCommit, signal: AbortSignal): Promise<SignatureFinding> {
	const file = await putFile(look.folder, 'commit.sig', signed.signature);
	const allowed = await userSetting(look.git, look.folder, 'gpg.ssh.allowedSignersFile', signal);
	const revoked = await userSetting(look.git, look.folder, 'gpg.ssh.revocationFile', signal);
	const keygen = (args: readonly string[]): ReturnType<typeof run> =>
		run(look, { name: 'ssh-keygen', args, input: signed.payload }, signal);
	/** Such as `20261121041847Z`. */
	const at = `${new Date(signed.committedAt * 1000).toISOString().replaceAll(/[-:T]/g, '').slice(0, 14)}Z`;
	const time = ['-O', `verify-time=${at}`];
	const whole = await keygen(['-Y', 'check-novalidate', '-n', 'git', '-s', file]);
	if (whole.code !== 0) {
		// Other errors may come from an old program.
		return /Signature verification failed|incorrect signature|Could not verify signature/i.test(
			`${whole.complaint}\n${whole.output.toString('utf8')}`,
		)
			? { kind: 'bad' }
			: { kind: 'notVerified' };
	}
	// `Good "git" signature with ED25519 key SHA256:…`
	const key = /\b(SHA256:[A-Za-z0-9+/=]+)/.exec(whole.output.toString('utf8'))?.[1];
	if (allowed === undefined || !isAbsolute(allowed)) {
		return { kind: 'unknownKey', key };
	}
	const found = await keygen(['-Y', 'find-principals', '-f', allowed, '-s', file, ...time]);
	const principals = found.code === 0 ? found.output.toString('utf8').split(/\r?\n/).filter(Boolean) : [];
	for (const signer of principals.slice(0, 20)) {
		const verify = ['-Y', 'verify', '-n', 'git', '-f', allowed, '-I', signer, '-s', file, ...time];
		const verified = await keygen(revoked === undefined ? verify : [...verify, '-r', revoked]);
		if (verified.code === 0) {
			return { kind: 'good', signer, key: key ?? signer };
		}
	}
	return { kind: 'unknownKey', key };
}

interface Wanted {
	readonly name: Exclude<ProgramName, 'git'>;
	/** The user's configured program. */
	readonly own?: string | undefined;
	readonly args: readonly string[];
	readonly input?: Uint8Array;
}

async function run(
	{ machine, folder }: Look,
	{ name, own, args, input }: Wanted,
	signal: AbortSignal,
): Promise<Ended & { readonly output: Buffer }> {
	const path = await findProgram(name, programPlaces(machine), own);
	if (path === undefined) {
		throw new GitFailure({ kind: 'programMissing', program: name });
	}
	const environment = { ...programEnvironment(machine.environment, []), LC_ALL: 'C' };
	return runProgram({ name, path, args, folder, environment, ...limits, ...(input ? { input } : {}) }, signal);
}

/** Signed text and signature, as git stores them. */
interface SignedText {
	/** The commit without its signature. */
	readonly payload: Uint8Array;
	readonly signature: Uint8Array;
}

interface SignedCommit extends SignedText {
	/** Commit time in seconds. The key must be valid then. */
	readonly committedAt: number;
}

/**
 * Signed text of a commit, after two checks. Text and signature together must hash to the commit id. Parents, tree,
 * people, times and message must match the forge's data. Otherwise `undefined`, because the signature would prove
 * nothing about the commit on screen.
 */
export function signedCommit(commit: ShownCommit): SignedCommit | undefined {
	const told = typeof commit.signature === 'object' ? commit.signature : undefined;
	const payload = bytesOf(told?.data, longestPayload);
	const signature = bytesOf(told?.signature, longestSignature);
	const end = payload?.indexOf('\n\n') ?? -1;
	if (!payload || !signature || !isObjectId(commit.id) || end < 0) {
		return undefined;
	}
	const headers = payload.toString('latin1', 0, end).split('\n');
	if (headers.length > mostHeaders || !hashesTo(commit.id, headers, payload.subarray(end), signature)) {
		return undefined;
	}
	const committedAt = sameAsTold(commit, payload.subarray(0, end), payload.subarray(end + 2));
	return committedAt === undefined ? undefined : { payload, signature, committedAt };
}

function bytesOf(text: string | undefined, longest: number): Buffer | undefined {
	return text !== undefined && text.length <= longest && base64.test(text) ? Buffer.from(text, 'base64') : undefined;
}

/**
 * Git stores the signature after all other headers. Other programs use other places or add an empty line, so this tries
 * all. The hash rules out false matches.
 */
function hashesTo(id: string, headers: readonly string[], rest: Buffer, signature: Buffer): boolean {
	const isLong = id.length === 64;
	const text = withoutLastLineEnds(signature.toString('latin1')).replaceAll('\n', '\n ');
	const line = `${isLong ? 'gpgsig-sha256' : 'gpgsig'} ${text}`;
	let hashed = 0;
	for (const place of [headers.length, ...headers.keys()]) {
		for (const end of ['', '\n ']) {
			const head = [...headers.slice(0, place), line + end, ...headers.slice(place)].join('\n');
			const length = head.length + rest.length;
			hashed += length;
			if (place < headers.length && hashed > mostHashed) {
				return false;
			}
			const hash = createHash(isLong ? 'sha256' : 'sha1').update(`commit ${length}\0`);
			if (hash.update(head, 'latin1').update(rest).digest('hex') === id) {
				return true;
			}
		}
	}
	return false;
}

/** A pattern would need quadratic time. */
function withoutLastLineEnds(text: string): string {
	let end = text.length;
	while (text[end - 1] === '\n') {
		end -= 1;
	}
	return text.slice(0, end);
}

/** Commit time if the object matches the forge's data, else `undefined`. */
function sameAsTold(commit: ShownCommit, head: Buffer, message: Buffer): number | undefined {
	const charset = /^encoding (.+)$/m.exec(head.toString('latin1'))?.[1] ?? 'utf-8';
	const decode = decoder(charset);
	if (!decode) {
		return undefined;
	}
	const lines = decode(head).split('\n');
	const all = (name: string): readonly string[] =>
		lines.filter((line) => line.startsWith(`${name} `)).map((line) => line.slice(name.length + 1));
	const author = personOf(all('author'));
	const committer = personOf(all('committer'));
	const isSame =
		all('tree').join() === commit.tree &&
		all('parent').join() === commit.parents.join() &&
		author !== undefined &&
		committer !== undefined &&
		isSamePerson(author, commit.author) &&
		isSamePerson(committer, commit.committer) &&
		author.seconds * 1000 === commit.timestampMs &&
		decode(message).trim() === commit.message.trim();
	return isSame ? committer.seconds : undefined;
}

function decoder(charset: string): ((bytes: Buffer) => string) | undefined {
	try {
		const decode = new TextDecoder(charset, { ignoreBOM: true });
		return (bytes) => decode.decode(bytes);
	} catch {
		return undefined;
	}
}

interface Person {
	readonly name: string;
	readonly email: string;
	readonly seconds: number;
}

/** `Name <address> 1700000000 +0000`; `undefined` unless there is exactly one. */
function personOf([line, ...more]: readonly string[]): Person | undefined {
	const found = /^(.*?) ?<([^<>]*)> (\d{1,12}) [+-]\d{4}$/.exec(line ?? '');
	return found && more.length === 0
		? { name: found[1] ?? '', email: found[2] ?? '', seconds: Number(found[3]) }
		: undefined;
}

function isSamePerson(signed: Person, told: ShownPerson): boolean {
	return signed.name.trim() === told.name.trim() && signed.email.trim() === told.email.trim();
}

/** Result of verifying with the user's keys. `signer` and `key` are untrusted texts. */
export type SignatureFinding =
	/** Unknown: a program or proof is missing, or the key or signature has expired. */
	| { readonly kind: 'notVerified' }
	/** Signed with a trusted key. */
	| { readonly kind: 'good'; readonly signer: string; readonly key: string }
	| { readonly kind: 'bad' }
	/** Signed with a missing or untrusted key. */
	| { readonly kind: 'unknownKey'; readonly key: string | undefined };

/** Gpg writes one per signature. */
const outcomes = /^(?:GOODSIG|EXPSIG|EXPKEYSIG|REVKEYSIG|BADSIG|ERRSIG)$/;

/** Parses `gpg --status-fd`. Good means exactly one valid, unexpired signature with a key that the keyring trusts. */
export function readGpgStatus(output: string): SignatureFinding {
	const lines = output
		.split('\n')
		.map((line) => /^\[GNUPG:\] (\S+)(?: ([^\r]*))?$/.exec(line.replace(/\r$/, '')))
		.flatMap((found) => (found ? [{ word: found[1] ?? '', rest: found[2] ?? '' }] : []));
	const [outcome, ...more] = lines.filter(({ word }) => outcomes.test(word));
	const restOf = (word: string): string | undefined => lines.find((line) => line.word === word)?.rest;
	// With embedded text, gpg did not verify our text.
	if (!outcome || more.length > 0 || restOf('PLAINTEXT') !== undefined) {
		return { kind: 'notVerified' };
	}
	const [keyId = '', ...signer] = outcome.rest.split(' ');
	switch (outcome.word) {
		case 'BADSIG':
			return { kind: 'bad' };
		case 'ERRSIG':
			return restOf('NO_PUBKEY') === undefined ? { kind: 'notVerified' } : { kind: 'unknownKey', key: keyId };
		case 'GOODSIG': {
			const valid = restOf('VALIDSIG')?.split(' ');
			const isTrusted = restOf('TRUST_FULLY') !== undefined || restOf('TRUST_ULTIMATE') !== undefined;
			return valid ? whole(signer.join(' '), valid[9] ?? valid[0] ?? keyId, isTrusted) : { kind: 'notVerified' };
		}
		default:
			return { kind: 'notVerified' };
	}
}

function whole(signer: string, key: string, isTrusted: boolean): SignatureFinding {
	return isTrusted ? { kind: 'good', signer: decodedPart(signer) ?? signer, key } : { kind: 'unknownKey', key };
}
