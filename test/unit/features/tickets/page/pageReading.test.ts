import assert from 'node:assert/strict';
import { pageReading } from '../../../../../src/features/tickets/page/pageReading.ts';
import { ForgeError } from 'sourcehut/port/forgeError.ts';
import type { Connection } from '../../../../../src/store/connection.ts';
import { keptTimelines, type KeptTimelines } from '../../../../../src/store/tickets/savedTickets.ts';
import type { PageLink } from '../../../../../src/editor/pages/pageHost.ts';
import type { TicketProtocol } from '../../../../../src/pages/protocol/ticketProtocol.ts';
import { eventually } from '../../../../support/eventually.ts';
import { fake } from '../../../../support/fake.ts';
import { fakeClock } from '../../../../support/fakeClock.ts';
import { quietProblems } from '../../../../support/fakeTicketsParts.ts';
import { makeEvent } from '../../../../support/makeTicket.ts';
import { richTicket } from '../../../../support/richTicket.ts';
import { textsInMemory } from '../../../../support/textsInMemory.ts';
import type { FakeTrackerWorld } from '../../../../support/fakeForge.ts';

const name = '~alice/alpha#12';
const { ref } = richTicket().subject;
const offline = new ForgeError({ kind: 'unreachable', reason: 'offline', host: 'todo.forge.test' });
const { signal } = new AbortController();

interface Rig {
	readonly world: FakeTrackerWorld;
	readonly connection: Connection;
	readonly reads: ReturnType<typeof pageReading>;
	readonly changes: () => number;
	readonly hasGone: () => boolean;
	/** Reads all, and resolves when the timeline arrives or fails. */
	readonly all: () => Promise<void>;
}

function rig(disk?: KeptTimelines): Rig {
	const { world, connections, subject } = richTicket(disk);
	const [connection] = connections.all();
	assert.ok(connection);
	let changes = 0;
	let hasGone = false;
	let heard = Promise.withResolvers<void>();
	const isRead = (): boolean =>
		reads.timelineFailure() !== undefined || connection.tickets.knownEvents(subject.ref) !== undefined;
	const link = fake<PageLink<TicketProtocol>>({ signal, entry: undefined, tell: () => void (hasGone = true) });
	const reads = pageReading(link, subject.ref, quietProblems, async () => {
		changes += 1;
		if (isRead()) {
			heard.resolve();
		}
	});
	return {
		world,
		connection,
		reads,
		changes: () => changes,
		hasGone: () => hasGone,
		async all() {
			heard = Promise.withResolvers<void>();
			await reads.all(connection).catch(() => undefined);
			await heard.promise;
		},
	};
}

suite('reads of a ticket page', () => {
	test('a poll reads a failed timeline again and clears the failure', async () => {
		const { world, connection, reads, changes, all } = rig();
		world.before = (call) => {
			if (call.startsWith('events')) {
				throw new ForgeError({ kind: 'serverError', status: 502 });
			}
		};
		await all();
		assert.notEqual(reads.timelineFailure(), undefined);
		await assert.rejects(reads.newest(connection));
		assert.notEqual(reads.timelineFailure(), undefined, 'it fails still');
		world.before = () => undefined;
		const before = changes();
		assert.equal(await reads.newest(connection), true);
		assert.equal(reads.timelineFailure(), undefined);
		assert.ok(changes() > before, 'the page is told');
	});

	test('the first entry of an empty timeline is news', async () => {
		const { world, connection, reads, all } = rig();
		world.events.set(name, []);
		await all();
		assert.equal(await reads.newest(connection), false);
		world.events.set(name, [makeEvent({ id: 1 })]);
		assert.equal(await reads.newest(connection), true);
		assert.equal(await reads.newest(connection), false);
	});

	/** Waits for the requests in the background to fail. */
	const failed = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

	/** A window with a failing forge, after another window read the page. */
	async function readInOther(error: ForgeError): Promise<Rig> {
		const disk = textsInMemory();
		await rig(keptTimelines(disk, fakeClock())).all();
		const made = rig(keptTimelines(disk, fakeClock()));
		made.world.before = () => {
			throw error;
		};
		return made;
	}

	test('show another window’s data while the forge is away, and refresh it afterwards', async () => {
		const { world, connection, reads, changes } = await readInOther(offline);
		await reads.all(connection);
		assert.equal(connection.tickets.knownTicket(ref)?.id, 12);
		await eventually(async () => connection.tickets.knownEvents(ref)?.items.length, 15);
		await failed();
		assert.equal(reads.timelineFailure(), undefined);
		world.before = () => undefined;
		world.calls.length = 0;
		const before = changes();
		assert.equal(await reads.newest(connection), true);
		assert.deepEqual(world.calls, [`events ${name} 0`, `ticket ${name}`]);
		assert.equal(connection.tickets.ticketBefore(ref), undefined);
		assert.ok(changes() > before, 'the page is told');
		assert.equal(await reads.newest(connection), false);
	});

	test('show no data of another window when the forge refuses the ticket', async () => {
		const { connection, reads, hasGone } = await readInOther(new ForgeError({ kind: 'notFound' }));
		await reads.all(connection);
		await eventually(async () => hasGone(), true);
		await eventually(async () => reads.timelineFailure() !== undefined, true);
		assert.deepEqual(
			[connection.tickets.knownEvents(ref), connection.tickets.knownTicket(ref), connection.tickets.ticketBefore(ref)],
			[undefined, undefined, undefined],
		);
		await assert.rejects(reads.all(connection), { problem: { kind: 'notFound' } });
	});

	test('show another window’s data before the forge responds, then follow the response', async () => {
		const disk = textsInMemory();
		await rig(keptTimelines(disk, fakeClock())).all();
		const { world, connection, reads, changes } = rig(keptTimelines(disk, fakeClock()));
		const answer = Promise.withResolvers<void>();
		world.before = () => answer.promise;
		await reads.all(connection);
		assert.deepEqual(
			[connection.tickets.knownTicket(ref)?.id, connection.tickets.knownEvents(ref)?.items.length],
			[12, 15],
		);
		assert.deepEqual(connection.tickets.ticketBefore(ref), { readAtMs: fakeClock().nowMs(), error: undefined });
		assert.deepEqual(world.calls.filter((call) => call.includes(name)).toSorted(), [
			`events ${name} 0`,
			`ticket ${name}`,
		]);
		world.events.get(name)?.unshift(makeEvent({ id: 16 }));
		const before = changes();
		answer.resolve();
		await eventually(async () => connection.tickets.ticketBefore(ref), undefined);
		await eventually(async () => connection.tickets.knownEvents(ref)?.items[0]?.id, 16);
		await eventually(async () => changes() > before, true);
		assert.equal(world.calls.filter((call) => call.includes(name)).length, 2, 'each is asked for once');
	});

	test('report an error other than a refusal for a ticket of another window', async () => {
		const error = new ForgeError({ kind: 'missingScope', scope: 'tickets:read', asWritten: 'tickets:read' });
		const { connection, reads } = await readInOther(error);
		await reads.all(connection);
		await eventually(async () => connection.tickets.ticketBefore(ref)?.error, error);
		assert.equal(connection.tickets.knownEvents(ref), undefined);
		assert.notEqual(reads.timelineFailure(), undefined);
	});

	for (const [when, readAgain] of [
		['the user tries again', ({ reads, connection }: Rig) => reads.all(connection)],
		['a poll reads it', ({ reads, connection }: Rig) => assert.rejects(reads.newest(connection))],
	] as const) {
		test(`drop another window’s data when the forge refuses it and ${when}`, async () => {
			const made = await readInOther(offline);
			const { world, connection, reads, hasGone } = made;
			await reads.all(connection);
			await eventually(async () => connection.tickets.knownEvents(ref)?.items.length, 15);
			await failed();
			world.before = () => Promise.reject(new ForgeError({ kind: 'notAllowed' }));
			await readAgain(made);
			await eventually(async () => hasGone(), true);
			await eventually(async () => connection.tickets.knownEvents(ref), undefined);
			assert.equal(connection.tickets.knownTicket(ref), undefined);
			world.calls.length = 0;
			await assert.rejects(reads.all(connection), { problem: { kind: 'notAllowed' } });
			assert.equal(world.calls.length, 0);
			await assert.rejects(reads.all(connection), { problem: { kind: 'notAllowed' } });
			assert.ok(world.calls.includes(`ticket ${name}`), 'trying again asks');
		});
	}

	test('a poll reads a failed ticket again', async () => {
		const { world, connection, reads, all } = rig();
		world.events.set(name, []);
		world.before = () => {
			throw new ForgeError({ kind: 'serverError', status: 502 });
		};
		await all();
		world.before = () => undefined;
		assert.equal(await reads.newest(connection), true);
		assert.equal(await reads.newest(connection), false);
	});
});
