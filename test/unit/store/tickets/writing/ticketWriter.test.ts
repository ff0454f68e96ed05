import assert from 'node:assert/strict';
import { ForgeError, type Problem } from 'sourcehut/port/forgeError.ts';
import type { Comment, TicketRef } from 'sourcehut/port/ticket.ts';
import type { TicketRequest } from 'sourcehut/port/ticketRequest.ts';
import { doneAllTheSame, type WriteOutcome } from '../../../../../src/store/tickets/writing/writeOutcome.ts';
import { ticketSending } from 'sourcehut/rest/restTickets.ts';
import { factsInMemory } from 'sourcehut/port/learntFacts.ts';
import { keptFacts } from '../../../../../src/store/shared/keptNames.ts';
import { keptNames } from '../../../../support/fakeConnection.ts';
import { eagerClock, type EagerClock } from '../../../../support/eagerClock.ts';
import { withAssigning } from '../../../../support/fakeAssigning.ts';
import { fakeTrackers, type FakeTrackerWorld } from '../../../../support/fakeForge.ts';
import { makeComment, makeEvent, makeTicket, makeTracker } from '../../../../support/makeTicket.ts';
import { writeRig, type WriteRig, type WriteRigOptions } from '../../../../support/writeRig.ts';

const never = new AbortController().signal;
const tracker = { owner: '~alice', name: 'alpha' };
const ref: TicketRef = { tracker, id: 1 };
const reset: Problem = { kind: 'unreachable', reason: 'reset', host: 'todo.forge.test' };
/** The service failed, or something else answered in its place. */
const away: readonly Problem[] = [
	reset,
	{ kind: 'unreachable', reason: 'webPage', host: 'todo.forge.test' },
	...[408, 500, 502, 503, 504, 511, 520, undefined].map((status) => ({ kind: 'serverError', status }) as const),
	{ kind: 'redirected', toHost: 'portal.forge.test' },
];

const isPartlyDone = (error: unknown): boolean => doneAllTheSame(error) !== undefined;

interface Bench extends WriteRig {
	readonly world: FakeTrackerWorld;
	readonly clock: EagerClock;
	readonly write: (wish: TicketRequest, signal?: AbortSignal) => Promise<WriteOutcome>;
	/** Sent updates as JSON. */
	readonly sent: () => readonly string[];
}

function bench(options: Partial<WriteRigOptions> = {}): Bench {
	const { world, api } = fakeTrackers();
	world.trackers.push(makeTracker());
	world.tickets.set('~alice/alpha', [makeTicket({ id: 1, labels: ['old'] }), makeTicket({ id: 2 })]);
	world.events.set('~alice/alpha#1', [makeEvent({ id: 5 })]);
	const clock = eagerClock();
	const rig = writeRig(api, { clock, ...options });
	return {
		...rig,
		world,
		clock,
		write: (wish, signal = never) => rig.writes.write(ref, wish, signal),
		sent: () => world.calls.flatMap((call) => (call.startsWith('update') ? [call.slice(call.indexOf('{'))] : [])),
	};
}

/** Loses the response of the next writes, before or after they take effect. */
function lose({ world }: Bench, when: 'before' | 'after', problem: Problem = reset, isUnsent = false): void {
	world[when] = (call) => {
		if (call.startsWith('update')) {
			throw new ForgeError(problem, { isUnsent });
		}
	};
}

/** Requests after the only update. */
function sinceUpdate({ world: { calls } }: Bench): readonly string[] {
	return calls.slice(calls.findIndex((call) => call.startsWith('update')) + 1);
}

/** Runs `work` once, just before the next write takes effect. */
function meanwhile({ world }: Bench, work: () => void): void {
	world.before = (call) => {
		if (call.startsWith('update')) {
			world.before = () => undefined;
			work();
		}
	};
}

function setLabels({ world }: Bench, ...labels: readonly string[]): void {
	const all = world.tickets.get('~alice/alpha') ?? [];
	world.tickets.set(
		'~alice/alpha',
		all.map((each) => (each.id === 1 ? { ...each, labels } : each)),
	);
}

function labelsNow({ world }: Bench): string {
	return (
		world.tickets
			.get('~alice/alpha')
			?.find(({ id }) => id === 1)
			?.labels.join(' ') ?? ''
	);
}

suite('ticket writer', () => {
	test('merges label changes into the current labels and sends the whole set', async () => {
		const on = bench();
		const outcome = await on.write({ labels: { add: ['new'], remove: ['old'] } });
		assert.deepEqual(on.sent(), ['{"labels":["new"]}']);
		assert.deepEqual(outcome.kind === 'done' && [outcome.deviations, outcome.before?.labels, outcome.ticket.labels], [
			[],
			['old'],
			['new'],
		]);
	});

	test('sends comment, move and labels in one request, with status and resolution together', async () => {
		const on = bench();
		await on.write({
			comment: 'Done.',
			move: { kind: 'resolve', resolution: 'fixed' },
			labels: { add: ['new'], remove: [] },
		});
		assert.deepEqual(on.sent(), [
			'{"comment":"Done.","status":"resolved","resolution":"fixed","labels":["new","old"]}',
		]);
	});

	test('sends a resolution only with a resolved status', async () => {
		const on = bench();
		await on.write({ move: { kind: 'set', status: 'pending' } });
		await on.write({ move: { kind: 'reopen' } });
		assert.deepEqual(on.sent(), ['{"status":"pending"}', '{"status":"reported"}']);
	});

	test('sends nothing if the ticket already matches', async () => {
		const on = bench();
		const outcome = await on.write({ comment: '  ', labels: { add: ['old'], remove: ['absent'] } });
		assert.equal(outcome.kind === 'done' && outcome.isNeedless, true);
		assert.deepEqual(on.sent(), []);
	});

	test('assigns people if the forge supports it, looks up a lost response, and otherwise rejects unsent', async () => {
		const trackers = fakeTrackers();
		trackers.world.trackers.push(makeTracker());
		trackers.world.tickets.set('~alice/alpha', [makeTicket({ id: 1 })]);
		const rig = writeRig(withAssigning(trackers, ['~bob']), { clock: eagerClock() });
		assert.equal(rig.writes.canAssign(), true);
		const wish = { assignees: { add: ['~bob'], remove: [] } };
		const done = await rig.writes.write(ref, wish, never);
		assert.deepEqual(done.kind === 'done' && [done.deviations, done.before?.assignees.length], [[], 0]);
		assert.deepEqual(rig.store.knownTicket(ref)?.assignees, [{ canonicalName: '~bob', name: 'bob' }]);
		trackers.world.after = () => {
			throw new ForgeError(reset);
		};
		const back = { assignees: { add: [], remove: ['~bob'] } };
		assert.equal((await rig.writes.write(ref, back, never)).kind, 'arrived');
		trackers.world.before = (call) => {
			if (call.startsWith('assign')) {
				throw new ForgeError({ kind: 'notAllowed' });
			}
		};
		await assert.rejects(rig.writes.write(ref, wish, never), { problem: { kind: 'notAllowed' } });
		const on = bench();
		assert.equal(on.writes.canAssign(), false);
		await assert.rejects(on.write(wish), { problem: { kind: 'notOffered' } });
		await assert.rejects(on.write({ ...wish, comment: 'Yours.' }), { message: /together/ });
	});

	test('rejects texts beyond the server limits without a request', async () => {
		const on = bench();
		for (const wish of [
			{ comment: 'ab' },
			{ comment: 'é'.repeat(16_385) },
			{ move: { kind: 'resolve', resolution: 'unresolved' } },
		] satisfies readonly TicketRequest[]) {
			await assert.rejects(on.write(wish), (error) => error instanceof ForgeError && error.problem.kind === 'invalid');
		}
		await on.write({ comment: '😀'.repeat(16_384) });
		assert.equal(on.sent().length, 1);
	});

	test('restores a label that someone added between read and write', async () => {
		const on = bench();
		meanwhile(on, () => setLabels(on, 'old', 'theirs'));
		const outcome = await on.write({ labels: { add: ['new'], remove: [] } });
		assert.equal(labelsNow(on), 'new old theirs');
		assert.deepEqual(on.sent(), ['{"labels":["new","old"]}', '{"labels":["new","old","theirs"]}']);
		assert.deepEqual(outcome.kind === 'done' && [outcome.deviations, outcome.ticket.labels], [
			[],
			['new', 'old', 'theirs'],
		]);
	});

	test('reports a label that someone removed between read and write, so that the user decides', async () => {
		const on = bench();
		meanwhile(on, () => setLabels(on));
		const outcome = await on.write({ labels: { add: ['new'], remove: [] } });
		assert.deepEqual(outcome.kind === 'done' && outcome.deviations, [{ kind: 'labelLeft', name: 'old' }]);
	});

	test('reports a label that it cannot restore as lost', async () => {
		const on = bench();
		meanwhile(on, () => {
			setLabels(on, 'old', 'theirs');
			on.world.after = () => {
				on.world.before = (call) => {
					if (call.startsWith('update')) {
						throw new ForgeError({ kind: 'invalid', errors: [{ field: 'labels', reason: 'Unknown label theirs' }] });
					}
				};
			};
		});
		const outcome = await on.write({ labels: { add: ['new'], remove: [] } });
		assert.deepEqual(outcome.kind === 'done' && outcome.deviations, [{ kind: 'labelMissing', name: 'theirs' }]);
	});

	test('reports a different status or resolution in the response, and learns from a different status', async () => {
		const on = bench();
		await on.write({ move: { kind: 'resolve', resolution: 'fixed' } });
		const again = await on.write({ move: { kind: 'resolve', resolution: 'invalid' } });
		assert.deepEqual(again.kind === 'done' && again.deviations, [
			{ kind: 'resolution', wanted: 'invalid', got: 'fixed' },
		]);
		const { world, api, wire } = fakeTrackers();
		world.trackers.push(makeTracker());
		world.tickets.set('~alice/alpha', [makeTicket({ id: 1 })]);
		const kept = keptNames();
		const update: typeof wire.update = (at, _, signal) =>
			wire.update(at, { status: 'resolved', resolution: 'fixed' }, signal);
		const takesAll = { ...api, ...ticketSending({ ...wire, update }, '~alice', keptFacts(kept)) };
		const rig = writeRig(takesAll, { clock: eagerClock() });
		const outcome = await rig.writes.write(ref, { move: { kind: 'set', status: 'confirmed' } }, never);
		assert.deepEqual(outcome.kind === 'done' && outcome.deviations, [
			{ kind: 'status', wanted: 'confirmed', got: 'resolved' },
		]);
		assert.equal(rig.writes.limits().onlyResolvesAndReopens, true);
		const later = writeRig(fakeTrackers('~alice', keptFacts(kept)).api, { clock: eagerClock() });
		assert.equal(later.writes.limits().onlyResolvesAndReopens, true);
	});

	test('learns only from a rejection that demands a resolution', async () => {
		const on = bench();
		lose(on, 'before', { kind: 'invalid', errors: [{ field: 'comment', reason: 'Too long' }] });
		await assert.rejects(on.write({ comment: 'Hello', move: { kind: 'set', status: 'pending' } }));
		assert.equal(on.writes.limits().onlyResolvesAndReopens, false);
		lose(on, 'before', { kind: 'invalid', errors: [{ field: 'resolution', reason: 'resolution is required' }] });
		await assert.rejects(on.write({ move: { kind: 'set', status: 'pending' } }));
		assert.equal(on.writes.limits().onlyResolvesAndReopens, true);
		on.world.before = () => undefined;
		await on.write({ move: { kind: 'set', status: 'pending' } });
		assert.equal(on.writes.limits().onlyResolvesAndReopens, false, 'a server that does it knows more now');
	});

	for (const problem of [{ kind: 'notAllowed' }, { kind: 'invalid', errors: [] }] satisfies readonly Problem[]) {
		test(`reads the ticket once after a rejection (${problem.kind}), and reports the rejection`, async () => {
			const on = bench();
			await on.store.events(ref, never);
			on.world.before = (call) => {
				if (call.startsWith('update')) {
					setLabels(on);
					throw new ForgeError(problem);
				}
			};
			await assert.rejects(on.write({ labels: { add: ['new'], remove: [] } }), { problem });
			assert.deepEqual(on.store.knownTicket(ref)?.labels, []);
			assert.deepEqual(on.clock.waitedMs, []);
			assert.equal(on.sent().length, 1);
			assert.deepEqual(sinceUpdate(on), ['ticket ~alice/alpha#1', 'events ~alice/alpha#1 0']);
		});
	}

	for (const problem of [
		reset,
		{ kind: 'unreachable', reason: 'timeout', host: 'x' },
		{ kind: 'serverError', status: 502 },
		{ kind: 'notUnderstood', where: 'the answer', why: 'it ends too early' },
		{ kind: 'tooLarge', limitBytes: 1 },
	] satisfies readonly Problem[]) {
		test(`looks up a lost response (${problem.kind}), and does not send a found write again`, async () => {
			const on = bench();
			lose(on, 'after', problem);
			const outcome = await on.write({
				comment: 'Done.',
				move: { kind: 'resolve', resolution: 'fixed' },
				labels: { add: ['new'], remove: ['old'] },
			});
			assert.equal(outcome.kind, 'arrived');
			assert.deepEqual(outcome.kind === 'arrived' && [outcome.before?.status, outcome.before?.labels], [
				'reported',
				['old'],
			]);
			assert.equal(on.sent().length, 1);
			assert.deepEqual(on.clock.waitedMs, [], 'nothing to wait for');
		});
	}

	test('reports all of a write as missing if repeated lookups find nothing', async () => {
		const on = bench();
		lose(on, 'before');
		const wish: TicketRequest = { comment: 'Done.', move: { kind: 'reopen' }, labels: { add: ['new'], remove: [] } };
		const outcome = await on.write(wish);
		assert.deepEqual(outcome.kind === 'missing' && outcome.left, { comment: 'Done.', labels: wish.labels });
		assert.deepEqual(on.clock.waitedMs, [1000, 3000]);
		assert.equal(on.sent().length, 1);
	});

	test('waits for a slow server', async () => {
		const on = bench();
		lose(on, 'before');
		let looks = 0;
		const { before } = on.world;
		on.world.before = (call) => {
			if (call.startsWith('ticket') && ++looks === 2) {
				on.world.events.set('~alice/alpha#1', [
					makeEvent({ id: 6, kinds: ['comment'], user: me, comment: makeComment('Slow.', { submitter: me }) }),
					...(on.world.events.get('~alice/alpha#1') ?? []),
				]);
			}
			return before(call);
		};
		const outcome = await on.write({ comment: 'Slow.' });
		assert.equal(outcome.kind, 'arrived');
		assert.deepEqual(on.clock.waitedMs, [1000, 3000]);
	});

	test('ignores the same text from earlier or by someone else', async () => {
		const on = bench();
		on.world.events.set('~alice/alpha#1', [
			makeEvent({ id: 5, kinds: ['comment'], user: me, comment: makeComment('+1 from me', { submitter: me }) }),
		]);
		lose(on, 'before');
		meanwhile(on, () => {
			on.world.events.set('~alice/alpha#1', [
				makeEvent({ id: 6, kinds: ['comment'], comment: makeComment('+1 from me') }),
				...(on.world.events.get('~alice/alpha#1') ?? []),
			]);
			throw new ForgeError(reset);
		});
		const outcome = await on.write({ comment: '+1 from me' });
		assert.deepEqual(outcome.kind === 'missing' && outcome.left, { comment: '+1 from me' });
	});

	test('finds a comment below many later ones', async () => {
		const on = bench();
		on.world.pageSize = 3;
		lose(on, 'after');
		const { after } = on.world;
		on.world.after = (call) => {
			const known = on.world.events.get('~alice/alpha#1') ?? [];
			const chatter = Array.from({ length: 7 }, (_, at) =>
				makeEvent({ id: 30 - at, kinds: ['comment'], comment: makeComment(`Chatter ${at}`) }),
			);
			on.world.events.set('~alice/alpha#1', [...chatter, ...known]);
			return after(call);
		};
		assert.equal((await on.write({ comment: 'In between\r\n' })).kind, 'arrived');
	});

	test('finds a reverted move by its comment', async () => {
		const on = bench();
		lose(on, 'after');
		const { after } = on.world;
		on.world.after = (call) => {
			const all = on.world.tickets.get('~alice/alpha') ?? [];
			on.world.tickets.set(
				'~alice/alpha',
				all.map((each) => ({ ...each, status: 'reported' })),
			);
			return after(call);
		};
		const outcome = await on.write({ comment: 'Done.', move: { kind: 'resolve', resolution: 'fixed' } });
		assert.equal(outcome.kind, 'arrived');
	});

	for (const problem of away) {
		test(`queues a write in doubt if the lookup fails too (${JSON.stringify(problem)})`, async () => {
			const on = bench();
			on.world.before = (call) => {
				if (call.startsWith('update')) {
					on.world.before = () => {
						throw new ForgeError(problem);
					};
					throw new ForgeError(problem);
				}
			};
			const outcome = await on.write({ comment: 'Hello' });
			assert.equal(outcome.kind, 'queued');
			assert.deepEqual(
				on.outbox.items().map(({ progress }) => progress.kind),
				['sent'],
			);
			assert.equal(on.sent().length, 1);
		});

		test(`sends nothing, and queues, if the previous state fails to load (${JSON.stringify(problem)})`, async () => {
			const on = bench();
			on.world.before = (call) => {
				if (call.startsWith('events')) {
					throw new ForgeError(problem);
				}
			};
			assert.equal((await on.write({ comment: 'Hello' })).kind, 'queued');
			assert.deepEqual([on.sent(), on.outbox.items().map(({ progress }) => progress.kind)], [[], ['waiting']]);
		});
	}

	test('restores labels of others after a write with a lost response', async () => {
		const on = bench();
		lose(on, 'after');
		meanwhile(on, () => setLabels(on, 'old', 'theirs'));
		const { after } = on.world;
		on.world.after = (call) => {
			on.world.after = () => undefined;
			return after(call);
		};
		assert.equal((await on.write({ labels: { add: ['new'], remove: [] } })).kind, 'arrived');
		assert.equal(labelsNow(on), 'new old theirs');
	});

	test('leaves later changes of the user elsewhere alone after a lost response', async () => {
		const on = bench();
		lose(on, 'after');
		const { after } = on.world;
		on.world.after = (call) => {
			if (call.startsWith('update')) {
				setLabels(on, 'elsewhere', 'new');
				on.world.events.set('~alice/alpha#1', [
					makeEvent({ id: 31, kinds: ['label_removed'], labels: ['old'], user: me }),
					makeEvent({ id: 30, kinds: ['label_added'], labels: ['elsewhere'], user: me }),
					...(on.world.events.get('~alice/alpha#1') ?? []),
				]);
			}
			return after(call);
		};
		const outcome = await on.write({ labels: { add: ['new'], remove: [] } });
		assert.deepEqual(outcome.kind === 'arrived' && outcome.deviations, []);
		assert.equal(labelsNow(on), 'elsewhere new');
		assert.equal(on.sent().length, 1);
	});

	test('queues a failure before sending without a lookup', async () => {
		for (const reason of ['dns', 'refused', 'tls', 'offline', 'timeout', 'proxy'] as const) {
			const on = bench();
			lose(on, 'before', { kind: 'unreachable', reason, host: 'x' }, true);
			assert.equal((await on.write({ move: { kind: 'reopen' } })).kind, 'queued');
			assert.deepEqual(sinceUpdate(on), [], reason);
		}
	});

	test('looks up a write after an abort during the request', async () => {
		const on = bench();
		const giving = new AbortController();
		lose(on, 'after');
		on.world.after = () => {
			giving.abort();
			throw new DOMException('The operation was aborted', 'AbortError');
		};
		assert.equal((await on.write({ comment: 'Hello' }, giving.signal)).kind, 'arrived');
		const other = bench();
		const early = new AbortController();
		other.world.before = (call) => {
			if (call.startsWith('update')) {
				early.abort();
				throw new DOMException('The operation was aborted', 'AbortError');
			}
		};
		await assert.rejects(other.write({ comment: 'Hello' }, early.signal), { name: 'AbortError' });
	});

	test('does not take a cancelled prompt for a lost response', async () => {
		const on = bench();
		on.world.before = (call) => {
			if (call.startsWith('update')) {
				throw new DOMException('Cancelled by the user', 'AbortError');
			}
		};
		await assert.rejects(on.write({ comment: 'Hello' }), { name: 'AbortError' });
		assert.deepEqual(on.clock.waitedMs, []);
	});

	test('queues writes to one ticket, and sends those to different tickets in parallel', async () => {
		const on = bench();
		const gate = Promise.withResolvers<void>();
		on.world.before = (call) => (call.startsWith('update') ? gate.promise : undefined);
		const all = [
			on.write({ labels: { add: ['a'], remove: [] } }),
			on.write({ labels: { add: ['b'], remove: [] } }),
			on.writes.write({ tracker, id: 2 }, { labels: { add: ['c'], remove: [] } }, never),
		];
		await new Promise((resolve) => setImmediate(resolve));
		assert.equal(on.sent().length, 2);
		gate.resolve();
		await Promise.all(all);
		assert.equal(labelsNow(on), 'a b old');
		assert.ok(on.sent().includes('{"labels":["a","b","old"]}'), 'the second stands on the first');
	});

	test('lets a third write wait for the second, even after the first is done', async () => {
		const on = bench();
		const gate = Promise.withResolvers<void>();
		const someTurns = async (): Promise<void> => {
			for (let turn = 0; turn < 10; turn += 1) {
				await new Promise((resolve) => setImmediate(resolve));
			}
		};
		on.world.before = (call) => (call.includes('Second') ? gate.promise : undefined);
		const first = on.write({ comment: 'First' });
		const second = on.write({ comment: 'Second' });
		await first;
		await someTurns();
		const third = on.write({ comment: 'Third' });
		await someTurns();
		assert.ok(!on.sent().join().includes('Third'));
		gate.resolve();
		await Promise.all([second, third]);
		assert.equal(on.sent().length, 3);
	});

	test('queues an edited comment with other writes to its ticket', async () => {
		const { world, api } = fakeTrackers();
		world.tickets.set('~alice/alpha', [makeTicket({ id: 1 })]);
		const gate = Promise.withResolvers<void>();
		const asked: string[] = [];
		world.before = (call) => (call.startsWith('update') ? gate.promise : undefined);
		const editComment = async (_: TicketRef, __: Comment, text: string): Promise<Comment> => {
			asked.push(`edit with ${world.events.get('~alice/alpha#1')?.length ?? 0} events`);
			return makeComment(text);
		};
		const { writes } = writeRig({ ...api, editComment }, { clock: eagerClock() });
		const comment = makeComment('Before');
		const event = makeEvent({ id: 3, kinds: ['comment'], comment });
		const first = writes.write(ref, { comment: 'First' }, never);
		const edited = writes.editComment?.({ ref, event, comment, text: 'After' }, never);
		await new Promise((resolve) => setImmediate(resolve));
		assert.deepEqual(asked, []);
		gate.resolve();
		await Promise.all([first, edited]);
		assert.deepEqual(asked, ['edit with 1 events']);
	});

	test('finds an edited comment with a lost response despite different line ends', async () => {
		for (const [kept, isThere] of [
			['One\r\ntwo\r\n', true],
			['One\rtwo', true],
			['One two', false],
			['Before', false],
		] as const) {
			const { world, api } = fakeTrackers();
			const comment = makeComment('Before');
			const event = makeEvent({ id: 3, kinds: ['comment'], comment });
			const editComment = async (): Promise<Comment> => {
				world.events.set('~alice/alpha#1', [{ ...event, comment: makeComment(kept) }]);
				throw new ForgeError(reset);
			};
			const { writes } = writeRig({ ...api, editComment }, { clock: eagerClock() });
			const edited = writes.editComment?.({ ref, event, comment, text: '\nOne\ntwo' }, never);
			await (isThere ? edited : assert.rejects(async () => edited, { problem: reset }));
		}
	});

	test('rejects a queued edit if the forge turns out to lack edits', async () => {
		const { world, api } = fakeTrackers();
		world.tickets.set('~alice/alpha', [makeTicket({ id: 1 })]);
		const gate = Promise.withResolvers<void>();
		world.before = (call) => (call.startsWith('update') ? gate.promise : undefined);
		let isLacking = false;
		const lacking: typeof api = Object.defineProperty({ ...api }, 'editComment', {
			get: () => (isLacking ? undefined : async () => makeComment('After')),
		});
		const { writes } = writeRig(lacking, { clock: eagerClock() });
		const comment = makeComment('Before');
		const event = makeEvent({ id: 3, kinds: ['comment'], comment });
		const first = writes.write(ref, { comment: 'First' }, never);
		const edited = assert.rejects(
			async () => writes.editComment?.({ ref, event, comment, text: 'After' }, never),
			(error) => error instanceof ForgeError && error.problem.kind === 'notOffered',
		);
		isLacking = true;
		gate.resolve();
		await Promise.all([first, edited]);
	});

	test('completes a write when the user aborts after the response', async () => {
		const { world, wire } = fakeTrackers();
		world.trackers.push(makeTracker());
		world.tickets.set('~alice/alpha', [makeTicket({ id: 1 })]);
		const abort = new AbortController();
		const answering: typeof wire = {
			...wire,
			async update(...call) {
				const update = await wire.update(...call);
				abort.abort();
				return { ...update, events: [] };
			},
			async *events(about, signal) {
				signal.throwIfAborted();
				yield* wire.events(about, signal);
			},
		};
		const { updateTicket } = ticketSending(answering, '~alice', factsInMemory());
		assert.equal((await updateTicket(ref, { comment: 'Hello' }, abort.signal)).kind, 'answered');
	});

	test('reports a change that it finds already in place', async () => {
		const on = bench();
		await on.store.renewTicket(ref, never);
		setLabels(on, 'old', 'new');
		const told: string[] = [];
		on.store.onDidChange(({ kind }) => void told.push(kind));
		assert.equal((await on.write({ labels: { add: ['new'], remove: [] } })).kind, 'done');
		assert.deepEqual([on.sent(), told], [[], ['ticket']]);
	});

	test('continues with the next write after a failed one', async () => {
		const on = bench();
		lose(on, 'before', { kind: 'notAllowed' });
		const first = on.write({ comment: 'First' });
		const second = on.write({ comment: 'ab' });
		await assert.rejects(first);
		await assert.rejects(second);
		on.world.before = () => undefined;
		assert.equal((await on.write({ comment: 'Third' })).kind, 'done');
	});

	test('marks the ticket as read after an own write, unless it had unseen changes', async () => {
		const seen = bench({ looks: { mark: () => undefined } });
		await seen.store.renewTicket(ref, never);
		await seen.write({ comment: 'Hello' });
		assert.deepEqual(
			seen.looked.map(([ticket, event]) => [ticket.id, event]),
			[[1, undefined]],
			'how far the timeline was seen stays as it was',
		);
		const unseen = bench({ looks: { mark: () => 'changed' } });
		await unseen.store.renewTicket(ref, never);
		await unseen.write({ comment: 'Hello' });
		assert.deepEqual(unseen.looked, []);
	});

	test('compares a response without events with the timeline', async () => {
		const { world, api, wire } = fakeTrackers();
		world.trackers.push(makeTracker());
		world.tickets.set('~alice/alpha', [makeTicket({ id: 1 })]);
		const over = (update: typeof wire.update): typeof api => ({
			...api,
			...ticketSending({ ...wire, update }, '~alice', factsInMemory()),
		});
		const silent = over(async (...call) => ({ ...(await wire.update(...call)), events: [] }));
		const rig = writeRig(silent, { clock: eagerClock() });
		const outcome = await rig.writes.write(ref, { comment: 'Hello', labels: { add: ['new'], remove: [] } }, never);
		assert.deepEqual(outcome.kind === 'done' && outcome.deviations, []);
		const deaf = over(async () => ({ ticket: makeTicket({ id: 1 }), events: [] }));
		const other = writeRig(deaf, { clock: eagerClock() });
		const lost = await other.writes.write(ref, { comment: 'Hey', labels: { add: ['x'], remove: ['new'] } }, never);
		assert.deepEqual(lost.kind === 'done' && lost.deviations, [
			{ kind: 'comment' },
			{ kind: 'labelMissing', name: 'x' },
		]);
	});

	test('leaves a sent write unclear and cancels unsent ones when the account ends', async () => {
		const on = bench();
		const gate = Promise.withResolvers<void>();
		on.world.before = (call) => (call.startsWith('update') ? gate.promise : undefined);
		const writing = on.write({ comment: 'Hello' });
		const waiting = on.write({ comment: 'Not yet' });
		await new Promise((resolve) => setImmediate(resolve));
		on.dispose();
		assert.equal((await writing).kind, 'unclear');
		await assert.rejects(waiting, { name: 'AbortError' });
		gate.resolve();
	});

	test('leaves a write unclear when the account ends during the lookup', async () => {
		const on = bench();
		lose(on, 'before');
		const { before } = on.world;
		on.world.before = (call) => {
			if (call.startsWith('ticket')) {
				on.dispose();
				throw new DOMException('The operation was aborted', 'AbortError');
			}
			return before(call);
		};
		assert.equal((await on.write({ comment: 'Hello' })).kind, 'unclear');
	});

	test('reports a rejection that still changed labels as partly done', async () => {
		const on = bench();
		on.world.before = (call) => {
			if (call.startsWith('update')) {
				setLabels(on);
				throw new ForgeError({ kind: 'notAllowed' });
			}
		};
		await assert.rejects(on.write({ labels: { add: ['new'], remove: ['old'] } }), isPartlyDone);
		assert.deepEqual(sinceUpdate(on), ['ticket ~alice/alpha#1'], 'one look');
		assert.deepEqual(on.store.knownTicket(ref)?.labels, [], 'what was looked at is known');
		const clean = bench();
		lose(clean, 'before', { kind: 'notAllowed' });
		await assert.rejects(clean.write({ labels: { add: ['new'], remove: ['old'] } }), (error) => !isPartlyDone(error));
		const away = bench();
		away.world.before = (call) => {
			if (call.startsWith('update')) {
				away.world.before = () => Promise.reject(new ForgeError(reset));
				throw new ForgeError({ kind: 'notAllowed' });
			}
		};
		await assert.rejects(away.write({ labels: { add: ['new'], remove: [] } }), { problem: { kind: 'notAllowed' } });
		assert.deepEqual(sinceUpdate(away), ['ticket ~alice/alpha#1'], 'nobody looks twice where nobody could look');
		const left = bench();
		const leaving = new AbortController();
		left.world.before = (call) => {
			if (call.startsWith('update')) {
				setLabels(left);
				leaving.abort();
				left.world.before = () => {
					left.world.before = () => undefined;
					leaving.signal.throwIfAborted();
				};
				throw new ForgeError({ kind: 'notAllowed' });
			}
		};
		await assert.rejects(left.write({ labels: { add: ['new'], remove: ['old'] } }, leaving.signal));
		assert.deepEqual(left.store.knownTicket(ref)?.labels, [], 'it is looked at for whoever gave up waiting');
		const others = bench();
		others.world.before = (call) => {
			if (call.startsWith('update')) {
				setLabels(others, 'old', 'theirs');
				throw new ForgeError({ kind: 'notAllowed' });
			}
		};
		await assert.rejects(others.write({ labels: { add: ['new'], remove: [] } }), (error) => !isPartlyDone(error));
	});

	test('reports changed labels with the rejection in a protocol that sends separate parts', async () => {
		const { world, api } = fakeTrackers();
		world.tickets.set('~alice/alpha', [makeTicket({ id: 1 })]);
		const labels = { add: ['new'], remove: [] };
		const error = new ForgeError({ kind: 'notAllowed' });
		const inParts = {
			...api,
			updateTicket: async () => ({
				kind: 'partly' as const,
				done: { labels },
				error,
				before: { ticket: makeTicket({ id: 1, title: 'Before' }), newestEventId: 3 },
				now: makeTicket({ id: 1, title: 'Now' }),
			}),
		};
		Reflect.deleteProperty(inParts, 'restoreLabels');
		const rig = writeRig(inParts, { clock: eagerClock() });
		const write = rig.writes.write(ref, { labels, comment: 'Hello', move: { kind: 'reopen' } }, never);
		await assert.rejects(write, (thrown) => {
			const part = doneAllTheSame(thrown);
			assert.deepEqual([part?.done, part?.before?.title, part?.now.title], [{ labels }, 'Before', 'Now']);
			return thrown instanceof ForgeError && thrown.problem.kind === 'notAllowed';
		});
		assert.equal(rig.store.knownTicket(ref)?.title, 'Now');
		assert.deepEqual(world.calls, [], 'the ticket came with the refusal');
	});

	test('restores nothing in a protocol that changes single labels', async () => {
		const { world, api } = fakeTrackers();
		world.tickets.set('~alice/alpha', [makeTicket({ id: 1 })]);
		const single = {
			...api,
			updateTicket: async () => ({
				kind: 'answered' as const,
				ticket: makeTicket({ id: 1, labels: ['new'] }),
				events: [makeEvent({ id: 7, kinds: ['label_removed'], labels: ['theirs'] })],
				before: { ticket: undefined, newestEventId: undefined },
			}),
		};
		Reflect.deleteProperty(single, 'restoreLabels');
		const rig = writeRig(single, { clock: eagerClock() });
		const outcome = await rig.writes.write(ref, { labels: { add: ['new'], remove: [] } }, never);
		assert.deepEqual(outcome.kind === 'done' && [outcome.deviations, outcome.ticket.labels], [[], ['new']]);
		assert.deepEqual(world.calls, []);
	});

	test('applies the result of restored labels too', async () => {
		const on = bench();
		await on.store.events(ref, never);
		meanwhile(on, () => setLabels(on, 'old', 'theirs'));
		await on.write({ labels: { add: ['new'], remove: [] } });
		assert.deepEqual(
			on.store.knownEvents(ref)?.items.map(({ id, labels }) => [id, ...labels]),
			[[8, 'theirs'], [7, 'new'], [6, 'theirs'], [5]],
		);
		assert.deepEqual(on.store.knownTicket(ref)?.labels, ['new', 'old', 'theirs']);
	});

	test('reports a label that it cannot restore after a lost response', async () => {
		const on = bench();
		lose(on, 'after');
		meanwhile(on, () => {
			setLabels(on, 'old', 'theirs');
			on.world.before = () => undefined;
			on.world.after = () => {
				on.world.before = (call) => {
					if (call.startsWith('update')) {
						throw new ForgeError({ kind: 'invalid', errors: [] });
					}
				};
				throw new ForgeError(reset);
			};
		});
		const outcome = await on.write({ labels: { add: ['new'], remove: [] } });
		assert.deepEqual(outcome.kind === 'arrived' && outcome.deviations, [{ kind: 'labelMissing', name: 'theirs' }]);
	});

	test('does not take a concurrent change of the user elsewhere for its own', async () => {
		const on = bench();
		lose(on, 'after');
		const { after } = on.world;
		on.world.after = (call) => {
			// Another window removes `old`, which the write had kept.
			setLabels(on, 'new');
			on.world.events.set('~alice/alpha#1', [
				makeEvent({ id: 90, kinds: ['label_removed'], labels: ['old'], user: me }),
				...(on.world.events.get('~alice/alpha#1') ?? []),
			]);
			return after(call);
		};
		const outcome = await on.write({ labels: { add: ['new'], remove: [] } });
		assert.equal(outcome.kind, 'arrived');
		assert.equal(labelsNow(on), 'new');
		assert.equal(on.sent().length, 1);
	});
});

const me = { kind: 'user', canonicalName: '~alice', name: 'alice' } as const;
