import '../../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import type { CommandId } from '../../../../../src/commands/table.ts';
import { fileIdentity } from 'patchmail/patch/fileIdentity.ts';
import { fakeConnections } from '../../../../support/fakeConnection.ts';
import { listConnection } from '../../../../support/fakeLists.ts';
import { listsParts } from '../../../../support/fakeListsParts.ts';
import { patchsetWorld } from '../../../../support/patchsetWorld.ts';
import { bringToFront } from '../../../../support/stubbedFront.ts';
import { resetStub, stubbed } from '../../../../support/vscodeValues.ts';

const { fileSteps } = await import('../../../../../src/features/review/patchset/fileSteps.ts');
const { listsSubject } = await import('../../../../../src/features/lists/subjects/subjects.ts');
const { patchUri } = await import('../../../../../src/editor/patchDocuments/patchUri.ts');

const never = new AbortController().signal;
const list = { owner: '~alice', name: 'devel' };

/** The patches have one, five and one file. */
function situation() {
	const { api, ref } = patchsetWorld();
	const connection = listConnection(api);
	const commands = fileSteps(listsParts(fakeConnections(connection)));
	const at = { connectionKey: connection.key, list, patchsetId: 2 };
	return {
		connection,
		ref,
		patchset: { kind: 'patchset', connectionKey: connection.key, ref },
		inFront: (mailId: number, fileIndex: number) =>
			bringToFront(patchUri({ ...at, mailId, view: { kind: 'after', fileIndex } }, 'a.c')),
		/** The opened patch and file, and the message. */
		step: async (command: CommandId, subject?: unknown): Promise<readonly unknown[]> => {
			stubbed.passed.length = 0;
			await commands[command]?.(subject, never, []);
			const opened = listsSubject(stubbed.passed[0]);
			const place = opened?.kind === 'patchFile' ? [opened.mailId, opened.fileIndex] : [undefined, undefined];
			return [...place, stubbed.shown.at(-1)];
		},
	};
}

suite('file navigation in a series', () => {
	setup(() => resetStub());

	test('steps from file to file across patches, and announces the position', async () => {
		const { step, inFront } = situation();
		inFront(21, 0);
		assert.deepEqual(await step('forge.patchsets.nextFile'), [
			22,
			0,
			'File 2 of 7: fold_tree.h, patch 2/4 fold: move the header',
		]);
		inFront(22, 4);
		assert.deepEqual((await step('forge.patchsets.nextFile')).slice(0, 2), [23, 0]);
		assert.deepEqual((await step('forge.patchsets.previousFile')).slice(0, 2), [22, 3]);
		inFront(23, 0);
		assert.deepEqual(await step('forge.patchsets.nextFile'), [
			undefined,
			undefined,
			'This is the last file of this series.',
		]);
	});

	test('steps from patch to patch, to the first file of each', async () => {
		const { step, inFront } = situation();
		inFront(22, 3);
		assert.deepEqual((await step('forge.patchsets.nextPatch')).slice(0, 2), [23, 0]);
		assert.deepEqual((await step('forge.patchsets.previousPatch')).slice(0, 2), [21, 0]);
		inFront(23, 0);
		assert.deepEqual((await step('forge.patchsets.previousPatch')).slice(0, 2), [22, 0]);
		inFront(21, 0);
		assert.deepEqual((await step('forge.patchsets.previousPatch')).at(-1), 'This is the first patch of this series.');
	});

	test('goes to the next unviewed file, again from the start after the last one, until all are viewed', async () => {
		const { step, inFront, patchset, connection, ref } = situation();
		const { series } = await connection.reviews.read(ref, never);
		const mark = (at: number): Promise<void> => {
			const { patch } = series.patches[at] ?? assert.fail();
			const marks = patch.diff.files.map((file) => fileIdentity(patch.diffText, file));
			return connection.viewed.mark(ref, marks, true);
		};
		assert.deepEqual((await step('forge.patchsets.nextUnviewed', patchset)).slice(0, 2), [21, 0]);
		await mark(1);
		inFront(21, 0);
		assert.deepEqual((await step('forge.patchsets.nextUnviewed')).slice(0, 2), [23, 0]);
		inFront(23, 0);
		assert.deepEqual((await step('forge.patchsets.nextUnviewed')).slice(0, 2), [21, 0]);
		await mark(0);
		await mark(2);
		assert.deepEqual(await step('forge.patchsets.nextUnviewed', patchset), [
			undefined,
			undefined,
			'All files of this series are viewed.',
		]);
	});

	test('starts at the first file of a patchset, and announces viewed files', async () => {
		const { step, patchset, connection, ref } = situation();
		const { series } = await connection.reviews.read(ref, never);
		const { patch } = series.patches[0] ?? assert.fail();
		const [file = assert.fail()] = patch.diff.files;
		await connection.viewed.mark(ref, [fileIdentity(patch.diffText, file)], true);
		assert.deepEqual(await step('forge.patchsets.nextFile', patchset), [
			21,
			0,
			'File 1 of 7: fold.c, patch 1/4 fold: find in a tree · viewed',
		]);
		assert.deepEqual(await step('forge.patchsets.nextPatch', null), [
			undefined,
			undefined,
			'Open the diff of a patch or select a patchset first.',
		]);
	});
});
