import assert from 'node:assert/strict';
import { ForgeError, type Problem } from '../../src/port/forgeError.ts';
import { factsInMemory } from '../../src/port/learntFacts.ts';
import type { Caller } from '../../src/rest/caller.ts';
import { listEndpoints, observedEndpoints, trackerEndpoints } from '../../src/rest/endpoints.ts';
import { restLists } from '../../src/rest/restForge.ts';
import { restTrackers } from '../../src/rest/restTrackers.ts';
import { makeList } from '../../../../test/support/makeMail.ts';
import { makeComment, makeEvent } from '../../../../test/support/makeTicket.ts';
import { standFor } from '../../../../test/support/standFor.ts';

const never = new AbortController().signal;
const devel = { owner: '~alice', name: 'devel' };
const ticket = { tracker: { owner: '~alice', name: 'alpha' }, id: 1 };
const comment = makeComment('Hello', { id: 7 });

/** A server whose routes beyond the contract fail with `refuses`. `asked` records the requests. */
function serverThat(
	refuses: Problem,
	{ hasList, hasComment }: { hasList: boolean; hasComment: boolean },
	asked: unknown[] = [],
): Caller {
	const events = hasComment ? [makeEvent({ kinds: ['comment'], comment })] : [];
	async function answer(endpoint: unknown): Promise<unknown> {
		asked.push(endpoint);
		switch (endpoint) {
			case observedEndpoints.removeList:
			case observedEndpoints.editComment:
				throw new ForgeError(refuses);
			case listEndpoints.list:
				if (hasList) {
					return makeList();
				}
				throw new ForgeError({ kind: 'notFound' });
			case trackerEndpoints.events:
				return { items: events, next: undefined, total: undefined, isEnvelope: true };
			default:
				return assert.fail('Something else was asked');
		}
	}
	return standFor<Caller>({
		me: '~alice',
		learnt: factsInMemory(),
		call: answer,
		prepare: (endpoint: unknown) => () => answer(endpoint),
	});
}

async function kindOf(work: Promise<unknown> | undefined): Promise<string> {
	try {
		await work;
		return 'done';
	} catch (error) {
		return error instanceof ForgeError ? error.problem.kind : String(error);
	}
}

suite('missing server feature', () => {
	for (const kind of ['notOffered', 'notFound'] as const) {
		test(`is absent after its first rejection (${kind}) and stays absent`, async () => {
			const caller = serverThat({ kind }, { hasList: true, hasComment: true });
			const [lists, trackers] = [restLists(caller), restTrackers(caller)];
			assert.equal(await kindOf(lists.remove?.(devel, never)), 'notOffered');
			assert.equal(lists.remove, undefined);
			assert.ok(trackers.editComment, 'one says nothing of the other');
			assert.equal(await kindOf(trackers.editComment(ticket, comment, 'Bye', never)), 'notOffered');
			assert.equal(trackers.editComment, undefined);
			assert.equal(restLists(caller).remove, undefined);
			assert.equal(restTrackers(caller).editComment, undefined);
		});
	}

	test('stays available if only the thing is missing', async () => {
		const caller = serverThat({ kind: 'notFound' }, { hasList: false, hasComment: false });
		const [lists, trackers] = [restLists(caller), restTrackers(caller)];
		assert.equal(await kindOf(lists.remove?.(devel, never)), 'notFound');
		assert.equal(await kindOf(trackers.editComment?.(ticket, comment, 'Bye', never)), 'notFound');
		assert.ok(lists.remove && trackers.editComment);
	});

	test('is distinguished from a missing thing by one read, even after a server crash', async () => {
		for (const problem of [{ kind: 'notFound' }, { kind: 'serverError', status: 500 }] as const) {
			const asked: unknown[] = [];
			const caller = serverThat(problem, { hasList: false, hasComment: false }, asked);
			const { editComment } = restTrackers(caller);
			assert.equal(await kindOf(editComment?.(ticket, comment, 'Bye', never)), 'notFound');
			assert.deepEqual(asked, [observedEndpoints.editComment, trackerEndpoints.events], problem.kind);
		}
	});

	test('stays available after any other rejection', async () => {
		const caller = serverThat({ kind: 'notAllowed' }, { hasList: true, hasComment: true });
		const [lists, trackers] = [restLists(caller), restTrackers(caller)];
		assert.equal(await kindOf(lists.remove?.(devel, never)), 'notAllowed');
		assert.equal(await kindOf(trackers.editComment?.(ticket, comment, 'Bye', never)), 'notAllowed');
		assert.ok(lists.remove && trackers.editComment);
	});
});
