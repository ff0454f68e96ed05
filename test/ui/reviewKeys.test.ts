import assert from 'node:assert/strict';
import { chainedSuite } from '../support/chain.ts';
import type { SampleForge } from '../support/sampleForge.ts';
import { agreeByKey, pressInBox } from './support/boxKeys.ts';
import { keysOnly } from './support/keysOnly.ts';
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

const row = /^mouse: drag to select, Proposed, version 2/i;

/** Keys of `b4 review` 0.16 in its own key table, without texts. */
const b4 = { open: 2, comment: 2, trailer: 3, send: 3 } as const;

const mostKeys = 14;

for (const dialect of dialectsOf('field')) {
	/** Keys of one review, without the text of its comment. A chord counts as two. */
	chainedSuite(`${dialect}: the keys of a review`, () => {
		let forge: SampleForge;
		let settings: MailSettings;
		let keys = 0;
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
			await openOnly(page, 'Lists');
			await goDownTo('Lists', /^Mailing list lantern-devel/);
			await hands.press('ArrowRight');
			await treeItem(page, row).waitFor();
			await goDownTo('Lists', row);
		});
		suiteTeardown(async () => {
			settings.remove();
			await giveBackForge(forge);
		});

		test(`takes at most ${mostKeys} from the new series to the sent mail`, async () => {
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
			await take('Send with git send-email');
			await agree('Send 1 message?', 'Send');
			await notification(page, /Sent 1 message to ~alice\/lantern-devel@lists\.forge\.test/).waitFor();
			const peers = b4.open + b4.comment + b4.trailer + b4.send;
			assert.ok(keys <= mostKeys, `${keys} keys, b4 needs ${peers}`);
		});
	});
}
