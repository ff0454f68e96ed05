import '../../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import type { TicketSubject } from '../../../../../src/features/tickets/subjects/subjects.ts';
import type { Triage } from '../../../../../src/features/tickets/triage/triage.ts';
import type { TicketMails } from 'sourcehut/port/forge.ts';
import { ForgeError } from 'sourcehut/port/forgeError.ts';
import { fakeConnection, fakeConnections } from '../../../../support/fakeConnection.ts';
import { fakeTrackers } from '../../../../support/fakeForge.ts';
import { ticketsParts } from '../../../../support/fakeTicketsParts.ts';
import { standFor } from '../../../../support/standFor.ts';
import { resetStub, stubbed } from '../../../../support/vscodeValues.ts';

const { triageCommands } = await import('../../../../../src/features/tickets/triage/triageCommands.ts');
type Commands = ReturnType<typeof triageCommands>;

const never = new AbortController().signal;
const tracker = { owner: '~alice', name: 'alpha' };
const ticket = (id: number): TicketSubject => ({ kind: 'ticket', connectionKey: 'sample-alice', ref: { tracker, id } });

interface Desk {
	/** Tickets with a subscription. */
	readonly on: Set<number>;
	/** Requests, as `+1` or `-1`. */
	readonly sent: string[];
	refused: number | undefined;
	readonly run: (...ids: readonly number[]) => Promise<void>;
}

function desk(hasMails = true): Desk {
	const on = new Set<number>();
	const sent: string[] = [];
	const subscriptions: TicketMails = {
		isSubscribed: async (to) => to.kind === 'ticket' && on.has(to.ref.id),
		async setSubscribed(to, isWanted) {
			const id = to.kind === 'ticket' ? to.ref.id : 0;
			if (id === made.refused) {
				throw new ForgeError({ kind: 'notAllowed' });
			}
			sent.push(`${isWanted ? '+' : '-'}${id}`);
			(isWanted ? () => on.add(id) : () => on.delete(id))();
		},
	};
	const { api } = fakeTrackers();
	const connections = fakeConnections(fakeConnection(hasMails ? { ...api, subscriptions } : api));
	const triage = standFor<Triage>({
		context: ticketsParts(connections, standFor({ inFront: () => undefined })),
	});
	const commands: Commands = triageCommands(triage, standFor({}));
	const made: Desk = {
		on,
		sent,
		refused: undefined,
		async run(...ids) {
			const rows = ids.map(ticket);
			await commands['forge.tickets.subscription']?.(rows[0], never, rows);
			// Actions of a notice run after the command ends.
			for (let turn = 0; turn < 40; turn += 1) {
				await new Promise((resolve) => void setImmediate(resolve));
			}
		},
	};
	return made;
}

suite('subscriptions to several tickets', () => {
	setup(resetStub);

	test('change together, except those in that state already, and the notice undoes the change', async () => {
		const made = desk();
		made.on.add(2);
		stubbed.answers.push('Subscribe', 'Undo');
		await made.run(1, 2, 3);
		assert.equal(stubbed.asked[0], 'You get email about 1 of 3 tickets');
		assert.deepEqual(made.sent, ['+1', '+3', '-1', '-3']);
		assert.deepEqual(stubbed.shown, ['Subscribed to 2 tickets.', 'Unsubscribed from 2 tickets.']);
		assert.deepEqual([...made.on], [2]);
	});

	test('offer only actual changes', async () => {
		const made = desk();
		made.on.add(1).add(2);
		stubbed.answers.push('Unsubscribe');
		await made.run(1, 2);
		assert.equal(stubbed.asked[0], 'You get email about 2 tickets');
		assert.deepEqual(
			stubbed.offered.map(({ label }) => label),
			['Unsubscribe'],
		);
		assert.deepEqual([...made.on], []);
	});

	test('report the progress after a refusal, and send nothing more', async () => {
		const made = desk();
		made.refused = 2;
		stubbed.answers.push('Subscribe');
		await made.run(1, 2, 3);
		assert.match(stubbed.shown.at(-1) ?? '', /^Subscribed to 1 of 3 tickets\. ./);
		assert.deepEqual(made.sent, ['+1']);
		made.refused = 1;
		stubbed.answers.push('Unsubscribe');
		await assert.rejects(made.run(1, 3), { problem: { kind: 'notAllowed' } });
	});

	test('name a single ticket, and open the web page when the API has no subscriptions', async () => {
		const made = desk();
		stubbed.answers.push('Subscribe');
		await made.run(1);
		assert.equal(stubbed.shown.at(-1), 'Subscribed to ~alice/alpha#1');
		await desk(false).run(1, 2);
		assert.deepEqual(stubbed.opened, ['https://todo.forge.test/~alice/alpha/1']);
	});
});
