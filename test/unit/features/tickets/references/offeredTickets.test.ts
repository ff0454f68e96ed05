import '../../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import { makeTicket } from '../../../../support/makeTicket.ts';

const { offeredTickets } = await import('../../../../../src/features/tickets/references/completions.ts');

const many = Array.from({ length: 30 }, (_, at) =>
	makeTicket({ id: 100 - at, title: at === 29 ? 'The oldest Überlauf' : `Ticket ${at}` }),
);

function ids(typed: string, most = 5): readonly number[] {
	return offeredTickets(many, typed, most).map(({ id }) => id);
}

suite('offered tickets', () => {
	test('are the first ones without input, and all when there is room', () => {
		assert.deepEqual(ids('#'), [100, 99, 98, 97, 96]);
		assert.deepEqual(ids('#Über', 30), ids('', 30));
	});

	test('match numbers and titles at any position', () => {
		assert.deepEqual(ids('#71'), [71, 100, 99, 98, 97]);
		assert.deepEqual(ids('überlauf'), [71, 100, 99, 98, 97]);
		assert.deepEqual(ids('#7'), [93, 83, 79, 78, 77]);
	});
});
