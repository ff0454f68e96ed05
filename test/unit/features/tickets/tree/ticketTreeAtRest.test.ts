import '../../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import { isAbort } from '@forge-desk/base/abort.ts';
import { counts } from '../../../../support/counts.ts';
import { makeComment, makeEvent } from '../../../../support/makeTicket.ts';
import { testInBoth } from '../../../../support/parts.ts';
import { alpha, never } from '../../../../support/ticketTreeWorld.ts';
import { loseAnswer, slowView, type SlowView } from '../support/treeAtRest.ts';

const trackerId = 'sample-alice/~alice/alpha';

/** Pseudo-random numbers from 0 to 1, repeatable by seed. */
function numbers(seed: number): () => number {
	let state = seed;
	return () => {
		state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
		return state / 2 ** 32;
	};
}

type Step = (view: SlowView, random: () => number) => unknown;

const someId = (random: () => number): number => 1 + Math.floor(random() * 10);

/** Events of a view, one of each kind. */
const steps: readonly Step[] = [
	({ connection, change }, random) =>
		connection.tickets.apply({ kind: 'ticketChanged', ticket: change(someId(random)) }),
	(view, random) => loseAnswer(view, someId(random)),
	(view, random) => loseAnswer(view, someId(random)),
	({ connection, change }, random) => {
		for (let more = 0; more < 3; more += 1) {
			change(someId(random));
		}
		return connection.tickets.reads(alpha).reread(undefined, never);
	},
	({ connection }, random) => {
		const ticket = connection.tickets.knownTicket({ tracker: alpha, id: someId(random) });
		return ticket && connection.readMarks.look(ticket, undefined);
	},
	({ connection, forge }, random) => {
		const id = someId(random);
		const text = random() < 0.7 ? 'a word' : 'nothing';
		forge.world.events.set(`~alice/alpha#${id}`, [makeEvent({ kinds: ['comment'], comment: makeComment(text) })]);
		return connection.tickets.events({ tracker: alpha, id }, never);
	},
	({ connections, connection }) => connections.replace(connection),
	({ redraw }) => redraw(),
	({ tree, redraw }) => {
		tree.forget(undefined);
		redraw();
	},
	({ connection }) => connection.tickets.trackers.renewOwn(never),
	({ turn }) => turn(trackerId),
];

/** A read rejects with an AbortError when its data is dropped. */
function unlessAborted(error: unknown): void {
	assert.ok(isAbort(error), String(error));
}

/** Display of the tracker's tickets. */
interface Look {
	readonly name: string;
	readonly grouping: 'none' | 'status';
	readonly filter: string | undefined;
	readonly saved: readonly { readonly name: string; readonly filter: string }[];
}

async function comesToRest(seed: number, { grouping, filter, saved }: Look): Promise<void> {
	const random = numbers(seed);
	const view = await slowView({ work: () => (random() < 0.2 ? 5 : 0), saved });
	view.busyMs = () => (random() < 0.5 ? 0 : Math.floor(random() * 300));
	view.forge.world.before = () => view.clock.wait(Math.floor(random() * 200));
	const order = view.parts.treeChoices.of(view.connection.key, alpha).order;
	await view.parts.treeChoices.choose(view.connection.key, alpha, { grouping, order });
	await view.filters.setOnTracker(view.connection.key, alpha, filter);
	await view.clock.pass(4000);
	const doing: Promise<unknown>[] = [];
	for (let count = 0; count < 12; count += 1) {
		const step = steps[Math.floor(random() * steps.length)];
		doing.push(Promise.resolve(step?.(view, random)).catch(unlessAborted));
		await view.clock.pass(Math.floor(random() * 250));
	}
	await view.clock.pass(2000);
	await Promise.all(doing);
	// Two concurrent requests share one response. It may predate the action of the second caller.
	const reading = view.connection.tickets.reads(alpha).reread(undefined, never);
	await view.clock.pass(20_000);
	await reading;
	view.forge.world.before = () => undefined;
	view.busyMs = () => 0;
	// A filtered list is frozen while it is expanded. The next expansion rebuilds it.
	const heldIds = [...saved.map(({ name }) => `queue:user:${name}`), ...(filter === undefined ? [] : [trackerId])];
	for (const id of [...heldIds, ...heldIds]) {
		view.turn(id);
		await view.clock.pass(1000);
	}
	const [truth] = await Promise.all([view.truth(), view.clock.pass(500)]);
	assert.deepEqual(view.seen(), truth, `seed ${seed}`);
}

const looks: readonly Look[] = [
	{ name: 'in one list', grouping: 'none', filter: undefined, saved: [] },
	{ name: 'in groups', grouping: 'status', filter: undefined, saved: [] },
	{ name: 'with a filter', grouping: 'none', filter: 'status:any word', saved: [] },
	{
		name: 'below queues',
		grouping: 'none',
		filter: undefined,
		saved: [
			{ name: 'Open', filter: 'status:open' },
			{ name: 'Word', filter: 'word' },
		],
	},
];

const seeds = counts({ first: 13, small: 40, full: 400 });

suite('tickets view at rest', function () {
	this.timeout(600_000);
	for (const look of looks) {
		testInBoth(`shows the known state after any sequence of steps, ${look.name}`, async () => {
			for (let seed = 1; seed <= seeds; seed += 1) {
				await comesToRest(seed, look);
			}
		});
	}

	test('a slow read of the whole view does not restore an older count', async () => {
		const view = await slowView({ work: () => 0, saved: [{ name: 'Open', filter: 'status:open' }] });
		await view.clock.pass(1000);
		[trackerId, 'queue:user:Open'].forEach((id) => view.turn(id));
		view.busyMs = () => 2000;
		view.redraw();
		// The rows take 4 s, and reach the editor 2 s later.
		await view.clock.pass(4500);
		await loseAnswer(view, 3);
		await view.clock.pass(20_000);
		assert.deepEqual(view.seen(), [
			'Open | 9 | forge.filter.user',
			'alpha | ~alice · 9 open of 10 | forge.tracker.own',
		]);
	});

	test('a loaded comment changes the count of a tracker filtered by its words', async () => {
		const view = await slowView({ work: () => 0, saved: [] });
		await view.filters.setOnTracker(view.connection.key, alpha, 'word');
		await view.clock.pass(4000);
		view.forge.world.events.set('~alice/alpha#7', [
			makeEvent({ kinds: ['comment'], comment: makeComment('another word') }),
		]);
		await view.connection.tickets.events({ tracker: alpha, id: 7 }, never);
		await view.clock.pass(4000);
		assert.deepEqual(view.seen(), [
			'alpha | ~alice · filtered: word · 1 of 10 | forge.tracker.own',
			'  The parser stops at… #7 | 3d | forge.ticket.open',
		]);
	});
});
