import { execFileSync } from 'node:child_process';
import { root } from './places.ts';

/** What one stage of tests alone reads. Beside their own folder, unit tests read what tells people how to work here. */
const readByOne: Readonly<Record<string, readonly string[]>> = {
	unit: ['test/unit/', 'test/harness/proof', 'CONTRIBUTING.md'],
	contract: ['test/contract/'],
	page: ['test/page/'],
	ui: ['test/ui/'],
	editor: ['test/editor/'],
	sampleForge: ['test/sampleForge/'],
	bundle: ['test/bundle/'],
};

/**
 * Whether a stage could show something else once these paths changed. Not so if they are all what other stages of tests alone
 * read; stages that run no tests, or those of others, are touched by everything.
 */
export function isTouched(stage: string, paths: readonly string[]): boolean {
	const ofOthers = Object.entries(readByOne).flatMap(([name, beginnings]) => (name === stage ? [] : beginnings));
	const isOfOthers = (path: string): boolean => ofOthers.some((beginning) => path.startsWith(beginning));
	return paths.length > 0 && (readByOne[stage] === undefined || !paths.every(isOfOthers));
}

/** What differs between two commits; `undefined` where one of them is not known here. */
export function pathsBetween(before: string, after: string): readonly string[] | undefined {
	try {
		const args = ['diff', '--name-only', '--no-renames', '-z', '--end-of-options', before, after, '--'];
		const paths = execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
		return paths.split('\0').filter(Boolean);
	} catch {
		return undefined;
	}
}
