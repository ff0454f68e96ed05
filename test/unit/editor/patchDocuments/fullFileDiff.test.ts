import assert from 'node:assert/strict';
import type { FileDiff } from 'patchmail/patch/fileDiff.ts';
import { hunkLines } from 'patchmail/patch/hunkLines.ts';
import { parseDiff } from 'patchmail/patch/parseDiff.ts';
import { wholeFile, type WholeFile } from 'patchmail/patch/wholeFile.ts';
import { diffSides, writtenOut, type DiffSide } from '../../../../src/editor/patchDocuments/diffSides.ts';
import { shownLineOf } from '../../../../src/editor/patchDocuments/shownLines.ts';
import {
	recentFullFileDiff,
	fullFileDiff,
	type FullFileSide,
} from '../../../../src/editor/patchDocuments/fullFileDiff.ts';
import { diffInBytes } from 'patchmail/series/diffInBytes.ts';
import { createRandom, type Random } from '../../../support/random.ts';
import { counts, seed } from '../../../support/counts.ts';
import { runCases } from '../../../support/shellCases.ts';

interface Made {
	readonly diff: string;
	readonly file: FileDiff;
	readonly whole: Exclude<WholeFile, { readonly kind: 'hunksOnly' }>;
	readonly before: FullFileSide;
	readonly after: FullFileSide;
}

/** `charset`: that of the content, which must have one byte for each character. */
function made(diff: string, content: string, charset = 'utf-8'): Made | undefined {
	const parsed = parseDiff(diff);
	const [file] = parsed.files;
	assert.ok(file?.content.kind === 'text');
	const encoding = charset === 'utf-8' ? 'utf8' : 'latin1';
	const inBytes = diffInBytes({ diff: parsed, diffText: diff }, Buffer.from(diff, encoding).toString('latin1'));
	const fileInBytes = inBytes.diff.files[0] ?? file;
	const whole = wholeFile({ text: inBytes.diffText, file: fileInBytes, before: Buffer.from(content, encoding) });
	return whole.kind === 'hunksOnly'
		? undefined
		: { diff, file, whole, ...fullFileDiff(diff, file.content.hunks, whole, charset) };
}

function linesOf({ text }: Pick<DiffSide, 'text'>): readonly string[] {
	return text === '' ? [] : (text.endsWith('\n') ? text.slice(0, -1) : text).split('\n');
}

/** The patch's lines on a side: the number of each line from 0, and its text. */
function shown(side: FullFileSide, diff: string): readonly string[] {
	const texts = linesOf(side);
	return side.lines.map(({ line, start, end }) => `${line} ${diff.slice(start, end)} = ${texts[line]}`);
}

const head = 'diff --git a/x b/x\n--- a/x\n+++ b/x\n';
const numbers = Array.from({ length: 12 }, (_, at) => `${at + 1}\n`).join('');
const change = '@@ -4,3 +4,4 @@\n 4\n-5\n+five\n+and a half\n 6\n';

suite('two sides of a whole file', function () {
	this.timeout(600_000);
	test('contain all of it, with each line of the patch at its own number', () => {
		const both = made(head + change, numbers);
		assert.ok(both);
		assert.equal(both.before.text, numbers);
		assert.equal(both.after.text, numbers.replace('5\n', 'five\nand a half\n'));
		assert.deepEqual(shown(both.before, both.diff), ['3  4 = 4', '4 -5 = 5', '5  6 = 6']);
		assert.deepEqual(shown(both.after, both.diff), [
			'3  4 = 4',
			'4 +five = five',
			'5 +and a half = and a half',
			'6  6 = 6',
		]);
	});

	test('have the patch’s lines at the applied position, and none for missing context', () => {
		const moved = made(head + change, `zero\n${numbers}`);
		assert.deepEqual(moved && shown(moved.before, moved.diff), ['4  4 = 4', '5 -5 = 5', '6  6 = 6']);
		// The first line of context differs from the file's, but maps to it.
		const fuzzy = made(`${head}@@ -1,5 +1,5 @@\n 1\n 2\n-3\n+three\n 4\n 5\n`, 'one\n2\n3\n4\n5\n6\n');
		assert.deepEqual(fuzzy && shown(fuzzy.before, fuzzy.diff).slice(0, 2), ['0  1 = one', '1  2 = 2']);
		const short = made(`${head}@@ -1,5 +1,5 @@\n 1\n 2\n-3\n+three\n 4\n 5\n`, '1\n2\n3\n4\n');
		assert.deepEqual(short && shown(short.after, short.diff), ['0  1 = 1', '1  2 = 2', '2 +three = three', '3  4 = 4']);
	});

	test('have the lines of hunks in the order of the file for any order of hunks', () => {
		const diff = `${head}@@ -4,2 +5,2 @@\n 4\n-5\n+five\n@@ -1,2 +1,3 @@\n-1\n+one\n+half\n 2\n`;
		const both = made(diff, '1\n2\n3\n4\n5\n');
		assert.deepEqual(both && shown(both.before, diff), ['0 -1 = 1', '1  2 = 2', '3  4 = 4', '4 -5 = 5']);
		assert.deepEqual(both && shown(both.after, diff), [
			'0 +one = one',
			'1 +half = half',
			'2  2 = 2',
			'4  4 = 4',
			'5 +five = five',
		]);
		assert.equal(both && both.before.lines.find(({ line }) => line === 4)?.hunk, 0);
	});

	test('spell out misleading characters, and leave CR LF to the editor', () => {
		const odd = made(`${head}@@ -1,2 +1,2 @@\n a\rb\n-c\n+d\n`, 'a\rb\nc\n');
		assert.equal(odd?.after.text, 'a\u240Db\nd\n');
		const dos = made(`${head}@@ -1,2 +1,2 @@\n a\r\n-c\r\n+d\r\n`, 'a\r\nc\r\n');
		assert.deepEqual([dos?.before.text, dos?.after.text], ['a\nc\n', 'a\nd\n']);
		const toUnix = made(`${head}@@ -1,2 +1,2 @@\n-a\r\n-c\r\n+a\n+c\n`, 'a\r\nc\r\n');
		assert.deepEqual([toUnix?.before.text, toUnix?.after.text], ['a\u240D\nc\u240D\n', 'a\nc\n']);
	});

	test('are cached per file, because the editor requests them repeatedly', () => {
		const sidesOf = recentFullFileDiff();
		const files = Array.from({ length: 6 }, () => made(head + change, numbers)?.whole ?? assert.fail());
		const [first] = files;
		assert.ok(first);
		const sides = sidesOf('', [], first, '');
		assert.equal(sidesOf('', [], first, ''), sides);
		files.forEach((each) => sidesOf('', [], each, ''));
		assert.notEqual(sidesOf('', [], first, ''), sides);
	});

	test('use the charset of the mail if they are not UTF-8', () => {
		const umlaut = made(`${head}@@ -1,2 +1 @@\n-\u00E4\n b\n`, '\u00E4\nb\n', 'iso-8859-1');
		assert.deepEqual([umlaut?.before.text, umlaut?.after.text], ['\u00E4\nb\n', 'b\n']);
	});

	test('map every patch line there and back, for git’s own and for drifted files', () => {
		const random = createRandom(seed() + 14);
		const texts = Array.from({ length: counts({ least: 150, small: 150, full: 3000 }) }, (_, run) => {
			const old = makeLines(random, random.below(40));
			return { old: textOf(old, run), new: textOf(edited(random, old), run >> 1) };
		});
		const diffs = runCases('git diff --no-index --no-color -U$((at % 4)) old new', texts);
		let placed = 0;
		for (const [at, { stdout }] of diffs.entries()) {
			const diff = stdout.toString();
			const old = texts[at]?.old ?? '';
			for (const content of diff === '' ? [] : [old, drifted(random, old)]) {
				const both = made(diff, content);
				placed += both ? checked(both, content === old) : 0;
			}
		}
		assert.ok(placed > 500, `${placed}`);
	});
});

/** Returns the number of checked lines. */
function checked({ diff, file, whole, before, after }: Made, isOwn: boolean): number {
	assert.ok(file.content.kind === 'text');
	const { hunks } = file.content;
	const isExact = whole.hunks.every(({ fuzz }) => fuzz === 0);
	assert.ok(!isOwn || isExact);
	const inHunks = diffSides(diff, hunks, false, () => '');
	for (const [side, other, gone] of [
		[before, inHunks.before, 'added'],
		[after, inHunks.after, 'removed'],
	] as const) {
		const texts = linesOf(side);
		const lines = hunks.flatMap((hunk) => [...hunkLines(diff, hunk)]).filter(({ kind }) => kind !== gone);
		for (const { kind, text, start, end } of lines) {
			const line = shownLineOf(side.lines, start);
			assert.ok(line !== undefined || (kind === 'context' && !isOwn), text);
			if (line && (isExact || kind !== 'context')) {
				assert.equal(texts[line.line], writtenOut(text));
			}
			if (line) {
				assert.deepEqual(shownLineOf(side.lines, end), line);
				assert.deepEqual(
					side.lines.filter((each) => each.line === line.line),
					[line],
				);
				assert.equal(line.kind, kind);
			}
			// The document of the hunks alone shows the same line.
			const there = shownLineOf(other.lines, start);
			assert.equal(there && linesOf(other)[there.line], writtenOut(text));
		}
		assert.ok(side.lines.length <= lines.length);
	}
	// The unchanged part is the same on both sides.
	const rest = (side: FullFileSide): readonly string[] => {
		const changed = new Set(side.lines.filter(({ kind }) => kind !== 'context').map(({ line }) => line));
		return linesOf(side).filter((_, line) => !changed.has(line));
	};
	assert.deepEqual(rest(before), rest(after));
	return before.lines.length + after.lines.length;
}

function makeLines(random: Random, count: number): string[] {
	return Array.from({ length: count }, (_, at) =>
		random.below(4) === 0 ? ['', '}', '--- a/x', 'form\ffeed \u2028'][random.below(4)]! : `line ${at}`,
	);
}

function edited(random: Random, lines: readonly string[]): string[] {
	const result = [...lines];
	for (let edit = 1 + random.below(4); edit > 0; edit -= 1) {
		result.splice(random.below(result.length + 1), random.below(3), ...makeLines(random, random.below(3)));
	}
	return result;
}

/** The same file some time later. */
function drifted(random: Random, text: string): string {
	return edited(random, text.split('\n')).join('\n');
}

function textOf(lines: readonly string[], run: number): string {
	return `${lines.join('\n')}${run % 2 === 0 ? '\n' : ''}`;
}
