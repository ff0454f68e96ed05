import { everywhere } from 'sourcehut/port/instance.ts';
import assert from 'node:assert/strict';
import { forgeHost, readEntries, type BadEntry } from '../../../../src/editor/accounts/forgeEntry.ts';
import { forgeSettings, type UserSetting } from '../../../../src/editor/accounts/forgeDirectory.ts';
import { Emitter } from '@forge-desk/base/event.ts';

const areas = {
	meta: 'http://127.0.0.1:5000',
	todo: 'http://localhost:5001',
	git: 'https://git.forge.example',
	lists: 'https://lists.forge.example:8443/',
};

function faults(setting: unknown): readonly Pick<BadEntry, 'index' | 'spot' | 'fault'>[] {
	return readEntries(setting).bad.map(({ index, spot, fault }) => ({ index, spot, fault }));
}

suite('forges in the settings', () => {
	test('a host name yields the conventional addresses', () => {
		const { instances, bad } = readEntries(['forge.example']);
		assert.deepEqual(bad, []);
		assert.deepEqual(instances, [
			{
				id: 'meta.forge.example',
				name: 'forge.example',
				areas: {
					meta: 'https://meta.forge.example',
					todo: 'https://todo.forge.example',
					git: 'https://git.forge.example',
					lists: 'https://lists.forge.example',
				},
				protocols: {},
				signIn: { kind: 'tokenOnly' },
				scopeSpelling: { prefixes: {}, names: {} },
				webhookKey: undefined,
				isSample: false,
			},
		]);
	});

	test('scopes keep the spelling of the entry, without additions', () => {
		const signIn = { kind: 'exchange', clientId: 'bbbb000000000001', redirectPort: 15998 };
		const [usual, own] = readEntries([
			{ name: 'One', host: 'one.example', signIn },
			{ host: 'two.example', signIn, scopePrefixes: { todo: 'aaaa000000000003/' }, scopeNames: { emails: 'emails' } },
		]).instances;
		assert.equal(usual?.name, 'One');
		assert.deepEqual(usual?.scopeSpelling, { prefixes: {}, names: {} });
		assert.deepEqual(own?.scopeSpelling, { prefixes: { todo: 'aaaa000000000003/' }, names: { emails: 'emails' } });
	});

	test('the project service uses the entry’s address only', () => {
		const areas = Object.fromEntries(
			['meta', 'todo', 'git', 'lists'].map((each) => [each, `https://${each}.two.example`]),
		);
		const { instances, bad } = readEntries([
			{ host: 'one.example', hub: 'https://one.example/' },
			{ areas, hub: 'https://hub.two.example' },
			{ host: 'three.example' },
			{ host: 'four.example', hub: 'http://four.example' },
			{ host: 'five.example', hub: 'https://five.example/projects' },
		]);
		assert.deepEqual(
			instances.map(({ hub }) => hub),
			['https://one.example', 'https://hub.two.example', undefined],
		);
		assert.deepEqual(
			bad.map(({ index, spot, fault }) => [index, spot, fault]),
			[
				[3, 'hub', 'plainHttp'],
				[4, 'hub', 'origin'],
			],
		);
	});

	test('a client with a secret requires its redirect address', () => {
		const signIn = { kind: 'secret', clientId: 'a', redirectPort: 15998 };
		const { instances, bad } = readEntries([
			{ host: 'one.example', signIn },
			{ host: 'two.example', signIn: { kind: 'secret', clientId: 'a' } },
		]);
		assert.deepEqual(instances[0]?.signIn, signIn);
		assert.deepEqual(
			bad.map(({ index, spot }) => [index, spot]),
			[[1, 'signIn.redirectPort']],
		);
	});

	test('protocols of an entry are fixed, and the areas determine the others', () => {
		const { instances, bad } = readEntries([
			{ host: 'one.example', protocols: 'graphql' },
			{ host: 'two.example', protocols: { git: 'rest' } },
			{ host: 'three.example', protocols: 'soap' },
			{ host: 'four.example', protocols: { meta: 'rest' } },
		]);
		assert.deepEqual(
			instances.map(({ protocols }) => protocols),
			[everywhere('graphql'), { git: 'rest' }],
		);
		assert.deepEqual(
			bad.map(({ index, spot, fault }) => [index, spot, fault]),
			[
				[2, 'protocols', 'shape'],
				[3, 'protocols', 'shape'],
			],
		);
	});

	test('a full record keeps every address, and allows plain http on this computer only', () => {
		const [instance] = readEntries([{ name: 'Mine', areas }]).instances;
		assert.equal(instance?.id, '127.0.0.1-5000');
		assert.deepEqual(instance?.areas, { ...areas, lists: 'https://lists.forge.example:8443' });
	});

	test('reports a bad entry with its position, and keeps the others', () => {
		const setting = [
			'good.example',
			'not a host',
			'https://todo.forge.example/~x',
			7,
			{ name: 'x' },
			{ host: 'x.example', surprise: 1 },
			{ host: 'x.example', signIn: { kind: 'exchange', clientId: 'a', redirectPort: 70_000 } },
			{ host: 'x.example', signIn: { kind: 'magic' } },
			{ areas: { ...areas, git: 'http://git.forge.example' } },
			{ areas: { ...areas, git: 'https://git.forge.example/path' } },
			{ areas: { ...areas, git: 'https://user@git.forge.example' } },
			{ areas: { ...areas, git: 'ftp://git.forge.example' } },
			{ areas: { meta: areas.meta } },
			{ host: 'x.example', webhookKey: 'A'.repeat(44) },
			'GOOD.example',
			'also-good.example:8443',
		];
		assert.deepEqual(faults(setting), [
			{ index: 1, spot: '', fault: 'hostName' },
			{ index: 2, spot: '', fault: 'hostName' },
			{ index: 3, spot: '', fault: 'shape' },
			{ index: 4, spot: 'host', fault: 'shape' },
			{ index: 5, spot: 'surprise', fault: 'shape' },
			{ index: 6, spot: 'signIn.redirectPort', fault: 'shape' },
			{ index: 7, spot: 'signIn.kind', fault: 'shape' },
			{ index: 8, spot: 'areas.git', fault: 'plainHttp' },
			{ index: 9, spot: 'areas.git', fault: 'origin' },
			{ index: 10, spot: 'areas.git', fault: 'origin' },
			{ index: 11, spot: 'areas.git', fault: 'origin' },
			{ index: 12, spot: 'areas.todo', fault: 'shape' },
			{ index: 13, spot: 'webhookKey', fault: 'publicKey' },
			{ index: 14, spot: '', fault: 'duplicate' },
		]);
		assert.deepEqual(
			readEntries(setting).instances.map(({ name }) => name),
			['good.example', 'also-good.example:8443'],
		);
	});

	test('a webhook key is 32 bytes in canonical base64', () => {
		const key = Buffer.alloc(32, 255).toString('base64');
		assert.deepEqual(
			readEntries([{ host: 'x.example', webhookKey: ` ${key} ` }]).instances.map(({ webhookKey }) => webhookKey),
			[key],
		);
		const others = [31, 33, 34].map((size) => Buffer.alloc(size, 255).toString('base64'));
		const wrong = [...others, key.replace('8=', '9='), key.slice(0, -1), Buffer.alloc(32, 255).toString('base64url')];
		for (const webhookKey of wrong) {
			assert.deepEqual(faults([{ host: 'x.example', webhookKey }]), [
				{ index: 0, spot: 'webhookKey', fault: 'publicKey' },
			]);
		}
	});

	test('reports a host that cannot have subdomains, and keeps the others', () => {
		const numbers = ['192.168.1.5', '10.0.0.1:8443', '7', '0x7f000001', '127.1'];
		const setting = ['one.example', ...numbers, { host: '192.168.1.5' }, 'two.example', { areas }];
		assert.deepEqual(faults(setting), [
			...numbers.map((_, at) => ({ index: at + 1, spot: '', fault: 'numericHost' })),
			{ index: numbers.length + 1, spot: 'host', fault: 'numericHost' },
		]);
		assert.deepEqual(
			readEntries(setting).instances.map(({ id }) => id),
			['meta.one.example', 'meta.two.example', '127.0.0.1-5000'],
		);
		for (const text of [...numbers, 'https://192.168.1.5/~alice/proj', 'http://127.0.0.1:5000']) {
			assert.equal(forgeHost(text), undefined, text);
		}
		assert.equal(forgeHost('localhost:5000'), 'localhost:5000');
		assert.equal(forgeHost('4.example'), '4.example');
	});

	test('finds a forge by its host name and by the URL of any of its pages', () => {
		for (const text of [
			'forge.example',
			' Forge.Example ',
			'https://todo.forge.example/~alice/proj/12?x#y',
			'https://lists.forge.example',
			'https://hub.forge.example/~alice/proj',
			'http://forge.example/',
			'git.forge.example',
			' Todo.Forge.Example ',
			'builds.forge.example',
			'https://man.forge.example/ops.md',
			'www.forge.example',
		]) {
			assert.equal(forgeHost(text), 'forge.example', text);
		}
		for (const text of ['todo.example', 'gitter.forge.example', 'git.localhost:5000']) {
			assert.equal(forgeHost(text), text.replace('git.localhost', 'localhost'));
		}
		assert.equal(forgeHost('https://todo.intranet/~alice'), 'intranet');
		assert.equal(forgeHost('https://meta.localhost:8443/login'), 'localhost:8443');
		for (const text of [
			'',
			'two words',
			'forge.example/path',
			'https://',
			'ftp://forge.example',
			'a@b',
			'forge..example',
			'https://sr.ht@evil.example/',
			'https://sr.ht:x@evil.example/',
			'https://:x@evil.example/',
			'https://@evil.example/',
			'https://sr.ht\\@evil.example/',
			'https://evil.example\\.sr.ht/',
		]) {
			assert.equal(forgeHost(text), undefined, text);
		}
	});

	test('a setting that is not a list contains no forge', () => {
		assert.deepEqual(readEntries(undefined), { instances: [], bad: [] });
		assert.deepEqual(faults('forge.example'), [{ index: 0, spot: '', fault: 'shape' }]);
	});

	test('fires an event only for a changed forge, and adding one keeps existing entries', async () => {
		const changed = new Emitter<void>();
		let value: unknown = ['one.example', { odd: true }];
		const setting: UserSetting = {
			read: () => value,
			async write(next) {
				value = next;
				changed.fire();
			},
			onDidChange: changed.event,
		};
		const settings = forgeSettings(setting);
		let told = 0;
		settings.onDidChange(() => told++);
		changed.fire();
		assert.equal(told, 0);
		await settings.add('two.example');
		assert.equal(told, 1);
		assert.deepEqual(value, ['one.example', { odd: true }, 'two.example']);
		assert.deepEqual(
			settings.instances().map(({ name }) => name),
			['one.example', 'two.example'],
		);
		assert.equal(settings.bad().length, 1);
		settings.dispose();
		changed.fire();
		assert.equal(told, 1);
	});
});
