/** Kinds of objects that a repository holds. */
export type ObjectType = 'commit' | 'tree' | 'blob' | 'tag';

export interface GitObject {
	readonly type: ObjectType;
	readonly bytes: Buffer;
}

/** A tree entry. `mode` as a number, such as 0o100644. */
export interface TreeEntry {
	readonly name: string;
	readonly mode: number;
	readonly id: string;
}

/** File modes that git knows. */
export const modes = {
	file: 0o100644,
	executable: 0o100755,
	symlink: 0o120000,
	submodule: 0o160000,
	tree: 0o040000,
} as const;

export interface Signed {
	readonly name: string;
	readonly email: string;
	readonly timeS: number;
	/** Offset from UTC as written, such as `+0100`. */
	readonly offset: string;
}

export interface Commit {
	readonly id: string;
	readonly tree: string;
	readonly parents: readonly string[];
	readonly author: Signed;
	readonly committer: Signed;
	readonly message: string;
	/** The signature without its last line end, and the bytes that it signs. */
	readonly signature: { readonly text: string; readonly payload: Buffer } | null;
}

export interface Tag {
	readonly target: string;
	readonly type: string;
	readonly name: string;
	readonly message: string;
}

/** True for one of the four words. */
export function isObjectType(word: string | undefined): word is ObjectType {
	return word === 'commit' || word === 'tree' || word === 'blob' || word === 'tag';
}

/** Reads a tree. Names that are not UTF-8 get replacement characters. */
export function readTree(bytes: Buffer): readonly TreeEntry[] {
	const entries: TreeEntry[] = [];
	for (let at = 0; at < bytes.length;) {
		const space = bytes.indexOf(0x20, at);
		const end = bytes.indexOf(0, space);
		entries.push({
			mode: Number.parseInt(bytes.toString('latin1', at, space), 8),
			name: bytes.toString('utf8', space + 1, end),
			id: bytes.toString('hex', end + 1, end + 21),
		});
		at = end + 21;
	}
	return entries;
}

/** Parses a commit. Missing headers become empty. */
export function readCommit(id: string, bytes: Buffer): Commit {
	const { headers, message } = readHeaders(bytes);
	const first = (name: string): string => headers.find((header) => header.name === name)?.value ?? '';
	const signature = headers.find((header) => header.name === 'gpgsig');
	return {
		id,
		tree: first('tree'),
		parents: headers.filter(({ name }) => name === 'parent').map(({ value }) => value),
		author: readSigned(first('author')),
		committer: readSigned(first('committer')),
		message: message.toString('utf8'),
		signature:
			signature === undefined
				? null
				: {
						text: signature.value.replace(/\n$/, ''),
						payload: Buffer.concat([bytes.subarray(0, signature.start), bytes.subarray(signature.end)]),
					},
	};
}

/** Reads an annotated tag. */
export function readTag(bytes: Buffer): Tag {
	const { headers, message } = readHeaders(bytes);
	const first = (name: string): string => headers.find((header) => header.name === name)?.value ?? '';
	return { target: first('object'), type: first('type'), name: first('tag'), message: message.toString('utf8') };
}

interface Header {
	readonly name: string;
	value: string;
	/** Offsets of the object and of the next one. */
	readonly start: number;
	end: number;
}

function readHeaders(bytes: Buffer): { readonly headers: readonly Header[]; readonly message: Buffer } {
	const headers: Header[] = [];
	let at = 0;
	while (at < bytes.length) {
		const newline = bytes.indexOf(0x0a, at);
		const end = newline < 0 ? bytes.length : newline + 1;
		if (newline === at) {
			return { headers, message: bytes.subarray(end) };
		}
		const line = bytes.toString('utf8', at, newline < 0 ? bytes.length : newline);
		const last = headers.at(-1);
		if (line.startsWith(' ') && last !== undefined) {
			last.value += `\n${line.slice(1)}`;
			last.end = end;
		} else {
			const space = line.indexOf(' ');
			headers.push({ name: line.slice(0, space), value: line.slice(space + 1), start: at, end });
		}
		at = end;
	}
	return { headers, message: bytes.subarray(bytes.length) };
}

function readSigned(text: string): Signed {
	const parts = /^(.*?) ?<([^>]*)> (-?\d+) ([+-]\d{4})$/s.exec(text);
	const [, name = text, email = '', time = '0', offset = '+0000'] = parts ?? [];
	return { name, email, timeS: Number(time), offset };
}
