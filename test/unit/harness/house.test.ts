import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import * as fc from 'fast-check';
import { inRounds } from '../../support/counts.ts';
import { figuresOf } from '../../house/figures.ts';
import { hasValues, readBundles, unreached } from '../../house/reach.ts';
import { circlesIn, codeLines, folderPairs, importersOf, quantile } from '../../house/shape.ts';
import { type ImportGraph, importGraph, importsIn, readSources, type Source } from '../../house/sources.ts';
import { brokenFigures, figuresBefore, housePage, printedTable } from '../../house/table.ts';

function graphOf(arrows: Readonly<Record<string, string>>): ImportGraph {
	return new Map(Object.entries(arrows).map(([file, targets]) => [file, new Set(targets.match(/\S+/g) ?? [])]));
}

function sourceOf(path: string, text: string): Source {
	return { path, text, imports: importsIn(text) };
}

/** Groups by looking from every file whether there is a way there and back. */
function circlesBySearch(graph: ImportGraph): readonly (readonly string[])[] {
	const reach = (from: string): ReadonlySet<string> => {
		const found = new Set(graph.get(from));
		for (const file of found) {
			for (const target of graph.get(file) ?? []) {
				found.add(target);
			}
		}
		return found;
	};
	const reached = new Map([...graph.keys()].map((file) => [file, reach(file)]));
	const groups = [...graph.keys()].map((file) =>
		[...graph.keys()]
			.filter((other) => other === file || (reached.get(file)?.has(other) && reached.get(other)?.has(file)))
			.sort(),
	);
	return [...new Set(groups.filter((group) => group.length > 1).map((group) => group.join(' ')))]
		.sort()
		.map((group) => group.split(' '));
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

	test('the graph has files that are there, each once, and leaves types out when asked', () => {
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
		assert.deepEqual(importGraph(sources, 'all'), all);
		assert.deepEqual(importGraph(sources, 'run time').get('src/a/one.ts'), new Set(['src/b/two.ts']));
		assert.deepEqual(
			importersOf(all),
			new Map([
				['src/b/two.ts', 2],
				['src/a/three.ts', 1],
			]),
		);
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

suite('house: circles', () => {
	test('a group is whoever imports each other by whatever way, and nobody else', () => {
		const graph = graphOf({ top: 'a', a: 'b', b: 'c leaf', c: 'a', leaf: '', x: 'y leaf', y: 'x', self: 'self' });
		assert.deepEqual(
			circlesIn(graph).map((group) => group.toSorted()),
			[
				['a', 'b', 'c'],
				['x', 'y'],
			],
		);
	});

	test('groups are those that a search from every file finds, whatever the graph', () => {
		const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];
		fc.assert(
			fc.property(
				fc.array(fc.tuple(fc.constantFrom(...names), fc.constantFrom(...names)), { maxLength: 14 }),
				(arrows) => {
					const graph: ImportGraph = new Map(
						names.map((name) => [name, new Set(arrows.filter(([from]) => from === name).map(([, to]) => to))]),
					);
					const found = circlesIn(graph).map((group) => group.toSorted());
					assert.deepEqual(
						found.toSorted((one, other) => (one.join(' ') < other.join(' ') ? -1 : 1)),
						circlesBySearch(graph),
					);
				},
			),
			inRounds({ small: 100, full: 2000 }),
		);
	});

	test('folders of a room that import each other are a pair, folders of different rooms are none', () => {
		const graph = graphOf({
			'src/r/a.ts': 'src/r/in/b.ts src/r/in/c.ts src/other/d.ts',
			'src/r/in/b.ts': 'src/r/deep/e.ts src/r/in/c.ts',
			'src/r/in/c.ts': 'src/r/f.ts',
			'src/other/d.ts': 'src/r/a.ts',
		});
		assert.deepEqual(
			folderPairs(graph, (path) => path.split('/')[1] ?? ''),
			{ twoWay: [['src/r', 'src/r/in']], all: 2 },
		);
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

	test('a module whose values only give types is one of types', () => {
		assert.equal(hasValues('export interface A {}\ntype B = A;'), false);
		assert.equal(hasValues("export const ids = ['a'] as const;\nexport type Id = (typeof ids)[number];"), false);
		assert.equal(hasValues("const ids = ['a'];\ntype Id = (typeof ids)[number];\nexport function idOf() {}"), true);
		assert.equal(hasValues("export { a } from './a.ts';"), true);
	});
});

suite('house: what is reached', () => {
	test('bundles tell their entries and what they are made of; those of tests do not count', () => {
		const folder = mkdtempSync(join(tmpdir(), 'house-'));
		const write = (name: string, value: unknown): void => writeFileSync(join(folder, name), JSON.stringify(value));
		try {
			write('desk.json', {
				inputs: { 'src/desk.ts': { bytes: 1 }, 'src/a.ts': { bytes: 1 } },
				outputs: { 'dist/desk.js': { entryPoint: 'src/desk.ts' }, 'dist/chunk.js': {} },
			});
			write('tests.json', { inputs: { 'src/b.ts': {} }, outputs: { 'dist/t.cjs': { entryPoint: 'src/b.ts' } } });
			assert.deepEqual(readBundles(folder), { entries: ['src/desk.ts'], inputs: new Set(['src/desk.ts', 'src/a.ts']) });
		} finally {
			rmSync(folder, { recursive: true });
		}
	});

	test('what no import leads to and what no bundle has is counted once, and exports by their names', () => {
		const output = JSON.stringify({
			issues: [
				{ file: 'src/dead.ts', files: [{ name: 'src/dead.ts' }] },
				{ file: 'src/a.ts', exports: [{ name: 'one' }], types: [{ name: 'Two' }] },
			],
		});
		const sources = [
			sourceOf('src/a.ts', 'export const a = 1;'),
			sourceOf('src/dead.ts', 'export const dead = 1;'),
			sourceOf('src/onlyTypes.ts', 'export interface A {}'),
			sourceOf('src/unbundled.ts', 'export class A {}'),
		];
		assert.deepEqual(unreached(output, { entries: [], inputs: new Set(['src/a.ts']) }, sources), {
			files: ['src/dead.ts', 'src/unbundled.ts'],
			exports: ['src/a.ts: one', 'src/a.ts: Two'],
		});
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
		const measured = figuresOf(sources, { files: [], exports: ['src/r/a.ts: a'] }, ['src/r/a.ts:2: gone']);
		assert.deepEqual(
			measured.map(({ value }) => value),
			[1, 2, 0, 1, 1, 2, 4, 2, 0, 1, 1, 100, 1, 1, 100, 0, 1, 1],
		);
	});
});
