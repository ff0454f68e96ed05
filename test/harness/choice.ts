import { existsSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import type { Children } from './children.ts';
import { vsixFile } from './places.ts';
import { PlainProblem } from './plainProblem.ts';
import type { Stage } from './stages.ts';
import { editorFilesWith } from './toolStages.ts';

export interface Choice {
	readonly stages: readonly string[];
	readonly words: readonly string[];
}

/** Words that name a stage choose it; all others filter tests by title and path. */
export function choiceOf(args: readonly string[], stageNames: readonly string[]): Choice {
	const words = args.filter((arg) => !arg.startsWith('--'));
	return {
		stages: words.filter((word) => stageNames.includes(word)),
		words: words.filter((word) => !stageNames.includes(word)).flatMap((word) => word.split(/\s+/).filter(Boolean)),
	};
}

/** Whether a run repeats tests that passed with the same inputs. A machine of continuous integration always does. */
export function runsAnew(args: readonly string[], env: NodeJS.ProcessEnv): boolean {
	return args.includes('--all') || (env['CI'] ?? '') !== '';
}

/** The named stages and their prerequisites, in order. */
export function withNeeds(stages: readonly Stage[], names: readonly string[]): readonly Stage[] {
	const wanted = new Set(names);
	for (const { name, needs } of stages.toReversed()) {
		if (wanted.has(name)) {
			for (const need of needs) {
				wanted.add(need);
			}
		}
	}
	return stages.filter(({ name }) => wanted.has(name));
}

const listLimitMs = 300_000;
const listed = v.record(v.string(), v.array(v.string()));

/** By ring, the files with a test that has all words. Rings without one are left out; throws when all are. */
export async function filesWith(
	words: readonly string[],
	rings: readonly string[],
	children: Children,
): Promise<Readonly<Record<string, readonly string[]>>> {
	const script = join(import.meta.dirname, 'listProcess.ts');
	// Files of the ring `bundle` load the package.
	const isPackaged = existsSync(vsixFile);
	if (rings.includes('bundle') && !isPackaged) {
		console.log('Without tests of the package: it is not built yet (npm run package).');
	}
	const loaded = rings.filter((ring) => ring !== 'editor' && (ring !== 'bundle' || isPackaged));
	const { code, output } = await children.run(process.execPath, [script, ...loaded, '--', ...words], {
		limitMs: listLimitMs,
	});
	if (code !== 0) {
		throw new PlainProblem(`The tests could not be listed.\n${output}`);
	}
	const found = v.parse(listed, JSON.parse(output.split('\n').findLast((line) => line.startsWith('{')) ?? '{}'));
	const all = { ...found, ...(rings.includes('editor') ? { editor: editorFilesWith(words) } : {}) };
	const matching = Object.fromEntries(Object.entries(all).filter(([, files]) => files.length > 0));
	if (Object.keys(matching).length === 0) {
		throw new PlainProblem(`No test matches ${words.join(' ')} (looked in ${rings.join(', ')}).`);
	}
	return matching;
}
