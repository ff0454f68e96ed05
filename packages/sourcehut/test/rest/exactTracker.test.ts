import assert from 'node:assert/strict';
import { ForgeError, isForgeError, type Problem } from '../../src/port/forgeError.ts';
import type { TrackerApi } from '../../src/port/forge.ts';
import { factsInMemory } from '../../src/port/learntFacts.ts';
import { mayHaveArrived, wasNeverSent } from '../../src/port/mayHaveArrived.ts';
import type { Caller } from '../../src/rest/caller.ts';
import { restTrackers } from '../../src/rest/restTrackers.ts';
import { trackerEndpoints } from '../../src/rest/endpoints.ts';
import { makeComment, makeTicket, makeTracker } from '../../../../test/support/makeTicket.ts';
import { standFor } from '../../../../test/support/standFor.ts';

const never = new AbortController().signal;
/** An ambiguous name, so that the client looks it up before it writes. */
const tracker = { owner: '~alice', name: 'a_b' };
const ref = { tracker, id: 1 };

/** A server with this response for the tracker; it serves only the tracker and a ticket. */
function serverThat(told: () => unknown): TrackerApi {
	async function answer(endpoint: unknown): Promise<unknown> {
		switch (endpoint) {
			case trackerEndpoints.tracker:
				return told();
			case trackerEndpoints.ticket:
				return makeTicket({ id: 1, tracker: makeTracker({ name: 'a_b' }) });
			case trackerEndpoints.events:
				return { items: [], next: undefined, total: undefined, isEnvelope: true };
			default:
				return assert.fail('Something was written');
		}
	}
	return restTrackers(
		standFor<Caller>({
			me: '~alice',
			learnt: factsInMemory(),
			call: answer,
			prepare: (endpoint: unknown) => () => answer(endpoint),
		}),
	);
}

const writes: readonly (readonly [string, (api: TrackerApi) => Promise<unknown> | undefined])[] = [
	['a comment', (api) => api.updateTicket(ref, { comment: 'Hello' }, never)],
	['labels', (api) => api.updateTicket(ref, { labels: { add: ['bug'], remove: [] } }, never)],
	['a status', (api) => api.updateTicket(ref, { move: { kind: 'reopen' } }, never)],
	['an edited comment', (api) => api.editComment?.(ref, makeComment('Hello', { id: 7 }), 'Bye', never)],
	['a new ticket', (api) => api.submit(tracker, { title: 'New', description: '' }, never)],
	['a description', (api) => api.update(tracker, 'New', never)],
	['a deletion', (api) => api.remove(tracker, never)],
];

suite('tracker lookup before a write', () => {
	for (const problem of [
		{ kind: 'serverError', status: 500 },
		{ kind: 'unreachable', reason: 'timeout', host: 'todo.forge.test' },
		{ kind: 'notFound' },
	] as const satisfies readonly Problem[]) {
		test(`reports the write as unsent after a failure (${problem.kind})`, async () => {
			for (const [what, write] of writes) {
				const api = serverThat(() => {
					throw new ForgeError(problem);
				});
				await assert.rejects(
					async () => write(api),
					(error) => {
						assert.ok(isForgeError(error), String(error));
						assert.deepEqual(error.problem, problem, what);
						assert.deepEqual([mayHaveArrived(error), wasNeverSent(error, never)], [false, true], what);
						return true;
					},
				);
			}
		});
	}

	test('reports the write as unsent if the name leads to another tracker', async () => {
		for (const [what, write] of writes) {
			const api = serverThat(() => makeTracker({ name: 'axb' }));
			await assert.rejects(
				async () => write(api),
				(error) => isForgeError(error) && error.problem.kind === 'notFound' && wasNeverSent(error, never),
				what,
			);
		}
	});
});
