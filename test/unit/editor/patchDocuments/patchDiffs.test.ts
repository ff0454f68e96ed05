import '../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { PatchMail } from 'patchmail/series/seriesReading.ts';
import { makePatchMail } from '../../../support/patchMails.ts';

const { comparedFiles, fileOpening } = await import('../../../../src/editor/patchDocuments/patchDiffs.ts');
const { sideTexts, asItCame } = await import('../../../../src/editor/patchDocuments/patchFiles.ts');

const place = { connectionKey: 'sample-alice', list: { owner: '~alice', name: 'devel' }, patchsetId: 3, mailId: 12 };

function placed(body: string, number = '2/4'): Parameters<typeof comparedFiles>[0] {
	return { ...place, patch: makePatchMail(body), number };
}

function titleOf(body: string): string | undefined {
	const opening = fileOpening(placed(body), 0);
	return opening?.title;
}

function sidesOf(patch: PatchMail): { readonly before: string; readonly after: string } {
	const [file] = patch.diff.files;
	assert.ok(file);
	const { before, after } = sideTexts(patch, file);
	return { before: before.text, after: after.text };
}

const hunk = '@@ -5,3 +5,3 @@\n five\n-six\n+SIX\n seven\n';
const plain = `diff --git a/src/a.c b/src/a.c\nindex 1..2 100644\n--- a/src/a.c\n+++ b/src/a.c\n${hunk}`;
const renamed = `diff --git a/a.c b/b.c\nsimilarity index 90%\nrename from a.c\nrename to b.c\n--- a/a.c\n+++ b/b.c\n${hunk}`;
const mode = 'diff --git a/run b/run\nold mode 100644\nnew mode 100755\n';
const added =
	'diff --git a/n.c b/n.c\nnew file mode 100644\nindex 0000000..2\n--- /dev/null\n+++ b/n.c\n@@ -0,0 +1 @@\n+x\n';
const differs = 'diff --git a/p.png b/p.png\nindex 1..2 100644\nBinary files a/p.png and b/p.png differ\n';
const combined = 'diff --cc m.c\nindex 1,2..3\n--- a/m.c\n+++ b/m.c\n@@@ -1,1 -1,1 +1,2 @@@\n  x\n++y\n';
const damaged = 'diff --git a/d.c b/d.c\n--- a/d.c\n+++ b/d.c\n@@ -1,9 +1,9 @@\n only\n';

suite('files of a patch', () => {
	test('open side by side under their own names, and the title has the rest', () => {
		const opening = fileOpening(placed(plain), 0);
		assert.ok(opening?.kind === 'sides');
		assert.deepEqual([opening.before.path, opening.after.path], ['/src/a.c', '/src/a.c']);
		assert.notEqual(opening.before.query, opening.after.query);
		assert.equal(opening.title, 'a.c (2/4)');
		assert.match(opening.after.query, /only what the patch shows/, 'for the tooltip of the tab');
		assert.equal(titleOf(renamed), 'a.c → b.c (2/4)');
		assert.equal(titleOf(mode), 'run (2/4, ordinary file (100644) becomes executable file (100755))');
		assert.equal(titleOf(added), 'n.c (2/4, added)');
	});

	test('lines open as text, whether the file name is a picture, sound or film', () => {
		const afterOf = (name: string): string | undefined => {
			const opening = fileOpening(placed(plain.replaceAll('a.c', name)), 0);
			return opening?.kind === 'sides' ? opening.after.path : undefined;
		};
		const names = ['lamp.PNG', 'song.mp3', 'film.mp4', 'lamp.svg'];
		assert.deepEqual(names.map(afterOf), [
			'/src/lamp.PNG.txt',
			'/src/song.mp3.txt',
			'/src/film.mp4.txt',
			'/src/lamp.svg.xml',
		]);
		const [many] = comparedFiles(placed(plain.replaceAll('a.c', 'lamp.png')));
		assert.equal(many?.[2]?.path, '/src/lamp.png.txt');
	});

	test('text in words never opens as a picture, nor a notebook as a notebook', () => {
		const opening = fileOpening(placed(differs), 0);
		assert.ok(opening?.kind === 'sides');
		assert.equal(opening.after.path, '/p.png.txt');
		const notebook = fileOpening(placed(plain.replaceAll('a.c', 'a.ipynb')), 0);
		assert.ok(notebook?.kind === 'sides');
		assert.equal(notebook.after.path, '/src/a.ipynb.json');
	});

	test('merges and damaged files open raw, with a prefix and the reason above', () => {
		const opening = fileOpening(placed(damaged), 0);
		assert.ok(opening?.kind === 'document');
		assert.equal(opening.uri.path, '/damaged d.c.patch');
		const patch = makePatchMail(damaged);
		const { text, lines } = asItCame(patch.diffText, patch.diff.files[0]!);
		assert.match(text, /^This patch is damaged\. Line \d+ of the text: .*d\.c/);
		assert.ok(text.includes('@@ -1,9 +1,9 @@\n only\n'));
		assert.deepEqual(
			lines.map(({ line, start, end }) => [text.split('\n')[line], patch.diffText.slice(start, end)]),
			[[' only', ' only']],
		);
		const merged = fileOpening(placed(combined), 0);
		assert.ok(merged?.kind === 'document');
		assert.equal(merged.uri.path, '/merged m.c.patch');
	});

	test('several files open together, each in its own folder with the name of its patch', () => {
		const [first, second] = comparedFiles(placed(`${plain}${damaged}`));
		assert.deepEqual(
			first?.map((uri) => uri?.path),
			['/src/a.c', '/src/a.c', '/src/a.c'],
		);
		assert.deepEqual(
			second?.map((uri) => uri?.path),
			['/damaged d.c.patch', undefined, '/damaged d.c.patch'],
		);
		// The editor names a file by the sides that it compares.
		for (const uri of [...(first ?? []), ...(second ?? [])]) {
			assert.match(uri?.query ?? '"in":" (2\u22154)"', /"in":" \(2\u22154\)"/);
		}
		assert.doesNotMatch(comparedFiles(placed(plain, ''))[0]?.[0].query ?? '', /"in"/);
	});

	test('an added or deleted file opens as one side, and the title says so', () => {
		const deleted =
			'diff --git a/o.c b/o.c\ndeleted file mode 100644\nindex 2..0000000\n--- a/o.c\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n';
		const openings = [added, deleted].map((body) => fileOpening(placed(body), 0));
		assert.deepEqual(
			openings.map((each) => (each?.kind === 'document' ? [each.uri.path, each.title] : each?.kind)),
			[
				['/n.c', 'n.c (2/4, added)'],
				['/o.c', 'o.c (2/4, deleted)'],
			],
		);
		const files = [added, deleted].map((body) => makePatchMail(body));
		assert.deepEqual(
			files.map((patch, at) => sideTexts(patch, patch.diff.files[0]!)[at === 0 ? 'after' : 'before'].text),
			['x\n', 'x\n'],
		);
		assert.deepEqual(files.map(sidesOf), [
			{ before: '', after: 'x\n' },
			{ before: 'x\n', after: '' },
		]);
		const open = `${added}\\ No newline at end of file\n`;
		assert.deepEqual(sidesOf(makePatchMail(open)), { before: '', after: 'x' });
		assert.equal(fileOpening(placed(open), 0)?.title, 'n.c (2/4, added, no line break at the end)');
		assert.match(comparedFiles(placed(open))[0]?.[0].query ?? '', /no line break at the end/);
		assert.deepEqual(
			comparedFiles(placed(`${added}${deleted}`)).map((uris) => uris.map((uri) => uri?.path)),
			[
				['/n.c', undefined, '/n.c'],
				['/o.c', '/o.c', undefined],
			],
		);
	});

	test('a file that the patch does not have does not open', () => {
		assert.equal(fileOpening(placed(plain), 1), undefined);
	});
});

suite('sides of a file', () => {
	test('have a label for all missing lines, equal on both sides', () => {
		const { before, after } = sidesOf(makePatchMail(plain));
		const gap = '⋯\n⋯\n⋯\n⋯ 4 lines that the patch does not show ⋯';
		const rest = '⋯ only what the patch shows: the rest of the file is not in it ⋯';
		assert.equal(before, `${gap}\nfive\nsix\nseven\n${rest}\n`);
		assert.equal(after, `${gap}\nfive\nSIX\nseven\n${rest}\n`);
	});

	test('show path, mode and content in words without lines', () => {
		assert.deepEqual(sidesOf(makePatchMail(mode)), {
			before: 'Path: run\nMode: 100644, ordinary file\nContent: the same before and after\n',
			after: 'Path: run\nMode: 100755, executable file\nContent: the same before and after\n',
		});
		assert.match(sidesOf(makePatchMail(differs)).after, /Content: binary; the patch only states that it differs/);
	});

	test('binary patches by git, literal or delta, have the sizes of the files, and whole pictures', () => {
		const folder = mkdtempSync(join(tmpdir(), 'binary-'));
		const git = (...args: string[]): string => execFileSync('git', args, { cwd: folder, encoding: 'utf8' });
		try {
			git('init', '--quiet');
			const bytes = Buffer.from(Array.from({ length: 5000 }, (_, at) => (at * at * 7) % 251));
			writeFileSync(join(folder, 'p.png'), bytes);
			git('add', '.');
			git('-c', 'user.name=a', '-c', 'user.email=a@b.c', 'commit', '--quiet', '-m', 'one');
			writeFileSync(join(folder, 'p.png'), Buffer.concat([bytes, Buffer.from('more')]));
			const delta = makePatchMail(git('diff', '--binary'));
			assert.match(sidesOf(delta).after, /binary; the patch contains [\d,]+ bytes of changes|binary, 5,004 bytes/);
			writeFileSync(join(folder, 'p.png'), Buffer.from([1, 0, 2]));
			const literal = placed(git('diff', '--binary'), '');
			assert.match(sidesOf(literal.patch).before, /binary, 5,000 bytes/);
			assert.match(sidesOf(literal.patch).after, /binary, 3 bytes/);
			const opening = fileOpening(literal, 0);
			assert.ok(opening?.kind === 'sides');
			assert.equal(opening.after.path, '/p.png');
			assert.match(opening.after.query, /"show":"pictureAfter"/);
			// A patch without its reverse part has one side only, and nothing to compare it with.
			const oneSide = placed(literal.patch.diffText.replace(/(?<=\nliteral 3\n.*\n\n)[^]*/, ''), '');
			assert.match(sidesOf(oneSide.patch).after, /binary, 3 bytes/);
			const inWords = fileOpening(oneSide, 0);
			assert.equal(inWords?.kind === 'sides' && inWords.after.path, '/p.png.txt');
		} finally {
			rmSync(folder, { recursive: true });
		}
	});
});
