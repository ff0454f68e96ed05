import assert from 'node:assert/strict';
import { listOfAddresses, repositoryOfRemote } from '../../../../src/engine/text/remoteAddress.ts';

const git = 'https://git.forge.test';
const lists = 'https://lists.forge.test';

suite('git remote addresses', () => {
	test('name a repository of the forge in every form that git accepts', () => {
		for (const remote of [
			'https://git.forge.test/~alice/lantern',
			'https://bob@git.forge.test/~alice/lantern/',
			'git@git.forge.test:~alice/lantern',
			'git.forge.test:~alice/lantern',
			'ssh://git@git.forge.test/~alice/lantern',
			'ssh://git@git.forge.test:2222/~alice/lantern',
			'https://git.forge.test/%7Ealice/lantern',
		]) {
			assert.deepEqual(repositoryOfRemote(remote, git), { owner: '~alice', name: 'lantern' }, remote);
		}
	});

	test('may contain any letters and signs, literal over ssh and encoded in web addresses', () => {
		for (const [remote, name] of [
			['https://git.forge.test/~alice/c%2B%2B', 'c++'],
			['https://git.forge.test/~alice/c++', 'c++'],
			['ssh://git@git.forge.test/~alice/c%2B%2B', 'c++'],
			['git@git.forge.test:~alice/c++', 'c++'],
			['git@git.forge.test:~alice/a%25b', 'a%25b'],
			['https://git.forge.test/~alice/a%25b', 'a%b'],
			['https://git.forge.test/~alice/na%C3%AFve', 'naïve'],
			['https://git.forge.test/~alice/a%2Fb', undefined],
			['https://git.forge.test/~alice/a%5Cb', undefined],
			['https://git.forge.test/~alice/a%0Ab', undefined],
			['https://git.forge.test/~alice/a%20b', undefined],
			['https://git.forge.test/~alice/%', undefined],
			['git@git.forge.test:~alice/..', undefined],
		] as const) {
			assert.equal(repositoryOfRemote(remote, git)?.name, name, remote);
		}
	});

	test('keep the end of a name, because repo and repo.git differ', () => {
		assert.equal(repositoryOfRemote('git@git.forge.test:~alice/lantern.git', git)?.name, 'lantern.git');
	});

	test('exclude other hosts, ports and paths', () => {
		for (const remote of [
			'https://git.forge.test.evil.example/~alice/lantern',
			'https://git.forge.test:8443/~alice/lantern',
			'git@github.example:~alice/lantern',
			'https://git.forge.test/alice/lantern',
			'https://git.forge.test/~alice/..',
			'https://git.forge.test/~alice/lantern/tree/master',
			'file:///~alice/lantern',
			'/~alice/lantern',
			'../~alice/lantern',
			'',
			'-oProxyCommand=x:~alice/lantern',
			'ext::sh -c x',
		]) {
			assert.equal(repositoryOfRemote(remote, git), undefined, remote);
		}
	});

	test('match a forge by host and port over http, and by host over ssh', () => {
		const local = 'http://127.0.0.1:4103';
		assert.ok(repositoryOfRemote('http://127.0.0.1:4103/~alice/lantern', local));
		assert.equal(repositoryOfRemote('http://127.0.0.1:4104/~alice/lantern', local), undefined);
		assert.ok(repositoryOfRemote('git@127.0.0.1:~alice/lantern', local));
	});
});

suite('addresses in sendemail.to', () => {
	test('name the first list of the forge', () => {
		for (const addresses of [
			'~alice/lantern-devel@lists.forge.test',
			'Lantern <~alice/lantern-devel@lists.forge.test>',
			'u.alice.lantern-devel@lists.forge.test',
			'bob@forge.test, ~alice/lantern-devel@LISTS.forge.test, ~alice/other@lists.forge.test',
		]) {
			assert.deepEqual(listOfAddresses(addresses, lists), { owner: '~alice', name: 'lantern-devel' }, addresses);
		}
	});

	test('exclude people and other hosts', () => {
		for (const addresses of [
			'',
			'alice@lists.forge.test',
			'~alice/lantern@lists.other.test',
			'~alice@lists.forge.test',
		]) {
			assert.equal(listOfAddresses(addresses, lists), undefined, addresses);
		}
	});
});
