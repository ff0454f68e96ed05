import assert from 'node:assert/strict';
import { Emitter } from '@forge-desk/base/event.ts';
import { openInbox } from '../../../../src/store/inbox/inbox.ts';
import { askForRefresh, inboxAsOfMs, keepAge } from '../../../../src/store/watch/keptAge.ts';
import type { WatchReading, WatchReadings } from '../../../../src/store/watch/watchReadings.ts';
import { fake } from '../../../support/fake.ts';
import { fakeClock } from '../../../support/fakeClock.ts';
import { keptInMemory } from '../../../support/keptInMemory.ts';

suite('inbox age in a new window', () => {
	test('is the stored one until everything is read, and is not written on every read', () => {
		const clock = fakeClock();
		const written: unknown[] = [];
		const memory = keptInMemory();
		const kept: typeof memory = {
			...memory,
			async write(text) {
				written.push(text);
				await memory.write(text);
			},
		};
		const open = () => {
			const inbox = openInbox(kept, new Emitter<void>().event, clock);
			const told = new Emitter<void>();
			let all: readonly WatchReading[] = [];
			let refreshed = 0;
			const inboxReadings = fake<WatchReadings>({
				all: () => all,
				onDidRead: told.event,
				refresh: () => {
					refreshed += 1;
					return Promise.resolve([]);
				},
			});
			keepAge(inbox, inboxReadings);
			return {
				refreshed: () => refreshed,
				inbox,
				age: () => inboxAsOfMs({ inbox, inboxReadings }, clock),
				read: (...times: readonly (number | undefined)[]): void => {
					all = times.map((readMs, at) => ({
						watched: { kind: 'tracker', ref: { owner: '~alice', name: `t${at}` } },
						readMs,
						hasFailed: false,
					}));
					told.fire();
				},
			};
		};
		const first = open();
		assert.equal(first.age(), undefined);
		const firstMs = clock.nowMs();
		first.read(firstMs, firstMs + 1);
		first.read(firstMs + 60_000, firstMs + 60_001);
		assert.equal(written.length, 1);
		clock.advance(3_600_000);
		const second = open();
		assert.equal(second.age(), firstMs);
		second.read(undefined, clock.nowMs());
		assert.equal(second.age(), firstMs);
		second.read(clock.nowMs(), clock.nowMs());
		assert.equal(second.age(), clock.nowMs());
		assert.equal(open().age(), clock.nowMs());
	});

	test('is refreshed by the watching window on behalf of another one', async () => {
		const kept = keptInMemory();
		const written = new Emitter<void>();
		const clock = fakeClock();
		const windowOf = (all: readonly WatchReading[]) => {
			const inbox = openInbox(kept, written.event, clock);
			let refreshed = 0;
			const readings = fake<WatchReadings>({
				all: () => all,
				onDidRead: new Emitter<void>().event,
				refresh: () => {
					refreshed += 1;
					return Promise.resolve([]);
				},
			});
			keepAge(inbox, readings);
			return { inbox, refreshed: () => refreshed };
		};
		const watching = windowOf([
			{ watched: { kind: 'tracker', ref: { owner: '~alice', name: 't' } }, readMs: clock.nowMs(), hasFailed: false },
		]);
		const other = windowOf([]);
		askForRefresh(other.inbox, clock.nowMs());
		written.fire();
		await new Promise((resolve) => setImmediate(resolve));
		assert.deepEqual([watching.refreshed(), other.refreshed()], [1, 0]);
		let changes = 0;
		other.inbox.onDidChange(() => (changes += 1));
		written.fire();
		assert.equal(watching.refreshed(), 1);
		assert.deepEqual(
			[inboxAsOfMs({ inbox: other.inbox, inboxReadings: fake<WatchReadings>({ all: () => [] }) }, clock), changes],
			[clock.nowMs(), 1],
		);
	});
});
