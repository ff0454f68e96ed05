import assert from 'node:assert/strict';
import { blobId } from '../../src/patch/blobId.ts';
import { parseDiff } from '../../src/patch/parseDiff.ts';
import type { FileThere, FileVerdict } from '../../src/patch/tryFile.ts';
import { trySeries } from '../../src/patch/trySeries.ts';
import { gitSince } from '../../../../test/support/gitSince.ts';
import { importStream, type Tree } from '../../../../test/support/oddTrees.ts';
import { runCases } from '../../../../test/support/shellCases.ts';
import { entriesOf, type Entries, thereIn } from '../support/treeEntries.ts';

const never = new AbortController().signal;

type Mode = '100644' | '100755' | '120000' | '160000';
/** Content, or mode and content, by path. */
type Files = Readonly<Record<string, string | readonly [mode: Mode, content: string]>>;

function treeOf(files: Files): Tree {
	return new Map(
		Object.entries(files).map(([path, file]) => {
			const [mode, content] = typeof file === 'string' ? (['100644', file] as const) : file;
			return [path, { mode, content }];
		}),
	);
}

function placesIn(tree: Tree): readonly (readonly [path: string, there: FileThere])[] {
	return Array.from(tree.keys(), (path) => [path, thereIn(tree, path)]);
}

function worded(verdict: FileVerdict): string {
	switch (verdict.kind) {
		case 'applies':
			return verdict.isExact ? 'applies' : `applies by ${verdict.offset} with fuzz ${verdict.fuzz}`;
		case 'alreadyApplied':
			return 'there';
		case 'conflict':
			return verdict.damage ?? verdict.reason;
	}
}

async function tried(
	patches: readonly string[],
	tree: Tree,
): Promise<{ readonly verdicts: readonly string[]; readonly after: Entries }> {
	const { verdicts, after } = await trySeries(
		{
			patches: patches.map((diffText) => ({ diff: parseDiff(diffText), diffText })),
			read: async (path) => thereIn(tree, path),
			isCommitted: () => false,
			turn: async () => undefined,
		},
		never,
	);
	return {
		verdicts: verdicts.map(({ files }) => files.map(worded).join(', ')),
		after: entriesOf(new Map([...placesIn(tree), ...after])),
	};
}

/** Git’s trees after the patches; `undefined` if it refuses one. */
function byGit(all: readonly Pick<Case, 'files' | 'patches'>[]): readonly (Entries | undefined)[] {
	const script = `
		git init -q in; cd in; git fast-import --quiet <../import || exit; at=0
		while git read-tree t$at 2>>../words; do
			for patch in ../$at.*; do git apply --cached --whitespace=nowarn $patch 2>>../words || touch ../bad$at; done
			[ -e ../bad$at ] || git ls-files -sz >../done$at
			at=$((at + 1))
		done`;
	const patches = all.flatMap((each, at) =>
		each.patches.map((patch, index) => [`${at}.${index}`, Buffer.from(patch, 'latin1')] as const),
	);
	const input = { import: importStream(all.map(({ files }) => treeOf(files))), ...Object.fromEntries(patches) };
	const [result] = runCases(script, [input]);
	return all.map((_, at) => {
		const rows = result?.file(`done${at}`)?.toString().split('\0').slice(0, -1);
		return (
			rows && Object.fromEntries(rows.map((row) => [row.slice(row.indexOf('\t') + 1), row.split(' ', 2).join(' ')]))
		);
	});
}

const mark = '\\ No newline at end of file\n';
const change = '@@ -1 +1 @@\n-a\n+b\n';
const openChange = `@@ -1 +1 @@\n-a\n${mark}+b\n${mark}`;
const index = (mode: string): string => `index 1111111..2222222 ${mode}\n`;
const modes = (old: string, fresh: string): string => `old mode ${old}\nnew mode ${fresh}\n`;
const edit = (path: string, hunks = change, extra = ''): string =>
	`diff --git a/${path} b/${path}\n${extra}--- a/${path}\n+++ b/${path}\n${hunks}`;
const add = (path: string, hunks = '@@ -0,0 +1 @@\n+b\n', mode = '100644'): string =>
	`diff --git a/${path} b/${path}\nnew file mode ${mode}\n--- /dev/null\n+++ b/${path}\n${hunks}`;
const remove = (path: string, hunks = '@@ -1 +0,0 @@\n-a\n', mode = '100644'): string =>
	`diff --git a/${path} b/${path}\ndeleted file mode ${mode}\n--- a/${path}\n+++ /dev/null\n${hunks}`;
const move = (from: string, to: string, hunks = '', how = 'rename', extra = ''): string =>
	`diff --git a/${from} b/${to}\nsimilarity index 90%\n${how} from ${from}\n${how} to ${to}\n${extra}${hunks === '' ? '' : `--- a/${from}\n+++ b/${to}\n${hunks}`}`;
const module = (id: string): string => `@@ -0,0 +1 @@\n+Subproject commit ${id}\n`;
const [old, fresh, none, empty] = [blobId('0\0'), blobId('a\0bc'), '0'.repeat(40), blobId('')];
const literal = 'GIT binary patch\nliteral 4\nLcmYdfNJ<6(0<Qrl\n\n';
const nothingBinary = 'GIT binary patch\nliteral 0\nHcmV?d00001\n\n';
const binary = (from: string, to: string, data: string, mode = ''): string =>
	`diff --git a/x b/x\n${mode}index ${from}..${to}${mode === '' ? ' 100644' : ''}\n${data}`;
const notice = 'Binary files a/x and b/x differ\n';
const numbers = Array.from({ length: 20 }, (_, at) => `${at + 1}\n`).join('');
const around = (at: number, line: string, from = at): string =>
	`@@ -${from - 1},3 +${from - 1},3 @@\n ${at - 1}\n-${at}\n+${line}\n ${at + 1}\n`;

interface Case {
	readonly name: string;
	readonly files: Files;
	readonly patches: readonly string[];
	/** The verdict on each file, by patch. */
	readonly verdicts: readonly string[];
}

const caseOf = (
	name: string,
	files: Files,
	patches: string | readonly string[],
	...verdicts: readonly string[]
): Case => ({
	name,
	files,
	patches: typeof patches === 'string' ? [patches] : patches,
	verdicts,
});

/** Git creates an impossible link and truncates modes and submodule ids. */
const stricter: readonly Case[] = [
	caseOf('a new file with a mode out of range', {}, add('x', '@@ -0,0 +1 @@\n+b\n', '200000'), 'badHeader'),
	caseOf(
		'a link that becomes empty',
		{ x: ['120000', 'a'] },
		edit('x', `@@ -1 +0,0 @@\n-a\n${mark}`, index('120000')),
		'badData',
	),
	...['1'.repeat(41), '1'.repeat(63), '1'.repeat(65)].map((id) =>
		caseOf(`a new submodule ${id}`, {}, add('x', module(id), '160000'), 'badData'),
	),
];

const cases: readonly Case[] = [
	caseOf(
		'a change keeps the mode of the file',
		{ x: ['100755', 'a\n'] },
		edit('x', change, index('100644')),
		'applies',
	),
	caseOf('a change with a new mode', { x: 'a\n' }, edit('x', change, modes('100644', '100755')), 'applies'),
	caseOf('a new mode', { x: 'a\n' }, `diff --git a/x b/x\n${modes('100644', '100755')}`, 'applies'),
	caseOf(
		'a mode that already matches',
		{ x: ['100755', 'a\n'] },
		`diff --git a/x b/x\n${modes('100644', '100755')}`,
		'there',
	),
	caseOf('a link, changed as such', { x: ['120000', 'a'] }, edit('x', openChange, index('120000')), 'applies'),
	caseOf('a link, changed without a mode', { x: ['120000', 'a'] }, edit('x', openChange), 'applies'),
	caseOf('a link, changed as a file', { x: ['120000', 'a'] }, edit('x', openChange, index('100644')), 'notFile'),
	caseOf('a file, changed as a link', { x: 'a' }, edit('x', openChange, index('120000')), 'notFile'),
	caseOf('a file to make a link', { x: 'a' }, edit('x', openChange, modes('100644', '120000')), 'notFile'),
	caseOf(
		'a link, deleted as such',
		{ x: ['120000', 'a'] },
		remove('x', `@@ -1 +0,0 @@\n-a\n${mark}`, '120000'),
		'applies',
	),
	caseOf('a link, deleted as a file', { x: ['120000', 'a'] }, remove('x', `@@ -1 +0,0 @@\n-a\n${mark}`), 'notFile'),
	caseOf('a new file', {}, add('x'), 'applies'),
	// Git since 2.47 reads modes without file bits as submodules, and the check says so.
	...['100664', '100711', ...(gitSince('2.47') ? [] : ['177777', '755', '644'])].map((mode) =>
		caseOf(`a new file with the mode ${mode}`, {}, add('x', '@@ -0,0 +1 @@\n+b\n', mode), 'applies'),
	),
	caseOf('a new file that already exists', { x: 'b\n' }, add('x'), 'there'),
	caseOf('a new file that exists with another mode', { x: ['100755', 'b\n'] }, add('x'), 'exists'),
	caseOf('a new file that exists with another text', { x: 'c\n' }, add('x'), 'exists'),
	caseOf('a new empty file', {}, 'diff --git a/x b/x\nnew file mode 100644\n', 'applies'),
	caseOf('a new empty file that is there', { x: '' }, 'diff --git a/x b/x\nnew file mode 100644\n', 'there'),
	caseOf('a new empty file, there with text', { x: 'a\n' }, 'diff --git a/x b/x\nnew file mode 100644\n', 'exists'),
	caseOf('a plain diff of a new file', {}, '--- a/x\n+++ b/x\n@@ -0,0 +1 @@\n+b\n', 'applies'),
	caseOf('a plain diff of a missing file', {}, `--- a/x\n+++ b/x\n${change}`, 'missing'),
	caseOf(
		'a plain diff of two hunks of a missing file',
		{},
		'--- a/x\n+++ b/x\n@@ -0,0 +1 @@\n+b\n@@ -0,0 +2 @@\n+b\n',
		'missing',
	),
	caseOf('a diff of git that adds lines to a missing file', {}, edit('x', '@@ -0,0 +1 @@\n+b\n'), 'missing'),
	caseOf('a new submodule', {}, add('x', module('1'.repeat(40)), '160000'), 'applies'),
	caseOf(
		'a new submodule with text behind its id',
		{},
		add('x', module(`${'1'.repeat(40)} or so`), '160000'),
		'applies',
	),
	...['1'.repeat(39), `x${'1'.repeat(40)}`, `${'1'.repeat(39)}g`].map((id) =>
		caseOf(`a new submodule ${id}`, {}, add('x', module(id), '160000'), 'badData'),
	),
	caseOf(
		'a new submodule with a word before',
		{},
		add('x', module('1'.repeat(40)).replace('+S', '+A S'), '160000'),
		'badData',
	),
	caseOf('a new submodule without text', {}, 'diff --git a/x b/x\nnew file mode 160000\n', 'badData'),
	caseOf(
		'a deleted submodule',
		{ x: ['160000', '1'.repeat(40)] },
		remove('x', module('1'.repeat(40)).replace('-0,0 +1', '-1 +0,0').replace('+S', '-S'), '160000'),
		'applies',
	),
	caseOf('a moved and changed file', { x: 'a\nb\n' }, move('x', 'y', '@@ -1,2 +1,2 @@\n-a\n+c\n b\n'), 'applies'),
	caseOf('a moved file that is executable', { x: ['100755', 'a\n'] }, move('x', 'y'), 'applies'),
	caseOf('a move to a file', { x: 'a\n', y: 'c\n' }, move('x', 'y'), 'exists'),
	caseOf('a move that is done', { y: 'a\n' }, move('x', 'y'), 'there'),
	caseOf('a copy of the moved file', { x: 'a\n', y: 'a\n' }, move('x', 'y'), 'exists'),
	caseOf(
		'an applied change with a move, recognized by its id',
		{ y: 'b\n' },
		move('x', 'y', change, 'rename', `index 1111111..${blobId('b\n')}\n`),
		'there',
	),
	caseOf('a change with a move that is done, without ids', { y: 'b\n' }, move('x', 'y', change), 'missing'),
	caseOf('a copy', { x: 'a\n' }, move('x', 'y', change, 'copy'), 'applies'),
	caseOf('a copy that is there', { x: 'a\n', y: 'a\n' }, move('x', 'y', '', 'copy'), 'exists'),
	caseOf(
		'an applied copy, recognized by its id',
		{ x: 'a\n', y: 'b\n' },
		move('x', 'y', change, 'copy', `index 1111111..${blobId('b\n')}\n`),
		'there',
	),
	caseOf('a deleted file', { x: 'a\n', y: 'a\n' }, remove('x'), 'applies'),
	caseOf('a deleted file with more lines', { x: 'a\nb\n' }, remove('x'), 'leavesText'),
	caseOf('a deleted file that is empty instead', { x: '' }, remove('x'), 'leavesText'),
	caseOf('a deleted file without lines', { x: '' }, 'diff --git a/x b/x\ndeleted file mode 100644\n', 'applies'),
	caseOf(
		'a deletion without lines of a non-empty file',
		{ x: 'a\n' },
		'diff --git a/x b/x\ndeleted file mode 100644\n',
		'leavesText',
	),
	caseOf('a deleted file that is gone', {}, remove('x'), 'there'),
	caseOf('lost bytes', { x: 'a\xFF\n' }, edit('x', change.replace('a', 'a\xEF\xBF\xBD')), 'lostBytes'),
	caseOf(
		'lost bytes that match the file',
		{ x: 'a\xEF\xBF\xBD\n' },
		edit('x', change.replace('a', 'a\xEF\xBF\xBD')),
		'applies',
	),
	caseOf(
		'lost bytes of another file',
		{ x: 'c\n', y: 'a\n' },
		edit('x') + edit('y', change.replace('b', 'a\xEF\xBF\xBD')),
		'noMatch, applies',
	),
	caseOf('lost bytes in a file that exists', { x: 'c\n' }, add('x', '@@ -0,0 +1 @@\n+\xEF\xBF\xBD\n'), 'exists'),
	caseOf('a diff without CRs for a file with them', { x: 'a\r\n' }, edit('x'), 'noMatch'),
	caseOf(
		'hunks elsewhere',
		{ x: `0\n0\n${numbers}` },
		edit('x', around(3, 'x') + around(9, 'y', 8) + around(14, 'z', 12)),
		'applies by 4 with fuzz 0',
	),
	caseOf(
		'hunks elsewhere above',
		{ x: numbers },
		edit('x', around(3, 'x', 4) + around(9, 'y', 12) + around(14, 'z', 15)),
		'applies by -3 with fuzz 0',
	),
	caseOf(
		'hunks elsewhere in the very file',
		{ x: numbers },
		edit('x', around(3, 'x', 5), `index ${blobId(numbers)}..2222222 100644\n`),
		'applies',
	),
	caseOf(
		'an applied change that would apply again',
		{ x: 'p\np\nx\np\n' },
		edit('x', '@@ -1,2 +1,3 @@\n p\n+x\n p\n'),
		'applies',
	),
	caseOf(
		'applied changes, one of which would apply again',
		{ x: 'p\nx\np\n-\n-\n-\n-\n3\nhalf\n4\n5\n-\n-\np\np\n' },
		edit('x', '@@ -2,2 +2,3 @@\n p\n+x\n p\n@@ -8,2 +9,3 @@\n 3\n+half\n 4\n'),
		'there',
	),
	caseOf('binary data of a new file', {}, binary(none, fresh, literal, 'new file mode 100644\n'), 'applies'),
	caseOf('binary data of a file', { x: '0\0' }, binary(old, fresh, literal), 'applies'),
	caseOf('binary data of a missing file', {}, binary(old, fresh, literal), 'missing'),
	caseOf('binary files that differ', { x: '0\0' }, binary(old.slice(0, 9), fresh.slice(0, 9), notice), 'notIncluded'),
	caseOf('binary files that differ from this one', { x: 'a\n' }, binary(old, fresh, notice), 'noMatch'),
	caseOf(
		'a deleted binary file by its id',
		{ x: '0\0' },
		binary(old, none, notice, 'deleted file mode 100644\n'),
		'applies',
	),
	caseOf(
		'a deleted binary file with the id of no content',
		{ x: '0\0' },
		binary(old, empty, nothingBinary, 'deleted file mode 100644\n'),
		'applies',
	),
	caseOf(
		'a copy of a file that the patch changes',
		{ x: 'a\n' },
		edit('x') + move('x', 'y', '', 'copy'),
		'applies, applies',
	),
	caseOf(
		'a move of a file that the patch changes',
		{ x: 'a\n' },
		edit('x', change.replace('b', 'c')) + move('x', 'y', change),
		'applies, applies',
	),
	caseOf('two files that change places', { x: 'a\n', y: 'c\n' }, move('x', 'y') + move('y', 'x'), 'applies, applies'),
	caseOf(
		'a copy, and a change of its source',
		{ x: 'a\n' },
		[move('x', 'y', '', 'copy'), edit('x')],
		'applies',
		'applies',
	),
	caseOf('a move, and a new file in its place', { x: 'a\n' }, move('x', 'y') + add('x'), 'applies, applies'),
	caseOf('a move, and a change of the old path', { x: 'a\n' }, [move('x', 'y'), edit('x')], 'applies', 'missing'),
	caseOf(
		'a file at the path of a folder that moves away',
		{ 'x/y': 'a\n' },
		add('x') + move('x/y', 'y'),
		'applies, applies',
	),
	caseOf('a file at the path of a folder', { 'x/y': 'a\n' }, add('x') + edit('x/y'), 'notFile, applies'),
	caseOf(
		'a file at the path of a folder with a remaining file',
		{ 'x/y': 'a\n', 'x/z': 'a\n' },
		add('x') + remove('x/y'),
		'notFile, applies',
	),
	caseOf(
		'a file at the path of a removed folder, beside a similar name',
		{},
		[add('x/y') + add('xy'), remove('x/y', '@@ -1 +0,0 @@\n-b\n') + add('x')],
		'applies, applies',
		'applies, applies',
	),
	caseOf('a file below a file', { x: 'a\n' }, add('x/y'), 'notFile'),
	caseOf(
		'files beside one that conflicts',
		{ x: 'c\n', y: 'a\n' },
		[remove('x'), remove('y'), add('z'), add('x')],
		'leavesText',
		'applies',
		'applies',
		'afterConflict',
	),
];

suite('series on a tree', () => {
	let git: ReturnType<typeof byGit> = [];
	suiteSetup(() => {
		git = byGit(cases);
	});

	for (const [at, { name, files, patches, verdicts }] of cases.entries()) {
		test(`gives git’s verdict: ${name}: ${verdicts.join('; ')}`, async () => {
			const found = await tried(patches, treeOf(files));
			assert.deepEqual(found.verdicts, verdicts);
			const all = verdicts.flatMap((each) => each.split(', '));
			if (all.every((each) => each === 'there')) {
				assert.deepEqual(found.after, entriesOf(new Map(placesIn(treeOf(files)))));
				assert.deepEqual(git[at] ?? found.after, found.after);
			} else {
				assert.deepEqual(git[at], all.every((each) => each.startsWith('applies')) ? found.after : undefined);
			}
		});
	}

	for (const { name, files, patches, verdicts } of stricter) {
		test(`is stricter than git: ${name}: ${verdicts.join('; ')}`, async () => {
			assert.deepEqual((await tried(patches, treeOf(files))).verdicts, verdicts);
		});
	}

	test('keeps an unknown mode unless the diff states one', async () => {
		const modeAfter = async (diffText: string): Promise<FileThere | undefined> => {
			const parts = { patches: [{ diff: parseDiff(diffText), diffText }], turn: async () => undefined };
			const read = async (): Promise<FileThere> => ({ kind: 'file', content: Buffer.from('a\n') });
			return (await trySeries({ ...parts, read, isCommitted: () => false }, never)).after.get('x');
		};
		const content = Buffer.from('b\n');
		assert.deepEqual(await modeAfter(edit('x')), { kind: 'file', content });
		assert.deepEqual(await modeAfter(edit('x', change, index('100755'))), { kind: 'file', content, mode: '100755' });
	});

	test('reads each file once and gives each patch the verdict of all its files', async () => {
		const reads: string[] = [];
		const tree = treeOf({ x: 'a\n', y: 'b\n' });
		const read = async (path: string): Promise<FileThere> => {
			reads.push(path);
			return thereIn(tree, path);
		};
		const patches = ['prose', edit('x') + add('y'), add('y'), edit('y', '@@ -1 +1 @@\n-c\n+d\n') + add('z')];
		const { verdicts } = await trySeries(
			{
				patches: patches.map((diffText) => ({ diff: parseDiff(diffText), diffText })),
				read,
				isCommitted: () => false,
				turn: async () => undefined,
			},
			never,
		);
		assert.deepEqual(
			verdicts.map(({ kind }) => kind),
			['empty', 'applies', 'alreadyApplied', 'conflicts'],
		);
		assert.deepEqual(reads, ['x', 'y', 'z']);
	});

	test('refuses an oversized diff', async () => {
		const large = `+${'x'.repeat(2 * 1024 * 1024)}\n`;
		const { verdicts } = await tried([edit('x', `@@ -1 +1,2 @@\n a\n${large}`)], treeOf({ x: 'a\n' }));
		assert.deepEqual(verdicts, ['tooLarge']);
	});
});
