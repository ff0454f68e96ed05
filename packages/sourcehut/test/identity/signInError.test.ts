import assert from 'node:assert/strict';
import { restProtocol } from '../../src/rest/restProtocol.ts';
import { serverWords } from '../../src/identity/signInError.ts';
import { growthOf, mostGrowth } from '../../../../test/support/cpuTime.ts';
import { makeInstance } from '../../../../test/support/makeSession.ts';

suite('what a server says at sign-in', () => {
	test('is one line without tags, links and controls', () => {
		assert.equal(serverWords('<b>Not</b>\n today \u202E[run](command:x) 1 < 2'), 'Not today (run)(command:x) 1 < 2');
		assert.equal(serverWords('x'.repeat(1000)).length, 200);
	});

	const parsers: Readonly<Record<string, (text: string) => unknown>> = {
		serverWords,
		scopes: restProtocol(makeInstance()).readGranted,
	};
	for (const [name, parse] of Object.entries(parsers)) {
		test(`takes ${name} about twice the time at most for twice as much of anything`, () => {
			for (const piece of ['<', '<a', '<>', ' ', ',', 'a,', '*/', ':', '\u202E', '[', '\n']) {
				const growth = growthOf(parse, (size) => `${piece.repeat(size / piece.length)}x`, 20_000);
				assert.ok(growth <= mostGrowth, `${JSON.stringify(piece)}: ${growth}`);
			}
		}).timeout(60_000);
	}
});
