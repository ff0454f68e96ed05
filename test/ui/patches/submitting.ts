import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { chainedSuite } from '../../support/chain.ts';
import type { Dialect, SampleForge } from '../../support/sampleForge.ts';
import { addOrigin, gitOf } from '../support/gitOf.ts';
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
	webview,
} from '../support/user.ts';
import { borrowForge, giveBackForge } from '../support/sharedForge.ts';
import { useWorkbench } from '../support/workbench.ts';

const posting = '~alice/lantern-devel@lists.forge.test';

/** Accepts the last question. */
async function sendPreviewed(page: Page, mails: string): Promise<Locator> {
	const asked = question(page, `Send ${mails}?`);
	await asked.getByText('From: Alice Öberg <alice@forge.test>').waitFor();
	await asked.getByRole('button', { name: 'Send', exact: true }).click();
	const sent = notification(page, `Sent ${mails} to ${posting}.`);
	await sent.waitFor();
	return sent;
}

/** A contributor's steps: two commits, a cover letter, the next version. */
export function submittedCommits(dialect: Dialect): Mocha.Suite {
	return chainedSuite(`${dialect}: sending commits to a list`, () => {
		let forge: SampleForge;
		let settings: MailSettings;
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
			await chooseFromMenu(page, /^Mailing list lantern-devel/, 'Send Patches…');
			for (const row of [/^Commits….*2 commits/, /^Version….*New Series/, /^Prefix….*\[PATCH lantern\]/]) {
				await quickInput(page).getByRole('option', { name: row }).waitFor();
			}
			await workbench().screenshot('plan');
			await pick(page, /^Write Cover Letter…/);
			await editorHasKeyboard(page);
			// The cursor is at the start of the subject.
			await page.keyboard.type('lamps: more of them');
			await page.keyboard.press('ArrowDown');
			await page.keyboard.press('ArrowDown');
			await page.keyboard.type('One was not enough.');
			await workbench().screenshot('cover');
		});

		test('shows the resulting mails, and git sends them', async () => {
			const { page } = workbench();
			await runCommand(page, 'Forge: Send Message…');
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
			await pressButton(await sendPreviewed(page, '3 messages'), 'Open Patchset');
			await webview(page)
				.getByRole('heading', { name: /lamps: more of them/ })
				.waitFor();
			await workbench().screenshot('patchset');
		});

		test('sends them again as the next version with the earlier letter, and shows it in the list automatically', async () => {
			const { page } = workbench();
			await chooseFromMenu(page, /^Mailing list lantern-devel/, 'Group Patchsets…');
			await pick(page, 'As one list');
			await expand(page, /^Mailing list lantern-devel/);
			commit('one\ntwo\nthree\n', '--amend', '--no-edit');
			await page.locator('.statusbar-item').filter({ hasText: 'lamps' }).first().waitFor();
			await chooseFromMenu(page, /^Mailing list lantern-devel/, 'Send Patches…');
			for (const row of [/^Version….*Version 2 of "lamps: more of them"/, /^Prefix….*\[PATCH lantern v2\]/]) {
				await quickInput(page).getByRole('option', { name: row }).waitFor();
			}
			await pick(page, /^Write Cover Letter…/);
			const letter = page.locator('.editor-instance:visible .view-lines').last();
			await letter.filter({ hasText: /One\swas\snot\senough\.[^]*Changes\ssince\sv1:/ }).waitFor();
			await editorHasKeyboard(page);
			// The cursor is at the first change.
			await page.keyboard.type('Three lamps.');
			await runCommand(page, 'Forge: Send Message…');
			await editorTab(page, /^Patches to lantern-devel/).waitFor();
			await sendPreviewed(page, '3 messages');
			// The view reads the list again when the forge has the last mail.
			await clickRow(page, /^lamps: more of them, .*version 2/);
			await webview(page).getByText('v2').first().waitFor();
			await workbench().screenshot('version-2');
		});
	});
}
