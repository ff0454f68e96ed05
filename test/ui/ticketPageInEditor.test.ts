import assert from 'node:assert/strict';
import { chainedSuite } from '../support/chain.ts';
import { type RawAnswer, type SampleForge } from '../support/sampleForge.ts';
import { eventually } from '../support/eventually.ts';
import { limitMs } from '../support/pace.ts';
import { testInProve } from '../support/testInProve.ts';
import { knowing } from './support/sampleWindow.ts';
import { clickRow, editorTab, expand, openContainer, webview } from './support/user.ts';
import { borrowForge, dialectsOf, giveBackForge } from './support/sharedForge.ts';
import { useWorkbench } from './support/workbench.ts';

const ticket = '/api/trackers/workshop/tickets/1';
const ofAlice = '/api/user/~alice/trackers/workshop/tickets/1';

/** The ticket page in the real editor, over either kind of forge; each test stands on the one before. */
for (const dialect of dialectsOf('field')) {
	chainedSuite(`${dialect}: the ticket page in the editor`, () => {
		let forge: SampleForge;
		suiteSetup(async () => {
			forge = await borrowForge(dialect);
			await forge.call('todo', 'POST', '/api/trackers', { body: { name: 'workshop', visibility: 'PUBLIC' } });
			for (const name of ['wick', 'glass']) {
				await forge.act('/todo/label', { tracker: '~alice/workshop', name, background: '#00aa00' });
			}
			await forge.call('todo', 'POST', '/api/trackers/workshop/tickets', {
				body: { title: 'The lamp smokes', description: 'In the wind.' },
			});
			await say('It smokes here, **too**.');
		});
		const workbench = useWorkbench(() => ({
			name: `ticket-page-${dialect}`,
			env: knowing(forge, 'alice'),
			viewport: { width: 1280, height: 1200 },
		}));
		suiteTeardown(() => giveBackForge(forge));

		/** Bob says something on the ticket, away from this editor. */
		async function say(comment: string): Promise<void> {
			const { status } = await forge.call('todo', 'PUT', ofAlice, { token: forge.tokens.bob, body: { comment } });
			assert.equal(status, 200);
		}

		/** Status of every request that may have changed something, since they were last forgotten. */
		async function writes(): Promise<readonly string[]> {
			return (await forge.requests())
				.filter(({ method }) => method !== 'GET')
				.map(({ method, path, status }) => `${method} ${path.replace(/\d+$/, 'n')} ${status}`);
		}

		/** Something of the newest entry of the timeline, as the forge has it. */
		async function newest(...path: readonly string[]): Promise<unknown> {
			const events: RawAnswer = await forge.call('todo', 'GET', `${ticket}/events`);
			return events.at('results', 0, ...path) ?? events.at(0, ...path);
		}

		testInProve('what others write while the page is open comes to it, and is marked as new', async () => {
			const { page } = workbench();
			await openContainer(page, 'Forge');
			await expand(page, /workshop/);
			await clickRow(page, /The lamp smokes/);
			await editorTab(page, /The lamp smokes/).waitFor();
			await webview(page).getByText('It smokes here').waitFor();
			await say('Trimming the wick helped.');
			// The page asks for news by itself: 20 seconds after it was read, and then half a minute after that.
			await webview(page)
				.getByText('Trimming the wick helped.')
				.waitFor({ timeout: limitMs(80_000) });
			await webview(page).locator('.fresh').waitFor();
			await workbench().screenshot('news');
		});

		testInProve(
			'a comment is quoted into the box, and its preview is rendered without a word to the forge',
			async () => {
				const ticketPage = webview(workbench().page);
				await forge.forgetRequests();
				const entry = ticketPage.locator('.entry').filter({ hasText: 'It smokes here' });
				await entry.getByRole('button', { name: 'Quote' }).click();
				const box = ticketPage.getByRole('textbox', { name: 'Your comment' });
				// The host is asked for the text as it was written.
				await eventually(() => box.inputValue(), '> It smokes here, **too**.\n\n');
				await ticketPage.getByRole('tab', { name: 'Preview' }).click();
				await ticketPage.locator('.preview blockquote strong').getByText('too', { exact: true }).waitFor();
				await ticketPage.getByRole('tab', { name: 'Write' }).click();
				assert.deepEqual(await writes(), []);
			},
		);

		testInProve('labels are put on and taken off in their place, and the forge has them so', async () => {
			const { page } = workbench();
			const ticketPage = webview(page);
			const labels = ticketPage.locator('.ticket-head .labels');
			const toggle = async (name: string): Promise<void> => {
				await ticketPage.getByRole('button', { name: 'Edit Labels' }).click();
				await ticketPage.getByRole('option', { name }).click();
				await page.keyboard.press('ControlOrMeta+Enter');
				await ticketPage.getByRole('dialog', { name: 'Edit Labels' }).waitFor({ state: 'hidden' });
			};
			const onForge = async (): Promise<unknown> => (await forge.call('todo', 'GET', ticket)).at('labels');
			await toggle('wick');
			await labels.getByText('wick').waitFor();
			assert.deepEqual(await onForge(), ['wick']);
			await toggle('wick');
			await labels.getByText('wick').waitFor({ state: 'detached' });
			assert.deepEqual(await onForge(), []);
			await toggle('glass');
			assert.deepEqual(await onForge(), ['glass']);
		});

		testInProve(
			'a comment and a resolution go in one request, and both stand where the forge answered them',
			async () => {
				const ticketPage = webview(workbench().page);
				await forge.forgetRequests();
				const box = ticketPage.getByRole('textbox', { name: 'Your comment' });
				await box.fill('A new wick does it.');
				await ticketPage.getByRole('button', { name: 'Choose a resolution' }).click();
				await ticketPage.getByRole('menuitemradio', { name: 'implemented', exact: false }).click();
				await ticketPage.getByRole('button', { name: /^Comment and Resolve as/ }).click();
				await ticketPage.locator('.entry').filter({ hasText: 'A new wick does it.' }).waitFor();
				await ticketPage.locator('.ticket-head .status').getByText('implemented').waitFor();
				assert.deepEqual(await writes(), [`PUT ${ticket.replace(/\d+$/, 'n')} 200`]);
				const now = await forge.call('todo', 'GET', ticket);
				assert.deepEqual([now.at('status'), now.at('resolution')], ['resolved', 'implemented']);
				assert.equal(await newest('comment', 'text'), 'A new wick does it.');
				assert.equal(await newest('new_status'), 'resolved');
			},
		);

		testInProve("one's own comment is changed in its place, again and again, and others' are not offered", async () => {
			const ticketPage = webview(workbench().page);
			const change = async (from: string, to: string): Promise<void> => {
				const entry = ticketPage.locator('.entry').filter({ hasText: from });
				await entry.getByRole('button', { name: 'Edit' }).click();
				const box = ticketPage.getByRole('textbox', { name: 'Edit your comment' });
				await eventually(() => box.inputValue(), from);
				await box.fill(to);
				await ticketPage.getByRole('button', { name: 'Save' }).click();
				await ticketPage.locator('.entry .markdown').getByText(to).waitFor();
				assert.equal(await newest('comment', 'text'), to);
			};
			await change('A new wick does it.', 'A broader wick does it.');
			// The forge has given the changed comment a new number.
			await change('A broader wick does it.', 'A flat wick does it.');
			const other = ticketPage.locator('.entry').filter({ hasText: 'It smokes here' });
			await other.getByRole('button', { name: 'Quote' }).waitFor();
			assert.equal(await other.getByRole('button', { name: 'Edit' }).count(), 0);
			await workbench().screenshot('edited');
		});

		testInProve('reopening is one click, with another comment in the same request', async () => {
			const ticketPage = webview(workbench().page);
			await forge.forgetRequests();
			await ticketPage.getByRole('textbox', { name: 'Your comment' }).fill('It smokes again.');
			await ticketPage.getByRole('button', { name: /^Comment and Reopen/ }).click();
			await ticketPage.locator('.entry').filter({ hasText: 'It smokes again.' }).waitFor();
			assert.equal((await writes()).length, 1);
			const now = await forge.call('todo', 'GET', ticket);
			assert.equal(now.at('status'), 'reported');
		});
	});
}
