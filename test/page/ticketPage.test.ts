import '../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import { ForgeError } from 'sourcehut/port/forgeError.ts';
import { makeComment, makeEvent } from '../support/makeTicket.ts';
import { axeThemes, axeViolations } from './support/axe.ts';
import { richTicket } from '../support/richTicket.ts';
import { ticketPages } from './support/ticketPages.ts';
import { stubbed } from '../support/vscodeValues.ts';
import { eventually } from '../support/eventually.ts';
import { testInRest } from '../support/parts.ts';
import { restingTop } from './support/restingTop.ts';

const hourMs = 3_600_000;

/** The newest entry of the rich ticket. Entries arrive in slices, so the first slice doesn't prove the rest. */
const newestEntry = '[data-key="event-15"]';

/** A ticket page with every optional part. */
function richTicketWithAll(): ReturnType<typeof richTicket> {
	const rich = richTicket();
	const [tracker] = rich.world.trackers;
	assert.ok(tracker);
	const defaultPermissions = { anonymous: ['browse'], submitter: ['browse', 'comment'], user: ['comment'] } as const;
	rich.world.trackers.splice(0, 1, { ...tracker, defaultPermissions });
	const [connection] = rich.connections.all();
	const naming = {
		list: { owner: '~alice', name: 'devel' },
		mailId: 5,
		patchsetId: 3,
		subject: '[PATCH] Fold',
		trailer: 'Fixes',
	};
	connection?.mentions.add([{ ticket: { tracker: { owner: '~alice', name: 'alpha' }, id: 12 }, ...naming }]);
	Object.assign(connection?.forge.trackers ?? {}, { editComment: () => Promise.reject(new Error('unused')) });
	return rich;
}

suite('ticket page', function () {
	this.timeout(60_000);
	const open = ticketPages();

	test('shows the reason of a failed button in view at any scroll position', async () => {
		const { env } = await import('vscode');
		const openExternal = env.openExternal.bind(env);
		const { page } = await open({ ...richTicketWithAll(), height: 300 });
		await page.waitForSelector('.entry');
		await page.mouse.move(200, 100);
		await page.mouse.wheel(0, 400);
		await page.waitForFunction(() => window.scrollY > 100);
		env.openExternal = () => Promise.reject(new Error('There is no browser'));
		try {
			await page.evaluate(() => document.querySelector<HTMLElement>('button[aria-label="Open on the Web"]')?.click());
			const said = page.getByRole('alert').filter({ hasText: 'There is no browser' });
			await said.waitFor();
			const top = await said.evaluate((element) => element.getBoundingClientRect().top);
			assert.ok(top >= 0 && top < 300, `${top}`);
		} finally {
			env.openExternal = openExternal;
		}
	});

	test('puts rare actions for the web into the corner menu', async () => {
		const { page } = await open(richTicket());
		await page.waitForSelector(newestEntry);
		const rights = await page.evaluate(() =>
			['.facts', '.facts button[aria-label="More Actions"]'].map(
				(each) => document.querySelector(each)?.getBoundingClientRect().right,
			),
		);
		assert.equal(rights[1], rights[0]);
	});

	test('shows the ticket, its people, labels and every entry of its timeline', async () => {
		const { page, incidents } = await open(richTicket());
		await page.waitForSelector(newestEntry);
		assert.equal(await page.locator('h1').textContent(), 'The parser stops at the first empty line of a folded header');
		assert.equal(await page.locator('.status').textContent(), 'Reported');
		assert.deepEqual(await page.locator('.labels li').allTextContents(), [
			'bug',
			'good first ticket',
			'parser',
			'docs',
		]);
		assert.match((await page.locator('.byline').textContent()) ?? '', /^bob submitted this · [^·]*$/);
		assert.deepEqual(await page.locator('.named dt').allTextContents(), ['Labels', 'Assignees']);
		assert.deepEqual(await page.locator('.assignees li').allTextContents(), ['alice', 'carol']);
		assert.equal(await page.locator('.entry').count(), 15);
		assert.equal(await page.locator('.entry .comment + .change').count(), 1);
		assert.match((await page.locator('time').first().getAttribute('title')) ?? '', /2026/);
		assert.deepEqual(incidents, []);
	});

	test('is readable before the timeline arrives, and shows that it is loading', async () => {
		const rich = richTicket();
		const gate = Promise.withResolvers<void>();
		rich.world.before = (call) => (call.startsWith('events') ? gate.promise : undefined);
		const { page } = await open(rich);
		assert.equal(await page.locator('.timeline [role=status]').textContent(), 'Loading…');
		gate.resolve();
		await page.waitForSelector('.entry');
	});

	test('keeps the chosen order after a reload', async () => {
		const { page } = await open(richTicket());
		await page.waitForSelector(newestEntry);
		await page.getByRole('combobox', { name: 'Order' }).selectOption('newest');
		assert.equal(await page.locator('.entry').first().getAttribute('data-key'), 'event-15');
		await page.reload();
		await page.waitForSelector(newestEntry);
		assert.equal(await page.locator('.entry').first().getAttribute('data-key'), 'event-15');
	});

	test('loads older entries on demand and keeps the scroll position', async () => {
		const rich = richTicket();
		rich.world.events.set(
			'~alice/alpha#12',
			Array.from({ length: 120 }, (_, at) =>
				makeEvent({ id: 120 - at, kinds: ['comment'], comment: makeComment(`Comment ${120 - at}`) }),
			),
		);
		const { page } = await open({ ...rich, height: 900 });
		await page.waitForSelector('.entry');
		assert.equal(await page.locator('.older .quiet').textContent(), 'Showing 50 of 120');
		const button = page.getByRole('button', { name: 'Show Older Entries' });
		await button.scrollIntoViewIfNeeded();
		const reading = page.locator('[data-key="event-71"]');
		const before = await restingTop(reading);
		await button.click();
		await page.waitForSelector('[data-key="event-21"]');
		const after = await restingTop(reading);
		// Browsers scroll by whole pixels, but line heights are fractional.
		assert.ok(Math.abs(after - before) < 1, `${before} ${after}`);
		assert.equal(await page.locator('.entry').count(), 100);
	});

	test('sends a comment and shows the forge’s response', async () => {
		const rich = richTicket();
		const { page, kept } = await open(rich);
		await page.waitForSelector('.entry');
		await page.getByRole('textbox').fill('Mine, with **weight**.');
		await page.getByRole('button', { name: 'Comment', exact: true }).click();
		const last = page.locator('.entry').last();
		await page.waitForSelector('[data-key="event-16"]');
		assert.equal(
			await last.locator('.markdown').innerHTML(),
			'<p dir="auto">Mine, with <strong>weight</strong>.</p>\n',
		);
		await page.waitForFunction(() => document.querySelector('textarea')?.value === '');
		assert.equal(await page.locator('#composer-note').textContent(), 'Comment posted.');
		assert.match(JSON.stringify(await kept()), /"draft":\{"text":"",/);
		// The result of the comment is no result of the next act.
		const dialog = page.getByRole('dialog', { name: 'Edit Labels' });
		await page.getByRole('button', { name: 'Edit Labels' }).click();
		await dialog.getByRole('option', { name: 'bug' }).waitFor();
		await page.keyboard.press('Enter');
		await page.keyboard.press('Control+Enter');
		await dialog.waitFor({ state: 'hidden' });
		await eventually(() => page.locator('#composer-note').textContent(), 'Ctrl+Enter sends');
	});

	test('scrolls to a new comment from any position', async () => {
		const { page } = await open({ ...richTicket(), height: 560 });
		await page.waitForSelector('.entry');
		const place = (): Promise<readonly (number | undefined)[]> =>
			Promise.all(
				['[data-key="event-16"]', '.composer'].map(async (each) => {
					const box = await page.locator(each).boundingBox();
					return box?.y;
				}),
			);
		await page.evaluate(() => window.scrollTo(0, 0));
		await page.getByRole('textbox').fill('At the end.');
		await page.keyboard.press('Control+Enter');
		await page.waitForSelector('[data-key="event-16"]');
		await eventually(async () => {
			const [newest = 0, composer = 0] = await place();
			return newest >= 0 && newest < composer;
		}, true);
		assert.equal(await page.evaluate(() => document.activeElement?.tagName), 'TEXTAREA');
	});

	test('Ctrl+Enter sends the comment, and does not resolve the ticket', async () => {
		const rich = richTicket();
		const { page } = await open(rich);
		await page.waitForSelector('.entry');
		await page.getByRole('textbox').fill('By keyboard');
		await page.keyboard.press('Control+Enter');
		await page.waitForSelector('[data-key="event-16"]');
		assert.deepEqual(
			rich.world.calls.filter((call) => call.startsWith('update')),
			['update ~alice/alpha#12 {"comment":"By keyboard"}'],
		);
	});

	test('resolves with the chosen resolution and a comment in one request, then offers to reopen', async () => {
		const rich = richTicket();
		const { page } = await open(rich);
		await page.waitForSelector('.entry');
		await page.getByRole('textbox').fill('Done.');
		await page.getByRole('button', { name: 'Choose a resolution' }).click();
		await page.keyboard.press('ArrowDown');
		await page.keyboard.press('Enter');
		await page.getByRole('button', { name: 'Comment and Resolve as implemented' }).click();
		await page.waitForSelector('.status-resolved');
		assert.equal(await page.locator('.status').textContent(), 'Resolved: implemented');
		assert.deepEqual(
			rich.world.calls.filter((call) => call.startsWith('update')),
			['update ~alice/alpha#12 {"comment":"Done.","status":"resolved","resolution":"implemented"}'],
		);
		await page.getByRole('button', { name: 'Reopen', exact: true }).click();
		await page.waitForSelector('.status-reported');
		await page.locator('#composer-note', { hasText: /^Status changed\.$/ }).waitFor();
	});

	test('keeps the text after a failure, with the reason above it', async () => {
		const rich = richTicket();
		rich.world.before = (call) => {
			if (call.startsWith('update')) {
				throw new ForgeError({ kind: 'serverError', status: 502 });
			}
		};
		const { page, kept } = await open(rich);
		await page.getByRole('textbox').fill('Do not lose me');
		await page.getByRole('button', { name: 'Comment', exact: true }).click();
		await page.waitForSelector('.composer .failure:not(:empty)');
		assert.equal(
			await page.getByRole('alert').first().textContent(),
			'The response was lost, and your comment was not posted. It is kept here.Send Again',
		);
		assert.equal(await page.getByRole('textbox').inputValue(), 'Do not lose me');
		assert.match(JSON.stringify(await kept()), /"draft":\{"text":"Do not lose me",/);
		assert.equal(rich.world.calls.filter((call) => call.startsWith('update')).length, 1);
	});

	test('disables an action that the forge rejected, and shows the reason', async () => {
		const rich = richTicket();
		rich.world.before = (call) => {
			if (call.startsWith('update')) {
				throw new ForgeError({ kind: 'notAllowed' });
			}
		};
		const { page } = await open(rich);
		const resolve = page.getByRole('button', { name: 'Resolve as fixed' });
		await resolve.click();
		// It is also disabled during the request, for another reason.
		await page.waitForSelector('.split button[aria-disabled][title*="Ask ~alice for permission to triage"]');
		const labels = page.getByRole('button', { name: 'Edit Labels' });
		await labels.focus();
		assert.equal(await labels.evaluate((button) => document.activeElement === button), true);
		assert.match((await labels.getAttribute('aria-description')) ?? '', /Ask ~alice for permission to triage/);
		await page.keyboard.press('Enter');
		assert.equal(await page.getByRole('dialog').count(), 0);
		const enabled = page.getByRole('button', { name: 'Comment', exact: true });
		await page.getByRole('textbox').fill('Still possible');
		assert.equal(await enabled.getAttribute('aria-disabled'), null);
	});

	test('explains why a button is disabled', async () => {
		const rich = richTicket();
		const { page, kept, nextDraft } = await open(rich);
		const button = page.getByRole('button', { name: 'Comment', exact: true });
		assert.equal(await button.getAttribute('title'), 'Write something first.');
		const saved = nextDraft();
		await page.getByRole('textbox').fill('ab');
		assert.equal(await button.getAttribute('title'), 'A comment needs at least 3 characters.');
		await page.keyboard.press('Control+Enter');
		assert.equal(await page.locator('#composer-note').textContent(), 'A comment needs at least 3 characters.');
		await saved;
		// The page marks the draft before it reports the save.
		await eventually(async (): Promise<unknown> => Reflect.get(Object(await kept()), 'isGiven'), true);
		assert.equal(await page.locator('#composer-note').textContent(), 'A comment needs at least 3 characters.');
		assert.equal(rich.world.calls.filter((call) => call.startsWith('update')).length, 0);
	});

	test('keeps a draft after a reload and on Escape', async () => {
		const { page } = await open(richTicket());
		await page.getByRole('textbox').fill('Half a thought');
		await page.keyboard.press('Escape');
		await page.locator('#composer-note', { hasText: /^Draft saved$/ }).waitFor();
		await page.reload();
		await page.waitForSelector('textarea');
		assert.equal(await page.getByRole('textbox').inputValue(), 'Half a thought');
	});

	test('restores a draft from the host when the page has no state of its own, until it is sent', async () => {
		const { page, nextDraft } = await open(richTicket());
		const keeping = nextDraft();
		await page.getByRole('textbox').fill('Half a thought');
		await keeping;
		await page.evaluate(() => sessionStorage.clear());
		await page.reload();
		await page.waitForSelector('textarea');
		assert.equal(await page.getByRole('textbox').inputValue(), 'Half a thought');
		await page.getByRole('textbox').press('Control+Enter');
		await page.waitForFunction(() => document.querySelector('textarea')?.value === '');
		await page.evaluate(() => sessionStorage.clear());
		await page.reload();
		await page.waitForSelector('textarea');
		assert.equal(await page.getByRole('textbox').inputValue(), '');
	});

	test('stores its subject for a restore', async () => {
		const rich = richTicket();
		const { kept } = await open(rich);
		assert.deepEqual(Reflect.get(Object(await kept()), 'subject'), rich.subject);
	});

	test('shows a preview of the rendered text', async () => {
		const { page } = await open(richTicket());
		await page.getByRole('textbox').fill('See **#3**');
		await page.getByRole('tab', { name: 'Write' }).focus();
		await page.keyboard.press('ArrowRight');
		await page.waitForSelector('.preview a');
		assert.equal(
			await page.locator('.preview .markdown').innerHTML(),
			'<p dir="auto">See <strong><a href="https://todo.forge.test/~alice/alpha/3">#3</a></strong></p>\n',
		);
	});

	test('passes a clicked link to the host only', async () => {
		const { page, followed, foreign } = await open(richTicket());
		await page.evaluate(() => {
			// The editor's own listener would open every link.
			document.addEventListener('click', () => document.body.classList.add('heard'));
		});
		// The right button opens a menu and follows no link.
		await page.getByRole('link', { name: 'section 2.2.3' }).click({ button: 'right' });
		await page.getByRole('link', { name: 'https://example.test/rfc?section=2&x=1' }).click();
		await page.getByRole('link', { name: '#3', exact: true }).click({ button: 'middle' });
		await eventually(
			async () => followed,
			['https://example.test/rfc?section=2&x=1', 'https://todo.forge.test/~alice/alpha/3'],
		);
		assert.equal(await page.locator('body.heard').count(), 0);
		assert.deepEqual(foreign, []);
		assert.equal(page.context().pages().length, 1);
	});

	test('copies the reference and confirms it', async () => {
		const { page } = await open(richTicket());
		await page.getByRole('button', { name: /Copy Reference/ }).click();
		await page.getByText('Copied', { exact: true }).waitFor({ state: 'attached' });
		assert.equal(stubbed.copied.at(-1), '~alice/alpha#12');
	});

	test('a failed timeline shows its reason, and a retry loads it', async () => {
		const rich = richTicket();
		rich.world.before = (call) => {
			if (call.startsWith('events')) {
				throw new ForgeError({ kind: 'serverError', status: 500 });
			}
		};
		const { page } = await open(rich);
		await page.waitForSelector('.timeline .failure');
		assert.equal(await page.locator('h1').count(), 1);
		rich.world.before = () => undefined;
		await page.getByRole('button', { name: 'Try Again' }).click();
		await page.waitForSelector('.entry');
	});

	test('reports a missing ticket', async () => {
		const rich = richTicket();
		rich.world.tickets.clear();
		const { page } = await open(rich);
		assert.equal(await page.locator('.failure').textContent(), 'The forge said: notFound.');
	});

	test('fills a page that opened before its account was ready', async () => {
		const rich = richTicket();
		const [connection] = rich.connections.all();
		rich.connections.replace();
		const { page } = await open(rich);
		assert.equal(await page.locator('.failure').textContent(), 'The forge said: notSignedIn.');
		rich.connections.replace(connection!);
		await page.waitForSelector('.entry');
		assert.equal(await page.locator('.failure').filter({ visible: true }).count(), 0);
	});

	test('shows updates during typing and keeps the text', async () => {
		const rich = richTicket();
		const { page } = await open(rich);
		await page.waitForSelector('.entry');
		await page.getByRole('textbox').fill('Half a thought');
		const event = makeEvent({ id: 99, kinds: ['comment'], comment: makeComment('From elsewhere') });
		rich.connections.all()[0]?.tickets.apply({ kind: 'eventsAdded', ticket: rich.subject.ref, events: [event] });
		await page.waitForSelector('[data-key="event-99"]');
		assert.equal(await page.getByRole('textbox').inputValue(), 'Half a thought');
		assert.equal(await page.evaluate(() => document.activeElement?.tagName), 'TEXTAREA');
	});

	test('nothing overflows at 320 px', async () => {
		const { page } = await open({ ...richTicket(), width: 320, height: 640 });
		await page.waitForSelector(newestEntry);
		const overflowing = await page.evaluate(() =>
			Array.from(document.querySelectorAll('#page *'))
				.filter((element) => element.getBoundingClientRect().right > 321 && element.closest('pre,table') === null)
				.map(({ outerHTML }) => outerHTML.slice(0, 80)),
		);
		assert.deepEqual(overflowing, []);
		assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 320);
	});

	/** The area of the editor's notifications: at most 450 px wide, 8 px from the corner. */
	const noticeWidth = 458;

	for (const width of [1000, 700]) {
		const testWidth = width === 1000 ? testInRest : test;
		testWidth(`keeps the comment button clear of the editor’s notifications (${width} px)`, async () => {
			const { page } = await open({ ...richTicket(), width, height: 700 });
			await page.getByRole('textbox', { name: 'Your comment' }).fill('Seen here as well.');
			const button = await page.getByRole('button', { name: 'Comment', exact: true }).boundingBox();
			assert.ok(button && button.x + button.width <= width - noticeWidth, JSON.stringify(button));
		});
	}

	test('shows a failed command’s reason in full at 320 px, above the composer’s buttons', async () => {
		const opened = await open({ ...richTicket(), width: 320, height: 640 });
		const { page } = opened;
		await page.waitForSelector(newestEntry);
		const text = `~alice/alpha#12: The forge rejected this: ${'only people of this tracker may do that, and '.repeat(4)}you may not.`;
		opened.tell('said', text);
		const said = page.getByRole('alert').filter({ hasText: 'you may not.' });
		await said.waitFor();
		const [box, ...buttons] = await Promise.all(
			[said, ...(await page.locator('.composer .actions button:visible').all())].map((each) => each.boundingBox()),
		);
		assert.ok(box && buttons.length > 1);
		assert.ok(box.x >= 0 && box.x + box.width <= 320, JSON.stringify(box));
		assert.ok(await said.evaluate((element) => element.scrollHeight <= element.clientHeight));
		for (const button of buttons) {
			assert.ok(button && button.x >= 0 && button.x + button.width <= 320, JSON.stringify(button));
			assert.ok(button.y >= box.y + box.height || button.y + button.height <= box.y, JSON.stringify([button, box]));
		}
		opened.tell('said', '');
		await said.waitFor({ state: 'detached' });
		assert.equal(await page.locator('.page-failure').textContent(), '');
	});

	test('opens the resolution menu within a page of 320 px', async () => {
		const { page } = await open({ ...richTicket(), width: 320, height: 640 });
		await page.locator('.composer .choice').click();
		const box = await page.locator('.composer .menu').boundingBox();
		assert.ok(box && box.x >= 0 && box.x + box.width <= 320 && box.y >= 0, JSON.stringify(box));
	});

	test('limits the column to 860 px', async () => {
		const { page } = await open({ ...richTicket(), width: 1600 });
		assert.equal((await page.locator('main').boundingBox())?.width, 860);
	});

	test('shows the timeline in a small window, with rarely used parts behind it', async () => {
		const rich = richTicket();
		const permissions = { anonymous: ['browse'], submitter: undefined, user: ['browse', 'comment'] } as const;
		const all = rich.world.tickets.get('~alice/alpha') ?? [];
		rich.world.tickets.set(
			'~alice/alpha',
			all.map((ticket) => ({ ...ticket, permissions, description: 'It stops.\n\nAt the first empty line.' })),
		);
		const { page } = await open({ ...rich, width: 700, height: 560 });
		await page.waitForSelector('.entry');
		const topOf = async (selector: string): Promise<number> =>
			(await page.locator(selector).first().boundingBox())?.y ?? Number.NaN;
		const composer = await topOf('.composer');
		assert.ok((await topOf('.entry')) + 24 < composer, `${await topOf('.entry')} ${composer}`);
		const order = await page
			.locator('.entry, .permissions, .look-for-namings')
			.evaluateAll((found) => found.map((each) => each.getAttribute('class')?.split(' ')[0]));
		assert.deepEqual(order.slice(-2), ['permissions', 'look-for-namings']);
	});

	test('lists patchsets that name the ticket below its text, and opens them on click', async () => {
		const { page } = await open(richTicketWithAll());
		const row = page.locator('.named-in li');
		assert.equal(await row.textContent(), 'Foldv1 · Fixes · ~alice/devel');
		await row.getByRole('button', { name: 'Fold' }).focus();
		const before = stubbed.executed.length;
		await page.keyboard.press('Enter');
		await eventually(async () => stubbed.executed.slice(before), ['forge.patchsets.open']);
		assert.equal(await page.evaluate(() => document.activeElement?.textContent), 'Fold');
	});

	test('runs one search at a time for mails that name the ticket, and shows the result', async () => {
		const { page, asked } = await open(richTicket());
		await page.waitForSelector('.entry');
		const look = page.locator('.ticket-end button.look');
		await look.evaluate((button: HTMLElement) => {
			// In one turn, before any response can arrive.
			button.click();
			button.click();
		});
		await page.locator('.look-for-namings .quiet').filter({ hasNotText: /^$/ }).first().waitFor();
		await eventually(() => look.getAttribute('aria-disabled'), null);
		assert.equal(asked.filter((name) => name === 'lookForNamings').length, 1);
		await look.click();
		await eventually(async () => asked.filter((name) => name === 'lookForNamings').length, 2);
	});

	test('updates relative times while the page is open', async () => {
		const { page } = await open({ ...richTicket(), hasOwnTime: true });
		const when = page.locator('.byline time');
		await when.waitFor();
		const atMs = Date.parse((await when.getAttribute('datetime')) ?? '');
		await page.clock.install({ time: atMs });
		await page.reload();
		await when.waitFor();
		await page.clock.pauseAt(atMs + 2.5 * hourMs);
		await eventually(() => when.textContent(), '2 hours ago');
		await page.clock.runFor(hourMs);
		await eventually(() => when.textContent(), '3 hours ago');
		await page.clock.pauseAt(atMs + 6 * 24 * hourMs + hourMs);
		await eventually(() => when.textContent(), '6 days ago');
		// Beyond a week, relative dates are hard to place, so an absolute date appears.
		await page.clock.pauseAt(atMs + 7 * 24 * hourMs + hourMs);
		await eventually(() => when.textContent(), new Intl.DateTimeFormat('en', { dateStyle: 'medium' }).format(atMs));
	});

	for (const theme of axeThemes) {
		const testTheme = theme === axeThemes[0] ? test : testInRest;
		testTheme(`axe reports no violations (${theme})`, async () => {
			const { page } = await open({ ...richTicketWithAll(), theme });
			await page.waitForSelector(newestEntry);
			await page.getByText('Permissions', { exact: true }).click();
			await page.getByRole('textbox').fill('Some text');
			await page.getByRole('button', { name: 'Choose a resolution' }).click();
			assert.deepEqual(await axeViolations(page, theme), []);
			await page.getByRole('textbox', { name: 'Your comment' }).fill('Ask ~');
			await page.getByRole('option', { name: '~alice' }).waitFor();
			assert.deepEqual(await axeViolations(page, theme), []);
			await page.locator('[data-key="event-12"]').getByRole('button', { name: 'Edit', exact: true }).click();
			await page.getByRole('textbox', { name: 'Edit your comment' }).pressSequentially(' ~');
			await page.locator('.comment-editor').getByRole('option', { name: '~alice' }).waitFor();
			assert.deepEqual(await axeViolations(page, theme), []);
			await page.getByRole('button', { name: 'Edit Labels' }).click();
			await page.getByRole('option', { name: 'docs' }).waitFor();
			assert.deepEqual(await axeViolations(page, theme), []);
		});
	}
});
