import { posix } from 'node:path';
import { functionsIn } from './functions.ts';
import { documentProse, proseOf, titleProse, type Prose } from './prose.ts';
import { importGraph, type ImportGraph, type Source } from './sources.ts';
import type { Figure } from './table.ts';

/** Phrases per 1,000 words in the comments of one folder. */
const proseLimits = { relatives: 3, idioms: 2, passives: 16 };
/** Folders with fewer words do not count. */
const fewWords = 300;

export function figuresOf(sources: readonly Source[]): readonly Figure[] {
	const graph = importGraph(sources);
	const linesIn = (folder: string): number =>
		sumOf(sources.filter(({ path }) => path.startsWith(folder)).map((source) => codeLines(source).all));
	const lines = linesIn('');
	const [extension, sample] = [linesIn('src/'), linesIn('packages/sample-forge/')];
	const importLines = sumOf(sources.flatMap(({ imports }) => imports.map((each) => each.lines)));
	const [longest] = sources
		.map((source) => ({ path: source.path, ...codeLines(source) }))
		.toSorted((one, other) => other.all - one.all);
	const targets = sumOf([...graph.values()].map(({ size }) => size));
	const listed = (name: string, found: readonly string[]): Figure => ({ name, value: found.length, found });
	return [
		{ name: 'extension: code lines', value: extension },
		{ name: 'libraries: code lines', value: lines - extension - sample },
		{ name: 'sample forge: code lines', value: sample },
		{ name: 'files', value: sources.length },
		{ name: 'lines of the longest file', value: longest?.all ?? 0, found: [longest?.path ?? ''] },
		{ name: 'imports and types, % of code', value: per(100 * (importLines + typeLines(sources)), lines) },
		{ name: 'imports per 100 lines of code', value: per(100 * targets, lines) },
		...extensionFigures(sources.filter(({ path }) => path.startsWith('src/') && !path.endsWith('.d.ts'))),
		listed('pairs of folders of a room that import each other', folderPairs(graph)),
		listed('files that only forward', forwarding(sources)),
		listed(
			'interfaces of arguments: …Parts, …Options',
			matches(sources, /^(?:export )?interface (\w+(?:Parts|Options))\b/gm),
		),
		listed('interfaces beside their only factory', factoryInterfaces(sources)),
		listed('Pick and Omit', matches(sources, /\b((?:Pick|Omit)<\w+)/g)),
		...proseFigures(sources),
	];
}

/** Decision 39: how often a reader jumps to another function or file. */
function extensionFigures(sources: readonly Source[]): readonly Figure[] {
	const lines = sources.map(codeLines);
	const thousands = sumOf(lines.map(({ all }) => all)) / 1000;
	const functions = sources.map((source) => ({ path: source.path, ...functionsIn(source) }));
	const usedOnce = functions.flatMap(({ path, usedOnce }) => usedOnce.map((name) => `${path} ${name}`));
	const targets = sumOf([...importGraph(sources).values()].map(({ size }) => size));
	return [
		{
			name: 'extension: functions per 1,000 lines',
			value: per(sumOf(functions.map(({ all }) => all)), thousands),
		},
		{
			name: 'extension: local functions used once, per 1,000 lines',
			value: per(usedOnce.length, thousands),
			found: usedOnce,
		},
		{
			name: 'extension: lines per import',
			value: per(sumOf(lines.map(({ body }) => body)), targets),
			isFloor: true,
		},
	];
}

/** Pairs of folders inside one room that import each other. */
export function folderPairs(graph: ImportGraph): readonly string[] {
	const arrows = new Set<string>();
	for (const [file, targets] of graph) {
		for (const target of targets) {
			const [from, to] = [posix.dirname(file), posix.dirname(target)];
			if (from !== to && roomOf(file) === roomOf(target)) {
				arrows.add(`${from} ${to}`);
			}
		}
	}
	return [...arrows].filter((arrow) => {
		const [from = '', to = ''] = arrow.split(' ');
		return from < to && arrows.has(`${to} ${from}`);
	});
}

/** `src/features` for `src/features/lists/mail.ts`, `packages/patchmail` for its sources. */
function roomOf(path: string): string {
	return path.split('/', 2).join('/');
}

/** Lines that are neither blank nor wholly comment; `body` without the imports. */
export function codeLines({ text, imports }: Source): { readonly all: number; readonly body: number } {
	let isInComment = false;
	let all = 0;
	for (const line of text.split('\n').map((written) => written.trim())) {
		const isComment: boolean = isInComment || line.startsWith('//') || line.startsWith('/*');
		isInComment = isComment && !line.startsWith('//') && !line.includes('*/');
		all += isComment || line === '' ? 0 : 1;
	}
	return { all, body: all - sumOf(imports.map(({ lines }) => lines)) };
}

/** Code lines of interfaces and type aliases at the top of files. */
function typeLines(sources: readonly Source[]): number {
	const declared = /^(?:export )?(?:interface \w[^]*?^\}|type \w[^]*?;\n(?!\t))/gm;
	return sumOf(
		sources.flatMap(({ path, text }) =>
			Array.from(text.matchAll(declared), ([block]) => codeLines({ path, text: block, imports: [] }).all),
		),
	);
}

/** Files without a statement of their own: only exports from other files. */
function forwarding(sources: readonly Source[]): readonly string[] {
	return sources
		.filter(
			({ path, text, imports }) =>
				!/^packages\/[^/]+\/src\/index\.ts$/.test(path) &&
				imports.length > 0 &&
				codeLines({ path: '', text: withoutForwards(text), imports: [] }).all === 0,
		)
		.map(({ path }) => path);
}

function withoutForwards(text: string): string {
	return text.replaceAll(/^export (?:type )?(?:\*|\{[^}]*\})(?: from '[^']*')?;$|^import [^;]*;$/gm, '');
}

/** Interfaces with methods that exactly one function of their file returns, as an object literal. */
function factoryInterfaces(sources: readonly Source[]): readonly string[] {
	return sources.flatMap(({ path, text }) => {
		const functions = text.match(/^(?:export )?(?:async )?function [^]*?^\}/gm) ?? [];
		return Array.from(text.matchAll(/^(?:export )?interface (\w+)[^{]*\{\n([^]*?)^\}/gm))
			.filter(([, name = '', members = '']) => {
				const returned = new RegExp(String.raw`\): (?:\w+ & )*${name}(?: & \w+)* \{\n[^]*^\treturn \{`, 'm');
				return /^\t\w+(?:<.*>)?\(/m.test(members) && functions.filter((each) => returned.test(each)).length === 1;
			})
			.map(([, name = '']) => `${path} ${name}`);
	});
}

function matches(sources: readonly Source[], pattern: RegExp): readonly string[] {
	return sources.flatMap(({ path, text }) => Array.from(text.matchAll(pattern), ([, name = '']) => `${path} ${name}`));
}

/** Prose of tests and documents beside the limits, as rates per 1,000 words. */
export function proseBeside(tests: readonly string[], documents: readonly string[]): readonly Figure[] {
	const rows: readonly (readonly [string, Prose])[] = [
		['titles of tests', titleProse(tests)],
		['comments of tests', proseOf(tests)],
		['documents', documentProse(documents)],
	];
	const [nothing] = rows.find(([, { words }]) => words < fewWords) ?? [];
	if (nothing !== undefined) {
		throw new Error(`The house finds no ${nothing}.`);
	}
	return rows.flatMap(([name, { relatives, idioms, passives }]) => [
		{ name: `${name}: free relatives per 1,000 words`, value: relatives },
		{ name: `${name}: idioms per 1,000 words`, value: idioms },
		{ name: `${name}: passives per 1,000 words`, value: passives },
	]);
}

/** For each limit of prose: the folders with comments above it. */
function proseFigures(sources: readonly Source[]): readonly Figure[] {
	const folders = [
		...Map.groupBy(sources, ({ path }) =>
			path
				.split('/')
				.slice(0, -1)
				.slice(0, path.startsWith('packages/') ? 4 : 3)
				.join('/'),
		),
	];
	const measured = folders
		.map(([folder, files]) => ({ folder, prose: proseOf(files.map(({ text }) => text)) }))
		.filter(({ prose }) => prose.words >= fewWords);
	const above = (name: string, kind: keyof typeof proseLimits): Figure => {
		const found = measured.filter(({ prose }) => prose[kind] > proseLimits[kind]);
		return {
			name: `folders with more than ${proseLimits[kind]} ${name} per 1,000 words`,
			value: found.length,
			found: found.map(({ folder, prose }) => `${folder} ${prose[kind]}`),
		};
	};
	return [above('free relatives', 'relatives'), above('idioms', 'idioms'), above('passives', 'passives')];
}

function per(count: number, of: number): number {
	return Math.round((100 * count) / Math.max(1, of)) / 100;
}

function sumOf(values: readonly number[]): number {
	return values.reduce((sum, value) => sum + value, 0);
}
