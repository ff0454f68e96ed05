import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { codeLines, figuresOf, folderPairs, proseBeside } from '../../house/figures.ts';
import { functionsIn } from '../../house/functions.ts';
import { documentProse, proseOf, titleProse } from '../../house/prose.ts';
import { type ImportGraph, importGraph, importsIn, readSources, type Source } from '../../house/sources.ts';
import { printedTable, tightened } from '../../house/table.ts';

function graphOf(arrows: Readonly<Record<string, string>>): ImportGraph {
	return new Map(Object.entries(arrows).map(([file, targets]) => [file, new Set(targets.match(/\S+/g) ?? [])]));
}

function sourceOf(path: string, text: string): Source {
	return { path, text, imports: importsIn(text) };
}

suite('house: imports', () => {
	test('reads every kind of import, with its erasure and its number of lines', () => {
		const text = [
			"import './side.ts';",
			"import { one } from './one.ts';",
			'import {',
			'	two,',
			'	type Three,',
			"} from './two.ts';",
			"import type { Four } from './four.ts';",
			"export type { Five } from './five.ts';",
			"export { six } from './six.ts';",
			"type Net = typeof import('./net.ts');",
			"const late = await import('./late.ts');",
			"const text = 'import nothing from here';",
		].join('\n');
		assert.deepEqual(
			importsIn(text).map(({ specifier, isType, lines }) => [specifier, isType, lines]),
			[
				['./side.ts', false, 1],
				['./one.ts', false, 1],
				['./two.ts', false, 4],
				['./four.ts', true, 1],
				['./five.ts', true, 1],
				['./six.ts', false, 1],
				['./net.ts', true, 1],
				['./late.ts', false, 1],
			],
		);
	});

	test('the graph has each existing file once, including type imports', () => {
		const sources = [
			sourceOf(
				'src/a/one.ts',
				"import { b } from '../b/two.ts';\nimport type { C } from './three.ts';\nimport 'node:fs';",
			),
			sourceOf('src/a/three.ts', "import('../b/two.ts'); import('../b/two.ts'); import('../b/gone.ts');"),
			sourceOf('src/b/two.ts', ''),
		];
		const all = graphOf({
			'src/a/one.ts': 'src/b/two.ts src/a/three.ts',
			'src/a/three.ts': 'src/b/two.ts',
			'src/b/two.ts': '',
		});
		assert.deepEqual(importGraph(sources), all);
	});

	test('sources are the TypeScript files of a folder, in order of path', () => {
		const root = mkdtempSync(join(tmpdir(), 'house-'));
		try {
			for (const path of ['src/b/two.ts', 'src/one.ts', 'src/b/icon.svg', 'test/three.ts']) {
				mkdirSync(dirname(join(root, path)), { recursive: true });
				writeFileSync(join(root, path), `// ${path}`);
			}
			assert.deepEqual(readSources(root), [
				{ path: 'src/b/two.ts', text: '// src/b/two.ts', imports: [] },
				{ path: 'src/one.ts', text: '// src/one.ts', imports: [] },
			]);
		} finally {
			rmSync(root, { recursive: true });
		}
	});
});

suite('house: folders', () => {
	test('folders that import each other are a pair only in the same room', () => {
		const graph = graphOf({
			'src/r/a.ts': 'src/r/in/b.ts src/r/in/c.ts src/other/d.ts',
			'src/r/in/b.ts': 'src/r/deep/e.ts src/r/in/c.ts',
			'src/r/in/c.ts': 'src/r/f.ts',
			'src/other/d.ts': 'src/r/a.ts',
		});
		assert.deepEqual(folderPairs(graph), ['src/r src/r/in']);
	});
});

suite('house: counting', () => {
	test('blank lines and whole comments do not count as code, nor imports as body', () => {
		const text = [
			'/** One line. */',
			"import { a } from './a.ts';",
			'import {',
			'	b,',
			"} from './b.ts';",
			'',
			'/**',
			' * More lines.',
			' */',
			'// Another one',
			'const c = a + b; // said beside',
			'/* c */',
			'use(c);',
		].join('\n');
		assert.deepEqual(codeLines(sourceOf('src/a.ts', text)), { all: 6, body: 2 });
	});

	test('computes all rows from sources', () => {
		const sources = [
			sourceOf('src/r/a.ts', "import type { B } from './in/b.ts';\nexport type A = { b: B };\nexport const a = 1;"),
			sourceOf('src/r/in/b.ts', "import { a } from '../a.ts';\nexport type B = typeof a;\n"),
			sourceOf('src/r/in/c.ts', "export { a } from '../a.ts';\nexport type { B } from './b.ts';"),
			sourceOf('packages/sample-forge/src/d.ts', 'type D = Pick<B, "one">;\n'),
		];
		assert.deepEqual(
			figuresOf(sources).map(({ name, value }) => [name, value]),
			[
				['extension: code lines', 7],
				['libraries: code lines', 0],
				['sample forge: code lines', 1],
				['files', 4],
				['lines of the longest file', 3],
				['imports and types, % of code', 87.5],
				['imports per 100 lines of code', 50],
				['extension: functions per 1,000 lines', 0],
				['extension: local functions used once, per 1,000 lines', 0],
				['extension: lines per import', 0.75],
				['pairs of folders of a room that import each other', 1],
				['files that only forward', 1],
				['interfaces of arguments: …Parts, …Options', 0],
				['interfaces beside their only factory', 0],
				['Pick and Omit', 1],
				['folders with more than 3 free relatives per 1,000 words', 0],
				['folders with more than 2 idioms per 1,000 words', 0],
				['folders with more than 16 passives per 1,000 words', 0],
			],
		);
	});

	test('finds an interface with methods beside its only factory', () => {
		const text = [
			'export interface MadeParts {\n\treadonly a: number;\n}',
			'export interface Made {\n\tone(): void;\n}',
			'export interface Port {\n\ttwo(): void;\n}',
			'export function made(\n\tparts: MadeParts,\n): Made & Disposable {\n\treturn {\n\t};\n}',
			'export function first(): Port {\n\treturn {\n\t};\n}',
			'export function second(): Port {\n\treturn {\n\t};\n}',
		].join('\n');
		const figures = figuresOf([sourceOf('src/r/a.ts', text)]);
		const found = (name: string): readonly string[] => figures.find((each) => each.name.startsWith(name))?.found ?? [];
		assert.deepEqual(found('interfaces beside'), ['src/r/a.ts Made']);
		assert.deepEqual(found('interfaces of arguments'), ['src/r/a.ts MadeParts']);
	});
});

suite('house: functions', () => {
	test('counts functions with a body, and lists the local ones with one use', () => {
		const text = [
			'export function shown(rows: readonly string[]): string {',
			'	return rows.map((row) => marked(row)).join(once());',
			'}',
			'function marked(text: string): string { return twice(twice(text)); }',
			'function twice(text: string): string { return text + text; }',
			"const once = (): string => ',';",
			'class Kept {',
			'	private inner(): number { return this.#deep(); }',
			'	#deep(): number { return 1; }',
			'	outer(): number { return this.inner(); }',
			'}',
		].join('\n');
		assert.deepEqual(functionsIn(sourceOf('src/a.ts', text)), {
			all: 8,
			usedOnce: ['marked', 'once', 'inner', '#deep'],
		});
	});

	test('exported functions and members of objects are not used once', () => {
		const text = [
			'export const late = (): void => {};',
			'late();',
			'export function made(): object {',
			'	return { first, second: other, third: () => third() };',
			'	function first(): void {}',
			'	function other(): void {}',
			'	function third(): void {}',
			'}',
		].join('\n');
		assert.deepEqual(functionsIn(sourceOf('src/a.ts', text)), { all: 6, usedOnce: [] });
	});

	test('a source with a fault of syntax fails', () => {
		assert.throws(() => functionsIn(sourceOf('src/a.ts', 'function {')), /^Error: src\/a\.ts: /);
	});
});

suite('house: prose', () => {
	test('counts phrases per 1,000 words of comments, without code and very short sentences', () => {
		const texts = [
			'/** It depends on what the server sends here. */\nconst what = 1;',
			'// The row stands below `what stands`. No count.\nconst b = 2;\n/* The list is sorted by the store. */',
		];
		assert.deepEqual(proseOf(texts), { words: 20, relatives: 50, idioms: 50, passives: 50 });
	});

	test('counts phrases in titles of suites and tests, whatever function declares them', () => {
		const text = [
			"contractSuite('what stands there', {}, () => {",
			"\ttest('is sent again', () => {});",
			"\tinRest(test(`shows ${'what'} now`, () => {}));",
			"\tconst other = 'which is told';",
			'});',
		].join('\n');
		assert.deepEqual(titleProse([text]), { words: 9, relatives: 111.1, idioms: 111.1, passives: 111.1 });
	});

	test('counts phrases in documents, without code, tables and headings', () => {
		const text =
			'# What stands\n\nThe row stands below it.\n\n| what is told | b |\n\n```\nwhat stands there now\n```\n';
		assert.deepEqual(documentProse([text]), { words: 5, relatives: 0, idioms: 200, passives: 0 });
	});

	test('of tests and documents fails where it finds none', () => {
		assert.throws(() => proseBeside([], []), /finds no titles of tests/);
	});
});

suite('house: the table', () => {
	const limits = { 'kept: code lines': 100, broken: 0, calls: 100, elsewhere: 5, 'lines of the longest file': 400 };
	const figures = [
		{ name: 'kept: code lines', value: 50 },
		{ name: 'broken', value: 1, found: ['src/a.ts src/b.ts'] },
		{ name: 'calls', value: 99 },
		{ name: 'only printed', value: 12.5 },
	];

	test('shows each figure with its limit, and lists the findings of those above', () => {
		assert.deepEqual(printedTable(figures, limits), [
			'                   now  limit',
			'kept: code lines    50    100',
			'broken               1      0',
			'calls               99    100',
			'only printed      12.5',
			'',
			'broken: 1 is above the limit 0',
			'  src/a.ts src/b.ts',
		]);
	});

	test('a floor breaks below its limit, and rises only', () => {
		const floor = (value: number) => [{ name: 'lines per import', value, isFloor: true }];
		assert.deepEqual(printedTable(floor(18.9), { 'lines per import': 19 }).slice(2), [
			'',
			'lines per import: 18.9 is below the limit 19',
		]);
		assert.equal(printedTable(floor(19), { 'lines per import': 19 }).length, 2);
		assert.deepEqual(tightened(floor(20.16), { 'lines per import': 19 }), { 'lines per import': 20.1 });
		assert.deepEqual(tightened(floor(18), { 'lines per import': 19 }), { 'lines per import': 19 });
	});

	test('lowers limits only, with room for small changes', () => {
		assert.deepEqual(tightened([...figures, { name: 'lines of the longest file', value: 300 }], limits), {
			...limits,
			'kept: code lines': 51,
		});
	});
});
