import assert from 'node:assert/strict';
import { ForgeError } from 'sourcehut/port/forgeError.ts';
import type { TicketRef } from 'sourcehut/port/ticket.ts';
import { trackerRefOf } from '../../../../src/store/tickets/trackerRefs.ts';
import type { TicketStoreChange } from '../../../../src/store/tickets/ticketChange.ts';
import { TicketStore } from '../../../../src/store/tickets/ticketStore.ts';
import type { TicketAccess } from '../../../../src/store/tickets/trackers.ts';
import { keptTimelines } from '../../../../src/store/tickets/savedTickets.ts';
import { textsInMemory } from '../../../support/textsInMemory.ts';
import { keptNames } from '../../../support/fakeConnection.ts';
import { fakeClock } from '../../../support/fakeClock.ts';
import { cursorTickets } from '../support/cursorTickets.ts';
import { fakeTrackers, type FakeTrackers } from '../../../support/fakeForge.ts';
import { makeComment, makeEvent, makeLabel, makeTicket, makeTracker, makeUser } from '../../../support/makeTicket.ts';

const alpha = { owner: '~alice', name: 'alpha' };
const never = new AbortController().signal;

function world(count: number): FakeTrackers {
	const fake = fakeTrackers();
	fake.world.trackers.push(makeTracker());
	fake.world.tickets.set(
		'~alice/alpha',
		Array.from({ length: count }, (_, at) => makeTicket({ id: count - at })),
	);
	return fake;
}

function store({ api }: FakeTrackers, followed = keptNames()): TicketStore {
	return new TicketStore({ api, me: '~alice', followed, clock: fakeClock() });
}

function ref(id: number): TicketRef {
	return { tracker: alpha, id };
}

suite('ticket store', () => {
	test('reads the first page once and caches it', async () => {
		const fake = world(120);
		const tickets = store(fake);
		const { items, completeness } = await tickets.tickets(alpha, never);
		await tickets.tickets(alpha, never);
		assert.deepEqual(
			{ count: items.length, first: items[0]?.id, completeness, calls: fake.world.calls },
			{ count: 50, first: 120, completeness: { kind: 'more', total: 120 }, calls: ['tickets ~alice/alpha 0'] },
		);
	});

	test('adds pages until the list is complete, and then requests no more', async () => {
		const fake = world(120);
		const tickets = store(fake);
		await tickets.tickets(alpha, never);
		await tickets.reads(alpha).more(never);
		const { items, completeness } = await tickets.reads(alpha).more(never);
		assert.equal(items.length, 120);
		assert.deepEqual(completeness, { kind: 'complete' });
		assert.equal((await tickets.tickets(alpha, never)).items.at(-1)?.id, 1);
		assert.equal(fake.world.calls.length, 3);
	});

	test('never marks a bare array as complete', async () => {
		const fake = world(3);
		fake.world.bare = true;
		assert.deepEqual((await store(fake).tickets(alpha, never)).completeness, { kind: 'unstated' });
	});

	test('reports a renamed label once, without a newer read time for its tickets', async () => {
		const fake = world(0);
		const clock = fakeClock();
		const kept: number[] = [];
		const disk: TicketAccess['disk'] = {
			...keptTimelines(textsInMemory(), clock),
			keepTicket: ({ id }) => kept.push(id),
		};
		const tickets = new TicketStore({ api: fake.api, me: '~alice', followed: keptNames(), clock, disk });
		const remembered = { ticket: makeTicket({ id: 1, labels: ['bug'] }), checkedAtMs: 5, comments: undefined };
		let answers = 0;
		tickets.onDidAnswer(() => (answers += 1));
		tickets.apply({
			kind: 'rememberedTickets',
			tracker: alpha,
			tickets: [remembered],
			covered: [],
			isUnstated: false,
		});
		fake.world.tickets.set('~alice/alpha', [makeTicket({ id: 2, labels: ['bug', 'ui'] }), makeTicket({ id: 3 })]);
		await tickets.renewTicket(ref(2), never);
		assert.equal(answers, 1, 'the disk is no answer of the forge');
		const readMs = clock.nowMs();
		clock.advance(60_000);
		kept.length = 0;
		let learnt = 0;
		tickets.onDidLearn(() => (learnt += 1));
		tickets.apply({ kind: 'labelRenamed', tracker: alpha, name: 'bug', to: 'defect' });
		const list = tickets.ticketList(alpha);
		assert.deepEqual(
			[1, 2].map((id) => [list.item(id)?.labels, list.checkedAtMs(id), list.isRemembered(id)]),
			[
				[['defect'], 5, true],
				[['defect', 'ui'], readMs, false],
			],
		);
		assert.deepEqual([learnt, kept, list.segments.take().length], [1, [], 1]);
		tickets.apply({ kind: 'labelRenamed', tracker: alpha, name: 'defect', to: undefined });
		assert.deepEqual(list.item(2)?.labels, ['ui']);
	});

	test('releases timelines from background reads, and keeps those that a page showed', async () => {
		const fake = world(0);
		const ids = Array.from({ length: 150 }, (_, at) => at + 1);
		ids.forEach((id) => fake.world.events.set(`~alice/alpha#${id}`, [makeEvent({ id, kinds: ['created'] })]));
		const tickets = store(fake);
		await tickets.events(ref(1), never);
		for (const id of ids.slice(1)) {
			assert.deepEqual(
				(await tickets.rereadEvents(ref(id), 'renew', never)).items.map(({ id: event }) => event),
				[id],
			);
		}
		const known = (): readonly number[] => ids.filter((id) => tickets.knownEvents(ref(id)));
		assert.deepEqual(known(), [1, ...ids.slice(-100)]);
		await tickets.renewEvents(ref(51), never);
		await tickets.rereadEvents(ref(2), 'renew', never);
		assert.deepEqual(known(), [1, 2, ...ids.slice(-100)]);
		await tickets.unfollow(alpha);
		assert.deepEqual(known(), [1, 51]);
	});

	test('shares one request between concurrent readers', async () => {
		const fake = world(1);
		const tickets = store(fake);
		await Promise.all([tickets.ticket(ref(1), never), tickets.ticket(ref(1), never)]);
		assert.deepEqual(fake.world.calls, ['ticket ~alice/alpha#1']);
	});

	test('continues a request for the others when one reader aborts', async () => {
		const fake = world(1);
		const gate = Promise.withResolvers<void>();
		fake.world.before = () => gate.promise;
		const tickets = store(fake);
		const impatient = new AbortController();
		const first = tickets.ticket(ref(1), impatient.signal);
		const second = tickets.ticket(ref(1), never);
		impatient.abort();
		await assert.rejects(first, { name: 'AbortError' });
		gate.resolve();
		assert.equal((await second).id, 1);
	});

	test('aborts a request with its last reader, and starts again for the next one', async () => {
		const fake = world(60);
		const tickets = store(fake);
		fake.world.before = () => Promise.withResolvers<void>().promise;
		const impatient = new AbortController();
		const waiting = tickets.tickets(alpha, impatient.signal);
		impatient.abort();
		fake.world.before = () => undefined;
		const next = tickets.tickets(alpha, never);
		await assert.rejects(waiting, { name: 'AbortError' });
		assert.equal((await next).items.length, 50);
	});

	test('keeps newer changes when a slow first read ends', async () => {
		const fake = world(3);
		const gate = Promise.withResolvers<void>();
		fake.world.before = () => gate.promise;
		const tickets = store(fake);
		const reading = tickets.tickets(alpha, never);
		tickets.apply({ kind: 'ticketChanged', ticket: makeTicket({ id: 2, status: 'resolved' }) });
		tickets.apply({ kind: 'ticketChanged', ticket: makeTicket({ id: 4, title: 'Newer than the page' }) });
		gate.resolve();
		const { items } = await reading;
		assert.deepEqual(
			items.map(({ id, status }) => [id, status]),
			[
				[4, 'reported'],
				[3, 'reported'],
				[2, 'resolved'],
				[1, 'reported'],
			],
		);
	});

	test('keeps a newer ticket when a slow read ends', async () => {
		const fake = world(1);
		const gate = Promise.withResolvers<void>();
		fake.world.before = (call) => (call.startsWith('ticket ') ? gate.promise : undefined);
		const tickets = store(fake);
		const reading = tickets.ticket(ref(1), never);
		tickets.apply({ kind: 'ticketChanged', ticket: makeTicket({ id: 1, status: 'resolved' }) });
		gate.resolve();
		assert.equal((await reading).status, 'resolved');
	});

	test('leaves a separately read ticket out of the list until its page loads', async () => {
		const fake = world(120);
		const tickets = store(fake);
		await tickets.ticket(ref(5), never);
		assert.equal((await tickets.tickets(alpha, never)).items.length, 50);
		assert.equal((await tickets.reads(alpha).more(never)).items.length, 100);
	});

	test('continues at the same page after a failure', async () => {
		const fake = world(120);
		const tickets = store(fake);
		await tickets.tickets(alpha, never);
		fake.world.before = (call) => {
			if (call.endsWith(' 50')) {
				throw new ForgeError({ kind: 'serverError', status: 502 });
			}
		};
		await assert.rejects(tickets.reads(alpha).more(never), ForgeError);
		assert.equal(tickets.reads(alpha).known()?.items.length, 50);
		fake.world.before = () => undefined;
		assert.equal((await tickets.reads(alpha).more(never)).items.length, 100);
	});

	test('walks pages with cursors only towards a number, and to the end', async () => {
		const fake = world(7);
		fake.world.pageSize = 2;
		const tickets = store({ ...fake, api: cursorTickets(fake).api });
		const ids = (): readonly number[] =>
			tickets
				.reads(alpha)
				.known()
				?.items.map(({ id }) => id) ?? [];
		await tickets.tickets(alpha, never);
		assert.deepEqual(ids(), [7, 6]);
		assert.equal(await tickets.reads(alpha).reread(3, never), true);
		assert.deepEqual(ids(), [7, 6, 5, 4]);
		assert.equal(await tickets.reads(alpha).reread(3, never), true);
		assert.deepEqual(ids(), [7, 6, 5, 4, 3, 2]);
		await tickets.readAllTickets(alpha, never);
		assert.deepEqual(ids(), [7, 6, 5, 4, 3, 2, 1]);
		assert.equal(tickets.reads(alpha).known()?.completeness.kind, 'complete');
	});

	test('sends an update once and applies the response before it resolves', async () => {
		const fake = world(1);
		const tickets = store(fake);
		await tickets.events(ref(1), never);
		const changes: TicketStoreChange[] = [];
		tickets.onDidChange((change) => changes.push(change));
		await tickets.update(ref(1), { comment: 'Done.', move: { kind: 'resolve', resolution: 'fixed' } }, never);
		assert.equal(tickets.knownTicket(ref(1))?.resolution, 'fixed');
		assert.deepEqual(tickets.knownEvents(ref(1))?.items[0]?.kinds, ['comment', 'status_change']);
		assert.equal(fake.world.calls.filter((call) => call.startsWith('update')).length, 1);
		assert.deepEqual(changes, [{ kind: 'ticket', ticket: ref(1) }]);
	});

	test('reports one event per real change, and none for a confirmation', async () => {
		const fake = world(2);
		fake.world.events.set('~alice/alpha#1', [makeEvent({ id: 5 })]);
		const tickets = store(fake);
		const changes: string[] = [];
		const told = (): string => changes.splice(0).join(', ');
		tickets.onDidChange((change) =>
			changes.push(change.kind === 'ticket' ? `ticket ${change.ticket.id}` : change.kind),
		);
		await tickets.tickets(alpha, never);
		await tickets.events(ref(1), never);
		told();
		await Promise.all([tickets.renewTicket(ref(1), never), tickets.renewTicket(ref(1), never)]);
		await tickets.renewEvents(ref(1), never);
		tickets.apply({ kind: 'eventsAdded', ticket: ref(1), events: [makeEvent({ id: 5 })] });
		tickets.apply({ kind: 'ticketChanged', ticket: makeTicket({ id: 1 }) });
		assert.equal(told(), '');
		fake.world.tickets.set('~alice/alpha', [makeTicket({ id: 2 }), makeTicket({ id: 1, title: 'Other words' })]);
		await Promise.all([tickets.renewTicket(ref(1), never), tickets.renewTicket(ref(1), never)]);
		assert.equal(told(), 'ticket 1');
		fake.world.events.set('~alice/alpha#1', [makeEvent({ id: 6 }), makeEvent({ id: 5 })]);
		await Promise.all([tickets.renewEvents(ref(1), never), tickets.renewEvents(ref(1), never)]);
		assert.equal(told(), 'ticket 1');
		await tickets.update(ref(1), { comment: 'Done.', move: { kind: 'resolve', resolution: 'fixed' } }, never);
		assert.equal(told(), 'ticket 1');
		await tickets.submit(alpha, { title: 'A third', description: '' }, never);
		assert.equal(told(), 'ticket 3, tracker');
		await Promise.all([tickets.reads(alpha).reread(undefined, never), tickets.reads(alpha).more(never)]);
		await tickets.readAllTickets(alpha, never);
		assert.equal(told(), '');
		const [third, ...others] = fake.world.tickets.get('~alice/alpha') ?? [];
		fake.world.tickets.set('~alice/alpha', [makeTicket({ ...third, title: 'The third' }), ...others]);
		await Promise.all([tickets.reads(alpha).reread(undefined, never), tickets.reads(alpha).reread(undefined, never)]);
		assert.equal(told(), 'ticket 3', 'nothing came to the list');
		fake.world.tickets.set('~alice/alpha', others);
		await Promise.all([tickets.reads(alpha).reread(undefined, never), tickets.reads(alpha).reread(undefined, never)]);
		assert.equal(told(), 'tracker');
		await tickets.ownTrackers(never);
		await Promise.all([tickets.trackers.own.more(never), tickets.trackers.renewOwn(never)]);
		await tickets.trackers.read(alpha, never);
		tickets.apply({ kind: 'trackerChanged', tracker: makeTracker() });
		assert.equal(told(), '');
		tickets.apply({ kind: 'trackerChanged', tracker: makeTracker({ description: 'Other words' }) });
		assert.equal(told(), 'trackers');
	});

	test('reports a tracker that a page changes, including the first page', async () => {
		const fake = world(0);
		const tickets = store(fake);
		await tickets.trackers.read(alpha, never);
		const told: string[] = [];
		tickets.onDidChange(({ kind }) => void told.push(kind));
		fake.world.trackers.splice(0, 1, makeTracker({ description: 'Other words' }));
		await tickets.ownTrackers(never);
		assert.deepEqual(told, ['trackers']);
	});

	test('reports a list when another reader joins its first read', async () => {
		const fake = world(2);
		const tickets = store(fake);
		const told: string[] = [];
		tickets.onDidChange(({ kind }) => void told.push(kind));
		const asked = (): number => fake.world.calls.splice(0).length;
		await Promise.all([tickets.tickets(alpha, never), tickets.reads(alpha).reread(undefined, never)]);
		assert.deepEqual([told.splice(0), asked()], [['tracker'], 1]);
		const beta = { ...alpha, name: 'beta' };
		fake.world.tickets.set(
			'~alice/beta',
			Array.from({ length: 1000 }, (_, at) => makeTicket({ id: 1000 - at })),
		);
		fake.world.pageSize = 1000;
		const gate = Promise.withResolvers<void>();
		fake.world.before = () => gate.promise;
		const look = tickets.tickets(beta, never);
		gate.resolve();
		await tickets.reads(beta).reread(undefined, never);
		await look;
		assert.deepEqual([told.splice(0), asked()], [['tracker'], 1], 'a large page');
		tickets.forget(alpha);
		told.length = 0;
		fake.world.tickets.get('~alice/alpha')?.unshift(makeTicket({ id: 3 }));
		await tickets.tickets(alpha, never);
		assert.deepEqual(told, [], 'nobody else has asked');
		const giveUp = new AbortController();
		const gamma = { ...alpha, name: 'gamma' };
		fake.world.tickets.set('~alice/gamma', [makeTicket()]);
		const given = assert.rejects(tickets.reads(gamma).reread(undefined, giveUp.signal));
		giveUp.abort();
		await Promise.all([given, tickets.reads(gamma).reread(undefined, never)]);
		assert.deepEqual(told, ['tracker'], 'another reader has given up');
	});

	test('changes its data only through apply', async () => {
		const fake = world(600);
		fake.world.events.set('~alice/alpha#1', [makeEvent({ id: 5 })]);
		const tickets = store(fake);
		const entered = new Set<string>();
		tickets.apply = ({ kind }) => void entered.add(kind);
		await Promise.all([tickets.tickets(alpha, never), tickets.reads(alpha).reread(20, never)]);
		await tickets.readAllTickets(alpha, never);
		await Promise.all([tickets.renewTicket(ref(1), never), tickets.events(ref(1), never)]);
		await Promise.all([
			tickets.tracker(alpha, never),
			tickets.ownTrackers(never),
			tickets.trackers.labels(alpha, never),
		]);
		await tickets.trackers.renewOwn(never);
		fake.world.before = () => Promise.reject(new ForgeError({ kind: 'notFound' }));
		await assert.rejects(tickets.renewTicket(ref(2), never));
		fake.world.before = () => Promise.reject(new ForgeError({ kind: 'serverError', status: 500 }));
		await assert.rejects(tickets.renewTicket(ref(2), never));
		assert.deepEqual([...entered].toSorted(), [
			'allOwnTrackersRead',
			'eventsRead',
			'labelsRead',
			'ownTrackersRead',
			'ticketRead',
			'ticketRecalled',
			'ticketRefused',
			'ticketsRead',
			'trackerRead',
		]);
		assert.deepEqual(
			[tickets.reads(alpha).known(), tickets.knownTicket(ref(1)), tickets.knownEvents(ref(1))],
			[undefined, undefined, undefined],
		);
		assert.deepEqual(
			[tickets.trackers.known(alpha), tickets.knownTrackers(), tickets.trackers.knownLabels(alpha)],
			[undefined, [], []],
		);
	});

	test('does not retry a failed update, and changes nothing', async () => {
		const fake = world(1);
		const tickets = store(fake);
		fake.world.before = (call) => {
			if (call.startsWith('update')) {
				throw new ForgeError({ kind: 'notAllowed' });
			}
		};
		await assert.rejects(tickets.update(ref(1), { move: { kind: 'resolve', resolution: 'fixed' } }, never), ForgeError);
		assert.equal(fake.world.calls.filter((call) => call.startsWith('update')).length, 1);
		assert.equal(tickets.knownTicket(ref(1)), undefined);
	});

	test('keeps events of an update during the first read', async () => {
		const fake = world(1);
		const gate = Promise.withResolvers<void>();
		const tickets = store(fake);
		fake.world.before = (call) => (call.startsWith('events') ? gate.promise : undefined);
		const reading = tickets.events(ref(1), never);
		const event = makeEvent({ id: 9, kinds: ['comment'], comment: makeComment('x') });
		tickets.apply({ kind: 'eventsAdded', ticket: ref(1), events: [event] });
		gate.resolve();
		assert.deepEqual(
			(await reading).items.map(({ id }) => id),
			[9],
		);
	});

	test('adds new events to the timeline and keeps the older pages', async () => {
		const fake = world(1);
		const events = (count: number): ReturnType<typeof makeEvent>[] =>
			Array.from({ length: count }, (_, at) => makeEvent({ id: count - at }));
		fake.world.events.set('~alice/alpha#1', events(60));
		const tickets = store(fake);
		await tickets.events(ref(1), never);
		await tickets.moreEvents(ref(1), never);
		fake.world.events.set('~alice/alpha#1', events(61));
		const { items, completeness } = await tickets.renewEvents(ref(1), never);
		assert.deepEqual([items.length, items[0]?.id, completeness.kind], [61, 61, 'complete']);
	});

	test('reads a timeline again after its ticket changed, instead of joining the earlier read', async () => {
		const fake = world(1);
		const tickets = store(fake);
		const event = makeEvent({ id: 1 });
		fake.world.events.set('~alice/alpha#1', [event]);
		await tickets.ticket(ref(1), never);
		await tickets.events(ref(1), never);
		const gates = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
		fake.world.before = (call) => (call.startsWith('events') ? gates.shift()?.promise : undefined);
		const [first, second] = gates;
		const early = [tickets.renewEvents(ref(1), never), tickets.renewEvents(ref(1), never)];
		first?.resolve();
		tickets.apply({ kind: 'ticketChanged', ticket: makeTicket({ id: 1, updatedMs: 2_000_000_000_000 }) });
		const late = tickets.renewEvents(ref(1), never);
		await Promise.all(early);
		fake.world.events.set('~alice/alpha#1', [makeEvent({ id: 2 }), event]);
		second?.resolve();
		assert.deepEqual(
			(await late).items.map(({ id }) => id),
			[2, 1],
		);
		assert.equal(fake.world.calls.filter((call) => call.startsWith('events')).length, 3);
	});

	test('leaves no gap if the new events fill several pages', async () => {
		const fake = world(1);
		const events = (count: number): ReturnType<typeof makeEvent>[] =>
			Array.from({ length: count }, (_, at) =>
				makeEvent({ id: count - at, kinds: ['comment'], comment: makeComment(`word ${count - at}`) }),
			);
		fake.world.events.set('~alice/alpha#1', events(20));
		const tickets = store(fake);
		await tickets.tickets(alpha, never);
		await tickets.events(ref(1), never);
		fake.world.events.set('~alice/alpha#1', events(140));
		const { items, completeness } = await tickets.renewEvents(ref(1), never);
		assert.deepEqual([items.length, completeness.kind], [140, 'complete']);
		assert.equal(tickets.ticketList(alpha).indexed()[0]?.commentCount, 140);
		assert.equal(fake.world.calls.filter((call) => call.startsWith('events')).length, 4);
	});

	test('keeps a tracker created while own trackers reload', async () => {
		const fake = world(0);
		const tickets = store(fake);
		await tickets.ownTrackers(never);
		const gate = Promise.withResolvers<void>();
		fake.world.before = () => gate.promise;
		const reading = tickets.trackers.renewOwn(never);
		tickets.apply({ kind: 'trackerChanged', tracker: makeTracker({ name: 'fresh' }) });
		// The response was sent earlier.
		fake.world.trackers.length = 0;
		gate.resolve();
		await reading;
		assert.deepEqual(
			tickets.knownTrackers().map(({ name }) => name),
			['fresh'],
		);
	});

	test('reports a reload of own trackers only if something changed', async () => {
		const fake = world(0);
		fake.world.trackers.length = 0;
		const tickets = store(fake);
		const told: string[] = [];
		tickets.onDidChange(({ kind }) => void told.push(kind));
		const renew = async (): Promise<number> => {
			told.length = 0;
			await tickets.trackers.renewOwn(never);
			return told.filter((kind) => kind === 'trackers').length;
		};
		assert.equal(await renew(), 1, 'that there are none');
		assert.equal(await renew(), 0);
		fake.world.trackers.push(makeTracker({ name: 'alpha' }));
		assert.equal(await renew(), 1, 'a new one');
		fake.world.trackers.splice(0, 1, makeTracker({ name: 'alpha', description: 'New words' }));
		assert.equal(await renew(), 1, 'a description');
		const defaultPermissions = { anonymous: ['browse'], submitter: ['browse'], user: ['browse', 'submit'] } as const;
		fake.world.trackers.splice(0, 1, makeTracker({ name: 'alpha', description: 'New words', defaultPermissions }));
		assert.equal(await renew(), 1, 'permissions');
		assert.equal(await renew(), 0);
		assert.deepEqual(tickets.trackers.known(alpha)?.defaultPermissions, defaultPermissions);
	});

	test('finds and unfollows a followed tracker regardless of case', async () => {
		const fake = world(0);
		fake.world.trackers.push(makeTracker({ owner: makeUser('bob'), name: 'Beta' }));
		const tickets = store(fake);
		await tickets.follow({ owner: '~bob', name: 'beta' }, never);
		assert.equal(tickets.trackers.known({ owner: '~bob', name: 'BETA' })?.name, 'Beta');
		await tickets.unfollow({ owner: '~bob', name: 'beta' });
		assert.deepEqual(tickets.trackers.followed.all(), []);
	});

	test('shows a new ticket at the top of its tracker', async () => {
		const fake = world(2);
		const tickets = store(fake);
		await tickets.tickets(alpha, never);
		await tickets.submit(alpha, { title: 'New', description: '' }, never);
		assert.deepEqual(
			tickets
				.reads(alpha)
				.known()
				?.items.map(({ id }) => id),
			[3, 2, 1],
		);
	});

	test('follows an existing tracker once, in its own spelling', async () => {
		const fake = world(0);
		fake.world.trackers.push(makeTracker({ owner: makeUser('bob'), name: 'beta' }));
		const followed = keptNames();
		const tickets = store(fake, followed);
		await tickets.follow({ owner: '~bob', name: 'BETA' }, never);
		await tickets.follow({ owner: '~bob', name: 'beta' }, never);
		await tickets.follow(alpha, never);
		await assert.rejects(tickets.follow({ owner: '~bob', name: 'gamma' }, never), ForgeError);
		assert.deepEqual(followed.all(), ['~bob/beta']);
		assert.deepEqual(tickets.trackers.followed.all(), [{ owner: '~bob', name: 'beta' }]);
		await tickets.unfollow({ owner: '~bob', name: 'beta' });
		assert.deepEqual(followed.all(), []);
	});

	test('ignores invalid stored names', () => {
		assert.deepEqual(store(world(0), keptNames('nonsense', '~bob/', '~bob/beta')).trackers.followed.all(), [
			{ owner: '~bob', name: 'beta' },
		]);
		assert.equal(trackerRefOf('~bob/beta#3'), undefined);
	});

	test('reads all pages of labels once', async () => {
		const fake = world(0);
		fake.world.labels.set(
			'~alice/alpha',
			Array.from({ length: 70 }, (_, at) => makeLabel(`l${at}`)),
		);
		const tickets = store(fake);
		assert.equal((await tickets.trackers.labels(alpha, never)).length, 70);
		await tickets.trackers.labels(alpha, never);
		assert.equal(fake.world.calls.length, 2);
	});

	test('reloads a list after it forgets it, and deleted tickets stay deleted', async () => {
		const fake = world(3);
		const tickets = store(fake);
		await tickets.tickets(alpha, never);
		fake.world.tickets.set('~alice/alpha', [makeTicket({ id: 3 }), makeTicket({ id: 1 })]);
		tickets.forget(alpha);
		assert.deepEqual(
			(await tickets.tickets(alpha, never)).items.map(({ id }) => id),
			[3, 1],
		);
		assert.equal(tickets.knownTicket(ref(2)), undefined);
	});

	test('ignores a page requested before it forgot the list', async () => {
		const fake = world(3);
		const gate = Promise.withResolvers<void>();
		fake.world.before = () => gate.promise;
		const tickets = store(fake);
		const old = tickets.tickets(alpha, never).catch(() => undefined);
		tickets.forget(alpha);
		fake.world.before = () => undefined;
		gate.resolve();
		await old;
		assert.equal((await tickets.tickets(alpha, never)).items.length, 3);
	});

	test('ignores an aborted page that still arrives', async () => {
		const fake = world(3);
		const gate = Promise.withResolvers<void>();
		fake.world.before = () => gate.promise;
		const deaf = { ...fake.api, tickets: () => fake.api.tickets(alpha, never) };
		const tickets = new TicketStore({ api: deaf, me: '~alice', followed: keptNames(), clock: fakeClock() });
		const old = tickets.tickets(alpha, never);
		tickets.forget(alpha);
		gate.resolve();
		await old;
		assert.equal(tickets.reads(alpha).known(), undefined);
	});

	test('drops a deleted tracker from the own ones', async () => {
		const fake = world(0);
		const tickets = store(fake);
		await tickets.ownTrackers(never);
		tickets.apply({ kind: 'trackerDeleted', tracker: alpha });
		assert.deepEqual((await tickets.ownTrackers(never)).items, []);
		assert.equal(tickets.trackers.known(alpha), undefined);
	});

	test('does not list a tracker again after a deletion during a read', async () => {
		for (const isListRead of [false, true]) {
			const fake = world(0);
			fake.world.labels.set('~alice/alpha', [makeLabel('bug')]);
			const tickets = store(fake);
			await (isListRead ? tickets.ownTrackers(never) : undefined);
			const gate = Promise.withResolvers<void>();
			// A pending request returns the state before the deletion.
			fake.world.before = () => gate.promise;
			const reading = Promise.all([
				isListRead ? tickets.trackers.renewOwn(never) : tickets.ownTrackers(never),
				tickets.trackers.read(alpha, never),
				tickets.trackers.labels(alpha, never),
			]);
			tickets.apply({ kind: 'trackerDeleted', tracker: alpha });
			gate.resolve();
			await reading;
			assert.deepEqual([tickets.knownTrackers(), tickets.trackers.known(alpha)], [[], undefined]);
			assert.deepEqual(tickets.trackers.knownLabels(alpha), []);
			await tickets.trackers.renewOwn(never);
			assert.deepEqual(tickets.knownTrackers(), [alpha], 'a reading that began later is believed');
		}
	});

	test('does not restore a deleted tracker from disk', async () => {
		const fake = world(0);
		const tickets = store(fake);
		await tickets.ownTrackers(never);
		const kept = tickets.trackers.remembered();
		tickets.forget();
		tickets.apply({ kind: 'trackerDeleted', tracker: alpha });
		assert.deepEqual(tickets.trackers.remembered().own?.items, []);
		tickets.apply({ kind: 'rememberedTrackers', ...kept });
		assert.deepEqual(tickets.knownTrackers(), []);
	});

	test('aborts pending reads on dispose', async () => {
		const fake = world(1);
		fake.world.before = () => Promise.withResolvers<void>().promise;
		const tickets = store(fake);
		const waiting = [tickets.ticket(ref(1), never), tickets.tickets(alpha, never)];
		tickets.dispose();
		const outcomes = await Promise.allSettled(waiting);
		assert.deepEqual(
			outcomes.map(({ status }) => status),
			['rejected', 'rejected'],
		);
	});
});
