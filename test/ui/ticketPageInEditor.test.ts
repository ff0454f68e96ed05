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

/** The ticket page in the real editor, for both REST dialects. */
for (const dialect of dialectsOf('field')) {
	chainedSuite(`${dialect}: ticket page in the editor`, () => {
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

		/** Bob comments on the ticket, outside this editor. */
		async function say(comment: string): Promise<void> {
			const { status } = await forge.call('todo', 'PUT', ofAlice, { token: forge.tokens.bob, body: { comment } });
			assert.equal(status, 200);
		}

		/** Status of every request since the last reset that may have written. */
		async function writes(): Promise<readonly string[]> {
			return (await forge.requests())
				.filter(({ method }) => method !== 'GET')
				.map(({ method, path, status }) => `${method} ${path.replace(/\d+$/, 'n')} ${status}`);
		}

		/** A field of the newest timeline entry, as the forge has it. */
		async function newest(...path: readonly string[]): Promise<unknown> {
			const events: RawAnswer = await forge.call('todo', 'GET', `${ticket}/events`);
			return events.at('results', 0, ...path) ?? events.at(0, ...path);
		}

		testInProve('shows other people’s entries while the page is open, marked as new', async () => {
			const { page } = workbench();
			await openContainer(page, 'Forge');
			await expand(page, /workshop/);
			await clickRow(page, /The lamp smokes/);
			await editorTab(page, /The lamp smokes/).waitFor();
			await webview(page).getByText('It smokes here').waitFor();
			await say('Trimming the wick helped.');
			// The page polls 20 seconds after its read, and then half a minute later.
			await webview(page)
				.getByText('Trimming the wick helped.')
				.waitFor({ timeout: limitMs(80_000) });
			await webview(page).locator('.fresh').waitFor();
			await workbench().screenshot('news');
		});

		testInProve('quotes a comment into the box, and renders its preview without a request', async () => {
			const ticketPage = webview(workbench().page);
			await forge.forgetRequests();
			const entry = ticketPage.locator('.entry').filter({ hasText: 'It smokes here' });
			await entry.getByRole('button', { name: 'Quote' }).click();
			const box = ticketPage.getByRole('textbox', { name: 'Your comment' });
			// The host provides the source of the text.
			await eventually(() => box.inputValue(), '> It smokes here, **too**.\n\n');
			await ticketPage.getByRole('tab', { name: 'Preview' }).click();
			await ticketPage.locator('.preview blockquote strong').getByText('too', { exact: true }).waitFor();
			await ticketPage.getByRole('tab', { name: 'Write' }).click();
			assert.deepEqual(await writes(), []);
		});

		testInProve('adds and removes labels in place, and the forge has them', async () => {
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
			'sends a comment and a resolution in one request, and shows both from the forge’s response',
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

		testInProve('edits the user’s own comment in place, repeatedly, and offers no edit of others', async () => {
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
			// The forge gave the edited comment a new number.
			await change('A broader wick does it.', 'A flat wick does it.');
			const other = ticketPage.locator('.entry').filter({ hasText: 'It smokes here' });
			await other.getByRole('button', { name: 'Quote' }).waitFor();
			assert.equal(await other.getByRole('button', { name: 'Edit' }).count(), 0);
			await workbench().screenshot('edited');
		});

		testInProve('reopens with one click and another comment in the same request', async () => {
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
