import assert from 'node:assert/strict';
import { namesWith, ownerSearchOf } from '../../../../src/editor/owned/ownedKind.ts';
import type { Completeness, Pages } from 'sourcehut/port/page.ts';

const origin = 'https://git.forge.test';

suite('search by owner', () => {
	test('accepts an owner by name or address, with or without a word of the name', () => {
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

	test('ignores names of objects, other hosts and other texts', () => {
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

	test('finds names on all pages by any part, case-insensitively', async () => {
		const pages = [['lantern', 'diary'], ['Old-Lantern']];
		assert.deepEqual(await namesWith('LAN', pagesOf(pages, { kind: 'complete' })), {
			names: ['lantern', 'Old-Lantern'],
			isComplete: true,
		});
		assert.deepEqual((await namesWith('', pagesOf(pages, { kind: 'unstated' }))).names.length, 3);
	});

	test('stops at a page limit, and marks the result as incomplete', async () => {
		const endless = Array.from({ length: 50 }, (_, at) => [`tool${at}`]);
		const { names, isComplete } = await namesWith('tool', pagesOf(endless, { kind: 'complete' }));
		assert.deepEqual([names.length, isComplete], [20, false]);
	});
});
