import assert from 'node:assert/strict';
import { senderCautions } from '../../../../src/engine/mail/senderCautions.ts';
import { isSameAddress } from '../../../../src/engine/mail/onlySender.ts';

const dave = 'Dave@Forge.Test';

suite('what is strange about a sender', () => {
	test('a name that is the own address is no other address, in whatever case either is written', () => {
		for (const [name, address] of [
			['dave@forge.test', 'dave@forge.test'],
			['dave@forge.test', dave],
			[dave, 'dave@forge.test'],
			['DAVE@FORGE.TEST', 'dave@Forge.test'],
		] as const) {
			assert.deepEqual(senderCautions([{ name, address }], `"${name}" <${address}>`), [], `${name} <${address}>`);
		}
	});

	test('a header that writes the address in other case is written plainly', () => {
		assert.deepEqual(senderCautions([{ name: 'Dave', address: 'dave@forge.test' }], `Dave <${dave}>`), []);
		assert.deepEqual(senderCautions([{ name: '', address: dave }], 'dave@forge.test'), []);
	});

	test('a name that holds another address is warned of, with that address', () => {
		for (const other of ['erin@forge.test', 'dave@forge.tes', 'Erin@Forge.Test']) {
			assert.deepEqual(
				senderCautions([{ name: other, address: 'dave@forge.test' }], `"${other}" <dave@forge.test>`),
				[{ kind: 'nameHoldsAddress', address: other }],
				other,
			);
		}
	});

	test('an address that the header does not have is written oddly', () => {
		assert.deepEqual(senderCautions([{ name: 'Dave', address: 'dave@forge.test' }], 'Dave <erin@forge.test>'), [
			{ kind: 'oddlyWritten', header: 'Dave <erin@forge.test>' },
		]);
	});

	test('of several senders no more is said than that', () => {
		const both = ['dave', 'erin'].map((name) => ({ name, address: `${name}@forge.test` }));
		assert.deepEqual(senderCautions(both, 'dave <dave@forge.test>, erin <erin@forge.test>'), [
			{ kind: 'severalSenders' },
		]);
	});

	test('an unknown address is that of nobody, and blanks and cases make no other', () => {
		const pairs = [
			['a@b.test', ' A@B.test '],
			['a@b.test', undefined],
			[undefined, undefined],
			['', ''],
		] as const;
		assert.deepEqual(
			pairs.map(([one, other]) => isSameAddress(one, other)),
			[true, false, false, false],
		);
	});
});
