import assert from 'node:assert/strict';
import { ForgeError, type Problem } from 'sourcehut/port/forgeError.ts';
import type { TicketRef } from 'sourcehut/port/ticket.ts';
import { outboxInMemory } from '../../../../src/store/outbox/outboxInMemory.ts';
import type { QueueResult } from '../../../../src/store/outbox/sending/outboxSender.ts';
import { backgroundLoop } from '../../../../src/store/background/backgroundLoop.ts';
import { requestBudget } from '../../../../src/store/background/requestBudget.ts';
import { eagerClock } from '../../../support/eagerClock.ts';
import { fakeClock } from '../../../support/fakeClock.ts';
import { fakeTrackers, type FakeTrackers } from '../../../support/fakeForge.ts';
import { makeTicket, makeTracker } from '../../../support/makeTicket.ts';
import { writeRig, type WriteRig } from '../../../support/writeRig.ts';

const never = new AbortController().signal;
const tracker = { owner: '~alice', name: 'alpha' };
const [one, two]: readonly [TicketRef, TicketRef] = [
	{ tracker, id: 1 },
	{ tracker, id: 2 },
];
const offline: Problem = { kind: 'unreachable', reason: 'offline', host: 'todo.forge.test' };

async function turns(count: number): Promise<void> {
	for (let turn = 0; turn < count; turn += 1) {
		await new Promise((resolve) => setImmediate(resolve));
	}
}

suite('outbox', () => {
	let fake: FakeTrackers;
	let rig: WriteRig;
	let ends: QueueResult[];
	/** Calls before the forge was back. */
	let before = 0;

	/** Every later request of the client fails, until `undefined`. */
	function answer(problem: Problem | undefined, isUnsent = true): void {
		before = fake.world.calls.length;
		fake.world.before = () => {
			if (problem) {
				throw new ForgeError(problem, { isUnsent });
			}
		};
	}

	function open(place = outboxInMemory()): WriteRig {
		const opened = writeRig(fake.api, { clock: eagerClock(), place });
		opened.sender.onDidEnd((end) => ends.push(end));
		return opened;
	}

	const updates = (): readonly string[] => fake.world.calls.slice(before).filter((call) => call.startsWith('update'));
	const progress = (): readonly string[] => rig.outbox.items().map((item) => item.progress.kind);

	setup(async () => {
		fake = fakeTrackers();
		fake.world.trackers.push(makeTracker());
		fake.world.tickets.set(
			'~alice/alpha',
			[1, 2, 3, 4].map((id) => makeTicket({ id })),
		);
		ends = [];
		before = 0;
		rig = open();
		await Promise.all([one, two].map((ref) => rig.store.renewTicket(ref, never)));
	});
	teardown(() => rig.dispose());

	test('a write queues while the forge is away, and goes out once when it is back', async () => {
		answer(offline);
		const outcome = await rig.writes.write(one, { comment: 'Works for me' }, never);
		assert.equal(outcome.kind, 'queued');
		await assert.rejects(rig.sender.sendNow(never), ForgeError);
		assert.deepEqual(progress(), ['waiting']);
		answer(undefined);
		await rig.sender.sendNow(never);
		await rig.sender.sendNow(never);
		assert.equal(updates().length, 1);
		assert.deepEqual(
			ends.map(({ kind }) => kind),
			['sent'],
		);
	});

	test('a read that fails before the write queues it, and later leaves it waiting', async () => {
		answer({ kind: 'unreachable', reason: 'reset', host: 'todo.forge.test' }, false);
		assert.equal((await rig.writes.write(one, { comment: 'Works for me' }, never)).kind, 'queued');
		assert.deepEqual(progress(), ['waiting']);
		await assert.rejects(rig.sender.sendNow(never), ForgeError);
		assert.deepEqual([progress(), updates(), ends], [['waiting'], [], []]);
	});

	test('after a 429 later writes queue without a request, until the time that the server named', async () => {
		const clock = fakeClock();
		const loop = backgroundLoop(
			{ isThere: () => true, onDidChange: () => ({ dispose: () => undefined }) },
			requestBudget(() => 100, clock),
			clock,
		);
		rig.dispose();
		rig = writeRig(fake.api, { clock, background: { loop, budget: requestBudget(() => 100, clock) } });
		const untilMs = clock.nowMs() + 4000;
		answer({ kind: 'rateLimited', untilMs }, false);
		assert.equal((await rig.writes.write(one, { move: { kind: 'reopen' } }, never)).kind, 'queued');
		const asked = fake.world.calls.length;
		assert.equal(asked - before, 1, 'no read follows a 429');
		const second = await rig.writes.write(two, { comment: 'Works for me' }, never);
		const ticket = { title: 'A new one', description: '' };
		const third = await rig.writes.submit({ tracker, ticket, looking: never }, never);
		for (const outcome of [second, third]) {
			assert.deepEqual(outcome.kind === 'queued' && outcome.error?.problem, { kind: 'rateLimited', untilMs });
		}
		assert.equal(fake.world.calls.length, asked);
		assert.deepEqual(progress(), ['waiting', 'waiting', 'waiting']);
		answer(undefined);
		clock.advance(3999);
		assert.ok(loop.limit('todo'));
		clock.advance(1);
		assert.equal((await rig.writes.write({ tracker, id: 3 }, { comment: 'Later' }, never)).kind, 'done');
		loop.dispose();
	});

	test('a server that fails at one item sends the others, and keeps it', async () => {
		answer(offline);
		await rig.writes.write(one, { move: { kind: 'resolve', resolution: 'fixed' } }, never);
		await rig.writes.write(two, { comment: 'Works for me' }, never);
		before = fake.world.calls.length;
		fake.world.before = (call) => {
			if (call.includes('#1')) {
				throw new ForgeError({ kind: 'serverError', status: 500 });
			}
		};
		await assert.rejects(rig.sender.sendNow(never), ForgeError);
		assert.deepEqual([progress(), updates().length], [['waiting'], 1]);
	});

	test('a refusal is an error at once, and never queues', async () => {
		answer({ kind: 'notAllowed' }, false);
		await assert.rejects(rig.writes.write(one, { comment: 'Works for me' }, never), ForgeError);
		assert.deepEqual(progress(), []);
	});

	test('after one write of a bulk action, the rest queues without a request', async () => {
		answer({ kind: 'unreachable', reason: 'timeout', host: 'todo.forge.test' }, false);
		const plan = await rig.writes.plan([one, two].map((ref) => ({ ref, wish: { comment: `For ${ref.id}` } })));
		assert.equal((await plan.send(0, never)).kind, 'queued');
		const calls = fake.world.calls.length;
		assert.ok(calls > before);
		const second = await plan.send(1, never);
		assert.deepEqual(
			[second.kind === 'queued' && second.error?.problem.kind, fake.world.calls.length],
			['unreachable', calls],
		);
		await plan.end();
		answer(undefined);
		assert.equal((await rig.writes.write({ tracker, id: 3 }, { comment: 'Single' }, never)).kind, 'done');
		await rig.sender.sendNow(never);
		assert.deepEqual(
			updates().map((call) => /For 1|For 2|Single/.exec(call)?.[0]),
			['Single', 'For 1', 'For 2'],
		);
	});

	test('the writes of a bulk action queue in their order, whichever fails first', async () => {
		const refs = [4, 3, 2, 1].map((id) => ({ tracker, id }));
		const gates = new Map(refs.map(({ id }) => [String(id), Promise.withResolvers<void>()]));
		fake.world.before = async (call) => {
			await gates.get(/#(\d)/.exec(call)?.[1] ?? '')?.promise;
			throw new ForgeError(offline, { isUnsent: true });
		};
		const place = outboxInMemory();
		rig.dispose();
		rig = open({
			...place,
			async add(...file) {
				await turns(1);
				await place.add(...file);
			},
		});
		const plan = await rig.writes.plan(refs.map((ref) => ({ ref, wish: { comment: `For ${ref.id}` } })));
		const sending = refs.map((_, at) => plan.send(at, never));
		for (const { id } of refs.toReversed()) {
			gates.get(String(id))?.resolve();
			await turns(20);
		}
		const outcomes = await Promise.all(sending);
		assert.ok(outcomes.every(({ kind }) => kind === 'queued'));
		assert.deepEqual(
			rig.outbox.items().map(({ write }) => (write.kind === 'ticket' ? write.ref.id : 0)),
			[4, 3, 2, 1],
		);
	});

	test('a bulk action queues its writes in doubt in their order, and the rest without a request', async () => {
		const refs = [4, 3, 2].map((id) => ({ tracker, id }));
		const [first, second] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
		let isAway = false;
		fake.world.before = async (call) => {
			if (call.startsWith('update')) {
				await (call.includes('#4') ? first : second).promise;
				isAway = true;
			}
			if (isAway) {
				throw new ForgeError({ kind: 'unreachable', reason: 'timeout', host: 'todo.forge.test' });
			}
		};
		const plan = await rig.writes.plan(refs.map((ref) => ({ ref, wish: { comment: `For ${ref.id}` } })));
		const sending = [plan.send(0, never), plan.send(1, never)];
		await turns(20);
		second.resolve();
		// The look for the second write fails, with all its pauses.
		await turns(200);
		first.resolve();
		await Promise.all(sending);
		const calls = fake.world.calls.length;
		assert.equal((await plan.send(2, never)).kind, 'queued');
		assert.equal(fake.world.calls.length, calls);
		assert.deepEqual(
			rig.outbox.items().map((item) => [item.write.kind === 'ticket' && item.write.ref.id, item.progress.kind]),
			[
				[4, 'sent'],
				[3, 'sent'],
				[2, 'waiting'],
			],
		);
	});

	test('an online write to a ticket with a queued write waits behind it', async () => {
		answer(offline);
		await rig.writes.write(one, { comment: 'First' }, never);
		answer(undefined);
		assert.equal((await rig.writes.write(one, { comment: 'Second' }, never)).kind, 'queued');
		assert.equal((await rig.writes.write(two, { comment: 'Another ticket' }, never)).kind, 'done');
		await rig.sender.sendNow(never);
		assert.deepEqual(
			updates().map((call) => /First|Second|Another/.exec(call)?.[0]),
			['Another', 'First', 'Second'],
		);
	});

	test('two own status changes in a row are no conflict', async () => {
		answer(offline);
		await rig.writes.write(one, { move: { kind: 'resolve', resolution: 'fixed' } }, never);
		await rig.writes.write(one, { move: { kind: 'reopen' } }, never);
		answer(undefined);
		await rig.sender.sendNow(never);
		assert.deepEqual(progress(), []);
		assert.equal(updates().length, 2);
	});

	test("somebody else's status stops a status change and all later changes of its ticket", async () => {
		answer(offline);
		await rig.writes.write(one, { move: { kind: 'resolve', resolution: 'fixed' } }, never);
		await rig.writes.write(one, { comment: 'Later' }, never);
		await rig.writes.write(two, { comment: 'Another ticket' }, never);
		answer(undefined);
		const [ticket] = fake.world.tickets.get('~alice/alpha') ?? [];
		Object.assign(ticket ?? {}, { status: 'resolved', resolution: 'by_design' });
		await rig.sender.sendNow(never);
		assert.deepEqual(progress(), ['conflict', 'waiting']);
		assert.equal(updates().length, 1);
		assert.deepEqual(
			ends.map(({ kind }) => kind),
			['stopped', 'sent'],
		);
	});

	test("somebody else's resolution stops a status change, where the status is the same", async () => {
		const [ticket] = fake.world.tickets.get('~alice/alpha') ?? [];
		Object.assign(ticket ?? {}, { status: 'resolved', resolution: 'fixed' });
		await rig.store.renewTicket(one, never);
		answer(offline);
		await rig.writes.write(one, { move: { kind: 'reopen' } }, never);
		answer(undefined);
		Object.assign(ticket ?? {}, { resolution: 'by_design' });
		await rig.sender.sendNow(never);
		assert.deepEqual([progress(), updates()], [['conflict'], []]);
		const [item] = rig.outbox.items();
		assert.deepEqual(item?.progress.kind === 'conflict' && item.progress.now, {
			status: 'resolved',
			resolution: 'by_design',
		});
	});

	test('a status change without a known status before it asks, and sends nothing', async () => {
		const place = outboxInMemory();
		const other = open(place);
		answer(offline);
		await other.writes.write(one, { move: { kind: 'resolve', resolution: 'fixed' } }, never);
		answer(undefined);
		await other.sender.sendNow(never);
		assert.deepEqual(
			other.outbox.items().map((item) => item.progress.kind),
			['conflict'],
		);
		assert.deepEqual(updates(), []);
		other.dispose();
	});

	test('a refusal stops the ticket and keeps its reason', async () => {
		answer(offline);
		await rig.writes.write(one, { comment: 'Works for me' }, never);
		answer({ kind: 'notAllowed' }, false);
		await rig.sender.sendNow(never);
		const [item] = rig.outbox.items();
		assert.equal(item?.progress.kind, 'refused');
		assert.match(item?.progress.kind === 'refused' ? item.progress.reason : '', /notAllowed/);
	});

	test('a refused token leaves the queue as it is', async () => {
		answer(offline);
		await rig.writes.write(one, { comment: 'Works for me' }, never);
		answer({ kind: 'tokenRejected', area: 'todo' }, false);
		await assert.rejects(rig.sender.sendNow(never), ForgeError);
		assert.deepEqual(progress(), ['waiting']);
	});

	test('a full disk reports the failure of the forge, and nothing counts as queued', async () => {
		rig.dispose();
		rig = open({ ...outboxInMemory(), add: () => Promise.reject(new Error('no space left')) });
		answer(offline);
		await assert.rejects(rig.writes.write(one, { comment: 'Works for me' }, never), ForgeError);
		assert.deepEqual(progress(), []);
	});

	test('a disk that cannot mark an item as sent keeps it from being sent', async () => {
		const place = outboxInMemory();
		rig.dispose();
		rig = open({ ...place, rewrite: () => Promise.reject(new Error('input/output error')) });
		answer(offline);
		await rig.writes.write(one, { comment: 'Works for me' }, never);
		answer(undefined);
		await assert.rejects(rig.sender.sendNow(never), /input\/output error/);
		assert.deepEqual(updates(), []);
		assert.deepEqual(progress(), ['waiting']);
	});

	test('an item in another window is neither sent nor changed here', async () => {
		const files = new Map();
		const here = open(outboxInMemory(files, {}));
		const there = open(outboxInMemory(files, {}));
		answer(offline);
		await here.writes.write(one, { comment: 'Works for me' }, never);
		answer(undefined);
		const [item] = there.outbox.items();
		const held = there.outbox.hold(item?.id ?? '');
		await here.sender.sendNow(never);
		assert.deepEqual([updates(), here.outbox.hold(item?.id ?? '')], [[], undefined]);
		held?.release();
		await here.sender.sendNow(never);
		assert.equal(updates().length, 1);
		here.dispose();
		there.dispose();
	});

	test('a damaged item stays on the disk, and the others go out', async () => {
		const files = new Map([['damaged', { order: 1, text: '{', holder: undefined }]]);
		const opened = open(outboxInMemory(files));
		answer(offline);
		await opened.writes.write(one, { comment: 'Works for me' }, never);
		answer(undefined);
		await opened.sender.sendNow(never);
		assert.deepEqual([...files.keys()], ['damaged']);
		assert.equal(updates().length, 1);
		opened.dispose();
	});
});
