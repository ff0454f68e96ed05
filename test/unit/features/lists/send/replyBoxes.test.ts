import '../../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import { Disposables } from '@forge-desk/base/lifecycle.ts';
import type { Email } from 'sourcehut/port/list.ts';
import { fake } from '../../../../support/fake.ts';
import { fakeConnections } from '../../../../support/fakeConnection.ts';
import { listConnection } from '../../../../support/fakeLists.ts';
import { listsParts } from '../../../../support/fakeListsParts.ts';
import { patchsetWorld, replyMail } from '../../../../support/patchsetWorld.ts';
import { stubbedDocuments, type StubbedDocument } from '../../../../support/stubbedDocuments.ts';
import { resetStub, stubbed } from '../../../../support/vscodeValues.ts';

const { replyBoxes } = await import('../../../../../src/features/lists/send/replyBoxes.ts');
const { draftUri } = await import('../../../../../src/features/tickets/drafts/draftUri.ts');

const list = { owner: '~alice', name: 'devel' };

function posted(mail: Email): Email {
	return { ...mail, envelope: `List-Post: <mailto:~alice/devel@lists.forge.test>\r\n${mail.envelope}` };
}

function situation() {
	const { api, world } = patchsetWorld();
	world.mails.push(posted(replyMail(31, 21, 'Why not keep it?\n')));
	const connection = listConnection(api);
	const parts = listsParts(fakeConnections(connection));
	const changes: number[] = [];
	const boxes = replyBoxes(
		parts,
		{ connectionKey: connection.key, list },
		{ owned: new Disposables(), signal: new AbortController().signal },
		(id) => {
			if (id !== 31) {
				throw new Error(`There is no mail ${id} on the page`);
			}
			return { kind: 'mail', connectionKey: connection.key, list, id, messageId: '<m31@forge.test>' };
		},
		async () => void changes.push(changes.length),
	);
	return { boxes, parts, changes, views: () => boxes.views(new Set([31])) };
}

suite('reply boxes of a page', () => {
	setup(() => resetStub());
	teardown(() => {
		stubbedDocuments.open.length = 0;
	});

	test('begin with recipients and quote, and store nothing before a text is typed', async () => {
		const { boxes, parts } = situation();
		const begun = await boxes.handlers.openReply.handle({ mail: 31, isQuoting: true });
		assert.deepEqual(begun?.head, [
			'To: ~alice/devel@lists.forge.test',
			'Cc: Dora Reviewer <dora@forge.test>',
			'Subject: Re: [PATCH lantern v2 1/4] fold: find in a tree',
		]);
		assert.match(begun?.text ?? '', /Dora Reviewer wrote:\n> Why not keep it\?\n\n$/);
		const plain = await boxes.handlers.openReply.handle({ mail: 31, isQuoting: false });
		assert.equal(plain?.text, '');
		assert.deepEqual(parts.drafts.all(), []);
	});

	test('store the text with its headers, and forget an empty one', async () => {
		const { boxes, parts, views, changes } = situation();
		assert.equal(await boxes.handlers.keepReply.handle({ mail: 31, text: 'Because.' }), undefined);
		const [draft] = parts.drafts.all();
		assert.match(draft?.draft.text ?? '', /^To: .*\nCc: .*\nSubject: Re: .*\n\nBecause\.$/);
		assert.deepEqual(
			views().map(({ mail, text }) => [mail, text]),
			[[31, 'Because.']],
		);
		assert.equal(changes.length, 2, 'at the change, and before the answer');
		await boxes.handlers.keepReply.handle({ mail: 31, text: '\n' });
		assert.deepEqual(parts.drafts.all(), []);
	});

	test('keep headers of another window, show them without control characters, and continue the draft', async () => {
		const { boxes, parts, views } = situation();
		await boxes.handlers.keepReply.handle({ mail: 31, text: 'Because.' });
		const [kept] = parts.drafts.all();
		assert.ok(kept);
		await parts.drafts.keep(kept.about, {
			text: 'To: bob@forge.test\u202e\nCc:\n\nBecause.',
			atMs: kept.draft.atMs + 1,
		});
		await boxes.handlers.keepReply.handle({ mail: 31, text: 'Because not.' });
		assert.equal(parts.drafts.all()[0]?.draft.text, 'To: bob@forge.test\u202e\nCc:\n\nBecause not.');
		const begun = await boxes.handlers.openReply.handle({ mail: 31, isQuoting: true });
		assert.equal(begun?.text, 'Because not.');
		assert.equal(begun.head.length, 1);
		assert.doesNotMatch(begun.head[0] ?? '', /\u202e/);
		assert.deepEqual(views(), [begun]);
		assert.deepEqual(boxes.views(new Set([30])), []);
	});

	test('leave the draft to its document while that is open', async () => {
		const { boxes, parts, views } = situation();
		await boxes.handlers.keepReply.handle({ mail: 31, text: 'Because.' });
		const [draft] = parts.drafts.all();
		assert.ok(draft?.about.kind === 'mail');
		const uri = draftUri(draft.about);
		stubbedDocuments.open.push(fake<StubbedDocument>({ uri }));
		assert.deepEqual(views(), []);
		assert.equal(
			await boxes.handlers.keepReply.handle({ mail: 31, text: 'Lost?' }),
			'This reply is open as a document. Write it there.',
		);
		assert.match(parts.drafts.all()[0]?.draft.text ?? '', /Because\.$/);
		assert.equal(await boxes.handlers.openReply.handle({ mail: 31, isQuoting: true }), undefined);
		assert.equal(stubbed.executed.at(-1), 'forge.lists.reply');
	});

	test('reject mails of other pages', async () => {
		const { boxes } = situation();
		await assert.rejects(boxes.handlers.openReply.handle({ mail: 30, isQuoting: true }), /There is no mail 30/);
		await assert.rejects(boxes.handlers.keepReply.handle({ mail: 30, text: 'x' }), /There is no mail 30/);
	});
});
