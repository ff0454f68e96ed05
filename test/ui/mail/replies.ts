import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { chainedSuite } from '../../support/chain.ts';
import { eventually } from '../../support/eventually.ts';
import type { Dialect, SampleForge } from '../../support/sampleForge.ts';
import { testInProve } from '../../support/testInProve.ts';
import { fillBox } from '../support/boxKeys.ts';
import { borrowForge, giveBackForge } from '../support/sharedForge.ts';
import { lookAtList, threadOf } from '../support/listLook.ts';
import { knowing } from '../support/sampleWindow.ts';
import {
	clickRow,
	editorHasKeyboard,
	editorTab,
	expand,
	goTo,
	openContainer,
	openOnly,
	pick,
	quickInput,
	runCommand,
	treeItem,
	webview,
} from '../support/user.ts';
import { useWorkbench } from '../support/workbench.ts';

/** The text of the new side's lines that have a comment's mark. */
async function markedLines(page: Page): Promise<readonly string[]> {
	return page.locator('.editor-instance .editor.modified').evaluateAll((editors) =>
		editors.flatMap((editor) => {
			const textAt = new Map(
				Array.from(editor.querySelectorAll('.view-lines .view-line'), (line) => [
					line.getBoundingClientRect().top,
					(line.textContent ?? '').replaceAll('\u00A0', ' ').trim(),
				]),
			);
			const marks = editor.querySelectorAll('.comment-thread, .comment-thread-unresolved');
			return Array.from(marks, (mark) => textAt.get(mark.getBoundingClientRect().top) ?? 'no line');
		}),
	);
}

/** Replies to a series of the sample forge, in its diffs and in the view. */
export function repliesOnLines(dialect: Dialect): Mocha.Suite {
	return chainedSuite(`${dialect}: replies on their lines in the editor`, () => {
		let forge: SampleForge;
		suiteSetup(async () => {
			forge = await borrowForge(dialect);
		});
		const workbench = useWorkbench(() => ({
			name: `replies-${dialect}`,
			env: knowing(forge, 'alice'),
			viewport: { width: 1400, height: 1500 },
		}));
		suiteTeardown(() => giveBackForge(forge));

		const question = 'The redraw is still missing, or did I overlook it?';

		test('lists comments below a patchset by patch, and marks unanswered questions', async () => {
			const { page } = workbench();
			await openContainer(page, 'Forge');
			await openOnly(page, 'Lists');
			await expand(page, /^Mailing list lantern-devel/);
			await expand(page, /^fold: nest as deep as you like, .*version 2/);
			await expand(page, /^Comments, \d+ comments, 1 unanswered question$/);
			await treeItem(page, /^2\/4 fold: find the innermost fold, 1 comment$/).waitFor();
			await treeItem(
				page,
				/^Unanswered question, The redraw is still missing, .*, by Dave Okafor, fold_tree\.c:\d+, /,
			).waitFor();
		});

		test('a comment opens the diff with its thread below the line that it quotes', async () => {
			const { page } = workbench();
			await clickRow(page, /^Unanswered question, The redraw is still missing/);
			await editorTab(page, /^fold_tree\.c \(3\/4/).waitFor();
			const thread = page.locator('.review-widget').filter({ hasText: question });
			await thread.getByText('Dave Okafor <dave@forge.test>').first().waitFor();
			await thread.getByText('Unanswered question').waitFor();
			await eventually(() => markedLines(page), ['fold->closed = !fold->closed;']);
			await workbench().screenshot('replies');
			await thread.locator('.review-thread-reply-button').waitFor();
		});

		test('keys move to the next comment in another diff and back, and the status bar announces it', async () => {
			const { page } = workbench();
			await editorHasKeyboard(page);
			await page.keyboard.press('Alt+j');
			await page.keyboard.press('n');
			await said(page, /^Comment \d+ of \d+, by Carol Nakamura: Tested here/);
			await editorTab(page, /^folds\.t \(4\/4/).waitFor();
			await page.locator('.review-widget').getByText('Tested here with a file of 70 levels').first().waitFor();
			await editorHasKeyboard(page);
			await page.keyboard.press('Alt+j');
			await page.keyboard.press('Shift+P');
			await said(page, /^Unanswered question, comment \d+ of \d+, by Dave Okafor: The redraw/);
		});

		test('the list of all comments distinguishes questions, and opens one', async () => {
			const { page } = workbench();
			await editorHasKeyboard(page);
			await page.keyboard.press('Alt+j');
			await page.keyboard.press('q');
			const rows = quickInput(page).getByRole('option');
			await rows.filter({ hasText: 'Tested here' }).waitFor();
			await fillBox(quickInput(page), 'unanswered');
			await eventually(() => rows.count(), 1);
			await fillBox(quickInput(page), '');
			await pick(page, /^Tested here/);
			await editorTab(page, /^folds\.t \(4\/4/).waitFor();
			await page.locator('.review-widget').getByText('Tested here with a file of 70 levels').first().waitFor();
		});

		testInProve('the multi-file editor has the threads of all patches, and keys move between them', async () => {
			const { page } = workbench();
			await clickRow(page, /^fold: nest as deep as you like, .*version 2/);
			await webview(page).getByRole('button', { name: 'More Actions' }).click();
			await webview(page).getByRole('menuitem', { name: 'Open All Diffs' }).click();
			const many = page.locator('.multiDiffEditor');
			await many.locator('.modified .comment-thread').first().waitFor();
			// An unanswered thread is unfolded, in a later patch; an approval needs no answer, and is folded.
			await many.locator('.review-widget').filter({ hasText: question }).first().waitFor();
			assert.equal(await many.locator('.review-widget').filter({ hasText: 'Exactly.' }).count(), 0);
			await workbench().screenshot('replies in a series');
			await many.locator('.modified .view-line').first().click();
			await editorHasKeyboard(page);
			await page.keyboard.press('Alt+j');
			await page.keyboard.press('n');
			await said(page, /^Comment \d+ of \d+, by Alice Öberg: Exactly/);
			await page.locator('.review-widget').getByText('Reviewed-by: Alice Öberg').first().waitFor();
		});

		testInProve('a new reply appears on the removed line that it quotes, in the left document', async () => {
			const { page } = workbench();
			const title = 'status: no more than the screen is wide';
			const [cover] = await threadOf(forge, '~alice/lantern-devel', `[PATCH v2 lantern] ${title}`);
			const text = ['> -\tsnprintf(line, sizeof line,', '', 'What was wrong with that?'];
			await forge.act('/lists/mail', {
				list: '~alice/lantern-devel',
				mail: [
					'From: Bob Builder <bob@forge.test>',
					'To: ~alice/lantern-devel@lists.forge.test',
					`Subject: Re: [PATCH v2 lantern] ${title}`,
					'Message-ID: <removed@forge.test>',
					`In-Reply-To: ${cover?.messageId}`,
					'',
					...text,
				].join('\r\n'),
			});
			const { patchsets } = await lookAtList(forge, '~alice/lantern-devel');
			const patchset = patchsets.find(({ subject }) => subject === title);
			await goTo(page, `${forge.areas.lists}/~alice/lantern-devel/patches/${patchset?.id}`);
			await webview(page).locator('h1').getByText(title).waitFor();
			// On a patchset page, Next means the next patchset.
			await runCommand(page, 'Forge: Go to Comment…');
			await pick(page, /What was wrong with that/);
			const left = page.locator('.editor-instance .editor.original');
			await left.locator('.review-widget').getByText('What was wrong with that?').waitFor();
			// The cursor moves along.
			await left.locator('.inputarea:focus, .native-edit-context:focus').waitFor({ state: 'attached' });
		});
	});
}

/** The status bar shows it briefly, as an alert that screen readers announce. */
async function said(page: Page, text: RegExp): Promise<void> {
	await page.locator('.statusbar').getByRole('alert', { name: text }).getByText(text).waitFor();
}
