import '../../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import type { MailAttachment } from 'patchmail/mail/readableMail.ts';
import type { Connection } from '../../../../../src/store/connection.ts';
import { makeReading } from '../../../../support/makeSeries.ts';
import { standFor } from '../../../../support/standFor.ts';
import { stubbedDocuments } from '../../../../support/stubbedDocuments.ts';
import { resetStub, stubbed } from '../../../../support/vscodeValues.ts';

const { openAttachment } = await import('../../../../../src/features/lists/thread/mailHandlers.ts');
const { attachmentUri } = await import('../../../../../src/features/lists/mail/mailUri.ts');

const list = { owner: '~alice', name: 'devel' };
const subject = { kind: 'mail', connectionKey: 'sample-alice', list, id: 5, messageId: undefined } as const;

function attachment(name: string, type: string, patch?: string): MailAttachment {
	return { name, type, size: 3, patch, text: undefined };
}

suite('opening an attachment', () => {
	setup(resetStub);

	test('opens texts and patches only, even if a document with that URI exists', async () => {
		const attachments = [
			attachment('run.log', 'text/x-log'),
			attachment('fix', 'application/octet-stream', 'diff'),
			attachment('run.sh', 'application/x-sh'),
			attachment('lamp.png', 'image/png'),
		];
		const read = async (): Promise<unknown> => ({ reading: makeReading({ attachments }) });
		const connection = standFor<Connection>({ texts: { read } });
		const open = (index: number): Promise<void> =>
			openAttachment(connection, subject, index, new AbortController().signal);
		for (const [index, { name, patch }] of attachments.entries()) {
			const uri = attachmentUri(subject, { index, name: name ?? '', isPatch: patch !== undefined });
			stubbedDocuments.open.push({ uri, isDirty: false, getText: () => '', save: () => Promise.resolve(true) });
		}
		await open(0);
		await open(1);
		for (const index of [2, 3, 4]) {
			await assert.rejects(open(index), /no attachment/);
		}
		assert.deepEqual(
			stubbed.documents.map(([document]) => document),
			stubbedDocuments.open.slice(0, 2),
		);
	});
});
