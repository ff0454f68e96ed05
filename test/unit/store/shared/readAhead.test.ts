import assert from 'node:assert/strict';
import { ForgeError, type Problem } from 'sourcehut/port/forgeError.ts';
import { readAhead } from '../../../../src/store/repositories/repositoryFolders.ts';

const never = new AbortController().signal;
const count = 100;

/** Reads texts of which each fails in this way, and answers how many were tried. */
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

suite('reading ahead', () => {
	const cases: readonly (readonly [string, Problem, 'ends' | 'goes on'])[] = [
		['nobody is signed in', { kind: 'notSignedIn' }, 'ends'],
		['the token lacks a scope', { kind: 'missingScope', scope: undefined, asWritten: 'git/OBJECTS:RO' }, 'ends'],
		['the forge asks for rest', { kind: 'rateLimited', untilMs: undefined }, 'ends'],
		['the host is away', { kind: 'unreachable', reason: 'refused', host: 'git.forge.test' }, 'ends'],
		['one connection broke', { kind: 'unreachable', reason: 'reset', host: 'git.forge.test' }, 'goes on'],
		['one answer took too long', { kind: 'unreachable', reason: 'timeout', host: 'git.forge.test' }, 'goes on'],
		['one text is too large', { kind: 'tooLarge', limitBytes: 1 }, 'goes on'],
	];
	for (const [title, problem, what] of cases) {
		test(`${what} when ${title}`, async () => {
			const reads = await tried(problem);
			assert.ok(what === 'ends' ? reads < count : reads === count, String(reads));
		});
	}
});
