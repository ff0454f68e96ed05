import '../../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import type * as vscode from 'vscode';
import type { MailSubject } from '../../../../../src/features/lists/subjects/subjects.ts';
import { Emitter } from '@forge-desk/base/event.ts';
import type { Email } from 'sourcehut/port/list.ts';
import { eventually } from '../../../../support/eventually.ts';
import { fakeConnections } from '../../../../support/fakeConnection.ts';
import { listConnection } from '../../../../support/fakeLists.ts';
import { listsParts } from '../../../../support/fakeListsParts.ts';
import { standFor } from '../../../../support/standFor.ts';
import { stubbedDocuments } from '../../../../support/stubbedDocuments.ts';
import { threadMails, threadWorld } from '../../../../support/threadWorld.ts';
import { openDocument, provided, resetStub, stubbed, Uri } from '../../../../support/vscodeValues.ts';

const { mailDocuments } = await import('../../../../../src/features/lists/mail/mailDocuments.ts');
const { attachmentUri, mailUri } = await import('../../../../../src/features/lists/mail/mailUri.ts');

const never = new AbortController().signal;

const subjectOf = (id: number): MailSubject => ({
	kind: 'mail',
	connectionKey: 'sample-alice',
	list: { owner: '~alice', name: 'devel' },
	id,
	messageId: undefined,
});

/** Messages as documents. The editor makes one document for each opened URI. */
function bench(change: (mail: Email) => Email = (mail) => mail) {
	const { world, api } = threadWorld();
	const mails = world.mails.map(change);
	world.mails.splice(0, world.mails.length, ...mails);
	const documents = mailDocuments(listsParts(fakeConnections(listConnection(api))));
	return { documents, world, mails, api };
}

/** An open document in the language that the editor guessed from its name. */
function documentAt(uri: { toString(): string }, languageId = 'c') {
	const document = { uri, languageId, isDirty: false, getText: () => '', save: async () => true };
	stubbedDocuments.open.push(document);
	return document;
}

suite('message documents', () => {
	setup(() => resetStub());

	test('open as a preview, with diff colors for a patch and message colors for others', async () => {
		const { documents, mails } = bench();
		for (const mail of mails) {
			const document = documentAt(mailUri(subjectOf(mail.id), mail, false));
			await documents.open(subjectOf(mail.id), never);
			assert.equal(document.languageId, mail.isPatch ? 'diff' : 'forge-mail');
			assert.deepEqual(stubbed.documents.at(-1), [document, { preview: true }]);
		}
		assert.deepEqual(new Set(mails.map(({ isPatch }) => isPatch)), new Set([true, false]));
		assert.deepEqual(stubbed.shown, []);
		documents.dispose();
	});

	test('name the signatures of the message, and offer the question to DNS without asking it', async () => {
		const { api, mails } = bench();
		const [{ id, envelope } = { id: 0, envelope: '' }] = mails;
		const allowed = new Emitter<void>();
		const calls: (readonly unknown[])[] = [];
		let state: 'notAsked' | 'valid' = 'notAsked';
		const documents = mailDocuments({
			...listsParts(fakeConnections(listConnection(api))),
			signatures: {
				allowDns: async () => assert.fail('nobody asked for it'),
				onDidAllow: allowed.event,
				check: async (text, authors) => {
					calls.push([text, authors]);
					return [{ kind: 'dkim', state, signer: 'forge.test\n\u202EX' }];
				},
			},
		});
		const uri = mailUri(subjectOf(id), mails[0]!, false);
		const document = documentAt(uri);
		const other = documentAt(Uri.from({ scheme: 'file', authority: '', path: '/a.c' }));
		await documents.open(subjectOf(id), never);
		assert.deepEqual(calls, [], 'opening checks nothing before the text is read');
		const read = async (): Promise<string> => new TextDecoder().decode(await documents.readFile(uri));
		const lenses = (): unknown =>
			standFor<vscode.CodeLensProvider>(provided.get('lenses')).provideCodeLenses(standFor({ uri }), standFor({}));
		assert.match(await read(), /\nSignature: Signed in the name of forge\.test ⟨U\+202E⟩X, and not checked: the key/);
		assert.deepEqual(calls[0]?.[0], envelope);
		assert.match(JSON.stringify(lenses()), /"command":"forge\.lists\.lookUpKeys"/);
		const before = await documents.stat(uri);
		const changed: string[] = [];
		documents.onDidChangeFile((events) => changed.push(...events.map((each) => each.uri.toString())));
		state = 'valid';
		allowed.fire();
		assert.deepEqual(changed, [document.uri.toString()]);
		assert.notEqual(changed[0], other.uri.toString());
		assert.match(await read(), /\nSignature: Signed by the domain forge\.test/);
		assert.ok((await documents.stat(uri)).mtime > before.mtime);
		assert.deepEqual(lenses(), []);
		documents.dispose();
	});

	test('get their colors when the editor restores them, and other documents don’t change', async () => {
		const { documents } = bench();
		const [mail] = threadMails();
		assert.ok(mail);
		const back = documentAt(mailUri(subjectOf(1), { ...mail, isPatch: true }, false));
		const other = documentAt(Uri.from({ scheme: 'file', authority: '', path: '/a.c' }));
		openDocument(other);
		openDocument(back);
		await eventually(async () => back.languageId, 'diff');
		assert.equal(other.languageId, 'c');
		documents.dispose();
		back.languageId = 'c';
		openDocument(back);
		assert.equal(back.languageId, 'c');
	});

	test('show an attachment as plain text', async () => {
		const { documents } = bench();
		const file = documentAt(attachmentUri(subjectOf(1), { index: 2, name: 'a.c', isPatch: false }));
		openDocument(file);
		await eventually(async () => file.languageId, 'plaintext');
		documents.dispose();
	});

	for (const [answer, isWhole] of [
		['Parse Message', true],
		['Show Raw Message', false],
		[undefined, false],
	] as const) {
		test(`ask about a message over 1 MB, ${isWhole ? 'parsed' : 'shown raw'} after: ${answer ?? 'cancel'}`, async () => {
			const { documents, mails } = bench((mail) => ({ ...mail, envelope: mail.envelope.padEnd(1_000_001, ' ') }));
			const [mail] = mails;
			assert.ok(mail);
			const document = documentAt(mailUri(subjectOf(mail.id), mail, isWhole));
			stubbed.answers.push(answer);
			await documents.open(subjectOf(mail.id), never);
			assert.equal(stubbed.shown.length, 1);
			assert.match(stubbed.shown[0] ?? '', /1 MB/);
			assert.equal(stubbed.documents[0]?.[0], document);
			documents.dispose();
		});
	}

	test('open a message of exactly 1 MB without a question', async () => {
		const { documents, mails } = bench((mail) => ({ ...mail, envelope: mail.envelope.padEnd(1_000_000, ' ') }));
		const [mail] = mails;
		assert.ok(mail);
		documentAt(mailUri(subjectOf(mail.id), mail, false));
		await documents.open(subjectOf(mail.id), never);
		assert.deepEqual([stubbed.shown, stubbed.documents.length], [[], 1]);
		documents.dispose();
	});

	test('open nothing when the user cancels the load', async () => {
		const { documents, world } = bench();
		const giveUp = new AbortController();
		const asked = Promise.withResolvers<void>();
		world.before = () => {
			asked.resolve();
			return Promise.withResolvers<void>().promise;
		};
		const ended = assert.rejects(documents.open(subjectOf(1), giveUp.signal), { name: 'AbortError' });
		await asked.promise;
		giveUp.abort();
		await ended;
		assert.deepEqual([stubbed.documents, stubbed.shown], [[], []]);
		documents.dispose();
	});
});
