import '../../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import type { Ticket } from 'sourcehut/port/ticket.ts';
import type { TreeNode } from '../../../../../src/editor/trees/treeNode.ts';
import type { ShowMoreSubject } from '../../../../../src/editor/commands/subjects.ts';
import type { TreeChoice } from '../../../../../src/features/tickets/choices/treeChoices.ts';
import type { Resting } from '@forge-desk/base/timeSlice.ts';
import { makeTicket, makeTracker, makeUser, someTimeMs } from '../../../../support/makeTicket.ts';
import { standFor } from '../../../../support/standFor.ts';
import {
	alpha,
	beta,
	lineOf,
	never,
	rowsBelow,
	treeWorld,
	type TreeWorld,
} from '../../../../support/ticketTreeWorld.ts';

const { factsKeeper, memoized, renderedRows } =
	await import('../../../../../src/features/tickets/tree/trackerFacts.ts');
const { shelfSteps } = await import('../../../../../src/features/tickets/tree/ticketShelf.ts');

const number = { key: 'number', isReversed: false } as const;
const dayMs = 86_400_000;

async function world(): Promise<TreeWorld> {
	const made = await treeWorld();
	made.index.know(alpha, [
		makeTicket({ id: 4, title: 'four', labels: ['bug', 'ui'], assignees: [makeUser('bob')], createdMs: someTimeMs }),
		makeTicket({ id: 3, title: 'three', status: 'resolved', resolution: 'fixed', updatedMs: someTimeMs - dayMs }),
		makeTicket({ id: 2, title: 'two', labels: ['bug'], updatedMs: someTimeMs + dayMs, createdMs: someTimeMs - dayMs }),
		makeTicket({ id: 1, title: 'one', status: 'confirmed', createdMs: someTimeMs + dayMs }),
	]);
	return made;
}

async function rowsWith(made: TreeWorld, choice: TreeChoice): Promise<readonly string[]> {
	await made.parts.treeChoices.choose(made.connection.key, alpha, choice);
	return (await made.below('alpha')).map(lineOf);
}

suite('tickets view: open tickets first', () => {
	test('a tracker lists its open tickets, then a collapsed row with the resolved ones', async () => {
		const made = await world();
		made.shown.set('open');
		const rows = await made.below('alpha');
		assert.deepEqual(rows.map(lineOf), ['four #4 | 3d bug, ui ~bob', 'two #2 | 2d bug', 'one #1 | 3d', 'Resolved | 1']);
		assert.deepEqual((await rowsBelow(rows[3])).map(lineOf), ['three #3 | 4d']);
	});

	test('groups of any kind also end with a row of resolved tickets', async () => {
		const made = await world();
		made.shown.set('open');
		assert.deepEqual(await rowsWith(made, { grouping: 'label', order: number }), [
			'bug | 2',
			'ui | 1',
			'No label | 1',
			'Resolved | 1',
		]);
		assert.deepEqual(await rowsWith(made, { grouping: 'status', order: number }), [
			'Reported | 2',
			'Confirmed | 1',
			'Resolved | 1',
		]);
	});

	test('counts only the known resolved tickets of a partly known tracker', async () => {
		const made = await world();
		made.shown.set('open');
		const tickets = made.index.tickets(alpha).map(({ ticket }) => ticket);
		made.index.know(alpha, tickets, { kind: 'partial', known: 4, total: 10, checkedAtMs: someTimeMs });
		assert.deepEqual((await made.below('alpha')).slice(-2).map(lineOf), [
			'Resolved | 1+',
			'Show More | Searched 4 of 10',
		]);
		made.index.know(alpha, tickets.slice(0, 1), { kind: 'partial', known: 1, total: 10, checkedAtMs: someTimeMs });
		assert.deepEqual((await made.below('alpha')).map(lineOf), [
			'four #4 | 3d bug, ui ~bob',
			'Show More | Showing 1 of 10',
		]);
	});

	test('a filter decides itself whether to include resolved tickets', async () => {
		const made = await world();
		made.shown.set('open');
		await made.filters.setOnTracker(made.connection.key, alpha, 'status:any three');
		assert.deepEqual((await made.below('alpha')).map(lineOf), ['three #3 | 4d']);
	});

	/** The same tickets, some of them changed by another user. */
	function change(made: TreeWorld, ids: readonly number[], changes: Partial<Ticket>): Promise<void> {
		const tickets = made.index.tickets(alpha).map(({ ticket }) => ticket);
		made.index.know(
			alpha,
			tickets.map((ticket) => (ids.includes(ticket.id) ? { ...ticket, ...changes } : ticket)),
		);
		return made.settle();
	}

	const resolved: Partial<Ticket> = { status: 'resolved', resolution: 'fixed' };
	const labelsOf = (rows: readonly TreeNode[]): readonly unknown[] => rows.map(({ item }) => item.label);

	test('tickets selected together keep their place and selection until the tracker collapses', async () => {
		const made = await world();
		made.shown.set('open');
		const before = await made.below('alpha');
		const chosen = before.slice(0, 2);
		made.view.select(...chosen);
		await change(made, [4, 2], resolved);
		const after = await made.below('alpha');
		assert.deepEqual(labelsOf(after), ['four #4', 'two #2', 'one #1', 'Resolved']);
		assert.deepEqual(
			after.slice(0, 2).map(({ id }) => id),
			chosen.map(({ id }) => id),
		);
		assert.match(after[0]?.item.accessibilityInformation?.label ?? '', /Resolved: fixed/);
		assert.equal(lineOf(after[3] ?? assert.fail()), 'Resolved | 1');
		// A key in the view drops the focused row for a moment.
		made.view.select(...chosen.slice(0, 1));
		made.view.select(...chosen);
		await change(made, [4], { labels: [] });
		assert.deepEqual(labelsOf(await made.below('alpha')), ['four #4', 'two #2', 'one #1', 'Resolved']);
		// Rows must not move under the pointer, even when the selection changes.
		made.view.select(...after.slice(2, 3));
		await change(made, [1], { title: 'uno' });
		assert.deepEqual(labelsOf(await made.below('alpha')), ['four #4', 'two #2', 'uno #1', 'Resolved']);
		const tracker = (await made.roots()).find(({ item }) => item.label === 'alpha');
		made.view.collapse(tracker ?? assert.fail());
		await made.settle();
		assert.deepEqual((await made.below('alpha')).map(lineOf), ['uno #1 | 3d', 'Resolved | 3']);
	});

	test('a refresh moves tickets selected together to their place, and redraws the rows', async () => {
		const made = await world();
		made.shown.set('open');
		made.view.select(...(await made.below('alpha')).slice(0, 2));
		await change(made, [4, 2], resolved);
		made.redrawn.length = 0;
		made.tree.forget(undefined);
		await made.settle();
		assert.ok(made.redrawn.some((node) => node?.item.label === 'alpha'));
		assert.deepEqual(labelsOf(await made.below('alpha')), ['one #1', 'Resolved']);
	});

	test('resolved tickets reopened together keep their place, too, in groups of any kind', async () => {
		const made = await world();
		made.shown.set('open');
		await change(made, [2], resolved);
		const behind = await rowsBelow((await made.below('alpha')).at(-1));
		assert.deepEqual(labelsOf(behind), ['three #3', 'two #2']);
		made.view.select(...behind);
		await change(made, [3, 2], { status: 'reported', resolution: 'unresolved' });
		assert.deepEqual(labelsOf(await rowsBelow((await made.below('alpha')).at(-1))), ['three #3', 'two #2']);

		const grouped = await world();
		assert.deepEqual(await rowsWith(grouped, { grouping: 'label', order: number }), [
			'bug | 2',
			'ui | 1',
			'No label | 2',
		]);
		grouped.view.select(...(await rowsBelow((await grouped.below('alpha'))[0])));
		await change(grouped, [4, 2], { labels: ['docs'] });
		assert.deepEqual((await grouped.below('alpha')).map(lineOf), ['bug | 2', 'ui | 1', 'No label | 2']);
		// Another grouping is another list.
		assert.deepEqual(await rowsWith(grouped, { grouping: 'label', order: number }), ['docs | 2', 'No label | 2']);
	});

	test('tickets selected together move with a new filter on their tracker, but not on another', async () => {
		const made = await world();
		await made.filters.setOnTracker(made.connection.key, alpha, 'status:any');
		const byStatus = { grouping: 'status', order: number } as const;
		assert.deepEqual(await rowsWith(made, byStatus), ['Reported | 2', 'Confirmed | 1', 'Resolved | 1']);
		made.view.select(...(await rowsBelow((await made.below('alpha'))[0])));
		await change(made, [4, 2], resolved);
		const asTheyStood = ['Reported | 2', 'Confirmed | 1', 'Resolved | 1'];
		assert.deepEqual((await made.below('alpha')).map(lineOf), asTheyStood);
		await made.filters.setOnTracker(made.connection.key, beta, 'crash');
		assert.deepEqual((await made.below('alpha')).map(lineOf), asTheyStood);
		await made.filters.setOnTracker(made.connection.key, alpha, undefined);
		assert.deepEqual((await made.below('alpha')).map(lineOf), ['Confirmed | 1', 'Resolved | 3']);
	});

	test('tickets selected together move when a tracker without a filter gets one', async () => {
		const made = await world();
		await rowsWith(made, { grouping: 'status', order: number });
		made.view.select(...(await rowsBelow((await made.below('alpha'))[0])));
		await change(made, [4, 2], resolved);
		await made.filters.setOnTracker(made.connection.key, alpha, 'status:any');
		assert.deepEqual((await made.below('alpha')).map(lineOf), ['Confirmed | 1', 'Resolved | 3']);
	});

	test('tickets selected together move when the view switches between open and all tickets', async () => {
		const made = await world();
		made.shown.set('open');
		made.view.select(...(await made.below('alpha')).slice(0, 2));
		await change(made, [4, 2], resolved);
		made.shown.set('all');
		made.shown.set('open');
		assert.deepEqual(labelsOf(await made.below('alpha')), ['one #1', 'Resolved']);
	});

	test('a single selected ticket moves immediately, and so do unselected ones', async () => {
		const made = await world();
		made.shown.set('open');
		const rows = await made.below('alpha');
		made.view.select(...rows.slice(0, 2));
		made.view.select(...rows.slice(0, 1));
		await change(made, [4, 2], resolved);
		assert.deepEqual(labelsOf(await made.below('alpha')), ['one #1', 'Resolved']);
	});

	test('a change of the setting redraws the view', async () => {
		const made = await world();
		assert.equal((await made.below('alpha')).length, 4);
		made.redrawn.length = 0;
		made.shown.set('open');
		assert.deepEqual(made.redrawn, [undefined]);
		assert.deepEqual((await made.below('alpha')).map(lineOf).at(-1), 'Resolved | 1');
	});
});

suite('tickets view: order and groups', () => {
	test('lists all tickets of a fully known tracker, highest number first', async () => {
		const made = await world();
		assert.deepEqual((await made.below('alpha')).map(lineOf), [
			'four #4 | 3d bug, ui ~bob',
			'three #3 | 4d',
			'two #2 | 2d bug',
			'one #1 | 3d',
		]);
	});

	const orders: readonly (readonly [TreeChoice['order'], readonly number[]])[] = [
		[{ key: 'number', isReversed: true }, [1, 2, 3, 4]],
		[{ key: 'updated', isReversed: false }, [2, 4, 1, 3]],
		[{ key: 'updated', isReversed: true }, [3, 4, 1, 2]],
		[{ key: 'created', isReversed: false }, [1, 4, 3, 2]],
	];
	for (const [order, expected] of orders) {
		test(`sorts tickets by ${order.key}${order.isReversed ? ', turned round' : ''}`, async () => {
			const rows = await rowsWith(await world(), { grouping: 'none', order });
			assert.deepEqual(
				rows.map((row) => Number(/#(\d)/.exec(row)?.[1])),
				expected,
			);
		});
	}

	test('groups by status follow the workflow and show counts', async () => {
		assert.deepEqual(await rowsWith(await world(), { grouping: 'status', order: number }), [
			'Reported | 2',
			'Confirmed | 1',
			'Resolved | 1',
		]);
	});

	test('groups by label list a ticket under each of its labels, and unlabelled tickets last', async () => {
		const made = await world();
		assert.deepEqual(await rowsWith(made, { grouping: 'label', order: number }), ['bug | 2', 'ui | 1', 'No label | 2']);
		const [bug, ui] = await made.below('alpha');
		const [inBug, inUi] = [await rowsBelow(bug), await rowsBelow(ui)];
		assert.deepEqual(
			[...inBug, ...inUi].map(({ item }) => item.label),
			['four #4', 'two #2', 'four #4'],
		);
		assert.notEqual(inBug[0]?.id, inUi[0]?.id, 'rows are told apart by their id');
		assert.equal(inBug[0]?.parent?.parent?.item.label, 'alpha');
	});

	test('groups by assignee list unassigned tickets last', async () => {
		assert.deepEqual(await rowsWith(await world(), { grouping: 'assignee', order: number }), [
			'~bob | 1',
			'No assignee | 3',
		]);
	});

	test('a group names its kind to screen readers, and commands on it use its tracker', async () => {
		const made = await world();
		await rowsWith(made, { grouping: 'label', order: number });
		const [bug] = await made.below('alpha');
		assert.equal(bug?.item.accessibilityInformation?.label, 'Label bug, 2 tickets');
		assert.deepEqual(bug?.subject, { kind: 'tracker', connectionKey: made.connection.key, ref: alpha });
	});

	test('a group of a partly known tracker never claims to be complete', async () => {
		const made = await world();
		made.index.know(alpha, [makeTicket({ id: 9 })], { kind: 'partial', known: 1, total: 50, checkedAtMs: someTimeMs });
		const rows = await rowsWith(made, { grouping: 'status', order: number });
		assert.deepEqual(rows, ['Reported | 1+', 'Show More | Searched 1 of 50']);
	});

	test('a choice redraws its tracker and nothing else', async () => {
		const made = await world();
		await made.roots();
		made.redrawn.length = 0;
		await rowsWith(made, { grouping: 'label', order: number });
		assert.deepEqual(
			made.redrawn.map((node) => node?.item.label),
			['alpha'],
		);
	});

	test('draws five hundred of ten thousand tickets, and five hundred more on request', async () => {
		const made = await treeWorld();
		made.index.know(
			alpha,
			Array.from({ length: 10_000 }, (_, at) => makeTicket({ id: 10_000 - at })),
		);
		const rows = await made.below('alpha');
		assert.equal(rows.length, 501);
		assert.equal(lineOf(rows[500]!), 'Show More | Showing 500 of 10000');
		made.redrawn.length = 0;
		await standFor<ShowMoreSubject>(rows[500]?.subject).run(never);
		assert.deepEqual(
			made.redrawn.map((node) => node?.item.label),
			['alpha'],
		);
		assert.equal((await made.below('alpha')).length, 1001);
	});

	test('draws at most five thousand rows: rows at the other end go and return', async () => {
		const made = await treeWorld();
		made.index.know(
			alpha,
			Array.from({ length: 10_000 }, (_, at) => makeTicket({ id: 10_000 - at })),
		);
		const idsBelow = async (): Promise<readonly [number, string, string]> => {
			const rows = await made.below('alpha');
			return [rows.length, rows[0]?.id.replace(/.*[#/]/, '') ?? '', rows.at(-2)?.id.replace(/.*[#/]/, '') ?? ''];
		};
		for (let step = 0; step < 9; step += 1) {
			await standFor<ShowMoreSubject>((await made.below('alpha')).at(-1)?.subject).run(never);
		}
		assert.deepEqual(await idsBelow(), [5001, '10000', '5001']);
		await standFor<ShowMoreSubject>((await made.below('alpha')).at(-1)?.subject).run(never);
		assert.deepEqual(await idsBelow(), [5002, 'earlier', '4501']);
		await standFor<ShowMoreSubject>((await made.below('alpha'))[0]?.subject).run(never);
		assert.deepEqual(await idsBelow(), [5001, '10000', '5001']);
		await made.tree.reveal(
			{ kind: 'ticket', connectionKey: made.connection.key, ref: { tracker: alpha, id: 100 } },
			false,
		);
		assert.deepEqual((await idsBelow()).slice(0, 2), [501, 'earlier']);
		made.index.know(alpha, [makeTicket({ id: 1 })]);
		assert.equal((await made.below('alpha')).length, 1);
	});
});

suite('tickets view: counts', () => {
	test('a tracker shows its open, total and unread tickets', async () => {
		const made = await world();
		await made.roots();
		made.index.know(alpha, [
			...made.index.tickets(alpha).map(({ ticket }) => ticket),
			makeTicket({ id: 5, updatedMs: Date.UTC(2026, 10, 21) }),
		]);
		const [row] = await made.roots();
		assert.equal(row?.item.description, '~alice · 4 open of 5 · 1 new');
		assert.equal(row?.item.accessibilityInformation?.label, 'Tracker alpha of ~alice, 4 open of 5, 1 new');
	});

	test('a tracker shows its inbox setting immediately after a change', async () => {
		const made = await world();
		await made.roots();
		let drawn = 0;
		made.tree.onDidChange((node) => (drawn += node === undefined ? 1 : 0));
		made.connection.inbox.choose('tracker ~alice/alpha', 'concerns');
		const [row] = await made.roots();
		assert.match(String(row?.item.description), / · what concerns you in inbox$/);
		assert.equal(drawn, 1);
	});

	const partly: readonly (readonly [number | undefined, string])[] = [
		[312, '~alice · 1+ open of 312'],
		[undefined, '~alice · 1+ open'],
	];
	for (const [total, expected] of partly) {
		test(`a partly known tracker shows only known counts (${total ?? 'no total'})`, async () => {
			const made = await world();
			made.index.know(alpha, [makeTicket()], { kind: 'partial', known: 1, total, checkedAtMs: someTimeMs });
			const [row] = await made.roots();
			assert.equal(row?.item.description, expected);
		});
	}

	test('the tooltip counts statuses and labels, and shows the time of the last update', async () => {
		const made = await world();
		const [row] = await made.roots();
		const tooltip = await row?.tooltip?.(never);
		assert.ok(typeof tooltip === 'object');
		const text = tooltip.value.replaceAll('\\', '');
		assert.match(text, /Tickets: 4\. Reported 2, Confirmed 1, Resolved 1/);
		assert.match(text, /Labels: bug 2, ui 1/);
		assert.match(text, /Last updated 12 minutes ago/);
	});

	test('the tooltip names at most 20 unknown statuses and fields', async () => {
		const made = await treeWorld();
		const extra = Array.from({ length: 23 }, (_, at) => ({ name: `field${at}`, json: '1' }));
		made.forge.world.trackers[0] = makeTracker({ extra });
		made.index.know(
			alpha,
			Array.from({ length: 25 }, (_, at) => makeTicket({ id: 25 - at, status: `other:state${at}` })),
		);
		const [row] = await made.roots();
		const tooltip = await row?.tooltip?.(never);
		assert.ok(typeof tooltip === 'object');
		const text = tooltip.value.replaceAll('\\', '');
		assert.deepEqual([text.match(/state\d+/gi)?.length, text.match(/field\d+/g)?.length], [20, 20]);
		assert.deepEqual(text.match(/and \d+ more/g), ['and 5 more', 'and 3 more']);
	});

	test('the tooltip says that reading is paused, and until when', async () => {
		const made = await world();
		made.index.pause = { kind: 'budget', untilMs: Date.UTC(2026, 10, 20, 13) };
		const [row] = await made.roots();
		const tooltip = await row?.tooltip?.(never);
		assert.ok(typeof tooltip === 'object');
		assert.match(tooltip.value, /is paused until .*the hourly request limit is reached/);
		assert.match(
			made.tree.note?.text() ?? '',
			/^paused until .*, request limit reached \(forge\.index\.requestsPerHour\) · updated /,
		);
		made.index.pause = { kind: 'offline' };
		const offline = await row?.tooltip?.(never);
		assert.match(typeof offline === 'object' ? offline.value : '', /is paused.*the forge cannot be reached/);
		// A budget of 0 requests never allows the next one.
		made.index.pause = { kind: 'budget', untilMs: Number.POSITIVE_INFINITY };
		assert.match(made.tree.note?.text() ?? '', /^updated /);
	});

	test('shows the age of the data beside the view, and updates it every minute', async () => {
		const made = await world();
		assert.equal(made.tree.note?.text(), 'updated 12 min. ago');
		let told = 0;
		made.tree.note?.onDidChange(() => {
			told += 1;
		});
		made.clock.advance(60_000);
		assert.ok(told > 0);
		assert.equal(made.tree.note?.text(), 'updated 13 min. ago');
	});
});

suite('tickets view: trackers in use', () => {
	test('an expanded tracker counts as in use until it collapses; rows, counts, dots and ages do not count', async () => {
		const made = await world();
		await made.settle();
		made.index.know(beta, [makeTicket({ tracker: makeTracker({ name: 'beta' }), id: 5 })]);
		await made.roots();
		await made.settle();
		made.clock.advance(60_000);
		assert.deepEqual(made.index.inUses, []);
		await made.below('alpha');
		assert.deepEqual(made.index.inUses, ['~alice/alpha']);
		made.clock.advance(60_000);
		assert.deepEqual(made.index.inUses, ['~alice/alpha', '~alice/alpha']);
		made.view.collapse((await made.roots()).find(({ item }) => item.label === 'alpha') ?? assert.fail());
		made.clock.advance(60_000);
		assert.equal(made.index.inUses.length, 2);
	});

	test('an expanded queue puts all its trackers in use', async () => {
		const made = await treeWorld([{ name: 'Open', filter: 'status:open' }]);
		made.index.know(alpha, [makeTicket({ id: 1 })]);
		made.index.know(beta, [makeTicket({ tracker: makeTracker({ name: 'beta' }), id: 5 })]);
		await made.below('Open');
		assert.deepEqual(made.index.inUses, ['~alice/alpha', '~alice/beta']);
	});
});

suite('tickets view: thousands of tickets', () => {
	/** Each read of the clock advances it; `count` counts the pauses. */
	function rests(): { readonly resting: Resting; readonly count: () => number } {
		let nowMs = 0;
		let count = 0;
		return {
			resting: {
				nowMs: () => (nowMs += 1),
				pause: async () => void (count += 1),
				sliceMs: 4,
			},
			count: () => count,
		};
	}

	const wordy = Array.from({ length: 3000 }, (_, at) => makeTicket({ id: 3000 - at, labels: [`l${at % 7}`] }));

	test('counting and grouping pause many times', async () => {
		const made = await treeWorld();
		made.index.know(alpha, wordy);
		const from = { connection: made.connection, ref: alpha };
		const order = { key: 'number', isReversed: false } as const;
		const wish = { trackers: [from], filter: undefined, order, grouping: 'label', foldsResolved: false } as const;
		const [counting, filling] = [rests(), rests()];
		const { open } = await factsKeeper(counting.resting).counted({ connection: made.connection, ref: alpha }, never);
		const shelf = await memoized(shelfSteps, filling.resting).current('x', wish, never);
		assert.deepEqual([open, shelf.groups.length, shelf.matching], [3000, 7, 3000]);
		for (const { count } of [counting, filling]) {
			// 3,000 tickets take about 47 steps, and only a few pass without a pause.
			assert.ok(count() >= 10, `${count()} rests`);
		}
	});

	test('shows a count that became stale while it ran, and counts again on the next read', async () => {
		const made = await treeWorld();
		made.index.know(alpha, wordy);
		const { resting } = rests();
		const facts = factsKeeper(resting);
		const counting = facts.counted({ connection: made.connection, ref: alpha }, never);
		made.index.know(alpha, wordy.slice(1));
		facts.stale({ connection: made.connection, ref: alpha });
		assert.equal((await counting).open, 3000);
		assert.equal(facts.last({ connection: made.connection, ref: alpha }).open, 3000);
		assert.equal((await facts.counted({ connection: made.connection, ref: alpha }, never)).open, 2999);
	});

	test('the later of two concurrent counts wins', async () => {
		const made = await treeWorld();
		made.index.know(alpha, wordy);
		const slow = Promise.withResolvers<void>();
		let pauses = 0;
		let nowMs = 0;
		const facts = factsKeeper({
			nowMs: () => (nowMs += 1),
			pause: async () => {
				pauses += 1;
				await (pauses === 1 ? slow.promise : undefined);
			},
			sliceMs: 4,
		});
		const older = facts.counted({ connection: made.connection, ref: alpha }, never);
		made.index.know(alpha, wordy.slice(1));
		facts.stale({ connection: made.connection, ref: alpha });
		assert.equal((await facts.counted({ connection: made.connection, ref: alpha }, never)).open, 2999);
		slow.resolve();
		assert.equal((await older).open, 2999);
		assert.equal(facts.last({ connection: made.connection, ref: alpha }).open, 2999);
	});

	test('a fact that only the row builder knows makes a different list, but an age does not', async () => {
		const given = renderedRows(rests().resting);
		let row = rowOf({ label: 'one' });
		await given.give('alpha', 'alpha', async () => [row], never);
		const differs = (changed: TreeNode): Promise<boolean> => {
			row = changed;
			return given.differ('alpha', never);
		};
		assert.ok(!(await differs(rowOf({ label: 'one' }))));
		assert.ok(await differs(rowOf({ label: 'two' })));
		assert.ok(await differs(rowOf({ label: 'two', tooltip: 'three' })));
		assert.ok(await differs({ ...row, look: 'the tooltip and everything but the age' }));
		assert.ok(!(await differs({ ...row, item: { label: '5 min.' } })), 'the age alone');
		assert.ok(!(await given.differ('beta', never)));
	});

	test('a changed fact of a ticket redraws its list, even with an unchanged time', async () => {
		const made = await treeWorld();
		const ticket = makeTicket({ id: 1 });
		made.index.know(alpha, [ticket]);
		await made.below('alpha');
		await made.settle();
		made.redrawn.length = 0;
		for (const changed of [{ ...ticket }, { ...ticket, extra: [{ name: 'milestone', json: undefined }] }]) {
			made.index.know(alpha, [changed]);
			await made.settle();
		}
		assert.deepEqual(
			made.redrawn.map((node) => node?.item.label),
			['alpha'],
		);
	});
});

function rowOf(item: TreeNode['item']): TreeNode {
	return { id: item.id ?? 'row', item, parent: undefined, subject: undefined };
}
