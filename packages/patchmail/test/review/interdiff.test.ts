import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runAtOnce } from '@forge-desk/base/timeSlice.ts';
import { lineChanges, LineNumbers } from '../../src/patch/lineDiff.ts';
import { lineBetween } from '../../src/patch/lineMap.ts';
import { parseDiff } from '../../src/patch/parseDiff.ts';
import type { SparsePiece } from '../../src/patch/sparseText.ts';
import { pieceCarrier, type LineCarrier } from '../../src/review/carriedThreads.ts';
import { interdiff, type FileBetween, type SeriesVersion } from '../../src/review/interdiff.ts';
import { createRandom } from '../../../../test/support/random.ts';
import { counts, seed } from '../../../../test/support/counts.ts';
import { gitIn } from '../../../../test/support/patchMakerGit.ts';
import { filesNamed } from '../../../../test/support/storedObjects.ts';
import { rewriteHistory, type RewrittenSeries } from '../../../../test/support/rewrittenSeries.ts';

function version(diffs: readonly string[], whole: SeriesVersion['whole'] = () => undefined): SeriesVersion {
	return { patches: diffs.map((diffText) => ({ diff: parseDiff(diffText), diffText })), whole };
}

function compared(earlier: SeriesVersion, later: SeriesVersion): readonly FileBetween[] {
	return runAtOnce(interdiff(earlier, later));
}

function carried(file: FileBetween | undefined): LineCarrier {
	assert.ok(file?.texts.kind === 'hunks');
	return runAtOnce(pieceCarrier(file.texts.before, file.texts.after));
}

/** A text with its gaps filled from the base. */
function whole(pieces: readonly SparsePiece[], base: string): string {
	const lines = base.split(/(?<=\n)/);
	return pieces
		.flatMap((piece) =>
			piece.kind === 'line' ? [piece.text + (piece.hasLineEnd ? '\n' : '')] : lines.slice(piece.from - 1, piece.to),
		)
		.join('');
}

const head = 'diff --git a/a b/a\nindex 1234567..89abcde 100644\n--- a/a\n+++ b/a\n';

/** Whether each file with the same base is equal in both versions, after a check against git. */
function seenIn(folder: string, { before, after }: RewrittenSeries): readonly boolean[] {
	const read = (range: string): SeriesVersion => {
		const args = ['log', '--reverse', '-p', '--full-index', '--no-renames', '--no-ext-diff', '--format=%x00', range];
		return version(gitIn(folder, args).toString().split('\0\n').slice(1));
	};
	const [[base = '', tip = ''], [otherBase = '', otherTip = '']] = [before.split('..'), after.split('..')];
	const files = compared(read(before), read(after));
	const commits = [base, otherBase, tip, otherTip];
	const contents = filesNamed(
		folder,
		files.flatMap(({ path }) => commits.map((commit) => `${commit}:${path}`)),
	);
	const fileAt = (commit: string, path: string): string => contents.get(`${commit}:${path}`)?.toString() ?? '';
	return files.flatMap(({ path, texts, isSame }) => {
		const was = fileAt(base, path);
		if (was !== fileAt(otherBase, path)) {
			return [];
		}
		assert.ok(texts.kind === 'hunks' && texts.base === 'same', `${path} ${texts.kind}`);
		const [one, other] = [fileAt(tip, path), fileAt(otherTip, path)];
		assert.equal(whole(texts.before, was), one, `${tip} ${path}`);
		assert.equal(whole(texts.after, was), other, `${otherTip} ${path}`);
		assert.equal(isSame, one === other, path);
		return [one === other];
	});
}

suite('interdiff of two versions', function () {
	this.timeout(600_000);

	test('works from hunks alone and agrees with git once the base is known', () => {
		const folder = mkdtempSync(join(tmpdir(), 'interdiff-'));
		const pairs = rewriteHistory(folder, createRandom(seed() + 9), counts({ least: 2, small: 5, full: 100 }));
		const seen = pairs.flatMap((pair) => seenIn(folder, pair));
		rmSync(folder, { recursive: true });
		const count = (isSame: boolean): number => seen.filter((each) => each === isSame).length;
		const fewest = Math.min(4, pairs.length);
		assert.ok(count(true) >= fewest && count(false) >= fewest);
		console.log(`      ${count(true)} files the same, ${count(false)} changed`);
	});

	test('detects a mode that only one version changes', () => {
		const names = '--- a/a\n+++ b/a\n';
		const hunk = '@@ -1,2 +1,2 @@\n-old\n+new\n 2\n';
		const plain = `diff --git a/a b/a\nindex 1234567..89abcde 100644\n${names}${hunk}`;
		const executable = `diff --git a/a b/a\nold mode 100644\nnew mode 100755\nindex 1234567..89abcde\n${names}${hunk}`;
		const onlyMode = 'diff --git a/a b/a\nold mode 100644\nnew mode 100755\n';
		const sames = [
			[[plain], [plain]],
			[[plain], [executable]],
			[[executable], [plain, onlyMode]],
			[[onlyMode], []],
		].map(([one = [], other = []]) => compared(version(one), version(other)).map(({ isSame }) => isSame));
		assert.deepEqual(sames, [[true], [false], [true], [false]]);
	});

	test('is empty if one version removes a line and restores it', () => {
		const away = `${head}@@ -1,3 +1,3 @@\n 1\n-two\n+2\n 3\n`;
		const back = `${head}@@ -1,3 +1,3 @@\n 1\n-2\n+two\n 3\n`;
		const other = `${head}@@ -7,3 +7,3 @@\n 7\n-eight\n+8\n 9\n`;
		assert.deepEqual(
			[
				[[away, back, other], [other]],
				[[away, other], [other]],
			].map(([one = [], another = []]) => compared(version(one), version(another)).map(({ isSame }) => isSame)),
			[[true], [false]],
		);
	});

	test('compares whole files if both exist, and hunks otherwise', () => {
		const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
		const one = `${head}@@ -1,2 +1,2 @@\n-old\n+new\n 2\n`;
		const found = (after: string): SeriesVersion =>
			version([one], () => ({ before: bytes('old\n2\n'), after: bytes(after) }));
		assert.deepEqual(
			compared(found('new\n2\n'), found('new\n2\n')).map(({ texts, isSame }) => [texts.kind, isSame]),
			[['whole', true]],
		);
		assert.equal(compared(found('new\n2\n'), found('newer\n2\n'))[0]?.isSame, false);
		assert.equal(compared(found('new\n2\n'), found('new\n2\n3\n'))[0]?.isSame, false);
		assert.equal(compared(version([one]), found('new\n2\n'))[0]?.texts.kind, 'hunks');
		assert.equal(compared(found('new\n2\n'), version([one]))[0]?.texts.kind, 'hunks');
		const place = { patch: 0, file: 0 };
		const [only] = compared(version([]), found('new\n2\n'));
		assert.deepEqual(only, {
			path: 'a',
			changedBy: 'later',
			isSame: false,
			texts: { kind: 'whole', before: bytes('old\n2\n'), after: bytes('new\n2\n') },
			earlier: undefined,
			later: { first: place, last: place, places: [place] },
		});
		const [gone] = compared(found('new\n2\n'), version([]));
		assert.deepEqual(gone?.texts, { kind: 'whole', before: bytes('new\n2\n'), after: bytes('old\n2\n') });
		assert.deepEqual([gone.changedBy, compared(version([one]), version([one]))[0]?.changedBy], ['earlier', 'both']);
	});

	test('is unknown if hunks contradict each other, and undecided across bases', () => {
		const next = `${head}@@ -1,2 +1,2 @@\n-another\n+x\n 2\n`;
		const first = `${head}@@ -1,2 +1,2 @@\n-old\n+new\n 2\n`;
		assert.deepEqual(compared(version([first]), version([first, next]))[0]?.texts, { kind: 'unknown' });
		const rebased = first.replace('1234567', '7654321');
		const [file] = compared(version([first]), version([rebased]));
		assert.equal(file?.isSame, undefined);
		assert.equal(file?.texts.kind === 'hunks' && file.texts.base, 'other');
	});
});

suite('lines carried to the later version', () => {
	test('follow the changes: each unchanged line once, in order and in both directions', () => {
		const random = createRandom(seed());
		const made = (length: number): readonly string[] => Array.from({ length }, () => `line ${random.below(12)}`);
		for (let round = 0; round < counts({ least: 30, small: 300, full: 5000 }); round += 1) {
			const before = made(random.below(40));
			const after = [...before];
			for (let step = random.below(6); step > 0; step -= 1) {
				after.splice(random.below(after.length + 1), random.below(4), ...made(random.below(4)));
			}
			const numbers = new LineNumbers();
			const [old, young] = [numbers.of(before), numbers.of(after)];
			const changes = runAtOnce(lineChanges(old, young, undefined));
			const back = changes.map(({ oldFrom, removed, newFrom, added }) => ({
				oldFrom: newFrom,
				removed: added,
				newFrom: oldFrom,
				added: removed,
			}));
			let last = 0;
			const hit = new Set<number>();
			for (const [at, text] of before.entries()) {
				const found = lineBetween(changes, at);
				assert.ok(found.line >= last && found.line <= after.length);
				last = found.line;
				if (found.kind === 'same') {
					assert.equal(after[found.line], text);
					assert.equal(hit.has(found.line), false);
					hit.add(found.line);
					assert.deepEqual(lineBetween(back, found.line), { kind: 'same', line: at });
				}
			}
			const added = changes.reduce((sum, change) => sum + change.added, 0);
			assert.equal(hit.size, after.length - added);
		}
	});

	test('work in whole files and in hunks, including the gaps', () => {
		const hunk = (line: string): string => `@@ -5,3 +5,4 @@\n 5\n+${line}\n 6\n 7\n`;
		const earlier = version([`${head}${hunk('new')}@@ -20,2 +21,1 @@\n-20\n 21\n`]);
		const later = version([`${head}@@ -1,1 +1,3 @@\n+a\n+b\n 1\n${hunk('newer').replace('+5,4', '+7,4')}`]);
		const carry = carried(compared(earlier, later)[0]);
		assert.deepEqual(carry(1), { kind: 'same', line: 3 });
		assert.deepEqual(carry(3), { kind: 'same', line: 5 });
		assert.deepEqual(carry(6), { kind: 'changed', line: 8 });
		assert.deepEqual(carry(7), { kind: 'same', line: 9 });
		assert.deepEqual(carry(15), { kind: 'same', line: 17 });
		assert.deepEqual(carry(21), { kind: 'same', line: 24 });
		assert.deepEqual(carry(500), { kind: 'same', line: 503 });
		assert.equal(carry(0), undefined);
		const pieces = (...texts: readonly string[]): readonly SparsePiece[] =>
			texts.map((text) => ({ kind: 'line', text, hasLineEnd: true, base: undefined }));
		const inWhole = runAtOnce(pieceCarrier(pieces('a', 'b', 'c'), pieces('x', 'a', 'c')));
		assert.deepEqual([1, 2, 3, 4].map(inWhole), [
			{ kind: 'same', line: 2 },
			{ kind: 'gone', line: 3 },
			{ kind: 'same', line: 3 },
			undefined,
		]);
	});

	const created =
		'diff --git a/a b/a\nnew file mode 100644\nindex 0000000..89abcde\n--- /dev/null\n+++ b/a\n@@ -0,0 +1 @@\n+one\n';

	test('have another base if only one version creates the file, and an unknown one without ids', () => {
		const changed = `${head}@@ -1 +1 @@\n-zero\n+one\n`;
		const baseOf = (earlier: string, later: string): string | undefined => {
			const [file] = compared(version([earlier]), version([later]));
			return file?.texts.kind === 'hunks' ? file.texts.base : file?.texts.kind;
		};
		assert.equal(baseOf(changed, created), 'other');
		assert.equal(baseOf(created, created.replace('+one', '+two')), 'same');
		assert.equal(baseOf(changed.replace(/^index .*\n/m, ''), changed), 'notStated');
		// Ids of different lengths.
		const longer = changed.replace('1234567', '1234567890');
		assert.deepEqual([baseOf(changed, longer), baseOf(longer, changed)], ['same', 'same']);
		assert.equal(baseOf(changed.replace('1234567', '4567890'), longer), 'other');
	});

	test('are unknown if a patch contradicts earlier ones, and compare deleted whole files', () => {
		const odd = version([
			`${head}@@ -1 +1 @@\n-zero\n+one\n`,
			`${head}@@ -1 +1 @@\n-two\n+three\n`,
			`${head}@@ -1 +1 @@\n-three\n+four\n`,
		]);
		assert.equal(compared(odd, version([`${head}@@ -1 +1 @@\n-zero\n+one\n`]))[0]?.texts.kind, 'unknown');
		const gone =
			'diff --git a/a b/a\ndeleted file mode 100644\nindex 1234567..0000000\n--- a/a\n+++ /dev/null\n@@ -1 +0,0 @@\n-zero\n';
		const whole =
			(after: string | undefined): SeriesVersion['whole'] =>
			() => ({ before: Buffer.from('zero\n'), after: after === undefined ? undefined : Buffer.from(after) });
		const isSame = (one: string | undefined, other: string | undefined): boolean | undefined =>
			compared(version([gone], whole(one)), version([gone], whole(other)))[0]?.isSame;
		assert.deepEqual(
			[isSame(undefined, undefined), isSame(undefined, 'one'), isSame('one', 'one')],
			[true, false, true],
		);
	});
});
