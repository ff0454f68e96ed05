import assert from 'node:assert/strict';
import type { Locator, Page } from 'playwright-core';
import { eventually } from '../../support/eventually.ts';
import { limitMs } from '../../support/pace.ts';
import type { SampleFault, SampleForge } from '../../support/sampleForge.ts';
import { knowing } from '../support/sampleWindow.ts';
import {
	clickRow,
	editorTab,
	expand,
	notification,
	openOnly,
	pick,
	runCommand,
	treeItem,
	webview,
} from '../support/user.ts';
import { borrowForge, giveBackForge } from '../support/sharedForge.ts';
import { useWorkbench } from '../support/workbench.ts';

const loadMs = 60_000;
const ticket = 'The manual page contradicts';
const tickets = '/api/user/~alice/trackers/website/tickets';
/** The forge handles the request, and its response never ends. */
const afterwards: SampleFault = { kind: 'drip', bytes: 1, everyMs: 3_600_000 };
/** The forge never handles the request. */
const before: SampleFault = { kind: 'hang' };

/** One dialect: the loss is between window and disk, and unit tests cover each step. */
export function writeKills(): Mocha.Suite {
	return suite('writes when the extension host dies', function () {
		this.timeout(600_000);
		let forge: SampleForge;
		suiteSetup(async () => {
			forge = await borrowForge('field');
		});
		const workbench = useWorkbench(() => ({ name: 'write-kills', env: knowing(forge, 'alice') }));
		teardown(() => forge.clearFaults());
		suiteTeardown(() => giveBackForge(forge));

		const commentBox = (page: Page): Locator => webview(page).getByRole('textbox', { name: 'Your comment' });

		async function openTicket(page: Page): Promise<void> {
			await openOnly(page, 'Tickets');
			await expand(page, /website/);
			await clickRow(page, new RegExp(ticket));
			await commentBox(page).waitFor();
		}

		async function copies(path: string, wanted: string): Promise<number> {
			const { text: body } = await forge.call('todo', 'GET', path);
			return body.split(JSON.stringify(wanted)).length - 1;
		}

		const isAsked = async (method: string): Promise<boolean> =>
			(await forge.requests()).some((request) => request.method === method);

		async function killAndReload(page: Page): Promise<void> {
			assert.ok(workbench().killExtensionHosts() > 0);
			await forge.clearFaults();
			await page.reload();
			await treeItem(page, /website/).waitFor({ timeout: limitMs(loadMs) });
		}

		async function sendComment(page: Page, text: string, fault: SampleFault): Promise<void> {
			await openTicket(page);
			await forge.forgetRequests();
			await forge.fault({ area: 'todo', method: 'PUT' }, fault);
			await commentBox(page).fill(text);
			await commentBox(page).press('ControlOrMeta+Enter');
			await eventually(() => isAsked('PUT'), true);
		}

		test('a posted comment is no longer a draft', async () => {
			const { page } = workbench();
			const text = 'Posted right before the end.';
			await sendComment(page, text, afterwards);
			await eventually(() => copies(`${tickets}/31/events`, text), 1);
			await killAndReload(page);
			await notification(page, /Your comment on ~alice\/website#31 was being sent.*Checked: it was done/).waitFor();
			await openTicket(page);
			await eventually(() => commentBox(page).inputValue(), '');
			assert.equal(await copies(`${tickets}/31/events`, text), 1);
		});

		test('a comment that was not posted says so in its box, and a retry posts it once', async () => {
			const { page } = workbench();
			const text = 'Never posted before the end.';
			await sendComment(page, text, before);
			await killAndReload(page);
			await notification(page, /Your comment on ~alice\/website#31 was being sent.*Checked: it is not there/).waitFor();
			await openTicket(page);
			await webview(page).getByText('This may not have arrived. Checked: it is not on the ticket.').waitFor();
			assert.equal(await commentBox(page).inputValue(), text);
			await webview(page).getByRole('button', { name: 'Send Again' }).click();
			await eventually(() => copies(`${tickets}/31/events`, text), 1);
			await eventually(() => commentBox(page).inputValue(), '');
		});

		test('names a submitted new ticket, and closes its document', async () => {
			const { page } = workbench();
			const title = 'Submitted right before the end';
			await runCommand(page, 'Forge: New Ticket…');
			await pick(page, /\/website/);
			await editorTab(page, 'New ticket in website').waitFor();
			await page.locator('.editor-group-container.active .editor-instance .view-lines').click();
			await page.keyboard.press('ControlOrMeta+Home');
			await page.keyboard.type(title);
			await forge.fault({ area: 'todo', method: 'POST' }, afterwards);
			await page.keyboard.press('ControlOrMeta+Enter');
			await eventually(() => copies(tickets, title), 1);
			await killAndReload(page);
			await notification(
				page,
				/Your new ticket in ~alice\/website was being submitted.*Checked: it is ~alice\/website#/,
			).waitFor();
			await eventually(() => editorTab(page, 'New ticket in website').count(), 0);
			assert.equal(await copies(tickets, title), 1);
		});
	});
}
