import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { root } from '../../harness/places.ts';
import { figuresOf, proseBeside } from '../../house/figures.ts';
import { importsIn } from '../../house/sources.ts';
import { type Figure, type Limits, printedTable } from '../../house/table.ts';
import { type Moment, type Trace, walkFigures } from '../../house/walks/walkFigures.ts';

/** A small house with made-up sources, tests and documents, and the trace of every walk. */
interface House extends Trace {
	/** By path. */
	readonly sources: Readonly<Record<string, string>>;
	readonly tests: readonly string[];
	readonly documents: readonly string[];
}

const walkNames = ['status', 'patch', 'folder'] as const;
const lines = (text: string, count: number): string => `${text}\n`.repeat(count);
const title = (text: string): string => `test('${text}', () => {});\n`;
const words = 'The store keeps one list for each account.';
const told: Moment = { name: 'told', about: 'row', files: ['src/tree.ts'] };
const parsed: Moment = { name: 'parsed', about: 'diff', files: ['src/tree.ts'] };

const house: House = {
	sources: {
		'src/room/a.ts': `import { b } from './b.ts';\n${lines('b();', 40)}`,
		'src/room/b.ts': 'export function b(): void {\n}\n',
		'packages/patchmail/src/c.ts': 'export const c = 1;\n',
		'packages/sample-forge/src/d.ts': 'export const d = 1;\n',
	},
	tests: [lines(title(words), 50), lines(`// ${words}\nuse();`, 50)],
	documents: [lines(`${words}\n`, 50)],
	moments: [told, parsed],
	runs: [{ file: 'src/tree.ts', name: 'draw', calls: 3 }],
};

function figuresIn({ sources, tests, documents, moments, runs }: House): readonly Figure[] {
	const read = Object.entries(sources).map(([path, text]) => ({ path, text, imports: importsIn(text) }));
	const walks = walkNames.map((name) => ({ name, trace: { moments, runs } }));
	return [...figuresOf(read), ...proseBeside(tests, documents), ...walkFigures(walks)];
}

const withSource =
	(path: string, text: string) =>
	(from: House): House => ({ ...from, sources: { ...from.sources, [path]: text } });
const withMoment =
	(moment: Moment) =>
	(from: House): House => ({ ...from, moments: [...from.moments, moment] });
const withRun =
	(file: string) =>
	(from: House): House => ({ ...from, runs: [...from.runs, { file, name: 'more', calls: 1 }] });

const relatives = 'The page shows what it has, and what it lacks.';
const idioms = 'The row stands here and tells nothing.';
const passives = 'The list is sorted and the page was shown.';
const factory = 'export interface Made {\n\tone(): void;\n}\nexport function made(): Made {\n\treturn {\n\t};\n}\n';

const inTitles =
	(text: string) =>
	(from: House): House => ({ ...from, tests: [...from.tests, lines(title(text), 50)] });
const inTests =
	(text: string) =>
	(from: House): House => ({ ...from, tests: [...from.tests, lines(`// ${text}\nuse();`, 50)] });
const inDocuments =
	(text: string) =>
	(from: House): House => ({
		...from,
		documents: [...from.documents, lines(`${text}\n`, 50)],
	});
const inComments = (text: string): ((from: House) => House) =>
	withSource('src/talk/e.ts', lines(`// ${text}\nuse();`, 50));

/** By row, a change that breaks its limit. */
const plants: Readonly<Record<string, (from: House) => House>> = {
	'extension: code lines': withSource('src/room/e.ts', 'use();\n'),
	'libraries: code lines': withSource('packages/patchmail/src/e.ts', 'use();\n'),
	'sample forge: code lines': withSource('packages/sample-forge/src/e.ts', 'use();\n'),
	files: withSource('src/room/e.ts', ''),
	'lines of the longest file': withSource('src/room/e.ts', lines('use();', 60)),
	'imports and types, % of code': withSource('src/room/e.ts', lines('export type E = string;', 9)),
	'imports per 100 lines of code': withSource('src/room/e.ts', "import { b } from './b.ts';\nb();\n"),
	'extension: functions per 1,000 lines': withSource('src/room/e.ts', 'export function e(): void {\n}\n'),
	'extension: local functions used once, per 1,000 lines': withSource(
		'src/room/e.ts',
		'export const e = once();\nfunction once(): number { return 1; }\n',
	),
	'extension: lines per import': withSource('src/room/e.ts', "import { b } from './b.ts';\nb();\n"),
	'pairs of folders of a room that import each other': (from) =>
		withSource(
			'src/room/in/e.ts',
			"import { f } from '../f.ts';\n",
		)(withSource('src/room/f.ts', "import { e } from './in/e.ts';\n")(from)),
	'files that only forward': withSource('src/room/e.ts', "export { b } from './b.ts';\n"),
	'interfaces of arguments: …Parts, …Options': withSource('src/room/e.ts', 'export interface ListParts {\n}\n'),
	'interfaces beside their only factory': withSource('src/room/e.ts', factory),
	'Pick and Omit': withSource('src/room/e.ts', "export type E = Pick<F, 'one'>;\n"),
	'folders with more than 3 free relatives per 1,000 words': inComments(relatives),
	'folders with more than 2 idioms per 1,000 words': inComments(idioms),
	'folders with more than 16 passives per 1,000 words': inComments(passives),
	'titles of tests: free relatives per 1,000 words': inTitles(relatives),
	'titles of tests: idioms per 1,000 words': inTitles(idioms),
	'titles of tests: passives per 1,000 words': inTitles(passives),
	'comments of tests: free relatives per 1,000 words': inTests(relatives),
	'comments of tests: idioms per 1,000 words': inTests(idioms),
	'comments of tests: passives per 1,000 words': inTests(passives),
	'documents: free relatives per 1,000 words': inDocuments(relatives),
	'documents: idioms per 1,000 words': inDocuments(idioms),
	'documents: passives per 1,000 words': inDocuments(passives),
	...Object.fromEntries(
		walkNames.flatMap((name) => [
			[`${name}: files on the main line`, withMoment({ name: 'told', about: 'other', files: ['src/late.ts'] })],
			[`${name}: files run`, withRun('src/late.ts')],
			[`${name}: calls`, withRun('src/tree.ts')],
			[`${name}: texts parsed as diffs more than once`, withMoment(parsed)],
		]),
	),
	'status: times that one row was told to the editor': withMoment(told),
};

const limitsFile = join(root, 'test/house/limits.json');

suite('limits of the house', () => {
	/** Without room above the figures of this house. */
	const limits: Limits = Object.fromEntries(figuresIn(house).map(({ name, value }) => [name, value]));

	const broken = (from: House): readonly string[] =>
		printedTable(figuresIn(from), limits).flatMap(
			(line) => /^(.+): \S+ is (?:above|below) the limit /.exec(line)?.[1] ?? [],
		);

	test('each has a change below that breaks it', () => {
		const names = Object.keys(v.parse(v.record(v.string(), v.number()), JSON.parse(readFileSync(limitsFile, 'utf8'))));
		assert.deepEqual(Object.keys(plants).toSorted(), names.toSorted());
	});

	test('hold for an unchanged house', () => assert.deepEqual(broken(house), []));

	for (const [name, plant] of Object.entries(plants)) {
		test(`${name}: a figure beyond its limit fails`, () => {
			const rows = broken(plant(house));
			assert.ok(rows.includes(name), `only ${rows.join(', ')}`);
		});
	}
});
