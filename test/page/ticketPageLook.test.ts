import '../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import type { Ticket } from 'sourcehut/port/ticket.ts';
import { withAssigning } from '../support/fakeAssigning.ts';
import { withEditing } from '../support/fakeEditing.ts';
import { makeComment, makeEvent, makeLabel, makeParticipant, makeUser } from '../support/makeTicket.ts';
import { pageThemes } from '../support/pageThemes.ts';
import { testInRest } from '../support/parts.ts';
import { richTicket } from '../support/richTicket.ts';
import { besideSideBar, brokenWords } from './support/brokenWords.ts';
import { statusIsFilled } from './support/statusPill.ts';
import { keepPicture } from './support/pagePictures.ts';
import { ticketPages } from './support/ticketPages.ts';

/** The rich ticket with a change, and a forge that assigns and edits. */
function ticketWith(change: Partial<Ticket>): ReturnType<typeof richTicket> {
	const rich = richTicket();
	const [ticket] = rich.world.tickets.get('~alice/alpha') ?? [];
	rich.world.tickets.set('~alice/alpha', [{ ...ticket!, ...change }]);
	const api = rich.connections.all()[0]!.forge.trackers;
	const { edit } = withEditing({ world: rich.world, api });
	const { assign } = withAssigning({ world: rich.world, api }, []);
	const subscriptions = { isSubscribed: async () => false, setSubscribed: async () => undefined };
	Object.assign(api, { editComment: async () => makeComment('Edited'), edit, assign, subscriptions });
	return rich;
}

/** Thirty labels, very long words, and right-to-left names everywhere. */
function crowdedTicket(): ReturnType<typeof richTicket> {
	const labels = Array.from({ length: 30 }, (_, at) => `label ${at}`);
	labels.splice(3, 3, 'w'.repeat(120), 'תווית ארוכה מאוד עם מילים רבות', 'many words '.repeat(12).trim());
	const hebrew = { ...makeParticipant('dave'), name: 'דוד המלך הגדול' };
	const long = { kind: 'email', address: `${'x'.repeat(80)}@example.test`, name: `Mr ${'y'.repeat(150)}` } as const;
	const rich = ticketWith({
		title: `Xyz${'supercalifragilistic'.repeat(8)} כותרת ארוכה`,
		labels,
		assignees: [makeUser('a'.repeat(64)), makeUser('carol'), { ...makeUser('dave'), name: 'דוד' }],
	});
	rich.world.labels.set(
		'~alice/alpha',
		labels.map((name) => makeLabel(name, '#d73a4a', '#ffffff')),
	);
	rich.world.events
		.get('~alice/alpha#12')
		?.unshift(
			makeEvent({ id: 42, kinds: ['label_added'], labels, user: hebrew }),
			makeEvent({ id: 41, kinds: ['comment'], user: hebrew, comment: makeComment('שלום', { submitter: hebrew }) }),
			makeEvent({ id: 40, kinds: ['comment'], user: long, comment: makeComment('z'.repeat(300), { submitter: long }) }),
		);
	return rich;
}

/** Elements beyond the page, buttons in the way of each other, and cards that lose their content. */
async function faults(page: Page): Promise<readonly string[]> {
	return page.evaluate(() => {
		// What is not laid out yet is at no place.
		document
			.querySelectorAll<HTMLElement>('.entry')
			.forEach((entry) => entry.style.setProperty('content-visibility', 'visible'));
		const outline = (element: Element): string => element.outerHTML.slice(0, 80);
		const shown = (selector: string): readonly Element[] =>
			Array.from(document.querySelectorAll(selector)).filter((element) => element.getClientRects().length > 0);
		const width = document.documentElement.clientWidth;
		const outside = shown('#page *').filter((element) => {
			const { left, right } = element.getBoundingClientRect();
			return (right > width + 1 || left < -1) && element.closest('pre, table, .read-aloud') === null;
		});
		const things = shown('button, select, .status, .label, h1, h2, .assignees li, .when').filter(
			(element) => element.closest('.composer, .menu') === null,
		);
		// An inline element of several lines has a box for each.
		const boxes = things.flatMap((element) => Array.from(element.getClientRects(), (box) => ({ element, box })));
		const overlaps = boxes.flatMap(({ element, box }, at) =>
			boxes
				.slice(at + 1)
				.filter(
					(other) =>
						!element.contains(other.element) &&
						box.left < other.box.right - 1 &&
						other.box.left < box.right - 1 &&
						box.top < other.box.bottom - 2 &&
						other.box.top < box.bottom - 2,
				)
				.map((other) => `${outline(element)} × ${outline(other.element)}`),
		);
		return [
			...outside.map((element) => `outside: ${outline(element)}`),
			...overlaps.map((text) => `overlap: ${text}`),
			...(document.documentElement.scrollWidth > width ? ['scrolls sideways'] : []),
		];
	});
}

suite('ticket page: look', function () {
	this.timeout(120_000);
	const open = ticketPages();

	const sizes = [
		['320 px', { width: 320, height: 640 }],
		['95 px, beside the side bar of a window of 320 px', { width: besideSideBar, height: 640 }],
		['1000 px', { width: 1000, height: 700 }],
		['200 %', { width: 1000, height: 700, zoom: 2 }],
	] as const;
	for (const [name, size] of sizes) {
		const testSize = size.width === 320 ? test : testInRest;
		testSize(`nothing overlaps or overflows with thirty labels and long, right-to-left names (${name})`, async () => {
			const { page } = await open({ ...crowdedTicket(), ...size });
			await page.waitForSelector('[data-key="event-42"]');
			assert.deepEqual(await faults(page), []);
			await keepPicture(page, `ticket crowded ${name}`);
		});
	}

	test('buttons beside the side bar of a window of 320 px keep their words whole', async () => {
		const { page } = await open({ ...ticketWith({}), width: besideSideBar, height: 640 });
		await page.waitForSelector('[data-key="event-15"]');
		await page.getByRole('textbox', { name: 'Your comment' }).fill('Some text');
		assert.deepEqual(await brokenWords(page), []);
		await keepPicture(page, 'ticket 95 px');
	});

	for (const theme of pageThemes) {
		const testTheme = theme === 'light' ? test : testInRest;
		testTheme(`the status is a filled pill with readable text in any status (${theme})`, async () => {
			const statuses = ['reported', 'confirmed', 'in_progress', 'pending', 'resolved', 'other:odd'] as const;
			for (const status of statuses) {
				const opened = await open({ ...ticketWith({ status }), theme });
				await statusIsFilled(opened.page, status);
				await opened.close();
			}
		});
	}

	test('labels and assignees are named, say that there are none, and are edited by keys', async () => {
		const { page } = await open(ticketWith({ labels: [], assignees: [] }));
		await page.waitForSelector('[data-key="event-15"]');
		assert.deepEqual(await page.locator('.named dd li').allTextContents(), ['No label', 'No assignee']);
		await page.getByRole('button', { name: 'Edit Title and Description' }).focus();
		const reached: (string | null)[] = [];
		for (let step = 0; step < 6; step += 1) {
			await page.keyboard.press('Tab');
			reached.push(await page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? null));
		}
		assert.ok(reached.includes('Edit Labels') && reached.includes('Assign'), String(reached));
		await page.getByRole('button', { name: 'Edit Labels' }).focus();
		await page.keyboard.press('Enter');
		await page.getByRole('option', { name: 'bug' }).waitFor();
		await page.keyboard.press('Enter');
		await page.keyboard.press('Control+Enter');
		await page.locator('.labels').getByText('bug').waitFor();
		assert.equal(await page.evaluate(() => document.activeElement?.getAttribute('aria-label')), 'Edit Labels');
	});
});
