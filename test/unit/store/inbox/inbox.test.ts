import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { Emitter } from '@forge-desk/base/event.ts';
import { openInbox, type Inbox, type InboxChange } from '../../../../src/store/inbox/inbox.ts';
import type { InboxReading } from '../../../../src/store/inbox/inboxBook.ts';
import type { KeptText } from '../../../../src/store/shared/keptText.ts';
import { counts, seed } from '../../../support/counts.ts';
import { fakeClock } from '../../../support/fakeClock.ts';
import { keptInMemory } from '../../../support/keptInMemory.ts';

const readingOf = (id: number): InboxReading => ({
	entries: [
		{
			id: `event ${id}`,
			thing: { kind: 'ticket', ref: { tracker: { owner: '~alice', name: 'alpha' }, id: 1 }, title: 'A ticket' },
			atMs: 1000 * id,
			by: '~bob',
			reason: 'mine',
			event: { kind: 'commented', eventId: id, excerpt: 'Yes', moved: undefined },
		},
	],
	positions: new Map([['ticket', { sinceMs: id, newestId: id, detail: '' }]]),
});

interface Window {
	readonly inbox: Inbox;
	readonly changes: InboxChange[];
	/** Checks whether another window wrote. */
	readonly look: () => void;
	readonly writes: () => number;
}

function openWindow(shared: KeptText, clock = fakeClock()): Window {
	const written = new Emitter<void>();
	let writes = 0;
	const kept: KeptText = {
		read: () => shared.read(),
		write(text) {
			writes += 1;
			return shared.write(text);
		},
	};
	const inbox = openInbox(kept, written.event, clock);
	const changes: InboxChange[] = [];
	inbox.onDidChange((change) => changes.push(change));
	return { inbox, changes, look: () => written.fire(), writes: () => writes };
}

const idsOf = (items: readonly { readonly entry: { readonly id: string } }[]): readonly string[] =>
	items.map(({ entry }) => entry.id);

suite('inbox of an account', function () {
	this.timeout(600_000);
	test('snoozes in all windows, and brings back in all when due, with one event each', () => {
		const kept = keptInMemory();
		const clock = fakeClock();
		const [one, other] = [openWindow(kept, clock), openWindow(kept, clock)];
		const shown = (): readonly string[] => [one, other].map(({ inbox }) => inbox.items()[0]?.state ?? '');
		one.inbox.add(readingOf(1));
		other.look();
		const untilMs = clock.nowMs() + 3 * 86_400_000;
		const [found, arrived] = [one.changes.length, other.changes.length];
		one.inbox.setState(['event 1'], 'unread', untilMs);
		other.look();
		assert.deepEqual([shown(), other.inbox.unreadCount()], [['snoozed', 'snoozed'], 0]);
		const changes = [one, other].map((window) => window.changes.length);
		assert.deepEqual(changes, [found + 1, arrived + 1]);
		clock.advance(3 * 86_400_000 - 1);
		assert.deepEqual(shown(), ['snoozed', 'snoozed']);
		clock.advance(1);
		assert.deepEqual([shown(), other.inbox.unreadCount()], [['unread', 'unread'], 1]);
		assert.deepEqual(
			[one, other].map((window, at) => window.changes.length - (changes[at] ?? 0)),
			[1, 1],
		);
	});

	test('keeps the snooze of another window against a text of an earlier version', async () => {
		const kept = keptInMemory();
		const clock = fakeClock();
		const [one, other] = [openWindow(kept, clock), openWindow(kept, clock)];
		one.inbox.add(readingOf(1));
		one.inbox.setState(['event 1'], 'unread', clock.nowMs() + 1000);
		await kept.write(String(kept.read()).replace(/,"untilMs":\d+/, ''));
		one.look();
		other.look();
		assert.deepEqual([one.inbox.items()[0]?.state, other.inbox.items()[0]?.state], ['snoozed', 'snoozed']);
	});

	test('reports new entries of this window separately from those of another window', () => {
		const kept = keptInMemory();
		const [one, other] = [openWindow(kept), openWindow(kept)];
		one.inbox.add(readingOf(1));
		other.look();
		assert.deepEqual(
			one.changes.map(({ arrived }) => idsOf(arrived)),
			[['event 1']],
		);
		assert.deepEqual(
			other.changes.map(({ arrived, foundElsewhere }) => [idsOf(arrived), idsOf(foundElsewhere)]),
			[[[], ['event 1']]],
		);
		assert.equal(other.inbox.unreadCount(), 1);
		other.inbox.add(readingOf(1));
		assert.equal(other.changes.length, 1);
	});

	test('reports no change for a moved position or a repeated reading', () => {
		const { inbox, changes, writes } = openWindow(keptInMemory());
		inbox.add({ entries: [], positions: new Map([['list', { sinceMs: 1, newestId: 5, detail: '' }]]) });
		assert.deepEqual([changes.length, inbox.position('list')?.newestId, writes()], [0, 5, 1]);
		inbox.add({ entries: [], positions: new Map([['list', { sinceMs: 1, newestId: 4, detail: '' }]]) });
		assert.equal(writes(), 1);
	});

	test('never overwrites an unreadable text, and keeps unsaved entries in memory until the disk works', async () => {
		let isBroken = true;
		let text: string | undefined = 'unreadable';
		const kept: KeptText = {
			read() {
				if (isBroken) {
					throw new Error('no permission');
				}
				return text;
			},
			async write(next) {
				text = next;
			},
		};
		const { inbox } = openWindow(kept);
		inbox.add(readingOf(1));
		assert.deepEqual([text, inbox.unreadCount()], ['unreadable', 1]);
		isBroken = false;
		text = undefined;
		inbox.add(readingOf(2));
		assert.equal(openWindow(kept).inbox.items().length, 2);
	});

	test('converges when windows write concurrently', () => {
		const steps = fc.array(
			fc.record({ window: fc.nat(2), id: fc.nat(5), does: fc.constantFrom('add', 'read', 'look') }),
			{
				maxLength: 20,
			},
		);
		fc.assert(
			fc.property(steps, (all) => {
				let text: string | undefined;
				let missed: string | undefined;
				// A write may replace an unseen write of another window.
				const kept: KeptText = {
					read: () => missed,
					async write(next) {
						text = next;
					},
				};
				const windows = [openWindow(kept), openWindow(kept), openWindow(kept)];
				for (const { window, id, does } of all) {
					const { inbox, look } = windows[window] ?? assert.fail();
					if (does === 'add') {
						inbox.add(readingOf(id));
					} else if (does === 'read') {
						inbox.setState([`event ${id}`], 'read');
					} else {
						missed = text;
						look();
					}
				}
				let before = -1;
				const writes = (): number => windows.reduce((sum, each) => sum + each.writes(), 0);
				for (let round = 0; writes() !== before; round += 1) {
					assert.ok(round < 10, 'they never come to rest');
					before = writes();
					for (const { look } of windows) {
						missed = text;
						look();
					}
				}
				const [first, ...others] = windows.map(({ inbox }) =>
					inbox.items().map(({ entry, state }) => [entry.id, state]),
				);
				others.forEach((each) => assert.deepEqual(each, first));
			}),
			{ numRuns: counts({ small: 200, full: 20_000 }), seed: seed() },
		);
	});
});
