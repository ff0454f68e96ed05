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

/** The thread page in the real editor, for both REST dialects. */
export function threadPage(dialect: Dialect): Mocha.Suite {
	return chainedSuite(`${dialect}: thread page in the editor`, () => {
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

		/** A mail arrives on the list, outside this editor. */
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

		test('the address of a reply opens its conversation with that mail in focus', async () => {
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
			// A long thread renders in pieces.
			await eventually(() => frame.locator('.mail').count(), mails.length);
			assert.equal(await frame.locator('h1').count(), 1);
			await workbench().screenshot('thread');
		});

		test('keys move to the next mail and back', async () => {
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

		testInProve('quotes unfold by key, and the choice applies to other threads', async () => {
			const frame = webview(workbench().page);
			const unfold = frame.getByRole('button', { name: 'Unfold quotes' });
			const folded = frame.locator('.quote .fold[aria-expanded="false"]').first();
			// A one-line quote is never folded, so its presence proves nothing.
			await folded.waitFor({ state: 'attached' });
			await unfold.focus();
			await workbench().page.keyboard.press('Enter');
			await folded.waitFor({ state: 'detached' });
			await frame.locator('.quote .fold[aria-expanded="true"] ~ blockquote').first().waitFor({ state: 'attached' });
			await unfold.click();
			await folded.waitFor({ state: 'attached' });
		});

		test('a refresh shows a new mail at its place, marked as new', async () => {
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

		test('saves attachments only on request, and opens a text as a read-only document', async () => {
			const { page, folder } = workbench();
			// The next thread would replace a preview tab.
			await editorTab(page, longSubject).click();
			// The tab passes the keyboard to its page, which would close an open palette.
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
			// The box opens empty and fills a moment later.
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

		testInProve('restores the page and an open mail after a window reload', async () => {
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
			// The previous test's attachment was the same kind of document, so the check uses the mail's own name.
			await openFilesAreKept(page, `/${log.id}/The log `);
			await page.reload();
			await gitIsThere(page);
			await page.locator('.editor-instance .view-lines').getByText('Here it is.').waitFor();
			await editorTab(page, longSubject).click();
			await eventually(() => webview(page).locator('.mail').count(), mails.length + 1);
		});

		testInProve('links the thread’s patchset above it, and opens a mail’s diff natively', async () => {
			const { page } = workbench();
			await goTo(page, 'fold: nest as deep', /fold: nest as deep as you like/);
			await webview(page).getByRole('button', { name: 'Open Thread' }).click();
			const frame = webview(page);
			await frame.locator('h1').getByText('fold: nest as deep as you like').waitFor();
			// A file that a patch adds would open as a plain document, and the first mail with a diff may have one.
			const subject = page.locator('.mail-subject').filter({ hasText: '3/4' });
			const changed = frame.locator('.mail').filter({ has: subject }).locator('.diff li button');
			await changed.first().waitFor();
			await workbench().screenshot('series');
			await changed.filter({ hasText: 'src/fold_tree.c' }).click();
			// If the whole text was not found, it is one file of a combined diff.
			await page.locator('.editor-instance .monaco-diff-editor').first().waitFor();
			// The patchset page that opened the thread has the title without the prefix.
			await editorTab(page, /\[PATCH lantern v2 0\/4\] fold: nest as deep as you like/).click();
			await webview(page)
				.getByRole('button', { name: /^Patchset v/ })
				.first()
				.click();
			await webview(page).locator('.patch').first().waitFor();
		});
	});
}
