import assert from 'node:assert/strict';
import { isSameAddress, onlySender, senderIn } from '../../src/mail/onlySender.ts';

const ann = { name: 'Ann', address: 'ann@forge.test' } as const;

suite('only sender of a mail', () => {
	test('exists if every program reads the same one', () => {
		for (const [header, sender] of [
			[' Ann <ann@forge.test>\t', ann],
			['ann@forge.test', { ...ann, name: '' }],
			['ann@forge.test, bob@forge.test', undefined],
			['"bob@forge.test" <ann@forge.test>', undefined],
			['Ann', undefined],
			['Eve via dev <~ann/dev@lists.test>', undefined],
			['"\'Eve\' via dev" <~ann/dev@lists.test>', undefined],
			['~ann/dev@lists.test (Eve Via dev)', undefined],
			['=?utf-8?q?Eve_via_dev?= <~ann/dev@lists.test>', undefined],
			['"Eve (via dev)" <~ann/dev@lists.test>', undefined],
			['Ann (Home) <ann@forge.test>', ann],
			['A. Lee (at work) <ann@forge.test>', { ...ann, name: 'A. Lee' }],
			['Eve (via dev) <~ann/dev@lists.test>', undefined],
			['Eve (ann@forge.test) <eve@evil.test>', undefined],
			['Ann (a) (b) <ann@forge.test>', undefined],
			['Olivia Lee <ann@forge.test>', { ...ann, name: 'Olivia Lee' }],
			['', undefined],
			[`${'x'.repeat(983)} <ann@forge.test>`, { ...ann, name: 'x'.repeat(983) }],
			[`${'x'.repeat(984)} <ann@forge.test>`, undefined],
		] as const) {
			assert.deepEqual(senderIn(header), sender, header);
		}
		assert.deepEqual(onlySender({ from: [ann], cautions: [] }), ann);
		assert.equal(onlySender({ from: [ann, ann], cautions: [] }), undefined);
		assert.equal(onlySender({ from: [ann], cautions: [{ kind: 'severalSenders' }] }), undefined);
	});

	test('compares addresses without case and surrounding blanks', () => {
		for (const [one, other, isSame] of [
			[' Ann@Forge.test\t', 'ann@forge.TEST', true],
			['ann@forge.test', ' ANN@forge.test ', true],
			['ann@forge.test', 'bob@forge.test', false],
			['é@forge.test', 'É@forge.test', false],
			['', '', false],
			[undefined, undefined, false],
			['ann@forge.test', undefined, false],
		] as const) {
			assert.equal(isSameAddress(one, other), isSame, `${one} ${other}`);
		}
	});
});
