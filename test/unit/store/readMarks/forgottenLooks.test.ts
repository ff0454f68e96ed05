import assert from 'node:assert/strict';
import { PlaceReadMarks } from '../../../../src/store/readMarks/placeReadMarks.ts';
import { makeTicket } from '../../../support/makeTicket.ts';

suite('excess read marks', () => {
	test('disappear oldest first, except for tickets marked as unread', () => {
		const looks = new PlaceReadMarks({ highestId: 0, newestMs: 0, atMs: 0 });
		const [first, second, third] = [1, 2, 3].map((id) => makeTicket({ id, updatedMs: 10 * id }));
		assert.ok(first && second && third);
		looks.look(first, 0, 100);
		looks.look(second, 0, 101);
		looks.look(third, 0, 102);
		looks.markUnread(first, 103);
		looks.markUnread(second, 104);
		assert.equal(looks.forgetOldest(2), 1);
		assert.deepEqual(
			[first, second, third].map((ticket) => looks.mark(ticket)),
			['changed', 'changed', undefined],
		);
		assert.equal(looks.size, 2);
	});

	test('become ranges of numbers, and survive a round trip', () => {
		const looks = new PlaceReadMarks({ highestId: 10, newestMs: 5, atMs: 1 });
		for (const id of [21, 30, 20, 12, 31, 22]) {
			looks.look({ id, updatedMs: 7 }, 0, 100);
		}
		looks.forgetOldest(6);
		const kept = {
			line: [10, 5, 1],
			looks: [],
			done: [
				[12, 12],
				[20, 22],
				[30, 31],
			],
			doneMs: 7,
		};
		assert.deepEqual(JSON.parse(JSON.stringify(looks)), kept);
		const read = PlaceReadMarks.parse(kept);
		assert.deepEqual(JSON.parse(JSON.stringify(read)), kept);
		const isNew = (id: number): boolean => read?.mark({ id, updatedMs: 6 }) === 'new';
		assert.deepEqual([9, 11, 12, 13, 19, 20, 21, 22, 23, 29, 30, 31, 32].filter(isNew), [11, 13, 19, 23, 29, 32]);
	});

	test('in unordered, overlapping or reversed ranges are normalized', () => {
		const read = PlaceReadMarks.parse({
			line: [10, 5, 1],
			looks: [],
			done: [[20, 22], [12, 14], [14, 15], [19, 16], [40]],
		});
		assert.deepEqual(JSON.parse(JSON.stringify(read)), {
			line: [10, 5, 1],
			looks: [],
			done: [
				[12, 15],
				[20, 22],
			],
			doneMs: 0,
		});
	});
});
