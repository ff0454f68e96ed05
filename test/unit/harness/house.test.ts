import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { codeLines, figuresOf, folderPairs, quantile } from '../../house/figures.ts';
import { type ImportGraph, importGraph, importsIn, readSources, type Source } from '../../house/sources.ts';
import { brokenFigures, figuresBefore, housePage, printedTable } from '../../house/table.ts';

function graphOf(arrows: Readonly<Record<string, string>>): ImportGraph {
	return new Map(Object.entries(arrows).map(([file, targets]) => [file, new Set(targets.match(/\S+/g) ?? [])]));
}

function sourceOf(path: string, text: string): Source {
	return { path, text, imports: importsIn(text) };
}

suite('house: imports', () => {
	test('every way of importing is read, with what is erased and the lines it takes', () => {
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

	test('the graph has files that are there, each once, and with imports of types', () => {
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

	test('sources are the TypeScript files of a folder, by their paths', () => {
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
	test('folders of a room that import each other are a pair, folders of different rooms are none', () => {
		const graph = graphOf({
			'src/r/a.ts': 'src/r/in/b.ts src/r/in/c.ts src/other/d.ts',
			'src/r/in/b.ts': 'src/r/deep/e.ts src/r/in/c.ts',
			'src/r/in/c.ts': 'src/r/f.ts',
			'src/other/d.ts': 'src/r/a.ts',
		});
		assert.deepEqual(folderPairs(graph), { twoWay: [['src/r', 'src/r/in']], all: 2 });
	});
});

suite('house: counting', () => {
	test('blank lines and whole comments are no code, and imports no body', () => {
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

	test('a quantile is the value that so many do not exceed', () => {
		const upTo = Array.from({ length: 100 }, (_, at) => 100 - at);
		assert.deepEqual(
			[quantile(upTo, 0.5), quantile(upTo, 0.95), quantile([7], 0.5), quantile([], 0.5)],
			[50, 95, 7, 0],
		);
	});
});

suite('house: the table', () => {
	const before = new Map([
		['kept', 0],
		['lost', 0],
		['on its way', 9],
	]);
	const figures = [
		{ name: 'kept', value: 0, target: 0 },
		{ name: 'lost', value: 1, target: 0, found: ['src/a.ts src/b.ts'] },
		{ name: 'on its way', value: 10, target: 0, found: ['not shown'] },
		{ name: 'only told', value: 12.5 },
		{ name: 'new', value: 3, target: 0 },
	];

	test('what was met and is no longer is broken; what was not met, what has no target and what is new is not', () => {
		assert.deepEqual(
			brokenFigures(figures, before).map(({ name }) => name),
			['lost'],
		);
	});

	test('each figure stands beside the one before, and what is broken is named', () => {
		assert.deepEqual(printedTable(figures, before), [
			'             now  before  target',
			'kept           0       0       0  met',
			'lost           1       0       0  not met',
			'on its way    10       9       0  not met',
			'only told   12.5       -',
			'new            3       -       0  not met',
			'',
			'lost: 1, and it was 0 at most before',
			'  src/a.ts src/b.ts',
		]);
	});

	test('what is written is read again', () => {
		assert.deepEqual(figuresBefore(housePage(figures)), new Map(figures.map(({ name, value }) => [name, value])));
		assert.deepEqual(figuresBefore(''), new Map());
	});

	test('the rows are measured from sources', () => {
		const sources = [
			sourceOf('src/r/a.ts', "import type { B } from './in/b.ts';\nexport const a = 1;"),
			sourceOf('src/r/in/b.ts', "import { a } from '../a.ts';\nexport type B = typeof a;"),
		];
		const measured = figuresOf(sources);
		assert.deepEqual(
			measured.map(({ value }) => value),
			[1, 1, 2, 4, 2, 1, 1, 100, 1, 1, 100],
		);
	});
});
