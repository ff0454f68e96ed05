import assert from 'node:assert/strict';
import { Emitter } from '@forge-desk/base/event.ts';
import type { PatchsetStatus } from 'sourcehut/port/list.ts';
import { asOfPosition } from '../../../../src/store/inbox/inboxBook.ts';
import { keepAge } from '../../../../src/store/watch/keptAge.ts';
import { fakeClock, type FakeClock } from '../../../support/fakeClock.ts';
import { keptInMemory } from '../../../support/keptInMemory.ts';
import { makeList, makePatchset } from '../../../support/makeMail.ts';
import { passTime } from '../support/passTime.ts';
import { watchedForge, type WatchedForge } from '../../../support/watchedForge.ts';
import { watchingWindow, type WatchingWindow } from '../../../support/watchingWindow.ts';

const minuteMs = 60_000;

/** Windows with a common inbox, and the arrivals in each. */
function windowsOf(forge: WatchedForge, clock: FakeClock) {
	const written = new Emitter<void>();
	const [inbox, lease] = [keptInMemory(), keptInMemory()];
	const told: string[] = [];
	const open = (name: string): WatchingWindow => {
		const shared = { inbox, lease, onDidWrite: written.event, name };
		const window = watchingWindow({ forge, clock, perHour: 3000, followed: { repositories: ['~bob/quill'] }, shared });
		keepAge(window.inbox, window.readings);
		window.inbox.onDidChange(({ arrived, isPerhapsOld }) =>
			told.push(...arrived.map(({ entry }) => `${name}: ${entry.event.kind}${isPerhapsOld ? ', perhaps old' : ''}`)),
		);
		return window;
	};
	return { written, told, open };
}

suite('window that takes over the watch', () => {
	test('treats later events as new after a full read since it opened', async () => {
		const clock = fakeClock();
		const forge = watchedForge(clock);
		forge.lists.world.lists.push(makeList());
		// The server has no time for a status change.
		const mark = (status: PatchsetStatus): void =>
			void forge.lists.world.patchsets.set('~alice/devel', [makePatchset({ id: 5, status })]);
		mark('proposed');
		forge.push('~bob/quill', 'refs/heads/main');
		const { written, told, open } = windowsOf(forge, clock);
		const pass = (totalMs: number): Promise<void> => passTime(clock, totalMs, { atStep: () => written.fire() });
		const first = open('first');
		await pass(5 * minuteMs);
		const second = open('second');
		await pass(40 * minuteMs);
		first.dispose();
		forge.push('~bob/quill', 'refs/heads/main');
		mark('applied');
		await pass(5 * minuteMs);
		assert.deepEqual(told.filter((each) => each.startsWith('second')).toSorted(), [
			'second: patchsetMarked',
			'second: pushed',
		]);
		const third = open('third');
		second.dispose();
		forge.push('~bob/quill', 'refs/heads/main');
		mark('approved');
		await pass(5 * minuteMs);
		// The window opened after the last full read.
		assert.deepEqual(told.filter((each) => each.startsWith('third') && each.includes('old')).toSorted(), [
			'third: patchsetMarked, perhaps old',
			'third: pushed, perhaps old',
		]);
		third.dispose();
	});

	test('does not trust a read time from a fast clock', async () => {
		const clock = fakeClock();
		const forge = watchedForge(clock);
		forge.push('~bob/quill', 'refs/heads/main');
		const { told, open } = windowsOf(forge, clock);
		const first = open('first');
		await passTime(clock, 5 * minuteMs);
		const asOf = { sinceMs: clock.nowMs() + 5 * 60 * minuteMs, newestId: 0, detail: '' };
		first.inbox.add({ entries: [], positions: new Map([[asOfPosition, asOf]]) });
		first.dispose();
		forge.push('~bob/quill', 'refs/heads/main');
		const second = open('second');
		await passTime(clock, 5 * minuteMs);
		assert.deepEqual(told, ['second: pushed, perhaps old']);
		second.dispose();
	});
});
