import '../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import type { ListsContext } from '../../src/features/lists/context/listsContext.ts';
import { axeThemes, axeViolations } from './support/axe.ts';
import { eventually } from '../support/eventually.ts';
import { fakeConnections } from '../support/fakeConnection.ts';
import { listConnection } from '../support/fakeLists.ts';
import { listsParts } from '../support/fakeListsParts.ts';
import { keepPicture } from './support/pagePictures.ts';
import { patchsetPages } from './support/patchsetPages.ts';
import { patchsetWorld, replyMail } from '../support/patchsetWorld.ts';
import { resetStub, stubbed } from '../support/vscodeValues.ts';

const posting = '~alice/devel@lists.forge.test';

suite('conversation of a patchset page', function () {
	this.timeout(120_000);
	const open = patchsetPages();
	setup(() => resetStub());

	async function opened(change: (world: ReturnType<typeof patchsetWorld>['world']) => void = () => undefined) {
		const { api, world, ref } = patchsetWorld();
		const answer = replyMail(31, 30, '> Nice.\n\nThank you.\n', 'Bob Builder <bob@forge.test>');
		world.mails.push({ ...answer, envelope: `List-Post: <mailto:${posting}>\r\n${answer.envelope}` });
		change(world);
		const connection = listConnection(api);
		const parts: ListsContext = listsParts(fakeConnections(connection));
		const made = await open({ connection, ref, changes: { drafts: parts.drafts, mailDrafts: parts.mailDrafts } });
		await made.page.locator('.mail[data-mail="31"]').waitFor();
		return { ...made, connection, parts, world, ref };
	}

	function mail(page: Page, id: number): ReturnType<Page['locator']> {
		return page.locator(`.mail[data-mail="${id}"]`);
	}

	test('shows the replies below the patch that they answer, which leads to its place', async () => {
		const { page, incidents } = await opened();
		const talk = page.getByRole('region', { name: 'Replies' });
		assert.deepEqual(await talk.locator('.mail h2').allInnerTexts(), [
			'1/4 fold: find in a tree',
			'Dora Reviewer <dora@forge.test> ~bob',
			'Bob Builder <bob@forge.test> ~bob',
		]);
		assert.match(await mail(page, 30).innerText(), /Nice\./);
		await talk.getByRole('button', { name: '1/4 fold: find in a tree' }).click();
		await eventually(() => page.evaluate(() => document.activeElement?.getAttribute('data-mail')), '21');
		for (const theme of axeThemes) {
			assert.deepEqual(await axeViolations(page, theme), []);
		}
		await keepPicture(page, 'patchset-conversation');
		assert.deepEqual(incidents, []);
	});

	test('keeps a reply as the draft of its message, sends it from there, and closes its box afterwards', async () => {
		const { page, parts, ref, connection } = await opened();
		await mail(page, 31).getByRole('button', { name: 'Reply', exact: true }).click();
		const box = mail(page, 31).getByRole('textbox', { name: 'Your reply' });
		await eventually(async () => (await box.inputValue()).endsWith('\n\n'), true);
		assert.match(await box.inputValue(), /Bob Builder wrote:\n> > Nice\./);
		assert.match(
			await mail(page, 31).locator('.reply-box .receivers').innerText(),
			/^To: ~alice\/devel@lists\.forge\.test\nCc: Bob Builder <bob@forge\.test>\nSubject: Re: /,
		);
		await box.press('Control+End');
		await page.keyboard.type('It is.');
		await page.keyboard.press('Control+Enter');
		await eventually(() => Promise.resolve(stubbed.executed.at(-1)), 'forge.lists.sendMail');
		assert.deepEqual(stubbed.passed.at(-1), {
			kind: 'mail',
			connectionKey: connection.key,
			list: ref.list,
			id: 31,
			messageId: '<m31@forge.test>',
		});
		const [draft] = parts.drafts.all();
		assert.match(draft?.draft.text ?? '', /^To: .*\nCc: .*\nSubject: Re: .*\n\n[^]*It is\.$/);
		assert.ok(draft);
		await parts.drafts.keep(draft.about, { text: '', atMs: 2 });
		await box.waitFor({ state: 'detached' });
	});
});
