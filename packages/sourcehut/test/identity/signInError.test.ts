import assert from 'node:assert/strict';
import { restProtocol } from '../../src/rest/restProtocol.ts';
import { serverWords } from '../../src/identity/signInError.ts';
import { growthOf, mostGrowth } from '../../../../test/support/cpuTime.ts';
import { makeInstance } from '../../../../test/support/makeSession.ts';

suite('error text of a server at sign-in', () => {
	test('becomes one line without tags, links and control characters', () => {
		assert.equal(serverWords('<b>Not</b>\n today \u202E[run](command:x) 1 < 2'), 'Not today (run)(command:x) 1 < 2');
		assert.equal(serverWords('x'.repeat(1000)).length, 200);
	});

	const parsers: Readonly<Record<string, (text: string) => unknown>> = {
		serverWords,
		scopes: restProtocol(makeInstance()).readGranted,
	};
	for (const [name, parse] of Object.entries(parsers)) {
		test(`takes at most about twice the time for twice the text: ${name}`, () => {
			for (const piece of ['<', '<a', '<>', ' ', ',', 'a,', '*/', ':', '\u202E', '[', '\n']) {
				const growth = growthOf(parse, (size) => `${piece.repeat(size / piece.length)}x`, 20_000);
				assert.ok(growth <= mostGrowth, `${JSON.stringify(piece)}: ${growth}`);
			}
		}).timeout(60_000);
	}
});
