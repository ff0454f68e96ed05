import assert from 'node:assert/strict';
import type { FileDiff } from '../../src/patch/fileDiff.ts';
import { parseDiff } from '../../src/patch/parseDiff.ts';
import { createRandom, type Random } from '../../../../test/support/random.ts';
import { counts, seed } from '../../../../test/support/counts.ts';
import { runCases } from '../../../../test/support/shellCases.ts';

const hunk = '@@ -1 +1 @@\n-x\n+y\n';
const names = '--- a/src/x\n+++ b/src/x\n';

/** Results of `git apply`: rows of `--numstat` and lines of `--summary`; `undefined` if it refuses. */
function asGit(texts: readonly string[]): readonly (readonly string[] | undefined)[] {
	const results = runCases(
		'git apply --numstat --summary diff',
		texts.map((diff) => ({ diff })),
	);
	return results.map(({ status, stdout }) => {
		const lines = stdout
			.toString()
			.split('\n')
			.filter((line) => line !== '' && !/^ (?:rename|copy|rewrite) /.test(line));
		// Git adds the name only if it reports nothing else about the file.
		return status === 0 ? lines.map((line) => line.replace(/^( mode change \d+ => \d+).*$/, '$1')) : undefined;
	});
}

/** The same results from our reading; `undefined` if it finds damage. */
function asOurs(text: string): readonly string[] | undefined {
	const { files } = parseDiff(text);
	// Without --check, git accepts a header without a change.
	const isSound = files.length > 0 && files.every(({ damage }) => damage.every(({ kind }) => kind === 'onlyHeader'));
	const rows = files.map(({ added, removed, newPath, oldPath }) => `${added}\t${removed}\t${newPath ?? oldPath}`);
	return isSound ? [...rows, ...files.flatMap(modeLines)] : undefined;
}

function modeLines({ change, oldPath, newPath, oldMode, newMode }: FileDiff): readonly string[] {
	if (change === 'added' || change === 'deleted') {
		return change === 'added' ? [` create mode ${newMode} ${newPath}`] : [` delete mode ${oldMode} ${oldPath}`];
	}
	const isChanged = oldMode !== undefined && newMode !== undefined && oldMode !== newMode;
	return isChanged ? [` mode change ${oldMode} => ${newMode}`] : [];
}

function onlyFile(text: string): FileDiff {
	const { files } = parseDiff(text);
	assert.equal(files.length, 1);
	return files[0]!;
}

const newMode = 'old mode 100644\nnew mode 100755\n';

interface Case {
	readonly name: string;
	readonly text: string;
	/** The expected rows, unless git refuses the diff. */
	readonly read?: readonly string[];
}

const cases: readonly Case[] = [
	{
		name: 'names without a folder',
		text: `diff --git a/src/x b/src/x\n--- README\n+++ README\nindex 1234567..89abcde 100644\n${names}${hunk}`,
		read: ['1\t1\tsrc/x'],
	},
	{
		name: 'a new file with contradictory names',
		text: `diff --git a/src/x b/src/x\nnew file mode 100755\n+++ README\n`,
	},
	{
		name: 'a deleted file with contradictory names',
		text: 'diff --git a/src/x b/src/x\ndeleted file mode 100644\n--- README\n--- a/src/x\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n',
	},
	{ name: 'a file that is missing and then named', text: `diff --git a/src/x b/src/x\n--- /dev/null\n${names}${hunk}` },
	{ name: 'two names for one side', text: `diff --git a/src/x b/src/x\n--- a/src/y\n${names}${hunk}` },
	{ name: 'a rename of another file', text: `diff --git a/src/x b/src/x\nrename from src/y\n${names}${hunk}` },
	{
		name: 'a file both new and deleted',
		text: 'diff --git a/x b/x\nnew file mode 100644\ndeleted file mode 100644\n',
	},
	{
		name: 'a mode behind two blanks',
		text: 'diff --git a/s b/s\nnew file mode  120000\nindex 0000000..1234567\n',
		read: ['0\t0\ts', ' create mode 120000 s'],
	},
	{
		name: 'a mode behind a tab',
		text: 'diff --git a/s b/s\nold mode 100644\nnew mode \t100755\n',
		read: ['0\t0\ts', ' mode change 100644 => 100755'],
	},
	{
		name: 'a mode of seven digits',
		text: 'diff --git a/s b/s\nold mode 100644\nnew mode 0100755\n',
		read: ['0\t0\ts', ' mode change 100644 => 100755'],
	},
	{
		name: 'the last of two modes',
		text: 'diff --git a/s b/s\nold mode 100644\nnew mode 100644\nnew mode 100755 really\n',
		read: ['0\t0\ts', ' mode change 100644 => 100755'],
	},
	{ name: 'a mode that is none', text: 'diff --git a/s b/s\nnew file mode 120000x\n' },
	{ name: 'a mode that is left out', text: 'diff --git a/s b/s\nold mode 100644\nnew mode \n' },
	{ name: 'a mode of an index that is none', text: `diff --git a/src/x b/src/x\nindex 1..2 10x\n${names}${hunk}` },
	...[
		'README,README',
		'x xx',
		'x y',
		'a/x c',
		'a/x,b/x',
		'/x /x',
		'a/xy"b/x"',
		'a/x "b/x',
		'a/x "b/y"',
		'"a/x" "b/y"',
		'"/x" "/x"',
		' ',
	].map((names) => ({ name: `a change of the mode of ${names}`, text: `diff --git ${names}\n${newMode}` })),
	...['a/x\tb/x', '"a/x" "b/x"', 'a/x "b/x"', '"a/x"\t"b/x"'].map((names) => ({
		name: `a change of the mode of ${names}`,
		text: `diff --git ${names}\n${newMode}`,
		read: ['0\t0\tx', ' mode change 100644 => 100755'],
	})),
	{
		name: 'a lone header with quoted names',
		text: `diff --git a/src/x b/src/x\n${names}${hunk}diff --git "a/y" "b/y"\nprose\n`,
		read: ['1\t1\tsrc/x'],
	},
	{ name: 'a header with a new name alone', text: `diff --git a/src/x b/src/x\n+++ b/src/x\n${hunk}` },
	{ name: 'a header with an old name alone', text: `diff --git a/src/x b/src/x\n--- a/src/x\n${hunk}` },
	{
		name: 'a deleted file',
		text: 'diff --git a/x b/x\ndeleted file mode 100644\n--- a/x\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n',
		read: ['0\t1\tx', ' delete mode 100644 x'],
	},
	{
		name: 'a deleted file with a new mode',
		text: 'diff --git a/x b/x\nnew mode 100644\ndeleted file mode 100644\n--- a/x\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n',
		read: ['0\t1\tx', ' delete mode 100644 x'],
	},
	{ name: 'a deleted file with a mode that is none', text: 'diff --git a/x b/x\ndeleted file mode 10x\n' },
	{
		name: 'a deleted file with no old side',
		text: `diff --git a/x b/x\n--- a/x\nnew file mode 100644\n--- /dev/null\n+++ b/x\n@@ -0,0 +1 @@\n+y\n`,
	},
	{
		name: 'a file both new and renamed',
		text: 'diff --git a/x b/y\nnew file mode 100644\nrename from x\nrename to y\n',
	},
	...[
		'dissimilarity index 80%',
		'similarity index x',
		'index x',
		'index 1.2',
		'index 1.2 10x',
		'index 1..2',
		'index 1..2 0',
		`index 1..${'2'.repeat(41)} 00:00`,
		'index 1..2 0000 x',
		'old mode 0',
		'new mode 000',
		'index x..y',
	].map((line) => ({
		name: `the line ${line}`,
		text: `diff --git a/src/x b/src/x\n${line}\n${names}${hunk}`,
		read: ['1\t1\tsrc/x'],
	})),
	...['\v100755', '+100755', '100755 or so'].map((mode) => ({
		name: `a new file with the mode ${JSON.stringify(mode)}`,
		text: `diff --git a/x b/x\nnew file mode ${mode}\n`,
		read: ['0\t0\tx', ' create mode 100755 x'],
	})),
	...['x 100644', '8'].map((mode) => ({
		name: `a new file with the mode ${mode}`,
		text: `diff --git a/x b/x\nnew file mode ${mode}\n`,
	})),
];

const headerLines = [
	['index 1234567..89abcde', 'index 1234567..89abcde 100644', 'index 1..2  100755', 'index x'],
	['--- a/src/x', '--- a/src/x', '+++ b/src/x', '+++ b/src/x', '--- a/y', '+++ b/y', '--- README', '+++ README'],
	['--- /dev/null', '+++ /dev/null', '--- "a/src/x"', '+++ b/src/x\t2020', '--- a/', '+++ /src/x'],
	['old mode 100644', 'new mode 100755', 'new mode  100755', 'old mode 0100644', 'new mode 100755x'],
	['new file mode 100644', 'new file mode  120000', 'deleted file mode 100644', 'deleted file mode 0100644'],
	['rename from src/x', 'rename to src/y', 'copy from src/x', 'copy to src/z', 'similarity index 90%'],
].flat();

const firstLines = ['diff --git a/src/x b/src/x', 'diff --git a/src/x b/src/x', 'diff --git a/src/x b/y'] as const;

function oddHeader(random: Random): string {
	const count = 1 + random.below(6);
	const lines = Array.from({ length: count }, () => headerLines[random.below(headerLines.length)] ?? '');
	const head = [random.pick<string>(firstLines), ...lines];
	const has = (start: string): boolean => lines.some((line) => line.startsWith(start));
	const [isNew, isDeleted] = [has('new file'), has('deleted')];
	const body = random.chance(50) ? '' : isNew ? '@@ -0,0 +1 @@\n+y\n' : isDeleted ? '@@ -1 +0,0 @@\n-x\n' : hunk;
	return `${head.join('\n')}\n${body}`;
}

/**
 * Lines that git refuses only in the next step: no file is called `dev/null`, and a named side cannot become missing
 * later.
 */
function isRefusedLater(text: string): boolean {
	return [
		{ said: '\nnew file mode ', start: '--- ' },
		{ said: '\ndeleted file mode ', start: '+++ ' },
	].some(({ said, start }) => {
		const [before = '', ...behind] = text.split(said);
		const named = before.split('\n').filter((line) => line.startsWith(start) && /\/./.test(line));
		return named.some((line) => behind.length > 0 || line === `${start}/dev/null`);
	});
}

suite('git headers', function () {
	this.timeout(600_000);

	let casesAsGit: ReturnType<typeof asGit> = [];
	suiteSetup(() => {
		casesAsGit = asGit(cases.map(({ text }) => text));
	});

	for (const [at, { name, text, read }] of cases.entries()) {
		test(`${name}: ${read === undefined ? 'damaged, and git refuses it' : 'read as git reads it'}`, () => {
			assert.deepEqual(casesAsGit[at], read);
			assert.deepEqual(asOurs(text), read);
		});
	}

	test('odd lines in any order give git’s result', () => {
		const random = createRandom(seed() + 7);
		let [read, refused] = [0, 0];
		const texts = Array.from({ length: counts({ least: 150, small: 150, full: 6000 }) }, () => oddHeader(random));
		const all = asGit(texts);
		for (const [at, text] of texts.entries()) {
			const git = all[at];
			assert.deepEqual(asOurs(text), isRefusedLater(text) ? undefined : git, text);
			read += git === undefined ? 0 : 1;
			refused += git === undefined ? 1 : 0;
		}
		assert.ok(read > 20 && refused > 20, `${read} ${refused}`);
	});

	test('a contradictory name is damage at its line and does not replace the first name', () => {
		const text = 'diff --git a/src/x b/src/x\nnew file mode 100644\n+++ README\n';
		const { newPath, damage } = onlyFile(text);
		assert.equal(newPath, 'src/x');
		assert.deepEqual(damage, [{ kind: 'badHeader', at: text.indexOf('+++') }]);
	});

	test('/dev/null on the old side makes an undeclared file new and damaged', () => {
		const { change, newPath, damage } = onlyFile('diff --git a/x b/x\n--- /dev/null\n+++ b/x\n@@ -0,0 +1 @@\n+y\n');
		assert.deepEqual([change, newPath, damage], ['added', 'x', [{ kind: 'devNull', at: 0 }]]);
	});

	test('the first of several contradictions is damage', () => {
		const text = 'diff --git a/x b/x\nold mode 10x\nnew mode 10x\n';
		assert.deepEqual(onlyFile(text).damage, [{ kind: 'badHeader', at: text.indexOf('old mode') }]);
	});

	test('/dev/null on the new side deletes an undeclared file and is damage', () => {
		const { change, oldPath, damage } = onlyFile(`diff --git a/x b/y\n--- a/x\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n`);
		assert.deepEqual([change, oldPath, damage], ['deleted', 'x', [{ kind: 'devNull', at: 0 }]]);
		const fresh = onlyFile('diff --git a/x b/y\n--- /dev/null\n+++ b/y\n@@ -0,0 +1 @@\n+y\n');
		assert.deepEqual([fresh.change, fresh.newPath], ['added', 'y']);
		const moved = onlyFile('diff --git a/x b/y\nrename from x\n+++ /dev/null\n');
		assert.deepEqual([moved.change, moved.oldPath], ['renamed', 'x']);
		assert.equal(onlyFile('diff --git a/x b/y\n--- /dev/null\n').newPath, 'dev/null');
	});

	test('modes and ids come as stated, for existing sides only', () => {
		const told = (lines: string): readonly unknown[] => {
			const { oldMode, newMode, oldId, newId } = onlyFile(`diff --git a/x b/x\n${lines}\n`);
			return [oldMode, newMode, oldId, newId];
		};
		const long = 'a'.repeat(64);
		assert.deepEqual(
			[
				'deleted file mode 100644',
				'old mode 100644\nnew file mode 100755',
				`index 12..${long} 100755`,
				`index 12..${long}a`,
				'index 12..x3',
				'index 12..3x',
				'index ..3',
			].map(told),
			[
				['100644', undefined, undefined, undefined],
				[undefined, '100755', undefined, undefined],
				['100755', '100755', '12', long],
				...Array.from({ length: 4 }, () => Array.from({ length: 4 })),
			],
		);
	});

	test('an invalid mode is damage at its line', () => {
		const text = 'diff --git a/s b/s\nold mode 100644\nnew mode 200000000000120000\n';
		assert.deepEqual(onlyFile(text).damage, [{ kind: 'badHeader', at: text.indexOf('new mode') }]);
	});

	test('the similarity of a rename is at most 100 percent', () => {
		const likeness = (percent: string): number | undefined =>
			onlyFile(`diff --git a/o b/n\nsimilarity index ${percent}%\nrename from o\nrename to n\n`).similarity;
		assert.deepEqual(
			[likeness('0'), likeness('87'), likeness('100'), likeness('101'), likeness('x9')],
			[0, 87, 100, undefined, undefined],
		);
	});

	test('a rename keeps a tab in its name', () => {
		const { newPath } = onlyFile('diff --git a/x b/y\nrename from x\nrename to y\tz\n');
		assert.equal(newPath, 'y\tz');
	});
});
