import '../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import type { TicketsContext } from '../../src/features/tickets/context/ticketsContext.ts';
import { ForgeError } from 'sourcehut/port/forgeError.ts';
import type { TicketEvent } from 'sourcehut/port/ticket.ts';
import type { TimelineOrder } from '../../src/pages/protocol/ticketProtocol.ts';
import { keptTimelines } from '../../src/store/tickets/savedTickets.ts';
import { commentTexts } from '../support/commentTexts.ts';
import { fakeClock } from '../support/fakeClock.ts';
import { textsInMemory } from '../support/textsInMemory.ts';
import { longestTaskMs } from './support/longestTask.ts';
import { ticketsParts } from '../support/fakeTicketsParts.ts';
import { makeComment, makeEvent, makeTicket } from '../support/makeTicket.ts';
import { richTicket } from '../support/richTicket.ts';
import { ticketPages } from './support/ticketPages.ts';
import { fieldsOf } from '../../src/base/lenientJson.ts';
import { eventually } from '../support/eventually.ts';
import { testInRest } from '../support/parts.ts';
import { restingTop } from './support/restingTop.ts';

declare global {
	interface Window {
		/** Frames that the test holds back from the page. */
		queuedFrames: FrameRequestCallback[];
	}
}

const { pageRenderer } = await import('../../src/editor/pages/pageRenderer.ts');
const name = '~alice/alpha#12';

function comments(count: number, from = 1): TicketEvent[] {
	return Array.from({ length: count }, (_, at) => {
		const id = from + count - 1 - at;
		return makeEvent({ id, kinds: ['comment'], comment: makeComment(`Comment ${id}\n\nwith two lines`, { id }) });
	});
}

/** Page parts with a previously chosen timeline order. */
async function partsInOrder(rich: ReturnType<typeof richTicket>, order: TimelineOrder): Promise<TicketsContext> {
	const parts = ticketsParts(rich.connections, {
		open: () => assert.fail(),
		restore: () => assert.fail(),
		inFront: () => undefined,
		front: () => undefined,
		dispose: () => undefined,
	});
	await parts.pageOrder.keep(order);
	return parts;
}

suite('reading the ticket page', function () {
	this.timeout(120_000);
	const open = ticketPages();

	test('another ticket in the same document: nothing of the first one acts or stays', async () => {
		const rich = richTicket();
		const description = 'See [the other](https://other.test/).';
		rich.world.tickets
			.get('~alice/alpha')
			?.push(makeTicket({ id: 13, title: 'The second ticket', description, labels: [] }));
		const opened = await open({ connections: rich.connections, subject: rich.subject });
		const { page } = opened;
		await page.getByRole('heading', { name: /folded header/ }).waitFor();
		const sheets = (): Promise<number> => page.evaluate(() => document.adoptedStyleSheets.length);
		const before = await sheets();
		const next = { ...rich.subject, ref: { ...rich.subject.ref, id: 13 } };
		opened.step(next);
		await page.getByRole('heading', { name: 'The second ticket' }).waitFor();
		await page.getByRole('link', { name: 'the other' }).click();
		await eventually(async () => opened.followed, ['https://other.test/']);
		assert.equal(await page.getByText(/folded header/).count(), 0);
		assert.equal(await page.locator('#title').textContent(), await page.title());
		assert.match(await page.title(), /13/);
		assert.equal(await sheets(), before);
		assert.deepEqual(fieldsOf(await opened.kept())['subject'], next);
		assert.deepEqual(
			opened.asked.filter((name) => name === 'load' || name === 'follow'),
			['load', 'load', 'follow'],
		);
		assert.deepEqual(opened.incidents, []);
	});

	test('a known ticket comes with the page itself, before any request', async () => {
		const rich = richTicket();
		const [connection] = rich.connections.all();
		await connection?.tickets.tickets(rich.subject.ref.tracker, new AbortController().signal);
		const renderer = pageRenderer(() => import('../../src/render.ts'));
		await renderer.load();
		rich.world.before = () => new Promise(() => undefined);
		const { page } = await open({ ...rich, renderer });
		assert.equal(await page.locator('h1').textContent(), 'The parser stops at the first empty line of a folded header');
		assert.equal(await page.locator('.description .markdown h3').first().textContent(), 'How to see it');
	});

	test('a ticket from before the reload shows its age while the forge is unreachable, until the next read', async () => {
		const disk = keptTimelines(textsInMemory(), fakeClock());
		const never = new AbortController().signal;
		const before = richTicket(disk);
		const [connection] = before.connections.all();
		await connection?.tickets.renewTicket(before.subject.ref, never);
		await connection?.tickets.events(before.subject.ref, never);
		const rich = richTicket(disk);
		rich.world.before = () =>
			Promise.reject(new ForgeError({ kind: 'unreachable', reason: 'offline', host: 'todo.forge.test' }));
		const { page } = await open(rich);
		const notice = page.locator('.ticket-head .notice');
		await notice.getByText('Offline – showing data from').waitFor();
		await page.locator('.timeline .entry').first().waitFor();
		assert.equal(await page.locator('h1').textContent(), 'The parser stops at the first empty line of a folded header');
		rich.world.before = () => undefined;
		await notice.getByRole('button', { name: 'Try Again' }).click();
		await notice.waitFor({ state: 'hidden' });
	});

	test('an item without a check box keeps its bullet in a task list', async () => {
		const { page } = await open(richTicket());
		const items = page.locator('.description .markdown ul li');
		await items.nth(2).waitFor();
		const bullets = await items.evaluateAll((all) => all.map((item) => getComputedStyle(item).listStyleType));
		assert.deepEqual(bullets, ['none', 'none', 'disc']);
		const starts = await items.evaluateAll((all) =>
			all.map((item) => (item.querySelector('.task-box') ?? item).getBoundingClientRect().left),
		);
		assert.ok(starts[0] === starts[1] && (starts[0] ?? 0) < (starts[2] ?? 0), starts.join());
	});

	test('polls only while the page is visible, with one request, and sends no message without news', async () => {
		const rich = richTicket();
		const { page, clock, told, setWatched } = await open(rich);
		await page.waitForSelector('.entry');
		const settled = async (): Promise<void> => {
			for (let turn = 0; turn < 10; turn++) {
				await new Promise((resolve) => setImmediate(resolve));
			}
		};
		await settled();
		const before = { calls: rich.world.calls.length, told: told.length };
		clock.advance(20_000);
		await settled();
		assert.deepEqual(rich.world.calls.slice(before.calls), [`events ${name} 0`]);
		assert.equal(told.length, before.told);
		clock.advance(20_000);
		await settled();
		assert.equal(rich.world.calls.length, before.calls + 1, 'after a quiet look the next one is later');
		setWatched(false);
		clock.advance(600_000);
		await settled();
		assert.equal(rich.world.calls.length, before.calls + 1);
		setWatched(true);
		clock.advance(0);
		await settled();
		assert.equal(rich.world.calls.length, before.calls + 2);
	});

	for (const order of ['oldest', 'newest'] as const) {
		const testOrder = order === 'newest' ? test : testInRest;
		testOrder(`a line separates new entries from seen ones, and the page announces them (${order} first)`, async () => {
			const rich = richTicket();
			const parts = await partsInOrder(rich, order);
			const { page, clock } = await open({ ...rich, parts });
			await page.waitForSelector('.entry');
			assert.equal(await page.locator('.fresh').count(), 0);
			const [connection] = rich.connections.all();
			// Entries that arrive before the first view don't count as new.
			await eventually(async () => connection?.readMarks.lastSeenEventId(rich.subject.ref), 15);
			rich.world.events.set(name, [...comments(2, 50), ...(rich.world.events.get(name) ?? [])]);
			clock.advance(20_000);
			await page.waitForSelector('[data-key="event-51"]');
			assert.equal(await page.locator('[data-key="event-50"] .fresh').textContent(), 'new');
			await page.getByRole('status').getByText('2 new entries').waitFor({ state: 'attached' });
			assert.equal(connection?.readMarks.lastSeenEventId(rich.subject.ref), 51);
			const inOrder = await page
				.locator('[data-key="event-50"] .comment, [data-key="event-15"] .comment, .fresh')
				.evaluateAll((parts) => parts.map((part) => part.closest('.fresh')?.className ?? part.textContent));
			const line = inOrder.indexOf('fresh');
			const [before, after] = [inOrder[line - 1] ?? '', inOrder[line + 1] ?? ''];
			assert.match(order === 'oldest' ? before : after, /It still stops on/);
			assert.match(order === 'oldest' ? after : before, /Comment 50/);
		});
	}

	for (const order of ['oldest', 'newest'] as const) {
		const testOrder = order === 'newest' ? test : testInRest;
		testOrder(`an update keeps the scroll position (${order} first)`, async () => {
			const rich = richTicket();
			rich.world.events.set(name, comments(40));
			const parts = await partsInOrder(rich, order);
			const { page, clock } = await open({ ...rich, parts });
			const reading = page.locator('[data-key="event-20"]');
			await reading.evaluate((entry) => entry.scrollIntoView({ block: 'center' }));
			const before = await restingTop(reading);
			rich.world.events.set(name, [...comments(3, 41), ...comments(40)]);
			clock.advance(20_000);
			await page.waitForSelector('[data-key="event-43"]', { state: 'attached' });
			const after = await restingTop(reading);
			assert.ok(Math.abs(after - before) < 1, `${before} ${after}`);
		});
	}

	for (const use of ['selected', 'written'] as const) {
		test(`an update at the very top keeps the scroll position of a ${use} part`, async () => {
			const rich = richTicket();
			rich.world.events.set(name, comments(40));
			const parts = await partsInOrder(rich, 'newest');
			const { page, clock } = await open({ ...rich, parts, height: 1000 });
			const entry = page.locator('[data-key="event-40"]');
			const used = use === 'written' ? page.locator('#comment') : entry;
			if (use === 'written') {
				await used.click();
			} else {
				await entry.locator('.markdown p').first().selectText();
			}
			const before = [await restingTop(entry), await restingTop(used)];
			assert.equal(await page.evaluate(() => window.scrollY), 0);
			rich.world.events.set(name, [...comments(8, 41), ...comments(40)]);
			clock.advance(20_000);
			await page.waitForSelector('[data-key="event-48"]', { state: 'attached' });
			const after = [await restingTop(entry), await restingTop(used)];
			before.forEach((y, at) => assert.ok(Math.abs((after[at] ?? Infinity) - y) < 2, `${y} ${after[at]}`));
		});
	}

	test('a restore of the scroll position never overrides the user’s own scrolling', async () => {
		const rich = richTicket();
		rich.world.events.set(name, comments(40));
		const { page, clock } = await open(rich);
		const reading = page.locator('[data-key="event-20"] .markdown p').first();
		await reading.evaluate((text) => text.scrollIntoView({ block: 'center' }));
		await reading.selectText();
		await restingTop(reading);
		await page.evaluate(() => {
			window.queuedFrames = [];
			window.requestAnimationFrame = (frame) => window.queuedFrames.push(frame);
		});
		rich.world.events.set(name, [...comments(3, 41), ...comments(40)]);
		clock.advance(20_000);
		await page.waitForSelector('[data-key="event-43"]', { state: 'attached' });
		/** The page's automatic scroll in one frame after a scroll, and the number of pending frames. */
		const movedBack = (isByHand: boolean): Promise<readonly number[]> =>
			page.evaluate((byHand) => {
				const { queuedFrames: frames } = window;
				if (byHand) {
					window.dispatchEvent(new WheelEvent('wheel'));
				}
				window.scrollBy(0, 100);
				const before = window.scrollY;
				frames.splice(0).forEach((frame) => frame(0));
				return [Math.round(window.scrollY - before), frames.length];
			}, isByHand);
		assert.deepEqual(await movedBack(false), [-100, 1]);
		assert.deepEqual(await movedBack(true), [0, 0]);
	});

	for (const [what, entry] of [
		['keeps its scroll position although it starts anew', undefined],
		['keeps its scroll position although it opened at another entry', 12],
	] as const) {
		test(`a restored page ${what}`, async () => {
			const rich = richTicket();
			rich.world.events.set(name, comments(45));
			const [connection] = rich.connections.all();
			const { signal } = new AbortController();
			await connection?.tickets.ticket(rich.subject.ref, signal);
			await connection?.tickets.events(rich.subject.ref, signal);
			const renderer = pageRenderer(() => import('../../src/render.ts'));
			await renderer.load();
			const { page } = await open({ ...rich, renderer, ...(entry === undefined ? {} : { entry }) });
			if (entry !== undefined) {
				// The current entry is the one above, with its end in view.
				await page.waitForFunction(() => /"entryId":1[12]\b/.test(sessionStorage.getItem('kept') ?? ''));
				// While it settles, the page reverts a scroll by script.
				await restingTop(page.locator(`[data-key="event-${entry}"]`));
			}
			const reading = page.locator('[data-key="event-30"]');
			await reading.evaluate((shown) => shown.scrollIntoView());
			await page.waitForFunction(() => (sessionStorage.getItem('kept') ?? '').includes('"entryId":30'));
			rich.world.events.set(name, [...comments(4, 46), ...comments(45)]);
			await page.reload();
			await page.waitForSelector('[data-key="event-49"]', { state: 'attached' });
			const y = await restingTop(reading);
			assert.ok(Math.abs(y) < 40, String(y));
		});
	}

	test('older entries loaded long after a reload do not scroll to the restored position', async () => {
		const rich = richTicket();
		rich.world.pageSize = 20;
		rich.world.events.set(name, comments(60));
		const kept = { place: { entryId: 30, top: 0 } };
		const { page } = await open({ ...rich, kept, height: 900 });
		await page.waitForSelector('[data-key="event-60"]', { state: 'attached' });
		const reading = page.locator('[data-key="event-41"]');
		await reading.scrollIntoViewIfNeeded();
		const before = await restingTop(reading);
		await page.getByRole('button', { name: 'Show Older' }).click();
		await page.waitForSelector('[data-key="event-30"]', { state: 'attached' });
		const after = await restingTop(reading);
		assert.ok(Math.abs(after - before) < 1, `${before} ${after}`);
	});

	test('shows the number of loaded entries after a large update, and continues from there', async () => {
		const rich = richTicket();
		rich.world.pageSize = 2;
		rich.world.events.set(name, comments(6));
		const { page, clock } = await open(rich);
		await page.waitForSelector('[data-key="event-6"]');
		rich.world.events.set(name, comments(100));
		clock.advance(20_000);
		await page.waitForSelector('[data-key="event-61"]');
		assert.equal(await page.locator('.older .quiet').textContent(), 'Showing 40 of 100');
		assert.equal(await page.locator('.entry').count(), 40);
		await page.getByRole('button', { name: 'Show Older' }).click();
		await page.waitForSelector('[data-key="event-59"]');
		assert.equal(await page.locator('.entry').count(), 42);
		const pages = rich.world.calls.filter((call) => call.startsWith('events'));
		assert.equal(pages.length, 1 + 20 + 1);
	});

	test('restores the scroll position after a reload', async () => {
		const rich = richTicket();
		rich.world.events.set(name, comments(45));
		const { page, kept } = await open(rich);
		await page.locator('[data-key="event-30"]').evaluate((entry) => entry.scrollIntoView());
		await page.waitForFunction(() => (sessionStorage.getItem('kept') ?? '').includes('"entryId":30'));
		assert.ok(await kept());
		await page.reload();
		await page.waitForSelector('[data-key="event-45"]', { state: 'attached' });
		await page.waitForFunction(() => {
			const top = document.querySelector('[data-key="event-30"]')?.getBoundingClientRect().top ?? -1000;
			return window.scrollY > 0 && Math.abs(top) < 40;
		});
	});

	test('shows who may do what, and marks inherited permissions', async () => {
		const rich = richTicket();
		const [ticket] = rich.world.tickets.get('~alice/alpha') ?? [];
		const [tracker] = rich.world.trackers;
		assert.ok(ticket && tracker);
		rich.world.trackers.splice(0, 1, {
			...tracker,
			defaultPermissions: { anonymous: ['browse'], submitter: ['browse', 'comment'], user: [] },
		});
		const permissions = { anonymous: undefined, submitter: undefined, user: ['browse', 'triage'] as const };
		rich.world.tickets.set('~alice/alpha', [{ ...ticket, permissions }]);
		const { page } = await open(rich);
		await page.waitForSelector('.permissions dt', { state: 'attached' });
		await page.getByText('Permissions').click();
		// The tracker with the inherited permissions may load after the ticket.
		await page.locator('.permissions dd', { hasText: 'read · inherited from the tracker' }).last().waitFor();
		assert.deepEqual(await page.locator('.permissions dt').allTextContents(), [
			'Users with an account',
			'Submitter',
			'Anonymous users',
		]);
		assert.equal(await page.locator('.permissions dd').first().textContent(), 'read, triage');
	});

	testInRest('a thousand comments render in slices, so scrolling causes no long task', async () => {
		const rich = richTicket();
		rich.world.pageSize = 1000;
		const texts = commentTexts(1000, 3);
		rich.world.events.set(
			name,
			comments(1000).map((event, at) => ({ ...event, comment: makeComment(texts[at] ?? '', { id: event.id }) })),
		);
		const slices: number[] = [];
		// A single task may be long, for example during garbage collection; rendering all at once is long every time.
		for (let repeat = 0; repeat < 3 && slices.every((slice) => slice > 0.1); repeat += 1) {
			const opened = await open(rich);
			const { page } = opened;
			await page.waitForSelector('[data-key="event-1000"]', { state: 'attached' });
			assert.equal(await page.locator('.entry').count(), 1000);
			const scrollingMs = await longestTaskMs(page, () =>
				page.evaluate(async () => {
					for (let step = 0; step < 120; step++) {
						window.scrollBy(0, 900);
						await new Promise((resolve) => requestAnimationFrame(resolve));
					}
				}),
			);
			// The same page on the same machine, rendered at once.
			const wholeMs = await longestTaskMs(page, () =>
				page.evaluate(async () => {
					for (const entry of document.querySelectorAll<HTMLElement>('.entry')) {
						entry.style.contentVisibility = 'visible';
					}
					await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
				}),
			);
			await opened.close();
			assert.ok(scrollingMs > 0);
			slices.push(scrollingMs / wholeMs);
		}
		assert.ok(
			Math.min(...slices) <= 0.1,
			`a task while scrolling takes ${slices.join(', ')} of laying out all at once`,
		);
	});
});
