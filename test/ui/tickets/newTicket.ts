import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { chainedSuite } from '../../support/chain.ts';
import type { Dialect, SampleForge } from '../../support/sampleForge.ts';
import { eventually } from '../../support/eventually.ts';
import { testInProve } from '../../support/testInProve.ts';
import { keptDrafts } from '../support/keptDrafts.ts';
import { openFilesAreKept } from '../support/keptEditors.ts';
import { knowing } from '../support/sampleWindow.ts';
import {
	editorTab,
	expand,
	gitIsThere,
	holdNotification,
	notification,
	openOnly,
	openFile,
	pick,
	pressButton,
	question,
	quickInput,
	runCommand,
	treeItem,
	webview,
} from '../support/user.ts';
import { borrowForge, giveBackForge } from '../support/sharedForge.ts';
import { useWorkbench } from '../support/workbench.ts';

const tickets = '/api/trackers/website/tickets';

/** The visible decorations and text of the active document. */
function text(page: Page): Locator {
	return page.locator('.editor-group-container.active .editor-instance .view-lines');
}

function lens(page: Page, title: string | RegExp): Locator {
	return page.locator('.codelens-decoration a').filter({ hasText: title });
}

/**
 * Opens the quick fixes at the cursor by the light bulb, which appears when they are ready. The editor drops a
 * request by key if it is already looking them up.
 */
async function openQuickFixes(page: Page): Promise<void> {
	await page.locator('.lightBulbWidget:visible, [class*="gutter-lightbulb"]:visible').first().click();
}

async function newTicketIn(page: Page, tracker: string): Promise<void> {
	await runCommand(page, 'Forge: New Ticket…');
	await pick(page, new RegExp(`/${tracker}`));
	await lens(page, 'Submit New Ticket').first().waitFor();
	await text(page).click();
	await page.keyboard.press('ControlOrMeta+Home');
}

export function newTickets(dialect: Dialect): Mocha.Suite {
	return chainedSuite(`${dialect}: new tickets`, () => {
		let forge: SampleForge;
		suiteSetup(async () => {
			forge = await borrowForge(dialect);
		});
		const workbench = useWorkbench(() => ({ name: `new-ticket-${dialect}`, env: knowing(forge, 'alice') }));
		suiteSetup(() => {
			// Created before the first file is opened by name: the editor searches its previous file list while it
			// refreshes it, and stops if that has no match.
			writeFileSync(join(workbench().folder, 'wick.c'), 'int trim(void) {\n\t// TODO: trim the wick\n\treturn 0;\n}\n');
			writeFileSync(join(workbench().folder, 'wick.json'), '{\n\t"length": 3,\n\t"width": \n}\n');
		});
		suiteTeardown(() => giveBackForge(forge));

		const count = async (): Promise<unknown> => {
			const answer = await forge.call('todo', 'GET', tickets);
			return answer.at('results', 0, 'id') ?? answer.at(0, 'id');
		};

		test('a new ticket is a Markdown document with a hint for the title', async () => {
			const desk = workbench();
			const { page } = desk;
			await openOnly(page, 'Tickets');
			await treeItem(page, /website/).waitFor();
			await newTicketIn(page, 'website');
			await editorTab(page, 'New ticket in website').waitFor();
			await page.locator('[id="status.editor.mode"]').getByText('Markdown').waitFor();
			await desk.screenshot('empty');
			const hints = async (): Promise<readonly string[]> => {
				const contents = await text(page).evaluate((lines) =>
					[...lines.querySelectorAll('span')].map((each) => getComputedStyle(each, '::after').content),
				);
				// The editor renders no-break spaces.
				return contents.filter((each) => each.startsWith('"')).map((each) => each.replaceAll('\u00A0', ' '));
			};
			await eventually(hints, ['"Title of the ticket"', '"Description in Markdown (optional)"']);
		});

		test('marks a short title, and sending it shows the reason and sends nothing', async () => {
			const { page } = workbench();
			await page.keyboard.type('ab');
			await page.locator('.squiggly-error').first().waitFor();
			await forge.forgetRequests();
			await page.keyboard.press('ControlOrMeta+Enter');
			await notification(page, 'The title is too short').waitFor();
			assert.ok((await forge.requests()).every(({ method }) => method === 'GET'));
			await page.keyboard.press('Escape');
		});

		testInProve('a title similar to an open ticket’s names that ticket, one click away', async () => {
			const desk = workbench();
			const { page } = desk;
			await expand(page, /website/);
			await treeItem(page, /The manual page contradicts/).waitFor();
			await text(page).click();
			await page.keyboard.press('ControlOrMeta+A');
			await page.keyboard.type('The manual page contradicts the help');
			await lens(page, /Similar: #31/).waitFor();
			await desk.screenshot('similar');
			await lens(page, /Similar: #31/).click();
			await webview(page).getByRole('heading', { name: 'The manual page contradicts' }).waitFor();
			await editorTab(page, 'New ticket in website').click();
		});

		/** Replaces the document's text. */
		async function typeTicket(page: Page): Promise<void> {
			await text(page).click();
			await page.keyboard.press('ControlOrMeta+A');
			await page.keyboard.type('The wick smokes');
			await page.keyboard.press('Enter');
			await page.keyboard.press('Enter');
			await page.keyboard.type('It *smokes* in the wind.');
		}

		testInProve('restores the unsaved text after a window reload', async () => {
			const desk = workbench();
			const { page } = desk;
			await typeTicket(page);
			// The editor stores the last key, and the open document, a moment later.
			await eventually(async () => keptDrafts(desk), ['The wick smokes\n\nIt *smokes* in the wind.']);
			await openFilesAreKept(page, 'forge-new');
			await page.reload();
			// The editor doesn't always store the active tab before the window closes.
			await editorTab(page, 'New ticket in website').click();
			await text(page).getByText('in the wind').waitFor();
			await page.locator('[id="status.editor.mode"]').getByText('Markdown').waitFor();
		});

		test('submitting sends it once, closes the document and opens the ticket', async () => {
			const { page } = workbench();
			const before = Number(await count());
			await typeTicket(page);
			await forge.forgetRequests();
			await lens(page, 'Submit New Ticket').click();
			await webview(page).getByRole('heading', { name: 'The wick smokes' }).waitFor();
			await editorTab(page, 'New ticket in website').waitFor({ state: 'detached' });
			const posts = (await forge.requests()).filter(({ method }) => method === 'POST');
			assert.deepEqual(
				posts.map(({ path, status }) => [path, status]),
				[[tickets, 201]],
			);
			const made = await forge.call('todo', 'GET', `${tickets}/${before + 1}`);
			assert.deepEqual([made.at('title'), made.at('description')], ['The wick smokes', 'It *smokes* in the wind.']);
		});

		testInProve('looks up a ticket after a lost response, and does not send it again', async () => {
			const { page } = workbench();
			await newTicketIn(page, 'website');
			await page.keyboard.type('Lost on the way back');
			await forge.forgetRequests();
			await forge.fault({ area: 'todo', method: 'POST', path: tickets }, { kind: 'reset', at: 'applied' });
			await page.keyboard.press('ControlOrMeta+Enter');
			await webview(page).getByRole('heading', { name: 'Lost on the way back' }).waitFor();
			assert.equal((await forge.requests()).filter(({ method }) => method === 'POST').length, 1);
			await editorTab(page, 'New ticket in website').waitFor({ state: 'detached' });
		});

		testInProve('reports a lost ticket as missing, keeps it, and sends it again on request', async () => {
			const { page } = workbench();
			await newTicketIn(page, 'website');
			await page.keyboard.type('Lost on the way there');
			await forge.forgetRequests();
			await forge.fault({ area: 'todo', method: 'POST', path: tickets }, { kind: 'reset', at: 'headers' });
			await page.keyboard.press('ControlOrMeta+Enter');
			const notice = notification(page, 'It was not submitted; your text is kept.');
			await holdNotification(notice);
			assert.equal((await forge.requests()).filter(({ method }) => method === 'POST').length, 1);
			await pressButton(notice, 'Submit Again');
			await webview(page).getByRole('heading', { name: 'Lost on the way there' }).waitFor();
			assert.equal((await forge.requests()).filter(({ method }) => method === 'POST').length, 2);
		});

		testInProve('a rejection keeps the document and shows the forge’s reason', async () => {
			const { page } = workbench();
			await newTicketIn(page, 'website');
			await page.keyboard.type('Not to the taste of the forge');
			await forge.fault(
				{ area: 'todo', method: 'POST', path: tickets },
				{
					kind: 'status',
					status: 400,
					headers: { 'Content-Type': 'application/json' },
					body: JSON.stringify({ errors: [{ field: 'title', reason: 'Titles rhyme here' }] }),
				},
			);
			await page.keyboard.press('ControlOrMeta+Enter');
			await notification(page, 'Titles rhyme here').waitFor();
			await text(page).getByText('Not to the taste').waitFor();
		});

		testInProve('discarding shows a question, closes the document and deletes its text', async () => {
			const desk = workbench();
			const { page } = desk;
			await lens(page, 'Discard…').click();
			await question(page, 'Discard this new ticket?').getByRole('button', { name: 'Discard' }).click();
			await editorTab(page, 'New ticket in website').waitFor({ state: 'detached' });
			// The extension deletes it after the document closes.
			await eventually(async () => keptDrafts(desk), []);
			await runCommand(page, 'Forge: Show Drafts…');
			await notification(page, 'No drafts.').waitFor();
		});

		test('a TODO comment becomes a ticket with the code', async () => {
			const desk = workbench();
			const { page } = desk;
			await openFile(page, 'wick.c');
			await text(page).getByText('TODO').click();
			await openQuickFixes(page);
			await page.getByText('New Ticket from This Comment…').first().click();
			await pick(page, /\/website/);
			await quickInput(page).waitFor({ state: 'hidden' });
			await editorTab(page, 'New ticket in website').first().waitFor();
			await text(page).getByText('`wick.c`:2').waitFor();
			await text(page).getByText('trim the wick').first().waitFor();
			await text(page).getByText('return 0;').waitFor();
			await desk.screenshot('from-todo');
		});

		testInProve('a diagnostic becomes a ticket with its message', async () => {
			const desk = workbench();
			const { page } = desk;
			await openFile(page, 'wick.json');
			// The editor's own JSON extension has checked it.
			await page.locator('.squiggly-error').first().waitFor();
			await page.keyboard.press('F8');
			await page.locator('.marker-widget').getByText('Value expected').waitFor();
			await openQuickFixes(page);
			await page.getByText('New Ticket from This Problem…').first().click();
			await pick(page, /\/website/);
			await quickInput(page).waitFor({ state: 'hidden' });
			await text(page).getByText('Value expected').first().waitFor();
			await text(page).getByText('wick.json').first().waitFor();
			await text(page).getByText('"length": 3').first().waitFor();
			await desk.screenshot('from-problem');
		});

		testInProve(
			'a selection of a known repository becomes a ticket with a link to its lines at this commit',
			async () => {
				const { page, folder } = workbench();
				const git = (...args: readonly string[]): string =>
					execFileSync('git', args, { cwd: folder, encoding: 'utf8' }).trim();
				git('remote', 'add', 'origin', `${forge.areas.git}/~alice/website-code`);
				git('config', 'user.name', 'Sample');
				await page.reload();
				await gitIsThere(page);
				await openFile(page, 'hello.txt');
				await text(page).getByText('hello').click();
				await page.keyboard.press('ControlOrMeta+A');
				await runCommand(page, 'Forge: New Ticket from Here…');
				await pick(page, /\/website/);
				await text(page).getByText('hello.txt').first().waitFor();
				await text(page).click();
				await page.keyboard.press('ControlOrMeta+A');
				await page.keyboard.press('ControlOrMeta+C');
				const copied = (): Promise<string> => page.evaluate(() => navigator.clipboard.readText());
				const address = `${forge.areas.git}/~alice/website-code/tree/${git('rev-parse', 'HEAD')}/item/hello.txt#L1`;
				await eventually(
					async () => /\[hello\.txt:1\]\(.*?\)/.exec(await copied())?.[0] ?? '',
					`[hello.txt:1](${address})`,
				);
				assert.match(await copied(), /```plaintext\nhello\n```/);
			},
		);
	});
}
