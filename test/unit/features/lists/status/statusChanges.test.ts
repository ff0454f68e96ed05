import '../../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import { isAbort } from '@forge-desk/base/abort.ts';
import { formedPatchsetId, type FormedFacts } from 'patchmail/series/listedPatchset.ts';
import { ForgeError } from 'sourcehut/port/forgeError.ts';
import { fakeConnections } from '../../../../support/fakeConnection.ts';
import { fakeLists, listConnection, type FakeListWorld } from '../../../../support/fakeLists.ts';
import { listsParts } from '../../../../support/fakeListsParts.ts';
import { makePatchset } from '../../../../support/makeMail.ts';
import type { Connection } from '../../../../../src/store/connection.ts';
import type { ListStore } from '../../../../../src/store/lists/listStore.ts';
import { fake } from '../../../../support/fake.ts';
import { resetStub, stubbed } from '../../../../support/vscodeValues.ts';

const { statusJob } = await import('../../../../../src/features/lists/status/statusChanges.ts');

const { setStatus } = await import('../../../../../src/features/lists/status/setStatus.ts');

const { signal: never } = new AbortController();
const formed: FormedFacts = {
	threadPatchsetId: undefined,
	kept: [],
	isComplete: true,
	isByOther: false,
	isSenderCertain: true,
	repeatedById: undefined,
	ofServer: [],
};

const devel = { owner: '~alice', name: 'devel' };
const subject = (id: number) =>
	({ kind: 'patchset', connectionKey: 'sample-alice', ref: { list: devel, id } }) as const;
const applied = (...ids: readonly number[]) =>
	statusJob(
		ids.map((id) => ({ subject: subject(id), wish: { status: 'applied' } })),
		(count) => count,
	);

function desk(...ids: readonly number[]) {
	const { world, api } = fakeLists();
	world.patchsets.set(
		'~alice/devel',
		ids.map((id) => makePatchset({ id })),
	);
	const connection = listConnection(api);
	return { world, lists: connection.lists, statuses: listsParts(fakeConnections(connection)).statuses };
}

function failing(world: FakeListWorld, call: string, problem: ForgeError['problem']): void {
	world.before = (each) => {
		if (each.startsWith(call)) {
			throw new ForgeError(problem);
		}
	};
}

suite('status changes', () => {
	setup(resetStub);

	test('are refused with a message for patches that the forge has no patchset of', async () => {
		const { world, statuses, lists } = desk(1);
		const id = formedPatchsetId(5);
		const patchset = makePatchset({ id, formed });
		const connection = fake<Connection>({
			key: 'sample-alice',
			lists: fake<ListStore>({
				patchset: async (ref, signal) => (ref.id === id ? patchset : lists.patchset(ref, signal)),
				knownPatchset: () => undefined,
			}),
		});
		const own = { ...statuses, connections: fakeConnections(connection) };
		await assert.rejects(setStatus(own, [subject(id)], 'applied', never), isAbort);
		assert.deepEqual(stubbed.shown, ['The forge has no patchset of these messages, so it keeps no status for them.']);
		await setStatus(own, [subject(id), subject(1)], 'applied', never);
		assert.deepEqual(
			world.calls.filter((call) => call.startsWith('status ')),
			['status ~alice/devel 1 applied'],
		);
	});

	test('report a change as unclear when the user cancels during its request', async () => {
		const { world, statuses } = desk(2, 1);
		const giving = new AbortController();
		world.before = (call) => {
			if (call.startsWith('status ')) {
				giving.abort();
				return new Promise(() => undefined);
			}
			return undefined;
		};
		let kinds: readonly string[] = [];
		const job = applied(1, 2);
		await statuses.carryOut(
			{ ...job, ended: (results) => void (kinds = results.map(({ outcome }) => outcome.kind)) },
			giving.signal,
		);
		assert.deepEqual(kinds, ['unclear', 'notTried']);
		assert.deepEqual(world.calls, [
			'patchset ~alice/devel 1',
			'status ~alice/devel 1 applied',
			'patchset ~alice/devel 1',
		]);
	});

	test('record the previous status from the forge, not from the cache', async () => {
		const { world, lists, statuses } = desk(1);
		const { signal } = new AbortController();
		await lists.patchset(subject(1).ref, signal);
		world.patchsets.set('~alice/devel', [makePatchset({ id: 1, status: 'approved' })]);
		await statuses.carryOut(applied(1), signal);
		assert.equal(statuses.history.takeNewest([])?.items[0]?.before, 'approved');
	});

	test('are not sent if the expected status cannot be verified', async () => {
		const { world, statuses } = desk(1);
		failing(world, '', { kind: 'serverError', status: 500 });
		const wish = { status: 'proposed', expected: 'applied' } as const;
		const { signal } = new AbortController();
		const outcome = await statuses.carryOutOne(applied(), { subject: subject(1), wish }, signal);
		assert.equal(outcome.kind, 'unread');
		assert.deepEqual(world.calls, ['patchset ~alice/devel 1']);
	});

	test('stop after one failed check if all would fail, and remain available for undo', async () => {
		const { world, statuses } = desk(2, 1);
		const { signal } = new AbortController();
		await statuses.carryOut(applied(1, 2), signal);
		world.calls.length = 0;
		failing(world, '', { kind: 'rateLimited', untilMs: undefined });
		await assert.rejects(statuses.undo({ kind: 'newest', inFront: [] }, signal));
		assert.equal(world.calls.length, 1);
		assert.equal(statuses.history.takeNewest([])?.items.length, 2);
	});
});
