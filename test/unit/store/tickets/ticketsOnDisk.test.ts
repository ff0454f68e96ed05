import assert from 'node:assert/strict';
import { ForgeError } from 'sourcehut/port/forgeError.ts';
import type { ShortTicket, TicketEvent } from 'sourcehut/port/ticket.ts';
import { keptTimelines } from '../../../../src/store/tickets/savedTickets.ts';
import type { TicketStoreChange } from '../../../../src/store/tickets/ticketChange.ts';
import { TicketStore } from '../../../../src/store/tickets/ticketStore.ts';
import type { TicketAccess } from '../../../../src/store/tickets/trackers.ts';
import { fakeClock } from '../../../support/fakeClock.ts';
import { keptNames } from '../../../support/fakeConnection.ts';
import type { FakeTrackerWorld } from '../../../support/fakeForge.ts';
import { makeComment, makeEvent, makeTicket } from '../../../support/makeTicket.ts';
import { richTicket } from '../../../support/richTicket.ts';
import { textsInMemory, type TextsInMemory } from '../../../support/textsInMemory.ts';

const never = new AbortController().signal;
const name = '~alice/alpha#12';
const dayMs = 86_400_000;
const { ref } = richTicket().subject;
const offline = (): ForgeError => new ForgeError({ kind: 'unreachable', reason: 'offline', host: 'todo.forge.test' });

interface Window {
	readonly world: FakeTrackerWorld;
	readonly store: TicketStore;
}

/** A window with a ticket that has every kind of event. */
function openWindow(disk: TextsInMemory, clock = fakeClock(), parts: Partial<TicketAccess> = {}): Window {
	const { world, connections } = richTicket();
	const [connection] = connections.all();
	assert.ok(connection);
	const api = connection.forge.trackers;
	// The format of real servers.
	world.events.set(name, (world.events.get(name) ?? []).map(withShortTrackers));
	const kept = keptTimelines(disk, clock);
	return { world, store: new TicketStore({ api, me: '~alice', followed: keptNames(), clock, disk: kept, ...parts }) };
}

function withShortTrackers(event: TicketEvent): TicketEvent {
	return { ...event, ticket: withShortTracker(event.ticket), fromTicket: withShortTracker(event.fromTicket) };
}

function withShortTracker(ticket: ShortTicket | undefined): ShortTicket | undefined {
	if (!ticket) {
		return undefined;
	}
	const { owner, name: own, createdMs, updatedMs } = ticket.tracker;
	return { ...ticket, tracker: { owner, name: own, createdMs, updatedMs } };
}

async function read({ store }: Window): Promise<void> {
	await store.renewTicket(ref, never);
	await store.events(ref, never);
}

/** An offline window, a day after another one that read the ticket. */
async function readInOther(disk: TextsInMemory, error: ForgeError = offline()): Promise<Window> {
	await read(openWindow(disk));
	assert.deepEqual([...disk.texts.keys()], ['ticket ~alice/alpha 12', 'timeline ~alice/alpha 12']);
	const away = openWindow(disk, fakeClock(fakeClock().nowMs() + dayMs));
	away.world.before = () => Promise.reject(error);
	return away;
}

/** JSON omits undefined values. */
function plain(value: unknown): unknown {
	return JSON.parse(JSON.stringify(value));
}

suite('stored tickets and timelines', () => {
	test('reload in each window while the forge is online', async () => {
		const disk = textsInMemory();
		await read(openWindow(disk));
		const again = openWindow(disk);
		again.world.tickets.set('~alice/alpha', [makeTicket({ title: 'Another title' })]);
		again.world.events.set(name, [makeEvent({ id: 20 })]);
		await read(again);
		assert.equal(again.store.knownTicket(ref)?.title, 'Another title');
		assert.deepEqual(
			again.store.knownEvents(ref)?.items.map(({ id }) => id),
			[20],
		);
		assert.equal(again.store.ticketBefore(ref), undefined);
		assert.deepEqual(again.world.calls, [`ticket ${name}`, `events ${name} 0`]);
	});

	test('appear while the forge is offline, with the time of their last read', async () => {
		for (const error of [offline(), new ForgeError({ kind: 'serverError', status: 503 })]) {
			const away = await readInOther(textsInMemory(), error);
			const heard: TicketStoreChange[] = [];
			away.store.onDidChange((change) => heard.push(change));
			let isAnswered = false;
			away.store.onDidAnswer(() => (isAnswered = true));
			await assert.rejects(away.store.renewTicket(ref, never), { problem: error.problem });
			// The background loop takes an event as a sign that the forge is back.
			assert.equal(isAnswered, false);
			assert.deepEqual(heard, [{ kind: 'ticket', ticket: ref }]);
			const { items, completeness } = await away.store.events(ref, never);
			assert.deepEqual(plain(away.store.knownTicket(ref)), plain(away.world.tickets.get('~alice/alpha')?.[0]));
			assert.deepEqual(items, away.world.events.get(name));
			assert.deepEqual(completeness, { kind: 'complete' });
			assert.deepEqual(away.store.ticketBefore(ref), { readAtMs: fakeClock().nowMs(), error });
			assert.deepEqual(away.world.calls, [`ticket ${name}`, `events ${name} 0`]);
		}
	});

	test('provide the ticket of another window to any reader', async () => {
		const { store } = await readInOther(textsInMemory());
		assert.equal((await store.ticket(ref, never)).id, 12);
	});

	test('keep the ticket and age of the index', async () => {
		const disk = textsInMemory();
		await read(openWindow(disk));
		const made = openWindow(disk, fakeClock(fakeClock().nowMs() + dayMs), {
			async remembered() {
				await Promise.resolve();
				const ticket = makeTicket({ title: 'As the index knows it' });
				const tickets = [{ ticket, checkedAtMs: fakeClock().nowMs() - dayMs, comments: undefined }];
				made.store.apply({ kind: 'rememberedTickets', tracker: ref.tracker, tickets, covered: [], isUnstated: false });
			},
		});
		made.world.before = () => Promise.reject(offline());
		await assert.rejects(made.store.renewTicket(ref, never));
		assert.equal(made.store.knownTicket(ref)?.title, 'As the index knows it');
		assert.equal(made.store.ticketBefore(ref)?.readAtMs, fakeClock().nowMs() - dayMs);
		made.world.before = () => undefined;
		await made.store.renewTicket(ref, never);
		assert.equal(made.store.ticketBefore(ref), undefined);
	});

	test('reload with one request each when the forge is back', async () => {
		const disk = textsInMemory();
		const { world, store } = await readInOther(disk);
		await assert.rejects(store.renewTicket(ref, never));
		await store.events(ref, never);
		await assert.rejects(store.renewEvents(ref, never), { problem: offline().problem });
		assert.equal(store.knownEvents(ref)?.items.length, 15);
		world.calls.length = 0;
		world.before = () => undefined;
		world.pageSize = 2;
		const comment = makeComment('What came meanwhile');
		world.events.get(name)?.unshift(makeEvent({ id: 16, kinds: ['comment'], comment }));
		const { items } = await store.renewEvents(ref, never);
		assert.deepEqual(
			items.map(({ id }) => id),
			[16, 15],
		);
		await store.renewTicket(ref, never);
		assert.equal(store.ticketBefore(ref), undefined);
		assert.deepEqual(world.calls, [`events ${name} 0`, `ticket ${name}`]);
		assert.match(disk.texts.get('timeline ~alice/alpha 12') ?? '', /What came meanwhile/);
	});

	test('disappear from view and disk when the forge denies access', async () => {
		for (const kind of ['notFound', 'notAllowed'] as const) {
			const disk = textsInMemory();
			const { store } = await readInOther(disk, new ForgeError({ kind }));
			await assert.rejects(store.renewTicket(ref, never), { problem: { kind } });
			await assert.rejects(store.events(ref, never), { problem: { kind } });
			assert.deepEqual([store.knownTicket(ref), store.knownEvents(ref)], [undefined, undefined]);
			assert.deepEqual([...disk.texts.keys()], []);
		}
	});

	test('exclude a ticket deleted during a read', async () => {
		const disk = textsInMemory();
		const window = openWindow(disk);
		await read(window);
		const gate = Promise.withResolvers<void>();
		window.world.before = () => gate.promise;
		const reading = Promise.all([window.store.renewTicket(ref, never), window.store.tickets(ref.tracker, never)]);
		await new Promise((resolve) => setImmediate(resolve));
		window.store.apply({ kind: 'ticketDeleted', ticket: ref });
		gate.resolve();
		const [ticket, { items }] = await reading;
		assert.deepEqual([ticket.id, items, window.store.knownTicket(ref)], [12, [], undefined]);
		assert.deepEqual([...disk.texts.keys()], []);
	});

	test('include an own comment immediately', async () => {
		const disk = textsInMemory();
		const one = openWindow(disk);
		await read(one);
		await one.store.update(ref, { comment: 'Said before the reload' }, never);
		const away = openWindow(disk);
		away.world.before = () => Promise.reject(offline());
		const { items } = await away.store.events(ref, never);
		assert.equal(items[0]?.comment?.text, 'Said before the reload');
	});

	test('limit a timeline with long texts to the size that serializes within a frame', async () => {
		const disk = textsInMemory();
		const one = openWindow(disk);
		one.world.pageSize = 1000;
		one.world.events.set(
			name,
			Array.from({ length: 200 }, (_, at) =>
				makeEvent({ id: 200 - at, kinds: ['comment'], comment: makeComment('x'.repeat(16_000)) }),
			),
		);
		await read(one);
		const away = openWindow(disk);
		away.world.before = () => Promise.reject(offline());
		const { items, completeness } = await away.store.events(ref, never);
		assert.ok(items.length > 20 && items.length < 40, String(items.length));
		assert.deepEqual([items[0]?.id, completeness], [200, { kind: 'more', total: 200 }]);
	});

	const wrongs: Readonly<Record<string, (text: string) => string>> = {
		'cut short': (text) => text.slice(0, -20),
		'of another version': (text) => text.replace('"version":1', '"version":9'),
		'of another tracker': (text) => text.replace('~alice/alpha 12', '~alice/beta 12'),
		'without its time': (text) => text.replace('"readAtMs"', '"readAt"'),
		'with an invalid time': (text) => text.replace(/"createdMs":\d+/, '"createdMs":1e999'),
		'with a fractional number': (text) => text.replace(/"id":12\b|"id":15\b/, '"id":12.5'),
		'with a known word marked as unknown': (text) =>
			text.replace(/"status":"reported"|"newStatus":"resolved"/, (found) => found.replace(/"(\w+)"$/, '"other:$1"')),
		'with an invalid person': (text) => text.replace('"canonicalName":"~bob"', '"canonicalName":7'),
	};
	for (const [what, change] of Object.entries(wrongs)) {
		test(`in a file ${what} are ignored and deleted`, async () => {
			const disk = textsInMemory();
			const { store } = await readInOther(disk);
			for (const [file, text] of disk.texts) {
				assert.notEqual(change(text), text, file);
				disk.texts.set(file, change(text));
			}
			await assert.rejects(store.renewTicket(ref, never));
			await assert.rejects(store.events(ref, never));
			assert.deepEqual([store.knownTicket(ref), store.knownEvents(ref)], [undefined, undefined]);
			assert.deepEqual([...disk.texts.keys()], []);
		});
	}

	test('restore every kind of event unchanged', async () => {
		const disk = textsInMemory();
		const odd: TicketEvent = {
			...makeEvent({ id: 30, kinds: ['other:dance'] }),
			extra: [{ name: 'colour', json: '"red"' }],
		};
		const one = openWindow(disk);
		one.world.events.get(name)?.unshift(odd);
		await read(one);
		const away = openWindow(disk);
		away.world.before = () => Promise.reject(offline());
		assert.deepEqual((await away.store.events(ref, never)).items, one.store.knownEvents(ref)?.items);
	});
});
