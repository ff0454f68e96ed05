import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { eventually } from '../../support/eventually.ts';
import { chainedSuite } from '../../support/chain.ts';
import type { Dialect, SampleForge } from '../../support/sampleForge.ts';
import { addOrigin, gitOf } from '../support/gitOf.ts';
import { lookAtList, threadOf } from '../support/listLook.ts';
import { mailSettings, type MailSettings } from '../support/mailSettings.ts';
import { knowing } from '../support/sampleWindow.ts';
import {
	chooseFromMenu,
	clickRow,
	editorHasKeyboard,
	editorTab,
	expand,
	notification,
	openOnly,
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

const listName = '~alice/lantern-devel';
const posting = `${listName}@lists.forge.test`;
const asked = 'Why only two?';

/** Commands, choices, clicks and keys that send; typing a text is none. Before: 10 and 16. */
const mostForFirst = 5;
const mostForNext = 8;

/** Accepts the last question. */
async function sendPreviewed(page: Page, mails: string, copies = ''): Promise<Locator> {
	const last = question(page, `Send ${mails}?`);
	await last.getByText('From: Alice Öberg <alice@forge.test>').waitFor();
	await last.getByRole('button', { name: 'Send', exact: true }).click();
	const sent = notification(page, `Sent ${mails} to ${posting}${copies}.`);
	await sent.waitFor();
	return sent;
}

/** A contributor's steps: two commits, a cover letter, the next version. */
export function submittedCommits(dialect: Dialect): Mocha.Suite {
	return chainedSuite(`${dialect}: sending commits to a list`, () => {
		let forge: SampleForge;
		let settings: MailSettings;
		let gestures = 0;
		async function gesture<T>(doing: Promise<T>): Promise<T> {
			gestures += 1;
			return doing;
		}
		suiteSetup(async () => {
			forge = await borrowForge(dialect);
			settings = mailSettings(forge);
		});
		const workbench = useWorkbench(() => ({
			name: `submitting-${dialect}`,
			env: { ...knowing(forge, 'alice'), ...settings.env },
			viewport: { width: 1400, height: 1200 },
		}));
		const git = gitOf(workbench, 'Alice Öberg', 'alice');
		const commit = (text: string, ...message: readonly string[]): void => {
			writeFileSync(join(workbench().folder, 'LAMPS'), text);
			git('add', 'LAMPS');
			git('commit', '-q', ...message);
		};
		suiteSetup(async () => {
			const { page } = workbench();
			addOrigin(git, forge);
			git('checkout', '-q', '--no-track', '-b', 'lamps', 'origin/master');
			commit('one\n', '-m', 'lamps: count them', '-m', 'Signed-off-by: Alice Öberg <alice@forge.test>');
			commit('one\ntwo\n', '-m', 'lamps: add another', '-m', 'Signed-off-by: Alice Öberg <alice@forge.test>');
			await page.locator('.statusbar-item').filter({ hasText: 'lamps' }).first().waitFor();
			await openOnly(page, 'Lists');
		});
		suiteTeardown(async () => {
			settings.remove();
			await giveBackForge(forge);
		});

		test('selects commits by the base branch, and drafts a cover letter', async () => {
			const { page } = workbench();
			// Its menu and its entry.
			gestures = 1;
			await gesture(chooseFromMenu(page, /^Mailing list lantern-devel/, 'Send Patches…'));
			for (const row of [/^Commits….*2 commits/, /^Version….*New Series/, /^Prefix….*\[PATCH lantern\]/]) {
				await quickInput(page).getByRole('option', { name: row }).waitFor();
			}
			await workbench().screenshot('plan');
			await gesture(pick(page, /^Write Cover Letter…/));
			await editorHasKeyboard(page);
			// The cursor is at the start of the subject.
			await page.keyboard.type('lamps: more of them');
			await page.keyboard.press('ArrowDown');
			await page.keyboard.press('ArrowDown');
			await page.keyboard.type('One was not enough.');
			await workbench().screenshot('cover');
		});

		test(`shows the resulting mails, and git sends them after at most ${mostForFirst} gestures`, async () => {
			const { page } = workbench();
			await gesture(runCommand(page, 'Forge: Send Message…'));
			await editorTab(page, /^Patches to lantern-devel/).waitFor();
			const text = page.locator('.editor-instance:visible .view-lines').last();
			for (const part of [
				/\[PATCH\slantern\]\slamps:\smore\sof\sthem:\s3\smessages,\snot\ssent/,
				/To:\s~alice\/lantern-devel@lists\.forge\.test/,
				/Subject:\s\[PATCH\slantern\s0\/2\]\slamps:\smore\sof\sthem/,
				/One\swas\snot\senough\./,
			]) {
				await text.filter({ hasText: part }).waitFor();
			}
			await workbench().screenshot('preview');
			const sent = await gesture(sendPreviewed(page, '3 messages'));
			assert.ok(gestures <= mostForFirst, `${gestures} gestures`);
			await pressButton(sent, 'Open Patchset');
			await webview(page)
				.getByRole('heading', { name: /lamps: more of them/ })
				.waitFor();
			await workbench().screenshot('patchset');
		});

		test(`replies to a comment and sends the next version in at most ${mostForNext} gestures, and shows it automatically`, async () => {
			const { page } = workbench();
			await chooseFromMenu(page, /^Mailing list lantern-devel/, 'Group Patchsets…');
			await pick(page, 'As one list');
			await expand(page, /^Mailing list lantern-devel/);
			const mails = await threadOf(forge, listName, '[PATCH lantern 0/2] lamps: more of them');
			const patch = mails.find(({ subject }) => subject.includes(' 2/2] '));
			await forge.act('/lists/mail', {
				list: listName,
				mail: [
					'From: Bob Builder <bob@forge.test>',
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
			await runCommand(page, 'Forge: Refresh');
			const row = /^(?:Unanswered question, )?lamps: more of them/;
			await treeItem(page, row).waitFor();
			gestures = 0;
			await gesture(clickRow(page, row));
			const comment = webview(page).locator('.mail').filter({ hasText: asked });
			await gesture(comment.getByRole('button', { name: 'Reply', exact: true }).click());
			const box = comment.getByRole('textbox', { name: 'Your reply' });
			await eventually(async () => (await box.inputValue()).includes(asked), true);
			await box.press('ControlOrMeta+End');
			await page.keyboard.type('Three, then.');
			await gesture(page.keyboard.press('Control+Enter'));
			await gesture(question(page, 'Send 1 message?').getByRole('button', { name: 'Send', exact: true }).click());
			await eventually(
				async () => (await lookAtList(forge, listName)).mails.some(({ text }) => text.includes('Three, then.')),
				true,
			);
			commit('one\ntwo\nthree\n', '--amend', '--no-edit');
			await page.locator('.statusbar-item').filter({ hasText: 'lamps' }).first().waitFor();
			// The page in front is of the list.
			await gesture(runCommand(page, 'Forge: Send Patches…'));
			for (const choice of [
				/^Version….*Version 2 of "lamps: more of them"/,
				/^Prefix….*\[PATCH lantern v2\]/,
				/^Cc….*Bob Builder <bob@forge\.test>/,
			]) {
				await quickInput(page).getByRole('option', { name: choice }).waitFor();
			}
			await gesture(pick(page, /^Write Cover Letter…/));
			const letter = page.locator('.editor-instance:visible .view-lines').last();
			await letter.filter({ hasText: /One\swas\snot\senough\.[^]*Changes\ssince\sv1:/ }).waitFor();
			await editorHasKeyboard(page);
			// The cursor is at the first change.
			await page.keyboard.type('Three lamps.');
			await gesture(runCommand(page, 'Forge: Send Message…'));
			await editorTab(page, /^Patches to lantern-devel/).waitFor();
			await gesture(sendPreviewed(page, '3 messages', ', Bob Builder <bob@forge.test>'));
			assert.ok(gestures <= mostForNext, `${gestures} gestures`);
			// The view reads the list again when the forge has the last mail.
			await clickRow(page, /^lamps: more of them, .*version 2/);
			await webview(page).getByText('v2').first().waitFor();
			await workbench().screenshot('version-2');
		});
	});
}
