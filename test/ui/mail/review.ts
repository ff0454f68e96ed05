import assert from 'node:assert/strict';
import * as v from 'valibot';
import { chainedSuite } from '../../support/chain.ts';
import { eventually } from '../../support/eventually.ts';
import type { Dialect, SampleForge } from '../../support/sampleForge.ts';
import { mailSettings, type MailSettings } from '../support/mailSettings.ts';
import { knowing } from '../support/sampleWindow.ts';
import { borrowForge, giveBackForge } from '../support/sharedForge.ts';
import {
	clickRow,
	editorHasKeyboard,
	editorTab,
	expand,
	notification,
	openContainer,
	openOnly,
	pick,
	question,
	runCommand,
} from '../support/user.ts';
import { useWorkbench } from '../support/workbench.ts';

const posts = v.array(v.looseObject({ subject: v.string(), message_id: v.string() }));

/** The subjects of the mails that the extension sent to a list. */
async function sentTo(forge: SampleForge): Promise<readonly string[]> {
	const answered = await forge.call('lists', 'GET', '/api/user/~alice/lists/lantern-devel/posts');
	return v
		.parse(posts, answered.at('results') ?? answered.json)
		.filter(({ message_id: id }) => id.startsWith('<forge-desk-'))
		.map(({ subject }) => subject);
}

/** A maintainer's review, from the first comment to the mails on the list; each test stands on the one before. */
export function writtenReview(dialect: Dialect): void {
	chainedSuite(`${dialect}: a review that is written in the editor`, () => {
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

		test('below a reply what is added stands as a draft', async () => {
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

		test('on another line the command of the editor opens a box, and its draft stands there', async () => {
			const { page } = workbench();
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

		test('the preview shows the mails with their headers', async () => {
			const { page } = workbench();
			await runCommand(page, 'Forge: Preview Review…');
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

		test('sending asks, git hands the mails to the forge, and no draft is left', async () => {
			const { page } = workbench();
			await runCommand(page, 'Forge: Send Review…');
			await pick(page, /^Send with git send-email/);
			const asked = question(page, 'Send 2 mails?');
			await asked.getByText('From: Alice Öberg <alice@forge.test>').waitFor();
			await asked.getByRole('button', { name: 'Send', exact: true }).click();
			await notification(page, /Sent 2 mails to ~alice\/lantern-devel@lists\.forge\.test/).waitFor();
			await eventually(async () => (await sentTo(forge)).length, 2);
			assert.ok((await sentTo(forge)).every((subject) => subject.startsWith('Re: ')));
			await runCommand(page, 'Forge: Discard Review…');
			await notification(page, 'No drafts to discard.').waitFor();
		});
	});
}
