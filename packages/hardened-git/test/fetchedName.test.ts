import assert from 'node:assert/strict';
import { fetchedName } from '../src/fetchIntoClone.ts';
import { isSafeRefName } from '../src/gitNames.ts';

const bobs = 'git@git.forge.test:~bob/lantern';

function nameOf(address: string, what: string): string {
	const { remote, branch } = fetchedName(address, what);
	return `${remote}/${branch}`;
}

suite('name of a fetched branch', () => {
	test('begins with the owner of the repository and differs for each address', () => {
		const names = [
			bobs,
			'https://git.forge.test/~bob/lantern',
			'git@git.forge.test:~bob/lamp',
			'git@git.other.test:~bob/lantern',
			'https://git.kernel.test/pub/bob/lantern.git',
		].map((address) => nameOf(address, 'topic'));
		names.forEach((name) => assert.match(name, /^forge-desk\/bob-[0-9a-f]{12}\/topic$/));
		assert.equal(new Set(names).size, names.length);
	});

	test('is a single valid path component, unique and of limited length', () => {
		const long = `${'long/'.repeat(40)}end`;
		const named = [
			['topic', 'topic'],
			['refs/heads/topic', 'topic'],
			['topic/a', 'topic%2Fa'],
			['refs/tags/topic', 'tags%2Ftopic'],
			['topic%2Fa', 'topic%252Fa'],
			['a./b', 'a.%2Fb'],
			['größer', 'gr%C3%B6%C3%9Fer'],
			['\u{1F680}', '%F0%9F%9A%80'],
			['refs/heads/tags/topic', 'heads%2Ftags%2Ftopic'],
			['HEAD', 'HEAD'],
			['a'.repeat(40), 'aaaaaaaaaa'],
		] as const;
		for (const [what, branch] of named) {
			assert.equal(fetchedName(bobs, what).branch, branch);
			assert.ok(isSafeRefName(branch));
		}
		const [one, other] = [fetchedName(bobs, `${long}1`).branch, fetchedName(bobs, `${long}2`).branch];
		assert.ok(one !== other && one.length <= 150 && isSafeRefName(one), one);
	});

	test('is valid for any owner in the address', () => {
		const addresses = [
			'https://a.test/x',
			'git@a.test:x',
			'ssh://a.test/-x/y',
			'ssh://a.test/..lock/y',
			'ssh://a.test/ä/y',
		];
		for (const address of [...addresses, `ssh://a.test/${'y/'.repeat(400)}${'z'.repeat(900)}/x`, 'x', '']) {
			const { remote } = fetchedName(address, 'topic');
			assert.ok(isSafeRefName(remote) && remote.length < 160, remote);
		}
	});
});
