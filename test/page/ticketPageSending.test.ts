import '../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import type { Comment } from '../../src/forge/ticket.ts';
import { ForgeError } from '../../src/forge/forgeError.ts';
import { makeComment, makeParticipant } from '../support/makeTicket.ts';
import { richTicket } from '../support/richTicket.ts';
import type { PageInBrowser, PageWish } from '../support/ticketPageInBrowser.ts';
import { ticketPages } from '../support/ticketPages.ts';

const name = '~alice/alpha#12';

/** What the forge waits for before it answers a write, and how often it was written to. */
function heldBack(rich: ReturnType<typeof richTicket>): { readonly arrived: Promise<void>; readonly go: () => void } {
	const arrived = Promise.withResolvers<void>();
	const going = Promise.withResolvers<void>();
	rich.world.before = async (call) => {
		if (call.startsWith('update')) {
			arrived.resolve();
			await going.promise;
		}
	};
	return { arrived: arrived.promise, go: () => going.resolve() };
}

suite('a ticket page while something is on its way', function () {
	this.timeout(60_000);
	const openPage = ticketPages();

	async function open(wish: PageWish): Promise<PageInBrowser> {
		const page = await openPage(wish);
		await page.page.waitForSelector('.entry');
		return page;
	}

	test('a comment that is sent while its page is hidden and shown again does not come back as a draft', async () => {
		const rich = richTicket();
		const { arrived, go } = heldBack(rich);
		const { page } = await open(rich);
		const box = page.getByRole('textbox', { name: 'Your comment' });
		await box.fill('Only once');
		await page.keyboard.press('Control+Enter');
		await arrived;
		await page.reload();
		await page.locator('.composer[aria-busy="true"]').waitFor();
		assert.deepEqual([await box.inputValue(), await box.isEditable()], ['Only once', false]);
		go();
		await page.locator('.composer[aria-busy="false"]').waitFor();
		assert.deepEqual([await box.inputValue(), await box.isEditable()], ['', true]);
		await page.reload();
		await page.waitForSelector('.entry');
		assert.equal(await box.inputValue(), '');
		assert.equal(rich.world.events.get(name)?.filter(({ comment }) => comment?.text === 'Only once').length, 1);
	});

	test('a comment that the forge has before its page is shown again is no draft any more', async () => {
		const rich = richTicket();
		const { arrived, go } = heldBack(rich);
		const { page, nextDraft } = await open(rich);
		const box = page.getByRole('textbox', { name: 'Your comment' });
		await box.fill('Only once');
		await page.keyboard.press('Control+Enter');
		await arrived;
		const address = page.url();
		await page.goto('about:blank');
		const forgotten = nextDraft();
		go();
		assert.equal(await forgotten, '');
		await page.goto(address);
		await page.waitForSelector('.entry');
		await page.getByText('Only once').waitFor();
		assert.equal(await box.inputValue(), '');
	});

	test('after a lost answer a page that is shown again can look again, and sending looks first', async () => {
		const rich = richTicket();
		let isDown = false;
		rich.world.before = () => {
			if (isDown) {
				throw new ForgeError({ kind: 'serverError', status: 502 });
			}
		};
		rich.world.after = (call) => {
			if (call.startsWith('update')) {
				isDown = true;
				throw new ForgeError({ kind: 'serverError', status: 502 });
			}
		};
		const { page } = await open(rich);
		const box = page.getByRole('textbox', { name: 'Your comment' });
		await box.fill('Only once');
		await page.keyboard.press('Control+Enter');
		const look = page.getByRole('button', { name: 'Look again' });
		await look.waitFor();
		await page.reload();
		await look.waitFor();
		assert.equal(await box.inputValue(), 'Only once');
		isDown = false;
		await box.press('Control+Enter');
		await page.getByText('The answer was lost, but the forge has your comment.').waitFor();
		assert.equal(await box.inputValue(), '');
		assert.equal(rich.world.events.get(name)?.filter(({ comment }) => comment?.text === 'Only once').length, 1);
	});

	test('a quote that is wished while a comment is sent stands in the box afterwards', async () => {
		const rich = richTicket();
		const { arrived, go } = heldBack(rich);
		const { page } = await open(rich);
		const box = page.getByRole('textbox', { name: 'Your comment' });
		await box.fill('Sent');
		await page.keyboard.press('Control+Enter');
		await arrived;
		const entry = page.locator('[data-key="event-10"]');
		await entry.locator('.markdown p').evaluate((paragraph) => {
			const text = paragraph.firstChild;
			window.getSelection()?.setBaseAndExtent(text ?? paragraph, 0, text ?? paragraph, 4);
		});
		await entry.getByRole('button', { name: 'Quote' }).click();
		assert.equal(await box.inputValue(), 'Sent');
		go();
		await page.locator('.composer[aria-busy="false"]').waitFor();
		assert.equal(await box.inputValue(), '> Seen\n\n');
	});

	test('nothing can be typed into a comment while its change is saved, and its box leaves no listener behind', async () => {
		const rich = richTicket();
		const [connection] = rich.connections.all();
		const going = Promise.withResolvers<void>();
		Object.assign(connection?.forge.trackers ?? {}, {
			async editComment(_: unknown, id: number, text: string): Promise<Comment> {
				await going.promise;
				return makeComment(text, { id: id + 1, submitter: makeParticipant('alice') });
			},
		});
		const { page } = await open(rich);
		await page.evaluate(() => {
			const add = window.addEventListener.bind(window);
			const count = (by: number): void => {
				Object.assign(window, { left: Number(Reflect.get(window, 'left') ?? 0) + by });
			};
			Object.assign(window, {
				addEventListener(type: string, listener: () => void, options?: AddEventListenerOptions) {
					if (type === 'pagehide') {
						count(1);
						options?.signal?.addEventListener('abort', () => count(-1));
					}
					add(type, listener, options);
				},
			});
		});
		const entry = page.locator('[data-key="event-12"]');
		await entry.getByRole('button', { name: 'Edit' }).click();
		const box = page.getByRole('textbox', { name: 'Edit your comment' });
		await box.fill('Changed');
		await page.keyboard.press('Control+Enter');
		await entry.locator('.comment-editor[aria-busy="true"]').waitFor();
		await page.keyboard.type(' and more');
		assert.deepEqual([await box.inputValue(), await box.isEditable()], ['Changed', false]);
		assert.equal(await page.evaluate(() => Number(Reflect.get(window, 'left'))), 1);
		going.resolve();
		await entry.locator('.comment-editor').waitFor({ state: 'detached' });
		await entry.locator('.markdown p', { hasText: 'Changed' }).waitFor();
		assert.equal(await page.evaluate(() => Number(Reflect.get(window, 'left'))), 0);
	});
});
