import '../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import { ForgeError, type Problem } from 'sourcehut/port/forgeError.ts';

const host = 'git.forge.test';

suite('notice above stale rows', () => {
	const cases: readonly (readonly [Problem, string])[] = [
		[{ kind: 'unreachable', reason: 'offline', host }, 'Offline'],
		[{ kind: 'unreachable', reason: 'timeout', host }, 'Offline'],
		[{ kind: 'unreachable', reason: 'tls', host }, 'Not up to date'],
		[{ kind: 'unreachable', reason: 'proxy', host }, 'Not up to date'],
		[{ kind: 'unreachable', reason: 'proxySignIn', host }, 'Not up to date'],
		[{ kind: 'unreachable', reason: 'proxyUnusable', host }, 'Not up to date'],
		[{ kind: 'rateLimited', untilMs: undefined }, 'Too many requests'],
		[{ kind: 'serverError', status: 500 }, 'The forge failed'],
		[{ kind: 'notFound' }, 'Not up to date'],
	];
	for (const [problem, words] of cases) {
		test(`names the failure: ${Object.values(problem).join(' ')}`, async () => {
			const { readBeforeText } = await import('../../../../src/editor/ask/readBefore.ts');
			const error = new ForgeError(problem);
			assert.equal(readBeforeText(error, '2 hours ago'), `${words} – showing data from 2 hours ago`);
			assert.equal(readBeforeText(error, undefined), `${words} – showing earlier data`);
		});
	}

	test('rounds the age down to full minutes', async () => {
		const { agoText } = await import('../../../../src/editor/ask/readBefore.ts');
		assert.deepEqual(
			[0, 59_999, 60_000].map((ms) => agoText(0, ms, 'long')),
			['less than a minute ago', 'less than a minute ago', '1 minute ago'],
		);
	});
});
