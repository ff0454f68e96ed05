import '../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import { patchsetWorld } from '../../../support/patchsetWorld.ts';
import { fakeConnections } from '../../../support/fakeConnection.ts';
import { listConnection } from '../../../support/fakeLists.ts';
import { listsParts } from '../../../support/fakeListsParts.ts';
import type { PatchPlace } from '../../../../src/editor/patchDocuments/patchUri.ts';
import { resetStub, stubbed } from '../../../support/vscodeValues.ts';

const { patchFiles } = await import('../../../../src/editor/patchDocuments/patchFiles.ts');
const { patchUri } = await import('../../../../src/editor/patchDocuments/patchUri.ts');
const { diffs } = await import('../../../../src/features/patches/diffs/diffsFeature.ts');

const never = new AbortController().signal;
const base = {
	connectionKey: 'sample-alice',
	list: { owner: '~alice', name: 'devel' },
	patchsetId: 2,
	mailId: 21,
} as const;

suite('patch documents', () => {
	setup(() => resetStub());

	interface Desk {
		readonly calls: readonly string[];
		readonly text: (place: Partial<PatchPlace>) => Promise<string>;
		readonly run: (command: 'forge.patchsets.openDiff', subject: unknown) => Promise<void>;
	}

	function desk(isSignedIn = true): Desk {
		const { api, world } = patchsetWorld();
		const parts = listsParts(isSignedIn ? fakeConnections(listConnection(api)) : fakeConnections());
		const files = patchFiles(parts);
		return {
			calls: world.calls,
			async text(place) {
				const uri = patchUri({ ...base, view: { kind: 'after', fileIndex: 0 }, ...place }, 'a');
				return new TextDecoder().decode(await files.readFile(uri));
			},
			run: async (command, subject) => diffs(parts).commands[command]?.(subject, never, []),
		};
	}

	test('come from the mail, which the store reads once', async () => {
		const { text, calls } = desk();
		assert.match(await text({}), /\treturn found;\n/);
		assert.match(await text({ view: { kind: 'before', fileIndex: 0 } }), /\treturn list\[at\];\n/);
		assert.deepEqual(
			calls.filter((call) => call.startsWith('email')),
			['email 21'],
		);
	});

	test('contain the whole text unchanged', async () => {
		const raw = await desk().text({ view: { kind: 'raw' } });
		assert.ok(raw.startsWith('Folds were a list.\n'), raw);
		assert.ok(raw.includes('@@ -40,3 +40,4 @@ static struct fold *find(int line)\n'));
	});

	test('a damaged file has no sides, and a missing file is not found', async () => {
		const { text } = desk();
		await assert.rejects(text({ mailId: 23 }));
		assert.match(
			await text({ mailId: 23, view: { kind: 'asItCame', fileIndex: 0 } }),
			/^This patch is damaged\. Line 10 of the text: .*\. This is its raw text for /,
		);
		await assert.rejects(text({ view: { kind: 'after', fileIndex: 7 } }));
		await assert.rejects(text({ mailId: 999 }));
	});

	test('a file of a patch also opens by its path, and a missing one shows a message', async () => {
		const { run } = desk();
		await run('forge.patchsets.openDiff', { kind: 'patchFile', ...base, path: 'src/fold.c' });
		assert.deepEqual(stubbed.executed, ['vscode.changes'], 'folds the gap before a far hunk');
		stubbed.executed.length = 0;
		await run('forge.patchsets.openDiff', { kind: 'patchFile', ...base, path: 'src/fold.c', at: 0 });
		assert.deepEqual(stubbed.executed, ['vscode.diff'], 'goes to a line');
		await run('forge.patchsets.openDiff', { kind: 'patchFile', ...base, path: 'src/other.c' });
		assert.deepEqual([stubbed.executed.length, stubbed.shown], [1, ['This file is not in the patch.']]);
	});

	test('show nothing for a signed-out account', async () => {
		await assert.rejects(desk(false).text({}), /not signed in/i);
	});

	test('commands open a file, a patch and the whole series in the appropriate editor', async () => {
		const { run } = desk();
		await run('forge.patchsets.openDiff', { kind: 'patchFile', ...base, fileIndex: 0 });
		await run('forge.patchsets.openDiff', { kind: 'patchFile', ...base, mailId: 23, fileIndex: 0 });
		await run('forge.patchsets.openDiff', { kind: 'mail', ...base, id: 22 });
		await run('forge.patchsets.openDiff', { kind: 'patchset', ...base, ref: { list: base.list, id: 2 } });
		assert.deepEqual(stubbed.executed, ['vscode.changes', 'vscode.open', 'vscode.changes', 'vscode.changes']);
		assert.deepEqual(stubbed.passed.slice(2), ['fold: move the header', 'v2 fold: ⟨U+202E⟩tsrif⟨U+202C⟩ open (diffs)']);
	});
});
