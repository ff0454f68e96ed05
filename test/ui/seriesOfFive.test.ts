import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { chainedSuite } from '../support/chain.ts';
import { inRest } from '../support/parts.ts';
import { eventually } from '../support/eventually.ts';
import type { SampleForge } from '../support/sampleForge.ts';
import { gitOf } from './support/gitOf.ts';
import { type ForgeMail, lookAtList } from './support/listLook.ts';
import { mailSettings, type MailSettings } from './support/mailSettings.ts';
import { knowing } from './support/sampleWindow.ts';
import { borrowForge, dialectsOf, giveBackForge } from './support/sharedForge.ts';
import {
	answer,
	chooseFromMenu,
	clickRow,
	editorHasKeyboard,
	editorTab,
	expand,
	gitIsThere,
	linesAreCommentable,
	notification,
	openOnly,
	pick,
	pressButton,
	question,
	quickInput,
	runCommand,
	treeItem,
	useTitleAction,
	webview,
} from './support/user.ts';
import { useWorkbench, type Workbench } from './support/workbench.ts';

const listName = '~alice/lantern-devel';
const posting = `${listName}@lists.forge.test`;
const title = 'lamps: one for each room';
const rooms = ['attic', 'bath', 'cellar', 'den', 'hall'] as const;
/** Its row, read or unread. */
const row = (version: number, status = 'Proposed'): RegExp =>
	new RegExp(`^${title}, (?:new, )?${status}, version ${version}`);
const asked = 'Is it dark in there?';

/** Adds a draft comment below the first visible line with this text. */
async function commentOn(page: Page, line: string, text: string): Promise<void> {
	await linesAreCommentable(page);
	await page.locator('.editor-instance:visible .view-line').filter({ hasText: line }).first().click();
	await editorHasKeyboard(page);
	await runCommand(page, 'Comments: Add Comment on Current Selection');
	const box = page.locator('.review-widget').filter({ hasNotText: asked }).locator('.comment-form');
	await box.locator('.inputarea, .native-edit-context').first().focus();
	await page.keyboard.type(text);
	await page.getByRole('button', { name: /^Add Draft Comment/, disabled: false }).click();
	const draft = page.locator('.review-widget').filter({ hasText: text });
	await draft.getByText('Draft', { exact: true }).waitFor();
}

/** Sends the message that the palette's command has prepared, and waits until git has handed it over. */
async function confirmSending(page: Page, mails: string): Promise<void> {
	await question(page, `Send ${mails}?`).getByRole('button', { name: 'Send', exact: true }).click();
	await notification(page, `Sent ${mails} to ${posting}`).waitFor();
}

for (const dialect of dialectsOf('document')) {
	/**
	 * The steps of docs/review.md for two people at the same time, each in a separate editor: bob sends five patches,
	 * alice reviews them, bob reads the review on the lines and sends the next version, alice applies it.
	 */
	chainedSuite(`${dialect}: a series of five patches, from its first version to its commits`, function () {
		inRest(this);
		let forge: SampleForge;
		let settings: Readonly<Record<'alice' | 'bob', MailSettings>>;
		let worktree = '';
		suiteSetup(async () => {
			forge = await borrowForge(dialect);
			settings = { alice: mailSettings(forge), bob: mailSettings(forge, { name: 'Bob Builder', user: 'bob' }) };
		});
		const windowOf = (user: 'alice' | 'bob'): (() => Workbench) =>
			useWorkbench(() => ({
				name: `series-of-five-${user}-${dialect}`,
				env: { ...knowing(forge, user), ...settings[user].env },
				viewport: { width: 1400, height: 1600 },
			}));
		const [bob, alice] = [windowOf('bob'), windowOf('alice')];
		const bobsGit = gitOf(bob, 'Bob Builder', 'bob');
		const alicesGit = gitOf(alice, 'Alice Öberg', 'alice');
		suiteSetup(async () => {
			worktree = `${alice().folder}-lamps`;
			for (const [{ page }, git, branch] of [
				[bob(), bobsGit, 'lamps'],
				[alice(), alicesGit, 'master'],
			] as const) {
				await gitIsThere(page);
				git('remote', 'add', 'origin', `${forge.areas.git}/~alice/lantern`);
				git('remote', 'set-url', '--push', 'origin', `${forge.areas.git}/ssh/~alice/lantern`);
				git('fetch', '-q', 'origin');
				git('checkout', '-q', '--no-track', '-B', branch, 'origin/master');
			}
			for (const room of rooms) {
				commitRoom(room, 'one lamp\n');
			}
			await bob().page.locator('.statusbar-item').filter({ hasText: 'lamps' }).first().waitFor();
			await openOnly(bob().page, 'Lists');
		});
		suiteTeardown(async () => {
			settings.alice.remove();
			settings.bob.remove();
			await giveBackForge(forge);
			rmSync(worktree, { recursive: true, force: true, maxRetries: 5 });
		});

		function commitRoom(room: string, text: string): void {
			writeFileSync(join(bob().folder, `LAMP-${room}`), text);
			bobsGit('add', '-A');
			bobsGit('commit', '-q', '-m', `lamps: light the ${room}`, '-m', 'Signed-off-by: Bob Builder <bob@forge.test>');
		}

		/** The new mails, as the forge has them. */
		const mailsFrom = async (user: string): Promise<readonly ForgeMail[]> =>
			(await lookAtList(forge, listName)).mails.filter(
				({ sender, subject }) => sender === user && /lamps:/.test(subject),
			);

		async function sendVersion(version: RegExp): Promise<void> {
			const { page } = bob();
			await chooseFromMenu(page, /^Mailing list lantern-devel/, 'Send Patches…');
			await quickInput(page).getByRole('option', { name: version }).waitFor();
			await pick(page, /^Write Cover Letter…/);
			await editorHasKeyboard(page);
		}

		async function sendPreviewed(): Promise<void> {
			const { page } = bob();
			await runCommand(page, 'Forge: Send Message…');
			await editorTab(page, /^Patches to lantern-devel/).waitFor();
			await confirmSending(page, '6 messages');
		}

		test('a contributor sends it with a cover letter', async () => {
			const { page } = bob();
			await sendVersion(/^Version….*New Series/);
			// The cursor is at the start of the subject.
			await page.keyboard.type(title);
			await page.keyboard.press('ArrowDown');
			await page.keyboard.press('ArrowDown');
			await page.keyboard.type('It is dark at night.');
			await sendPreviewed();
			await pressButton(notification(page, `Sent 6 messages to ${posting}.`), 'Open Patchset');
			await webview(page).getByRole('heading', { name: title }).waitFor();
			const sent = await mailsFrom('bob');
			assert.equal(sent.length, 6);
			assert.equal(new Set(sent.map(({ thread }) => thread)).size, 1);
		});

		test('a maintainer reads it, comments on a line and on the series, and sends the review', async () => {
			const { page } = alice();
			await openOnly(page, 'Lists');
			await useTitleAction(page, 'Lists', 'Refresh');
			await expand(page, /^Mailing list lantern-devel/);
			await expand(page, row(1));
			await expand(page, /^Patch 3\/5 lamps: light the cellar/);
			await clickRow(page, /^File LAMP-cellar/);
			await editorTab(page, /^LAMP-cellar \(3\/5/).waitFor();
			await commentOn(page, 'one lamp', asked);
			await runCommand(page, 'Forge: Send Review…');
			await confirmSending(page, '1 message');
			const [patch, said] = [
				(await mailsFrom('bob')).find(({ subject }) => subject.includes('cellar')),
				(await mailsFrom('alice'))[0],
			];
			assert.match(said?.subject ?? '', /^Re: \[PATCH lantern 3\/5\] lamps: light the cellar$/);
			assert.equal(said?.thread, patch?.thread);
			await chooseFromMenu(page, row(1), 'Set Status…');
			await pick(page, /Needs revision/i);
			await treeItem(page, row(1, 'Needs revision')).waitFor();
		});

		test('the contributor reads it on the line, and sends the next version', async () => {
			const { page } = bob();
			await useTitleAction(page, 'Lists', 'Refresh');
			await expand(page, /^Mailing list lantern-devel/);
			await expand(page, row(1, 'Needs revision'));
			await expand(page, /^Comments, 1 comment, 1 unanswered question$/);
			await clickRow(page, new RegExp(`^Unanswered question, ${asked.replace('?', '\\?')}`));
			await editorTab(page, /^LAMP-cellar \(3\/5/).waitFor();
			const thread = page.locator('.review-widget').filter({ hasText: asked });
			await thread.getByText('Alice Öberg <alice@forge.test>').first().waitFor();
			await bob().screenshot('read on the line');
			bobsGit('reset', '-q', '--hard', 'HEAD~3');
			commitRoom('cellar', 'one lamp\nand another\n');
			commitRoom('den', 'one lamp\n');
			commitRoom('hall', 'one lamp\n');
			await sendVersion(/^Version….*Version 2 of /);
			const letter = page.locator('.editor-instance:visible .view-lines').last();
			await letter.filter({ hasText: /Changes\ssince\sv1:/ }).waitFor();
			await editorHasKeyboard(page);
			await page.keyboard.type('More light.');
			await sendPreviewed();
			const sent = await mailsFrom('bob');
			assert.equal(sent.length, 12);
			assert.equal(new Set(sent.map(({ thread }) => thread)).size, 2);
		});

		test('the maintainer sees the comment’s outcome, approves, and thanks', async () => {
			const { page } = alice();
			const cover = (await mailsFrom('bob')).findLast(({ subject }) => subject.includes(' 0/5]'));
			await forge.act('/lists/mail', {
				list: listName,
				mail: [
					'From: Carol Nakamura <carol@forge.test>',
					`To: ${posting}`,
					`Subject: Re: ${cover?.subject}`,
					'Message-ID: <tried@forge.test>',
					`In-Reply-To: ${cover?.messageId}`,
					'',
					'All five are bright.',
					'',
					'Tested-by: Carol Nakamura <carol@forge.test>',
				].join('\r\n'),
			});
			await useTitleAction(page, 'Lists', 'Refresh');
			await chooseFromMenu(page, row(2), 'Open Changes Since My Last Review…', 'Versions');
			await editorTab(page, new RegExp(`^v1 → v2 ${title}`)).waitFor();
			const many = page.locator('.multiDiffEditor');
			await many.locator('.modified .view-line').filter({ hasText: 'and another' }).first().waitFor();
			await alice().screenshot('changes since the review');
			await expand(page, row(2));
			await expand(page, /^Patch 3\/5 lamps: light the cellar/);
			await clickRow(page, /^File LAMP-cellar/);
			await editorTab(page, /^LAMP-cellar \(3\/5/)
				.last()
				.waitFor();
			await commentOn(page, 'and another', 'Bright enough.');
			await runCommand(page, 'Forge: Send Review…');
			await confirmSending(page, '1 message');
			await eventually(
				async () => (await mailsFrom('alice')).map(({ subject }) => subject.slice(0, 26)),
				['Re: [PATCH lantern 3/5] la', 'Re: [PATCH lantern v2 3/5]'],
			);
		});

		test('applies it with the trailer of a reply, pushes it, and marks it as applied', async () => {
			const { page } = alice();
			await runCommand(page, 'Notifications: Clear All Notifications');
			await chooseFromMenu(page, row(2), 'Apply Patchset…');
			await pick(page, /^New Worktree at /);
			await answer(page, 'lamps');
			await quickInput(page).getByText('Choose what of').waitFor();
			await quickInput(page).getByRole('button', { name: 'OK' }).click();
			const applied = notification(page, `Applied 5 patches of "${title}" to lamps.`);
			await pressButton(applied, 'Push…');
			await pick(page, /^master, origin/);
			await question(page, 'Push to master (origin)?').getByRole('button', { name: 'Push' }).click();
			await quickInput(page).getByText('Choose what to do for').waitFor();
			await quickInput(page).locator('.monaco-list-row').filter({ hasText: 'Send Thanks' }).click();
			await quickInput(page).getByRole('button', { name: 'OK' }).click();
			await treeItem(page, row(2)).waitFor({ state: 'detached' });
			await expand(page, /^Done, patchsets: /);
			await treeItem(page, row(2, 'Applied')).waitFor();
			bobsGit('fetch', '-q', 'origin');
			const messages = bobsGit('log', '-5', '--reverse', '--format=%s%n%(trailers:only,unfold)', 'origin/master');
			const trailers = 'Signed-off-by: Bob Builder <bob@forge.test>\nTested-by: Carol Nakamura <carol@forge.test>';
			assert.equal(messages, rooms.map((room) => `lamps: light the ${room}\n${trailers}`).join('\n\n'));
			assert.equal(bobsGit('diff', '--stat', 'lamps', 'origin/master'), '');
			await alice().screenshot('applied');
		});
	});
}
