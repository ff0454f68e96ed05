import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import type { Source } from './sources.ts';

const metafile = v.object({
	inputs: v.record(v.string(), v.unknown()),
	outputs: v.record(v.string(), v.object({ entryPoint: v.optional(v.string()) })),
});

/** What the build wrote of its bundles. */
export interface Bundles {
	/** The sources that it was given. */
	readonly entries: readonly string[];
	/** Everything that a bundle was made of. */
	readonly inputs: ReadonlySet<string>;
}

/** Reads `dist/meta`; bundles of tests do not count. */
export function readBundles(folder: string): Bundles {
	const all = readdirSync(folder)
		.filter((name) => name !== 'tests.json')
		.map((name) => v.parse(metafile, JSON.parse(readFileSync(join(folder, name), 'utf8'))));
	return {
		entries: all
			.flatMap(({ outputs }) => Object.values(outputs).flatMap(({ entryPoint }) => entryPoint ?? []))
			.filter((entry) => entry.startsWith('src/')),
		inputs: new Set(all.flatMap(({ inputs }) => Object.keys(inputs))),
	};
}

/** Whether a module has values that are more than what types are taken from: `typeof` is erased with the types. */
export function hasValues(text: string): boolean {
	const named = text.matchAll(
		/^(?:export )?(?:async |abstract )?(?:const|let|function\*?|class) (?<name>[\w$]+)|^export (?:\{|\*)/gm,
	);
	return Array.from(named, ([, name]) => name).some(
		(name) => name === undefined || !new RegExp(`\\btypeof ${name.replaceAll('$', '\\$')}\\b`).test(text),
	);
}

const report = v.object({
	issues: v.array(
		v.object({
			file: v.string(),
			files: v.optional(v.array(v.unknown()), []),
			exports: v.optional(v.array(v.object({ name: v.string() })), []),
			types: v.optional(v.array(v.object({ name: v.string() })), []),
		}),
	),
});

export interface Unreached {
	readonly files: readonly string[];
	/** `src/a.ts: name` */
	readonly exports: readonly string[];
}

/** The generator of the manifest reads the command table and ships nothing. */
const generator = 'src/manifest/main.ts';
const ofGenerator = /^src\/(?:manifest|commands)\//;

/** Writes the settings by which knip looks from these entries alone; an export that its own file uses is reached. */
export function writeKnipSettings(file: string, { entries }: Bundles): void {
	writeFileSync(
		file,
		JSON.stringify({
			entry: [...entries, generator].map((entry) => `${entry}!`),
			project: ['src/**/*.ts!'],
			ignoreExportsUsedInFile: true,
		}),
	);
}

/** What no bundle has or its entries do not reach. `output` is what knip said with these settings, as JSON. */
export function unreached(output: string, { inputs }: Bundles, sources: readonly Source[]): Unreached {
	const { issues } = v.parse(report, JSON.parse(output));
	const files = new Set(issues.filter((issue) => issue.files.length > 0).map(({ file }) => file));
	for (const { path, text } of sources) {
		if (!inputs.has(path) && !ofGenerator.test(path) && hasValues(text)) {
			files.add(path);
		}
	}
	return {
		files: [...files].sort(),
		exports: issues.flatMap((issue) => [...issue.exports, ...issue.types].map(({ name }) => `${issue.file}: ${name}`)),
	};
}
