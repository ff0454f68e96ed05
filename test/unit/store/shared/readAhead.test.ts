import assert from 'node:assert/strict';
import { ForgeError, type Problem } from 'sourcehut/port/forgeError.ts';
import { readAhead } from '../../../../src/store/repositories/repositoryFolders.ts';

const never = new AbortController().signal;
const count = 100;

/** Number of reads when each read fails with `problem`. */
async function tried(problem: Problem): Promise<number> {
	let reads = 0;
	const beginWalk = async () => ({ dispose: () => undefined });
	const read = async () => {
		reads += 1;
		throw new ForgeError(problem);
	};
	await readAhead(Array.from({ length: count }), beginWalk, read, () => undefined, never).catch(() => undefined);
	return reads;
}

suite('read-ahead', () => {
	const cases: readonly (readonly [string, Problem, 'ends' | 'continues'])[] = [
		['no user is signed in', { kind: 'notSignedIn' }, 'ends'],
		['the token lacks a scope', { kind: 'missingScope', scope: undefined, asWritten: 'git/OBJECTS:RO' }, 'ends'],
		['the forge limits requests', { kind: 'rateLimited', untilMs: undefined }, 'ends'],
		['the host is unreachable', { kind: 'unreachable', reason: 'refused', host: 'git.forge.test' }, 'ends'],
		['one connection breaks', { kind: 'unreachable', reason: 'reset', host: 'git.forge.test' }, 'continues'],
		['one response times out', { kind: 'unreachable', reason: 'timeout', host: 'git.forge.test' }, 'continues'],
		['one text is too large', { kind: 'tooLarge', limitBytes: 1 }, 'continues'],
	];
	for (const [title, problem, what] of cases) {
		test(`${what} when ${title}`, async () => {
			const reads = await tried(problem);
			assert.ok(what === 'ends' ? reads < count : reads === count, String(reads));
		});
	}
});
