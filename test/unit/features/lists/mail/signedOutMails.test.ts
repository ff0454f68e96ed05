import '../../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import { fakeConnections } from '../../../../support/fakeConnection.ts';
import { listConnection } from '../../../../support/fakeLists.ts';
import { listsParts } from '../../../../support/fakeListsParts.ts';
import { threadMails, threadWorld } from '../../../../support/threadWorld.ts';

const { mailFiles } = await import('../../../../../src/features/lists/mail/mailDocuments.ts');
const { mailUri } = await import('../../../../../src/features/lists/mail/mailUri.ts');

suite('an open message', () => {
	test('is not readable after its account signed out', async () => {
		const connection = listConnection(threadWorld().api);
		const there = fakeConnections(connection);
		const connections = fakeConnections(connection);
		let isThere = true;
		Object.assign(connections, {
			byKey: (key: string) => (isThere ? there.byKey(key) : undefined),
			all: () => (isThere ? [connection] : []),
		});
		const files = mailFiles(listsParts(connections), new AbortController().signal);
		const [mail] = threadMails();
		assert.ok(mail);
		const list = { owner: '~alice', name: 'devel' };
		const subject = { kind: 'mail', connectionKey: connection.key, list, id: 1, messageId: undefined } as const;
		const uri = mailUri(subject, mail, false);
		assert.ok((await files.readFile(uri)).byteLength > 0);
		isThere = false;
		await assert.rejects(async () => await files.readFile(uri));
		isThere = true;
		assert.ok((await files.readFile(uri)).byteLength > 0);
	});
});
