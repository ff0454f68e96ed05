import '../../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import { isAbort } from '@forge-desk/base/abort.ts';
import type { TicketSubject } from '../../../../../src/features/tickets/subjects/subjects.ts';
import type { PageHost } from '../../../../../src/editor/pages/pageHost.ts';
import { fake } from '../../../../support/fake.ts';
import { fakeConnection, fakeConnections } from '../../../../support/fakeConnection.ts';
import { fakeTrackers } from '../../../../support/fakeForge.ts';
import { ticketsParts } from '../../../../support/fakeTicketsParts.ts';
import { makeTicket, makeTracker } from '../../../../support/makeTicket.ts';
import { resetStub, stubbed } from '../../../../support/vscodeValues.ts';

const { askOriginal, withOriginal } = await import('../../../../../src/features/tickets/triage/duplicates.ts');

const never = new AbortController().signal;
const noPages = fake<PageHost>({ inFront: () => undefined });

function situation() {
	const { api, world } = fakeTrackers();
	world.trackers.push(makeTracker());
	world.tickets.set('~alice/alpha', [makeTicket({ id: 2, title: 'Second' }), makeTicket({ id: 1, title: 'First' })]);
	const connection = fakeConnection(api);
	const ticket = (id: number, connectionKey = connection.key): TicketSubject => ({
		kind: 'ticket',
		connectionKey,
		ref: { tracker: { owner: '~alice', name: 'alpha' }, id },
	});
	return { context: ticketsParts(fakeConnections(connection), noPages), ticket, host: connection.instance.areas.todo };
}

suite('original of a duplicate', () => {
	setup(resetStub);

	test('joins the comment, and is asked for unless the comment names a ticket', async () => {
		const { context, ticket, host } = situation();
		const answer = (text: string) => withOriginal(context, ticket(2), text, never);
		for (const text of ['Same as #1', 'Look at ~alice/beta#9.', `Was in ${host}/~alice/alpha/1 already`]) {
			assert.equal(await answer(text), text);
		}
		assert.deepEqual(stubbed.asked, []);
		stubbed.answers.push('First');
		assert.equal(await answer(''), 'Duplicate of #1.');
		stubbed.answers.push('First');
		assert.equal(await answer('Thanks, ~bob!\n'), 'Thanks, ~bob!\n\nDuplicate of #1.');
		stubbed.answers.push('Without an Original');
		assert.equal(await answer('No #'), 'No #');
		stubbed.answers.push(undefined);
		assert.equal(await answer('No #'), undefined);
	});

	test('is never the ticket, even typed', async () => {
		const { context, ticket } = situation();
		for (const typed of ['2', '#2', '~Alice/ALPHA#2']) {
			// Nobody can accept a row that is missing, so the list stays open.
			stubbed.answers.push(`${typed}\t${typed}`);
			const asking = askOriginal(context, [ticket(2)], never);
			for (let turn = 0; turn < 40; turn += 1) {
				await new Promise((resolve) => void setImmediate(resolve));
			}
			const box = stubbed.boxes.at(-1);
			assert.deepEqual(
				box?.items.map(({ label }) => label),
				['Without an Original', 'First'],
				typed,
			);
			box?.hide();
			await assert.rejects(asking, isAbort);
		}
		stubbed.answers.push('#1\t#1');
		assert.equal((await askOriginal(context, [ticket(2)], never))?.id, 1);
	});

	test('is not asked for tickets of several accounts', async () => {
		const { context, ticket } = situation();
		await assert.rejects(askOriginal(context, [ticket(1), ticket(2, 'other')], never), isAbort);
		assert.deepEqual([stubbed.asked, stubbed.shown], [[], ['Resolve duplicates of one account at a time.']]);
	});
});
