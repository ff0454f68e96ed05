import type { Random } from './random.ts';

/** A file of a tree, one character per byte. A submodule's content is the id of a commit. */
export interface TreeFile {
	readonly mode: '100644' | '100755' | '120000' | '160000';
	readonly content: string;
}

/** Files by path. */
export type Tree = ReadonlyMap<string, TreeFile>;

const names = [
	'file', 'other', 'dir/file', 'dir/sub/file', 'a b', 'a b/c d', 'tab\there', 'quo"te', 'back\\slash', 'grün', '世界/界',
	' lead', 'trail ', 'dir/trail ', 'a/b', 'b/b', 'b/file', 'dev/null', 'x.orig', 'x', 'line\nfeed', 'cr\rname', '-dash', 'a => b',
	'x b/x', 'x b/x b/x', '"', 'dir2/"q" \\', 'diff --git a', '/dev', 'ctl\u0001', 'del\u007f', '{a => b}', 'a\u00a0b', 'v2.0', 'index 1',
	'e\u0301', 'A', 'dir', 'file/below', 'null', 'tab\t', 'x\t2020-01-01 00:00:00 +0000', 'y 2020-01-01 00:00:00.0 +0000',
] as const; // prettier-ignore

const lines = ['a', 'b', 'c', '', ' ', 'x  ', '}', '\tif', 'd\r', '\xe9', '\xc3\xa9', '--- a/x', '+++ b/x', '-- ', '@@ -1 +1 @@',
	'diff --git a/x b/x', 'From nobody', '>From x', '\\ No newline at end of file', 'GIT binary patch', '\f', '\v'] as const; // prettier-ignore

function textOf(random: Random): string {
	const count = random.chance(10) ? 0 : random.below(25);
	const all = Array.from(
		{ length: count },
		() => `${random.pick<string>(lines)}${random.chance(50) ? random.below(30) : ''}`,
	);
	const text = all.join('\n') + (count > 0 && !random.chance(10) ? '\n' : '');
	return random.chance(5) ? text.replaceAll('\n', '\r\n') : text;
}

function binary(random: Random): string {
	return (
		Array.from({ length: 1 + random.below(200) }, () =>
			String.fromCharCode(random.chance(30) ? 0 : random.below(256)),
		).join('') + '\0'
	);
}

function newFile(random: Random): TreeFile {
	const kind = random.below(20);
	if (kind === 0) {
		return { mode: '120000', content: random.pick<string>(['file', '../x', 'gr\xc3\xbcn', 'a b']) };
	}
	if (kind === 1) {
		return { mode: '160000', content: random.pick(['1', '2', '3']).repeat(40) };
	}
	const content = kind < 5 ? binary(random) : textOf(random);
	return { mode: random.chance(15) ? '100755' : '100644', content };
}

function put(tree: Map<string, TreeFile>, path: string, file: TreeFile): void {
	const isClash = [...tree.keys()].some((each) => each.startsWith(`${path}/`) || path.startsWith(`${each}/`));
	if (!isClash && !path.startsWith('/')) {
		tree.set(path, file);
	}
}

/** Some files of odd names and kinds. */
export function oddTree(random: Random): Tree {
	const tree = new Map<string, TreeFile>();
	for (let count = 1 + random.below(6); count > 0; count -= 1) {
		put(tree, random.pick<string>(names), newFile(random));
	}
	return tree;
}

function changedText(random: Random, content: string): string {
	const all = content.split('\n');
	const at = random.below(all.length);
	return all
		.toSpliced(at, random.below(3), ...Array.from({ length: random.below(3) }, () => random.pick<string>(lines)))
		.join('\n');
}

/** The next commit: files change, move, appear, disappear, copy and change type. */
export function changedTree(random: Random, before: Tree): Tree {
	const tree = new Map(before);
	for (let count = 1 + random.below(4); count > 0; count -= 1) {
		const paths = [...tree.keys()];
		const path = paths[random.below(paths.length)] ?? 'file';
		const file = tree.get(path) ?? newFile(random);
		random.pick(treeChanges)(random, tree, path, file);
	}
	return tree;
}

type TreeChange = (random: Random, tree: Map<string, TreeFile>, path: string, file: TreeFile) => void;

const add: TreeChange = (random, tree) => put(tree, random.pick<string>(names), newFile(random));
const edit: TreeChange = (random, tree, path, file) => tree.set(path, edited(random, file));
const copy: TreeChange = (random, tree, _path, file) =>
	put(tree, random.pick<string>(names), random.chance(50) ? file : edited(random, file));
const move: TreeChange = (random, tree, path, file) => {
	tree.delete(path);
	copy(random, tree, path, file);
};
const changeMode: TreeChange = (_random, tree, path, file) => {
	if (file.mode.startsWith('100')) {
		tree.set(path, { ...file, mode: file.mode === '100644' ? '100755' : '100644' });
	}
};
const treeChanges: readonly [TreeChange, ...TreeChange[]] = [
	add,
	edit,
	edit,
	edit,
	(_random, tree, path) => tree.delete(path),
	move,
	copy,
	(random, tree, path, file) => {
		copy(random, tree, path, file);
		edit(random, tree, path, file);
	},
	(random, tree, path) => tree.set(path, newFile(random)),
	changeMode,
	(random, tree, path, file) => {
		edit(random, tree, path, file);
		changeMode(random, tree, path, tree.get(path) ?? file);
	},
];

function edited(random: Random, file: TreeFile): TreeFile {
	if (!file.mode.startsWith('100')) {
		return newFile(random);
	}
	const isBinary = file.content.includes('\0');
	const grown = random.chance(50) ? `${file.content}x\0` : binary(random);
	return { ...file, content: isBinary ? grown : changedText(random, file.content) };
}

/** Without CRs, which mails lose, and without submodules and empty links, which no folder can have. */
export function mailable(tree: Tree): Tree {
	const files = [...tree].filter(
		([, { mode, content }]) => mode.startsWith('100') || (mode === '120000' && content !== ''),
	);
	return new Map(
		files.map(([path, { mode, content }]) => [
			path,
			{ mode, content: content.includes('\0') ? content : content.replaceAll('\r', '') },
		]),
	);
}

/** Input for `git fast-import`: a branch `t0`, `t1` and so on per tree. */
export function importStream(trees: readonly Tree[]): Buffer {
	const pieces = trees.flatMap((tree, at) => [
		Buffer.from(`commit refs/heads/t${at}\ncommitter A <a@b> 0 +0000\ndata 0\n`),
		...Array.from(tree, ([path, { mode, content }]) => {
			const name = `"${path.replaceAll(/["\\]/g, String.raw`\$&`).replaceAll('\n', String.raw`\n`)}"`;
			return mode === '160000'
				? Buffer.from(`M 160000 ${content} ${name}\n`)
				: Buffer.concat([
						Buffer.from(`M ${mode} inline ${name}\ndata ${content.length}\n`),
						Buffer.from(content, 'latin1'),
						Buffer.from('\n'),
					]);
		}),
		Buffer.from('\n'),
	]);
	return Buffer.concat(pieces);
}

const options = ['-M', '-C', '-M -C --find-copies-harder', '-M20%', '-B -M', '--no-renames', '--no-renames', '--binary', '--binary', '--full-index', '--full-index', '--abbrev=4',
	'-U0', '-U1', '-U10', '-W', '--inter-hunk-context=5', '--no-prefix', '--src-prefix=i/ --dst-prefix=w/', '--src-prefix=x/y/', '-D', '--patience',
	'--text', '--ignore-space-change', '--ignore-blank-lines', '--stat --patch', '--patch-with-raw', '--no-index', '-O/dev/null', '--submodule=log', '--ita-visible-in-index', '--word-diff=none', '-R', '--full-index --binary', '--full-index --binary'] as const; // prettier-ignore

/** Arguments of `git format-patch`. */
export const mailOptions = [
	'-M', '-C', '--binary --full-index', '--no-renames', '-U1', '-U8', '--attach', '--inline', '--abbrev=5', '--no-stat',
	'--src-prefix=i/ --dst-prefix=w/', '--signoff', '--zero-commit', '-W', '--encode-email-headers', '--no-prefix',
] as const; // prettier-ignore

/** Arguments of `git diff`. */
export function oddOptions(random: Random): string {
	return Array.from({ length: random.below(4) }, () => random.pick<string>(options))
		.filter((each) => each !== '--no-index')
		.join(' ');
}

/** Damage by a mailer, a person or an attacker. */
export function mangled(random: Random, diff: string): string {
	const all = diff.split('\n');
	const heads = [...all.keys()].filter((at) =>
		/^(?:diff|index|old|new|deleted|similarity|dissimilarity|rename|copy|---|\+\+\+|@@|GIT|literal|delta|Binary|Subproject)/.test(
			all[at] ?? '',
		),
	);
	const at = random.chance(70) ? (heads[random.below(heads.length)] ?? 0) : random.below(all.length);
	const line = all[at] ?? '';
	switch (random.below(16)) {
		case 0:
			return all.toSpliced(at, 1).join('\n');
		case 1:
			return all.toSpliced(at, 0, line).join('\n');
		case 2:
			return all.toSpliced(at, 1, line.trimEnd()).join('\n');
		case 3:
			return all.toSpliced(at, 1, `${line}  `).join('\n');
		case 4:
			return all.toSpliced(at, 1, `${line} `).join('\n');
		case 5:
			return all.map((each) => (each === ' ' ? '' : each)).join('\n');
		case 6:
			return all.map((each) => each.trimEnd()).join('\n');
		case 7: {
			const other = heads[random.below(heads.length)] ?? 0;
			return all.map((each, place) => (place === at ? (all[other] ?? '') : place === other ? line : each)).join('\n');
		}
		case 8:
			return all.toSpliced(at, 0, random.pick<string>(['', 'prose', 'old mode 100644', 'new mode 100755', 'new file mode 100644', 'deleted file mode 100644', 'index 0000000..1111111', 'rename from file', 'copy to other', '--- a/file', '+++ b/file', '--- /dev/null', '+++ /dev/null', 'diff --git a/file b/file', '@@ -1 +1 @@', '@@ -0,0 +1 @@', 'GIT binary patch', '\\ No newline at end of file', 'similarity index 100%', 'Binary files a/x and b/x differ', 'Index: x', '-- ', '---'])).join('\n'); // prettier-ignore
		case 9:
			return all.toSpliced(at, 1, line.replace(/100644|100755|120000|160000/, () => random.pick(['100644', '100755', '120000', '160000', '100600', '040000', '644', '100664']))).join('\n'); // prettier-ignore
		case 10:
			return all.toSpliced(at, 1, line.replace(/[0-9a-f]{7,40}/, (id) => random.pick([id.slice(0, 5), '0'.repeat(id.length), id.toUpperCase(), `${id.slice(1)}0`, ''])) ).join('\n'); // prettier-ignore
		case 11:
			return all.toSpliced(at, 1, line.replace(/([ab])\//, () => random.pick(['', 'a/', 'b/', 'c/', '/', 'a//', './', 'a/../', 'a/.git/', 'a/.GIT /', 'a/git~1/', 'a/.gitx/', '"a/']))).join('\n'); // prettier-ignore
		case 12:
			return all.slice(0, at).join('\n') + (random.chance(50) ? '\n' : '');
		case 13: {
			const to = heads[random.below(heads.length)] ?? 0;
			return [...all.slice(0, to), ...all.slice(at)].join('\n');
		}
		case 14:
			return all
				.toSpliced(at, 1, `${line}${random.pick(['\t', ' ', '\t2020-01-01 00:00:00 +0000', ' x', '"'])}`)
				.join('\n');
		default: {
			const place = random.below(Math.max(1, line.length));
			return all.toSpliced(at, 1, line.slice(0, place) + random.pick<string>(['', 'x', ' ', '0', '-', '/']) + line.slice(place + random.below(2))).join('\n'); // prettier-ignore
		}
	}
}
