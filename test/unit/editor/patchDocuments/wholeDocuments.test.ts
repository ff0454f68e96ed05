import '../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import { blobId } from 'patchmail/patch/blobId.ts';
import type { WholeView } from '../../../../src/editor/patchDocuments/patchUri.ts';
import { fakeConnections } from '../../../support/fakeConnection.ts';
import { listsParts } from '../../../support/fakeListsParts.ts';
import { resetStub } from '../../../support/vscodeValues.ts';
import { wholeTexts, wholeWorld } from '../../../support/wholeWorld.ts';

const { patchFiles } = await import('../../../../src/editor/patchDocuments/patchFiles.ts');
const { patchUri } = await import('../../../../src/editor/patchDocuments/patchUri.ts');
const { shownLineOf } = await import('../../../../src/editor/patchDocuments/shownLines.ts');

const never = new AbortController().signal;

suite('documents of whole files', () => {
	setup(() => resetStub());

	function desk(patchsetId: number | undefined = 7) {
		const { connection: bare, ref, repository, lists } = wholeWorld();
		let reads = 0;
		const texts: typeof bare.texts = {
			...bare.texts,
			readAll(ids, signal) {
				reads += 1;
				return bare.texts.readAll(ids, signal);
			},
		};
		const connection = { ...bare, texts };
		const files = patchFiles(listsParts(fakeConnections(connection)));
		const uri = (mailId: number, view: Partial<WholeView> & Pick<WholeView, 'kind' | 'content'>) =>
			patchUri(
				{
					connectionKey: connection.key,
					list: ref.list,
					patchsetId,
					mailId,
					view: { fileIndex: 0, repository, ...view },
				},
				'src/fold.c',
			);
		const text = async (...at: Parameters<typeof uri>): Promise<string> =>
			new TextDecoder().decode(await files.readFile(uri(...at)));
		return { files, uri, text, lists, reads: () => reads };
	}

	test('contain the whole file, for a later patch as the earlier one left it', async () => {
		const { text } = desk();
		const { fold, first, second } = wholeTexts;
		assert.equal(await text(71, { kind: 'wholeBefore', content: blobId(fold) }), fold);
		assert.equal(await text(71, { kind: 'wholeAfter', content: blobId(first) }), first);
		assert.equal(await text(72, { kind: 'wholeBefore', content: blobId(first) }), first);
		assert.equal(await text(72, { kind: 'wholeAfter', content: blobId(second) }), second);
	});

	test('read their series once for any number of requests', async () => {
		const { text, reads } = desk();
		const { fold, first } = wholeTexts;
		await text(71, { kind: 'wholeBefore', content: blobId(fold) });
		await text(71, { kind: 'wholeAfter', content: blobId(first) });
		await text(72, { kind: 'wholeBefore', content: blobId(first) });
		assert.equal(reads(), 1);
	});

	test('never contain another text than the opened one', async () => {
		const { text } = desk();
		await assert.rejects(
			text(71, { kind: 'wholeAfter', content: blobId(wholeTexts.fold) }),
			/The whole file can no longer be found\. Open the patch again\./,
		);
		const nowhere = { kind: 'wholeAfter', content: blobId(wholeTexts.first), repository: undefined } as const;
		await assert.rejects(text(71, nowhere), /no longer be found/);
		await assert.rejects(text(71, { ...nowhere, fileIndex: 7 }));
	});

	test('of a mail without a known patchset are independent', async () => {
		const { text } = desk(undefined);
		assert.equal(await text(71, { kind: 'wholeBefore', content: blobId(wholeTexts.fold) }), wholeTexts.fold);
	});

	test('map their lines to the mail, like documents of hunks', async () => {
		const { files, uri, lists } = desk();
		const { lines, place } =
			(await files.lines(uri(71, { kind: 'wholeAfter', content: blobId(wholeTexts.first) }), never)) ?? assert.fail();
		assert.equal(place.mailId, 71);
		const body = lists.world.mails[0]?.envelope.split('\r\n\r\n').slice(1).join('\n\n').replaceAll('\r\n', '\n') ?? '';
		const at = body.indexOf('+FOLD 10');
		assert.deepEqual(shownLineOf(lines, at), { line: 9, kind: 'added', hunk: 0, start: at, end: at + 8 });
		assert.deepEqual(shownLineOf(lines, at + 4), shownLineOf(lines, at));
		assert.equal(shownLineOf(lines, body.indexOf('-fold 10')), undefined);
		assert.ok(lines.every(({ line }) => line !== 2));
		const hunks = patchUri({ ...place, view: { kind: 'after', fileIndex: 0 } }, 'src/fold.c');
		assert.deepEqual((await files.lines(hunks, never))?.lines, lines);
		assert.equal(await files.lines(uri(71, { kind: 'wholeAfter', content: '' }), never), undefined);
	});
});
