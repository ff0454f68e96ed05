import '../../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import type { Tellable } from '../../../../../src/features/tickets/page/pageState.ts';
import { ForgeError } from 'sourcehut/port/forgeError.ts';
import type { TicketRef } from 'sourcehut/port/ticket.ts';
import type { Connection } from '../../../../../src/store/connection.ts';
import { keptTimelines } from '../../../../../src/store/tickets/savedTickets.ts';
import { fakeClock } from '../../../../support/fakeClock.ts';
import { makeComment, makeEvent } from '../../../../support/makeTicket.ts';
import { richTicket } from '../../../../support/richTicket.ts';
import { textsInMemory } from '../../../../support/textsInMemory.ts';

const { noRefusals } = await import('../../../../../src/features/tickets/subjects/permissions.ts');
const { ChangePublisher } = await import('../../../../../src/features/tickets/page/changePublisher.ts');

const never = new AbortController().signal;
const count = 100;

type Labels = 'known' | 'unknown' | 'changing';

/** Number of slices for a long timeline, if each read of the clock takes half a millisecond. */
async function slicesOf(labels: Labels): Promise<number> {
	const { world, connections, subject } = richTicket();
	const [connection] = connections.all();
	assert.ok(connection);
	const { ref } = subject;
	world.events.set(
		'~alice/alpha#12',
		Array.from({ length: count }, (_, at) =>
			makeEvent({ id: count - at, kinds: ['comment'], comment: makeComment('Text', { id: count - at }) }),
		),
	);
	await connection.tickets.ticket(ref, never);
	await connection.tickets.events(ref, never);
	if (labels === 'known') {
		await connection.tickets.trackers.labels(ref.tracker, never);
	} else if (labels === 'changing') {
		Object.defineProperty(connection.tickets, 'knownLabels', { value: () => [] });
	}
	const total = connection.tickets.knownEvents(ref)?.items.length ?? 0;
	assert.ok(total > 20);
	let nowMs = 0;
	const teller = new ChangePublisher({ ...fakeClock(), nowMs: () => (nowMs += 0.5) });
	let told = 0;
	let slices = 0;
	for (let goesOn = true; goesOn; slices += 1) {
		assert.ok(slices < 10 * count, 'telling never ends');
		const slice = teller.next(tellable(connection, ref));
		told += slice.change?.timeline?.kind === 'entries' ? slice.change.timeline.put.length : 0;
		({ goesOn } = slice);
	}
	assert.equal(told, total);
	return slices;
}

function tellable(connection: Connection, ref: TicketRef): Tellable {
	return {
		connection,
		ref,
		html: (text) => text,
		warm: () => false,
		refusals: noRefusals,
		timelineFailure: undefined,
		isOldestFirst: false,
		newFrom: undefined,
		hasEditDraft: () => false,
	};
}

suite('change publisher', () => {
	for (const labels of ['known', 'unknown', 'changing'] as const) {
		test(`sends every entry once and then ends, while the labels are ${labels}`, async () => {
			assert.ok((await slicesOf(labels)) > 5, 'it comes in slices');
		});
	}

	test('shows the age of another window’s data while the forge is away, and clears it afterwards', async () => {
		const disk = keptTimelines(textsInMemory(), fakeClock());
		const window = async (
			error?: ForgeError,
		): Promise<{ readonly rich: ReturnType<typeof richTicket>; readonly connection: Connection }> => {
			const rich = richTicket(disk);
			const [connection] = rich.connections.all();
			assert.ok(connection);
			rich.world.before = () => {
				if (error) {
					throw error;
				}
			};
			await connection.tickets.ticket(rich.subject.ref, never);
			await connection.tickets.events(rich.subject.ref, never);
			return { rich, connection };
		};
		await window();
		const { rich, connection } = await window(
			new ForgeError({ kind: 'unreachable', reason: 'offline', host: 'todo.forge.test' }),
		);
		const { ref } = rich.subject;
		const clock = fakeClock();
		clock.advance(2 * 86_400_000);
		const teller = new ChangePublisher(clock);
		const headNow = (): unknown => teller.next(tellable(connection, ref)).change?.head?.readBefore;
		assert.equal(headNow(), 'Offline – showing data from 2 days ago');
		rich.world.before = () => undefined;
		await connection.tickets.renewTicket(ref, never);
		await connection.tickets.renewEvents(ref, never);
		assert.equal(headNow(), '');
	});
});
