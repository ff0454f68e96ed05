import '../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import type { Browser } from 'playwright-core';
import type { TicketRef } from '../../src/forge/ticket.ts';
import { startBrowser } from '../harness/browser.ts';
import { allItems, contractSuite, wanted, type ContractForge } from '../support/contractForge.ts';
import { fakeConnection, fakeConnections } from '../support/fakeConnection.ts';
import { openTicketPage, type PageInBrowser } from '../support/ticketPageInBrowser.ts';

const tracker = { owner: '~alice', name: 'lantern' };

/** A contract is tested within a fraction of this, but a browser is slower than a client. */
const limitMs = 60_000;

contractSuite('the ticket page over the wire', {}, ({ forge }) => {
	let browser: Browser;
	let opened: PageInBrowser | undefined;

	suiteSetup(async function () {
		this.timeout(limitMs);
		browser = await startBrowser();
	});
	setup(function () {
		this.currentTest?.timeout(limitMs);
	});
	teardown(async () => {
		await opened?.close();
		opened = undefined;
		await forge().sample.clearFaults();
	});
	suiteTeardown(async () => {
		await browser.close();
	});

	async function open(contract: ContractForge): Promise<{ readonly ref: TicketRef; readonly shown: PageInBrowser }> {
		const api = contract.as('alice').trackers;
		const { id } = await api.submit(tracker, { title: 'Written to by a page', description: 'As **it** is.' }, wanted());
		const ref = { tracker, id };
		const connection = Object.defineProperty(fakeConnection(api), 'instance', { value: contract.instance });
		const subject = { kind: 'ticket', connectionKey: connection.key, ref } as const;
		opened = await openTicketPage(browser, { connections: fakeConnections(connection), subject });
		await opened.page.waitForSelector('.entry');
		return { ref, shown: opened };
	}

	async function commentsOn(ref: TicketRef): Promise<readonly string[]> {
		const events = await allItems(forge().as('alice').trackers.events(ref, wanted()));
		return events.flatMap(({ comment }) => (comment ? [comment.text] : []));
	}

	test('a comment with a resolution is sent in one request, and the page shows what the forge answered', async () => {
		const { ref, shown } = await open(forge());
		await forge().sample.forgetRequests();
		await shown.page.getByRole('textbox', { name: 'Your comment' }).fill('Both at once.');
		await shown.page.getByRole('button', { name: 'Comment and resolve as fixed' }).click();
		await shown.page.waitForSelector('.status-resolved');
		assert.deepEqual(await commentsOn(ref), ['Both at once.']);
		const writes = (await forge().sample.requests()).filter(({ method }) => method === 'PUT');
		assert.equal(writes.length, 1);
	});

	test('a comment whose answer is lost is found on the forge, and its draft goes', async () => {
		const { ref, shown } = await open(forge());
		await forge().sample.fault({ area: 'todo', method: 'PUT' }, { kind: 'reset', at: 'applied' });
		const box = shown.page.getByRole('textbox', { name: 'Your comment' });
		await box.fill('Once and no more.');
		await shown.page.keyboard.press('Control+Enter');
		await shown.page.getByText('The answer was lost, but the forge has your comment.').waitFor();
		assert.equal(await box.inputValue(), '');
		assert.deepEqual(await commentsOn(ref), ['Once and no more.']);
	});

	test('labels are put on, and the page shows them as the forge has them', async () => {
		const { ref, shown } = await open(forge());
		await shown.page.getByRole('button', { name: 'Edit labels' }).click();
		// The order of the timeline is chosen from options, too, and they are there before the labels.
		const first = shown.page.getByRole('dialog', { name: 'Edit labels' }).getByRole('option').first();
		await first.waitFor();
		const name = (await first.textContent()) ?? '';
		await shown.page.keyboard.press('Enter');
		await shown.page.keyboard.press('Control+Enter');
		await shown.page.locator('.labels li', { hasText: name }).waitFor();
		const { labels } = await forge().as('alice').trackers.ticket(ref, wanted());
		assert.deepEqual(labels, [name]);
	});

	test("one's own comment is changed, and after a refusal its text and the way to the web are there", async () => {
		const { ref, shown } = await open(forge());
		await shown.page.getByRole('textbox', { name: 'Your comment' }).fill('First words.');
		await shown.page.keyboard.press('Control+Enter');
		const entry = shown.page.locator('.entry').filter({ hasText: 'First words.' });
		await entry.waitFor();
		await entry.getByRole('button', { name: 'Edit' }).click();
		const box = shown.page.getByRole('textbox', { name: 'Edit your comment' });
		await box.fill('Better words.');
		await forge().sample.fault({ area: 'todo', method: 'PUT' }, { kind: 'status', status: 404 });
		await shown.page.keyboard.press('Control+Enter');
		await shown.page.locator('.comment-editor a', { hasText: 'Edit on the web' }).waitFor({ state: 'attached' });
		assert.deepEqual(await commentsOn(ref), ['First words.']);
		assert.equal(await box.inputValue(), 'Better words.');
		await shown.page.getByRole('button', { name: 'Save' }).last().click();
		await shown.page.locator('.entry .markdown', { hasText: 'Better words.' }).waitFor();
		assert.deepEqual(await commentsOn(ref), ['Better words.']);
	});
});
