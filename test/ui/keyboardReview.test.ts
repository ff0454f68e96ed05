import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import type { Locator } from 'playwright-core';
import { chainedSuite } from '../support/chain.ts';
import type { SampleForge } from '../support/sampleForge.ts';
import { testInProve } from '../support/testInProve.ts';
import { agreeByKey, pressInBox } from './support/boxKeys.ts';
import { keysOnly } from './support/keysOnly.ts';
import { mailSettings, type MailSettings } from './support/mailSettings.ts';
import { knowing } from './support/sampleWindow.ts';
import {
	editorHasKeyboard,
	editorTab,
	linesAreCommentable,
	notification,
	openOnly,
	question,
	quickInput,
	treeItem,
	webview,
} from './support/user.ts';
import { borrowForge, dialectsOf, giveBackForge } from './support/sharedForge.ts';
import { useWorkbench } from './support/workbench.ts';

const title = 'mouse: drag to select';
/** Its name in the proposal. */
const branch = 'mouse-drag-to-select-v2';
const said = 'Why not at the end of the line?';
const row = /^mouse: drag to select, Proposed, version 2/i;

for (const dialect of dialectsOf('field')) {
	/** The steps of docs/review.md without a mouse: read, comment, send, set the status, apply, push. */
	chainedSuite(`${dialect}: reviewing a patchset with the keyboard alone`, () => {
		let forge: SampleForge;
		let settings: MailSettings;
		let worktree = '';
		suiteSetup(async () => {
			forge = await borrowForge(dialect);
			settings = mailSettings(forge);
		});
		const workbench = useWorkbench(() => ({
			name: `keyboard-review-${dialect}`,
			env: { ...knowing(forge, 'alice'), ...settings.env },
			// High enough for all rows that the tests need, because a view renders only rows in view.
			viewport: { width: 1400, height: 2000 },
		}));
		const keys = keysOnly(workbench);
		const { press, chord, boxIsOpen, type, run } = keys;
		const git = (...args: readonly string[]): string =>
			execFileSync('git', args, {
				cwd: workbench().folder,
				encoding: 'utf8',
				stdio: ['ignore', 'pipe', 'ignore'],
			}).trim();
		suiteSetup(async () => {
			worktree = `${workbench().folder}-${branch}`;
			// With other views open, Lists would show only a few rows.
			await openOnly(workbench().page, 'Lists');
			await keys.watchPointers();
			git('remote', 'add', 'origin', `${forge.areas.git}/~alice/lantern`);
			git('remote', 'set-url', '--push', 'origin', `${forge.areas.git}/ssh/~alice/lantern`);
			git('fetch', '-q', 'origin');
			git('checkout', '-q', '-B', 'master', 'origin/master');
			await workbench().page.locator('.statusbar-item').filter({ hasText: 'master' }).first().waitFor();
		});
		suiteTeardown(async () => {
			settings.remove();
			await giveBackForge(forge);
			rmSync(worktree, { recursive: true, force: true, maxRetries: 5 });
		});

		/** Waits until a question takes keys, and presses its default button. */
		async function agree(text: string | RegExp, button: string): Promise<void> {
			await agreeByKey(question(workbench().page, text), button);
		}

		testInProve('opens its file from its rows', async () => {
			const { page } = workbench();
			await run('View: Show Forge');
			await keys.goDownTo('Lists', /^Mailing list lantern-devel/);
			await press('ArrowRight');
			await treeItem(page, row).waitFor();
			await keys.goDownTo('Lists', row);
			await press('ArrowRight');
			const patch = /^(?:Patch )?1\/3 /;
			await treeItem(page, patch).waitFor();
			await keys.goDownTo('Lists', patch);
			await press('ArrowRight');
			await treeItem(page, /mouse_select\.c/).waitFor();
			await press('ArrowDown', 'Enter');
			await editorTab(page, /\(1\/3/).waitFor();
		});

		testInProve('comments on a line and edits the draft', async () => {
			const { page } = workbench();
			const thread = (text: string): Locator => page.locator('.review-widget').filter({ hasText: text });
			await linesAreCommentable(page);
			await run('View: Focus Active Editor Group');
			await editorHasKeyboard(page);
			await run('Comments: Add Comment on Current Selection');
			await page.locator('.comment-form .monaco-editor.focused').waitFor();
			await page.keyboard.type('Why not at the end?');
			// The key has no effect until the editor knows that the box has text.
			await page.getByRole('button', { name: /^Add Draft Comment/, disabled: false }).waitFor();
			await press('Control+Enter');
			await thread('Why not at the end?').getByText('Draft', { exact: true }).waitFor();
			await editorHasKeyboard(page);
			// The editor looks up comments when the cursor moves to a line.
			await press('ArrowDown', 'ArrowUp');
			await run('Comments: Focus Comment on Current Line');
			await page.locator('.comments-container:focus').waitFor();
			await press('Tab');
			const edit = thread('Why not at the end?').getByRole('button', { name: 'Edit Draft Comment' });
			await edit.and(page.locator(':focus')).waitFor();
			await press('Enter');
			await page.locator('.edit-container .monaco-editor.focused').waitFor();
			await press('Control+End', 'Backspace');
			await page.keyboard.type(' of the line?');
			await page.getByRole('button', { name: /^Save Draft Comment/, disabled: false }).waitFor();
			await press('Control+Enter');
			await thread(said).getByText('Draft', { exact: true }).waitFor();
			await page.locator('.edit-container').waitFor({ state: 'detached' });
		});

		testInProve('marks its file as viewed, and goes to the next one', async () => {
			const { page } = workbench();
			await run('View: Focus Active Editor Group');
			await editorHasKeyboard(page);
			await chord('v');
			await treeItem(page, /^Patch 1\/3 .*, 1 of 1 viewed/).waitFor();
			await editorHasKeyboard(page);
			await chord('ArrowRight');
			await editorTab(page, /\(2\/3/).waitFor();
		});

		testInProve('previews and sends the review', async () => {
			const { page } = workbench();
			await run('Forge: Review…', 'Preview Review…');
			await editorTab(page, /^Review of patchset \d+/).waitFor();
			await run('Forge: Send Review…');
			await agree('Send 1 message?', 'Send');
			await notification(page, /Sent 1 message to ~alice\/lantern-devel@lists\.forge\.test/).waitFor();
		});

		testInProve('sets its status, and undoes it', async () => {
			const { page } = workbench();
			await keys.goDownTo('Lists', /^mouse: drag to select, Proposed, version 2/i);
			await chord('s');
			await type('revision', /Needs revision/i);
			await treeItem(page, /^mouse: drag to select, Needs revision, version 2/i).waitFor();
			await keys.goDownTo('Lists', /^mouse: drag to select, Needs revision, version 2/i);
			await chord('u');
			await treeItem(page, row).waitFor();
		});

		testInProve('applies it in a worktree, pushes, and marks it as applied', async () => {
			const { page } = workbench();
			await keys.goDownTo('Lists', row);
			await press('Enter');
			await webview(page).locator('h1').getByText(title).waitFor();
			await run('Forge: Apply Patchset…');
			await quickInput(page).getByText('Choose where to apply').waitFor();
			await type('New Worktree', /^New Worktree at master/);
			await boxIsOpen();
			await quickInput(page).getByText('Name of the new branch').waitFor();
			await pressInBox(quickInput(page), 'Enter');
			await quickInput(page).getByText('Choose what of').waitFor();
			await pressInBox(quickInput(page), 'Enter');
			await notification(page, `Applied 3 patches of "${title}" to ${branch}.`).waitFor();
			// The page in front names the patchset.
			await run('Forge: Push Applied Patchset…');
			await type('master', /^master/);
			await agree('Push to master (origin)?', 'Push');
			await quickInput(page).getByText('Choose what to do for').waitFor();
			await pressInBox(quickInput(page), 'Enter');
			// The thanks stay a draft without an answer to their question.
			await question(page, 'Send 1 message?').waitFor();
			await press('Escape');
			await notification(page, 'Pushed to master (origin). Done: Set Status to Applied').waitFor();
			const tip = git('-C', worktree, 'rev-parse', 'HEAD');
			assert.equal(git('ls-remote', 'origin', 'refs/heads/master').split('\t')[0], tip);
			await treeItem(page, row).waitFor({ state: 'detached' });
		});

		testInProve('no pointer was in use', () => keys.assertNoPointer());
	});
}
