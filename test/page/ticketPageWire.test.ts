import '../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import type { TicketRef } from 'sourcehut/port/ticket.ts';
import { allItems, contractSuite, wanted, type ContractForge } from '../support/contractForge.ts';
import { eventually } from '../support/eventually.ts';
import { fakeConnection, fakeConnections } from '../support/fakeConnection.ts';
import type { PageInBrowser } from './support/ticketPageInBrowser.ts';
import { ticketPages } from './support/ticketPages.ts';

const tracker = { owner: '~alice', name: 'lantern' };

/** Well above the limit of contract tests, because a browser is slower than a client. */
const limitMs = 60_000;

contractSuite('ticket page over the wire', {}, ({ forge }) => {
	const openPage = ticketPages();

	setup(function () {
		this.currentTest?.timeout(limitMs);
	});
	teardown(() => forge().sample.clearFaults());

	async function open(contract: ContractForge): Promise<{ readonly ref: TicketRef; readonly shown: PageInBrowser }> {
		const api = contract.as('alice').trackers;
		const { id } = await api.submit(tracker, { title: 'Written to by a page', description: 'As **it** is.' }, wanted());
		const ref = { tracker, id };
		const connection = Object.defineProperty(fakeConnection(api), 'instance', { value: contract.instance });
		const subject = { kind: 'ticket', connectionKey: connection.key, ref } as const;
		const shown = await openPage({ connections: fakeConnections(connection), subject });
		await shown.page.waitForSelector('.entry');
		// Entries that arrive before the first view don't count as new.
		await eventually(async () => connection.readMarks.lastSeenEventId(ref) !== undefined, true);
		return { ref, shown };
	}

	async function commentsOn(ref: TicketRef): Promise<readonly string[]> {
		const events = await allItems(forge().as('alice').trackers.events(ref, wanted()));
		return events.flatMap(({ comment }) => (comment ? [comment.text] : []));
	}

	/** Bob comments, outside the page. */
	async function say(ref: TicketRef, comment: string): Promise<void> {
		await forge().as('bob').trackers.updateTicket(ref, { comment }, wanted());
	}

	/** Requests since the last reset that may have written. */
	async function writes(): Promise<number> {
		return (await forge().sample.requests()).filter(({ method }) => method !== 'GET').length;
	}

	test('sends a comment and its resolution in one request, and reopening in another', async () => {
		const { ref, shown } = await open(forge());
		const { page } = shown;
		await forge().sample.forgetRequests();
		const box = page.getByRole('textbox', { name: 'Your comment' });
		await box.fill('Both at once.');
		await page.getByRole('button', { name: 'Choose a resolution' }).click();
		await page.getByRole('menuitemradio', { name: 'implemented' }).click();
		await page.getByRole('button', { name: 'Comment and Resolve as implemented' }).click();
		await page.locator('.ticket-head .status-resolved').getByText('implemented').waitFor();
		await page.locator('.entry').filter({ hasText: 'Both at once.' }).waitFor();
		assert.deepEqual([await commentsOn(ref), await writes()], [['Both at once.'], 1]);
		const resolved = await forge().as('alice').trackers.ticket(ref, wanted());
		assert.deepEqual([resolved.status, resolved.resolution], ['resolved', 'implemented']);
		const [newest] = await allItems(forge().as('alice').trackers.events(ref, wanted()));
		assert.deepEqual([newest?.comment?.text, newest?.newStatus], ['Both at once.', 'resolved']);
		await page.locator('.composer[aria-busy="false"]').waitFor();
		await box.fill('Once more.');
		await page.getByRole('button', { name: 'Comment and Reopen' }).click();
		await page.locator('.ticket-head .status-reported').waitFor();
		await page.locator('.entry').filter({ hasText: 'Once more.' }).waitFor();
		assert.equal(await writes(), 2);
		assert.equal((await forge().as('alice').trackers.ticket(ref, wanted())).status, 'reported');
	});

	test('shows other people’s entries while the page is open, marked as new', async () => {
		const { ref, shown } = await open(forge());
		await say(ref, 'Trimming the wick helped.');
		shown.clock.advance(20_000);
		const entry = shown.page.locator('.entry').filter({ hasText: 'Trimming the wick helped.' });
		await entry.locator('.fresh').waitFor();
		assert.equal(await shown.page.locator('.fresh').count(), 1);
	});

	test('quotes a comment’s source, and previews it without a request', async () => {
		const { ref, shown } = await open(forge());
		const { page, clock } = shown;
		await say(ref, 'It smokes here, **too**.');
		clock.advance(20_000);
		const entry = page.locator('.entry').filter({ hasText: 'It smokes here' });
		await entry.waitFor();
		await forge().sample.forgetRequests();
		await entry.getByRole('button', { name: 'Quote' }).click();
		const box = page.getByRole('textbox', { name: 'Your comment' });
		await eventually(() => box.inputValue(), '> It smokes here, **too**.\n\n');
		await page.getByRole('tab', { name: 'Preview' }).click();
		await page.locator('.preview blockquote strong').getByText('too', { exact: true }).waitFor();
		assert.deepEqual(await forge().sample.requests(), []);
	});

	test('finds a comment with a lost response on the forge, and deletes its draft', async () => {
		const { ref, shown } = await open(forge());
		await forge().sample.fault({ area: 'todo', method: 'PUT' }, { kind: 'reset', at: 'applied' });
		const box = shown.page.getByRole('textbox', { name: 'Your comment' });
		await box.fill('Once and no more.');
		await shown.page.keyboard.press('Control+Enter');
		await shown.page.getByText('The response was lost, but your comment was posted.').waitFor();
		assert.equal(await box.inputValue(), '');
		assert.deepEqual(await commentsOn(ref), ['Once and no more.']);
	});

	test('adds and removes labels, and shows them as the forge has them', async () => {
		const { ref, shown } = await open(forge());
		const { page } = shown;
		const dialog = page.getByRole('dialog', { name: 'Edit Labels' });
		// The timeline's order also has options, and these render before the labels.
		const first = dialog.getByRole('option').first();
		const labels = async (): Promise<readonly string[]> =>
			(await forge().as('alice').trackers.ticket(ref, wanted())).labels;
		const toggle = async (): Promise<string> => {
			await page.getByRole('button', { name: 'Edit Labels' }).click();
			await first.waitFor();
			const name = (await first.textContent()) ?? '';
			await page.keyboard.press('Enter');
			await page.keyboard.press('Control+Enter');
			await dialog.waitFor({ state: 'hidden' });
			return name;
		};
		const name = await toggle();
		await page.locator('.labels li', { hasText: name }).waitFor();
		assert.deepEqual(await labels(), [name]);
		await toggle();
		await page.locator('.labels').getByText('No label').waitFor();
		assert.deepEqual(await labels(), []);
	});

	test('edits only own comments, repeatedly, and keeps the text with a web link after a rejection', async () => {
		const { ref, shown } = await open(forge());
		await shown.page.getByRole('textbox', { name: 'Your comment' }).fill('First words.');
		await shown.page.keyboard.press('Control+Enter');
		const entry = shown.page.locator('.entry').filter({ hasText: 'First words.' });
		await entry.waitFor();
		await entry.getByRole('button', { name: 'Edit' }).click();
		const box = shown.page.getByRole('textbox', { name: 'Edit your comment' });
		await box.fill('Better words.');
		await forge().sample.fault({ area: 'todo', method: 'PUT' }, { kind: 'status', status: 403 });
		await shown.page.keyboard.press('Control+Enter');
		await shown.page.locator('.comment-editor a', { hasText: 'Edit on the Web' }).waitFor({ state: 'attached' });
		assert.deepEqual(await commentsOn(ref), ['First words.']);
		assert.equal(await box.inputValue(), 'Better words.');
		await shown.page.getByRole('button', { name: 'Save' }).last().click();
		await shown.page.locator('.entry .markdown', { hasText: 'Better words.' }).waitFor();
		assert.deepEqual(await commentsOn(ref), ['Better words.']);
		// The forge gave the edited comment a new number.
		const again = shown.page.locator('.entry').filter({ hasText: 'Better words.' });
		await again.getByRole('button', { name: 'Edit' }).click();
		await box.fill('The best words.');
		await shown.page.getByRole('button', { name: 'Save' }).last().click();
		await shown.page.locator('.entry .markdown', { hasText: 'The best words.' }).waitFor();
		assert.deepEqual(await commentsOn(ref), ['The best words.']);
		await say(ref, 'Not yours.');
		shown.clock.advance(20_000);
		const other = shown.page.locator('.entry').filter({ hasText: 'Not yours.' });
		await other.getByRole('button', { name: 'Quote' }).waitFor();
		assert.equal(await other.getByRole('button', { name: 'Edit' }).count(), 0);
	});

	test('sends one request to a server without comment edits, and keeps the text with a web link', async () => {
		const { ref, shown } = await open(forge());
		await shown.page.getByRole('textbox', { name: 'Your comment' }).fill('First words.');
		await shown.page.keyboard.press('Control+Enter');
		const entry = shown.page.locator('.entry').filter({ hasText: 'First words.' });
		await entry.getByRole('button', { name: 'Edit' }).click();
		const box = shown.page.getByRole('textbox', { name: 'Edit your comment' });
		await box.fill('Better words.');
		await forge().sample.fault({ area: 'todo', method: 'PUT' }, { kind: 'status', status: 404 });
		await shown.page.keyboard.press('Control+Enter');
		const web = shown.page.locator('.comment-editor a', { hasText: 'Edit on the Web' });
		await web.waitFor({ state: 'attached' });
		await shown.page.getByRole('button', { name: 'Save' }).last().click();
		// Writes to a ticket are sequential, so earlier ones have arrived before this one.
		await shown.page.locator('#comment').fill('Last words.');
		await shown.page.keyboard.press('Control+Enter');
		await shown.page.locator('.entry .markdown', { hasText: 'Last words.' }).waitFor();
		assert.equal(await box.inputValue(), 'Better words.');
		assert.equal(await web.count(), 1);
		assert.deepEqual((await commentsOn(ref)).toSorted(), ['First words.', 'Last words.']);
	});
});
