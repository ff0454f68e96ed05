import '../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { ForgeError } from 'sourcehut/port/forgeError.ts';
import { contrast } from '../../src/engine/text/contrast.ts';
import { axeThemes, axeViolations } from './support/axe.ts';
import { withAssigning } from '../support/fakeAssigning.ts';
import { withEditing } from '../support/fakeEditing.ts';
import { keepPicture } from './support/pagePictures.ts';
import { makeComment, makeLabel } from '../support/makeTicket.ts';
import { testInRest } from '../support/parts.ts';
import { richTicket } from '../support/richTicket.ts';
import { ticketPages } from './support/ticketPages.ts';

/** Each state of the page with something open, and how to reach it. */
const situations: readonly { readonly name: string; readonly bring: (page: Page) => Promise<void> }[] = [
	{ name: 'as it opens', bring: async () => undefined },
	{
		name: 'with a comment begun',
		bring: async (page) => page.getByRole('textbox', { name: 'Your comment' }).fill('Some text'),
	},
	{
		name: 'with people suggested',
		bring: async (page) => {
			await page.getByRole('textbox', { name: 'Your comment' }).pressSequentially('Ask ~');
			await page.getByRole('listbox').getByRole('option').first().waitFor();
		},
	},
	{
		name: 'with the ways to resolve open',
		bring: async (page) => {
			await page.locator('.composer [aria-haspopup=menu]').click();
			await page.getByRole('menuitemradio').first().waitFor();
		},
	},
	{
		name: 'with the label editor open',
		bring: async (page) => {
			await page.getByRole('button', { name: 'Edit Labels' }).click();
			await page.getByRole('dialog').getByRole('option').first().waitFor();
		},
	},
	{
		name: 'with the box for assignees open',
		bring: async (page) => {
			await page.getByRole('button', { name: 'Assign', exact: true }).click();
			await page.getByRole('dialog').getByRole('option').first().waitFor();
		},
	},
	{
		name: 'with title and description in boxes',
		bring: async (page) => {
			await page.getByRole('button', { name: 'Edit Title and Description' }).click();
			await page.getByRole('textbox', { name: 'Title' }).fill('No');
			await page.keyboard.press('Control+Enter');
			await page.getByText('A title must have 3 to 2048 characters.').waitFor();
		},
	},
	{
		name: 'with the preview shown',
		bring: async (page) => {
			await page
				.getByRole('textbox', { name: 'Your comment' })
				.fill('- [x] **done**\n\n```c\nint x;\n```\n\n> quoted\n\n#3');
			await page.getByRole('tab', { name: 'Preview' }).click();
			await page.locator('.preview .markdown').waitFor();
		},
	},
	{
		name: 'with details unfolded',
		bring: async (page) => {
			await page.locator('summary:visible').first().waitFor();
			for (const summary of await page.locator('summary:visible').all()) {
				await summary.click();
			}
		},
	},
	{
		name: 'with a comment being edited',
		bring: async (page) => {
			await page.locator('.entry').getByRole('button', { name: /^Edit/ }).first().click();
			await page.locator('.entry textarea').waitFor();
		},
	},
	{
		name: 'with a menu of the head open',
		bring: async (page) => {
			await page.locator('header [aria-haspopup=menu]').click();
			await page.getByRole('menuitem').first().waitFor();
		},
	},
];

/** Entries arrive in several messages. */
async function timelineIsThere(page: Page): Promise<void> {
	for (const text of ['The RFC says so', 'It still stops on']) {
		await page.locator('.entry').filter({ hasText: text }).waitFor();
	}
}

/** Some own permissions and some inherited ones. */
function ticketWithPermissions(): ReturnType<typeof richTicket> {
	const rich = richTicket();
	const [ticket] = rich.world.tickets.get('~alice/alpha') ?? [];
	const permissions = { anonymous: ['browse'], submitter: undefined, user: ['browse', 'comment'] } as const;
	rich.world.tickets.set('~alice/alpha', [{ ...ticket!, permissions }]);
	// A server that lets authors edit their text.
	const [connection] = rich.connections.all();
	const api = connection!.forge.trackers;
	const { edit } = withEditing({ world: rich.world, api });
	const { assign } = withAssigning({ world: rich.world, api }, []);
	const subscriptions = { isSubscribed: async () => false, setSubscribed: async () => undefined };
	Object.assign(api, { editComment: async () => makeComment('Edited'), edit, assign, subscriptions });
	return rich;
}

suite('ticket page accessibility', function () {
	this.timeout(120_000);
	const open = ticketPages();

	for (const theme of axeThemes) {
		const isFirst = theme === axeThemes[0];
		testInRest(`axe reports no violations in any open state (${theme})`, async () => {
			for (const { name, bring } of situations) {
				const opened = await open({ ...ticketWithPermissions(), theme });
				await timelineIsThere(opened.page);
				await bring(opened.page);
				assert.deepEqual(await axeViolations(opened.page, theme), [], name);
				await keepPicture(opened.page, `ticket ${name} ${theme}`);
				await opened.close();
			}
		});

		const testFailure = isFirst ? test : testInRest;
		testFailure(`axe reports no violations on a failed page (${theme})`, async () => {
			const rich = richTicket();
			rich.world.before = (call) => {
				if (call.startsWith('events')) {
					throw new ForgeError({ kind: 'serverError', status: 500 });
				}
			};
			const { page } = await open({ ...rich, theme });
			await page.waitForSelector('.timeline .failure');
			assert.deepEqual(await axeViolations(page, theme), []);
		});
	}

	test('every label has a contrast of at least 4.5 to 1 for any colours', async () => {
		const rich = richTicket();
		const colors = ['00', '55', '80', 'aa', 'ff'];
		const labels = colors.flatMap((red) =>
			colors.flatMap((green) =>
				colors.map((blue) => makeLabel(`${red}${green}${blue}`, `#${red}${green}${blue}`, '#777777')),
			),
		);
		rich.world.labels.set('~alice/alpha', labels);
		const [ticket] = rich.world.tickets.get('~alice/alpha') ?? [];
		rich.world.tickets.set('~alice/alpha', [{ ...ticket!, labels: labels.map(({ name }) => name) }]);
		const { page } = await open(rich);
		await page
			.locator('header .label')
			.nth(labels.length - 1)
			.waitFor();
		const pairs = await page.locator('header .label').evaluateAll((chips) =>
			chips.map((chip) => {
				const { backgroundColor, color } = getComputedStyle(chip);
				const hex = (text: string): string =>
					`#${Array.from(text.matchAll(/\d+/g), ([part]) => Number(part).toString(16).padStart(2, '0'))
						.slice(0, 3)
						.join('')}`;
				return { name: chip.textContent, background: hex(backgroundColor), text: hex(color) };
			}),
		);
		assert.equal(pairs.length, labels.length);
		assert.deepEqual(
			pairs.filter(({ name, background, text }) => background !== `#${name}` || contrast(background, text) < 4.5),
			[],
		);
	});

	test('no name or description of an element begins or ends with a space', async () => {
		const { page } = await open(ticketWithPermissions());
		await timelineIsThere(page);
		const names = await page.evaluate(() =>
			Array.from(document.querySelectorAll('*')).flatMap((element) =>
				['aria-label', 'aria-description', 'title', 'placeholder'].flatMap((name) => element.getAttribute(name) ?? []),
			),
		);
		assert.ok(names.length > 20, String(names.length));
		assert.deepEqual(
			names.filter((name) => name !== name.trim()),
			[],
		);
	});

	test('every button, box and list has a name, and icons beside words are hidden from screen readers', async () => {
		const { page } = await open(richTicket());
		await timelineIsThere(page);
		const nameless = await page.evaluate(() =>
			Array.from(document.querySelectorAll('button, input, textarea, select, ul.labels, [role=img], [role=listbox]'))
				.filter((element) => {
					const name = element.getAttribute('aria-label') ?? element.textContent ?? '';
					return name.trim() === '' && !element.hasAttribute('aria-labelledby');
				})
				.map(({ outerHTML }) => outerHTML.slice(0, 120)),
		);
		assert.deepEqual(nameless, []);
		assert.equal(await page.locator('.icon:not([aria-hidden=true])').count(), 0);
	});
});
