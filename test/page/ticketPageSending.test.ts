import '../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import type { Comment } from 'sourcehut/port/ticket.ts';
import { ForgeError } from 'sourcehut/port/forgeError.ts';
import { draftKey, DraftNotKept, type Drafts } from '../../src/store/drafts/drafts.ts';
import { eventually } from '../support/eventually.ts';
import { makeComment, makeEvent, makeParticipant, makeTicket } from '../support/makeTicket.ts';
import { richTicket } from '../support/richTicket.ts';
import { ticketsParts } from '../support/fakeTicketsParts.ts';
import type { PageInBrowser, PageWish } from './support/ticketPageInBrowser.ts';
import { keepPicture } from './support/pagePictures.ts';
import { ticketPages } from './support/ticketPages.ts';
import { stubbed } from '../support/vscodeValues.ts';

const { pageRenderer } = await import('../../src/editor/pages/pageRenderer.ts');
const name = '~alice/alpha#12';

/** Holds back the forge's response to a write, and signals its arrival. */
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

/** The number of writes to the forge. */
function updates(rich: ReturnType<typeof richTicket>): number {
	return rich.world.calls.filter((call) => call.startsWith('update')).length;
}

/** Loses the response to the next write, then sends no response while down. */
function failsAfterWrite({ world }: ReturnType<typeof richTicket>): { isDown: boolean } {
	const server = { isDown: false };
	world.before = () => {
		if (server.isDown) {
			throw new ForgeError({ kind: 'notUnderstood', where: 'the answer', why: 'it ends too early' });
		}
	};
	world.after = (call) => {
		if (call.startsWith('update')) {
			server.isDown = true;
			throw new ForgeError({ kind: 'notUnderstood', where: 'the answer', why: 'it ends too early' });
		}
	};
	return server;
}

suite('ticket page with a pending request', function () {
	this.timeout(60_000);
	const openPage = ticketPages();

	async function open(wish: PageWish): Promise<PageInBrowser> {
		const page = await openPage(wish);
		await page.page.waitForSelector('.entry');
		return page;
	}

	test('a duplicate gets a reference to its original in the comment, and nothing is sent without an answer', async () => {
		const rich = richTicket();
		rich.world.tickets.get('~alice/alpha')?.push(makeTicket({ id: 3, title: 'The first report' }));
		const { page } = await open(rich);
		const box = page.getByRole('textbox', { name: 'Your comment' });
		await box.fill('Seen before.');
		await page.getByRole('button', { name: 'Choose a resolution' }).click();
		await page.getByRole('menuitemradio', { name: 'Resolve as duplicate' }).click();
		const send = page.getByRole('button', { name: 'Comment and Resolve as duplicate' });
		stubbed.answers.push(undefined);
		await send.click();
		await page.locator('.composer[aria-busy="false"]').waitFor();
		assert.deepEqual([await box.inputValue(), await box.isEditable(), updates(rich)], ['Seen before.', true, 0]);
		stubbed.answers.push('The first report');
		await send.click();
		await page.waitForSelector('.status-resolved');
		assert.deepEqual(
			rich.world.calls.filter((call) => call.startsWith('update')),
			[`update ${name} {"comment":"Seen before.\\n\\nDuplicate of #3.","status":"resolved","resolution":"duplicate"}`],
		);
		await page.locator('.composer[aria-busy="false"]').waitFor();
		assert.equal(await box.inputValue(), '');
	});

	test('a comment does not return as a draft when its page is hidden and shown during the request', async () => {
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

	test('a comment that arrives before its page returns is no longer a draft', async () => {
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

	test('a restored page offers another lookup after a lost response, and Send looks up first', async () => {
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

	test('a comment to a forge that is away leaves the box and waits on the page, with its choices', async () => {
		const rich = richTicket();
		const { page } = await open(rich);
		rich.world.before = () => {
			throw new ForgeError({ kind: 'unreachable', reason: 'offline', host: 'todo.forge.test' }, { isUnsent: true });
		};
		const box = page.getByRole('textbox', { name: 'Your comment' });
		await box.fill('Said on a train');
		await page.keyboard.press('Control+Enter');
		const outbox = page.getByRole('region', { name: 'Outbox' });
		await outbox.getByText('Said on a train', { exact: true }).waitFor();
		assert.equal(await box.inputValue(), '');
		await keepPicture(page, 'ticket outbox');
		await outbox.getByRole('button', { name: 'Withdraw…' }).click();
		await eventually(() => Promise.resolve(stubbed.executed.at(-1)), 'forge.outbox.withdraw');
		const [connection] = rich.connections.all();
		const [item] = connection?.outbox.items() ?? [];
		assert.deepEqual(stubbed.passed.at(-1), { kind: 'queued', connectionKey: connection?.key, id: item?.id });
		connection?.outbox.hold(item?.id ?? '')?.remove();
		await outbox.waitFor({ state: 'hidden' });
	});

	test('a quote requested during a send appears in the box afterwards', async () => {
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

	test('two quick presses of the keys send a comment once', async () => {
		const rich = richTicket();
		const { arrived, go } = heldBack(rich);
		const { page, asked } = await open(rich);
		const box = page.getByRole('textbox', { name: 'Your comment' });
		await box.fill('Only once');
		await box.evaluate((element) => {
			// In one turn, before any response can arrive.
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

	test('text typed after a lost response stays in the box when a lookup finds the lost comment', async () => {
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

	test('sending again sends only the part that the forge does not have', async () => {
		const rich = richTicket();
		let isLost = true;
		rich.world.before = (call) => {
			if (isLost && call.startsWith('update')) {
				isLost = false;
				// The comment takes effect, the resolution does not.
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

	/** A ticket whose drafts the test can see. */
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

	test('notifies the host once about typing, at the first key, and never for reading', async () => {
		const { page, asked } = await open(richTicket());
		const told = (): number => asked.filter((name) => name === 'writing').length;
		await page.getByRole('tab', { name: 'Preview' }).click();
		await page.getByRole('tab', { name: 'Write' }).click();
		assert.equal(told(), 0);
		await page.getByRole('textbox', { name: 'Your comment' }).pressSequentially('ab');
		await eventually(async () => told(), 1);
		assert.ok(asked.indexOf('writing') > 0 && !asked.slice(0, asked.indexOf('writing')).includes('keepDraft'));
	});

	test('ignores a tab state that belongs to another ticket', async () => {
		const rich = richTicket();
		const subject = { ...rich.subject, ref: { ...rich.subject.ref, id: rich.subject.ref.id + 1 } };
		const { page } = await open({ ...rich, kept: { subject, draft: { text: 'Elsewhere', atMs: Date.now() } } });
		assert.equal(await page.getByRole('textbox', { name: 'Your comment' }).inputValue(), '');
	});

	test('hands a draft that only the page had to the host on its return', async () => {
		const { rich, parts, about } = withDrafts();
		const kept = { subject: rich.subject, draft: { text: 'Half a thought', atMs: 1_700_000_000_000 } };
		await open({ ...rich, parts, kept });
		await eventually(async () => parts.drafts.draft(about), kept.draft);
	});

	test('a page’s draft from before the send does not return', async () => {
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

	/** A loaded renderer that can delay the page's start data. */
	async function heldRenderer() {
		const loaded = pageRenderer(() => import('../../src/render.ts'));
		await loaded.load();
		const held: { until: Promise<void> } = { until: Promise.resolve() };
		return { held, renderer: { ...loaded, load: () => held.until.then(() => loaded.load()) } };
	}

	test('a sent draft does not reappear in the box before the host has responded', async () => {
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

	test('a draft deleted during its send does not return when the forge rejects it', async () => {
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

	test('hands over a comment that is sent right after typing only once', async () => {
		const { page, asked } = await open(richTicket());
		const box = page.getByRole('textbox', { name: 'Your comment' });
		await box.evaluate((element) => {
			// In one turn, before the pause that hands over the draft.
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
		const what = isThere ? 'keeps it while the host has it' : 'removes it if the host has none';
		test(`a restored page immediately shows the host’s draft, and ${what}`, async () => {
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

	test('a draft that the disk rejects shows a warning, and stays until the disk accepts it', async () => {
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

	test('a draft that the disk rejects during its send shows the reason at the next key', async () => {
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

	test('reports an unsaved edit of a comment once, and reports a new reason', async () => {
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

	test('the host’s newer draft wins over the page’s own', async () => {
		const { rich, parts, about } = withDrafts();
		const later = { text: 'A whole thought', atMs: 1_700_000_001_000 };
		await parts.drafts.keep(about, later);
		const kept = { subject: rich.subject, draft: { text: 'Half a thought', atMs: 1_700_000_000_000 } };
		const texts: (string | undefined)[] = [];
		parts.drafts.onDidChange(() => texts.push(parts.drafts.draft(about)?.text));
		const { page } = await open({ ...rich, parts, kept });
		const box = page.getByRole('textbox', { name: 'Your comment' });
		assert.equal(await box.inputValue(), later.text);
		// The page hands over in order, so this follows any hand-over at its start.
		await box.fill('A whole thought, and more');
		await eventually(async () => texts.at(-1), 'A whole thought, and more');
		assert.deepEqual(texts, ['A whole thought, and more']);
	});

	for (const isTyped of [true, false]) {
		const what = isTyped ? 'does not overwrite text typed meanwhile' : 'fills an untouched box';
		test(`a draft stored by another window during the load ${what}`, async () => {
			const { rich, connection, parts, about } = withDrafts();
			// The page exists before it requests its start data, and the response is delayed.
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
		test(`sends the ${what} comment that a forge accepts, and none one character beyond`, async () => {
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

	test('saving an edited comment blocks typing and another save, and its box leaves no listener', async () => {
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
			// In one turn, before any response can arrive.
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
