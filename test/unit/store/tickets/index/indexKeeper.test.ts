import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { indexFolders } from '../../../../../src/machine/storage/indexFiles.ts';
import { ForgeError } from 'sourcehut/port/forgeError.ts';
import type { Ticket } from 'sourcehut/port/ticket.ts';
import { indexKeeper, type IndexKeeper } from '../../../../../src/store/tickets/index/indexKeeper.ts';
import { TicketStore } from '../../../../../src/store/tickets/ticketStore.ts';
import { fakeClock } from '../../../../support/fakeClock.ts';
import { keptNames } from '../../../../support/fakeConnection.ts';
import { fakeTrackers, type FakeTrackers } from '../../../../support/fakeForge.ts';
import {
	makeComment,
	makeEvent,
	makeLabel,
	makeTicket,
	makeTracker,
	makeUser,
} from '../../../../support/makeTicket.ts';
import { quietLog } from '../../../../support/quietLog.ts';

const alpha = { owner: '~alice', name: 'alpha' };
const never = new AbortController().signal;
const key = 'sample-alice';

interface Window {
	readonly store: TicketStore;
	readonly keeper: IndexKeeper;
	readonly warnings: string[];
}

suite('ticket index on disk', () => {
	let folder = '';
	let folders: ReturnType<typeof indexFolders>;
	setup(() => {
		folder = mkdtempSync(join(tmpdir(), 'forge-desk-index-'));
		folders = indexFolders(folder);
	});
	teardown(() => rmSync(folder, { recursive: true, force: true }));

	function window(fake: FakeTrackers, home = 'https://todo.forge.test', followed = keptNames()): Window {
		const clock = fakeClock();
		const warnings: string[] = [];
		const log = quietLog({ warn: (message) => void warnings.push(message) });
		const keeper = indexKeeper(folders.of(key, home), clock, log, () => performance.now());
		const store = new TicketStore({
			api: fake.api,
			me: '~alice',
			followed,
			clock,
			remembered: (tracker) => keeper.remembered(tracker),
		});
		keeper.attach(store);
		return { store, keeper, warnings };
	}

	function world(count: number): FakeTrackers {
		const fake = fakeTrackers();
		fake.world.trackers.push(makeTracker());
		fake.world.labels.set('~alice/alpha', [makeLabel('bug')]);
		fake.world.tickets.set(
			'~alice/alpha',
			Array.from({ length: count }, (_, at) => variedTicket(count - at)),
		);
		return fake;
	}

	function unreachable(fake: FakeTrackers): void {
		fake.world.before = () => {
			throw new ForgeError({ kind: 'unreachable', reason: 'offline', host: 'todo.forge.test' });
		};
	}

	/** A window that read everything and closed. */
	async function filled(count: number): Promise<FakeTrackers> {
		const fake = world(count);
		const { store, keeper } = window(fake);
		await store.ownTrackers(never);
		await store.trackers.labels(alpha, never);
		await store.readAllTickets(alpha, never);
		await keeper.flush();
		return fake;
	}

	function files(): readonly string[] {
		return readdirSync(folder, { recursive: true, withFileTypes: true })
			.filter((entry) => entry.isFile())
			.map((entry) => join(entry.parentPath, entry.name))
			.toSorted();
	}

	test('restores trackers, labels, tickets, age and completeness offline', async () => {
		const fake = await filled(600);
		unreachable(fake);
		const { store } = window(fake);
		const own = await store.ownTrackers(never);
		const { items, completeness } = await store.tickets(alpha, never);
		assert.deepEqual(
			own.items.map(({ name }) => name),
			['alpha'],
		);
		assert.deepEqual(store.trackers.knownLabels(alpha), [makeLabel('bug')]);
		assert.equal(completeness.kind, 'complete');
		assert.deepEqual(items.map(plain), (fake.world.tickets.get('~alice/alpha') ?? []).map(plain));
		assert.equal(store.ticketList(alpha).checkedAtMs(300), fakeClock().nowMs());
		assert.equal((await store.ticket({ tracker: alpha, id: 42 }, never)).id, 42);
	});

	test('restores comments for the search, with a count only if complete', async () => {
		const fake = world(2);
		fake.world.events.set('~alice/alpha#1', [
			makeEvent({ id: 8, kinds: ['comment'], comment: makeComment('Newer words') }),
			makeEvent({ id: 7, kinds: ['comment'], comment: makeComment('Older words') }),
		]);
		fake.world.events.set(
			'~alice/alpha#2',
			Array.from({ length: 60 }, (_, at) =>
				makeEvent({ id: 99 - at, kinds: ['comment'], comment: makeComment(`word ${at}`) }),
			),
		);
		const first = window(fake);
		await first.store.ownTrackers(never);
		await first.store.readAllTickets(alpha, never);
		await first.store.events({ tracker: alpha, id: 1 }, never);
		await first.store.events({ tracker: alpha, id: 2 }, never);
		await first.keeper.flush();
		const { store } = window(fake);
		await store.tickets(alpha, never);
		const [two, one] = store.ticketList(alpha).indexed();
		assert.deepEqual([one?.comments, one?.commentCount], [['Newer words', 'Older words'], 2]);
		assert.deepEqual([two?.comments.length, two?.commentCount], [50, undefined]);
	});

	test('shows stored tickets first and then follows the forge', async () => {
		const fake = await filled(3);
		fake.world.tickets.set('~alice/alpha', [
			variedTicket(4),
			{ ...variedTicket(3), title: 'New words' },
			variedTicket(1),
		]);
		const { store } = window(fake);
		await store.tickets(alpha, never);
		assert.ok(!fake.world.calls.slice(-1)[0]?.startsWith('tickets') || fake.world.calls.length <= 4);
		await store.reads(alpha).reread(undefined, never);
		assert.deepEqual(
			store
				.reads(alpha)
				.known()
				?.items.map(({ id, title }) => [id, title]),
			[
				[4, variedTicket(4).title],
				[3, 'New words'],
				[1, variedTicket(1).title],
			],
		);
	});

	test('drops a damaged file, logs it, and keeps the rest', async () => {
		const fake = await filled(600);
		const damaged = files().find((file) => file.endsWith('-1.lines')) ?? '';
		const text = readFileSync(damaged, 'utf8');
		const time = /"(?:created|updated)Ms":\d+/g;
		for (const bad of [
			text.slice(0, text.length / 2),
			'',
			'{"version":99}',
			text.replaceAll('"title"', '"name"'),
			// A time that JSON reads as infinite, and an invalid date.
			text.replaceAll(time, '"createdMs":1e999'),
			text.replaceAll(time, '"updatedMs":-1e999'),
			text.replaceAll(time, '"updatedMs":8640000000000001'),
			text.replace(/^\[\d+,/m, '[1e999,'),
			text.replace(/^(\[\d+,\{"id":)\d+/m, '$10'),
			text.replace(/^(\[\d+,\{"id":)\d+/m, '$1-1'),
			// A word that the decoder never produces.
			text.replace(/"status":"[^"]+"/, '"status":"unheard"'),
			text.replace(/"resolution":"[^"]+"/, '"resolution":"other:fixed"'),
		]) {
			assert.notEqual(bad, text);
			writeFileSync(damaged, bad);
			const { store, warnings } = window(fake);
			const { items, completeness } = await store.tickets(alpha, never);
			assert.deepEqual(
				items.filter(({ id }) => id >= 512 || id < 256).map(({ id }) => id),
				Array.from({ length: 600 }, (_, at) => 600 - at).filter((id) => id >= 512 || id < 256),
			);
			assert.equal(completeness.kind, 'more');
			assert.ok(warnings.length === 1 && warnings[0]?.includes('-1.lines'), warnings.join());
			assert.ok(!warnings.join().includes('unheard'), 'the log repeats nothing of the file');
			assert.ok(!files().includes(damaged));
		}
	});

	test('rereads the tickets lost to damage', async () => {
		const fake = await filled(600);
		const damaged = files().find((file) => file.endsWith('-1.lines')) ?? '';
		writeFileSync(damaged, 'nonsense');
		const { store } = window(fake);
		await store.tickets(alpha, never);
		for (let gap = store.ticketList(alpha).gap(); gap !== undefined; gap = store.ticketList(alpha).gap()) {
			await store.reads(alpha).reread(gap, never);
		}
		assert.equal(store.reads(alpha).known()?.items.length, 600);
		assert.equal(store.reads(alpha).known()?.completeness.kind, 'complete');
	});

	test('stays intact when two windows write concurrently, and the last write wins', async () => {
		const fake = await filled(300);
		const windows = [window(fake), window(fake)];
		for (const { store } of windows) {
			await store.ownTrackers(never);
			await store.tickets(alpha, never);
		}
		for (let round = 0; round < 20; round += 1) {
			windows.forEach(({ store }, at) =>
				store.apply({ kind: 'ticketChanged', ticket: { ...variedTicket(7), title: `${at} wrote ${round}` } }),
			);
			await Promise.all(windows.map(({ keeper }) => keeper.flush()));
		}
		const { store, warnings } = window(fake);
		const { items, completeness } = await store.tickets(alpha, never);
		assert.deepEqual([items.length, completeness.kind, warnings], [300, 'complete', []]);
		assert.match(items.find(({ id }) => id === 7)?.title ?? '', /^[01] wrote 19$/);
		assert.ok(files().every((file) => !file.endsWith('.new')));
	});

	test('restricts its files to the user, and stores no token', async () => {
		await filled(300);
		assert.ok(files().length >= 3);
		for (const file of files()) {
			assert.equal(statSync(file).mode & 0o777, 0o600);
			assert.doesNotMatch(readFileSync(file, 'utf8'), /bearer|token|authorization/i);
		}
		assert.equal(statSync(join(files()[0] ?? '', '..')).mode & 0o777, 0o700);
	});

	test('disappears at sign-out, including files being written', async () => {
		const fake = await filled(300);
		const { store, keeper } = window(fake);
		await store.tickets(alpha, never);
		store.apply({ kind: 'ticketChanged', ticket: { ...variedTicket(7), title: 'Late' } });
		const writing = keeper.flush();
		await folders.forget(key);
		keeper.dispose();
		await writing;
		await keeper.flush();
		assert.deepEqual(files(), []);
	});

	test('is not written again by another window after sign-out, and leftovers disappear at the next start', async () => {
		const fake = await filled(600);
		const other = window(fake);
		await other.store.tickets(alpha, never);
		for (let id = 1; id < 600; id += 50) {
			other.store.apply({ kind: 'ticketChanged', ticket: { ...variedTicket(id), title: 'Late' } });
		}
		const writing = other.keeper.flush();
		other.keeper.dispose();
		await writing;
		await indexFolders(folder).keepOnly(['another-account']);
		assert.deepEqual(files(), []);
	});

	test('retries a failed write with the next change', async () => {
		const fake = await filled(3);
		const { store, keeper, warnings } = window(fake);
		await store.tickets(alpha, never);
		rmSync(folder, { recursive: true });
		writeFileSync(folder, 'in the way');
		store.apply({ kind: 'ticketChanged', ticket: { ...variedTicket(2), title: 'Kept at last' } });
		await keeper.flush();
		assert.equal(warnings.length, 1);
		rmSync(folder);
		await keeper.flush();
		const again = window(fake);
		await again.keeper.loaded;
		assert.equal((await again.store.tickets(alpha, never)).items.find(({ id }) => id === 2)?.title, 'Kept at last');
	});

	test('stays within its size limit', async () => {
		folders = indexFolders(folder, 60_000);
		await filled(600);
		const bytes = files().reduce((sum, file) => sum + statSync(file).size, 0);
		assert.ok(bytes > 10_000 && bytes <= 60_000, `${bytes} bytes`);
	});

	test('drops an unfollowed tracker', async () => {
		const fake = await filled(300);
		const later = window(fake);
		await later.store.ownTrackers(never);
		later.store.apply({ kind: 'trackerDeleted', tracker: alpha });
		await later.keeper.flush();
		const { store, keeper } = window(fake);
		await store.ownTrackers(never);
		await keeper.loaded;
		assert.deepEqual(
			files().filter((file) => file.endsWith('.lines')),
			[],
		);
	});

	test('drops files and tickets of an unfollowed tracker in the same window', async () => {
		const fake = world(0);
		fake.world.trackers.push(makeTracker({ owner: makeUser('bob'), name: 'Beta' }));
		fake.world.tickets.set(
			'~bob/Beta',
			[variedTicket(2), variedTicket(1)].map((ticket) => inTracker(ticket)),
		);
		const beta = { owner: '~bob', name: 'Beta' };
		const { store, keeper } = window(fake, undefined, keptNames('~bob/Beta'));
		await store.ownTrackers(never);
		await store.readAllTickets(beta, never);
		await keeper.flush();
		const before = files().length;
		await store.unfollow({ owner: '~bob', name: 'beta' });
		assert.deepEqual([store.ticketList(beta).indexed(), store.trackers.followed.all()], [[], []]);
		await keeper.flush();
		assert.deepEqual([before, files().length], [2, 1]);
		await store.follow(beta, never);
		await store.tickets(beta, never);
		assert.equal(store.ticketList(beta).indexed().length, 2);
	});

	test('keeps its files when the list of own trackers is incomplete', async () => {
		const fake = await filled(300);
		const before = files();
		fake.world.pageSize = 1;
		fake.world.trackers.unshift(makeTracker({ name: 'aaa' }));
		rmSync(before.find((file) => file.endsWith('.json')) ?? '');
		const { store, keeper } = window(fake);
		await store.ownTrackers(never);
		await keeper.flush();
		assert.deepEqual(files(), before);
	});

	test('does not restore a ticket that is missing from a current page', async () => {
		const fake = await filled(600);
		fake.world.tickets.set(
			'~alice/alpha',
			(fake.world.tickets.get('~alice/alpha') ?? []).filter(({ id }) => id !== 597),
		);
		const { store, keeper } = window(fake);
		// Background reads do not wait for the disk.
		await store.reads(alpha).reread(undefined, never);
		await keeper.loaded;
		assert.deepEqual([store.ticketList(alpha).indexed().length, store.ticketList(alpha).item(597)], [599, undefined]);
	});

	test('restores comments even if a page with their ticket loads first', async () => {
		const fake = world(2);
		fake.world.events.set('~alice/alpha#1', [
			makeEvent({ id: 8, kinds: ['comment'], comment: makeComment('Kept words') }),
		]);
		const first = window(fake);
		await first.store.ownTrackers(never);
		await first.store.readAllTickets(alpha, never);
		await first.store.events({ tracker: alpha, id: 1 }, never);
		await first.keeper.flush();
		const second = window(fake);
		await second.store.reads(alpha).reread(undefined, never);
		await second.keeper.loaded;
		assert.deepEqual(second.store.ticketList(alpha).indexed()[1]?.comments, ['Kept words']);
	});

	test('ignores and drops the data of another forge with the same name', async () => {
		await filled(300);
		const fake = fakeTrackers();
		fake.world.trackers.push(makeTracker());
		const { store, keeper } = window(fake, 'https://todo.other.test');
		await keeper.loaded;
		assert.deepEqual([store.knownTrackers(), store.ticketList(alpha).indexed()], [[], []]);
		await store.ownTrackers(never);
		await keeper.flush();
		assert.equal(files().length, 1);
	});

	test('drops a file whose content names another tracker', async () => {
		const fake = await filled(3);
		const file = files().find((each) => each.endsWith('.lines')) ?? '';
		writeFileSync(file, readFileSync(file, 'utf8').replace('"name":"alpha"', '"name":"beta"'));
		const { store, keeper, warnings } = window(fake);
		await keeper.loaded;
		assert.equal(warnings.length, 1);
		assert.deepEqual(store.ticketList({ ...alpha, name: 'beta' }).indexed(), []);
	});

	test('rewrites all pending files after one failed', async () => {
		const fake = await filled(600);
		const { store, keeper, warnings } = window(fake);
		await store.tickets(alpha, never);
		const before = files();
		for (const id of [100, 300, 550]) {
			store.apply({ kind: 'ticketChanged', ticket: { ...variedTicket(id), title: 'Kept at last' } });
		}
		const first = before.find((file) => file.endsWith('-0.lines')) ?? '';
		rmSync(first);
		mkdirSync(first);
		writeFileSync(join(first, 'in the way'), '');
		await keeper.flush();
		assert.equal(warnings.length, 1);
		assert.ok(readdirSync(join(first, '..')).every((name) => !name.endsWith('.new')));
		rmSync(first, { recursive: true });
		await keeper.flush();
		const again = window(fake);
		await again.keeper.loaded;
		const kept = again.store.ticketList(alpha).indexed();
		assert.equal(kept.filter(({ ticket }) => ticket.title === 'Kept at last').length, 3);
	});

	test('writes nothing without changes', async () => {
		const fake = await filled(300);
		const before = files().map((file) => statSync(file).mtimeMs);
		const { store, keeper } = window(fake);
		await store.tickets(alpha, never);
		await keeper.flush();
		assert.deepEqual(
			files().map((file) => statSync(file).mtimeMs),
			before,
		);
	});
});

/** JSON omits undefined values. */
function plain(ticket: Ticket): unknown {
	return JSON.parse(JSON.stringify(ticket));
}

function inTracker(ticket: Ticket): Ticket {
	return { ...ticket, tracker: makeTracker({ owner: makeUser('bob'), name: 'Beta' }) };
}

/** Tickets with every value of the domain. */
function variedTicket(id: number): Ticket {
	return makeTicket({
		id,
		title: `Ticket ${id} \u2028 with "quotes"\nand lines`,
		status: id % 3 === 0 ? 'resolved' : 'other:waiting',
		submitter:
			id % 4 === 0
				? { kind: 'email', address: 'a@example.org', name: undefined }
				: id % 4 === 1
					? { kind: 'external', externalId: 'host:user', externalUrl: undefined }
					: { kind: 'user', canonicalName: '~bob', name: 'bob' },
		permissions:
			id % 2 === 0 ? { mine: ['browse', 'triage'], anonymous: undefined, submitter: ['browse'], user: [] } : undefined,
		labels: id % 5 === 0 ? ['bug', 'ui'] : [],
		assignees: id % 6 === 0 ? [{ canonicalName: '~carol', name: 'carol' }] : [],
		...(id % 7 === 0 ? { extra: [{ name: 'later', json: '{"a":1}' }] } : {}),
	});
}
