import assert from 'node:assert/strict';
import { setStatuses } from '../../../../../src/features/lists/status/statusWrites.ts';
import { ForgeError } from '../../../../../src/forge/port/forgeError.ts';
import { fakeLists, listConnection } from '../../../../support/fakeLists.ts';
import { makePatchset } from '../../../../support/makeMail.ts';

const devel = { owner: '~alice', name: 'devel' };
const subject = (id: number) =>
	({ kind: 'patchset', connectionKey: 'sample-alice', ref: { list: devel, id } }) as const;

suite('statuses that are written', () => {
	test('of what was on its way when somebody gave up nobody says that it was not tried', async () => {
		const { world, api } = fakeLists();
		world.patchsets.set(
			'~alice/devel',
			[2, 1].map((id) => makePatchset({ id })),
		);
		const { lists } = listConnection(api);
		const giving = new AbortController();
		world.before = (call) => {
			if (call.startsWith('status ')) {
				giving.abort();
				return new Promise(() => undefined);
			}
			return undefined;
		};
		const items = [1, 2].map((id) => ({ subject: subject(id), status: 'applied' as const, expected: undefined }));
		const results = await setStatuses(items, {
			listsOf: () => lists,
			step: () => undefined,
			cancelled: giving.signal,
		});
		assert.deepEqual(
			results.map(({ outcome }) => outcome.kind),
			['unclear', 'notTried'],
		);
		assert.deepEqual(world.calls, [
			'patchset ~alice/devel 1',
			'status ~alice/devel 1 applied',
			'patchset ~alice/devel 1',
		]);
	});

	test('remember what was really there before, whatever this window had read', async () => {
		const { world, api } = fakeLists();
		world.patchsets.set('~alice/devel', [makePatchset({ id: 1 })]);
		const { lists } = listConnection(api);
		const { signal } = new AbortController();
		await lists.patchset(subject(1).ref, signal);
		world.patchsets.set('~alice/devel', [makePatchset({ id: 1, status: 'approved' })]);
		const [result] = await setStatuses([{ subject: subject(1), status: 'applied', expected: undefined }], {
			listsOf: () => lists,
			step: () => undefined,
			cancelled: signal,
		});
		assert.equal(result?.before, 'approved');
	});

	test('are not sent where nobody can tell whether it still has the one that it is expected to have', async () => {
		const { world, api } = fakeLists();
		world.patchsets.set('~alice/devel', [makePatchset({ id: 1 })]);
		const { lists } = listConnection(api);
		world.before = () => {
			throw new ForgeError({ kind: 'serverError', status: 500 });
		};
		const items = [{ subject: subject(1), status: 'proposed', expected: 'applied' }] as const;
		const { signal } = new AbortController();
		const [result] = await setStatuses(items, { listsOf: () => lists, step: () => undefined, cancelled: signal });
		assert.equal(result?.outcome.kind, 'unread');
		assert.deepEqual(world.calls, ['patchset ~alice/devel 1']);
	});
});
