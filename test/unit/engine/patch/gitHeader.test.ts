import assert from 'node:assert/strict';
import type { FileDiff } from '../../../../src/engine/patch/fileDiff.ts';
import { parseDiff } from '../../../../src/engine/patch/parseDiff.ts';
import { createRandom, type Random } from '../../../support/sampleForge/worlds/random.ts';
import { counts, seed } from '../../../support/counts.ts';
import { runCases } from '../../../support/shellCases.ts';

const hunk = '@@ -1 +1 @@\n-x\n+y\n';
const names = '--- a/src/x\n+++ b/src/x\n';

/** What `git apply` would do with each, as rows of `--numstat` and lines of `--summary`; `undefined` when it refuses. */
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
		// The name stands behind only where nothing else is told of the file.
		return status === 0 ? lines.map((line) => line.replace(/^( mode change \d+ => \d+).*$/, '$1')) : undefined;
	});
}

/** The same of what we read; `undefined` when something is wrong with it. */
function asOurs(text: string): readonly string[] | undefined {
	const { files } = parseDiff(text);
	// Without --check, git takes a header without a change.
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

interface Case {
	readonly name: string;
	readonly text: string;
	/** What is read, where it is not refused. */
	readonly read?: readonly string[];
}

const cases: readonly Case[] = [
	{
		name: 'names without a folder are passed over',
		text: `diff --git a/src/x b/src/x\n--- README\n+++ README\nindex 1234567..89abcde 100644\n${names}${hunk}`,
		read: ['1\t1\tsrc/x'],
	},
	{
		name: 'a new file that is named otherwise',
		text: `diff --git a/src/x b/src/x\nnew file mode 100755\n+++ README\n`,
	},
	{
		name: 'a deleted file that is named otherwise',
		text: 'diff --git a/src/x b/src/x\ndeleted file mode 100644\n--- README\n--- a/src/x\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n',
	},
	{ name: 'a file that is missing and then named', text: `diff --git a/src/x b/src/x\n--- /dev/null\n${names}${hunk}` },
	{ name: 'two names for one side', text: `diff --git a/src/x b/src/x\n--- a/src/y\n${names}${hunk}` },
	{ name: 'a rename of another file', text: `diff --git a/src/x b/src/x\nrename from src/y\n${names}${hunk}` },
	{
		name: 'a new file that is deleted, too',
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
 * Lines that git refuses only in the next step: there is no file called `dev/null`, and a side that was named before it is
 * said not to be there is none.
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

suite('headers of git', function () {
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

	test('of odd lines in any order are read or refused as git does', () => {
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

	test('a name that contradicts another is damage at its line, and does not take its place', () => {
		const text = 'diff --git a/src/x b/src/x\nnew file mode 100644\n+++ README\n';
		const { newPath, damage } = onlyFile(text);
		assert.equal(newPath, 'src/x');
		assert.deepEqual(damage, [{ kind: 'badHeader', at: text.indexOf('+++') }]);
	});

	test('nothing on one side of a file that is not said to be new makes it new, and is damage', () => {
		const { change, newPath, damage } = onlyFile('diff --git a/x b/x\n--- /dev/null\n+++ b/x\n@@ -0,0 +1 @@\n+y\n');
		assert.deepEqual([change, newPath, damage], ['added', 'x', [{ kind: 'devNull', at: 0 }]]);
	});

	test('a mode that cannot be read is damage at its line', () => {
		const text = 'diff --git a/s b/s\nold mode 100644\nnew mode 200000000000120000\n';
		assert.deepEqual(onlyFile(text).damage, [{ kind: 'badHeader', at: text.indexOf('new mode') }]);
	});

	test('the similarity of a rename is read up to 100 percent', () => {
		const likeness = (percent: string): number | undefined =>
			onlyFile(`diff --git a/o b/n\nsimilarity index ${percent}%\nrename from o\nrename to n\n`).similarity;
		assert.deepEqual([likeness('0'), likeness('87'), likeness('100'), likeness('101')], [0, 87, 100, undefined]);
	});

	test('a name of a rename goes on behind a tab', () => {
		const { newPath } = onlyFile('diff --git a/x b/y\nrename from x\nrename to y\tz\n');
		assert.equal(newPath, 'y\tz');
	});
});
