import assert from 'node:assert/strict';
import { pageReading, type PageReading } from '../../../../../src/features/tickets/page/pageReading.ts';
import { ForgeError } from '../../../../../src/forge/forgeError.ts';
import type { Connection } from '../../../../../src/state/connection.ts';
import { quietProblems } from '../../../../support/fakeTicketsParts.ts';
import { makeEvent } from '../../../../support/makeTicket.ts';
import { richTicket } from '../../../../support/richTicket.ts';
import type { FakeTrackerWorld } from '../../../../support/fakeForge.ts';

const name = '~alice/alpha#12';
const { signal } = new AbortController();

interface Rig {
	readonly world: FakeTrackerWorld;
	readonly connection: Connection;
	readonly reads: PageReading;
	readonly changes: () => number;
	/** Reads all, and resolves when the timeline came or failed. */
	readonly all: () => Promise<void>;
}

function rig(): Rig {
	const { world, connections, subject } = richTicket();
	const [connection] = connections.all();
	assert.ok(connection);
	let changes = 0;
	let heard = Promise.withResolvers<void>();
	const isRead = (): boolean =>
		reads.timelineFailure() !== undefined || connection.tickets.knownEvents(subject.ref) !== undefined;
	const reads = pageReading({
		ref: subject.ref,
		problems: quietProblems,
		async changed() {
			changes += 1;
			if (isRead()) {
				heard.resolve();
			}
		},
		signal,
	});
	return {
		world,
		connection,
		reads,
		changes: () => changes,
		async all() {
			heard = Promise.withResolvers<void>();
			await reads.all(connection).catch(() => undefined);
			await heard.promise;
		},
	};
}

suite('reading for a ticket page', () => {
	test('a timeline that could not be read is read with the news, and then nothing has failed', async () => {
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

	test('a ticket that could not be read is read with the news', async () => {
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
