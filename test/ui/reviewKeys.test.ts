import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chainedSuite } from '../support/chain.ts';
import type { SampleForge } from '../support/sampleForge.ts';
import { agreeByKey, pressInBox } from './support/boxKeys.ts';
import { addOrigin, gitOf } from './support/gitOf.ts';
import { keysOnly } from './support/keysOnly.ts';
import { lookAtList } from './support/listLook.ts';
import { mailSettings, type MailSettings } from './support/mailSettings.ts';
import { knowing } from './support/sampleWindow.ts';
import {
	editorHasKeyboard,
	editorTab,
	linesAreCommentable,
	notification,
	openOnly,
	question,
	quickInput,
	treeItem,
} from './support/user.ts';
import { borrowForge, dialectsOf, giveBackForge } from './support/sharedForge.ts';
import { useWorkbench } from './support/workbench.ts';

const title = 'mouse: drag to select';
const row = /^mouse: drag to select, Proposed, version 2/i;
const listName = '~alice/lantern-devel';
/** Trailers of replies with the number of patches that each is for. Alice gives hers in the first test. */
const given = new Map([
	['Tested-by: Carol Nakamura <carol@forge.test>', 3],
	['Reviewed-by: Grace Lindqvist <grace@forge.test>', 1],
	['Reviewed-by: Alice Öberg <alice@forge.test>', 1],
]);

/** Keys of `b4 review` 0.16 in its own key table, without texts. `git push` is typed, and thanks wait in a queue. */
const b4 = { open: 2, comment: 2, trailer: 3, send: 3, apply: 4, push: 10, thanks: 0 } as const;

const mostKeys = { review: 11, merge: 11 } as const;

for (const dialect of dialectsOf('field')) {
	/** Keys of one review, without the text of its comment. A chord counts as two. */
	chainedSuite(`${dialect}: the keys of a review`, () => {
		let forge: SampleForge;
		let settings: MailSettings;
		let keys = 0;
		let base = '';
		let folder = '';
		let worktree = '';
		suiteSetup(async () => {
			forge = await borrowForge(dialect);
			settings = mailSettings(forge);
		});
		const workbench = useWorkbench(() => ({
			name: `review-keys-${dialect}`,
			env: { ...knowing(forge, 'alice'), ...settings.env },
			// High enough for all rows that the test needs, because a view renders only rows in view.
			viewport: { width: 1400, height: 2000 },
		}));
		const { goDownTo, ...hands } = keysOnly(workbench);
		const git = gitOf(workbench, 'Alice Öberg', 'alice');
		async function chord(key: string): Promise<void> {
			keys += 2;
			await hands.chord(key);
		}

		/** Takes the proposed entry of a box. */
		async function take(title: string): Promise<void> {
			keys += 1;
			await quickInput(workbench().page).getByText(title).first().waitFor();
			await pressInBox(quickInput(workbench().page), 'Enter');
		}

		async function agree(text: string | RegExp, button: string): Promise<void> {
			keys += 1;
			await agreeByKey(question(workbench().page, text), button);
		}

		suiteSetup(async () => {
			const { page } = workbench();
			worktree = `${workbench().folder}-mouse-drag-to-select-v2`;
			folder = mkdtempSync(join(tmpdir(), 'forge-desk-review-keys-'));
			addOrigin(git, forge);
			git('checkout', '-q', '-B', 'master', 'origin/master');
			base = git('rev-parse', 'HEAD');
			await page.locator('.statusbar-item').filter({ hasText: 'master' }).first().waitFor();
			await openOnly(page, 'Lists');
			await goDownTo('Lists', /^Mailing list lantern-devel/);
			await hands.press('ArrowRight');
			await treeItem(page, row).waitFor();
			await goDownTo('Lists', row);
		});
		suiteTeardown(async () => {
			settings.remove();
			await giveBackForge(forge);
			for (const made of [folder, worktree]) {
				rmSync(made, { recursive: true, force: true, maxRetries: 5 });
			}
		});

		/** Tree, author, date and message of the newest three commits in a folder. */
		const commitsIn = (of: string): string => git('-C', of, 'log', '-3', '--format=%T %an <%ae> %aI%n%B');

		/** The commits that `git am` makes of the patchset's mailbox on the forge. */
		async function commitsOfGitAm(): Promise<string> {
			const { patchsets } = await lookAtList(forge, listName);
			const patchset = patchsets.find(({ subject }) => subject === title);
			const mailbox = await fetch(`${forge.areas.lists}/${listName}/patches/${patchset?.id}/mbox`);
			writeFileSync(join(folder, 'mbox'), await mailbox.text());
			const clone = join(folder, 'clone');
			git('clone', '-q', '--no-checkout', '.', clone);
			git('-C', clone, 'checkout', '-q', '--detach', base);
			// The mails are base64 with CR LF inside, which git keeps otherwise.
			git('-C', clone, 'am', '-q', '--quoted-cr=strip', join(folder, 'mbox'));
			return commitsIn(clone);
		}

		test(`takes at most ${mostKeys.review} from the new series to the sent mail`, async () => {
			const { page } = workbench();
			keys = 0;
			await chord('j');
			await editorTab(page, /mouse_select\.c/).waitFor();
			await linesAreCommentable(page);
			await editorHasKeyboard(page);
			await chord('c');
			await page.locator('.comment-form .monaco-editor.focused').waitFor();
			await page.keyboard.type('Why not at the end of the line?');
			await page.getByRole('button', { name: /^Add Draft Comment/, disabled: false }).waitFor();
			keys += 1;
			await hands.press('Control+Enter');
			await editorHasKeyboard(page);
			await chord('Shift+K');
			await take('Choose a trailer');
			await editorHasKeyboard(page);
			await chord('z');
			await agree('Send 1 message?', 'Send');
			await notification(page, /Sent 1 message to ~alice\/lantern-devel@lists\.forge\.test/).waitFor();
			const peers = b4.open + b4.comment + b4.trailer + b4.send;
			assert.ok(keys <= mostKeys.review, `${keys} keys, b4 needs ${peers}`);
		});

		test(`takes at most ${mostKeys.merge} from the sent review to pushed, marked and thanked`, async () => {
			const { page } = workbench();
			keys = 0;
			await editorHasKeyboard(page);
			await chord('Shift+A');
			await take('Choose where to apply');
			await take('Name of the new branch');
			await take('Choose what of');
			await notification(page, `Applied 3 patches of "${title}"`).waitFor();
			await editorHasKeyboard(page);
			await chord('Shift+U');
			await take('Choose the branch to push to');
			await agree('Push to master (origin)?', 'Push');
			await take('Choose what to do for');
			await agree('Send 1 message?', 'Send');
			await notification(page, 'Pushed to master (origin). Done: Set Status to Applied').waitFor();
			const peers = b4.apply + b4.push + b4.thanks;
			assert.ok(keys <= mostKeys.merge, `${keys} keys, b4 needs ${peers}`);
		});

		test('the repository has the commits of git am with the trailers, and the list the status and the thanks', async () => {
			const lines = commitsIn(worktree).split('\n');
			for (const [trailer, count] of given) {
				assert.equal(lines.filter((line) => line === trailer).length, count, trailer);
			}
			assert.equal(lines.filter((line) => !given.has(line)).join('\n'), await commitsOfGitAm());
			const ids = git('-C', worktree, 'rev-list', `${base}..HEAD`).split('\n');
			assert.equal(git('ls-remote', 'origin', 'refs/heads/master').split('\t')[0], ids[0]);
			const { patchsets, mails } = await lookAtList(forge, listName);
			assert.equal(patchsets.find(({ subject }) => subject === title)?.status, 'applied');
			const thanks = mails.at(-1);
			assert.deepEqual([thanks?.sender, thanks?.subject], ['alice', `Re: [PATCH lantern v2 0/3] ${title}`]);
			// Quoted-printable breaks the long lines with URLs.
			const text = thanks?.text.replaceAll(/=\r?\n/g, '') ?? '';
			assert.match(text, /Applied to master, thanks!/);
			assert.deepEqual(
				ids.filter((id) => !text.includes(id)),
				[],
				text,
			);
		});
	});
}
