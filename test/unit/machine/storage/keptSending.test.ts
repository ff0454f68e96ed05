import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SendingAlone } from 'patchmail/review/sending.ts';
import type { Drafts, MailDraftSubject } from '../../../../src/store/drafts/drafts.ts';
import { forgetAlone, keepAlone, keptAlone } from '../../../../src/store/drafts/reviewDrafts.ts';
import { draftFiles } from '../../../../src/machine/storage/draftFiles.ts';
import { keptDrafts } from '../../../../src/machine/storage/keptDrafts.ts';

const reply: MailDraftSubject = {
	kind: 'mail',
	connectionKey: 'sample-alice',
	ref: { owner: '~alice', name: 'devel' },
	answers: 31,
	name: 'reply',
};
const other: MailDraftSubject = { ...reply, answers: undefined, name: 'a1' };
const underWay: SendingAlone = { messageId: '<a@forge.test>', text: 'To: a', progress: { kind: 'underWay' } };
const unsure: SendingAlone = { ...underWay, progress: { kind: 'unsure', complaint: 'Connection closed' } };

suite('stored send progress of a draft', () => {
	let folder: string;
	setup(() => {
		folder = join(mkdtempSync(join(tmpdir(), 'forge-desk-drafts-')), 'drafts');
	});
	teardown(() => rmSync(join(folder, '..'), { recursive: true }));

	const openWindow = (name: string): Drafts => keptDrafts(draftFiles(folder), name);

	test('is available in the next window after a kill, beside the draft', async () => {
		const one = openWindow('one');
		await one.keep(reply, { text: 'To: a', atMs: 1 });
		await keepAlone(one, reply, underWay, 2);
		const two = openWindow('two');
		assert.deepEqual([keptAlone(two, reply), keptAlone(two, other)], [underWay, undefined]);
		assert.equal(two.draft(reply)?.text, 'To: a');
	});

	test('is shared with another window, and forgotten in both', async () => {
		const [one, two] = [openWindow('one'), openWindow('two')];
		await keepAlone(one, other, underWay, 1);
		assert.deepEqual(keptAlone(two, other), underWay);
		await keepAlone(two, other, unsure, 2);
		assert.deepEqual(keptAlone(one, other), unsure);
		await forgetAlone(one, other);
		assert.deepEqual([keptAlone(one, other), two.all()], [undefined, []]);
	});

	test('is ignored if damaged', async () => {
		const one = openWindow('one');
		for (const text of ['{', '{}', JSON.stringify({ ...unsure, progress: { kind: 'gone' } })]) {
			await one.keep({ ...reply, kind: 'mailSending' }, { text, atMs: 1 });
			assert.equal(keptAlone(one, reply), undefined, text);
		}
	});
});
