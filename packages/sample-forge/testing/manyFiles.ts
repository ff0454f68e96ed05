import { join } from 'node:path';
import { folderOf } from '../src/repositories/repositoryRoom.ts';
import { createRandom, type Random } from '../../../test/support/random.ts';
import { modes, type Signed } from '../src/git/gitObjects.ts';
import {
	createRepositoryDraft,
	type FileEntry,
	type RepositoryDraft,
	writeRepository,
} from './worlds/repositories/repositoryDraft.ts';
import { createObjectSource } from '../src/git/objectSource.ts';
import type { RepositoryRoom } from '../src/repositories/repositoryRoom.ts';
import { worldEndMs, worldStartMs } from './worlds/worldTime.ts';
import { ownerOfMany } from './ownerOfMany.ts';
import { createQuickSource } from './quickSource.ts';

/** Adds the repository `~alice/many` with `count` files. */
export async function addManyFiles({ context, git, root, store }: RepositoryRoom, count: number): Promise<void> {
	const owner = ownerOfMany(context);
	const draft = tellManyFiles(count, worldStartMs / 1000);
	const id = store.nextId();
	const folder = folderOf(id);
	await writeRepository(git, draft, join(root, folder));
	const source = createQuickSource(draft, createObjectSource(git, join(root, folder)));
	const description = 'Files for benchmarks';
	store.add(id, { owner, name: 'many', description, visibility: 'public', createdMs: worldEndMs }, { folder, source });
}

/** Files for one folder, as in the sources of large systems. */
const filesPerFolder = 12;
const largestFile = 200_000;

/**
 * Creates a repository of `count` files in about a twelfth as many folders, at least a dozen deep. It has everything
 * that git can store: all kinds of names, executables, links, submodules, empty and binary files, all line ends and
 * unknown charsets. The branch `next` is one commit ahead of `master` and changes one deep file.
 */
export function tellManyFiles(count: number, timeS: number): RepositoryDraft {
	const draft = createRepositoryDraft();
	const random = createRandom(count);
	const folders = foldersFor(Math.max(1, Math.round(count / filesPerFolder)));
	const files = new Map<string, FileEntry>();
	for (let number = 0; number < count; number += 1) {
		// One file per folder first, so that no folder is empty; then some folders get far more than others.
		const at = number < folders.length ? number : random.below(1 + random.below(folders.length));
		const name = nameOf(fileNames, number);
		files.set(`${folders[at] ?? ''}${name}`, contentOf(draft, random, number));
	}
	const author: Signed = { name: 'Alice Öberg', email: 'alice@forge.test', timeS, offset: '+0000' };
	const first = draft.commit({ files, parents: [], author, message: 'Many files\n' });
	const deepest = [...files.keys()].reduce((one, other) => (depthOf(other) > depthOf(one) ? other : one));
	files.set(deepest, { mode: modes.file, id: draft.blob('changed\n') });
	const later = { ...author, timeS: timeS + 60 };
	const second = draft.commit({ files, parents: [first], author: later, message: 'Change one of them\n' });
	draft.ref('refs/heads/master', first);
	draft.ref('refs/heads/next', second);
	draft.ref('refs/tags/v1', first);
	return draft;
}

function depthOf(path: string): number {
	return path.split('/').length;
}

const deepFolders = 10;

/** Paths of `count` folders below the root, each with a slash: an uneven tree with one deep branch. */
function foldersFor(count: number): readonly string[] {
	const folders = [''];
	for (let number = 1; number <= count; number += 1) {
		const isDeep = number <= deepFolders;
		const parent = isDeep ? number - 1 : Math.floor(number / (4 + (number % 9)));
		folders.push(`${folders[parent] ?? ''}${nameOf(folderNames, number)}/`);
	}
	return folders;
}

type Naming = readonly [string, ...string[]];

/** A number replaces `*`. */
const folderNames: Naming = [
	'part-*',
	'lib*',
	'src-*',
	'with blank *',
	'größe-*',
	'drivers*',
	'日本語-*',
	'100% of *',
	'*.d',
	'c#-*',
	'why?-*',
	'e\u0301-*',
];

const fileNames: Naming = [
	'file-*.ts',
	'README-*.md',
	'main*.c',
	'with blank *.txt',
	'Makefile.*',
	'größe-*.h',
	'100%-*.txt',
	'issue #*.md',
	'what is *?.txt',
	'日本語-*.txt',
	'percent%20encoded%2F*.txt',
	'-rf *',
	'.hidden-*',
	' * between blanks ',
	'e\u0301 decomposed *',
	'\u00e9 composed *',
	'👩‍🚀 *.md',
	'a+b&c=*;d',
	'quo\'te"*',
	'colon:*|<b>',
	'tab\t*',
	'new\nline *',
	'~*@{1}^',
	'right\u202E*gnp.txt',
	'CON.*',
	'*.',
	'blob',
	'HEAD',
];

/** Mostly plain names, as everywhere. Only the first name of a kind needs no number. */
function nameOf(names: Naming, number: number): string {
	const name = names[number % 3 === 0 ? (number / 3) % names.length : 0] ?? names[0];
	return name.includes('*') ? name.replace('*', String(number)) : `${name}-${number}`;
}

function contentOf(draft: RepositoryDraft, random: Random, number: number): FileEntry {
	const file = (content: string | Uint8Array): FileEntry => ({ mode: modes.file, id: draft.blob(content) });
	const kinds: readonly (readonly [every: number, make: () => FileEntry])[] = [
		[5003, () => file(bytes(random, largestFile))],
		[307, () => ({ mode: modes.submodule, id: number.toString(16).padStart(40, '5') })],
		[103, () => ({ mode: modes.symlink, id: draft.blob(`../target ${number}`) })],
		[97, () => file('')],
		[89, () => file(`first ${number}\r\nsecond\r\n\r\nlast without end`)],
		[83, () => file(Buffer.from(`caf\u00e9 ${number} \u00a3\n`, 'latin1'))],
		[79, () => file(Buffer.concat([Buffer.from('\0\x01PNG'), bytes(random, 1 + random.below(3000))]))],
		[73, () => file(`\ufeffbegins with a mark ${number}\n`)],
		[71, () => file(`<!doctype html><title>${number}</title><script>alert(1)</script>\n`)],
		[67, () => file(Buffer.from(`utf-16 ${number}\n`, 'utf16le'))],
		[61, () => ({ mode: modes.executable, id: draft.blob(`#!/bin/sh\necho ${number}\n`) })],
		[59, () => file('the same in many places\n')],
		[53, () => file(`{"results": [], "number": ${number}}`)],
	];
	const [, make] = kinds.find(([every]) => number % every === every - 1) ?? [];
	return make?.() ?? file(`export const value${number} = ${number};\n`.repeat(1 + random.below(4)));
}

function bytes(random: Random, length: number): Uint8Array {
	return Uint8Array.from({ length }, () => random.below(256));
}
