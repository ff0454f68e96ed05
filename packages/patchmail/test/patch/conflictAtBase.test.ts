import assert from 'node:assert/strict';
import { runAtOnce } from '@forge-desk/base/timeSlice.ts';
import { isAtBase, type ConflictTexts } from '../../src/patch/conflictAtBase.ts';

/** Twenty lines, their numbers by default. */
function lines(changed: Readonly<Record<number, string>> = {}): string {
	return Array.from({ length: 20 }, (_, at) => `${changed[at + 1] ?? at + 1}\n`).join('');
}

const conflict: ConflictTexts = {
	base: lines(),
	ours: lines({ 3: 'III', 10: 'X' }),
	theirs: lines({ 3: 'three', 15: 'fifteen' }),
};
const atBase = (now: string, texts = conflict): boolean => runAtOnce(isAtBase(texts, now));

suite('conflict in a merged file', () => {
	test('is at its base if the file has the base lines there, whatever else and whatever line ends', () => {
		assert.equal(atBase(lines()), true);
		assert.equal(atBase(lines({ 10: 'X', 15: 'fifteen' })), true);
		assert.equal(atBase(lines({ 10: 'X', 15: 'fifteen' }).replaceAll('\n', '\r\n')), true);
		assert.equal(atBase(lines().replaceAll('\n', '\r\n')), true);
	});

	test('is not at its base after any resolution, even next to the lines', () => {
		for (const third of ['III', 'three', 'III\nthree', '3\nthree', 'solved']) {
			assert.equal(atBase(lines({ 3: third, 10: 'X', 15: 'fifteen' })), false, third);
		}
		assert.equal(atBase(lines({ 3: 'solved' }).replace('solved\n', '')), false);
	});

	test('counts if one of two places is still at its base', () => {
		const twice: ConflictTexts = {
			base: lines(),
			ours: lines({ 3: 'III', 15: 'XV' }),
			theirs: lines({ 3: 'three', 15: 'fifteen' }),
		};
		assert.equal(atBase(lines({ 3: 'three' }), twice), true);
		assert.equal(atBase(lines({ 3: 'three', 15: 'XV' }), twice), false);
	});

	test('does not exist for equal or separate changes, but an unchanged file is at its base', () => {
		const apart: ConflictTexts = {
			base: lines(),
			ours: lines({ 3: 'three', 10: 'X' }),
			theirs: lines({ 3: 'three', 15: 'fifteen' }),
		};
		assert.equal(atBase(lines({ 1: 'one' }), apart), false);
		// The file has neither change, although they would not conflict.
		assert.equal(atBase(lines(), apart), true);
	});

	test('may be two insertions at one place or two files of one name', () => {
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
