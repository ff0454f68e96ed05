import type { Connection } from '../../../../../src/store/connection.ts';
import type { TicketWriting } from '../../../../../src/store/tickets/writing/ticketWriting.ts';
import assert from 'node:assert/strict';
import { submitOnce, findLostTicket, type SubmitOutcome } from '../../../../../src/store/tickets/writing/submitOnce.ts';
import { ForgeError, type Problem } from 'sourcehut/port/forgeError.ts';
import { idleBackground } from '../../../../support/idleBackground.ts';
import { fakeClock, type FakeClock } from '../../../../support/fakeClock.ts';
import { fakeConnection } from '../../../../support/fakeConnection.ts';
import { fakeTrackers, type FakeTrackers } from '../../../../support/fakeForge.ts';
import { makeTicket, makeTracker, someTimeMs } from '../../../../support/makeTicket.ts';

const tracker = { owner: '~alice', name: 'alpha' };
const ticket = { title: 'The wick smokes', description: 'It *smokes*.' };
const alice = { kind: 'user', canonicalName: '~alice', name: 'alice' } as const;
const reset: Problem = { kind: 'unreachable', reason: 'reset', host: 'todo.forge.test' };

suite('ticket submission', () => {
	let fake: FakeTrackers;
	let clock: FakeClock;
	setup(() => {
		fake = fakeTrackers();
		fake.world.trackers.push(makeTracker());
		clock = fakeClock(someTimeMs);
	});

	function writing({ tickets, journal, outbox, me, readMarks }: Connection): TicketWriting {
		return {
			api: fake.api,
			store: tickets,
			looks: readMarks,
			journal,
			outbox,
			background: idleBackground(),
			me,
			clock,
		};
	}

	/** Advances the clock while the submission waits. */
	async function run(signal = new AbortController().signal, isListed = false): Promise<SubmitOutcome> {
		const looking = new AbortController().signal;
		const connection = fakeConnection(fake.api);
		if (isListed) {
			await connection.tickets.tickets(tracker, looking);
		}
		const running = submitOnce(writing(connection), { tracker, ticket, looking }, signal);
		running.catch(() => undefined);
		for (let turn = 0; turn < 20; turn++) {
			await new Promise((resolve) => setImmediate(resolve));
			clock.advance(1000);
		}
		return running;
	}

	function lose(problem: Problem, isMade: boolean): void {
		const submit = fake.api.submit.bind(fake.api);
		Object.assign(fake.api, {
			submit: async (...args: Parameters<typeof submit>) => {
				if (isMade) {
					await submit(...args);
				} else {
					fake.world.calls.push('submit that never arrived');
				}
				throw new ForgeError(problem);
			},
		});
	}

	const sent = (): number => fake.world.calls.filter((call) => call.startsWith('submit')).length;

	test('ends with a response', async () => {
		const outcome = await run();
		assert.equal(outcome.kind, 'submitted');
		assert.deepEqual(fake.world.calls, ['submit ~alice/alpha']);
	});

	test('waits without a lookup after a failure before sending', async () => {
		const problem = { kind: 'serverError', status: 500 } as const;
		Object.assign(fake.api, {
			submit: () => Promise.reject(new ForgeError(problem, { isUnsent: true })),
		});
		const outcome = await run();
		assert.deepEqual(outcome.kind === 'queued' && outcome.error.problem, problem);
		assert.deepEqual(fake.world.calls, []);
	});

	test('finds a ticket with a lost response by author, title, text and age', async () => {
		fake.world.tickets.set('~alice/alpha', [
			makeTicket({ id: 4, ...ticket, submitter: alice, createdMs: someTimeMs - 86_400_000 }),
		]);
		lose(reset, true);
		const outcome = await run();
		assert.ok(outcome.kind === 'arrived');
		assert.deepEqual([outcome.ticket.id, sent()], [5, 1]);
	});

	test('ignores an equal ticket that was already known', async () => {
		const twin = makeTicket({ id: 4, ...ticket, submitter: alice, createdMs: someTimeMs - 1000 });
		fake.world.tickets.set('~alice/alpha', [twin]);
		lose(reset, false);
		assert.equal((await run(undefined, true)).kind, 'missing');
	});

	test('tolerates a fast clock if the newest ticket was known, and reads no unnecessary page', async () => {
		const createdMs = someTimeMs - 86_400_000;
		fake.world.pageSize = 2;
		fake.world.tickets.set(
			'~alice/alpha',
			[4, 3, 2, 1].map((id) => makeTicket({ id, ...ticket, submitter: alice, createdMs })),
		);
		lose(reset, true);
		clock = fakeClock(someTimeMs + 3_600_000);
		const outcome = await run(undefined, true);
		assert.ok(outcome.kind === 'arrived');
		assert.deepEqual(
			[outcome.ticket.id, fake.world.calls.filter((call) => call.startsWith('tickets')).length],
			[5, 2],
			'one before, one to look',
		);
		lose(reset, false);
		fake.world.calls.length = 0;
		assert.equal((await run(undefined, true)).kind, 'missing');
		assert.deepEqual(
			[...new Set(fake.world.calls)],
			['tickets ~alice/alpha 0', 'submit that never arrived'],
			'what was known before ends each look',
		);
	});

	test('ignores an older equal ticket, and sends nothing again', async () => {
		fake.world.tickets.set('~alice/alpha', [
			makeTicket({ id: 4, ...ticket, submitter: alice, createdMs: someTimeMs - 86_400_000 }),
		]);
		lose(reset, false);
		assert.equal((await run()).kind, 'missing');
		assert.equal(sent(), 1);
	});

	test('ignores an equal ticket of someone else', async () => {
		const bob = { kind: 'user', canonicalName: '~bob', name: 'bob' } as const;
		fake.world.tickets.set('~alice/alpha', [makeTicket({ id: 4, ...ticket, submitter: bob, createdMs: someTimeMs })]);
		lose(reset, false);
		assert.equal((await run()).kind, 'missing');
	});

	test('is unclear if the lookup fails, and a later lookup may find the ticket', async () => {
		lose({ kind: 'notUnderstood', where: 'the answer', why: 'it ends too early' }, true);
		fake.world.before = (call) => {
			if (call.startsWith('tickets')) {
				throw new ForgeError(reset);
			}
		};
		const outcome = await run();
		assert.ok(outcome.kind === 'unclear');
		fake.world.before = () => undefined;
		const connection = fakeConnection(fake.api);
		const looking = new AbortController().signal;
		const later = await findLostTicket(writing(connection), { tracker, ticket, looking }, outcome.lost);
		assert.deepEqual([later.kind, sent()], ['arrived', 1]);
	});

	test('looks the ticket up after an abort, because it may have arrived', async () => {
		const giving = new AbortController();
		const submit = fake.api.submit.bind(fake.api);
		Object.assign(fake.api, {
			submit: async (...args: Parameters<typeof submit>) => {
				await submit(...args);
				giving.abort();
				throw new DOMException('The operation was aborted', 'AbortError');
			},
		});
		assert.equal((await run(giving.signal)).kind, 'arrived');
	});

	test('throws a rejection or a cancelled prompt without a lookup', async () => {
		lose({ kind: 'invalid', errors: [{ field: 'title', reason: 'no' }] }, false);
		await assert.rejects(run(), ForgeError);
		Object.assign(fake.api, { submit: () => Promise.reject(new DOMException('Cancelled', 'AbortError')) });
		await assert.rejects(run(), { name: 'AbortError' });
		assert.ok(fake.world.calls.every((call) => !call.startsWith('tickets')));
	});
});
