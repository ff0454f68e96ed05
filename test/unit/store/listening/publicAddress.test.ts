import assert from 'node:assert/strict';
import { addressFor, hostsOfAddress, readPublicAddress } from '../../../../src/store/listening/publicAddress.ts';
import { makeInstance } from '../../../support/makeSession.ts';

suite('public address of the webhook listener', () => {
	for (const [setting, address] of [
		['https://hooks.example', 'https://hooks.example'],
		['  https://hooks.example/  ', 'https://hooks.example'],
		['https://Hooks.example:8443/forge//', 'https://hooks.example:8443/forge'],
		['http://10.0.0.5:4000', 'http://10.0.0.5:4000'],
		['https://[2001:db8::1]/a/b', 'https://[2001:db8::1]/a/b'],
	] as const) {
		test(`parses ${setting} as ${address}`, () => {
			assert.deepEqual(readPublicAddress(setting), { kind: 'address', address });
		});
	}

	for (const setting of ['', '   ', undefined, null, 7, ['https://hooks.example']]) {
		test(`is empty for ${JSON.stringify(setting)}`, () => {
			assert.deepEqual(readPublicAddress(setting), { kind: 'none' });
		});
	}

	for (const setting of [
		'hooks.example',
		'ftp://hooks.example',
		'https://',
		'https://hooks.example/?a=b',
		'https://hooks.example/?',
		'https://hooks.example/#',
		'https://me:secret@hooks.example',
		'https://hooks.example\\@elsewhere.example',
		`https://hooks.example/${'a'.repeat(1900)}`,
	]) {
		test(`is invalid for ${setting.slice(0, 50)}`, () => {
			assert.deepEqual(readPublicAddress(setting), { kind: 'wrong' });
		});
	}

	test('is optional only for forges on this computer', () => {
		const ownAddress = 'http://127.0.0.1:4000';
		const areas = {
			meta: 'http://127.0.0.1:1',
			todo: 'http://localhost:2',
			git: 'http://[::1]:3',
			lists: 'http://127.0.0.1:4',
		};
		const none = { publicAddress: readPublicAddress(''), ownAddress };
		assert.equal(addressFor({ areas }, none), ownAddress);
		assert.equal(addressFor({ areas: { ...areas, git: 'https://git.forge.example' } }, none), undefined);
		assert.equal(addressFor(makeInstance(), none), undefined);
		const known = { publicAddress: readPublicAddress('https://hooks.example/a'), ownAddress };
		assert.equal(addressFor(makeInstance(), known), 'https://hooks.example/a');
		assert.equal(addressFor({ areas }, { publicAddress: { kind: 'wrong' }, ownAddress }), undefined);
	});

	test('accepts the default port with or without its number', () => {
		const hosts = (text: string): readonly string[] => hostsOfAddress(readPublicAddress(text));
		assert.deepEqual(hosts('https://hooks.example/a'), ['hooks.example', 'hooks.example:443']);
		assert.deepEqual(hosts('http://hooks.example'), ['hooks.example', 'hooks.example:80']);
		assert.deepEqual(hosts('https://hooks.example:8443'), ['hooks.example:8443']);
		assert.deepEqual(hosts(''), []);
	});
});
