import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { pathFilter } from '../../../../../src/engine/search/texts/pathGlob.ts';
import { searchText, type FoundLine } from '../../../../../src/engine/search/texts/searchText.ts';
import { readTextQuery, type TextPattern, type TextQuery } from '../../../../../src/engine/search/texts/textQuery.ts';
import { counts, seed } from '../../../../support/counts.ts';

const runs = { numRuns: counts({ small: 300, full: 20_000 }), seed: seed() };
const plain: TextQuery = { text: '', matchCase: false, wholeWord: false, isRegex: false };

function patternOf(query: Partial<TextQuery>): TextPattern {
	const reading = readTextQuery({ ...plain, ...query });
	assert.equal(reading.kind, 'pattern');
	return reading.pattern;
}

function bytesOf(text: string): Uint8Array {
	return new TextEncoder().encode(text);
}

function lines(text: string, query: Partial<TextQuery>, most = 100): readonly FoundLine[] {
	const found = searchText(bytesOf(text), patternOf(query), most);
	assert.equal(found.kind, 'lines');
	return found.lines;
}

function numbers(text: string, query: Partial<TextQuery>): readonly number[] {
	return lines(text, query).map(({ line }) => line);
}

suite('text search', () => {
	test('counts lines as the editor does and returns the range of every match', () => {
		assert.deepEqual(lines('one\r\ntwo one one\rthree\nONE', { text: 'one' }), [
			{ line: 0, column: 0, endColumn: 3, text: 'one', ranges: [[0, 3]] },
			{
				line: 1,
				column: 4,
				endColumn: 7,
				text: 'two one one',
				ranges: [
					[4, 7],
					[8, 11],
				],
			},
			{ line: 3, column: 0, endColumn: 3, text: 'ONE', ranges: [[0, 3]] },
		]);
	});

	test('supports case, whole words and regular expressions', () => {
		const text = 'Fold\nfolded\nunfold\nfold_er\n fold.\näfold';
		assert.deepEqual(numbers(text, { text: 'fold' }), [0, 1, 2, 3, 4, 5]);
		assert.deepEqual(numbers(text, { text: 'fold', matchCase: true }), [1, 2, 3, 4, 5]);
		assert.deepEqual(numbers(text, { text: 'fold', wholeWord: true }), [0, 4]);
		assert.deepEqual(numbers(text, { text: '^f.*d$', isRegex: true }), [0, 1]);
		assert.deepEqual(numbers(text, { text: 'fold.' }), [4]);
		assert.deepEqual(numbers('a-b\nab', { text: String.raw`a\-b`, isRegex: true }), [0]);
		assert.deepEqual(numbers('a\n\nb\n', { text: '^$', isRegex: true }), [1]);
	});

	test('finds a whole word next to letters if the query begins or ends with another character', () => {
		const text = 'a->b\n->\nx = &mine;\nx = &mines;\nfoo(1)\nafoo(1)';
		assert.deepEqual(numbers(text, { text: '->', wholeWord: true }), [0, 1]);
		assert.deepEqual(numbers(text, { text: '&mine', wholeWord: true }), [2]);
		assert.deepEqual(numbers(text, { text: 'foo(', wholeWord: true }), [4]);
	});

	test('skips empty matches character by character, including surrogate pairs', () => {
		assert.deepEqual(lines('😀a😀x', { text: 'x*', isRegex: true }), [
			{ line: 0, column: 5, endColumn: 6, text: '😀a😀x', ranges: [[5, 6]] },
		]);
		assert.deepEqual(lines('😀', { text: 'x*', isRegex: true }), [
			{ line: 0, column: 0, endColumn: 0, text: '😀', ranges: [] },
		]);
	});

	test('reports problems in a query', () => {
		for (const [query, kind] of [
			[{ text: '(', isRegex: true }, 'noPattern'],
			[{ text: 'a\nb' }, 'lineBreak'],
			[{ text: 'a'.repeat(1001) }, 'tooLong'],
		] as const) {
			const reading = readTextQuery({ ...plain, ...query });
			assert.ok(reading.kind === 'problem' && reading.problem.kind === kind, kind);
		}
	});

	test('treats a file with NUL as binary, unless a byte order mark declares UTF-16', () => {
		assert.deepEqual(searchText(new Uint8Array([97, 0, 98]), patternOf({ text: 'a' }), 10), { kind: 'binary' });
		const wide = new Uint8Array([0xff, 0xfe, 0x61, 0, 0x62, 0]);
		assert.deepEqual(searchText(wide, patternOf({ text: 'b' }), 10), {
			kind: 'lines',
			lines: [{ line: 0, column: 1, endColumn: 2, text: 'ab', ranges: [[1, 2]] }],
			isCut: false,
		});
	});

	test('shortens a long line around the match, and limits the lines', () => {
		const [found] = lines(`${'x'.repeat(5000)}needle${'y'.repeat(5000)}`, { text: 'needle' });
		assert.ok(found && found.text.length <= 400);
		assert.equal(found.column, 5000);
		assert.deepEqual(
			found.ranges.map(([start, end]) => found.text.slice(start, end)),
			['needle'],
		);
		const cut = searchText(bytesOf('a\n'.repeat(20)), patternOf({ text: 'a' }), 5);
		assert.ok(cut.kind === 'lines' && cut.isCut && cut.lines.length === 5);
		const exact = searchText(bytesOf('a\n'.repeat(5)), patternOf({ text: 'a' }), 5);
		assert.ok(exact.kind === 'lines' && !exact.isCut);
	});

	test('finds every text exactly at its place', () => {
		const word = fc.string({
			minLength: 1,
			maxLength: 4,
			unit: fc.constantFrom('a', 'b', '.', '(', '*', ' ', 'ü', '\\'),
		});
		const line = fc.string({ maxLength: 12, unit: fc.constantFrom('a', 'b', '.', '(', '*', ' ', 'ü', '\\') });
		fc.assert(
			fc.property(fc.array(line, { maxLength: 8 }), word, (all, wanted) => {
				const text = all.join('\n');
				const expected = all
					.map((each, number) => ({ number, column: each.indexOf(wanted) }))
					.filter(({ column }) => column >= 0);
				assert.deepEqual(
					lines(text, { text: wanted, matchCase: true }).map((found) => ({ number: found.line, column: found.column })),
					expected,
				);
			}),
			runs,
		);
	});
});

suite('file patterns', () => {
	for (const [patterns, wanted, unwanted] of [
		['', ['a', 'b/c'], []],
		['src', ['src/a.ts', 'lib/src/a.ts', 'src'], ['source/a.ts', 'a/src.ts']],
		['./src', ['src/a.ts'], ['lib/src/a.ts']],
		['/src/lib', ['src/lib/x/y'], ['src/library/x']],
		['*.ts', ['a.ts', 'x/y/a.ts'], ['a.tsx', 'a.js']],
		['doc/**/*.md', ['doc/a.md', 'doc/x/y/a.md', 'x/doc/a.md'], ['doc/a.txt']],
		['{lib,src}/*.c', ['lib/a.c', 'src/a.c'], ['doc/a.c', 'lib/a.h']],
		['{lib}/{a,{b}}.c', ['lib/a.c', 'lib/b.c'], ['lib/{b}.c', 'a.c']],
		['{x{b,c}}', ['xb', 'xc'], ['x', 'b', 'c']],
		['}{a}{', ['}a{'], ['a', '}{a}{']],
		['?.c', ['a.c', 'x/ü.c'], ['ab.c']],
		['src, !*.test.ts', ['src/a.ts'], ['src/a.test.ts', 'lib/a.ts']],
		['!test', ['src/a'], ['test/a', 'x/test/a']],
		['a b.txt', ['a b.txt', 'x/a b.txt'], ['a.txt']],
		[',, ,', ['a'], []],
	] as const) {
		test(JSON.stringify(patterns), () => {
			const fits = pathFilter(patterns);
			assert.deepEqual(wanted.filter(fits), wanted);
			assert.deepEqual(unwanted.filter(fits), []);
		});
	}

	test('end quickly if built to run forever', () => {
		assert.equal(pathFilter(`${'*a'.repeat(200)}b`)('a'.repeat(4000)), false);
		assert.equal(pathFilter(`./${'**/a/'.repeat(200)}b`)('a/'.repeat(2000)), false);
		assert.equal(pathFilter('{a,b}'.repeat(100))('x'), false);
		const fits = pathFilter('{a,b}'.repeat(400));
		assert.ok(
			Array.from({ length: 20_000 }, (_, at) => `src/${'ab'.repeat(10)}/file${at}.ts`).every((path) => !fits(path)),
		);
	});
});
