import { fake } from '../support/fake.ts';
import type { ReadMarks } from '../../src/store/readMarks/storedReadMarks.ts';
import assert from 'node:assert/strict';
import { outbox } from '../../src/store/outbox/outbox.ts';
import { outboxInMemory } from '../../src/store/outbox/outboxInMemory.ts';
import { idleBackground } from '../support/idleBackground.ts';
import { journalInMemory } from '../support/journalInMemory.ts';
import { submitOnce, type SubmitOutcome } from '../../src/store/tickets/writing/submitOnce.ts';
import type { NewTicket } from 'sourcehut/port/ticket.ts';
import { TicketStore } from '../../src/store/tickets/ticketStore.ts';
import { problemFrom, protocolSuite, systemClock, wanted, type ContractForge } from '../support/contractForge.ts';
import type { FaultMatch } from '../support/sampleForge.ts';

const tracker = { owner: '~alice', name: 'lantern' };
const path = 'lantern/tickets';

async function submit(contract: ContractForge, ticket: NewTicket): Promise<SubmitOutcome> {
	const connected = contract.as('bob');
	const tickets = new TicketStore({
		api: connected.trackers,
		me: '~bob',
		followed: { all: () => [], keep: () => Promise.resolve() },
		clock: systemClock,
	});
	try {
		const parts = { api: connected.trackers, store: tickets, me: '~bob' };
		// Shortens the pauses between lookups.
		const clock = { ...systemClock, after: (ms: number, work: () => void) => systemClock.after(ms / 100, work) };
		return await submitOnce(
			{
				...parts,
				looks: fake<ReadMarks>({}),
				journal: journalInMemory(),
				outbox: outbox(outboxInMemory(), clock),
				background: idleBackground(),
				clock,
			},
			{ tracker, ticket, looking: wanted() },
			wanted(),
		);
	} finally {
		tickets.dispose();
	}
}

protocolSuite('new tickets', {}, ({ forge }) => {
	test('a ticket keeps its title and its Markdown', async () => {
		const outcome = await submit(forge(), { title: 'A *new* one', description: 'First.\n\n- second' });
		assert.ok(outcome.kind === 'submitted');
		const { title, description, submitter } = outcome.ticket;
		assert.deepEqual([title, description], ['A *new* one', 'First.\n\n- second']);
		assert.equal(submitter.kind === 'user' && submitter.canonicalName, '~bob');
	});

	test('the server rejects a short title and a long description with their fields', async () => {
		for (const [ticket, field] of [
			[{ title: 'ab', description: '' }, 'title'],
			[{ title: 'x'.repeat(2049), description: '' }, 'title'],
			// The title limit is exclusive and counts characters; the description limit counts bytes.
			[{ title: 'abc', description: 'x'.repeat(16_385) }, 'description'],
		] as const) {
			const problem = await problemFrom(submit(forge(), ticket));
			assert.ok(problem.kind === 'invalid');
			assert.equal(problem.errors[0]?.field, field);
		}
	});
});

protocolSuite('new tickets with a lost response', {}, ({ dialect, forge }) => {
	const handedIn: FaultMatch =
		dialect === 'graphql'
			? { area: 'todo', question: '^mutation SubmitTicket' }
			: { area: 'todo', method: 'POST', path };
	const posts = async ({ sample }: ContractForge): Promise<number> =>
		(await sample.requests()).filter(({ method, question }) =>
			dialect === 'graphql' ? question?.startsWith('mutation ') === true : method === 'POST',
		).length;

	test('the client finds the created ticket, with or without a description, and posts once', async () => {
		const { sample } = forge();
		for (const description of ['', 'It *smokes*.\n\nA lot.']) {
			const title = `Lost on the way back ${description.length}`;
			await sample.forgetRequests();
			await sample.fault(handedIn, { kind: 'reset', at: 'applied' });
			const outcome = await submit(forge(), { title, description });
			assert.ok(outcome.kind === 'arrived');
			assert.equal(outcome.ticket.title, title);
			assert.equal(await posts(forge()), 1);
		}
	});

	test('the client reports a lost ticket as missing and does not post it again', async () => {
		const { sample } = forge();
		await sample.forgetRequests();
		await sample.fault(handedIn, { kind: 'reset', at: 'headers' });
		const outcome = await submit(forge(), { title: 'Lost on the way there', description: '' });
		assert.equal(outcome.kind, 'missing');
		assert.equal(await posts(forge()), 1);
	});
});
