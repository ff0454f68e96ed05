import type { GitObject, ObjectType, Signed, TreeEntry } from './gitObjects.ts';
import { modes, objectId, writeTree } from './gitObjects.ts';

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
