import assert from 'node:assert/strict';
import { accountKey, isBoundTo } from '../../../../src/editor/accounts/session.ts';
import { makeInstance, makeSession } from '../../../support/makeSession.ts';

suite('sessions', () => {
	test('an account’s key is valid in a URL authority, and unique per account', () => {
		assert.equal(accountKey('meta.forge.example', '~alice'), 'alice.meta.forge.example');
		const names = ['~alice', '~Alice', '~a.lice', '~a-lice', '~a/lice', '~a~2e~lice', '~älice', '~bob@x'];
		const keys = names.map((name) => accountKey('meta.forge.example', name));
		assert.equal(new Set(keys).size, names.length);
		for (const key of keys) {
			assert.match(key, /^[a-z0-9_.~-]+$/);
		}
	});

	test('a token belongs to the exact addresses of its sign-in', () => {
		const session = makeSession();
		const instance = makeInstance();
		assert.ok(isBoundTo(session, instance));
		for (const area of ['meta', 'todo', 'git', 'lists'] as const) {
			const { host } = new URL(instance.areas[area] ?? '');
			for (const near of [
				'https://forge.example.evil',
				`https://evil-${host}`,
				`https://evil.${host}`,
				`https://${host}.evil`,
				`https://${host}:444`,
				`http://${host}`,
			]) {
				const moved = { ...instance, areas: { ...instance.areas, [area]: near } };
				assert.equal(isBoundTo(session, moved), false, near);
			}
		}
		assert.equal(isBoundTo(session, { ...instance, id: 'other' }), false);
	});
});
