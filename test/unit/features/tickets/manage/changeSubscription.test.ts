import '../../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import type { TicketMails } from 'sourcehut/port/forge.ts';
import { ForgeError } from 'sourcehut/port/forgeError.ts';
import type { TicketSubject, TrackerSubject } from '../../../../../src/features/tickets/subjects/subjects.ts';
import { fakeConnection, fakeConnections } from '../../../../support/fakeConnection.ts';
import { fakeTrackers } from '../../../../support/fakeForge.ts';
import { resetStub, stubbed } from '../../../../support/vscodeValues.ts';

const { changeSubscription } = await import('../../../../../src/features/tickets/manage/changeSubscription.ts');

const never = new AbortController().signal;
const tracker = { owner: '~alice', name: 'alpha' };
const ofTracker: TrackerSubject = { kind: 'tracker', connectionKey: 'sample-alice', ref: tracker };
const ofTicket: TicketSubject = { kind: 'ticket', connectionKey: 'sample-alice', ref: { tracker, id: 1 } };

suite('ticket subscriptions', () => {
	setup(resetStub);

	test('shows the current state first, and verifies a change after a lost response', async () => {
		const on = new Set<string>();
		let losesAnswers = false;
		const subscriptions: TicketMails = {
			isSubscribed: async ({ kind }) => on.has(kind),
			async setSubscribed({ kind }, isWanted) {
				(isWanted ? () => on.add(kind) : () => on.delete(kind))();
				if (losesAnswers) {
					throw new ForgeError({ kind: 'unreachable', reason: 'reset', host: 'x' });
				}
			},
		};
		const connection = fakeConnection({ ...fakeTrackers().api, subscriptions });
		const connections = fakeConnections(connection);
		const heard: string[] = [];
		connection.writes.subscriptions?.onDidChange(({ kind }) => void heard.push(kind));
		stubbed.answers.push('Subscribe');
		await changeSubscription(connections, ofTicket, never);
		assert.deepEqual(
			[stubbed.asked.at(-1), stubbed.shown.at(-1)],
			['You get no email about ~alice/alpha#1', 'Subscribed to ~alice/alpha#1'],
		);
		losesAnswers = true;
		stubbed.answers.push('Subscribe', 'Unsubscribe');
		await changeSubscription(connections, ofTracker, never);
		await changeSubscription(connections, ofTicket, never);
		assert.deepEqual([...on], ['tracker']);
		assert.equal(stubbed.asked.at(-1), 'You get email about ~alice/alpha#1');
		assert.equal(connection.writes.subscriptions?.known({ kind: 'ticket', ref: ofTicket.ref }), false);
		assert.deepEqual(heard, ['ticket', 'ticket', 'tracker', 'tracker', 'ticket']);
	});

	test('opens the web page when the API has no subscriptions', async () => {
		await changeSubscription(fakeConnections(fakeConnection(fakeTrackers().api)), ofTicket, never);
		assert.deepEqual(stubbed.opened, ['https://todo.forge.test/~alice/alpha/1']);
	});
});
