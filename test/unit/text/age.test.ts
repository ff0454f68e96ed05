import assert from 'node:assert/strict';
import { shortAge, spokenAge } from '../../../src/text/age.ts';

const hourMs = 3_600_000;

suite('ages', () => {
	test('rows say an age as short as it goes', () => {
		const ages = [0, hourMs / 2, 5 * hourMs, 72 * hourMs, 60 * 24 * hourMs, 800 * 24 * hourMs, -hourMs];
		assert.deepEqual(
			ages.map((age) => shortAge(0, age, 'en')),
			['0m', '30m', '5h', '3d', '60d', '2y', '0m'],
		);
	});

	test('labels that are read aloud say it in words', () => {
		assert.equal(spokenAge(0, 72 * hourMs, 'en'), '3 days ago');
		assert.equal(spokenAge(0, 0, 'en'), 'this minute');
	});
});
