import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { draftFiles } from '../../../../src/machine/storage/draftFiles.ts';
import { keptDrafts } from '../../../../src/machine/storage/keptDrafts.ts';
import type { Drafts, DraftSubject } from '../../../../src/store/drafts/drafts.ts';

const about: DraftSubject = {
	kind: 'comment',
	connectionKey: 'sample-alice',
	ref: { tracker: { owner: '~alice', name: 'website' }, id: 3 },
};

suite('deleting a draft', () => {
	let folder: string;
	setup(() => {
		folder = mkdtempSync(join(tmpdir(), 'forge-desk-drafts-'));
	});
	teardown(() => rmSync(folder, { recursive: true }));

	const openWindow = (name: string): Drafts => keptDrafts(draftFiles(folder), name);
	const texts = (drafts: Drafts): readonly string[] => drafts.all().map(({ draft }) => draft.text);

	test('keeps text that another window typed after the list was read', async () => {
		const [one, two] = [openWindow('one'), openWindow('two')];
		const listed = { text: 'half a sentence', atMs: 1 };
		await one.keep(about, listed);
		await two.keep(about, { text: 'half a sentence, and the rest', atMs: 2 });
		await one.forget({ about, draft: listed });
		assert.deepEqual(texts(openWindow('three')), ['half a sentence, and the rest']);
		await one.keep(about, { text: 'something else', atMs: 3 });
		await two.forget({ about, draft: { text: 'half a sentence, and the rest', atMs: 2 } });
		assert.deepEqual(texts(openWindow('three')), ['something else']);
	});
});
