import '../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import type { Locator, Page } from 'playwright-core';
import type { Comment } from 'sourcehut/port/ticket.ts';
import type { DraftSubject } from '../../src/store/drafts/drafts.ts';
import { eventually } from '../support/eventually.ts';
import { withEditing } from '../support/fakeEditing.ts';
import { ticketsParts } from '../support/fakeTicketsParts.ts';
import { makeComment, makeParticipant } from '../support/makeTicket.ts';
import { richTicket } from '../support/richTicket.ts';
import { ticketPages } from './support/ticketPages.ts';
import type { PageInBrowser, PageWish } from './support/ticketPageInBrowser.ts';

const macintosh = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko)';

/** Everything in it is editable, and the test decides when the forge responds to a write. */
function heldTicket() {
	const rich = richTicket();
	const held = Promise.withResolvers<void>();
	const [connection] = rich.connections.all();
	assert.ok(connection);
	const api = connection.forge.trackers;
	Object.assign(api, {
		edit: withEditing({ world: rich.world, api }).edit,
		async editComment(_: unknown, id: number, text: string): Promise<Comment> {
			await held.promise;
			return makeComment(text, { id: id + 1, submitter: makeParticipant('alice') });
		},
	});
	rich.world.before = (call) => (/^(?:update|edit) /.test(call) ? held.promise : undefined);
	return { ...rich, answer: held.resolve };
}

/** The parts that the host keeps beyond the life of a page. */
function partsOf({ connections }: Pick<PageWish, 'connections'>) {
	const unused = (): never => {
		throw new Error('Pages are opened by the test');
	};
	return ticketsParts(connections, {
		open: unused,
		restore: unused,
		inFront: () => undefined,
		front: () => undefined,
		dispose: () => undefined,
	});
}

function hasKeyboard(box: Locator): Promise<boolean> {
	return box.evaluate((element) => document.activeElement === element);
}

function composerOf(page: Page): Locator {
	return page.getByRole('textbox', { name: 'Your comment', exact: true });
}

suite('keyboard focus on the ticket page', function () {
	this.timeout(60_000);
	const openPage = ticketPages();

	async function open(wish: PageWish): Promise<PageInBrowser> {
		const page = await openPage(wish);
		await page.page.waitForSelector('.entry');
		return page;
	}

	test('stays where the user types when a label change is saved', async () => {
		const { answer, ...rich } = heldTicket();
		const { page } = await open(rich);
		const dialog = page.getByRole('dialog', { name: 'Edit Labels' });
		await page.getByRole('button', { name: 'Edit Labels' }).click();
		await dialog.getByRole('option', { name: 'bug' }).waitFor();
		await page.keyboard.press('Enter');
		await page.keyboard.press('Control+Enter');
		await composerOf(page).click();
		answer();
		await dialog.waitFor({ state: 'hidden' });
		assert.equal(await hasKeyboard(composerOf(page)), true);
	});

	test('saving labels does not close a list that the user has reopened meanwhile', async () => {
		const { answer, ...rich } = heldTicket();
		const { page } = await open(rich);
		const dialog = page.getByRole('dialog', { name: 'Edit Labels' });
		await page.getByRole('button', { name: 'Edit Labels' }).click();
		await dialog.getByRole('option', { name: 'bug' }).waitFor();
		await page.keyboard.press('Enter');
		await page.keyboard.press('Control+Enter');
		await page.keyboard.press('Escape');
		await dialog.waitFor({ state: 'hidden' });
		await page.getByRole('button', { name: 'Edit Labels' }).click();
		await dialog.getByRole('option', { name: 'docs' }).waitFor();
		await page.keyboard.type('doc');
		answer();
		// Enabled again when the response is fully processed.
		await page.locator('.popup button.secondary:disabled').waitFor({ state: 'detached' });
		assert.equal(await dialog.isVisible(), true);
		assert.equal(await dialog.getByRole('combobox').inputValue(), 'doc');
	});

	for (const goesOn of [true, false]) {
		test(`saving an edited comment leaves it ${goesOn ? 'where the user types on' : 'at its button'}`, async () => {
			const { answer, ...rich } = heldTicket();
			const { page } = await open(rich);
			const entry = page.locator('[data-key="event-12"]');
			await entry.getByRole('button', { name: 'Edit' }).click();
			await page.getByRole('textbox', { name: 'Edit your comment' }).fill('Changed here');
			await page.keyboard.press('Control+Enter');
			await (goesOn ? composerOf(page).click() : undefined);
			answer();
			await entry.locator('.comment-editor').waitFor({ state: 'detached' });
			const button = entry.getByRole('button', { name: 'Edit' });
			assert.equal(await hasKeyboard(goesOn ? composerOf(page) : button), true);
		});

		test(`saving a title leaves it ${goesOn ? 'where the user types on' : 'at its button'}`, async () => {
			const { answer, ...rich } = heldTicket();
			const { page } = await open(rich);
			const button = page.getByRole('button', { name: 'Edit Title and Description' });
			await button.click();
			const title = page.getByRole('textbox', { name: 'Title' });
			await title.fill('Changed here');
			await page.keyboard.press('Control+Enter');
			await (goesOn ? composerOf(page).click() : undefined);
			answer();
			await title.waitFor({ state: 'detached' });
			assert.equal(await hasKeyboard(goesOn ? composerOf(page) : button), true);
		});
	}

	test('notifies the editor when it enters and leaves a text box, but not for a check box', async () => {
		const { page } = await open(richTicket());
		const told = await page.evaluateHandle(() => {
			const all: unknown[] = [];
			window.toHost = (message) => void all.push(message);
			return all;
		});
		const typing = (): Promise<readonly unknown[]> =>
			told.evaluate((all) =>
				all.flatMap((each) => (typeof each === 'object' && each !== null && 'isTyping' in each ? [each.isTyping] : [])),
			);
		await composerOf(page).click();
		assert.deepEqual((await typing()).slice(-1), [true]);
		await page.keyboard.press('Shift+Tab');
		assert.deepEqual((await typing()).slice(-1), [false]);
		await page.evaluate(() => {
			const box = document.createElement('input');
			box.type = 'checkbox';
			document.body.append(box);
			box.focus();
		});
		assert.deepEqual((await typing()).slice(-1), [false]);
	});

	test('starts in the composer when the user came to comment, despite open edits', async () => {
		const rich = heldTicket();
		const parts = partsOf(rich);
		const { connectionKey, ref } = rich.subject;
		const changed: readonly (readonly [DraftSubject, string])[] = [
			[{ kind: 'ticketText', connectionKey, ref }, 'Half a title\n\nHalf a description'],
			[{ kind: 'editedEntry', connectionKey, ref, eventId: 12 }, 'Half a change'],
		];
		await Promise.all(changed.map(([about, text]) => parts.drafts.keep(about, { text, atMs: 1_700_000_000_000 })));
		const { page } = await open({ ...rich, parts, focusComposer: true });
		await page.getByRole('textbox', { name: 'Title' }).waitFor();
		await page.getByRole('textbox', { name: 'Edit your comment' }).waitFor();
		await eventually(() => hasKeyboard(composerOf(page)), true);
	});

	test('saving with an open suggestion sends the whole text and deletes its draft', async () => {
		const { answer, ...rich } = heldTicket();
		answer();
		const parts = partsOf(rich);
		const { connectionKey, ref } = rich.subject;
		const draft = async (): Promise<string | undefined> =>
			parts.drafts.draft({ kind: 'ticketText', connectionKey, ref })?.text.replace(/^.*\n\n/, '');
		const { page } = await open({ ...rich, parts });
		await page.getByRole('button', { name: 'Edit Title and Description' }).click();
		const box = page.getByRole('textbox', { name: 'Description' });
		await box.fill('Ask ~ca');
		await box.pressSequentially('r');
		await page.getByRole('option', { name: '~carol' }).waitFor();
		await eventually(draft, 'Ask ~car');
		await page.keyboard.press('Enter');
		await eventually(() => box.inputValue(), 'Ask ~carol ');
		await page.keyboard.press('Control+Enter');
		await box.waitFor({ state: 'detached' });
		assert.ok(rich.world.calls.some((call) => call.startsWith('edit') && call.includes('Ask ~carol')));
		assert.equal(await draft(), undefined);
	});

	test('a key that ends an IME composition toggles no label', async () => {
		const { page, asked } = await open(richTicket());
		const dialog = page.getByRole('dialog', { name: 'Edit Labels' });
		await page.getByRole('button', { name: 'Edit Labels' }).click();
		await dialog.getByRole('option', { name: 'bug' }).waitFor();
		await dialog.getByRole('combobox').evaluate((element) => {
			const key = { key: 'Enter', isComposing: true, bubbles: true, cancelable: true };
			element.dispatchEvent(new KeyboardEvent('keydown', key));
		});
		await page.keyboard.press('Control+Enter');
		await dialog.waitFor({ state: 'hidden' });
		assert.ok(!asked.includes('changeLabels'));
	});

	for (const [where, agent, chord, typed] of [
		['elsewhere', undefined, 'Alt+j', 'Control+Alt+j'],
		['on a Mac', macintosh, 'Control+Alt+j', 'Alt+j'],
	] as const) {
		test(`keys of a chord type nothing into the box, and character combinations are no chord (${where})`, async () => {
			const { page } = await open(richTicket());
			if (agent !== undefined) {
				await page.addInitScript((value) => Object.defineProperty(navigator, 'userAgent', { value }), agent);
				await page.reload();
				await page.waitForSelector('.entry');
			}
			const box = composerOf(page);
			await box.focus();
			await page.keyboard.press(chord);
			await page.keyboard.press('m');
			assert.equal(await box.inputValue(), '');
			await page.keyboard.press(typed);
			await page.keyboard.press('m');
			assert.match(await box.inputValue(), /m$/);
		});
	}
});
