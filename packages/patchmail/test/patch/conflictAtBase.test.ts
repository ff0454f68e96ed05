import assert from 'node:assert/strict';
import { runAtOnce } from '../../../../test/support/runAtOnce.ts';
import { isAtBase, type ConflictTexts } from '../../src/patch/conflictAtBase.ts';

/** Twenty lines, some of them other than their numbers. */
function lines(changed: Readonly<Record<number, string>> = {}): string {
	return Array.from({ length: 20 }, (_, at) => `${changed[at + 1] ?? at + 1}\n`).join('');
}

const conflict: ConflictTexts = {
	base: lines(),
	ours: lines({ 3: 'III', 10: 'X' }),
	theirs: lines({ 3: 'three', 15: 'fifteen' }),
};
const atBase = (now: string, texts = conflict): boolean => runAtOnce(isAtBase(texts, now));

suite('a conflict in a file that is merged', () => {
	test('is as before both sides where the file is, also when all else is merged and line ends are others', () => {
		assert.equal(atBase(lines()), true);
		assert.equal(atBase(lines({ 10: 'X', 15: 'fifteen' })), true);
		assert.equal(atBase(lines({ 10: 'X', 15: 'fifteen' }).replaceAll('\n', '\r\n')), true);
		assert.equal(atBase(lines().replaceAll('\n', '\r\n')), true);
	});

	test('is resolved with either side, with both and with something else, also beside the very lines', () => {
		for (const third of ['III', 'three', 'III\nthree', '3\nthree', 'solved']) {
			assert.equal(atBase(lines({ 3: third, 10: 'X', 15: 'fifteen' })), false, third);
		}
		assert.equal(atBase(lines({ 3: 'solved' }).replace('solved\n', '')), false);
	});

	test('is left at one place, though another one is resolved', () => {
		const twice: ConflictTexts = {
			base: lines(),
			ours: lines({ 3: 'III', 15: 'XV' }),
			theirs: lines({ 3: 'three', 15: 'fifteen' }),
		};
		assert.equal(atBase(lines({ 3: 'three' }), twice), true);
		assert.equal(atBase(lines({ 3: 'three', 15: 'XV' }), twice), false);
	});

	test('is none where both sides made the same change, or each its own apart from the other', () => {
		const apart: ConflictTexts = {
			base: lines(),
			ours: lines({ 3: 'three', 10: 'X' }),
			theirs: lines({ 3: 'three', 15: 'fifteen' }),
		};
		assert.equal(atBase(lines({ 1: 'one' }), apart), false);
		// Neither is in the file, though they would not have been in each other's way.
		assert.equal(atBase(lines(), apart), true);
	});

	test('may be two insertions at one place, or two files of one name', () => {
		const inserted: ConflictTexts = {
			base: lines(),
			ours: lines({ 3: '3\nours' }),
			theirs: lines({ 3: '3\ntheirs' }),
		};
		assert.equal(atBase(lines({ 15: 'fifteen' }), inserted), true);
		assert.equal(atBase(lines({ 3: '3\nours\ntheirs' }), inserted), false);
		const added: ConflictTexts = { base: '', ours: 'ours\n', theirs: 'theirs\n' };
		assert.equal(atBase('', added), true);
		assert.equal(atBase('theirs\n', added), false);
	});
});
