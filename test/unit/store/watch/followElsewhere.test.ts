import assert from 'node:assert/strict';
import { Emitter } from '@forge-desk/base/event.ts';
import { backgroundLoop } from '../../../../src/store/background/backgroundLoop.ts';
import { requestBudget } from '../../../../src/store/background/requestBudget.ts';
import { openInbox } from '../../../../src/store/inbox/inbox.ts';
import type { InboxEntry } from '../../../../src/store/inbox/inboxEntry.ts';
import { followElsewhere } from '../../../../src/store/watch/accountWatch.ts';
import { TicketStore } from '../../../../src/store/tickets/ticketStore.ts';
import { keptNames } from '../../../support/fakeConnection.ts';
import type { WatchContext } from '../../../../src/store/watch/watchContext.ts';
import { fake } from '../../../support/fake.ts';
import { fakeClock } from '../../../support/fakeClock.ts';
import { fakeTrackers } from '../../../support/fakeForge.ts';
import { fakeLists, listConnection } from '../../../support/fakeLists.ts';
import { fakeRepositories, fakeStore } from '../../../support/fakeRepositories.ts';
import { keptInMemory } from '../../../support/keptInMemory.ts';
import { makeList, makeMail } from '../../../support/makeMail.ts';
import { makeComment, makeEvent, makeTicket, makeTracker } from '../../../support/makeTicket.ts';

const never = new AbortController().signal;
const ref = { tracker: { owner: '~alice', name: 'alpha' }, id: 12 };
const list = { owner: '~alice', name: 'devel' };
const repository = { owner: '~bob', name: 'quill' };

function entryOf(id: string, rest: Pick<InboxEntry, 'thing' | 'event'>): InboxEntry {
	return { id, atMs: 1, by: '~bob', reason: 'followed', ...rest };
}

/** A second window; the watching window shares its findings through the text. */
function openSecond() {
	const clock = fakeClock();
	const kept = keptInMemory();
	const written = new Emitter<void>();
	const trackers = fakeTrackers();
	trackers.world.trackers.push(makeTracker());
	trackers.world.tickets.set('~alice/alpha', [makeTicket()]);
	const tickets = new TicketStore({ api: trackers.api, me: '~alice', followed: keptNames(), clock });
	const fakeList = fakeLists();
	fakeList.world.lists.push(makeList());
	const { lists } = listConnection(fakeList.api);
	const git = fakeRepositories();
	const repositories = fakeStore(git);
	const inbox = openInbox(kept, written.event, clock);
	const presence = { isThere: () => true, onDidChange: new Emitter<void>().event };
	const budget = requestBudget(() => 600, clock);
	const loop = backgroundLoop(presence, budget, clock);
	followElsewhere(fake<WatchContext>({ tickets, lists, repositories, inbox, background: { loop, budget }, clock }));
	const first = openInbox(kept, new Emitter<void>().event, clock);
	return {
		trackers,
		tickets,
		fakeList,
		lists,
		git,
		repositories,
		find: async (...entries: readonly InboxEntry[]): Promise<void> => {
			first.add({ entries, positions: new Map() });
			written.fire();
			for (let second = 0; second < 10; second += 1) {
				clock.advance(1000);
				for (let turn = 0; turn < 10; turn += 1) {
					await new Promise((resolve) => setImmediate(resolve));
				}
			}
		},
	};
}

const commented = entryOf('event 1', {
	thing: { kind: 'ticket', ref, title: 'A ticket' },
	event: { kind: 'commented', eventId: 1, excerpt: 'Now', moved: undefined },
});

suite('entry from another window', () => {
	test('reloads a visible ticket with its timeline', async () => {
		const { trackers, tickets, find } = openSecond();
		await tickets.tickets(ref.tracker, never);
		await tickets.events(ref, never);
		const event = makeEvent({ kinds: ['comment'], comment: makeComment('Now') });
		trackers.world.events.set('~alice/alpha#12', [event]);
		trackers.world.tickets.set('~alice/alpha', [makeTicket({ title: 'Renamed' })]);
		await find(commented);
		assert.equal(tickets.knownTicket(ref)?.title, 'Renamed');
		assert.deepEqual(tickets.knownEvents(ref)?.items, [event]);
	});

	test('reloads once more when another entry arrives during a reload', async () => {
		const { trackers, tickets, find } = openSecond();
		await tickets.tickets(ref.tracker, never);
		const answer = Promise.withResolvers<undefined>();
		trackers.world.before = (call) => (call.startsWith('ticket ') ? answer.promise : undefined);
		await find(commented);
		const readings = (): number => trackers.world.calls.filter((call) => call.startsWith('ticket ')).length;
		assert.equal(readings(), 1);
		await find({ ...commented, id: 'event 2' });
		answer.resolve(undefined);
		await find();
		assert.equal(readings(), 2);
		await find();
		assert.equal(readings(), 2);
	});

	test('requests nothing for hidden things', async () => {
		const { trackers, fakeList, git, find } = openSecond();
		const mail = entryOf('mail 5', {
			thing: { kind: 'thread', list, id: 5, subject: 'A mail' },
			event: { kind: 'mailArrived', mailId: 5, subject: 'A mail' },
		});
		const pushed = entryOf('pushed', {
			thing: { kind: 'repository', ref: repository },
			event: { kind: 'pushed', changes: [] },
		});
		await find(commented, mail, pushed);
		assert.deepEqual([trackers.world.calls, fakeList.world.calls, git.world.calls], [[], [], []]);
	});

	test('adds a message to visible posts', async () => {
		const { fakeList, lists, find } = openSecond();
		await lists.posts(list).first(never);
		const mail = makeMail({ id: 5, subject: 'A mail', list: makeList() });
		fakeList.world.mails.push(mail);
		await find(
			entryOf('mail 5', {
				thing: { kind: 'thread', list, id: 5, subject: 'A mail' },
				event: { kind: 'mailArrived', mailId: 5, subject: 'A mail' },
			}),
		);
		assert.deepEqual(
			lists
				.posts(list)
				.known()
				?.items.map(({ id }) => id),
			[5],
		);
	});

	test('reloads visible references', async () => {
		const { git, repositories, find } = openSecond();
		git.world.references.set('~bob/quill', [{ name: 'refs/heads/main', target: 'a'.repeat(40) }]);
		await repositories.references(repository).first(never);
		await find(
			entryOf('pushed', { thing: { kind: 'repository', ref: repository }, event: { kind: 'pushed', changes: [] } }),
		);
		assert.equal(repositories.names.known(repository)?.references.known(), undefined);
	});
});
