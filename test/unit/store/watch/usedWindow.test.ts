import assert from 'node:assert/strict';
import { Emitter } from '@forge-desk/base/event.ts';
import { fakeClock } from '../../../support/fakeClock.ts';
import { keptInMemory } from '../../../support/keptInMemory.ts';
import { makeTicket, makeTracker } from '../../../support/makeTicket.ts';
import { watchedForge } from '../../../support/watchedForge.ts';
import { watchingWindow, type WatchingWindow } from '../../../support/watchingWindow.ts';

suite('watch in several windows', () => {
	test('reports events while the user works in another window than the first', async () => {
		const clock = fakeClock();
		const forge = watchedForge(clock);
		forge.trackers.world.trackers.push(makeTracker());
		forge.trackers.world.tickets.set('~alice/alpha', [makeTicket({ id: 1 })]);
		forge.push('~bob/quill', 'refs/heads/main');
		const [focused, written] = [new Emitter<void>(), new Emitter<void>()];
		const texts = { inbox: keptInMemory(), lease: keptInMemory() };
		let used = 'first';
		const open = (name: string): WatchingWindow =>
			watchingWindow({
				forge,
				clock,
				followed: { repositories: ['~bob/quill'] },
				perHour: 600,
				shared: { ...texts, onDidWrite: written.event, name },
				presence: { isThere: () => used === name, onDidChange: focused.event },
			});
		const all = ['first', 'second'].map(open);
		const pass = async (minutes: number): Promise<void> => {
			for (let seconds = 0; seconds < minutes * 60; seconds += 2) {
				clock.advance(2000);
				written.fire();
				for (let turn = 0; turn < 5; turn += 1) {
					await new Promise((resolve) => setImmediate(resolve));
				}
			}
		};
		await pass(30);
		used = 'second';
		focused.fire();
		await pass(10);
		forge.push('~bob/quill', 'refs/heads/main');
		await pass(20);
		assert.deepEqual(
			all.map(({ inbox }) => inbox.unreadCount()),
			[1, 1],
		);
		all.forEach((window) => window.dispose());
	});
});
