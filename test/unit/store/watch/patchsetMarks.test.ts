import assert from 'node:assert/strict';
import { Emitter } from '@forge-desk/base/event.ts';
import type { PatchsetStatus } from 'sourcehut/port/list.ts';
import { fakeClock } from '../../../support/fakeClock.ts';
import { keptInMemory } from '../../../support/keptInMemory.ts';
import { makeList, makePatchset } from '../../../support/makeMail.ts';
import { passTime } from '../support/passTime.ts';
import { watchedForge } from '../../../support/watchedForge.ts';
import { watchingWindow, type WatchingWindow } from '../../../support/watchingWindow.ts';

const minuteMs = 60_000;

/** An own list with a patchset, watched by two windows at the same time, as after a lease race. */
function openTwo() {
	const clock = fakeClock();
	const forge = watchedForge(clock);
	const { world } = forge.lists;
	world.lists.push(makeList());
	const written = new Emitter<void>();
	const inbox = keptInMemory();
	const open = (name: string): WatchingWindow =>
		watchingWindow({
			forge,
			clock,
			perHour: 3000,
			shared: { inbox, lease: keptInMemory(), onDidWrite: written.event, name },
		});
	const windows = [open('one'), open('other')];
	const mark = (status: PatchsetStatus): void =>
		// Some services never update the time of a patchset (docs/protocol.md#graphql-mails).
		void world.patchsets.set('~alice/devel', [makePatchset({ id: 5, status })]);
	return {
		windows,
		mark,
		pass: async (totalMs: number): Promise<void> => {
			await passTime(clock, totalMs, { atStep: () => written.fire() });
		},
	};
}

suite('patchset status', () => {
	test('creates an entry for each change, even back to an earlier one, and only one across windows', async () => {
		const { windows, mark, pass } = openTwo();
		mark('proposed');
		await pass(5 * minuteMs);
		const statuses = ['approved', 'needs_revision', 'approved', 'needs_revision', 'applied'] as const;
		for (const status of statuses) {
			mark(status);
			await pass(20 * minuteMs);
		}
		for (const { inbox } of windows) {
			const marks = inbox
				.items()
				.flatMap(({ entry: { event } }) => (event.kind === 'patchsetMarked' ? [event.status] : []));
			assert.deepEqual(marks.toSorted(), statuses.toSorted());
		}
		windows.forEach((window) => window.dispose());
	});

	test('set by the account in another window creates no entry', async () => {
		const clock = fakeClock();
		const forge = watchedForge(clock);
		const { world } = forge.lists;
		world.lists.push(makeList());
		world.patchsets.set('~alice/devel', [makePatchset({ id: 5, status: 'proposed' })]);
		const written = new Emitter<void>();
		const [inbox, lease] = [keptInMemory(), keptInMemory()];
		const open = (name: string): WatchingWindow =>
			watchingWindow({ forge, clock, perHour: 3000, shared: { inbox, lease, onDidWrite: written.event, name } });
		const [watching, other] = [open('one'), open('other')];
		const pass = async (totalMs: number): Promise<void> => {
			await passTime(clock, totalMs, { atStep: () => written.fire() });
		};
		await pass(5 * minuteMs);
		assert.deepEqual([watching.readings.all().length > 0, other.readings.all().length], [true, 0]);
		const list = { owner: '~alice', name: 'devel' };
		await other.lists.setStatus({ list, id: 5 }, 'applied', new AbortController().signal);
		await pass(60 * minuteMs);
		assert.deepEqual([watching.inbox.items(), other.inbox.items()], [[], []]);
		[watching, other].forEach((window) => window.dispose());
	});

	test('without a time on the server gets the time of the read, and is not reported again after a restart', async () => {
		const clock = fakeClock();
		const forge = watchedForge(clock);
		const { world } = forge.lists;
		world.lists.push(makeList());
		const kept = keptInMemory();
		const told: string[] = [];
		const open = (): WatchingWindow => {
			const shared = { inbox: kept, lease: keptInMemory(), onDidWrite: new Emitter<void>().event, name: 'one' };
			const window = watchingWindow({ forge, clock, perHour: 3000, shared });
			window.inbox.onDidChange(({ arrived, isPerhapsOld }) =>
				told.push(...arrived.map(({ entry: { event } }) => `${event.kind}${isPerhapsOld ? ', perhaps before' : ''}`)),
			);
			return window;
		};
		const pass = async (totalMs: number): Promise<void> => {
			await passTime(clock, totalMs);
		};
		const stand = (...statuses: readonly PatchsetStatus[]): void =>
			void world.patchsets.set(
				'~alice/devel',
				statuses.map((status, index) => makePatchset({ id: 6 - index, status })),
			);
		stand('proposed', 'approved');
		const first = open();
		await pass(5 * minuteMs);
		assert.deepEqual(told, []);
		const setMs = clock.nowMs();
		stand('applied', 'approved');
		await pass(20 * minuteMs);
		const [entry] = first.inbox.items();
		assert.ok(entry !== undefined && entry.entry.atMs >= setMs && entry.entry.atMs <= clock.nowMs());
		assert.deepEqual([entry.state, told], ['unread', ['patchsetMarked']]);
		first.dispose();
		const second = open();
		await pass(20 * minuteMs);
		assert.deepEqual(told, ['patchsetMarked']);
		second.dispose();
		stand('applied', 'rejected');
		const third = open();
		await pass(20 * minuteMs);
		// It may have changed before the window opened.
		assert.deepEqual(told, ['patchsetMarked', 'patchsetMarked, perhaps before']);
		stand('applied', 'needs_revision');
		await pass(20 * minuteMs);
		assert.deepEqual(told, ['patchsetMarked', 'patchsetMarked, perhaps before', 'patchsetMarked']);
		third.dispose();
	});
});
