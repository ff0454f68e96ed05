import { Buffer } from 'node:buffer';
import { isObjectId, type ObjectKind } from '../../engine/git/objectId.ts';

/** A file of a commit, or a link. */
export interface FileOfCommit {
	/** With slashes. Invalid UTF-8 is replaced, so such a path cannot be opened. */
	readonly path: string;
	/** Blob id. */
	readonly id: string;
	/** A link's content is its target. */
	readonly isLink: boolean;
	/** `undefined` when the clone lacks it. */
	readonly sizeBytes: number | undefined;
}

export interface SubmoduleOfCommit {
	readonly path: string;
	/** Commit id. */
	readonly id: string;
}

/** Part of a commit's listing. */
export interface ListedEntries {
	readonly files: readonly FileOfCommit[];
	readonly submodules: readonly SubmoduleOfCommit[];
}

const entry = /^(\d{6}) (blob|commit) ([0-9a-f]+) +(\d+|-|BAD)\t(.+)$/s;

/** Parses `git ls-tree -r -l -z` incrementally. Only NUL ends an entry. */
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

/** One reply of `git cat-file --batch`. */
export interface AnsweredObject {
	readonly id: string;
	/** `undefined` if the object is missing or has another type. */
	readonly bytes: Uint8Array | undefined;
}

/** Maximum length of a header: id, type and size. */
const longestHead = 200;

/**
 * Parses `git cat-file --batch`: `<id> <kind> <size>\n<content>\n` or `<id> missing\n`. `pull` returns the next chunk,
 * `undefined` at the end. Throws on a truncated or malformed reply. Objects of another kind than `wanted` come without
 * bytes.
 */
export function objectReader(
	pull: () => Promise<Buffer | undefined>,
	wanted: ObjectKind = 'blob',
): () => Promise<AnsweredObject | undefined> {
	let chunks: Buffer[] = [];
	let length = 0;

	/** False at the end of the stream. */
	async function more(): Promise<boolean> {
		const chunk = await pull();
		if (chunk) {
			chunks.push(chunk);
			length += chunk.length;
		}
		return chunk !== undefined;
	}

	/** Lazy concatenation, because large contents arrive in many chunks. */
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
		// A copy, because a view would transfer its whole buffer to the worker.
		return { id, bytes: kind === wanted ? new Uint8Array(content) : undefined };
	};
}

function throwUnless(isWhole: boolean): void {
	if (!isWhole) {
		throw new Error('git ended in the middle of an answer');
	}
}
