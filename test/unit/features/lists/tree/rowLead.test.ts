import assert from 'node:assert/strict';
import { ledTitle, wordsToDiffer } from '../../../../../src/features/lists/tree/rowLead.ts';

const lead = { version: 2, age: '3d', author: 'Bob Builder', nameWords: 1, replies: 4, check: 'failed' } as const;

suite('facts before the title of a patchset', () => {
	test('are version, age, author, replies and check', () => {
		assert.equal(ledTitle(lead, 'fix it'), 'v2 3d Bob (4) ✗ · fix it');
		assert.equal(ledTitle({ ...lead, check: 'passed' }, 'fix it'), 'v2 3d Bob (4) ✓ · fix it');
	});

	test('leave out a first version, an unknown author and no replies', () => {
		assert.equal(
			ledTitle({ version: 1, age: '3d', author: '', nameWords: 1, replies: 0, check: undefined }, 'fix it'),
			'3d · fix it',
		);
	});

	test('leave most of 26 letters to the title', () => {
		assert.ok(ledTitle(lead, '').length <= 18);
		const long = ledTitle({ ...lead, author: 'Bartholomew Builder' }, 'fix it');
		assert.equal(long, 'v2 3d Bartholom… (4) ✗ · fix it');
	});

	test('end a name before signs that would read like other facts', () => {
		for (const [name, shown] of [
			['Bob(99)✓', 'Bob'],
			['✓ (9) Bob', '9'],
			['Bob·Approved', 'Bob'],
			['~alice', 'alice'],
			['Bo\u202Eb', 'Bo'],
			["O'Neil-Ray Jr.", "O'Neil-Ray"],
			['"', ''],
		] as const) {
			assert.equal(ledTitle({ ...lead, author: name }, 't'), `v2 3d ${shown}${shown === '' ? '' : ' '}(4) ✗ · t`);
		}
	});

	test('keep their order beside a name from right to left', () => {
		assert.equal(ledTitle({ ...lead, author: 'דנה כהן' }, 't'), 'v2 3d \u2068דנה\u2069 (4) ✗ · t');
	});

	test('have names as long as needed to differ', () => {
		const all = ['Li Wei', 'Li Wei Chen', 'Li Na', 'Bob Builder', 'Bartholomew A', 'Bartholomew B', 'Ann (x)', 'Ann'];
		const words = wordsToDiffer(all);
		assert.deepEqual(
			all.map((author) => ledTitle({ ...lead, author, nameWords: words.get(author) ?? 1 }, 't').slice(6, -10)),
			['Li Wei', 'Li Wei Chen', 'Li Na', 'Bob', 'Bartholomew A', 'Bartholomew B', 'Ann', 'Ann'],
		);
	});
});
