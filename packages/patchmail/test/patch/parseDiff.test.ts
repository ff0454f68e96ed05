import assert from 'node:assert/strict';
import type { FileDiff } from '../../src/patch/fileDiff.ts';
import { hunkLines } from '../../src/patch/hunkLines.ts';
import { parseDiff } from '../../src/patch/parseDiff.ts';
import { runCases } from '../../../../test/support/shellCases.ts';
import { tortureDiffs } from '../support/tortureDiffs.ts';

function told({ change, oldPath, newPath, content, added, removed, damage }: FileDiff): string {
	const numbers = content.kind === 'text' ? `+${added} -${removed}` : content.kind;
	return [`${change} ${oldPath ?? '-'} > ${newPath ?? '-'} ${numbers}`, ...damage.map(({ kind }) => kind)].join(' ');
}

function numbersOf({ oldPath, newPath, content, added, removed }: FileDiff): string {
	return `${content.kind === 'binary' ? '-\t-' : `${added}\t${removed}`}\t${newPath ?? oldPath}`;
}

/** Rows of `git apply --numstat` for each text; `undefined` if it refuses. */
function asGit(texts: readonly string[]): readonly (readonly string[] | undefined)[] {
	const cases = texts.map((diff) => ({ diff }));
	return runCases('git apply --numstat -z diff 2>words', cases).map(({ status, stdout, file }) => {
		const words = file('words')?.toString() ?? '';
		if (status === 0) {
			return stdout.toString().split('\0').slice(0, -1);
		}
		// Git refuses mere prose in these words, the second before git 2.35.
		return /^error: (?:No valid patches|unrecognized input$)/m.test(words) && !words.includes('corrupt')
			? []
			: undefined;
	});
}

const header = 'diff --git a/x b/x\nindex 1111111..2222222 100644\n--- a/x\n+++ b/x\n';

function onlyFile(text: string): FileDiff {
	const { files } = parseDiff(text);
	assert.equal(files.length, 1);
	return files[0]!;
}

function linesOf(text: string): readonly string[] {
	const { content } = onlyFile(text);
	assert.equal(content.kind, 'text');
	const hunks = content.kind === 'text' ? content.hunks : [];
	return hunks.flatMap((hunk) =>
		[...hunkLines(text, hunk)].map(({ kind, text: line, hasLineEnd }) => `${kind} ${line}${hasLineEnd ? '$' : ''}`),
	);
}

suite('parseDiff', () => {
	let readByGit: ReturnType<typeof asGit> = [];
	suiteSetup(() => {
		readByGit = asGit(tortureDiffs.map(({ text }) => text));
	});

	for (const [at, { name, text, files, gitDiffers }] of tortureDiffs.entries()) {
		test(`${name}: ${gitDiffers === undefined ? 'as git reads it' : `git differs, for ${gitDiffers}`}`, () => {
			const parsed = parseDiff(text);
			assert.deepEqual(parsed.files.map(told), files);
			const git = readByGit[at];
			if (gitDiffers === undefined) {
				assert.deepEqual(parsed.files.map(numbersOf), git);
			} else {
				assert.notDeepEqual(parsed.files.map(numbersOf), git);
			}
		});
	}

	test('reads modes, similarity and object ids', () => {
		const text =
			'diff --git a/o b/n\nold mode 100644\nnew mode 100755\nsimilarity index 87%\nrename from o\nrename to n\nindex 0123abc..4567def\n--- a/o\n+++ b/n\n@@ -1 +1 @@\n-a\n+b\n';
		const { oldMode, newMode, similarity, oldId, newId } = onlyFile(text);
		assert.deepEqual([oldMode, newMode, similarity, oldId, newId], ['100644', '100755', 87, '0123abc', '4567def']);
		const created = onlyFile('diff --git a/n b/n\nnew file mode 100755\nindex 0000000..1111111\n');
		assert.deepEqual([created.oldMode, created.newMode], [undefined, '100755']);
		const kept = onlyFile(`${header}@@ -1 +1 @@\n-a\n+b\n`);
		assert.deepEqual([kept.oldMode, kept.newMode, kept.similarity], ['100644', '100644', undefined]);
	});

	test('reports the position of each diff and hunk', () => {
		const one = `${header}@@ -1 +1 @@ f()\n-a\n+b\n`;
		const text = `Hi\n\n${one}\nprose\n${one}-- \nme\n`;
		const { files, start, end, added, removed } = parseDiff(text);
		assert.deepEqual([start, end, added, removed], [4, text.lastIndexOf('-- \n'), 2, 2]);
		assert.deepEqual(
			files.map((file) => text.slice(file.start, file.end)),
			[one, one],
		);
		const { content } = files[1]!;
		assert.ok(content.kind === 'text');
		const [hunk] = content.hunks;
		assert.equal(hunk?.section, 'f()');
		assert.equal(text.slice(hunk.start, hunk.end), '-a\n+b\n');
		const none = parseDiff('prose');
		assert.deepEqual([none.start, none.end], [5, 5]);
	});

	test('reports the position of damage', () => {
		const text = `${header}@@ -1,3 +1,3 @@\n a line that was\nbroken\n-one\n+two\n`;
		const { damage } = onlyFile(text);
		assert.deepEqual(damage, [
			{ kind: 'wrappedLine', at: text.indexOf('broken') },
			{ kind: 'cutShort', at: text.length },
		]);
	});

	test('ends a merge by its counts and returns it whole', () => {
		const merge =
			'diff --combined "a \\"b\\""\nindex 1,2..3\nmode 100644,100644..100755\n--- "a/a \\"b\\""\n+++ "b/a \\"b\\""\n@@@ -1,2 -1,2 +1,3 @@@ f()\n  a\n++--- a/z\n  \n@@@ -9 -9 +10 @@@\n- x\n -y\n++z\n';
		const text = `${merge}-- \nme\n`;
		const file = onlyFile(text);
		assert.equal(text.slice(file.start, file.end), merge);
		assert.equal(file.newPath, 'a "b"');
	});

	test('names a merge without names in its header by its first line', () => {
		for (const [header, change] of [
			['--- \n+++ \n', 'modified'],
			['--- \n+++ /dev/null\n', 'deleted'],
			['--- /dev/null\n+++ /dev/null\n', 'modified'],
		] as const) {
			const file = onlyFile(`diff --cc x\nindex 1,2..3\n${header}`);
			assert.deepEqual(
				[file.change, file.oldPath, file.newPath],
				[change, 'x', change === 'deleted' ? undefined : 'x'],
				header,
			);
		}
	});

	test('yields lines one by one, with and without line ends', () => {
		assert.deepEqual(linesOf(`${header}@@ -1,3 +1,3 @@\n a\n\n-b\n\\ No newline at end of file\n+c\r\n`), [
			'context a$',
			'context $',
			'removed b',
			'added c\r$',
		]);
	});

	test('drops CRs that the transport added and keeps those of the content', () => {
		const lf = `${header}@@ -1,2 +1,2 @@\n\n-b\n+c\n`;
		assert.deepEqual(linesOf(lf.replaceAll('\n', '\r\n')), ['context $', 'removed b$', 'added c$']);
		assert.deepEqual(linesOf(`${header}@@ -1,2 +1,2 @@\n\r\n-b\r\n+c\r\n`), [
			'context \r$',
			'removed b\r$',
			'added c\r$',
		]);
	});

	test('continues a wrapped line as a line of the same kind', () => {
		assert.deepEqual(linesOf(`${header}@@ -1,2 +1,3 @@\n a\n-b\n+long\nline\n+c\n`), [
			'context a$',
			'removed b$',
			'added long$',
			'added line$',
			'added c$',
		]);
	});

	test('reads a header with folders only, behind a tab, or without a name', () => {
		const header = (names: string): string => `diff --git ${names}\nold mode 100644\nnew mode 100755\n`;
		const hunk = '--- a/z\n+++ b/z\n@@ -1 +1 @@\n-a\n+b\n';
		const told = (text: string): readonly unknown[] =>
			parseDiff(text).files.map(({ newPath, damage }) => [newPath, damage.map(({ kind }) => kind)]);
		assert.deepEqual(told(header('a/x\t"b/x"')), [['x', []]]);
		assert.deepEqual(told(header('a/x"b/x"')), []);
		assert.deepEqual(told(`diff --git a/ b/\nprose\n${hunk}`), [['z', ['namelessHeader']]]);
		assert.deepEqual(told('--- \n+++ \n@@ -1 +1 @@\n-a\n+b\n'), []);
		assert.deepEqual(told('--- a/\n+++ b/\n@@ -1 +1 @@\n-a\n+b\n'), [['b/', ['unsafePath']]]);
	});

	test('finds a merge by its name, including missing sides and missing line ends', () => {
		const merge = (name: string, sides: string): string =>
			`diff --cc ${name}\nindex 1,2..3\n${sides}@@@ -1 -1 +1 @@@\n- a\n -b\n++c\n\\ No newline at end of file\nprose\n`;
		const told = (text: string): readonly unknown[] =>
			parseDiff(text).files.map(({ change, newPath, start, end }) => [
				change,
				newPath,
				text.slice(start, end).split('\n').at(-2),
			]);
		assert.deepEqual(told(merge('x', '')), [['modified', 'x', '\\ No newline at end of file']]);
		assert.deepEqual(told(merge('x', '--- /dev/null\n+++ b/x\n')), [['added', 'x', '\\ No newline at end of file']]);
		assert.deepEqual(told(merge('', '')), []);
	});

	test('ends a merge at the first line against its counts', () => {
		const rest = (lines: string): string => {
			const text = `diff --cc x\nindex 1,2..3\n${lines}`;
			const [file] = parseDiff(text).files;
			return text.slice(file?.end);
		};
		assert.equal(rest('@@@ -1 -1 -1 +1 @@@\n- a\n'), '- a\n');
		assert.equal(rest('@@@ -1,2 -1,2 +1,2 @@@\n- a\nprose\n'), 'prose\n');
		assert.equal(rest('@@@ -1,2 -1,2 +1,2 @@@\n\n  b\nprose\n'), 'prose\n');
		const lines = Array.from({ length: 12 }, () => '  x\n').join('');
		for (const [hunk, behind] of [
			[`@@@ -10,12 -10,12 +10,12 @@@\n${lines}`, '  x\n'],
			['@@@ -1,2 -1 +1 @@@\n- a\n  b\n', '  c\n'],
			['@@@ -1 -1,2 +1 @@@\n -a\n  b\n', ' -c\n'],
			['@@@ -1 -1 +0,0 @@@\n--a\n', '--b\n'],
			['@@@ -0,0 -0,0 +1,2 @@@\n++a\n++b\n', '++c\n'],
			['@@@ -1 -1 +2,2 @@@\n  a\n++b\n', '++c\n'],
			['@@@@ -1 -1 -1 +1 @@@@\n   a\n', '   b\n'],
			['@@@ -1 -1 +1 @@@\n  a\n  \\ No newline at end of file\n', '  b\n'],
			['@@@ -1,2 -1,2 +1,2 @@@\n  a\n\r\n', '  b\n'],
			['@@@ -1 -1 +1 @@\n', '  a\n'],
			['@@@ -1,2 -1,2 +1,2 @@@\n  a\n', 'x \n'],
			['@@@ -1,2 -1,2 +1,2 @@@\n  a\n', ' x\n'],
			['@@@ -1,2 -1,2 +1,2 @@@\n  a\n', ''],
		] as const) {
			assert.equal(rest(`${hunk}${behind}`), behind, hunk);
		}
	});

	test('treats the Unix epoch as a missing file, as git does', () => {
		const times = [
			'1970-01-01 00:00:00 +0000',
			'1970-01-01 01:00:00.000 +01:00',
			'1969-12-31 19:00:00 -0500',
			'1970-01-01 00:00:00 +01:00',
			'1970-01-01 00:00:01 +0000',
			'1970-01-02 00:00:00 +0000',
			'1970-01-01 00:00:00.100 +0000',
			'1970-01-01 00:00:00.001 +0000',
			'1970-01-01 00:00:00',
		];
		const texts = times.map((time) => `--- a/x\t${time}\n+++ b/x\t2026-03-02 08:01:00.0 +0000\n@@ -1 +1 @@\n-a\n+b\n`);
		const changes = texts.map((text) => onlyFile(text).change);
		// Git refuses a new file that changes lines.
		const byGit = asGit(texts).map((rows) => (rows ? 'modified' : 'added'));
		assert.deepEqual(changes, byGit);
		assert.deepEqual(changes, [...Array<string>(3).fill('added'), ...Array<string>(6).fill('modified')]);
	});

	test('drops empty folders from a path', () => {
		assert.equal(onlyFile('--- a/x//y\n+++ b/x//y\n@@ -1 +1 @@\n-a\n+b\n').newPath, 'x/y');
	});

	test('reads names with prefixes if any have them', () => {
		const text = `${header}@@ -1 +1 @@\n-a\n+b\n${header.replaceAll(/[ab]\/x/g, 'src/y')}@@ -1 +1 @@\n-a\n+b\n`;
		const { isBare, files } = parseDiff(text);
		assert.deepEqual([isBare, files.map(({ newPath }) => newPath)], [false, ['x', 'y']]);
	});

	test('assumes prefixes for a merge and a lone hunk above a new file', () => {
		const sides = '--- /dev/null\n+++ b/x\n';
		for (const text of [
			`diff --cc b/x\n${sides}@@@ -0,0 -0,0 +1 @@@\n++a\n`,
			`diff -u\n@@ -1 +1 @@\n${sides}@@ -0,0 +1 @@\n+x\n`,
		]) {
			const { isBare, files } = parseDiff(text);
			assert.deepEqual([isBare, files.map(({ newPath }) => newPath)], [false, ['x']], text);
		}
	});

	test('joins separate hunks and a lone header with their file and reports them', () => {
		const apart = `${header}@@ -1 +1 @@\n-a\n+b\nprose\n@@ -9 +9 @@\n-c\n+d\n`;
		const lone = `diff --git a/y b/y\nprose\n${header}@@ -1 +1 @@\n-a\n+b\n`;
		const { files, start, end } = parseDiff(`Hi\n\n${lone}Bye\n`);
		const text = `${apart}Bye\n${lone}`;
		assert.deepEqual(
			parseDiff(text).files.map((file) => [text.slice(file.start, file.end), file.damage]),
			[
				[apart, [{ kind: 'hunkApart', at: text.indexOf('@@ -9') }]],
				[lone, [{ kind: 'loneHeader', at: text.indexOf('diff --git a/y') }]],
			],
		);
		assert.deepEqual([files[0]?.damage, start, end], [[{ kind: 'loneHeader', at: 4 }], 4, 4 + lone.length]);
	});
});
