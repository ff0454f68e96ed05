import { createHash } from 'node:crypto';
import { deflateSync } from 'node:zlib';
import type { GitObject, ObjectType, Signed, TreeEntry } from '../../../src/git/gitObjects.ts';
import { modes } from '../../../src/git/gitObjects.ts';
import type { GitProgram } from '../../../src/git/gitProgram.ts';
import { createEmpty } from '../../../src/repositories/repositoryRoom.ts';

/** Signs commits and tags as `git` does with an SSH key. The same text always gives the same signature. */
export interface SshSigner {
	/** `ssh-ed25519 AAAA...`, as in a file of allowed signers. */
	readonly publicKey: string;
	/** The armoured signature with a line end after its last line. */
	sign(payload: Uint8Array): string;
}

/** The files of one commit by path. */
export type Files = ReadonlyMap<string, FileEntry>;

export interface FileEntry {
	readonly mode: number;
	readonly id: string;
}

/** Objects and references of a new repository. Ids are available without git. */
export interface RepositoryDraft {
	readonly objects: ReadonlyMap<string, GitObject>;
	/** Ids by full name. */
	readonly refs: ReadonlyMap<string, string>;
	blob(content: string | Uint8Array): string;
	tree(files: Files): string;
	commit(draft: CommitDraft): string;
	tag(draft: TagDraft): string;
	ref(name: string, id: string): void;
}

export interface CommitDraft {
	readonly files: Files;
	readonly parents: readonly string[];
	readonly author: Signed;
	/** The author when left out. */
	readonly committer?: Signed;
	readonly message: string;
	readonly signer?: SshSigner | undefined;
}

export interface TagDraft {
	readonly name: string;
	readonly target: string;
	readonly type?: ObjectType;
	readonly tagger: Signed;
	readonly message: string;
	readonly signer?: SshSigner | undefined;
}

export function createRepositoryDraft(): RepositoryDraft {
	const objects = new Map<string, GitObject>();
	const refs = new Map<string, string>();
	const add = (type: ObjectType, bytes: Buffer): string => {
		const id = objectId(type, bytes);
		objects.set(id, { type, bytes });
		return id;
	};
	const addFolder = (folder: Folder): string => {
		const entries = Array.from(folder, ([name, entry]): TreeEntry => {
			return entry instanceof Map ? { name, mode: modes.tree, id: addFolder(entry) } : { name, ...entry };
		});
		return add('tree', writeTree(entries));
	};
	const tree = (files: Files): string => addFolder(nest(files));
	return {
		objects,
		refs,
		tree,
		blob: (content) => add('blob', Buffer.from(content)),
		commit({ files, parents, author, committer = author, message, signer }) {
			const lines = [
				`tree ${tree(files)}`,
				...parents.map((parent) => `parent ${parent}`),
				`author ${writeSigned(author)}`,
				`committer ${writeSigned(committer)}`,
			];
			const head = `${lines.join('\n')}\n`;
			const body = `\n${message}`;
			const signature = signer?.sign(Buffer.from(head + body)).trimEnd();
			const header = signature === undefined ? '' : `gpgsig ${signature.replaceAll('\n', '\n ')}\n`;
			return add('commit', Buffer.from(head + header + body));
		},
		tag({ name, target, type = 'commit', tagger, message, signer }) {
			const head = `object ${target}\ntype ${type}\ntag ${name}\ntagger ${writeSigned(tagger)}\n\n`;
			const text = head + message;
			return add('tag', Buffer.from(text + (signer?.sign(Buffer.from(text)) ?? '')));
		},
		ref: (name, id) => void refs.set(name, id),
	};
}

type Folder = Map<string, FileEntry | Folder>;

function nest(files: Files): Folder {
	const root: Folder = new Map();
	for (const [path, entry] of files) {
		const names = path.split('/');
		const last = names.pop() ?? '';
		let folder = root;
		for (const name of names) {
			const inner = folder.get(name);
			const next: Folder = inner instanceof Map ? inner : new Map<string, FileEntry | Folder>();
			folder.set(name, next);
			folder = next;
		}
		folder.set(last, entry);
	}
	return root;
}

function writeSigned({ name, email, timeS, offset }: Signed): string {
	return `${name} <${email}> ${timeS} ${offset}`;
}

/** The id that git gives an object. */
export function objectId(type: ObjectType, bytes: Uint8Array): string {
	return createHash('sha1').update(`${type} ${bytes.length}\0`).update(bytes).digest('hex');
}

/** Writes a tree. Entries are put into git's order: by bytes, folders as if they ended in a slash. */
export function writeTree(entries: readonly TreeEntry[]): Buffer {
	const keyed = entries.map((entry) => ({
		entry,
		key: Buffer.from(entry.mode === modes.tree ? `${entry.name}/` : entry.name, 'utf8'),
	}));
	keyed.sort((a, b) => Buffer.compare(a.key, b.key));
	return Buffer.concat(
		keyed.flatMap(({ entry }) => [
			Buffer.from(`${entry.mode.toString(8)} ${entry.name}\0`, 'utf8'),
			Buffer.from(entry.id, 'hex'),
		]),
	);
}

/** Writes a repository from a draft, or an empty one. */
export async function writeRepository(git: GitProgram, draft: RepositoryDraft | null, path: string): Promise<void> {
	await createEmpty(git, path);
	if (draft === null) {
		return;
	}
	const pack = writePack([...draft.objects.values()]);
	await git.run(['--git-dir', path, 'index-pack', '--stdin', '--strict'], { input: pack });
	const updates = Array.from(draft.refs, ([name, id]) => `create ${name} ${id}\n`);
	await git.run(['--git-dir', path, 'update-ref', '--stdin'], { input: updates.join('') });
	await git.run(['--git-dir', path, 'pack-refs', '--all']);
}

const typeNumbers: Readonly<Record<ObjectType, number>> = { commit: 1, tree: 2, blob: 3, tag: 4 };

/** A pack of whole objects for `git index-pack`, which verifies and adds it. */
function writePack(objects: readonly GitObject[]): Buffer {
	const head = Buffer.alloc(12);
	head.write('PACK', 'latin1');
	head.writeUInt32BE(2, 4);
	head.writeUInt32BE(objects.length, 8);
	const parts: Uint8Array[] = [head];
	for (const { type, bytes } of objects) {
		parts.push(objectHead(typeNumbers[type], bytes.length), deflateSync(bytes, { level: 3 }));
	}
	const pack = Buffer.concat(parts);
	return Buffer.concat([pack, createHash('sha1').update(pack).digest()]);
}

/** Type and length: four bits of the length in the first byte, seven in each further one, the highest bit for "more". */
function objectHead(type: number, length: number): Buffer {
	const bytes: number[] = [];
	let rest = Math.floor(length / 16);
	let byte = (type << 4) | (length % 16);
	while (rest > 0) {
		bytes.push(byte | 0x80);
		byte = rest % 128;
		rest = Math.floor(rest / 128);
	}
	bytes.push(byte);
	return Buffer.from(bytes);
}
