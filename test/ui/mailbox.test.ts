import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import assert from 'node:assert/strict';
import { boxed } from '../support/generatedMails.ts';
import { archiveMails } from '../support/archiveMails.ts';
import { chainedSuite } from '../support/chain.ts';
import { startArchive, type RealArchive } from '../support/realArchive.ts';
import { fillBox } from './support/boxKeys.ts';
import {
	answer,
	chooseFromMenu,
	clickRow,
	collapse,
	expand,
	openContainer,
	openOnly,
	pick,
	quickInput,
	runCommand,
	treeItem,
	webview,
} from './support/user.ts';
import { useWorkbench } from './support/workbench.ts';

chainedSuite('lists on this computer', function () {
	let archive: RealArchive;
	const folder = mkdtempSync(join(tmpdir(), 'mailboxes-'));
	const mailbox = join(folder, 'talks.mbox');
	suiteSetup(async function () {
		this.timeout(300_000);
		const mails = archiveMails().map(({ raw }) => raw);
		writeFileSync(mailbox, Buffer.concat(mails.map(boxed)));
		archive = await startArchive({ devel: mails });
	});
	const workbench = useWorkbench(() => ({ name: 'mailbox', viewport: { width: 1400, height: 1200 } }));
	suiteTeardown(async () => {
		await archive.stop();
		rmSync(folder, { recursive: true, force: true });
	});

	test('opens an mbox file without an account, with its patchsets and threads', async () => {
		const { page } = workbench();
		await openContainer(page, 'Forge');
		await runCommand(page, 'Forge: Follow…', 'Open Mailbox…');
		await pick(page, 'Mailbox File');
		await quickInput(page).getByText('Choose a mailbox').waitFor();
		// The dialog writes the folder's path once it has read it.
		await fillBox(quickInput(page), mailbox);
		await quickInput(page).getByRole('option', { name: 'talks.mbox' }).waitFor();
		await answer(page, mailbox);
		await treeItem(page, /talks\.mbox/).waitFor();
		await openOnly(page, 'Lists');
		await expand(page, /Patchsets/);
		await clickRow(page, /omega: all of it/);
		await webview(page)
			.getByRole('heading', { name: /omega: all of it/ })
			.waitFor();
	});

	test('keeps a list, and shows it after the archive is gone', async () => {
		const { page } = workbench();
		await runCommand(page, 'Forge: Follow…', 'Follow Email Archive…');
		await fillBox(quickInput(page), archive.inboxUrl('devel'));
		await pick(page, /as typed/);
		await treeItem(page, /^Mailing list devel/).waitFor();
		await chooseFromMenu(page, /^Mailing list devel/, 'Keep a Copy for Offline Reading…', 'More');
		await pick(page, /All Messages/);
		await page.getByText('devel can be read offline').first().waitFor();
		await archive.stop();
		await page.reload();
		await treeItem(page, /^Mailing list devel/).waitFor();
		await expand(page, /^Mailing list devel/);
		await expand(page, /Patchsets/);
		await clickRow(page, /omega: all of it/);
		await webview(page)
			.getByRole('heading', { name: /omega: all of it/ })
			.waitFor();
	});

	test('unfollows a mailbox, and leaves its file alone', async () => {
		const { page } = workbench();
		const before = readFileSync(mailbox);
		await collapse(page, /^127\.0\.0\.1/);
		await chooseFromMenu(page, /^Mailing list talks\.mbox/, 'Unfollow List…');
		await treeItem(page, /^Mailing list talks\.mbox/).waitFor({ state: 'detached' });
		assert.deepEqual(readFileSync(mailbox), before);
	});
});
