import '../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import { makeEntry } from '../../../support/makeInboxEntry.ts';
import { inboxWorld } from './support/inboxWorld.ts';

const { thingsIn } = await import('../../../../src/features/inbox/inboxTargets.ts');

suite('things of the inbox', () => {
	const mention = { reason: 'mentioned' } as const;

	/** Keys of things as numbers of tickets, in order. */
	function order(isDoneShown: boolean, work: (world: ReturnType<typeof inboxWorld>) => void): readonly string[] {
		const world = inboxWorld();
		work(world);
		return world.connections
			.all()
			.flatMap(({ inbox }) => thingsIn(inbox, isDoneShown).map(({ key }) => key.replace(/^.*#/, '')));
	}

	test('are in the order of their groups, and newest first in each', () => {
		const ids = order(true, ({ arrive, connections }) => {
			arrive([
				makeEntry('a', 0, { ...mention, ticket: 1 }),
				makeEntry('b', 10, { ...mention, ticket: 2 }),
				makeEntry('c', 20, { ticket: 3 }),
				makeEntry('d', 30, { ticket: 4 }),
				makeEntry('e', 40, { ticket: 5 }),
			]);
			connections.all()[0]?.inbox.setState(['e'], 'done');
		});
		assert.deepEqual(ids, ['2', '1', '4', '3', '5']);
	});

	test('are without done ones, unless these are shown', () => {
		const work = ({ arrive, connections }: ReturnType<typeof inboxWorld>): void => {
			arrive([makeEntry('a', 0, { ticket: 1 }), makeEntry('b', 10, { ticket: 2 })]);
			connections.all()[0]?.inbox.setState(['b'], 'done');
		};
		assert.deepEqual([order(false, work), order(true, work)], [['1'], ['1', '2']]);
	});

	test('come back on top after a snooze, and wait in the order of their return', () => {
		const [past, soon, later] = [Date.UTC(2026, 10, 20, 11, 30), Date.UTC(2030, 0, 1), Date.UTC(2030, 0, 2)];
		const ids = order(true, ({ arrive, connections }) => {
			arrive([1, 2, 3, 4].map((id) => makeEntry(`e${id}`, id - 60, { ticket: id })));
			const inbox = connections.all()[0]?.inbox;
			inbox?.setState(['e1'], 'unread', past);
			inbox?.setState(['e3'], 'unread', later);
			inbox?.setState(['e4'], 'unread', soon);
		});
		assert.deepEqual(ids, ['1', '2', '4', '3']);
	});

	test('lead with their newest open entry, or with the newest that needs an answer', () => {
		const world = inboxWorld();
		const [account] = world.connections.all();
		const leading = (): string | undefined => account && thingsIn(account.inbox, true)[0]?.leading.entry.id;
		world.arrive([makeEntry('a', 0), makeEntry('b', 10, mention), makeEntry('c', 20), makeEntry('d', 30, mention)]);
		assert.equal(leading(), 'd');
		account?.inbox.setState(['d'], 'done');
		assert.equal(leading(), 'b');
		account?.inbox.setState(['b'], 'done');
		assert.equal(leading(), 'c');
		account?.inbox.setState(['a', 'c'], 'done');
		assert.equal(leading(), 'd');
	});
});
