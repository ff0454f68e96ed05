import '../../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import { fakeClock } from '../../../../support/fakeClock.ts';
import { makeComment, makeEvent } from '../../../../support/makeTicket.ts';
import { richTicket } from '../../../../support/richTicket.ts';

const { noRefusals } = await import('../../../../../src/features/tickets/permissions.ts');
const { ChangeTeller } = await import('../../../../../src/features/tickets/page/changeTeller.ts');

const never = new AbortController().signal;
const count = 100;

type Labels = 'known' | 'unknown' | 'changing';

/** How many slices a long timeline takes, each look at the clock taking half a millisecond. */
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
		await connection.tickets.labels(ref.tracker, never);
	} else if (labels === 'changing') {
		Object.defineProperty(connection.tickets, 'knownLabels', { value: () => [] });
	}
	const total = connection.tickets.knownEvents(ref)?.items.length ?? 0;
	assert.ok(total > 20);
	let nowMs = 0;
	const teller = new ChangeTeller({ ...fakeClock(), nowMs: () => (nowMs += 0.5) });
	let told = 0;
	let slices = 0;
	for (let goesOn = true; goesOn; slices += 1) {
		assert.ok(slices < 10 * count, 'telling never ends');
		const slice = teller.next({
			connection,
			ref,
			html: (text) => text,
			warm: () => false,
			refusals: noRefusals,
			timelineFailure: undefined,
			isOldestFirst: false,
			newFrom: undefined,
			hasEditDraft: () => false,
		});
		told += slice.change?.timeline?.kind === 'entries' ? slice.change.timeline.put.length : 0;
		({ goesOn } = slice);
	}
	assert.equal(told, total);
	return slices;
}

suite('telling what has changed', () => {
	for (const labels of ['known', 'unknown', 'changing'] as const) {
		test(`every entry is told once, and then it ends, while the labels are ${labels}`, async () => {
			assert.ok((await slicesOf(labels)) > 5, 'it comes in slices');
		});
	}
});
