import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hunkLines } from '../../src/patch/hunkLines.ts';
import { patchId } from '../../src/patch/patchId.ts';
import { parseDiff } from '../../src/patch/parseDiff.ts';
import { reversedPatchId } from '../../src/patch/reversedPatchId.ts';
import { createRandom } from '../../../../test/support/random.ts';
import { gitSince } from '../../../../test/support/gitSince.ts';
import { root } from '../../../../test/harness/places.ts';
import { counts, seed } from '../../../../test/support/counts.ts';
import { makeHistory } from '../../../../test/support/madeHistory.ts';
import { gitIn } from '../../../../test/support/patchMakerGit.ts';
import { runCases } from '../../../../test/support/shellCases.ts';

/**
 * The changes of a mail in no order: lines with numbers, moves, created and deleted files. `back` swaps the sides to
 * describe the reverted diff.
 */
function changes(mail: string, back: 'back' | undefined): string {
	const [came, went] = back ? ['-', '+'] : ['+', '-'];
	const found = parseDiff(mail).files.flatMap(({ oldPath, newPath, content }) => {
		const hunks = content.kind === 'text' ? content.hunks : [];
		const lines = hunks.flatMap((hunk) => {
			let [old, fresh] = [hunk.oldStart, hunk.newStart];
			return Array.from(hunkLines(mail, hunk)).flatMap(({ kind, text }): readonly string[] => {
				const [removed, added] = [kind === 'removed', kind === 'added'];
				const at = added ? fresh : old;
				[old, fresh] = [old + (added ? 0 : 1), fresh + (removed ? 0 : 1)];
				return removed || added ? [`${added ? came : went} ${at} ${text}`] : [];
			});
		});
		const [from, to] = back ? [newPath, oldPath] : [oldPath, newPath];
		return [`${from} -> ${to}`, ...lines];
	});
	return found.toSorted().join('\n');
}

const fileOf = (lines: string, header = '', name = 'x'): string =>
	`diff --git a/${name} b/${name}\n${header}--- a/${name}\n+++ b/${name}\n${lines}`;
const change = '@@ -1 +1 @@\n-a\n+b\n';
const mark = '\\ No newline at end of file\n';
const long = Array.from({ length: 12 }, (_, at) => ` ${at}\n`).join('');
const modes = 'diff --git a/m b/m\nold mode 100644\nnew mode 100755\n';
const created = 'diff --git a/n b/n\nnew file mode 100644\n--- /dev/null\n+++ b/n\n@@ -0,0 +1 @@\n+a\n';
const ids = (one: string, other: string): string => `index ${one}..${other} 100644\n`;
const binary = 'GIT binary patch\nliteral 3\nKcmYdfNCE%>hycU@\n\n';

const texts: readonly string[] = [
	fileOf(change),
	fileOf(`${change}${mark}`),
	fileOf(`@@ -1 +1 @@\n-a\n${mark}+b\n${mark}`),
	fileOf('@@ -1 +1 @@\n-a\n\\ no\n+b\n'),
	fileOf('@@ -1,2 +1,2 @@\n-a\n\\ 34567890\n+b\n c\n'),
	fileOf('@@ -1,2 +1,2 @@\n-a\n\\ 345678901\n+b\n c\n'),
	fileOf(`@@ -10,13 +10,14 @@ f()\n${long}-a\n+b\n+c\n@@ -100,13 +101,13 @@\n-a\n+b\n${long}`),
	fileOf(`${change}@@ -9 +9 @@\n-c\n+d\n`),
	`${fileOf(change)}-- \n2.39.5\n`,
	`${fileOf(change)}prose @@ -9 +9 @@\n-c\n+d\n`,
	fileOf(change) + fileOf(change, '', 'y'),
	fileOf(change, '', 'y') + fileOf(change),
	modes + fileOf(change),
	fileOf(change) + modes,
	created + modes,
	fileOf(change, ids('1234567', '89abcde')),
	fileOf(change, 'index odd\n'),
	fileOf('@@ -1 +1 @@\n-a  b\t\t c\n+  d  \n'),
	fileOf(change).replaceAll('\n', '\r\n'),
	`diff --git a/i b/i\n${ids('1234567', '89abcde')}${binary}${fileOf(change)}`,
	`diff --git a/i b/i\n${ids('1234567', '89abcde')}Binary files a/i and b/i differ\n`,
	// Git since 2.51 computes other ids for these outside repositories.
	...(gitSince('2.51')
		? []
		: [
				`diff --git a/i b/i\nBinary files a/i and b/i differ\n`,
				`diff --git a/i b/i\nindex odd\nBinary files a/i and b/i differ\n`,
			]),
	`diff --git a/i b/i\n${ids('1234567', '89abcde')}${binary}diff --git a/j b/j\n${ids('1111111', '2222222')}${binary}`,
	`diff --git a/x b/x\n  old mode 100644\n${fileOf(change)}`,
	`diff --git a/x b/x\n+prose\n${fileOf(change)}`,
	`-a\n+b\n${fileOf(change)}`,
];

const full = ['1'.repeat(40), '2'.repeat(40)] as const;
const typeChange = (oldMode: string, removed: string, newMode: string, added: string): string =>
	`diff --git a/x b/x\ndeleted file mode ${oldMode}\n--- a/x\n+++ /dev/null\n@@ -1 +0,0 @@\n${removed}\ndiff --git a/x b/x\nnew file mode ${newMode}\n--- /dev/null\n+++ b/x\n@@ -0,0 +1 @@\n${added}\n`;

/** Diffs and their reverses. */
const mirrored: readonly (readonly [text: string, reverse: string])[] = [
	[fileOf(change), fileOf('@@ -1 +1 @@\n-b\n+a\n')],
	[created, 'diff --git a/n b/n\ndeleted file mode 100644\n--- a/n\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n'],
	[`diff --git a/i b/i\n${ids(full[0], full[1])}${binary}`, `diff --git a/i b/i\n${ids(full[1], full[0])}${binary}`],
	[
		`diff --git a/o b/n\nsimilarity index 90%\nrename from o\nrename to n\n${ids('1234567', '89abcde')}--- a/o\n+++ b/n\n${change}`,
		`diff --git a/n b/o\nsimilarity index 90%\nrename from n\nrename to o\n${ids('89abcde', '1234567')}--- a/n\n+++ b/o\n@@ -1 +1 @@\n-b\n+a\n`,
	],
	[
		`diff --git "a/\\303\\274" b/n\nsimilarity index 100%\nrename from "\\303\\274"\nrename to n\n`,
		`diff --git a/n "b/\\303\\274"\nsimilarity index 100%\nrename from n\nrename to "\\303\\274"\n`,
	],
	[
		fileOf(change).replaceAll(/([ab])\/x/g, '"$1/b/\\303\\274"'),
		fileOf('@@ -1 +1 @@\n-b\n+a\n').replaceAll(/([ab])\/x/g, '"$1/b/\\303\\274"'),
	],
	// Git hashes a file without lines together with the next one.
	[
		modes + fileOf(change, '', 'y') + fileOf(change),
		'diff --git a/m b/m\nold mode 100755\nnew mode 100644\n' +
			fileOf('@@ -1 +1 @@\n-b\n+a\n') +
			fileOf('@@ -1 +1 @@\n-b\n+a\n', '', 'y'),
	],
	// A file becomes a link.
	[typeChange('100644', '-a', '120000', '+b'), typeChange('120000', '-b', '100644', '+a')],
];

function gitIds(all: readonly string[]): readonly string[] {
	const cases = all.map((diff) => ({ diff }));
	return runCases('git patch-id --stable <diff', cases).map(({ stdout }) => stdout.toString().slice(0, 40));
}

/** Git before 2.39 computes other ids for binary files and modes. */
const testBesideGit: (title: string, run: () => void) => void = gitSince('2.39') ? test : () => undefined;

suite('patch id', function () {
	this.timeout(120_000);
	const folder = mkdtempSync(join(tmpdir(), 'patch-id-'));
	suiteTeardown(() => rmSync(folder, { recursive: true, force: true }));

	function check(repository: string, most: number, options: readonly string[]): number {
		const args = ['log', '--no-merges', '-p', '--full-index', '--all', `-n${most}`, '--format=email', ...options];
		const mails = gitIn(repository, args);
		const told = gitIn(repository, ['patch-id', '--stable'], mails).toString().trim().split('\n');
		const ids = mails
			.toString()
			.split(/^(?=From [0-9a-f]{40} )/m)
			.map((mail) => [patchId(mail, Math.max(0, mail.search(/^diff /m))), mail.slice(5, 45)])
			.filter(([id]) => id !== undefined)
			.map((each) => each.join(' '));
		assert.deepEqual(ids, told);
		return ids.length;
	}

	testBesideGit('matches git patch-id for texts of any form', () => {
		const told = gitIds(texts);
		assert.deepEqual(
			texts.map((text) => patchId(text) ?? ''),
			told,
		);
		assert.ok(told.filter((id) => id !== '').length > 20);
	});

	testBesideGit('of a revert matches the reverse diff, for files of any kind', () => {
		assert.deepEqual(
			mirrored.map(([text]) => reversedPatchId(text, parseDiff(text))),
			gitIds(mirrored.map(([, reverse]) => reverse)),
		);
	});

	testBesideGit('matches git patch-id for the history of this project', () => {
		const count = check(root, counts({ least: 150, small: 150, full: 600 }), ['--binary']);
		assert.ok(count > 100);
		console.log(`      ${count} patches as git has them`);
	});

	testBesideGit('matches git patch-id for moved, empty and binary files and for changes of mode and type', () => {
		makeHistory(folder, createRandom(seed()), counts({ least: 60, small: 60, full: 400 }));
		writeFileSync(join(folder, 'info/attributes'), '*.md binary\n*.c binary\n');
		for (const options of [['--binary'], [], ['--binary', '-a']]) {
			assert.ok(check(folder, 1000, options) > 20);
		}
	});

	testBesideGit('of a revert matches git’s reverse diff', () => {
		const logged = (repository: string, options: readonly string[]): Buffer =>
			gitIn(repository, [
				'log',
				'--no-merges',
				'-p',
				'--full-index',
				'--all',
				'--format=email',
				'--binary',
				...options,
			]);
		const byCommit = (mails: Buffer): ReadonlyMap<string, string> =>
			new Map(
				mails
					.toString()
					.split(/^(?=From [0-9a-f]{40} )/m)
					.map((mail) => [mail.slice(5, 45), mail]),
			);
		let [same, others, silent] = [0, 0, 0];
		for (const [repository, most] of [
			[root, counts({ least: 150, small: 150, full: 600 })],
			[folder, 1000],
		] as const) {
			const back = logged(repository, [`-n${most}`, '-R', '--src-prefix=b/', '--dst-prefix=a/']);
			const told = gitIn(repository, ['patch-id', '--stable'], back).toString().trim().split('\n');
			const ids = new Map(told.map((line) => [line.slice(41), line.slice(0, 40)]));
			const reversed = byCommit(back);
			for (const [commit, mail] of byCommit(logged(repository, [`-n${most}`]))) {
				const id = reversedPatchId(mail, parseDiff(mail));
				// Git sometimes writes the reverse diff in another, equivalent way.
				const isMirrored = changes(mail, undefined) === changes(reversed.get(commit) ?? '', 'back');
				if (id === undefined || !isMirrored) {
					silent += id === undefined ? 1 : 0;
					others += id === undefined ? 0 : 1;
				} else {
					assert.equal(id, ids.get(commit), commit);
					same += 1;
				}
			}
		}
		console.log(`      ${same} the same, ${others} where git finds other lines or moves, ${silent} not told`);
		assert.ok(same > 20, `${same} ${others} ${silent}`);
	});

	test('ignores line numbers, blanks and file order, but not other text', () => {
		const file = (name: string, start: number, line: string): string =>
			`diff --git a/${name} b/${name}\nindex 1234567..89abcde 100644\n--- a/${name}\n+++ b/${name}\n@@ -${start} +${start} @@\n-old\n+${line}\n`;
		const id = patchId(file('a', 1, 'new line') + file('b', 1, 'x'));
		assert.equal(patchId(`${file('b', 9, ' x')}${file('a', 5, 'new\tline')}-- \n2.39.5\n`), id);
		assert.notEqual(patchId(file('a', 1, 'new line') + file('b', 1, 'y')), id);
		assert.equal(patchId('Hello\n@@ -1 +1 @@\n'), undefined);
		assert.equal(patchId(''), undefined);
	});

	test('works without object ids, and for reversed mode changes', () => {
		const file = (index: string): string => `diff --git a/x b/x\n${index}\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n`;
		assert.equal(patchId(file('index odd')), patchId(file('index 1..2')));
		const modes = (one: string, other: string): string => `diff --git a/x b/x\nold mode ${one}\nnew mode ${other}\n`;
		const reversed = (text: string): string | undefined => reversedPatchId(text, parseDiff(text));
		const lines = '--- a/x\n+++ b/x\n@@ -1 +1 @@\n';
		assert.equal(
			reversed(`${modes('100644', '100755')}${lines}-a\n+b\n`),
			patchId(`${modes('100755', '100644')}${lines}-b\n+a\n`),
		);
		assert.equal(reversed(modes('100644', '100755')), patchId(modes('100755', '100644')));
		// A header with half a pair of lines keeps that line.
		const half = (from: string, to: string): string =>
			`diff --git a/${from} b/${to}\nsimilarity index 100%\nrename from ${from}\nrename to ${to}\nnew mode 100755\n`;
		assert.equal(reversed(half('x', 'y')), patchId(half('y', 'x')));
		// The header at the end of a mail may lack a line end.
		assert.equal(reversed(half('x', 'y').trimEnd()), patchId(half('y', 'x')));
		const copy = 'diff --git a/x b/y\nsimilarity index 100%\ncopy from x\ncopy to y\n';
		const merge = 'diff --cc x\nindex 1,2..3\n@@@ -1 -1 +1 @@@\n- a\n -b\n++c\n';
		const damaged = `${lines.replace('-1 +1', '-1,9 +1')}-a\n+b\n`;
		assert.deepEqual([copy, merge, damaged].map(reversed), [undefined, undefined, undefined]);
	});
});
