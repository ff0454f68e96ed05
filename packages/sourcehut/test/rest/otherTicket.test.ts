import assert from 'node:assert/strict';
import { isForgeError } from '../../src/port/forgeError.ts';
import type { ChangedTicket } from '../../src/port/ticketRequest.ts';
import { factsInMemory } from '../../src/port/learntFacts.ts';
import type { Caller } from '../../src/rest/caller.ts';
import { restTrackers } from '../../src/rest/restTrackers.ts';
import { makeTicket } from '../../../../test/support/makeTicket.ts';
import { standFor } from '../../../../test/support/standFor.ts';

const { signal } = new AbortController();
const ref = { tracker: { owner: '~alice', name: 'alpha' }, id: 1 };
const isRefused = (error: unknown): boolean =>
	isForgeError(error) && error.problem.kind === 'notUnderstood' && error.problem.where === 'id';

/** Trackers of a server with a fixed response. */
function answering(answer: unknown): ReturnType<typeof restTrackers> {
	return restTrackers(standFor<Caller>({ me: '~alice', learnt: factsInMemory(), call: () => Promise.resolve(answer) }));
}

suite('ticket response', () => {
	test('must have the requested number', async () => {
		const own = makeTicket({ id: 1 });
		assert.equal(await answering(own).ticket(ref, signal), own);
		await assert.rejects(answering(makeTicket({ id: 77 })).ticket(ref, signal), isRefused);
	});

	test('must have the requested number after a change too', async () => {
		const own: ChangedTicket = { ticket: makeTicket({ id: 1 }), events: [] };
		const outcome = await answering(own).updateTicket(ref, { move: { kind: 'reopen' } }, signal);
		assert.equal(outcome.kind === 'answered' && outcome.ticket, own.ticket);
		const other: ChangedTicket = { ticket: makeTicket({ id: 77 }), events: [] };
		const lost = await answering(other).updateTicket(ref, { move: { kind: 'reopen' } }, signal);
		assert.ok(lost.kind === 'lost' && isRefused(lost.error), 'it is looked for as after any lost answer');
	});
});
