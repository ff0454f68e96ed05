import '../../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import type { SelectedTogether } from '../../../../../src/features/tickets/tree/frozenLists.ts';
import type { Shelf } from '../../../../../src/features/tickets/tree/ticketShelf.ts';
import { makeTicket } from '../../../../support/makeTicket.ts';
import { alpha, beta, treeWorld, type TreeWorld } from '../../../../support/ticketTreeWorld.ts';

const { selectedTogether } = await import('../../../../../src/features/tickets/tree/frozenLists.ts');
const { trackerRowId } = await import('../../../../../src/features/tickets/tree/ticketShelf.ts');

interface World extends TreeWorld {
	readonly together: SelectedTogether;
	/** Tickets that the search visited. */
	readonly looked: string[];
	readonly idOf: (ref: typeof alpha | typeof beta) => string;
}

/** Three tickets in each of two trackers. */
async function world(): Promise<World> {
	const made = await treeWorld();
	const { connection, index } = made;
	const trackers = [alpha, beta];
	trackers.forEach((ref) =>
		index.know(
			ref,
			[3, 2, 1].map((id) => makeTicket({ id })),
		),
	);
	const looked: string[] = [];
	const idOf: World['idOf'] = (ref) => trackerRowId({ connection, ref });
	function shelf(id: string): Shelf {
		const ref = trackers.find((each) => idOf(each) === id) ?? assert.fail(id);
		const groups = index.tickets(ref).map((entry) => ({
			key: undefined,
			isFolded: false,
			places: new Map<number, number>(),
			get tickets() {
				looked.push(`${ref.name}#${entry.ticket.id}`);
				return [{ entry, from: { connection, ref } }];
			},
		}));
		return { groups, matching: 3, waiting: 0, known: 3, isWhole: true, uncounted: 0, isMixed: false };
	}
	return { ...made, together: selectedTogether(made.parts, shelf), looked, idOf };
}

suite('tickets selected together', () => {
	test('nothing is searched or stored for a single selected ticket', async () => {
		const made = await world();
		const { view, together, looked, idOf } = made;
		view.select(...(await made.below('alpha')).slice(0, 1));
		assert.deepEqual([looked, together.of(idOf(alpha))], [[], undefined]);
	});

	test('the search stops at the last selected ticket', async () => {
		const made = await world();
		const { view, together, looked, idOf } = made;
		view.select(...(await made.below('alpha')).slice(0, 2));
		assert.deepEqual(looked, ['alpha#3', 'alpha#2']);
		assert.deepEqual(
			[...(together.of(idOf(alpha)) ?? [])].map(([id]) => id),
			[3, 2],
		);
	});

	test('a selection in another tracker searches the first one once more, then never again', async () => {
		const made = await world();
		const { view, together, looked, idOf } = made;
		view.select(...(await made.below('alpha')).slice(0, 2));
		looked.length = 0;
		const others = await made.below('beta');
		view.select(...others.slice(0, 1));
		assert.deepEqual([looked, together.of(idOf(alpha))], [['alpha#3', 'alpha#2'], undefined]);
		looked.length = 0;
		view.select(...others.slice(1, 2));
		assert.deepEqual(looked, []);
	});
});
