import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import type { GitObject, ObjectType } from './gitObjects.ts';
import type { GitProgram } from './gitProgram.ts';
import type { RepositoryDraft } from './repositoryDraft.ts';

const typeNumbers: Readonly<Record<ObjectType, number>> = { commit: 1, tree: 2, blob: 3, tag: 4 };

/** Folder of a repository inside a folder of repositories; survives a renaming. */
export function folderOf(id: number): string {
	return `${id}.git`;
}

/** The settings that every repository of the forge has. */
export const repositorySettings = `[core]
	repositoryformatversion = 0
	filemode = true
	bare = true
[gc]
	auto = 0
[receive]
	autogc = false
	denyDeleteCurrent = refuse
`;

/** Makes an empty repository. */
export async function createEmpty(git: GitProgram, path: string): Promise<void> {
	await git.run(['init', '--quiet', '--bare', '--template=', '--initial-branch=master', path]);
	await writeFile(join(path, 'config'), repositorySettings);
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
