import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import { chainedSuite } from '../support/chain.ts';
import { eventually } from '../support/eventually.ts';
import { startArchive, type RealArchive } from '../support/realArchive.ts';
import { openSmtpDoor, type SmtpDoor } from 'sample-forge/mail/smtpDoor.ts';
import { agreeByKey } from './support/boxKeys.ts';
import { keysOnly } from './support/keysOnly.ts';
import {
	editorHasKeyboard,
	editorTab,
	linesAreCommentable,
	notification,
	openOnly,
	question,
	treeItem,
	viewSection,
	webview,
} from './support/user.ts';
import { useWorkbench } from './support/workbench.ts';

const title = 'count: begin with zero';
const said = 'Why not with one?';
const saidOffline = 'Is this the end?';

/** The steps of docs/archives.md without a mouse and without an account. */
chainedSuite('reviewing a series of a mail archive with the keyboard alone', () => {
	let archive: RealArchive;
	let sink: SmtpDoor;
	const sent: { readonly to: readonly string[]; readonly raw: Buffer }[] = [];
	let folder = '';
	suiteSetup(async () => {
		sink = await openSmtpDoor(
			() => ({
				hostName: 'mail.r.example',
				maxBytes: 1_000_000,
				refuseRecipient: () => undefined,
				deliver(to, raw) {
					// As a list server keeps them.
					sent.push({ to, raw: Buffer.from(Buffer.from(raw).toString('latin1').replaceAll('\r\n', '\n'), 'latin1') });
					return undefined;
				},
			}),
			0,
		);
		folder = mkdtempSync(join(tmpdir(), 'forge-desk-archive-'));
		writeFileSync(
			join(folder, 'gitconfig'),
			`[user]\n\tname = Rea Reviewer\n\temail = rea@r.example\n[sendemail]\n\tsmtpServer = 127.0.0.1\n\tsmtpServerPort = ${sink.port}\n\tsmtpDomain = r.example\n`,
		);
	});
	const workbench = useWorkbench(() => ({
		name: 'archive',
		env: { GIT_CONFIG_GLOBAL: join(folder, 'gitconfig') },
		viewport: { width: 1400, height: 1200 },
	}));
	const keys = keysOnly(workbench);
	const { press, type, run } = keys;
	suiteSetup(async function () {
		this.timeout(300_000);
		archive = await startArchive({ devel: seriesFor(workbench().folder, folder) });
	});
	suiteTeardown(async () => {
		await archive.stop();
		await sink.close();
		rmSync(folder, { recursive: true, force: true });
	});

	const row = /^count: begin with zero, /;
	const thread = (text: string): Locator => workbench().page.locator('.review-widget').filter({ hasText: text });

	/** Writes a draft comment on the line of the open diff. */
	async function comments(text: string): Promise<void> {
		const { page } = workbench();
		await linesAreCommentable(page);
		await run('View: Focus Active Editor Group');
		await editorHasKeyboard(page);
		await run('Comments: Add Comment on Current Selection');
		await page.locator('.comment-form .monaco-editor.focused').waitFor();
		await page.keyboard.type(text);
		await page.getByRole('button', { name: /^Add Draft Comment/, disabled: false }).waitFor();
		await press('Control+Enter');
		await thread(text).getByText('Draft', { exact: true }).waitFor();
	}

	test('follows a list by its URL', async () => {
		const { page } = workbench();
		await openOnly(page, 'Lists');
		await viewSection(page, 'Lists').getByText('such as lore.kernel.org, need no account').waitFor();
		await workbench().screenshot('0 welcome');
		await keys.watchPointers();
		await run('Forge: Follow…', 'Follow Email Archive…');
		await keys.boxIsOpen();
		await workbench().screenshot('1 sites');
		await type(archive.inboxUrl('devel'), archive.inboxUrl('devel'));
		await treeItem(page, /^Mailing list devel/).waitFor();
	});

	test('finds a series without a status, and opens its page', async () => {
		const { page } = workbench();
		await keys.goDownTo('Lists', /^Mailing list devel/);
		await press('ArrowRight');
		await treeItem(page, row).waitFor();
		await workbench().screenshot('2 rows');
		await keys.goDownTo('Lists', row);
		await press('Enter');
		await webview(page).locator('h1').getByText(title).waitFor();
		assert.equal(await webview(page).locator('.status').isVisible(), false);
		await workbench().screenshot('3 page');
	});

	test('reads whole files from the open clone', async () => {
		const { page } = workbench();
		await keys.goDownTo('Lists', row);
		await press('ArrowRight');
		const patch = /^(?:Patch )?1\/2 /;
		await treeItem(page, patch).waitFor();
		await keys.goDownTo('Lists', patch);
		await press('ArrowRight');
		await treeItem(page, /count\.txt/).waitFor();
		await press('ArrowDown', 'Enter');
		await editorTab(page, /\(1\/2/).waitFor();
		// No hunk holds this line.
		await page.locator('.editor.modified').getByText('line 1 of the file').first().waitFor();
		await workbench().screenshot('4 diff');
	});

	test('sends a comment to the list and to everyone on the mail', async () => {
		const { page } = workbench();
		await comments(said);
		await run('Forge: Send Review…');
		await agreeByKey(question(page, 'Send 1 message?'), 'Send');
		await notification(page, /Sent 1 message to devel@lists\.example/).waitFor();
		const [mail] = sent;
		assert.deepEqual(mail?.to.toSorted(), ['ann@a.example', 'carl@c.example', 'devel@lists.example']);
	});

	test('shows the comment on its line once the archive has it', async () => {
		archive.deliver(
			'devel',
			sent.map(({ raw }) => raw),
		);
		await run('Forge: Refresh');
		await thread(said).getByText('Rea Reviewer').first().waitFor();
		await thread(said).getByText('Draft', { exact: true }).waitFor({ state: 'detached' });
		await workbench().screenshot('5 delivered');
	});

	test('sends a comment from the copy on this computer while the archive is away', async () => {
		const { page } = workbench();
		await keys.goDownTo('Lists', /^Mailing list devel/);
		await keys.chooseFromMenu('More', 'Keep a Copy for Offline Reading…');
		await type('All Messages', 'All Messages');
		await page.getByText('devel can be read offline').first().waitFor();
		await archive.leave();
		await page.reload();
		// The rows are unfolded as before.
		const patch = /^(?:Patch )?2\/2 /;
		await treeItem(page, patch).waitFor();
		await workbench().screenshot('6 away');
		await keys.goDownTo('Lists', patch);
		await press('ArrowRight');
		await page
			.getByRole('treeitem', { name: /^File count\.txt/ })
			.nth(1)
			.waitFor();
		await press('ArrowDown', 'Enter');
		await editorTab(page, /\(2\/2/).waitFor();
		await page.locator('.editor.modified').getByText('line 9 of the file').first().waitFor();
		await comments(saidOffline);
		await run('Forge: Send Review…');
		await agreeByKey(question(page, 'Send 1 message?'), 'Send');
		await eventually(async () => sent.length, 2);
		assert.deepEqual(sent[1]?.to.toSorted(), ['ann@a.example', 'carl@c.example', 'devel@lists.example']);
		await workbench().screenshot('6 offline');
	});

	test('shows that comment on its line once the archive is back', async () => {
		const { page } = workbench();
		await archive.comeBack();
		archive.deliver('devel', [sent[1]!.raw]);
		// The list shows at once what is here, while git fetches.
		await eventually(async () => {
			await run('Forge: Refresh');
			return thread(saidOffline).getByText('Rea Reviewer').first().isVisible();
		}, true);
		// Own messages are no news.
		await treeItem(page, /^Mailing list devel of 127\.0\.0\.1:\d+, followed$/).waitFor();
		await thread(saidOffline).getByText('Draft', { exact: true }).waitFor({ state: 'detached' });
	});

	test('no pointer was in use', () => keys.assertNoPointer());
});

/** Two versions of a series of two patches for the repository, each in a thread of its own. */
function seriesFor(repository: string, into: string): readonly Buffer[] {
	const git = (cwd: string, ...args: readonly string[]): void => {
		const who = ['-c', 'user.name=Ann Author', '-c', 'user.email=ann@a.example', '-c', 'commit.gpgSign=false'];
		execFileSync('git', [...who, ...args], { cwd, stdio: 'ignore' });
	};
	const lines = Array.from({ length: 40 }, (_, at) => `line ${at + 1} of the file`);
	const write = (cwd: string, changed: Readonly<Record<number, string>>): void =>
		writeFileSync(join(cwd, 'count.txt'), `${lines.map((line, at) => changed[at] ?? line).join('\n')}\n`);
	write(repository, {});
	git(repository, 'add', '.');
	git(repository, 'commit', '-m', 'count: some lines');
	const clone = join(into, 'clone');
	git(into, 'clone', '-q', repository, clone);
	const earlier = new Date(Date.now() - 86_400_000).toUTCString();
	return [1, 2].flatMap((version) => {
		git(clone, 'checkout', '-q', '-B', `v${version}`, 'origin/main');
		write(clone, { 19: `zero ${version}` });
		git(clone, 'commit', '-qam', title);
		write(clone, { 19: `zero ${version}`, 29: 'thirty' });
		git(clone, 'commit', '-qam', 'count: end with thirty');
		const mails = join(into, `mails-${version}`);
		const people = ['--to', 'devel@lists.example', '--cc', 'Carl Copied <carl@c.example>'];
		const options = [`-v${version}`, '--cover-letter', '--thread=shallow', ...people, '-o', mails];
		git(clone, 'format-patch', '-q', ...options, 'origin/main');
		return readdirSync(mails)
			.toSorted()
			.map((name) => {
				const text = readFileSync(join(mails, name), 'utf8');
				// Git names cover letters after the second.
				const first = text.replace(/^Date: .*$/m, `Date: ${earlier}`).replaceAll('<cover.', '<first.cover.');
				const dated = version === 1 ? first : text;
				return Buffer.from(dated.replace('*** SUBJECT HERE ***', title).replace('*** BLURB HERE ***', 'Counting.'));
			});
	});
}
