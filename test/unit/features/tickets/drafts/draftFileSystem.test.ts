import '../../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import type { DraftFileSystem } from '../../../../../src/features/tickets/drafts/draftFileSystem.ts';
import { ForgeError } from '../../../../../src/forge/forgeError.ts';
import { fakeClock } from '../../../../support/fakeClock.ts';
import { fakeDrafts, quietProblems } from '../../../../support/fakeTicketsParts.ts';

const { draftFileSystem } = await import('../../../../../src/features/tickets/drafts/draftFileSystem.ts');
const { draftUri } = await import('../../../../../src/features/tickets/drafts/draftUri.ts');

const tracker = { owner: '~alice', name: 'alpha' };
const description = { kind: 'description', connectionKey: 'sample-alice', tracker } as const;

function files(firstText: () => Promise<string>): DraftFileSystem {
	return draftFileSystem({ drafts: fakeDrafts(), clock: fakeClock(), problems: quietProblems, firstText });
}

suite('the file system of drafts', () => {
	test('a text that cannot be had is told in plain words, and never by an inner name', async () => {
		const failing = files(() => Promise.reject(new ForgeError({ kind: 'notSignedIn' })));
		const told = { name: 'Error', message: 'The forge said: notSignedIn.' };
		await assert.rejects(async () => failing.readFile(draftUri(description)), told);
		await assert.rejects(async () => failing.stat(draftUri(description)), told);
	});

	test('a saved text is read back, and then needs no forge', async () => {
		const drafts = files(() => Promise.reject(new Error('not asked')));
		await drafts.writeFile(draftUri(description), new TextEncoder().encode('New words'), {
			create: true,
			overwrite: true,
		});
		assert.equal(new TextDecoder().decode(await drafts.readFile(draftUri(description))), 'New words');
	});
});
