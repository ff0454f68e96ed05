import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { ticketRefText, type Ticket } from 'sourcehut/port/ticket.ts';
import { bulkTickets, type BulkTickets } from '../../support/bulkTickets.ts';
import type { FakeTrackers } from '../../../../support/fakeForge.ts';
import { alpha, indexWindow, indexWorld } from '../../support/indexWindow.ts';
import { counts, seed } from '../../../../support/counts.ts';
import { makeComment, makeEvent, makeTicket } from '../../../../support/makeTicket.ts';

const never = new AbortController().signal;
const secondMs = 1000;
const minuteMs = 60 * secondMs;
const hourMs = 60 * minuteMs;

function change({ world }: FakeTrackers, id: number, other: Partial<Ticket>): void {
	const tickets = world.tickets.get('~alice/alpha') ?? [];
	world.tickets.set(
		'~alice/alpha',
		tickets.map((each) => (each.id === id ? { ...each, updatedMs: each.updatedMs + secondMs, ...other } : each)),
	);
}

function remove({ world }: FakeTrackers, id: number): void {
	world.tickets.set(
		'~alice/alpha',
		(world.tickets.get('~alice/alpha') ?? []).filter((each) => each.id !== id),
	);
}

function comment({ world }: FakeTrackers, id: number, ...texts: readonly string[]): void {
	const key = ticketRefText({ tracker: alpha, id });
	const before = world.events.get(key) ?? [];
	const added = texts.map((text, at) => makeEvent({ id: before.length + at + 1, comment: makeComment(text) }));
	world.events.set(key, [...added.toReversed(), ...before]);
}

/** A window that read the whole tracker. */
async function filled(fake: FakeTrackers, forge: BulkTickets = bulkTickets(fake)) {
	const window = indexWindow(forge);
	await window.pass(30 * secondMs);
	assert.equal(window.index.state(alpha).kind, 'whole');
	forge.asked.length = 0;
	forge.followed.length = 0;
	const known = (id: number) => window.index.tickets(alpha).find(({ ticket }) => ticket.id === id);
	const allOf = (): readonly number[] => window.numbers();
	return { ...window, forge, known, recheck: () => window.store.reads(alpha).recheck(allOf().slice(0, 98), never) };
}

suite('ticket index in bulk', function () {
	this.timeout(20_000);

	test('fills a tracker including texts, with one request per page', async () => {
		const fake = indexWorld(180);
		comment(fake, 3, 'a word to be found');
		comment(fake, 100, 'first', 'second', 'third');
		const forge = bulkTickets(fake);
		const window = indexWindow(forge);
		await window.pass(30 * secondMs);
		assert.equal(window.index.state(alpha).kind, 'whole');
		assert.deepEqual(forge.asked, ['changed on 1', ...Array.from({ length: 8 }, () => 'pages')]);
		// Own trackers, the tracker times and eight pages.
		assert.equal(window.asked(), 10);
		const texts = (id: number) => {
			const found = window.index.tickets(alpha).find(({ ticket }) => ticket.id === id);
			return [found?.comments, found?.commentCount];
		};
		assert.deepEqual(texts(3), [['a word to be found'], 1]);
		// The timeline is incomplete, so its count is unknown.
		assert.deepEqual(texts(100), [['third', 'second'], undefined]);
		await window.close();
	});

	test('polls without texts, and checks known tickets in bulk', async () => {
		const window = await filled(indexWorld(180));
		const atMs = window.clock.nowMs();
		await window.pass(16 * minuteMs, 5 * secondMs);
		const { asked } = window.forge;
		assert.deepEqual(
			asked.filter((each) => each !== 'changed on 8'),
			[],
		);
		assert.ok(asked.length >= 3 && asked.length <= 4, String(asked.length));
		for (const id of window.numbers()) {
			assert.ok((window.index.checkedAtMs({ tracker: alpha, id }) ?? 0) > atMs, String(id));
		}
		await window.close();
	});

	test('finds changed, new and deleted tickets on any page within five minutes', async () => {
		const fake = indexWorld(180);
		const window = await filled(fake);
		change(fake, 7, { title: 'Another title' });
		const all = fake.world.tickets.get('~alice/alpha') ?? [];
		const others = all.filter(({ id }) => id !== 100);
		fake.world.tickets.set('~alice/alpha', [makeTicket({ id: 181 }), ...others]);
		await window.pass(5 * minuteMs, 5 * secondMs);
		assert.equal(window.known(7)?.ticket.title, 'Another title');
		assert.deepEqual([window.known(181) !== undefined, window.known(100)], [true, undefined]);
		window.forge.asked.length = 0;
		await window.pass(10 * minuteMs, 5 * secondMs);
		assert.deepEqual(
			window.forge.asked.filter((each) => !each.startsWith('changed on')),
			[],
			'every ticket is on a page again',
		);
		await window.close();
	});

	test('polls trackers separately when the combined query fails', async () => {
		const fake = indexWorld(20);
		const forge = bulkTickets(fake);
		const window = await filled(fake, forge);
		forge.refusesPages = true;
		fake.world.tickets.set('~alice/alpha', [makeTicket({ id: 21 }), ...(fake.world.tickets.get('~alice/alpha') ?? [])]);
		await window.pass(20 * minuteMs, 5 * secondMs);
		assert.ok(window.known(21));
		await window.close();
	});

	test('reads each changed ticket with its texts, and counts the requests', async () => {
		const fake = indexWorld(60);
		const window = await filled(fake);
		change(fake, 7, { title: 'Another title' });
		comment(fake, 7, 'and another word');
		const before = window.asked();
		const learnt: string[] = [];
		window.store.onDidChange((each) => learnt.push(each.kind === 'ticket' ? `ticket ${each.ticket.id}` : each.kind));
		assert.equal(await window.recheck(), true);
		assert.deepEqual(window.forge.asked, ['changed 60', 'ticket 7']);
		assert.equal(window.asked() - before, 2);
		assert.deepEqual(
			[window.known(7)?.ticket.title, window.known(7)?.comments],
			['Another title', ['and another word']],
		);
		assert.deepEqual(learnt, ['ticket 7']);
		assert.equal(await window.recheck(), false);
		await window.close();
	});

	test('confirms unchanged tickets without an event', async () => {
		const window = await filled(indexWorld(60));
		window.clock.advance(hourMs);
		let told = 0;
		window.store.onDidChange(() => (told += 1));
		const entries = window.index.tickets(alpha);
		assert.equal(await window.recheck(), false);
		assert.deepEqual([told, window.index.checkedAtMs({ tracker: alpha, id: 30 })], [0, window.clock.nowMs()]);
		assert.equal(window.index.tickets(alpha), entries);
		await window.close();
	});

	test('reads many changed tickets by page', async () => {
		const fake = indexWorld(60);
		const window = await filled(fake);
		for (let id = 1; id <= 6; id += 1) {
			change(fake, id, { title: `Changed ${id}` });
		}
		assert.equal(await window.recheck(), true);
		assert.deepEqual(window.forge.asked, ['changed 60']);
		assert.equal(window.forge.followed.length, 1);
		assert.equal(window.known(6)?.ticket.title, 'Changed 6');
		await window.close();
	});

	for (const refusesAll of [false, true]) {
		test(`drops a deleted ticket through its page${refusesAll ? ', even if the server rejects the whole query' : ''}`, async () => {
			const fake = indexWorld(60);
			const window = await filled(fake);
			window.forge.refusesAll = refusesAll;
			remove(fake, 60);
			assert.equal(await window.recheck(), true);
			assert.equal(window.known(60), undefined);
			assert.equal(window.numbers().length, 59);
			await window.close();
		});
	}

	test('throws any other error', async () => {
		const fake = indexWorld(20);
		const window = await filled(fake);
		fake.world.tickets.clear();
		const { inBulk } = window.forge.api;
		assert.ok(inBulk);
		const failing = indexWindow({
			api: { ...window.forge.api, inBulk: { ...inBulk, changedMs: () => Promise.reject(new Error('broken')) } },
		});
		await assert.rejects(failing.store.reads(alpha).recheck([1], never), /broken/);
		await Promise.all([window.close(), failing.close()]);
	});

	test('ends with the same tickets as a full read after any changes', async () => {
		const act = fc.record({
			id: fc.integer({ min: 1, max: 70 }),
			kind: fc.constantFrom('change', 'remove', 'comment'),
		});
		await fc.assert(
			fc.asyncProperty(fc.array(act, { maxLength: 12 }), async (acts) => {
				const fake = indexWorld(70);
				const window = await filled(fake);
				for (const { id, kind } of acts) {
					if (kind === 'remove') {
						remove(fake, id);
					} else {
						comment(fake, id, `said ${id}`);
						change(fake, id, { title: `${kind} ${id}` });
					}
				}
				await window.pass(3 * hourMs, 20 * secondMs);
				assert.deepEqual(
					window.index.tickets(alpha).map(({ ticket }) => ticket),
					fake.world.tickets.get('~alice/alpha'),
				);
				await window.close();
			}),
			{ numRuns: counts({ small: 20, full: 300 }), seed: seed() },
		);
	});
});
