import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { chainedSuite } from '../support/chain.ts';
import { inRest } from '../support/parts.ts';
import { eventually } from '../support/eventually.ts';
import type { SampleForge } from '../support/sampleForge.ts';
import { testInProve } from '../support/testInProve.ts';
import { knowing } from './support/sampleWindow.ts';
import {
	editorTab,
	openContainer,
	openFile,
	pick,
	question,
	quickInput,
	runCommand,
	treeItem,
	webview,
} from './support/user.ts';
import { borrowForge, dialectsOf, giveBackForge } from './support/sharedForge.ts';
import { useWorkbench } from './support/workbench.ts';

const ticketTitle = 'The manual page contradicts the built-in help';

/** The box for commit messages. */
function commitBox(page: Page): Locator {
	return page.locator('.scm-editor .view-lines');
}

/** Waits until the title line is free: the editor first fills the box from git's template, then trims it. */
async function titleIsFree(page: Page): Promise<void> {
	const first = (): Promise<string | undefined> =>
		page
			.locator('.scm-editor .view-line')
			.evaluateAll(
				(lines) =>
					lines
						.toSorted((a, b) => a.getBoundingClientRect().top - b.getBoundingClientRect().top)
						.map((line) => line.textContent.trim())[0],
			);
	await eventually(first, '');
}

function suggestion(page: Page, name: RegExp): Locator {
	return page.locator('.suggest-widget.visible').getByRole('option', { name }).first();
}

/** Waits until Enter accepts this one, because the list is rebuilt during typing. */
async function isMarked(page: Page, name: RegExp): Promise<void> {
	await suggestion(page, name).and(page.locator('.focused')).waitFor();
}

/** References and work on tickets in code and commit messages. */
for (const dialect of dialectsOf('document')) {
	chainedSuite(`${dialect}: references in code and commits`, function () {
		inRest(this);
		let forge: SampleForge;
		suiteSetup(async () => {
			forge = await borrowForge(dialect);
		});
		const workbench = useWorkbench(() => ({
			name: `references-${dialect}`,
			env: knowing(forge, 'alice'),
			settings: {
				'git.confirmSync': false,
				'git.enableSmartCommit': true,
				'terminal.integrated.shellIntegration.enabled': false,
				// Rendered in the DOM, so that a test can read it.
				'terminal.integrated.gpuAcceleration': 'off',
			},
		}));
		suiteTeardown(() => giveBackForge(forge));

		function git(...args: readonly string[]): string {
			return execFileSync('git', args, {
				cwd: workbench().folder,
				encoding: 'utf8',
				stdio: ['ignore', 'pipe', 'ignore'],
			});
		}

		function ticketAddress(id = 31): string {
			return `${forge.areas.todo}/~alice/website/${id}`;
		}

		test('finds a folder’s project from git, guesses it otherwise, and shows the source', async () => {
			const { page } = workbench();
			git('config', 'user.name', 'Sample');
			git('config', 'user.email', 'sample@example.invalid');
			git('remote', 'add', 'origin', `${forge.areas.git}/~alice/lantern`);
			git('config', 'sendemail.to', `~alice/lantern-devel@${new URL(forge.areas.lists).hostname}`);
			await openContainer(page, 'Forge');
			await treeItem(page, /website/).waitFor();
			await runCommand(page, 'Git: Refresh');
			// The folder's links come from one git query when the list opens; this button appears only with a remote.
			await page.locator('.statusbar').getByRole('button', { name: 'Publish Branch' }).waitFor();
			await runCommand(page, 'Forge: Link Folder to Forge Project…');
			const row = (name: RegExp): Locator => quickInput(page).getByRole('option', { name });
			await row(/^Tracker: ~alice\/lantern, guessed/).waitFor();
			await row(/^List: ~alice\/lantern-devel, from sendemail\.to/).waitFor();
			await row(/^Repository: ~alice\/lantern, from the git remote origin/).waitFor();
		});

		test('a choice corrects a wrong guess, and the setting shows it', async () => {
			const { page } = workbench();
			await pick(page, /^Tracker:/);
			await pick(page, '~alice/website');
			await page.getByText('Set in folder settings').first().waitFor();
			await runCommand(page, 'Forge: Link Folder to Forge Project…');
			await quickInput(page)
				.getByRole('option', { name: /^Tracker: ~alice\/website, set in settings/ })
				.waitFor();
			await page.keyboard.press('Escape');
		});

		test('a reference in Markdown shows its ticket, and a click opens the page', async () => {
			const { page, folder } = workbench();
			writeFileSync(join(folder, 'notes.md'), 'We have to look at #31 again.\n');
			await openFile(page, 'notes.md');
			const link = page.locator('.editor-instance .detected-link').getByText('#31');
			await link.hover();
			await page.locator('.monaco-hover').getByText('Submitted by').waitFor();
			await page.locator('.monaco-hover').getByText(ticketTitle).waitFor();
			await page.keyboard.press('Escape');
			await link.click();
			await runCommand(page, 'Open Link');
			await webview(page).getByRole('heading', { name: ticketTitle }).waitFor();
		});

		test('a fresh window recognises references in texts, without any view of the extension', async () => {
			// The editor restores views and pages in a known folder.
			const folder = join(workbench().folder, 'unseen');
			cpSync(join(workbench().folder, '.vscode'), join(folder, '.vscode'), { recursive: true });
			writeFileSync(join(folder, 'fresh.py'), '# We have to look at #31 again.\n');
			const page = await workbench().openWindow(folder);
			await openFile(page, 'fresh.py');
			await page.locator('.editor-instance .detected-link').getByText('#31').hover();
			await page.locator('.monaco-hover').getByText(ticketTitle).waitFor();
			await page.keyboard.press('Escape');
			await page.keyboard.press('ControlOrMeta+End');
			await page.keyboard.type('# See #');
			await suggestion(page, /#\d+/).waitFor();
			await page.keyboard.press('Escape');
			await runCommand(page, 'File: Revert File');
			await page.close();
			rmSync(folder, { recursive: true });
		});

		test('work starts on a branch named by the ticket, with its trailer in the commit box', async () => {
			const { page } = workbench();
			await editorTab(page, /manual page|website#31/).waitFor();
			const sourceControl = page.locator('.activitybar').getByRole('tab', { name: /^Source Control/ });
			// Git has seen the settings and the newly written file.
			await sourceControl.and(page.getByRole('tab', { name: '2 pending changes' })).waitFor();
			await runCommand(page, 'Forge: Start Work on Ticket…');
			await pick(page, /^Fixes/);
			await question(page, 'with uncommitted changes').getByRole('button', { name: 'Create Branch' }).click();
			await page.getByText('ticket-31-the-manual-page-contradicts-the-built-in-help').first().waitFor();
			await sourceControl.click();
			await commitBox(page).getByText(`Fixes: ${ticketAddress()}`).waitFor();
			assert.equal(git('branch', '--show-current').trim(), 'ticket-31-the-manual-page-contradicts-the-built-in-help');
		});

		test('keeps the typed message, and adds the trailer again after a commit', async () => {
			const { page } = workbench();
			await commitBox(page).click();
			await page.keyboard.press('ControlOrMeta+Home');
			await page.keyboard.type('Correct the manual');
			await commitBox(page).getByText('Correct the manual').waitFor();
			await runCommand(page, 'Git: Commit All');
			await commitBox(page).getByText('Correct the manual').waitFor({ state: 'detached' });
			await commitBox(page).getByText(`Fixes: ${ticketAddress()}`).waitFor();
			// Text typed while the editor fills the box would get lost.
			await titleIsFree(page);
			assert.match(git('log', '-1', '--format=%B'), new RegExp(`^Correct the manual\n\nFixes: ${ticketAddress()}`));
		});

		testInProve('lists tickets in unpushed commits with the effect of a push', async () => {
			const { page } = workbench();
			await runCommand(page, 'Forge: Show Tickets in Unpushed Commits');
			const row = quickInput(page).getByRole('option', { name: new RegExp(ticketTitle) });
			await row.waitFor();
			assert.match(
				(await row.getAttribute('aria-label')) ?? '',
				/~alice\/website#31.*Fixes: resolves it as fixed.*Correct the manual/,
			);
			await quickInput(page)
				.getByText(
					'These tickets are mentioned by unpushed commits, and will be resolved where the forge acts on trailers.',
				)
				.first()
				.waitFor();
			await page.keyboard.press('Escape');
		});

		test('the commit box offers trailers in the last paragraph, tickets after them, and tickets after #', async () => {
			const { page } = workbench();
			await commitBox(page).click();
			await page.keyboard.press('ControlOrMeta+A');
			await page.keyboard.type('Title (#');
			await suggestion(page, /#\d+/).waitFor();
			await page.keyboard.press('Escape');
			await page.keyboard.type('31)\n\nImp');
			await page.keyboard.press('Control+Space');
			await isMarked(page, /^Implements:/);
			await page.keyboard.press('Enter');
			await suggestion(page, /#31/).waitFor();
			await page.keyboard.type('contradicts');
			await isMarked(page, /#31.*contradicts/);
			await page.keyboard.press('Enter');
			await commitBox(page).getByText(`Implements: ${ticketAddress()}`).waitFor();
		});

		testInProve('leaving the branch removes the trailer, and coming back adds it again', async () => {
			const { page } = workbench();
			await commitBox(page).click();
			await page.keyboard.press('ControlOrMeta+A');
			await page.keyboard.press('Delete');
			git('switch', 'main');
			await runCommand(page, 'Git: Refresh');
			await page.locator('.statusbar').getByText('main').first().waitFor();
			assert.equal((await commitBox(page).textContent())?.trim(), '');
			await runCommand(page, 'Forge: Start Work on Ticket…');
			await pick(page, /^Fixes/);
			await question(page, 'already exists').getByRole('button', { name: 'Switch to It' }).click();
			await commitBox(page).getByText(`Fixes: ${ticketAddress()}`).waitFor();
			git('switch', 'main');
			await runCommand(page, 'Git: Refresh');
			await commitBox(page).getByText('Fixes:').waitFor({ state: 'detached' });
		});

		testInProve('a terminal links tickets, and opens their pages', async () => {
			const { page } = workbench();
			await runCommand(page, 'View: Close All Editors');
			await runCommand(page, 'Terminal: Create New Terminal');
			await page.locator('.terminal-wrapper .xterm-helper-textarea:focus').waitFor();
			// Text typed before the shell's prompt appears twice.
			await page.locator('.xterm-rows').getByText(/\S/).first().waitFor();
			await page.keyboard.type("printf 'see ~alice/website%s\\n' '#31'");
			await page.keyboard.press('Enter');
			const line = page.locator('.xterm-rows').getByText('see ~alice/website#31');
			await line.waitFor();
			const box = await line.boundingBox();
			assert.ok(box);
			const [x, y] = [box.x + box.width * 0.75, box.y + box.height / 2];
			await page.mouse.move(x, y);
			await page.getByText('Open ticket ~alice/website#31').waitFor();
			await page.keyboard.down('Control');
			await page.mouse.move(x + 2, y);
			await page.locator('.xterm-cursor-pointer').first().waitFor();
			await page.mouse.down();
			await page.mouse.up();
			await page.keyboard.up('Control');
			await webview(page).getByRole('heading', { name: ticketTitle }).waitFor();
		});

		testInProve('undoes a correction, and git determines the project again', async () => {
			const { page } = workbench();
			await runCommand(page, 'Forge: Link Folder to Forge Project…');
			await pick(page, /^Tracker:/);
			await pick(page, 'Detect from git');
			await page.getByText('Removed from folder settings').first().waitFor();
			await runCommand(page, 'Forge: Link Folder to Forge Project…');
			await quickInput(page)
				.getByRole('option', { name: /^Tracker: ~alice\/lantern, guessed/ })
				.waitFor();
			await page.keyboard.press('Escape');
		});
	});
}
