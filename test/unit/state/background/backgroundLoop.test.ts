import assert from 'node:assert/strict';
import { Emitter } from '../../../../src/base/event.ts';
import { ForgeError, type Problem } from '../../../../src/forge/forgeError.ts';
import { backgroundLoop, type BackgroundTask } from '../../../../src/state/background/backgroundLoop.ts';
import { fakeClock } from '../../../support/fakeClock.ts';

const problems: readonly Problem[] = [
	{ kind: 'missingScope', scope: undefined, asWritten: 'LISTS:RO' },
	{ kind: 'unreachable', reason: 'refused', host: 'lists.forge.test' },
	{ kind: 'rateLimited', untilMs: undefined },
];

suite('What is read in the background', () => {
	for (const problem of problems) {
		test(`of one server does not wait for another one that fails: ${problem.kind}`, async () => {
			const clock = fakeClock();
			const loop = backgroundLoop({ presence: { isThere: () => true, onDidChange: new Emitter<void>().event }, clock });
			const asked = { apart: 0, tickets: 0 };
			const next = { apart: 0, tickets: 0 };
			const task = (name: 'apart' | 'tickets', read: () => Promise<void>): BackgroundTask => ({
				atMs: next[name],
				waitsForBudget: false,
				isApart: name === 'apart',
				read() {
					asked[name] += 1;
					next[name] = clock.nowMs() + 60_000;
					return read();
				},
				failed: () => undefined,
			});
			loop.add({
				tasks: ({ restUntilMs }) =>
					[task('apart', () => Promise.reject(new ForgeError(problem))), task('tickets', () => Promise.resolve())].map(
						(each) => ({ ...each, atMs: Math.max(each.atMs, restUntilMs) }),
					),
				hurry: () => undefined,
				clockWentBack: () => undefined,
			});
			for (let second = 0; second < 600; second += 1) {
				clock.advance(1000);
				await new Promise((resolve) => setImmediate(resolve));
			}
			assert.ok(asked.tickets >= 9 && asked.apart >= 9, JSON.stringify(asked));
			assert.equal(loop.pause, undefined);
			loop.dispose();
		});
	}
});
