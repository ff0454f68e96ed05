import assert from 'node:assert/strict';
import { namesWith, ownerSearchOf } from '../../../../src/editor/owned/ownedKind.ts';
import type { Completeness, Pages } from 'sourcehut/port/page.ts';

const origin = 'https://git.forge.test';

suite('looking for what somebody has', () => {
	test('an owner by name or address, with a word of the name behind it or without', () => {
		for (const [text, owner, word] of [
			['~bob', '~bob', ''],
			[' ~bob/ ', '~bob', ''],
			['~bob  Lan', '~bob', 'Lan'],
			['https://git.forge.test/~bob', '~bob', ''],
			['https://git.forge.test/~bob/ lan', '~bob', 'lan'],
		] as const) {
			assert.deepEqual(ownerSearchOf(text, origin), { owner, word }, text);
		}
	});

	test('names of things, other hosts and other texts look for nobody', () => {
		for (const text of [
			'',
			'bob',
			'~',
			'~bob/lantern',
			'~bob two words',
			'https://evil.test/~bob',
			'https://git.forge.test/',
		]) {
			assert.equal(ownerSearchOf(text, origin), undefined, text);
		}
	});

	async function* pagesOf(pages: readonly (readonly string[])[], last: Completeness): Pages<{ readonly name: string }> {
		for (const [at, names] of pages.entries()) {
			const completeness: Completeness = at < pages.length - 1 ? { kind: 'more', total: undefined } : last;
			yield { items: names.map((name) => ({ name })), seen: 0, completeness };
		}
	}

	test('names of all pages are found by a part of them, in upper case or lower', async () => {
		const pages = [['lantern', 'diary'], ['Old-Lantern']];
		assert.deepEqual(await namesWith('LAN', pagesOf(pages, { kind: 'complete' })), {
			names: ['lantern', 'Old-Lantern'],
			isComplete: true,
		});
		assert.deepEqual((await namesWith('', pagesOf(pages, { kind: 'unstated' }))).names.length, 3);
	});

	test('a server that goes on for ever is given up, and the answer says that there is more', async () => {
		const endless = Array.from({ length: 50 }, (_, at) => [`tool${at}`]);
		const { names, isComplete } = await namesWith('tool', pagesOf(endless, { kind: 'complete' }));
		assert.deepEqual([names.length, isComplete], [20, false]);
	});
});
