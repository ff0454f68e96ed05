import assert from 'node:assert/strict';
import { chainedSuite } from '../../support/chain.ts';
import { eventually } from '../../support/eventually.ts';
import type { Dialect, SampleForge } from '../../support/sampleForge.ts';
import { testInProve } from '../../support/testInProve.ts';
import { isKeptAsDraft } from '../support/keptDrafts.ts';
import { lookAtList, type ForgeMail } from '../support/listLook.ts';
import { mailSettings, type MailSettings } from '../support/mailSettings.ts';
import { knowing } from '../support/sampleWindow.ts';
import { borrowForge, giveBackForge } from '../support/sharedForge.ts';
import {
	chooseFromMenu,
	clickRow,
	editorHasKeyboard,
	editorTab,
	expand,
	linesAreCommentable,
	notification,
	openContainer,
	openOnly,
	pick,
	question,
	runCommand,
} from '../support/user.ts';
import { useWorkbench } from '../support/workbench.ts';

/** The mails that the extension sent for alice, as the forge received them. */
async function sentMails(forge: SampleForge): Promise<readonly ForgeMail[]> {
	return (await lookAtList(forge, '~alice/lantern-devel')).mails.filter(
		({ sender, messageId }) => sender === 'alice' && messageId.startsWith('<forge-desk-'),
	);
}

/** A maintainer's review, from the first comment to the mails on the list. */
export function writtenReview(dialect: Dialect): Mocha.Suite {
	return chainedSuite(`${dialect}: writing a review in the editor`, () => {
		let forge: SampleForge;
		let settings: MailSettings;
		suiteSetup(async () => {
			forge = await borrowForge(dialect);
			settings = mailSettings(forge);
		});
		const workbench = useWorkbench(() => ({
			name: `review-${dialect}`,
			env: { ...knowing(forge, 'alice'), ...settings.env },
			viewport: { width: 1400, height: 1500 },
		}));
		suiteTeardown(async () => {
			settings.remove();
			await giveBackForge(forge);
		});

		test('text added below a reply becomes a draft', async () => {
			const { page } = workbench();
			await openContainer(page, 'Forge');
			await openOnly(page, 'Lists');
			await expand(page, /^Mailing list lantern-devel/);
			await expand(page, /^fold: nest as deep as you like, .*version 2/);
			await expand(page, /^Comments, \d+ comments/);
			await clickRow(page, /^Unanswered question, The redraw is still missing/);
			await editorTab(page, /^fold_tree\.c \(3\/4/).waitFor();
			const thread = page.locator('.review-widget').filter({ hasText: 'The redraw is still missing' });
			await thread.locator('.review-thread-reply-button').click();
			await thread.locator('.comment-form .inputarea, .comment-form .native-edit-context').first().focus();
			await page.keyboard.type('It is drawn in the next patch.');
			await thread.getByRole('button', { name: 'Add Draft Comment' }).click();
			await thread.getByText('Draft', { exact: true }).waitFor();
			await thread.getByText('It is drawn in the next patch.').first().waitFor();
			await workbench().screenshot('draft');
		});

		test('the editor’s command opens a box on another line, and its draft stays there', async () => {
			const { page } = workbench();
			await linesAreCommentable(page);
			await page
				.locator('.editor-instance .editor.modified .view-line')
				.filter({ hasText: 'fold->closed' })
				.first()
				.click();
			await editorHasKeyboard(page);
			await page.keyboard.press('ArrowUp');
			await runCommand(page, 'Comments: Add Comment on Current Selection');
			const box = page.locator('.review-widget').filter({ hasNotText: 'The redraw is still missing' });
			await box.locator('.comment-form .inputarea, .comment-form .native-edit-context').first().focus();
			await page.keyboard.type('Why not before the check?');
			await box.getByRole('button', { name: 'Add Draft Comment' }).click();
			const draft = page.locator('.review-widget').filter({ hasText: 'Why not before the check?' });
			await draft.getByText('Draft', { exact: true }).waitFor();
		});

		testInProve('restores an unfinished comment after a window reload', async () => {
			const { page } = workbench();
			await editorHasKeyboard(page);
			await page.keyboard.press('ArrowUp');
			await runCommand(page, 'Comments: Add Comment on Current Selection');
			const box = page.locator('.review-widget').filter({ hasNotText: /The redraw is still missing|Why not before/ });
			await box.locator('.comment-form .inputarea, .comment-form .native-edit-context').first().focus();
			await page.keyboard.type('Half a sentence');
			await isKeptAsDraft(workbench(), 'Half a sentence');
			await workbench().reloadWith({});
			await editorTab(page, /^fold_tree\.c \(3\/4/).waitFor();
			// The comment is above the first line and may be out of view.
			await page.locator('.editor-instance .editor.modified .view-line').first().click();
			await editorHasKeyboard(page);
			await page.keyboard.press('ControlOrMeta+Home');
			const left = page.locator('.review-widget').filter({ hasText: 'Half a sentence' });
			await left.getByText('Typed, not added').first().waitFor();
			await left
				.getByRole('button', { name: /^Discard Draft Comment/ })
				.first()
				.click();
			await question(page, 'Discard this draft comment?').getByRole('button', { name: 'Discard', exact: true }).click();
			await left.waitFor({ state: 'detached' });
		});

		testInProve('restores an unfinished edit of a draft after a window reload', async () => {
			const { page } = workbench();
			const draft = page.locator('.review-widget').filter({ hasText: 'Why not before the check?' });
			await draft.getByRole('button', { name: /^Edit Draft Comment/ }).click();
			await draft.locator('.edit-textarea .inputarea, .edit-textarea .native-edit-context').first().focus();
			await page.keyboard.press('ControlOrMeta+End');
			await page.keyboard.type(' Or after it?');
			await isKeptAsDraft(workbench(), 'Why not before the check? Or after it?');
			await workbench().reloadWith({});
			await editorTab(page, /^fold_tree\.c \(3\/4/).waitFor();
			const left = page.locator('.review-widget').filter({ hasText: 'Or after it?' });
			const typed = left.locator('.review-comment').filter({ hasText: 'Typed, not added' });
			await typed.getByText('Why not before the check? Or after it?').waitFor();
			await left
				.locator('.review-comment')
				.filter({ hasText: 'Draft' })
				.getByText('Why not before the check?', { exact: true })
				.waitFor();
			await typed.getByRole('button', { name: /^Discard Draft Comment/ }).click();
			await question(page, 'Discard this draft comment?').getByRole('button', { name: 'Discard', exact: true }).click();
			await left.waitFor({ state: 'detached' });
		});

		test('the preview shows the mails with their headers', async () => {
			const { page } = workbench();
			await runCommand(page, 'Forge: Review…', 'Preview Review…');
			await editorTab(page, /^Review of patchset \d+/).waitFor();
			const text = page.locator('.editor-instance:visible .view-lines').last();
			for (const part of [
				/To:\s~alice\/lantern-devel@lists\.forge\.test/,
				/In-Reply-To:\s</,
				/Why\snot\sbefore\sthe\scheck\?/,
			]) {
				await text.filter({ hasText: part }).waitFor();
			}
			await workbench().screenshot('preview');
		});

		test('edits a mail in a document, and the preview names it', async () => {
			const { page } = workbench();
			await runCommand(page, 'Forge: Review…', 'Edit Message of Review…');
			await pick(page, /^Re: .*3\/4/);
			const tab = editorTab(page, /^Message on patchset \d+/);
			await tab.waitFor();
			await editorHasKeyboard(page);
			const text = page.locator('.editor-group-container.active .editor-instance:visible .view-lines').last();
			await text.filter({ hasText: /From:\sAlice/ }).waitFor();
			await page.keyboard.press('ControlOrMeta+End');
			await page.keyboard.type('Thought about it again.  ');
			await isKeptAsDraft(workbench(), 'Thought about it again.  ');
			await workbench().screenshot('edited mail');
			await editorTab(page, /^Review of patchset \d+/).click();
			await text.filter({ hasText: /Thought\sabout\sit\sagain/ }).waitFor();
			await workbench().screenshot('preview of an edited mail');
		});

		test('sending shows a question, git hands the mails to the forge, and no draft remains', async () => {
			const { page } = workbench();
			await runCommand(page, 'Forge: Send Review…');
			const asked = question(page, 'Send 2 messages?');
			await asked.getByText('From: Alice Öberg <alice@forge.test>').waitFor();
			await asked.getByRole('button', { name: 'Send', exact: true }).click();
			await notification(page, /Sent 2 messages to ~alice\/lantern-devel@lists\.forge\.test/).waitFor();
			await eventually(async () => (await sentMails(forge)).length, 2);
			const mails = await sentMails(forge);
			assert.ok(mails.every(({ subject }) => subject.startsWith('Re: ')));
			// Once, in the edited mail, and with trailing spaces intact.
			assert.deepEqual(
				mails.flatMap(({ text }) => text.split(/\r?\n/).filter((line) => line.startsWith('Thought about'))),
				['Thought about it again.  '],
			);
			await runCommand(page, 'Forge: Focus on Lists View');
			await runCommand(page, 'Forge: Review…', 'Discard Review…');
			await notification(page, 'No drafts to discard.').waitFor();
		});

		test('replies to a mail in a document that closes after sending', async () => {
			const { page } = workbench();
			await chooseFromMenu(
				page,
				/^Unanswered question, The redraw is still missing|^The redraw is still missing/,
				'Reply to Message…',
			);
			const tab = editorTab(page, /^Reply to /);
			await tab.waitFor();
			await editorHasKeyboard(page);
			await page.keyboard.press('ControlOrMeta+End');
			await page.keyboard.type('Drawn by now.');
			await isKeptAsDraft(workbench(), 'Drawn by now.');
			await workbench().screenshot('reply');
			await runCommand(page, 'Forge: Send Message…');
			await question(page, 'Send 1 message?').getByRole('button', { name: 'Send', exact: true }).click();
			await tab.waitFor({ state: 'detached' });
			await eventually(async () => (await sentMails(forge)).length, 3);
		});
	});
}
