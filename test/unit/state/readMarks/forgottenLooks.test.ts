import assert from 'node:assert/strict';
import { PlaceLooks } from '../../../../src/state/readMarks/placeLooks.ts';
import { makeTicket } from '../../../support/makeTicket.ts';

suite('looks of which there are too many', () => {
	test('are forgotten oldest first, but for tickets that somebody marked as unread', () => {
		const looks = new PlaceLooks({ highestId: 0, newestMs: 0, atMs: 0 });
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
});
