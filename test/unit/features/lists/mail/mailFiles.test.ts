import '../../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import { ForgeError } from 'sourcehut/port/forgeError.ts';
import type { MailSubject } from '../../../../../src/features/lists/subjects/subjects.ts';
import { fakeConnections } from '../../../../support/fakeConnection.ts';
import { listConnection } from '../../../../support/fakeLists.ts';
import { listsParts } from '../../../../support/fakeListsParts.ts';
import { makeMail } from '../../../../support/makeMail.ts';
import { threadMails, threadWorld } from '../../../../support/threadWorld.ts';
import { resetStub, stubbed } from '../../../../support/vscodeValues.ts';

const editor = await import('vscode');
const { mailFiles } = await import('../../../../../src/features/lists/mail/mailDocuments.ts');
const { attachmentUri, mailUri, viewOfUri } = await import('../../../../../src/features/lists/mail/mailUri.ts');
const { openAttachment, saveAttachment } = await import('../../../../../src/features/lists/thread/mailHandlers.ts');

const never = new AbortController().signal;

function subjectOf(id: number): MailSubject {
	return {
		kind: 'mail',
		connectionKey: 'sample-alice',
		list: { owner: '~alice', name: 'devel' },
		id,
		messageId: undefined,
	};
}

function desk(content = 'line \u202Eone'): {
	readonly files: ReturnType<typeof mailFiles>;
	readonly connection: ReturnType<typeof listConnection>;
	readonly world: ReturnType<typeof threadWorld>['world'];
} {
	const { world, api } = threadWorld();
	const connection = listConnection(api);
	const attachment = (_: number, index: number): Promise<Uint8Array | undefined> =>
		Promise.resolve(index < 2 ? new TextEncoder().encode(content) : undefined);
	Object.defineProperty(connection, 'texts', { value: { ...connection.texts, attachment } });
	return { files: mailFiles(listsParts(fakeConnections(connection)), never), connection, world };
}

async function textAt(files: ReturnType<typeof mailFiles>, uri: ReturnType<typeof mailUri>): Promise<string> {
	return new TextDecoder().decode(await files.readFile(uri));
}

suite('message files', () => {
	setup(() => resetStub());

	test('are read-only, with the message as content and its size', async () => {
		const { files } = desk();
		const [mail] = threadMails();
		assert.ok(mail);
		const uri = mailUri(subjectOf(1), mail, false);
		const text = await textAt(files, uri);
		assert.match(text, /^From: Bob Builder <bob@forge\.test>\n/);
		assert.match(text, /Please look\./);
		const stat = await files.stat(uri);
		assert.equal(stat.size, new TextEncoder().encode(text).length);
		assert.throws(
			() => void files.writeFile(uri, new Uint8Array(), { create: false, overwrite: true }),
			editor.FileSystemError,
		);
		assert.throws(() => void files.delete(uri, { recursive: false }), editor.FileSystemError);
	});

	test('fail with the forge’s reason, and are not found for an invalid URI', async () => {
		const { files, world } = desk();
		world.before = () => {
			throw new ForgeError({ kind: 'notAllowed' });
		};
		const [mail] = threadMails();
		assert.ok(mail);
		await assert.rejects(async () => await files.readFile(mailUri(subjectOf(1), mail, false)), /notAllowed/);
		const nothing = editor.Uri.from({ scheme: 'forge-mail', authority: 'sample-alice', path: '/x' });
		await assert.rejects(async () => await files.readFile(nothing), editor.FileSystemError);
	});

	test('decode a text attachment by its charset, escape hidden characters, and reject other types', async () => {
		const { files, world } = desk();
		const attached = ['iso-8859-1', 'utf-8'].flatMap((charset) => [
			'--xx',
			`Content-Type: text/x-log; charset=${charset}; name="run.log"`,
			'Content-Disposition: attachment; filename="run.log"',
			'Content-Transfer-Encoding: base64',
			'',
			Buffer.from('Grün \u202E', charset === 'utf-8' ? 'utf8' : 'latin1').toString('base64'),
		]);
		const head = ['From: Dora <dora@forge.test>', 'Subject: Log', 'Content-Type: multipart/mixed; boundary=xx', ''];
		world.mails.push(makeMail({ id: 50, envelope: [...head, ...attached, '--xx--'].join('\r\n') }));
		const view = { name: 'run.log', isPatch: false };
		assert.equal(await textAt(files, attachmentUri(subjectOf(50), { ...view, index: 0 })), 'Grün .');
		assert.equal(await textAt(files, attachmentUri(subjectOf(50), { ...view, index: 1 })), 'Grün ⟨U+202E⟩');
		for (const index of [1, 7]) {
			await assert.rejects(
				async () => await files.readFile(attachmentUri(subjectOf(5), { ...view, index })),
				editor.FileSystemError,
			);
		}
	});

	test('include an attachment of a message that is too large to parse at first', async () => {
		const { files, world, connection } = desk();
		const envelope = [
			'From: Dora <dora@forge.test>',
			'Subject: Log',
			'Content-Type: multipart/mixed; boundary=xx',
			'',
			'--xx',
			'',
			`${'x'.repeat(70)}\r\n`.repeat(16_000),
			'--xx',
			'Content-Type: text/x-log; name="run.log"',
			'Content-Disposition: attachment; filename="run.log"',
			'',
			'done',
			'--xx--',
		].join('\r\n');
		world.mails.push(makeMail({ id: 50, envelope }));
		assert.equal((await connection.texts.read(50, never)).reading.kind, 'raw');
		const uri = attachmentUri(subjectOf(50), { name: 'run.log', isPatch: false, index: 0 });
		assert.equal((await textAt(files, uri)).trim(), 'done');
	});

	test('have a URI with the view, and a safe path', () => {
		const uri = attachmentUri(subjectOf(5), { index: 3, name: '../../x', isPatch: true });
		assert.deepEqual(viewOfUri(uri), { isPatch: true, isWhole: false, attachment: 3 });
		assert.equal(uri.path, '/~alice/devel/5/..∕..∕x ');
	});

	test('save an attachment at the chosen path byte for byte, and nothing before', async () => {
		const { connection } = desk('a\r\n\u0000b');
		await saveAttachment(connection, subjectOf(5), 1, never);
		assert.deepEqual(stubbed.written, []);
		stubbed.answers.push('/home/alice/picked.bin');
		await saveAttachment(connection, subjectOf(5), 1, never);
		assert.deepEqual(stubbed.written, [['/home/alice/picked.bin', 'a\r\n\u0000b']]);
		await assert.rejects(saveAttachment(connection, subjectOf(5), 5, never));
	});

	test('open only text attachments', async () => {
		const { connection } = desk();
		await assert.rejects(openAttachment(connection, subjectOf(5), 1, never));
	});
});
