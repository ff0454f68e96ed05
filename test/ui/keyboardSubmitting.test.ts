import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import { chainedSuite } from '../support/chain.ts';
import type { SampleForge } from '../support/sampleForge.ts';
import { testInProve } from '../support/testInProve.ts';
import { agreeByKey } from './support/boxKeys.ts';
import { gitOf } from './support/gitOf.ts';
import { keysOnly } from './support/keysOnly.ts';
import { lookAtList, threadOf } from './support/listLook.ts';
import { mailSettings, type MailSettings } from './support/mailSettings.ts';
import { knowing } from './support/sampleWindow.ts';
import {
	editorHasKeyboard,
	editorTab,
	notification,
	openOnly,
	pageHasKeyboard,
	question,
	quickInput,
	treeItem,
} from './support/user.ts';
import { borrowForge, dialectsOf, giveBackForge } from './support/sharedForge.ts';
import { useWorkbench } from './support/workbench.ts';

const listName = '~alice/lantern-devel';
const posting = `${listName}@lists.forge.test`;
const title = 'lamps: more of them';
const asked = 'Why only two?';
const replied = 'Three would blind us.';

for (const dialect of dialectsOf('document')) {
	/** The contributor's steps of docs/review.md without a mouse: send, read the review, reply, send again. */
	chainedSuite(`${dialect}: sending and answering a series with the keyboard alone`, () => {
		let forge: SampleForge;
		let settings: MailSettings;
		suiteSetup(async () => {
			forge = await borrowForge(dialect);
			settings = mailSettings(forge, { name: 'Bob Builder', user: 'bob' });
		});
		const workbench = useWorkbench(() => ({
			name: `keyboard-submitting-${dialect}`,
			env: { ...knowing(forge, 'bob'), ...settings.env },
			// High enough for all rows that the tests need, because a view renders only rows in view.
			viewport: { width: 1400, height: 2000 },
		}));
		const keys = keysOnly(workbench);
		const { press, type, run } = keys;
		const git = gitOf(workbench, 'Bob Builder', 'bob');
		const commit = (text: string, ...message: readonly string[]): void => {
			writeFileSync(join(workbench().folder, 'LAMPS'), text);
			git('add', 'LAMPS');
			git('commit', '-q', ...message);
		};
		suiteSetup(async () => {
			// With other views open, Lists would show only a few rows.
			await openOnly(workbench().page, 'Lists');
			await keys.watchPointers();
			git('remote', 'add', 'origin', `${forge.areas.git}/~alice/lantern`);
			git('fetch', '-q', 'origin');
			git('checkout', '-q', '--no-track', '-b', 'lamps', 'origin/master');
			commit('one\n', '-m', 'lamps: count them', '-m', 'Signed-off-by: Bob Builder <bob@forge.test>');
			commit('one\ntwo\n', '-m', 'lamps: add another', '-m', 'Signed-off-by: Bob Builder <bob@forge.test>');
			await workbench().page.locator('.statusbar-item').filter({ hasText: 'lamps' }).first().waitFor();
		});
		suiteTeardown(async () => {
			settings.remove();
			await giveBackForge(forge);
		});

		const thread = (text: string): Locator => workbench().page.locator('.review-widget').filter({ hasText: text });

		/** Answers the questions after the one for the list. */
		async function prepare(what: RegExp): Promise<void> {
			const { page } = workbench();
			await quickInput(page).getByRole('option', { name: what }).waitFor();
			await type('Write', /^Write Cover Letter…/);
			await editorHasKeyboard(page);
		}

		async function send(mails: string, to: string): Promise<void> {
			const { page } = workbench();
			await run('Forge: Send Message…');
			await editorTab(page, /^Patches to lantern-devel/).waitFor();
			await agreeByKey(question(page, `Send ${mails}?`), 'Send');
			await notification(page, `Sent ${mails} to ${to}.`).waitFor();
		}

		testInProve('sends two commits with a cover letter', async () => {
			await run('Forge: Send Patches…');
			await type('lantern-devel', /lantern-devel/);
			await prepare(/^Version….*New Series/);
			// The cursor is at the start of the subject.
			await workbench().page.keyboard.type(title);
			await press('ArrowDown', 'ArrowDown');
			await workbench().page.keyboard.type('One was not enough.');
			await send('3 messages', posting);
		});

		testInProve('reads a reply on its line, and answers it there', async () => {
			const { page } = workbench();
			const mails = await threadOf(forge, listName, `[PATCH lantern 0/2] ${title}`);
			const patch = mails.find(({ subject }) => subject.includes(' 2/2] '));
			await forge.act('/lists/mail', {
				list: listName,
				mail: [
					'From: Alice Öberg <alice@forge.test>',
					`To: ${posting}`,
					`Subject: Re: ${patch?.subject}`,
					'Message-ID: <why-two@forge.test>',
					`In-Reply-To: ${patch?.messageId}`,
					'Content-Type: text/plain; charset=utf-8',
					'',
					'> +two',
					'',
					asked,
				].join('\r\n'),
			});
			await run('View: Show Forge');
			await run('Forge: Refresh');
			await keys.goDownTo('Lists', /^Mailing list lantern-devel/);
			await press('ArrowRight');
			const row = new RegExp(`^${title}, Proposed`, 'i');
			await treeItem(page, row).waitFor();
			await keys.goDownTo('Lists', row);
			await press('Enter');
			await pageHasKeyboard(page);
			// On the page, Next Unread means the next patchset or thread.
			await run('Forge: Open Combined Diff of Patchset…');
			await editorTab(page, /^v1 lamps: more of them \(/).waitFor();
			await editorHasKeyboard(page);
			await keys.chord('Shift+N');
			// The combined diff shows the same thread.
			await page.locator('.multiDiffEditor').waitFor({ state: 'hidden' });
			await editorTab(page, /^LAMPS \(2\/2/).waitFor();
			await thread(asked).getByText('Alice Öberg <alice@forge.test>').first().waitFor();
			await editorHasKeyboard(page);
			// The editor looks up comments when the cursor moves to a line.
			await press('ArrowDown', 'ArrowUp');
			await run('Comments: Focus Comment on Current Line');
			await page.locator('.comments-container:focus').waitFor();
			// The reply button becomes a box on focus.
			await press('Tab');
			await page.locator('.comment-form .monaco-editor.focused').waitFor();
			await page.keyboard.type(replied);
			// The key has no effect until the editor knows that the box has text.
			await thread(asked)
				.getByRole('button', { name: /^Add Draft Comment/, disabled: false })
				.waitFor();
			await press('Control+Enter');
			await thread(replied).getByText('Draft', { exact: true }).waitFor();
			await run('Forge: Send Review…');
			await agreeByKey(question(page, 'Send 1 message?'), 'Send');
			await notification(page, `Sent 1 message to ${posting}.`).waitFor();
			const own = (await lookAtList(forge, listName)).mails.findLast(({ sender }) => sender === 'bob');
			assert.match(own?.subject ?? '', /^Re: \[PATCH lantern 2\/2\] lamps: add another$/);
			assert.match(own?.text ?? '', /> Why only two\?\s+Three would blind us\./);
		});

		testInProve('sends the next version with the earlier cover letter', async () => {
			const { page } = workbench();
			commit('one\ntwo\nbright\n', '--amend', '--no-edit');
			// The diff in front is of the list.
			await run('Forge: Send Patches…');
			await prepare(/^Version….*Version 2 of /);
			const letter = page.locator('.editor-instance:visible .view-lines').last();
			await letter.filter({ hasText: /One\swas\snot\senough\.[^]*Changes\ssince\sv1:/ }).waitFor();
			await page.keyboard.type('A bright lamp.');
			// Who replied to a version gets the next one.
			await send('3 messages', `${posting}, Alice Öberg <alice@forge.test>`);
			const { patchsets } = await lookAtList(forge, listName);
			assert.equal(patchsets.filter(({ subject }) => subject.includes(title)).length, 2);
		});

		testInProve('no pointer was in use', () => keys.assertNoPointer());
	});
}
