import '../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import { blobId } from 'patchmail/patch/blobId.ts';
import { patchChain } from 'patchmail/patch/patchChain.ts';
import { wholeFile, type WholeFile } from 'patchmail/patch/wholeFile.ts';
import type { PlacedPatch } from '../../../../src/editor/patchDocuments/patchDiffs.ts';
import { editLine, numberedLines } from '../../../support/editedFile.ts';
import { makePatchMail } from '../../../support/patchMails.ts';

const { combinedFiles } = await import('../../../../src/editor/patchDocuments/combinedFiles.ts');
const { fileOpening } = await import('../../../../src/editor/patchDocuments/patchDiffs.ts');
const { placeOfPatchUri } = await import('../../../../src/editor/patchDocuments/patchUri.ts');

const text = numberedLines('line');
const one = editLine('a.c', text, 10, 'ten');
const two = editLine('a.c', one.after, 20, 'twenty', 'b.c');
const added = `diff --git a/a.c b/a.c\nnew file mode 100644\nindex 0000000..${blobId(text)}\n--- /dev/null\n+++ b/a.c\n@@ -0,0 +1,40 @@\n${text.replaceAll(/^(?=.)/gm, '+')}`;
const deleted = `diff --git a/a.c b/a.c\ndeleted file mode 100644\nindex ${blobId(one.after)}..0000000\n--- a/a.c\n+++ /dev/null\n@@ -1,40 +0,0 @@\n${one.after.replaceAll(/^(?=.)/gm, '-')}`;
const binary = 'diff --git a/i.bin b/i.bin\nindex 1111111..2222222 100644\nBinary files a/i.bin and b/i.bin differ\n';

const verified = {
	whole: { kind: 'verified', before: Buffer.from('a'), after: Buffer.from('b'), hunks: [] },
	missing: undefined,
} as const;

/** Patches on top of each other, with their whole files before each of them. */
function series(...patches: readonly (readonly [diff: string, before: string | undefined])[]): readonly PlacedPatch[] {
	return patches.map(([diff, before], at) => {
		const patch = makePatchMail(diff);
		const [file] = patch.diff.files;
		assert.ok(file);
		const whole: WholeFile = wholeFile({
			text: patch.diffText,
			file,
			before: before === undefined ? undefined : Buffer.from(before),
		});
		return {
			connectionKey: 'sample-alice',
			list: { owner: '~alice', name: 'devel' },
			patchsetId: 3,
			mailId: 10 + at,
			patch,
			number: `${at + 1}/${patches.length}`,
			found: { repository: undefined, file: () => ({ whole, missing: undefined }) },
		};
	});
}

/** The comparisons, each document by its mail and view, with its label. */
function combined(patches: readonly PlacedPatch[]): readonly string[] {
	const { spans } = patchChain(patches.map(({ patch }) => patch.diff));
	return combinedFiles(spans, (at) => patches[at]).map(({ compared: [named, ...sides] }) => {
		const shown = sides.map((uri) => {
			const place = uri && placeOfPatchUri(uri);
			return place ? `${place.mailId} ${place.view.kind}` : '-';
		});
		return `${named.path} ${shown.join(' > ')}${/"in":"( [^"]*)"/.exec(named.query)?.[1] ?? ''}`;
	});
}

suite('combined patches', () => {
	test('compare the first version with the last, under the file’s last name', () => {
		assert.deepEqual(combined(series([one.diff, text], [two.diff, one.after])), [
			'/b.c 10 wholeBefore > 11 wholeAfter',
		]);
	});

	test('have one side if a patch adds or deletes the file', () => {
		assert.deepEqual(combined(series([added, undefined], [one.diff, text])), ['/a.c - > 11 wholeAfter']);
		assert.deepEqual(combined(series([one.diff, text], [deleted, one.after])), ['/a.c 10 wholeBefore > -']);
	});

	test('are as certain as the least certain patch', () => {
		assert.deepEqual(combined(series([one.diff, `more\n${text}`], [two.diff, one.after])), [
			'/b.c 10 wholeBefore > 11 wholeAfter (applied to another version of the file)',
		]);
	});

	test('remain certain after a patch that only moves the file and has no ids', () => {
		const moved = 'diff --git a/a.c b/b.c\nsimilarity index 100%\nrename from a.c\nrename to b.c\n';
		const edited = editLine('b.c', one.after, 20, 'twenty');
		for (const patches of [
			series([one.diff, text], [moved, one.after], [edited.diff, one.after]),
			series([one.diff, text], [moved, one.after]),
		]) {
			assert.match(combined(patches)[0] ?? '', /^\/b\.c 10 wholeBefore > 1\d wholeAfter$/);
		}
	});

	test('appear one by one if the whole file is unknown, has no lines, or changes once', () => {
		assert.deepEqual(combined(series([one.diff, text], [two.diff, undefined])), [
			'/a.c 10 wholeBefore > 10 wholeAfter (1\u22152)',
			'/b.c 11 before > 11 after (2\u22152)',
		]);
		const found = { repository: undefined, file: () => verified };
		const both = series([binary, 'a'], [binary, 'b']).map((each) => ({ ...each, found }));
		assert.deepEqual(combined(both), [
			'/i.bin.txt 10 before > 10 after (1\u22152)',
			'/i.bin.txt 11 before > 11 after (2\u22152)',
		]);
		assert.deepEqual(combined(series([one.diff, text])), ['/a.c 10 wholeBefore > 10 wholeAfter (1\u22151)']);
	});
});

suite('whole pictures', () => {
	test('open as pictures, and other binary files in words', () => {
		const opened = (path: string): string | undefined => {
			const [placed] = series([binary.replaceAll('i.bin', path), undefined]);
			const opening = placed && fileOpening({ ...placed, found: { repository: undefined, file: () => verified } }, 0);
			return opening?.kind === 'sides'
				? `${opening.after.path} ${placeOfPatchUri(opening.after)?.view.kind}`
				: undefined;
		};
		assert.equal(opened('i.png'), '/i.png wholeAfter');
		assert.equal(opened('i.bin'), '/i.bin.txt after');
	});
});
