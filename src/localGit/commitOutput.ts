import { Buffer } from 'node:buffer';
import { isObjectId, type ObjectKind } from '../git/objectId.ts';

/** A file of a commit, or a link. */
export interface FileOfCommit {
	/** By slashes; what is no UTF-8 in it is replaced, and then it leads nowhere. */
	readonly path: string;
	/** Of its content. */
	readonly id: string;
	/** Its content says where it points. */
	readonly isLink: boolean;
	/** `undefined` when the clone lacks it. */
	readonly sizeBytes: number | undefined;
}

/** A submodule of a commit. */
export interface SubmoduleOfCommit {
	readonly path: string;
	/** Of the commit that it is at. */
	readonly id: string;
}

/** What a commit lists, as far as it has come. */
export interface ListedEntries {
	readonly files: readonly FileOfCommit[];
	readonly submodules: readonly SubmoduleOfCommit[];
}

const entry = /^(\d{6}) (blob|commit) ([0-9a-f]+) +(\d+|-|BAD)\t(.+)$/s;

/** Reads `git ls-tree -r -l -z` as it comes. Nothing but NUL ends an entry. */
export function listingReader(): (chunk: Buffer) => ListedEntries {
	let rest: Buffer = Buffer.alloc(0);
	return (chunk) => {
		const bytes = Buffer.concat([rest, chunk]);
		const end = bytes.lastIndexOf(0);
		rest = bytes.subarray(end + 1);
		const texts = end < 0 ? [] : bytes.toString('utf8', 0, end).split('\0');
		return { files: texts.flatMap(fileOf), submodules: texts.flatMap(submoduleOf) };
	};
}

function fileOf(text: string): readonly FileOfCommit[] {
	const [, mode, kind, id = '', size = '', path = ''] = entry.exec(text) ?? [];
	const sizeBytes = /^\d+$/.test(size) ? Number(size) : undefined;
	return kind === 'blob' && isObjectId(id) ? [{ path, id, isLink: mode === '120000', sizeBytes }] : [];
}

function submoduleOf(text: string): readonly SubmoduleOfCommit[] {
	const [, , kind, id = '', , path = ''] = entry.exec(text) ?? [];
	return kind === 'commit' ? [{ path, id }] : [];
}

/** One answer of `git cat-file --batch`. */
export interface AnsweredObject {
	readonly id: string;
	/** `undefined` when the repository does not have it, or has something else by that id. */
	readonly bytes: Uint8Array | undefined;
}

/** The longest first line of an answer: an id, a kind and a size. */
const longestHead = 200;

/**
 * Reads `git cat-file --batch` answer by answer: `<id> <kind> <size>\n<content>\n` or `<id> missing\n`. `pull` gets what
 * comes next; `undefined` at the end. Throws when the end comes within an answer, or what comes is none. What is of another
 * kind than `wanted` comes without its bytes.
 */
export function objectReader(
	pull: () => Promise<Buffer | undefined>,
	wanted: ObjectKind = 'blob',
): () => Promise<AnsweredObject | undefined> {
	let chunks: Buffer[] = [];
	let length = 0;

	/** False at the end of everything. */
	async function more(): Promise<boolean> {
		const chunk = await pull();
		if (chunk) {
			chunks.push(chunk);
			length += chunk.length;
		}
		return chunk !== undefined;
	}

	/** Joined only when it is looked at: a large content comes in many pieces. */
	function all(): Buffer {
		const [only = Buffer.alloc(0), ...others] = chunks;
		const joined = others.length === 0 ? only : Buffer.concat(chunks);
		chunks = [joined];
		return joined;
	}

	function take(bytes: number): Buffer {
		const joined = all();
		chunks = [joined.subarray(bytes)];
		length = joined.length - bytes;
		return joined.subarray(0, bytes);
	}

	async function head(): Promise<string | undefined> {
		for (;;) {
			const end = all().indexOf(0x0a);
			if (end >= 0) {
				return take(end + 1).toString('latin1', 0, end);
			}
			if (length > longestHead) {
				throw new Error('git answers something else than an object');
			}
			if (!(await more())) {
				throwUnless(length === 0);
				return undefined;
			}
		}
	}

	return async () => {
		const line = await head();
		if (line === undefined) {
			return undefined;
		}
		const [id = '', kind, size = ''] = line.split(' ');
		if (!/^\d+$/.test(size)) {
			throwUnless(kind === 'missing');
			return { id, bytes: undefined };
		}
		const bytes = Number(size);
		while (length < bytes + 1) {
			throwUnless(await more());
		}
		const content = take(bytes + 1).subarray(0, bytes);
		// A copy: it is handed to a thread, and a piece of something larger would take all of that along.
		return { id, bytes: kind === wanted ? new Uint8Array(content) : undefined };
	};
}

function throwUnless(isWhole: boolean): void {
	if (!isWhole) {
		throw new Error('git ended in the middle of an answer');
	}
}
