import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { blobId } from '../../src/patch/blobId.ts';
import { ownBefore } from '../../src/patch/ownBefore.ts';
import type { FileDiff } from '../../src/patch/fileDiff.ts';
import { parseDiff } from '../../src/patch/parseDiff.ts';
import { wholeFile, type WholeFile } from '../../src/patch/wholeFile.ts';
import { createRandom } from '../../../../test/support/random.ts';
import { counts, seed } from '../../../../test/support/counts.ts';
import type { MadeFile } from '../../../../test/support/madeTree.ts';
import { makeTrees } from '../../../../test/support/patchMaker.ts';
import { commitTrees, patchMails } from '../../../../test/support/patchMakerGit.ts';

function made(text: string, before?: string | Uint8Array): WholeFile {
	const [file] = parseDiff(text).files;
	assert.ok(file);
	return wholeFile({ text, file, before: typeof before === 'string' ? Buffer.from(before) : before });
}

function told(whole: WholeFile): string {
	switch (whole.kind) {
		case 'verified':
			return 'verified';
		case 'applied':
			return `applied ${whole.doubt} ${whole.offset} ${whole.fuzz}`;
		case 'hunksOnly':
			return `hunksOnly ${whole.reason}`;
	}
}

function after(whole: WholeFile): string | undefined {
	assert.notEqual(whole.kind, 'hunksOnly');
	return whole.kind === 'hunksOnly' || !whole.after ? undefined : Buffer.from(whole.after).toString('latin1');
}

const lines = Array.from({ length: 40 }, (_, at) => `line ${at + 1}\n`);
const old = lines.join('');
const changed = old.replace('line 20\n', 'line twenty\n');
const hunk = ['@@ -18,5 +18,5 @@', ' line 18', ' line 19', '-line 20', '+line twenty', ' line 21', ' line 22', ''].join(
	'\n',
);

function patch(oldId: string, newId: string, body = hunk): string {
	return `diff --git a/x b/x\nindex ${oldId}..${newId} 100644\n--- a/x\n+++ b/x\n${body}`;
}

const sound = patch(blobId(old).slice(0, 7), blobId(changed).slice(0, 7));

suite('whole files', () => {
	test('are verified if both ids match, abbreviated or full', () => {
		const whole = made(sound, old);
		assert.equal(told(whole), 'verified');
		assert.equal(after(whole), changed);
		assert.equal(told(made(patch(blobId(old), blobId(changed)), old)), 'verified');
		const long = patch(blobId(old, 'sha256'), blobId(changed, 'sha256'));
		assert.equal(told(made(long, old)), 'verified');
	});

	test('are applied with offset and fuzz if the content is another one', () => {
		assert.equal(told(made(sound, `one\ntwo\n${old}`)), 'applied otherBefore 2 0');
		assert.equal(told(made(sound, old.replace('line 18\n', 'other\n'))), 'applied otherBefore 0 1');
	});

	test('are not verified if the patch changed in transit', () => {
		assert.equal(told(made(sound.replace('+line twenty', '+line  twenty'), old)), 'applied otherAfter 0 0');
	});

	test('are not verified by missing or too short ids', () => {
		const short = patch(blobId(old).slice(0, 6), blobId(changed).slice(0, 6));
		assert.equal(told(made(short, old)), 'applied notStated 0 0');
		assert.equal(told(made(sound.replace(/^index .*\n/m, ''), old)), 'applied notStated 0 0');
	});

	test('fall back to hunks without content, or if the hunks do not match', () => {
		assert.equal(told(made(sound)), 'hunksOnly notFound');
		assert.equal(told(made(sound, 'something else\n')), 'hunksOnly noMatch');
	});

	test('fall back to hunks if the patch cannot apply to anything', () => {
		assert.equal(told(made(sound.replace('+line twenty\n', '+line\ntwenty\n'), old)), 'hunksOnly damaged');
		const submodule = `diff --git a/m b/m\nindex 1111111..2222222 160000\n--- a/m\n+++ b/m\n@@ -1 +1 @@\n-Subproject commit ${'1'.repeat(40)}\n+Subproject commit ${'2'.repeat(40)}\n`;
		assert.equal(told(made(submodule, 'x')), 'hunksOnly submodule');
		const binary = 'diff --git a/i b/i\nindex 1111111..2222222 100644\nBinary files a/i and b/i differ\n';
		assert.equal(told(made(binary, 'x')), 'hunksOnly notIncluded');
		const merge = 'diff --cc x\nindex 1111111,2222222..3333333\n--- a/x\n+++ b/x\n@@@ -1 -1 +1 @@@\n- a\n -b\n++c\n';
		assert.equal(told(made(merge, 'a\n')), 'hunksOnly merge');
	});

	test('fall back to hunks if the content is too large', () => {
		assert.equal(told(made(sound, `${old}${'x'.repeat(2 * 1024 * 1024)}`)), 'hunksOnly tooLarge');
	});

	test('need no content for new and deleted files and for a hunk that covers the whole file', () => {
		const fresh = `diff --git a/n b/n\nnew file mode 100644\nindex 0000000..${blobId('a\nb').slice(0, 7)}\n--- /dev/null\n+++ b/n\n@@ -0,0 +1,2 @@\n+a\n+b\n\\ No newline at end of file\n`;
		assert.equal(told(made(fresh)), 'verified');
		assert.equal(after(made(fresh)), 'a\nb');
		const gone = `diff --git a/n b/n\ndeleted file mode 100644\nindex ${blobId('a\nb\n').slice(0, 7)}..0000000\n--- a/n\n+++ /dev/null\n@@ -1,2 +0,0 @@\n-a\n-b\n`;
		const whole = made(gone);
		assert.equal(told(whole), 'verified');
		assert.equal(whole.kind === 'verified' && whole.after, undefined);
		const small = patch(blobId('a\nb\n'), blobId('a\nc\n'), '@@ -1,2 +1,2 @@\n a\n-b\n+c\n');
		assert.equal(told(made(small)), 'verified');
		assert.equal(told(made(small, 'other\n')), 'verified');
		const mark = '\\ No newline at end of file\n';
		const open = `@@ -1,2 +1,2 @@\n a\n-b\n${mark}+c\n${mark}`;
		assert.equal(after(made(patch(blobId('a\nb'), blobId('a\nc'), open))), 'a\nc');
		const empty = 'diff --git a/e b/e\nnew file mode 100644\nindex 0000000..e69de29\n';
		assert.equal(told(made(empty)), 'verified');
	});

	test('do not equal a single hunk if the id contradicts it', () => {
		const part = patch(blobId('a\nb\nc\n'), blobId('a\nc\nc\n'), '@@ -1,2 +1,2 @@\n a\n-b\n+c\n');
		assert.equal(told(made(part)), 'hunksOnly notFound');
		const two = '@@ -1,2 +1,2 @@\n-a\n+c\n b\n@@ -8,3 +8,3 @@\n x\n-y\n+Y\n z\n';
		assert.equal(told(made(patch(blobId('a\nb\n'), blobId('c\nb\n'), two))), 'hunksOnly notFound');
		const { files } = parseDiff(part);
		assert.deepEqual(ownBefore(part, files[0]!), { kind: 'wanted', path: 'x', id: blobId('a\nb\nc\n') });
	});

	test('keep CRLF even if a mail program removed the CRs of the hunks', () => {
		const [dosOld, dosNew] = [old, changed].map((text) => text.replaceAll('\n', '\r\n'));
		const text = patch(blobId(dosOld ?? ''), blobId(dosNew ?? ''));
		const kept = text.replaceAll(/^([ +-]line.*)$/gm, '$1\r');
		assert.equal(told(made(kept, dosOld)), 'verified');
		assert.equal(told(made(text, dosOld)), 'verified');
		assert.equal(after(made(text, dosOld)), dosNew);
		const fresh = `diff --git a/n b/n\nnew file mode 100644\nindex 0000000..${blobId('a\r\nb\r\n')}\n--- /dev/null\n+++ b/n\n@@ -0,0 +1,2 @@\n+a\n+b\n`;
		assert.equal(told(made(fresh)), 'verified');
	});

	test('keep CRLF without ids, but prefer the mail’s own line ends if both match', () => {
		const dosOld = old.replaceAll('\n', '\r\n');
		const unstated = made(sound.replace(/^index .*\n/m, ''), dosOld);
		assert.equal(told(unstated), 'applied notStated 0 0');
		assert.equal(after(unstated), changed.replaceAll('\n', '\r\n'));
		const fresh = `diff --git a/n b/n\nnew file mode 100644\nindex 0000000..${blobId('else')}\n--- /dev/null\n+++ b/n\n@@ -0,0 +1 @@\n+a\n`;
		assert.equal(told(made(fresh)), 'applied otherAfter 0 0');
		assert.equal(after(made(fresh)), 'a\n');
	});

	test('may be in a single-byte charset', () => {
		const [was, is] = ['Gr\xFC\xDFe\nb\n', 'Gr\xFC\xDFe\nc\n'].map((text) => Buffer.from(text, 'latin1'));
		const text = patch(blobId(was!), blobId(is!), '@@ -1,2 +1,2 @@\n Gr\xFC\xDFe\n-b\n+c\n');
		assert.equal(told(made(text, was)), 'verified');
		assert.equal(told(made(text)), 'verified');
		assert.equal(told(made(text.replace('+c', '+\u4E16'), was)), 'hunksOnly noMatch');
	});

	test('take binary content from the patch, unless it is bad or a deletion leaves bytes', () => {
		const literal = 'literal 4\nLcmYdfNJ<6(0<Qrl\n\n';
		const binary = (to: string, data: string, mode = ''): string =>
			`diff --git a/i b/i\n${mode}index ${blobId('x')}..${to}${mode === '' ? ' 100644' : ''}\nGIT binary patch\n${data}`;
		const text = binary(blobId('a\0bc'), literal);
		assert.equal(told(made(text, 'x')), 'verified');
		assert.equal(told(made(text, 'y')), 'applied otherBefore 0 0');
		assert.equal(told(made(text.replace('literal 4', 'literal 5'), 'x')), 'hunksOnly badData');
		const gone = 'deleted file mode 100644\n';
		assert.equal(told(made(binary('0'.repeat(40), literal, gone), 'x')), 'hunksOnly leavesText');
		assert.equal(told(made(binary('0'.repeat(40), 'literal 0\nHcmV?d00001\n\n', gone), 'x')), 'verified');
		// The literal of the other direction is the old content if the id agrees.
		const both = (data: string): string =>
			binary(blobId('a\0bc'), `${literal}${data}`).replace(blobId('x'), blobId('a\0bc'));
		assert.equal(told(made(both(literal))), 'verified');
		assert.equal(told(made(both('literal 3\nKcmYdfNCE%>hycU@\n\n'))), 'hunksOnly notFound');
	});

	test('fall back to hunks for oversized diffs, and need no content for an empty deleted file', () => {
		const line = `+${'x'.repeat(2 * 1024 * 1024)}\n`;
		assert.equal(told(made(patch('1111111', '2222222', `@@ -1 +1,2 @@\n a\n${line}`), 'a\n')), 'hunksOnly tooLarge');
		const empty = `diff --git a/e b/e\ndeleted file mode 100644\nindex ${blobId('')}..0000000\n`;
		assert.equal(told(made(empty)), 'verified');
	});

	test('stay the same if they only move or change mode', () => {
		const moved = 'diff --git a/x b/y\nsimilarity index 100%\nrename from x\nrename to y\n';
		assert.equal(told(made(moved, old)), 'applied notStated 0 0');
		assert.equal(after(made(moved, old)), old);
		const mode = 'diff --git a/x b/x\nold mode 100644\nnew mode 100755\n';
		assert.equal(after(made(mode, old)), old);
		assert.equal(told(made(mode)), 'hunksOnly notFound');
	});
});

/** The file before and after; `undefined` if it does not exist. */
interface MadeSides {
	readonly before: MadeFile | undefined;
	readonly after: MadeFile | undefined;
}

/** The kind of a whole file, after a check that its contents are those of the commits. */
function checkedKind(text: string, file: FileDiff, { before, after: result }: MadeSides): string {
	const whole = wholeFile({ text, file, before: before?.content });
	if (whole.kind !== 'hunksOnly') {
		assert.equal(whole.before === undefined, before === undefined);
		assert.ok(Buffer.from(whole.before ?? '').equals(before?.content ?? Buffer.alloc(0)));
		assert.ok(Buffer.from(whole.after ?? '').equals(result?.content ?? Buffer.alloc(0)));
	}
	const isSubmodule = [before, result].some((one) => one?.mode === '160000');
	// A mere move has no ids, nothing that could differ, and no mode that reveals a submodule.
	const stated = isSubmodule ? 'hunksOnly submodule' : 'verified';
	const expected = file.newId ? stated : 'applied notStated 0 0';
	assert.equal(told(whole), expected, text.slice(file.start, file.end));
	return told(whole);
}

suite('whole files of patches by git', function () {
	this.timeout(600_000);
	const folder = mkdtempSync(join(tmpdir(), 'forge-desk-whole-'));
	suiteTeardown(() => rmSync(folder, { recursive: true, force: true }));

	test('are all verified with the exact bytes of the commits', () => {
		const patches = counts({ small: 60, full: 1000 });
		const trees = makeTrees(patches, createRandom(seed() + 7));
		commitTrees(folder, trees);
		const kinds = patchMails(folder, 0, patches, ['-M', '-C', '--abbrev=7']).flatMap((mail, at) => {
			const text = mail.toString('latin1');
			return parseDiff(text).files.map((file) =>
				checkedKind(text, file, {
					before: trees[at]?.get(file.oldPath ?? ''),
					after: trees[at + 1]?.get(file.newPath ?? ''),
				}),
			);
		});
		assert.ok(kinds.filter((kind) => kind === 'verified').length > patches, String(kinds.length));
	});
});
