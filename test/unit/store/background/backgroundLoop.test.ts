import assert from 'node:assert/strict';
import type { Clock } from '@forge-desk/base/clock.ts';
import { Emitter } from '@forge-desk/base/event.ts';
import type { Disposable } from '@forge-desk/base/lifecycle.ts';
import { ForgeError, type Problem } from 'sourcehut/port/forgeError.ts';
import { contentAreas } from 'sourcehut/port/instance.ts';
import { backgroundLoop, type BackgroundTask } from '../../../../src/store/background/backgroundLoop.ts';
import { requestBudget } from '../../../../src/store/background/requestBudget.ts';
import { fakeClock } from '../../../support/fakeClock.ts';

const budget = requestBudget(() => 600, fakeClock());
const problems: readonly Problem[] = [
	{ kind: 'missingScope', scope: undefined, asWritten: 'LISTS:RO' },
	{ kind: 'unreachable', reason: 'refused', host: 'lists.forge.test' },
	{ kind: 'rateLimited', untilMs: undefined },
];

suite('background loop', () => {
	for (const problem of problems) {
		test(`continues on one server while another fails: ${problem.kind}`, async () => {
			const clock = fakeClock();
			const loop = backgroundLoop({ isThere: () => true, onDidChange: new Emitter<void>().event }, budget, clock);
			const asked = { apart: 0, tickets: 0 };
			const next = { apart: 0, tickets: 0 };
			const task = (name: 'apart' | 'tickets', read: () => Promise<void>): BackgroundTask => ({
				dueMs: next[name],
				area: name === 'apart' ? 'lists' : 'todo',
				read() {
					asked[name] += 1;
					next[name] = clock.nowMs() + 60_000;
					return read();
				},
				failed: () => undefined,
			});
			loop.add({
				tasks: () => [
					task('apart', () => Promise.reject(new ForgeError(problem))),
					task('tickets', () => Promise.resolve()),
				],
				hurry: () => undefined,
			});
			for (let second = 0; second < 600; second += 1) {
				clock.advance(1000);
				await new Promise((resolve) => setImmediate(resolve));
			}
			assert.ok(asked.tickets >= 9 && asked.apart >= 2, JSON.stringify(asked));
			assert.equal(loop.pause, undefined);
			loop.dispose();
		});
	}

	test('restarts immediately after a token change, for each service that rejected the old one', async () => {
		const clock = fakeClock();
		const loop = backgroundLoop({ isThere: () => true, onDidChange: new Emitter<void>().event }, budget, clock);
		const asked = { todo: 0, lists: 0, git: 0 };
		const askedMs = { todo: 0, lists: 0, git: 0 };
		let isRefused = true;
		loop.add({
			tasks: () =>
				contentAreas.map((area) => ({
					dueMs: askedMs[area],
					area,
					async read() {
						asked[area] += 1;
						askedMs[area] = clock.nowMs();
						if (isRefused) {
							throw new ForgeError({ kind: 'tokenRejected', area });
						}
					},
					failed: () => undefined,
				})),
		});
		const pass = async (seconds: number): Promise<void> => {
			for (let second = 0; second < seconds; second += 1) {
				clock.advance(1000);
				await new Promise((resolve) => setImmediate(resolve));
			}
		};
		await pass(300);
		assert.deepEqual(asked, { todo: 1, lists: 1, git: 1 }, 'one refusal for each service');
		assert.equal(loop.rest('git')?.problem.kind, 'tokenRejected');
		isRefused = false;
		loop.tokenReplaced();
		await pass(5);
		assert.ok(Math.min(...Object.values(asked)) > 1, JSON.stringify(asked));
		assert.equal(loop.rest('git'), undefined);
		loop.dispose();
	});

	for (const busy of contentAreas) {
		test(`pauses only the service with too many requests: ${busy}`, async () => {
			const clock = fakeClock();
			const loop = backgroundLoop({ isThere: () => true, onDidChange: new Emitter<void>().event }, budget, clock);
			const asked = { todo: 0, lists: 0, git: 0 };
			const askedMs = { todo: 0, lists: 0, git: 0 };
			const untilMs = clock.nowMs() + 30 * 60_000;
			loop.add({
				tasks: () =>
					contentAreas.map((area) => ({
						dueMs: askedMs[area],
						area,
						async read() {
							asked[area] += 1;
							askedMs[area] = clock.nowMs();
							if (area === busy) {
								throw new ForgeError({ kind: 'rateLimited', untilMs });
							}
						},
						failed: () => undefined,
					})),
			});
			for (let second = 0; second < 60; second += 1) {
				clock.advance(1000);
				loop.hurry();
				await new Promise((resolve) => setImmediate(resolve));
			}
			const others = contentAreas.filter((area) => area !== busy).map((area) => asked[area]);
			assert.equal(asked[busy], 1, 'no wish shortens a pause that the server asked for');
			assert.ok(Math.min(...others) > 10, JSON.stringify(asked));
			loop.dispose();
		});
	}

	test('a new token does not end a pause until a time that the server named', async () => {
		const clock = fakeClock();
		const loop = backgroundLoop({ isThere: () => true, onDidChange: new Emitter<void>().event }, budget, clock);
		const untilMs = clock.nowMs() + 30 * 60_000;
		loop.restIfLimited('todo', new ForgeError({ kind: 'rateLimited', untilMs }));
		loop.restIfLimited('lists', new ForgeError({ kind: 'rateLimited', untilMs: undefined }));
		loop.restIfLimited('git', new ForgeError({ kind: 'notAllowed' }));
		loop.tokenReplaced();
		assert.deepEqual(
			contentAreas.filter((area) => loop.limit(area)),
			['todo'],
		);
		loop.dispose();
	});

	test('a read that began before a limit does not end it', async () => {
		const clock = fakeClock();
		const loop = backgroundLoop({ isThere: () => true, onDidChange: new Emitter<void>().event }, budget, clock);
		const reading = Promise.withResolvers<void>();
		let asked = 0;
		const read = (): Promise<void> => ((asked += 1), reading.promise);
		loop.add({ tasks: () => [{ dueMs: 0, area: 'todo', read, failed: () => undefined }] });
		clock.advance(2000);
		loop.restIfLimited('todo', new ForgeError({ kind: 'rateLimited', untilMs: clock.nowMs() + 10_000 }));
		reading.resolve();
		await new Promise((resolve) => setImmediate(resolve));
		clock.advance(5000);
		assert.equal(asked, 1);
		clock.advance(5000);
		assert.equal(asked, 2);
		loop.dispose();
	});

	test('continues with other services while the ticket service is unavailable', async () => {
		const clock = fakeClock();
		const loop = backgroundLoop({ isThere: () => true, onDidChange: new Emitter<void>().event }, budget, clock);
		const asked = { todo: 0, git: 0, lists: 0 };
		for (const area of contentAreas) {
			const read = (): Promise<void> => {
				asked[area] += 1;
				const problem: Problem = { kind: 'unreachable', reason: 'refused', host: 'todo.forge.test' };
				return area === 'todo' ? Promise.reject(new ForgeError(problem)) : Promise.resolve();
			};
			loop.add({ tasks: () => [{ dueMs: clock.nowMs(), area, read, failed: () => undefined }] });
		}
		for (let second = 0; second < 600; second += 1) {
			clock.advance(1000);
			await new Promise((resolve) => setImmediate(resolve));
		}
		assert.ok(asked.todo <= 8, JSON.stringify(asked));
		assert.ok(Math.min(asked.git, asked.lists) > 100, JSON.stringify(asked));
		assert.deepEqual(loop.pause, { kind: 'offline' });
		loop.dispose();
	});

	test('pauses while the forge is unavailable, until a refresh and within the limits of the server', async () => {
		const clock = fakeClock();
		const loop = backgroundLoop({ isThere: () => true, onDidChange: new Emitter<void>().event }, budget, clock);
		let problem: Problem | undefined = { kind: 'unreachable', reason: 'refused', host: 'todo.forge.test' };
		let asked = 0;
		loop.add({
			tasks: () => [
				{
					dueMs: clock.nowMs(),
					area: 'todo',
					read() {
						asked += 1;
						return problem ? Promise.reject(new ForgeError(problem)) : new Promise(() => undefined);
					},
					failed: () => undefined,
				},
			],
			hurry: () => undefined,
		});
		const pass = async (seconds: number): Promise<number> => {
			const before = asked;
			for (let second = 0; second < seconds; second += 1) {
				clock.advance(1000);
				await new Promise((resolve) => setImmediate(resolve));
			}
			return asked - before;
		};
		await pass(1200);
		assert.deepEqual([await pass(60), loop.pause], [0, { kind: 'offline' }]);
		problem = { kind: 'rateLimited', untilMs: undefined };
		loop.hurry();
		assert.deepEqual([await pass(2), loop.pause], [1, undefined]);
		problem = undefined;
		loop.hurry();
		assert.equal(await pass(240), 0);
		problem = { kind: 'rateLimited', untilMs: clock.nowMs() + 300 * 24 * 3_600_000 };
		assert.equal(await pass(70), 1);
		assert.equal(await pass(3500), 0, 'the server asked for a pause of 300 days');
		assert.equal(await pass(110), 1);
		loop.dispose();
	});

	test('alternates between sources, and within a source prefers the oldest task', async () => {
		const clock = fakeClock();
		const loop = backgroundLoop(
			{ isThere: () => true, onDidChange: new Emitter<void>().event },
			requestBudget(() => 600, clock),
			clock,
		);
		const read: string[] = [];
		const wishedMs = new Map([
			['a1', 0],
			['a2', 0],
			['b1', 2],
			['b2', 1],
		]);
		for (const work of ['a', 'b']) {
			loop.add({
				tasks: () =>
					['1', '2'].map((number): BackgroundTask => {
						const name = `${work}${number}`;
						return {
							dueMs: wishedMs.get(name) ?? 0,
							share: 1,
							area: 'todo',
							async read() {
								read.push(name);
								wishedMs.set(name, (wishedMs.get(name) ?? 0) + (work === 'b' ? 10 : 0));
							},
							failed: () => undefined,
						};
					}),
				hurry: () => undefined,
			});
		}
		while (read.length < 6) {
			clock.advance(1000);
			await new Promise((resolve) => setImmediate(resolve));
		}
		assert.deepEqual(read, ['a1', 'b2', 'a1', 'b1', 'a1', 'b2']);
		loop.dispose();
	});

	test('continues with other sources after one ends during its read', async () => {
		const clock = fakeClock();
		const loop = backgroundLoop({ isThere: () => true, onDidChange: new Emitter<void>().event }, budget, clock);
		const read: string[] = [];
		const add = (name: string, reads: () => void): Disposable =>
			loop.add({
				tasks: () => [
					{
						dueMs: clock.nowMs(),
						area: 'todo',
						async read() {
							read.push(name);
							reads();
						},
						failed: () => undefined,
					},
				],
				hurry: () => undefined,
			});
		const first = add('first', () => first.dispose());
		add('second', () => undefined);
		while (read.length < 4) {
			clock.advance(1000);
			await new Promise((resolve) => setImmediate(resolve));
		}
		assert.deepEqual(read, ['first', 'second', 'second', 'second']);
		loop.dispose();
	});

	test('recovers after the wall clock moves back', async () => {
		const clock = fakeClock();
		const loop = backgroundLoop({ isThere: () => true, onDidChange: new Emitter<void>().event }, budget, clock);
		let dueMs = clock.nowMs() + 3_600_000;
		let asked = 0;
		loop.add({
			tasks: () => [
				{
					dueMs,
					area: 'todo',
					read() {
						asked += 1;
						dueMs = clock.nowMs() + 3_600_000;
						return Promise.resolve();
					},
					failed: () => undefined,
				},
			],
			hurry: () => (dueMs = Math.min(dueMs, clock.nowMs())),
		});
		clock.advance(60_000);
		assert.equal(asked, 0);
		clock.advance(-24 * 3_600_000);
		// Timers of a real clock continue; here `plan` sets a new one.
		loop.plan();
		clock.advance(0);
		await new Promise((resolve) => setImmediate(resolve));
		assert.equal(asked, 1);
		loop.dispose();
	});

	test('wakes up every minute, because timers may stop while the machine sleeps', () => {
		const clock = fakeClock();
		const delaysMs: number[] = [];
		const after: Clock['after'] = (delayMs, work) => {
			delaysMs.push(delayMs);
			return clock.after(delayMs, work);
		};
		const presence = { isThere: () => true, onDidChange: new Emitter<void>().event };
		const loop = backgroundLoop(presence, budget, { ...clock, after });
		const dueMs = clock.nowMs() + 3_600_000;
		loop.add({
			tasks: () => [{ dueMs, area: 'todo', read: () => Promise.resolve(), failed: () => undefined }],
		});
		clock.advance(0);
		clock.advance(60_000);
		assert.deepEqual(delaysMs, [0, 60_000, 60_000]);
		loop.dispose();
	});

	test('distinguishes a refresh from a return after a long absence', () => {
		const clock = fakeClock();
		const presence = new Emitter<void>();
		let isThere = true;
		const loop = backgroundLoop({ isThere: () => isThere, onDidChange: presence.event }, budget, clock);
		const told: string[] = [];
		loop.add({ tasks: () => [], hurry: (why) => void told.push(why) });
		const goAway = (forMs: number): void => {
			isThere = false;
			presence.fire();
			clock.advance(forMs);
			isThere = true;
			presence.fire();
		};
		goAway(60_000);
		goAway(600_000);
		loop.hurry();
		assert.deepEqual(told, ['return', 'wish']);
		loop.dispose();
	});
});
