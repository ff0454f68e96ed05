import '../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import type { Comment } from 'sourcehut/port/ticket.ts';
import { ForgeError } from 'sourcehut/port/forgeError.ts';
import { draftKey, DraftNotKept, type Drafts } from '../../src/store/drafts/drafts.ts';
import { eventually } from '../support/eventually.ts';
import { makeComment, makeEvent, makeParticipant } from '../support/makeTicket.ts';
import { richTicket } from '../support/richTicket.ts';
import { ticketsParts } from '../support/fakeTicketsParts.ts';
import type { PageInBrowser, PageWish } from '../support/ticketPageInBrowser.ts';
import { ticketPages } from '../support/ticketPages.ts';

const { pageRenderer } = await import('../../src/editor/pages/pageRenderer.ts');
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

/** How often the forge was written to. */
function updates(rich: ReturnType<typeof richTicket>): number {
	return rich.world.calls.filter((call) => call.startsWith('update')).length;
}

/** Loses the answer of the next write, and answers nothing more while it is down. */
function failsAfterWrite({ world }: ReturnType<typeof richTicket>): { isDown: boolean } {
	const server = { isDown: false };
	world.before = () => {
		if (server.isDown) {
			throw new ForgeError({ kind: 'serverError', status: 502 });
		}
	};
	world.after = (call) => {
		if (call.startsWith('update')) {
			server.isDown = true;
			throw new ForgeError({ kind: 'serverError', status: 502 });
		}
	};
	return server;
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
		const server = failsAfterWrite(rich);
		const { page } = await open(rich);
		const box = page.getByRole('textbox', { name: 'Your comment' });
		await box.fill('Only once');
		await page.keyboard.press('Control+Enter');
		const look = page.getByRole('button', { name: 'Check Again' });
		await look.waitFor();
		await page.reload();
		await look.waitFor();
		assert.equal(await box.inputValue(), 'Only once');
		server.isDown = false;
		await box.press('Control+Enter');
		await page.getByText('The response was lost, but your comment was posted.').waitFor();
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

	test('a comment that is sent by two quick keys goes to the forge once', async () => {
		const rich = richTicket();
		const { arrived, go } = heldBack(rich);
		const { page, asked } = await open(rich);
		const box = page.getByRole('textbox', { name: 'Your comment' });
		await box.fill('Only once');
		await box.evaluate((element) => {
			// In one turn, before any answer can come.
			for (let time = 0; time < 2; time += 1) {
				element.dispatchEvent(
					new KeyboardEvent('keydown', { key: 'Enter', ctrlKey: true, bubbles: true, cancelable: true }),
				);
			}
		});
		await arrived;
		assert.equal(await page.locator('#composer-note').textContent(), 'Sending…');
		go();
		await page.locator('.composer[aria-busy="false"]').waitFor();
		await page.locator('[data-key="event-16"]').waitFor();
		assert.deepEqual([updates(rich), asked.filter((question) => question === 'send').length], [1, 1]);
	});

	test('what was typed after a lost answer stays in the box when the lost comment is found', async () => {
		const rich = richTicket();
		const server = failsAfterWrite(rich);
		const { page } = await open(rich);
		const box = page.getByRole('textbox', { name: 'Your comment' });
		await box.fill('The first');
		await page.keyboard.press('Control+Enter');
		const look = page.getByRole('button', { name: 'Check Again' });
		await look.waitFor();
		await box.fill('The first, and more');
		server.isDown = false;
		await look.click();
		await page.getByText('The response was lost, but your comment was posted.').waitFor();
		await page.locator('.composer[aria-busy="false"]').waitFor();
		assert.deepEqual([await box.inputValue(), updates(rich)], ['The first, and more', 1]);
		await page.reload();
		await page.waitForSelector('.entry');
		assert.equal(await box.inputValue(), 'The first, and more');
	});

	test('sending again sends only what the forge does not have', async () => {
		const rich = richTicket();
		let isLost = true;
		rich.world.before = (call) => {
			if (isLost && call.startsWith('update')) {
				isLost = false;
				// Of the request the comment takes effect, and the resolution does not.
				const comment = makeComment('Done.', { submitter: makeParticipant('alice') });
				const event = makeEvent({ id: 16, kinds: ['comment'], user: makeParticipant('alice'), comment });
				rich.world.events.set(name, [event, ...(rich.world.events.get(name) ?? [])]);
				throw new ForgeError({ kind: 'serverError', status: 502 });
			}
		};
		const { page } = await open(rich);
		const box = page.getByRole('textbox', { name: 'Your comment' });
		await box.fill('Done.');
		await page.getByRole('button', { name: 'Comment and Resolve as fixed' }).click();
		await page.getByText('Your comment was posted, but the change was not made.').waitFor();
		assert.equal(await box.inputValue(), '');
		await box.fill('Another thought');
		await page.getByRole('button', { name: 'Send Again' }).click();
		await page.locator('.status-resolved').waitFor();
		await page.locator('.composer[aria-busy="false"]').waitFor();
		assert.deepEqual(
			rich.world.calls.filter((call) => call.startsWith('update')).map((call) => call.slice(call.indexOf('{'))),
			['{"comment":"Done.","status":"resolved","resolution":"fixed"}', '{"status":"resolved","resolution":"fixed"}'],
		);
		assert.equal(await box.inputValue(), 'Another thought');
	});

	/** A ticket whose page's drafts the test sees. */
	function withDrafts() {
		const rich = richTicket();
		const [connection] = rich.connections.all();
		assert.ok(connection);
		const parts = ticketsParts(rich.connections, {
			open: () => assert.fail(),
			restore: () => assert.fail(),
			inFront: () => undefined,
			front: () => undefined,
			dispose: () => undefined,
		});
		const about = { kind: 'comment', connectionKey: connection.key, ref: rich.subject.ref } as const;
		return { rich, connection, parts, about };
	}

	test('the host is told once that somebody writes, at the first key, and not of what is only looked at', async () => {
		const { page, asked } = await open(richTicket());
		const told = (): number => asked.filter((name) => name === 'writing').length;
		await page.getByRole('tab', { name: 'Preview' }).click();
		await page.getByRole('tab', { name: 'Write' }).click();
		assert.equal(told(), 0);
		await page.getByRole('textbox', { name: 'Your comment' }).pressSequentially('ab');
		await eventually(async () => told(), 1);
		assert.ok(asked.indexOf('writing') > 0 && !asked.slice(0, asked.indexOf('writing')).includes('keepDraft'));
	});

	test('what the tab kept of another ticket is nothing to this one', async () => {
		const rich = richTicket();
		const subject = { ...rich.subject, ref: { ...rich.subject.ref, id: rich.subject.ref.id + 1 } };
		const { page } = await open({ ...rich, kept: { subject, draft: { text: 'Elsewhere', atMs: Date.now() } } });
		assert.equal(await page.getByRole('textbox', { name: 'Your comment' }).inputValue(), '');
	});

	test('a draft that only the page had when it went is handed to the host when it comes back', async () => {
		const { rich, parts, about } = withDrafts();
		const kept = { subject: rich.subject, draft: { text: 'Half a thought', atMs: 1_700_000_000_000 } };
		await open({ ...rich, parts, kept });
		await eventually(async () => parts.drafts.draft(about), kept.draft);
	});

	test('a draft that the page kept from before it was sent does not come back', async () => {
		const { rich, connection, parts, about } = withDrafts();
		const sentMs = 1_700_000_000_000;
		connection.journal.onDelivered(async () => [{ key: draftKey(about), atMs: sentMs }]);
		await connection.writes.write(rich.subject.ref, { comment: 'Only once' }, new AbortController().signal);
		const kept = { subject: rich.subject, draft: { text: 'Only once', atMs: sentMs - 1000 } };
		const { page } = await open({ ...rich, parts, kept });
		await page.getByText('Only once').waitFor();
		assert.equal(await page.getByRole('textbox', { name: 'Your comment' }).inputValue(), '');
		assert.equal(parts.drafts.draft(about), undefined);
	});

	/** A renderer that is there, and that can keep the page from being told where its host stands. */
	async function heldRenderer() {
		const loaded = pageRenderer(() => import('../../src/render.ts'));
		await loaded.load();
		const held: { until: Promise<void> } = { until: Promise.resolve() };
		return { held, renderer: { ...loaded, load: () => held.until.then(() => loaded.load()) } };
	}

	test('a draft that came with the page and was sent is not in the box again before the host has told', async () => {
		const { rich, connection, parts, about } = withDrafts();
		await parts.drafts.keep(about, { text: 'Only once', atMs: 1_700_000_000_000 });
		await connection.tickets.tickets(rich.subject.ref.tracker, new AbortController().signal);
		const { held, renderer } = await heldRenderer();
		const { page, kept } = await open({ ...rich, parts, renderer });
		const box = page.getByRole('textbox', { name: 'Your comment' });
		await eventually(() => box.inputValue(), 'Only once');
		await page.getByRole('button', { name: 'Comment', exact: true }).click();
		await page.locator('[data-key="event-16"]').waitFor();
		await eventually(async () => /"text":"".*"isGiven":true/.test(JSON.stringify(await kept())), true);
		const telling = Promise.withResolvers<void>();
		held.until = telling.promise;
		await page.reload();
		await box.waitFor();
		assert.equal(await box.inputValue(), '');
		telling.resolve();
	});

	test('a draft that is deleted while its comment is sent does not come back when the forge refuses it', async () => {
		const { rich, parts, about } = withDrafts();
		const { arrived, go } = heldBack(rich);
		const { before } = rich.world;
		rich.world.before = async (call) => {
			await before?.(call);
			if (call.startsWith('update')) {
				throw new ForgeError({ kind: 'invalid', errors: [] });
			}
		};
		const { page } = await open({ ...rich, parts });
		const box = page.getByRole('textbox', { name: 'Your comment' });
		await box.fill('Never mind');
		await page.keyboard.press('Control+Enter');
		await arrived;
		await parts.drafts.keep(about, { text: '', atMs: Date.now() });
		go();
		await page.locator('.composer[aria-busy="false"]').waitFor();
		assert.equal(await box.inputValue(), 'Never mind');
		await page.reload();
		await page.waitForSelector('.entry');
		assert.deepEqual([await box.inputValue(), parts.drafts.draft(about)], ['', undefined]);
	});

	test('a comment that is sent right after it was typed is handed to the host once', async () => {
		const { page, asked } = await open(richTicket());
		const box = page.getByRole('textbox', { name: 'Your comment' });
		await box.evaluate((element) => {
			// In one turn, before the draft is handed over at a pause.
			Object.assign(element, { value: 'At once' });
			element.dispatchEvent(new Event('input', { bubbles: true }));
			const key = { key: 'Enter', ctrlKey: true, bubbles: true, cancelable: true };
			element.dispatchEvent(new KeyboardEvent('keydown', key));
		});
		await page.locator('[data-key="event-16"]').waitFor();
		const names = asked.slice(0, asked.indexOf('send'));
		assert.equal(names.filter((each) => each === 'keepDraft').length, 1);
	});

	for (const isThere of [true, false]) {
		const what = isThere ? 'stays, and is what the host has' : 'goes when the host has it no more';
		test(`a draft that the host had fills the box of a page that is shown again at once, and ${what}`, async () => {
			const { rich, connection, parts, about } = withDrafts();
			const draft = { text: 'Half a thought', atMs: 1_700_000_000_000 };
			if (isThere) {
				await parts.drafts.keep(about, draft);
			}
			await connection.tickets.tickets(rich.subject.ref.tracker, new AbortController().signal);
			const loaded = pageRenderer(() => import('../../src/render.ts'));
			await loaded.load();
			const reading = Promise.withResolvers<void>();
			const renderer = { ...loaded, load: () => reading.promise.then(() => loaded.load()) };
			const kept = { subject: rich.subject, draft, isGiven: true };
			const { page, asked } = await openPage({ ...rich, parts, renderer, kept });
			const box = page.getByRole('textbox', { name: 'Your comment' });
			assert.equal(await box.inputValue(), 'Half a thought');
			reading.resolve();
			await page.waitForSelector('.entry');
			await eventually(() => box.inputValue(), isThere ? 'Half a thought' : '');
			assert.ok(!asked.includes('keepDraft'));
		});
	}

	/** Drafts on a disk that may be full. */
	function keptOn(disk: { readonly isFull: boolean }, drafts: Drafts): Drafts {
		return {
			...drafts,
			async keep(subject, draft) {
				if (disk.isFull) {
					throw new DraftNotKept(true, undefined);
				}
				await drafts.keep(subject, draft);
			},
		};
	}

	test('a draft that the disk refuses is said to stand here only, and stays until the disk takes it', async () => {
		const { rich, parts, about } = withDrafts();
		const disk = { isFull: true };
		const explain = (error: unknown): string => (error instanceof DraftNotKept ? 'The disk is full.' : 'Another.');
		const { page, kept } = await open({ ...rich, parts: { ...parts, drafts: keptOn(disk, parts.drafts) }, explain });
		const box = page.getByRole('textbox', { name: 'Your comment' });
		const note = page.locator('#composer-note');
		await box.fill('Half a thought');
		await note.filter({ hasText: /^The disk is full\.$/ }).waitFor();
		await box.fill('Half a thought more');
		assert.equal(await note.textContent(), 'The disk is full.');
		assert.match(JSON.stringify(await kept()), /"draft":\{"text":"Half a thought more",/);
		disk.isFull = false;
		await box.fill('A whole thought');
		await note.filter({ hasText: /^Draft saved$/ }).waitFor();
		assert.equal(parts.drafts.draft(about)?.text, 'A whole thought');
		assert.match(JSON.stringify(await kept()), /"isGiven":true/);
	});

	test('a draft that the disk refuses while its comment is sent is said at the next key', async () => {
		const { rich, parts } = withDrafts();
		rich.world.before = (call) => {
			if (call.startsWith('update')) {
				throw new ForgeError({ kind: 'invalid', errors: [] });
			}
		};
		const disk = { isFull: false };
		const explain = (error: unknown): string => (error instanceof DraftNotKept ? 'The disk is full.' : 'Refused.');
		const { page } = await open({ ...rich, parts: { ...parts, drafts: keptOn(disk, parts.drafts) }, explain });
		const box = page.getByRole('textbox', { name: 'Your comment' });
		const note = page.locator('#composer-note');
		await box.fill('Half a thought');
		await note.filter({ hasText: /^Draft saved$/ }).waitFor();
		disk.isFull = true;
		await page.keyboard.press('Control+Enter');
		await page.getByText('Refused.').waitFor();
		await box.fill('Half a thought more');
		await note.filter({ hasText: /^The disk is full\.$/ }).waitFor();
	});

	test('that the change of a comment is not kept is said once, and what is new is said', async () => {
		const { rich, connection, parts } = withDrafts();
		Object.assign(connection.forge.trackers, { editComment: () => Promise.reject(new Error('unused')) });
		let refusal: Error = new DraftNotKept(true, undefined);
		const drafts: Drafts = { ...parts.drafts, keep: () => Promise.reject(refusal) };
		const explain = (error: unknown): string => (error instanceof DraftNotKept ? 'The disk is full.' : 'Another.');
		const { page, asked } = await open({ ...rich, parts: { ...parts, drafts }, explain });
		const handed = (): number => asked.filter((each) => each === 'keepDraft').length;
		await page.locator('[data-key="event-12"]').getByRole('button', { name: 'Edit' }).click();
		const box = page.getByRole('textbox', { name: 'Edit your comment' });
		const seen = page.locator('.page-failure');
		await box.fill('Changed');
		await seen.filter({ hasText: /^The disk is full\.$/ }).waitFor();
		await seen.evaluate((element) => {
			const said: (string | null)[] = [];
			Object.assign(window, { said });
			const watching = { childList: true, characterData: true, subtree: true };
			new MutationObserver(() => said.push(element.textContent)).observe(element, watching);
		});
		await box.fill('Changed more');
		await eventually(async () => handed(), 2);
		refusal = new Error('another');
		await box.fill('Changed yet more');
		await seen.filter({ hasText: /^Another\.$/ }).waitFor();
		assert.ok(!(await page.evaluate(() => JSON.stringify(Reflect.get(window, 'said')))).includes('full'));
	});

	test('a draft that the host has from later is not replaced by what the page kept', async () => {
		const { rich, parts, about } = withDrafts();
		const later = { text: 'A whole thought', atMs: 1_700_000_001_000 };
		await parts.drafts.keep(about, later);
		const kept = { subject: rich.subject, draft: { text: 'Half a thought', atMs: 1_700_000_000_000 } };
		const texts: (string | undefined)[] = [];
		parts.drafts.onDidChange(() => texts.push(parts.drafts.draft(about)?.text));
		const { page } = await open({ ...rich, parts, kept });
		const box = page.getByRole('textbox', { name: 'Your comment' });
		assert.equal(await box.inputValue(), later.text);
		// The page hands over in order, so this comes after whatever it handed over when it started.
		await box.fill('A whole thought, and more');
		await eventually(async () => texts.at(-1), 'A whole thought, and more');
		assert.deepEqual(texts, ['A whole thought, and more']);
	});

	for (const isTyped of [true, false]) {
		const what = isTyped ? 'does not go over what was typed meanwhile' : 'stands in a box that nobody has touched';
		test(`a draft that another window kept while the page was loading ${what}`, async () => {
			const { rich, connection, parts, about } = withDrafts();
			// The page is there before it has asked where its host stands, and the answer is held back.
			await connection.tickets.tickets(rich.subject.ref.tracker, new AbortController().signal);
			const loaded = pageRenderer(() => import('../../src/render.ts'));
			await loaded.load();
			const reading = Promise.withResolvers<void>();
			const renderer = { ...loaded, load: () => reading.promise.then(() => loaded.load()) };
			const { page } = await openPage({ ...rich, parts, renderer });
			const box = page.getByRole('textbox', { name: 'Your comment' });
			if (isTyped) {
				await box.fill('Typed here');
			}
			await parts.drafts.keep(about, { text: 'Of another window', atMs: Date.now() + 3_600_000 });
			reading.resolve();
			await page.waitForSelector('.entry');
			assert.equal(await box.inputValue(), isTyped ? 'Typed here' : 'Of another window');
		});
	}

	for (const [what, limit] of [
		['shortest', 3],
		['longest', 16_384],
	] as const) {
		test(`the ${what} comment that a forge takes can be sent, and one character beyond cannot`, async () => {
			const rich = richTicket();
			const { page } = await open(rich);
			const box = page.getByRole('textbox', { name: 'Your comment' });
			const button = page.getByRole('button', { name: 'Comment', exact: true });
			await box.fill('x'.repeat(what === 'shortest' ? limit - 1 : limit + 1));
			assert.equal(await button.getAttribute('aria-disabled'), 'true');
			await box.fill('x'.repeat(limit));
			assert.equal(await button.getAttribute('aria-disabled'), null);
			await page.keyboard.press('Control+Enter');
			await page.locator('[data-key="event-16"]').waitFor();
			assert.equal(updates(rich), 1);
		});
	}

	test('while the change of a comment is saved nothing can be typed into it or sent again, and its box leaves no listener', async () => {
		const rich = richTicket();
		const [connection] = rich.connections.all();
		const going = Promise.withResolvers<void>();
		const edited: string[] = [];
		Object.assign(connection?.forge.trackers ?? {}, {
			async editComment(_: unknown, id: number, text: string): Promise<Comment> {
				edited.push(text);
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
		await box.evaluate((element) => {
			// In one turn, before any answer can come.
			for (let time = 0; time < 2; time += 1) {
				const key = { key: 'Enter', ctrlKey: true, bubbles: true, cancelable: true };
				element.dispatchEvent(new KeyboardEvent('keydown', key));
			}
		});
		await entry.locator('.comment-editor[aria-busy="true"]').waitFor();
		await page.keyboard.type(' and more');
		assert.deepEqual([await box.inputValue(), await box.isEditable()], ['Changed', false]);
		assert.equal(await page.evaluate(() => Number(Reflect.get(window, 'left'))), 1);
		going.resolve();
		await entry.locator('.comment-editor').waitFor({ state: 'detached' });
		await entry.locator('.markdown p', { hasText: 'Changed' }).waitFor();
		assert.deepEqual(edited, ['Changed']);
		assert.equal(await page.evaluate(() => Number(Reflect.get(window, 'left'))), 0);
	});
});
