import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FrameLocator, Locator } from 'playwright-core';
import { chainedSuite } from '../../support/chain.ts';
import type { Dialect, SampleForge } from '../../support/sampleForge.ts';
import { testInProve } from '../../support/testInProve.ts';
import { fillBox, pressInBox } from '../support/boxKeys.ts';
import { threadOf, type ForgeMail } from '../support/listLook.ts';
import { knowing } from '../support/sampleWindow.ts';
import {
	editorHasKeyboard,
	editorTab,
	gitIsThere,
	goTo,
	openContainer,
	pageHasKeyboard,
	quickInput,
	runCommand,
	webview,
} from '../support/user.ts';
import { eventually } from '../../support/eventually.ts';
import { openFilesAreKept } from '../support/keptEditors.ts';
import { borrowForge, giveBackForge } from '../support/sharedForge.ts';
import { useWorkbench } from '../support/workbench.ts';

const develList = '~alice/lantern-devel';

const longSubject = 'Should the default key bindings change?';

function mail(frame: FrameLocator, id: number): Locator {
	return frame.locator(`.mail[data-mail="${id}"]`);
}

/** The thread page in the real editor, over either kind of forge; each test stands on the one before. */
export function threadPage(dialect: Dialect): void {
	chainedSuite(`${dialect}: the thread page in the editor`, () => {
		let forge: SampleForge;
		let mails: readonly ForgeMail[] = [];
		suiteSetup(async () => {
			forge = await borrowForge(dialect);
			mails = await threadOf(forge, develList, longSubject);
		});
		const workbench = useWorkbench(() => ({
			name: `thread-page-${dialect}`,
			env: knowing(forge, 'alice'),
			viewport: { width: 1280, height: 1000 },
		}));
		suiteTeardown(() => giveBackForge(forge));

		/** A mail comes to the list, away from this editor. */
		async function send(headers: readonly string[], text: string): Promise<void> {
			const mailOf = [
				'From: Bob Builder <bob@forge.test>',
				'To: ~alice/lantern-devel@lists.forge.test',
				...headers,
				'',
				text,
			].join('\r\n');
			await forge.act('/lists/mail', { list: '~alice/lantern-devel', mail: mailOf });
		}

		function addressOf({ messageId }: ForgeMail): string {
			return `${forge.areas.lists}/~alice/lantern-devel/${encodeURIComponent(messageId)}`;
		}

		test('the address of an answer opens its conversation at that mail, in focus', async () => {
			const { page } = workbench();
			await gitIsThere(page);
			await openContainer(page, 'Forge');
			const wanted = mails[30];
			assert.ok(wanted);
			await goTo(page, addressOf(wanted));
			await editorTab(page, longSubject).waitFor();
			const frame = webview(page);
			await frame.locator('h1').getByText(longSubject).waitFor();
			await frame.locator(`.mail.target[data-mail="${wanted.id}"]`).waitFor();
			await frame.locator(`.mail[data-mail="${wanted.id}"] article:focus`).waitFor();
			await mail(frame, wanted.id).locator('.mail-body').waitFor();
			// A long thread comes piece by piece.
			await eventually(() => frame.locator('.mail').count(), mails.length);
			assert.equal(await frame.locator('h1').count(), 1);
			await workbench().screenshot('thread');
		});

		test('keys go to the next mail and back', async () => {
			const { page } = workbench();
			const frame = webview(page);
			const focused = frame.locator('.mail article:focus');
			const order = await frame
				.locator('.mail')
				.evaluateAll((all) => all.map((each) => each.getAttribute('data-mail')));
			const at = order.indexOf(String(mails[30]?.id));
			await pageHasKeyboard(page);
			await page.keyboard.press('Alt+J');
			await page.keyboard.press('n');
			await frame.locator(`.mail[data-mail="${order[at + 1]}"] article:focus`).waitFor();
			await page.keyboard.press('Alt+J');
			await page.keyboard.press('p');
			await frame.locator(`.mail[data-mail="${order[at]}"] article:focus`).waitFor();
			assert.equal(await focused.count(), 1);
		});

		testInProve('quotes unfold by key, and their choice is kept for other threads', async () => {
			const frame = webview(workbench().page);
			const unfold = frame.getByRole('button', { name: 'Unfold quotes' });
			const folded = frame.locator('.quote .fold[aria-expanded="false"]').first();
			// A quote of one line is never folded, so that there is one tells nothing.
			await folded.waitFor({ state: 'attached' });
			await unfold.focus();
			await workbench().page.keyboard.press('Enter');
			await folded.waitFor({ state: 'detached' });
			await frame.locator('.quote .fold[aria-expanded="true"] ~ blockquote').first().waitFor({ state: 'attached' });
			await unfold.click();
			await folded.waitFor({ state: 'attached' });
		});

		test('a mail that arrives appears at its place when the view is refreshed, marked as new', async () => {
			const { page } = workbench();
			const frame = webview(page);
			const [first] = mails;
			assert.ok(first);
			await send(
				[
					'Subject: Re: Should the default key bindings change?',
					'Message-ID: <late@forge.test>',
					`In-Reply-To: ${first.messageId}`,
				],
				'I come late, and I have read it all.',
			);
			await runCommand(page, 'Forge: Focus on Lists View');
			await runCommand(page, 'Forge: Refresh');
			await frame.getByText('I come late, and I have read it all.').waitFor({ state: 'attached' });
			await frame.locator('.fresh-mail .fresh').waitFor({ state: 'attached' });
		});

		test('attachments are saved only where one chooses, and a text opens as a read-only document', async () => {
			const { page, folder } = workbench();
			// The next thread would take the place of the one that was only looked at.
			await editorTab(page, longSubject).click();
			// The tab hands the keyboard to its page, which would close a palette that is open by then.
			await pageHasKeyboard(page);
			await runCommand(page, 'Forge: Keep Page Open');
			await send(
				[
					'Subject: The log',
					'Message-ID: <log@forge.test>',
					'MIME-Version: 1.0',
					'Content-Type: multipart/mixed; boundary=xx',
				],
				[
					'--xx',
					'Content-Type: text/plain',
					'',
					'Here it is.',
					'--xx',
					'Content-Type: text/x-log; name="../run.log"',
					'Content-Disposition: attachment; filename="../run.log"',
					'Content-Transfer-Encoding: base64',
					'',
					'bGluZSBvbmU=',
					'--xx--',
				].join('\r\n'),
			);
			const [log] = await threadOf(forge, develList, 'The log');
			assert.ok(log);
			await goTo(page, addressOf(log));
			const frame = webview(page);
			await frame.locator('h1').getByText('The log').waitFor();
			const row = frame.locator('.attachments li');
			await row.getByRole('button', { name: /^Save/ }).click();
			const place = quickInput(page).locator('input').first();
			await place.waitFor();
			// The box opens empty and is filled a moment later.
			await page.waitForFunction(() => {
				const box = document.querySelector<HTMLInputElement>(
					'.quick-input-widget input[type=text], .quick-input-widget input',
				);
				return box?.value.endsWith('/_run.log') === true;
			});
			await fillBox(quickInput(page), join(folder, 'picked.log'));
			await pressInBox(quickInput(page), 'Enter');
			await page
				.getByText(/^Saved /)
				.first()
				.waitFor();
			assert.equal(readFileSync(join(folder, 'picked.log'), 'utf8'), 'line one');
			await row.getByRole('button', { name: /^Open as Text/ }).click();
			await editorTab(page, /run\.log/).waitFor();
			await page.locator('.editor-instance .view-lines').getByText('line one').waitFor();
			await editorHasKeyboard(page);
			await page.keyboard.type('x');
			await page.getByText('Editor is read-only').first().waitFor();
			await runCommand(page, 'View: Close Editor');
			await editorTab(page, /run\.log/).waitFor({ state: 'detached' });
		});

		testInProve('after a reload of the window the page is there again, and a mail that was open, too', async () => {
			const { page } = workbench();
			const [log] = await threadOf(forge, develList, 'The log');
			assert.ok(log);
			const frame = webview(page);
			await frame.locator('h1').getByText('The log').waitFor();
			await frame.getByRole('button', { name: 'Actions' }).first().click();
			await frame.getByRole('button', { name: 'Open as Document' }).click();
			await page.locator('.editor-instance .view-lines').getByText('Here it is.').waitFor();
			await page.keyboard.press('ControlOrMeta+K');
			await page.keyboard.press('Enter');
			// The attachment of the test before was a document of the same kind, so the mail's own name is waited for.
			await openFilesAreKept(page, `/${log.id}/The log `);
			await page.reload();
			await gitIsThere(page);
			await page.locator('.editor-instance .view-lines').getByText('Here it is.').waitFor();
			await editorTab(page, longSubject).click();
			await eventually(() => webview(page).locator('.mail').count(), mails.length + 1);
		});

		testInProve('the patchset of a thread is linked above it, and a diff in a mail opens natively', async () => {
			const { page } = workbench();
			await goTo(page, 'fold: nest as deep', /fold: nest as deep as you like/);
			await webview(page).getByRole('button', { name: 'Open Thread' }).click();
			const frame = webview(page);
			await frame.locator('h1').getByText('fold: nest as deep as you like').waitFor();
			// A file that a patch adds would open as a document, and the first mail with a diff may have such a one.
			const subject = page.locator('.mail-subject').filter({ hasText: '3/4' });
			const changed = frame.locator('.mail').filter({ has: subject }).locator('.diff li button');
			await changed.first().waitFor();
			await workbench().screenshot('series');
			await changed.filter({ hasText: 'src/fold_tree.c' }).click();
			// Where its whole text was not found it is one of the files of a combined diff.
			await page.locator('.editor-instance .monaco-diff-editor').first().waitFor();
			// The page of the patchset, from which the thread was opened, bears the title without the prefix.
			await editorTab(page, /\[PATCH lantern v2 0\/4\] fold: nest as deep as you like/).click();
			await webview(page)
				.getByRole('button', { name: /^Patchset v/ })
				.first()
				.click();
			await webview(page).locator('.patch').first().waitFor();
		});
	});
}
