import assert from 'node:assert/strict';
import { isAbort } from '@forge-desk/base/abort.ts';
import { newestEpoch } from 'public-inbox/http/archiveReads.ts';
import type { ListedInbox } from 'public-inbox/read/siteListing.ts';
import { fake } from '../../../../test/support/fake.ts';

suite('reads of archives', () => {
	const never = new AbortController().signal;
	const inbox = (name: string, epochs: readonly string[]): ListedInbox => {
		return { url: `https://x.example/${name}/`, name, description: '', modifiedMs: undefined, epochs };
	};

	test('name the newest epoch of an inbox, and none where the archive is away', async () => {
		const listed = [inbox('other', ['https://x.example/other/git/9.git']), inbox('a', ['oldest', 'older', 'newest'])];
		const reads = { ...fake<Parameters<typeof newestEpoch>[0]>({ inboxes: async () => listed }) };
		assert.equal(await newestEpoch(reads, 'https://x.example/a/', never), 'newest');
		assert.equal(await newestEpoch(reads, 'https://x.example/b/', never), undefined);
		const away = { ...reads, inboxes: async () => Promise.reject(new Error('No network')) };
		assert.equal(await newestEpoch(away, 'https://x.example/a/', never), undefined);
		await assert.rejects(newestEpoch(away, 'https://x.example/a/', AbortSignal.abort()), isAbort);
	});
});
