import '../../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import type { DraftFileSystem } from '../../../../../src/features/tickets/drafts/draftFileSystem.ts';
import { Emitter } from '@forge-desk/base/event.ts';
import type { DocumentSubject } from '../../../../../src/features/tickets/drafts/draftSubject.ts';
import { ForgeError } from 'sourcehut/port/forgeError.ts';
import { fakeClock } from '../../../../support/fakeClock.ts';
import { fakeDrafts, quietProblems } from '../../../../support/fakeTicketsParts.ts';
import { stubbedDocuments, untitledDocument } from '../../../../support/stubbedDocuments.ts';

const { draftFileSystem } = await import('../../../../../src/features/tickets/drafts/draftFileSystem.ts');
const { draftUri } = await import('../../../../../src/features/tickets/drafts/draftUri.ts');

const tracker = { owner: '~alice', name: 'alpha' };
const reply = { kind: 'mail', connectionKey: 'sample-alice', ref: tracker, answers: 31, name: 'reply' } as const;
const description = { kind: 'description', connectionKey: 'sample-alice', tracker } as const;

const replaced = new Emitter<DocumentSubject>();

function files(firstText: () => Promise<string>): DraftFileSystem {
	return draftFileSystem(fakeDrafts(), fakeClock(), quietProblems, firstText, replaced.event);
}

suite('draft file system', () => {
	test('reports an unavailable text with a plain message, never with an internal error name', async () => {
		const failing = files(() => Promise.reject(new ForgeError({ kind: 'notSignedIn' })));
		const told = { name: 'Error', message: 'The forge said: notSignedIn.' };
		await assert.rejects(async () => failing.readFile(draftUri(description)), told);
		await assert.rejects(async () => failing.stat(draftUri(description)), told);
	});

	test('rereads a finished draft, since the editor may hold its text, but not a description', async () => {
		const drafts = files(() => Promise.resolve('First'));
		const told: string[] = [];
		drafts.onDidChangeFile((changes) => told.push(...changes.map(({ uri }) => uri.toString())));
		const uri = draftUri(reply);
		await drafts.writeFile(uri, new TextEncoder().encode('Sent'), { create: true, overwrite: true });
		const before = await drafts.stat(uri);
		replaced.fire(description);
		replaced.fire(reply);
		assert.deepEqual(told, [uri.toString()]);
		assert.ok((await drafts.stat(uri)).mtime > before.mtime, 'else the editor does not read it');
		drafts.dispose();
	});

	test('delays the reread of a replaced draft while its document is dirty', async () => {
		const drafts = files(() => Promise.resolve('First'));
		const uri = draftUri(reply);
		await drafts.writeFile(uri, new TextEncoder().encode('Saved'), { create: true, overwrite: true });
		const { mtime } = await drafts.stat(uri);
		replaced.fire(reply);
		assert.ok(untitledDocument(uri).isDirty);
		assert.equal((await drafts.stat(uri)).mtime, mtime);
		stubbedDocuments.open.length = 0;
		assert.ok((await drafts.stat(uri)).mtime > mtime);
		drafts.dispose();
	});

	test('reads a saved text back without a request', async () => {
		const drafts = files(() => Promise.reject(new Error('not asked')));
		await drafts.writeFile(draftUri(description), new TextEncoder().encode('New words'), {
			create: true,
			overwrite: true,
		});
		assert.equal(new TextDecoder().decode(await drafts.readFile(draftUri(description))), 'New words');
	});
});
