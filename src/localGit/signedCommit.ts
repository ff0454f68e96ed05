import { Buffer } from 'node:buffer';
import { createHash } from 'node:crypto';
import type { Commit, CommitSignature } from '../forge/repository.ts';
import { isObjectId } from '../git/objectId.ts';

/** What a signature says it is of, and the signature itself, both as git kept them. */
export interface SignedCommit {
	/** The commit without its signature. */
	readonly payload: Uint8Array;
	readonly signature: Uint8Array;
	/** When it was committed, in seconds; a key has to be good then. */
	readonly committedAt: number;
}

const base64 = /^[A-Za-z0-9+/\s]*(?:={1,2}\s*)?$/;
/** In base64. What is longer was not written by a person. */
const longestPayload = 1_400_000;
/** In base64. Signatures have some hundred bytes, and a few thousand where they carry certificates. */
const longestSignature = 100_000;
const mostHeaders = 200;
/** Looking for the place of a signature ends here. Git's own place is looked at first, and whatever the size. */
const mostHashed = 8_000_000;

/**
 * The signed text of a commit, once it is proven that it is this very commit: with the signature put back into it, it hashes
 * to the commit's id, and it says of parents, tree, people, time and message what the forge said. `undefined` when any of
 * that cannot be shown, and then the signature proves nothing of what a person sees.
 */
export function signedCommit(commit: Commit): SignedCommit | undefined {
	const told = toldOf(commit);
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
 * Git puts the signature behind all other headers. Others put it elsewhere, and some end it with an empty line, so each
 * place is tried: there are few, and a hash lets nothing wrong through.
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

/** A pattern for this takes the square of the length. */
function withoutLastLineEnds(text: string): string {
	let end = text.length;
	while (text[end - 1] === '\n') {
		end -= 1;
	}
	return text.slice(0, end);
}

/** The time of committing when the object says what the forge said of it, else `undefined`. */
function sameAsTold(commit: Commit, head: Buffer, message: Buffer): number | undefined {
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

function isSamePerson(signed: Person, told: Commit['author']): boolean {
	return signed.name.trim() === told.name.trim() && signed.email.trim() === told.email.trim();
}

function toldOf({ signature }: Commit): CommitSignature | undefined {
	return typeof signature === 'object' ? signature : undefined;
}
