import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Random } from './random.ts';
import { root } from '../harness/places.ts';
import type { MadeFile, MadeTree } from './madeTree.ts';
import { ownHistory } from './ownHistory.ts';

type Tree = Map<string, MadeFile>;

interface Making {
	readonly random: Random;
	/** Real text: sources of this project and its dependencies, line by line, and old versions of this project's. */
	readonly sources: readonly [string, ...string[]];
	/** Ordinary text and names without traps. */
	readonly isPlain: boolean;
	/** No two files share a name. */
	count: number;
}

const sourceFolders = [
	'packages/sample-forge/src',
	'packages/sourcehut/src/rest',
	'packages/sourcehut/src/http',
	'test/contract',
	'docs',
	'node_modules/mocha/lib',
	'node_modules/markdown-it/dist',
	'node_modules/undici/lib/web',
	'node_modules/highlight.js/lib/languages',
	'node_modules/postal-mime/src',
];

/** Lines that look like diff syntax. */
export const oddLines: readonly [string, ...string[]] = [
	'--- a/x',
	'+++ b/x',
	'-- ',
	'-- a comment of SQL',
	'++ b',
	'@@ -1,2 +1,2 @@',
	'@@@ -1 -1 +1 @@@',
	'diff --git a/x b/x',
	'diff --cc x',
	'index 0000000..1111111 100644',
	'GIT binary patch',
	'literal 0',
	'HcmV?d00001',
	'Binary files a/x and b/x differ',
	'\\ No newline at end of file',
	'From nobody Mon Sep 17 00:00:00 2001',
	'rename from x',
	'deleted file mode 100644',
	'',
	' ',
	'\t',
	'---',
	'>From here',
	'carriage\rreturn',
	'form\ffeed and \u2028 and \u200b',
	'Grüße, 世界 🌍',
	'\ufeffmark',
];

const words: readonly [string, ...string[]] = [
	'main.c',
	'read me.txt',
	'grüße.txt',
	'世界.md',
	'tab\tname',
	'quote"name',
	'back\\slash',
	' leading',
	'trailing ',
	'-dash',
	'b b',
	'new\nline',
	'🌍.rs',
	'x.orig',
	"it's",
	'cafe\u0301.ts',
	'bell\u0007',
	'a b/a b.txt',
	'~tilde',
	'semi;colon',
];

/** `count` + 1 successive trees, each with a handful of changes. Plain ones contain no traps. */
export function makeTrees(count: number, random: Random, isPlain = false): readonly MadeTree[] {
	const making: Making = { random, sources: sourceTexts(isPlain), isPlain, count: 0 };
	let tree: Tree = new Map();
	for (let file = 0; file < 40; file++) {
		create(making, tree);
	}
	const trees: MadeTree[] = [tree];
	for (let step = 0; step < count; step++) {
		tree = new Map(tree);
		for (let change = 1 + random.below(4); change > 0; change--) {
			changeSomething(making, tree);
		}
		if (sameTree(tree, trees.at(-1)!)) {
			create(making, tree);
		}
		trees.push(tree);
	}
	return trees;
}

function sameTree(one: MadeTree, other: MadeTree): boolean {
	return (
		one.size === other.size &&
		[...one].every(([path, { mode, content }]) => {
			const before = other.get(path);
			return before?.mode === mode && before.content.equals(content);
		})
	);
}

/**
 * Plain sources rarely have non-ASCII code, as in practice. They have no history, so that they grow only with the
 * project.
 */
function sourceTexts(isPlain: boolean): readonly [string, ...string[]] {
	const texts = sourceFolders.flatMap((folder) =>
		readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
			.filter((entry) => entry.isFile() && /\.(?:ts|js|cjs|mjs|md)$/.test(entry.name))
			.map((entry) => join(entry.parentPath, entry.name))
			.sort()
			.slice(0, 40)
			.map((path) => readFileSync(path, 'utf8')),
	);
	const [first = '', ...rest] = isPlain
		? texts.filter((text, at) => at % 20 === 0 || !/\P{ASCII}/u.test(text))
		: [...texts, ...ownHistory()];
	return [first, ...rest];
}

function changeSomething(making: Making, tree: Tree): void {
	const { random } = making;
	const path = pickPath(random, tree);
	const file = path === undefined ? undefined : tree.get(path);
	const roll = random.below(100);
	if (path === undefined || file === undefined || roll < 8) {
		create(making, tree);
	} else if (roll < 13 && tree.size > 20) {
		tree.delete(path);
	} else if (roll < 25) {
		tree.delete(path);
		tree.set(newName(making), random.chance(50) ? file : edited(making, file));
	} else if (roll < 33) {
		tree.set(newName(making), random.chance(50) ? file : edited(making, file));
		tree.set(path, edited(making, file));
	} else if (roll < 40) {
		tree.set(path, otherMode(making, file));
	} else {
		tree.set(path, edited(making, file));
	}
}

function pickPath(random: Random, tree: Tree): string | undefined {
	return [...tree.keys()][random.below(tree.size)];
}

/** Every name is in a folder, so that `-p` can strip one. */
function newName(making: Making): string {
	const { random, isPlain } = making;
	making.count++;
	if (isPlain) {
		return `${random.pick(['src', 'docs/deep', 'test'])}/file${making.count}.ts`;
	}
	return `${random.pick(['src', 'docs/deep', 'a b', 'b', 'tëst'])}/${making.count}${random.pick(words)}`;
}

function create(making: Making, tree: Tree): void {
	const { random } = making;
	const name = newName(making);
	const roll = random.below(100);
	if (making.isPlain) {
		tree.set(name, { mode: '100644', content: Buffer.from(someText(making)) });
	} else if (roll < 6) {
		tree.set(name, { mode: '100644', content: Buffer.alloc(0) });
	} else if (roll < 18) {
		tree.set(name, { mode: '100644', content: bytes(random) });
	} else if (roll < 22) {
		tree.set(name, { mode: '120000', content: Buffer.from(`../${random.pick(words)}`) });
	} else if (roll < 25) {
		tree.set(name, { mode: '160000', content: Buffer.from(commitId(random)) });
	} else {
		tree.set(name, { mode: random.chance(85) ? '100644' : '100755', content: Buffer.from(someText(making)) });
	}
}

function commitId(random: Random): string {
	return Array.from({ length: 40 }, () => random.below(16).toString(16)).join('');
}

function bytes(random: Random): Buffer {
	const size = random.chance(10) ? 5000 + random.below(9000) : 1 + random.below(400);
	const isDense = random.chance(50);
	const made = Buffer.from(Array.from({ length: size }, () => (isDense ? random.below(256) : random.below(3))));
	made[0] = 0;
	return made;
}

/** An excerpt of a real text. */
function someText(making: Making): string {
	const lines = sourceLines(making, 1 + making.random.below(making.random.chance(making.isPlain ? 60 : 20) ? 300 : 60));
	const text = lines.join(making.random.chance(12) ? '\r\n' : '\n');
	return making.random.chance(85) ? `${text}\n` : text;
}

function sourceLines({ random, sources }: Making, most: number): string[] {
	const lines = random.pick(sources).split('\n');
	const start = random.below(Math.max(1, lines.length - most));
	return lines.slice(start, start + most);
}

function otherMode({ random }: Making, file: MadeFile): MadeFile {
	if (file.mode === '160000') {
		return { ...file, content: Buffer.from(commitId(random)) };
	}
	if (file.mode === '120000') {
		return { mode: '100644', content: file.content };
	}
	if (random.chance(15)) {
		return { mode: '120000', content: Buffer.from('elsewhere') };
	}
	return { ...file, mode: file.mode === '100644' ? '100755' : '100644' };
}

function edited(making: Making, file: MadeFile): MadeFile {
	const { random } = making;
	if (file.mode === '160000') {
		return { ...file, content: Buffer.from(commitId(random)) };
	}
	if (file.content.includes(0)) {
		return { ...file, content: editedBytes(random, file.content) };
	}
	return { ...file, content: Buffer.from(editedText(making, file.content.toString())) };
}

function editedBytes(random: Random, content: Buffer): Buffer {
	const at = 1 + random.below(content.length);
	const middle = Buffer.from(Array.from({ length: random.below(60) }, () => random.below(256)));
	return Buffer.concat([content.subarray(0, at), middle, content.subarray(at + random.below(80))]);
}

function editedText(making: Making, text: string): string {
	const { random, isPlain } = making;
	const roll = random.below(100);
	if (roll < 4 && !isPlain) {
		return text.includes('\r\n') ? text.replaceAll('\r\n', '\n') : text.replaceAll('\n', '\r\n');
	}
	if (roll < 10) {
		return text.endsWith('\n') ? text.slice(0, -1) : `${text}\n`;
	}
	if (roll < 12) {
		return '';
	}
	const lines = text.split('\n');
	for (let edits = 1 + random.below(5); edits > 0; edits--) {
		const fresh = random.chance(isPlain ? 0 : 40)
			? [random.pick(oddLines)]
			: sourceLines(making, random.below(random.chance(isPlain ? 60 : 10) ? 40 : 6));
		lines.splice(random.below(lines.length + 1), random.below(6), ...fresh);
	}
	return lines.join('\n');
}
