import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { blobId } from '../../src/patch/blobId.ts';
import { parseDiff } from '../../src/patch/parseDiff.ts';
import type { FileThere, FileVerdict } from '../../src/patch/tryFile.ts';
import { trySeries, type PatchVerdict } from '../../src/patch/trySeries.ts';
import { createRandom } from '../../../../test/support/random.ts';
import { root } from '../../../../test/harness/places.ts';
import { counts, seed } from '../../../../test/support/counts.ts';
import { gitEnvironment, gitIn } from '../../../../test/support/patchMakerGit.ts';
import { filesNamed } from '../../../../test/support/storedObjects.ts';

const never = new AbortController().signal;

async function tried(
	patches: readonly string[],
	read: (path: string) => FileThere,
	isCommitted: (at: number) => boolean = () => false,
): Promise<readonly PatchVerdict[]> {
	const { verdicts } = await trySeries(
		{
			patches: patches.map((diffText) => ({ diff: parseDiff(diffText), diffText })),
			read: async (path) => read(path),
			isCommitted,
			turn: async () => undefined,
		},
		never,
	);
	return verdicts;
}

function tree(files: Readonly<Record<string, string>>): (path: string) => FileThere {
	return (path) => {
		const content = files[path];
		return content === undefined
			? { kind: 'missing' }
			: { kind: 'file', content: Buffer.from(content), mode: '100644' };
	};
}

/** A diff of these lines at line `start` of a file. */
function patch(path: string, start: number, lines: readonly string[]): string {
	const [old, fresh] = ['+', '-'].map((sign) => lines.filter((line) => !line.startsWith(sign)).length);
	return [
		`diff --git a/${path} b/${path}`,
		`--- a/${path}`,
		`+++ b/${path}`,
		`@@ -${start},${old} +${start},${fresh} @@`,
		...lines,
		'',
	].join('\n');
}

const exactly: FileVerdict = { kind: 'applies', isExact: true, offset: 0, fuzz: 0 };
const numbers = Array.from({ length: 20 }, (_, at) => `${at + 1}\n`).join('');
const three = patch('a', 2, [' 2', '-3', '+three', ' 4', ' 5']);

async function one(text: string, files: Readonly<Record<string, string>>): Promise<FileVerdict | undefined> {
	return (await tried([text], tree(files)))[0]?.files[0];
}

function patchesOf(range: string): readonly string[] {
	const args = ['--reverse', '--first-parent', '-m', '-p', '--binary', '--full-index', '--format=%x00'];
	return gitIn(root, ['log', ...args, range])
		.toString('latin1')
		.split('\0\n')
		.slice(1);
}

/** The files of the patches in a commit of this project. */
function filesAt(commit: string, patches: readonly string[]): (path: string) => FileThere {
	const named = patches.flatMap((diff) => parseDiff(diff).files.flatMap(({ oldPath, newPath }) => [oldPath, newPath]));
	const known = new Set(named.filter((path) => path !== undefined));
	const contents = filesNamed(
		root,
		Array.from(known, (path) => `${commit}:${path}`),
	);
	return (path) => {
		assert.ok(known.has(path), path);
		const content = contents.get(`${commit}:${path}`);
		return content ? { kind: 'file', content } : { kind: 'missing' };
	};
}

suite('series check against a commit', function () {
	this.timeout(600_000);

	test('reports exact, moved and fuzzy matches, and conflicts with hunk and reason', async () => {
		assert.deepEqual(await one(three, { a: numbers }), exactly);
		assert.deepEqual(await one(three, { a: `0\n0\n${numbers}` }), { ...exactly, isExact: false, offset: 2 });
		assert.deepEqual(await one(three, { a: numbers.replace('5\n', 'five\n') }), {
			...exactly,
			isExact: false,
			fuzz: 1,
		});
		const both = `${three}@@ -10,3 +10,3 @@\n 10\n-eleven\n+11\n 12\n`;
		assert.deepEqual(await one(both, { a: numbers }), { kind: 'conflict', reason: 'noMatch', hunk: 1 });
		assert.deepEqual(await one(three, {}), { kind: 'conflict', reason: 'missing', hunk: undefined });
		const fresh = 'diff --git a/n b/n\nnew file mode 100644\n--- /dev/null\n+++ b/n\n@@ -0,0 +1 @@\n+new\n';
		assert.deepEqual(await one(fresh, {}), exactly);
		assert.deepEqual(await one(fresh, { n: 'old\n' }), { kind: 'conflict', reason: 'exists', hunk: undefined });
		const verdicts = await tried([three], () => ({ kind: 'notFile' }));
		assert.deepEqual(verdicts[0]?.files, [{ kind: 'conflict', reason: 'notFile', hunk: undefined }]);
	});

	test('recognizes applied patches by ids, lines, new, deleted or moved files, and by a commit', async () => {
		const applied: FileVerdict = { kind: 'alreadyApplied' };
		const after = numbers.replace('3\n', 'three\n');
		assert.deepEqual(await one(three, { a: after }), applied);
		assert.deepEqual(await one(three, { a: `0\n${after}more\n` }), applied);
		// Without this check, the line would be inserted again with fuzz.
		const added = patch('a', 3, [' 3', '+half', ' 4']);
		assert.deepEqual(await one(added, { a: numbers.replace('4\n', 'half\n4\n') }), applied);
		const index = `index ${blobId(numbers)}..${blobId('else\n')}`;
		assert.deepEqual(await one(three.replace('---', `${index}\n---`), { a: 'else\n' }), applied);
		const fresh = 'diff --git a/n b/n\nnew file mode 100644\n--- /dev/null\n+++ b/n\n@@ -0,0 +1 @@\n+new\n';
		assert.deepEqual(await one(fresh, { n: 'new\n' }), applied);
		const gone = 'diff --git a/n b/n\ndeleted file mode 100644\n--- a/n\n+++ /dev/null\n@@ -1 +0,0 @@\n-new\n';
		assert.deepEqual(await one(gone, {}), applied);
		const moved = 'diff --git a/n b/m\nsimilarity index 100%\nrename from n\nrename to m\n';
		assert.deepEqual(await one(moved, { m: 'new\n' }), applied);
		assert.deepEqual(await one(moved, { n: 'new\n' }), exactly);
		const [known] = await tried([three], tree({}), () => true);
		assert.deepEqual(known, { kind: 'alreadyApplied', files: [] });
		// One of two equal patches may be applied.
		const twice = await tried([three, three], tree({ a: numbers }), (at) => at === 1);
		assert.deepEqual(
			twice.map(({ kind }) => kind),
			['applies', 'alreadyApplied'],
		);
	});

	test('does not treat a copy as applied if its target is missing, or a file moved to itself', async () => {
		const copy = `diff --git a/a b/n\ncopy from a\ncopy to n\n${three.slice(three.indexOf('---')).replace('b/a', 'b/n')}`;
		const done = numbers.replace('3\n', 'three\n');
		assert.deepEqual(await one(copy, { a: done }), { kind: 'conflict', reason: 'noMatch', hunk: 0 });
		const half = 'diff --git a/a b/n\nsimilarity index 100%\nrename from a\n';
		assert.equal((await one(half, { a: numbers }))?.kind, 'conflict');
	});

	test('sets a mode that is stated twice, and refuses modes without a type and empty links', async () => {
		const modes = (old: string, fresh: string): string =>
			three.replace('--- ', `old mode ${old}\nnew mode ${fresh}\n--- `);
		const after = async (diffText: string): Promise<unknown> => {
			const read = tree({ a: numbers });
			const patches = [{ diff: parseDiff(diffText), diffText }];
			const parts = { patches, read: async (path: string) => read(path), isCommitted: () => false };
			const { verdicts, after: files } = await trySeries({ ...parts, turn: async () => undefined }, never);
			const there = files.get(patches[0]?.diff.files[0]?.newPath ?? '');
			return verdicts[0]?.kind === 'conflicts' ? 'refused' : there?.kind === 'file' ? there.mode : there?.kind;
		};
		assert.equal(await after(modes('100755', '100755')), '100755');
		assert.equal(await after(modes('644', '100755')), 'refused');
		assert.equal(await after(modes('100644', '755')), 'refused');
		assert.equal(await after(three.replace('--- ', 'index 1111111..2222222 644\n--- ')), 'refused');
		assert.equal(await after('diff --git a/n b/n\nnew file mode 755\n'), '100755');
		assert.equal(await after('diff --git a/n b/n\nnew file mode 120000\n'), 'refused');
	});

	test('tries each patch on the result of the earlier ones, and none after a conflict in its file', async () => {
		const next = patch('a', 2, [' 2', '-three', '+III', ' 4']);
		const moved = 'diff --git a/a b/b\nsimilarity index 100%\nrename from a\nrename to b\n';
		const last = patch('b', 2, [' 2', '-III', '+3', ' 4']);
		const kinds = async (files: Readonly<Record<string, string>>): Promise<readonly string[]> =>
			(await tried([three, next, moved, last], tree(files))).map(({ kind, files: [file] }) =>
				file?.kind === 'conflict' ? `${kind}: ${file.reason}` : kind,
			);
		assert.deepEqual(await kinds({ a: numbers }), ['applies', 'applies', 'applies', 'applies']);
		assert.deepEqual(await kinds({ a: 'other\n' }), [
			'conflicts: noMatch',
			'conflicts: afterConflict',
			'conflicts: afterConflict',
			'conflicts: afterConflict',
		]);
	});

	test('refuses a file above or below a file from an earlier patch until a patch deletes that', async () => {
		const added = (path: string): string =>
			`diff --git a/${path} b/${path}\nnew file mode 100644\n--- /dev/null\n+++ b/${path}\n@@ -0,0 +1 @@\n+new\n`;
		const deleted = (path: string): string =>
			`diff --git a/${path} b/${path}\ndeleted file mode 100644\n--- a/${path}\n+++ /dev/null\n@@ -1 +0,0 @@\n-new\n`;
		const kinds = async (...patches: readonly string[]): Promise<readonly string[]> =>
			(await tried(patches, tree({}))).map(({ kind, files }) => {
				const last = files.at(-1);
				return last?.kind === 'conflict' ? last.reason : kind;
			});
		assert.deepEqual(await kinds(added('n'), added('n/x')), ['applies', 'notFile']);
		assert.deepEqual(await kinds(added('n/x/y'), added('n')), ['applies', 'notFile']);
		assert.deepEqual(await kinds(added('n') + added('n/x')), ['notFile']);
		assert.deepEqual(await kinds(added('n'), deleted('n') + added('n/x'), added('nx')), [
			'applies',
			'applies',
			'applies',
		]);
		assert.deepEqual(await kinds(added('n/x'), added('n') + deleted('n/x')), ['applies', 'applies']);
		const deep = 'a/'.repeat(100_000);
		assert.deepEqual(await kinds(added(`${deep}x`), added(`${deep}x/y`)), ['applies', 'applies']);
	});

	test('rejects on a failed read and on abort', async () => {
		const parts = { patches: [{ diff: parseDiff(three), diffText: three }], isCommitted: () => false };
		const failing = { ...parts, read: () => Promise.reject(new Error('away')), turn: async () => undefined };
		await assert.rejects(trySeries(failing, never), /away/);
		const given = new AbortController();
		given.abort();
		const turn = async (signal: AbortSignal): Promise<void> => signal.throwIfAborted();
		await assert.rejects(trySeries({ ...parts, read: async (path) => tree({ a: numbers })(path), turn }, given.signal));
	});

	test('agrees with git apply for parts of this project’s history on earlier and later commits', async () => {
		const folder = mkdtempSync(join(tmpdir(), 'try-series-'));
		const random = createRandom(seed());
		const ids = gitIn(root, ['rev-list', '--first-parent', '--reverse', 'HEAD']).toString().trim().split('\n');
		const seen = { applies: 0, conflicts: 0, alreadyApplied: 0, empty: 0 };
		const rounds = counts({ small: 4, full: 100 });
		const isEnough = (): boolean => seen.applies > 3 && seen.conflicts > 1 && seen.alreadyApplied > 1;
		// The selected parts change with every commit of this project.
		for (let round = 0; round < rounds || (!isEnough() && round < 10 * rounds); round += 1) {
			const start = random.below(ids.length - 12);
			const [base = '', tip = ''] = [ids[start], ids[start + 1 + random.below(3)]];
			const at = ids[Math.max(0, Math.min(ids.length - 1, start + [0, -3, -15, 4, 12][round % 5]!))] ?? '';
			const patches = patchesOf(`${base}..${tip}`);
			const verdicts = await tried(patches, filesAt(at, patches));
			const env = { ...gitEnvironment(root), GIT_INDEX_FILE: join(folder, 'index') };
			spawnSync('git', ['read-tree', at], { cwd: root, env });
			const args = ['apply', '--cached', '--whitespace=nowarn'];
			let isFine = true;
			for (const [index, { kind, files }] of verdicts.entries()) {
				seen[kind] += 1;
				if (isFine && kind !== 'empty') {
					isFine =
						spawnSync('git', args, { cwd: root, env, input: Buffer.from(patches[index] ?? '', 'latin1') }).status === 0;
					const isClean = files.every((file) => file.kind === 'applies' && file.fuzz === 0);
					assert.equal(isFine, isClean, `${at} ${base}..${tip} ${index}: ${JSON.stringify(files)}`);
				}
			}
		}
		rmSync(folder, { recursive: true });
		assert.ok(isEnough(), JSON.stringify(seen));
		console.log(`      ${JSON.stringify(seen)}`);
	});

	const conflict = (reason: string): unknown => ({ kind: 'conflict', reason, hunk: undefined });

	test('refuses merges, oversized files, submodules without an id, and characters beyond one byte', async () => {
		const merge = 'diff --cc a\nindex 1,2..3\n@@@ -1 -1 +1 @@@\n- a\n -b\n++c\n';
		assert.deepEqual(await one(merge, { a: 'a\n' }), conflict('merge'));
		assert.deepEqual(await one(three, { a: `${numbers}${'x'.repeat(2 * 1024 * 1024)}` }), conflict('tooLarge'));
		const module = `diff --git a/m b/m\nnew file mode 160000\n--- /dev/null\n+++ b/m\n@@ -0,0 +1 @@\n+odd\n`;
		assert.deepEqual(await one(module, {}), conflict('badData'));
		assert.deepEqual(await one(three.replace('+three', '+\u4E09'), { a: numbers }), conflict('noMatch'));
	});

	test('matches a diff with CRLF to lines with and without CR', async () => {
		const dos = three.replaceAll('\n', '\r\n');
		assert.deepEqual(await one(dos, { a: numbers.replaceAll('\n', '\r\n') }), exactly);
		assert.deepEqual(await one(dos, { a: numbers }), exactly);
		const after = (from: string, to: string): string => numbers.replace(from, to).replaceAll('\n', '\r\n');
		assert.deepEqual(await one(dos, { a: after('5\n', 'five\n') }), { ...exactly, isExact: false, fuzz: 1 });
		assert.deepEqual(await one(dos, { a: after('3\n', 'three\n') }), { kind: 'alreadyApplied' });
	});

	test('treats a file of unknown mode as a regular one', async () => {
		const fresh = (mode: string): string =>
			`diff --git a/n b/n\nnew file mode ${mode}\n--- /dev/null\n+++ b/n\n@@ -0,0 +1 @@\n+new\n`;
		const read = (): FileThere => ({ kind: 'file', content: Buffer.from('new\n') });
		const found = async (mode: string): Promise<unknown> => (await tried([fresh(mode)], read))[0]?.files[0];
		assert.deepEqual(await found('100755'), { kind: 'alreadyApplied' });
		assert.deepEqual(await found('120000'), conflict('exists'));
	});

	test('does not call a patch applied whose lines exist and whose mode does not', async () => {
		const text = patch('a', 1, ['-1']).replace('--- a/a', 'old mode 100644\nnew mode 100755\n--- a/a');
		const found = async (mode: string) => {
			const file = { kind: 'file', content: new Uint8Array(), mode } as const;
			return (await tried([text], () => file))[0]?.files[0]?.kind;
		};
		assert.deepEqual(await found('100755'), 'alreadyApplied');
		assert.deepEqual(await found('100644'), 'conflict');
	});

	test('changes binary files only between the stated contents, and deletes them by the null id', async () => {
		const [old, fresh, none] = [blobId('0\0'), blobId('a\0bc'), '0'.repeat(40)];
		const binary = (from: string, to: string, data: string, mode = ''): string =>
			`diff --git a/i b/i\n${mode}index ${from}..${to}${mode === '' ? ' 100644' : ''}\nGIT binary patch\n${data}\n\n`;
		const literal = 'literal 4\nLcmYdfNJ<6(0<Qrl';
		const files = { i: '0\0' };
		assert.deepEqual(await one(binary(old, fresh, literal), files), exactly);
		assert.deepEqual(await one(binary(old, fresh, literal), { i: 'other' }), conflict('noMatch'));
		assert.deepEqual(await one(binary(old, blobId('else'), literal), files), conflict('badData'));
		// Git decodes both sides before it looks for the file, and ignores the rest of the text.
		const corrupt = { kind: 'conflict', reason: 'damaged', hunk: undefined, damage: 'badBinary' };
		const longer = literal.replace('literal 4', 'literal 5');
		assert.deepEqual(await one(binary(old, fresh, longer), files), corrupt);
		assert.deepEqual(await one(binary(old, fresh, longer), { i: 'other' }), corrupt);
		assert.deepEqual(await one(binary(old, fresh, `${literal}\n\n${longer}`), files), corrupt);
		const gone = 'deleted file mode 100644\n';
		assert.deepEqual(await one(binary(old, none, 'literal 0\nHcmV?d00001', gone), files), exactly);
		// Git refuses a deletion whose data leave text, even with the right id.
		assert.deepEqual(await one(binary(old, fresh, literal, gone), files), conflict('leavesText'));
		const notice = `diff --git a/i b/i\n${gone}index ${old.slice(0, 9)}..${blobId('a').slice(0, 9)}\nBinary files a/i and /dev/null differ\n`;
		assert.deepEqual(await one(notice, files), conflict('notIncluded'));
	});

	test('places a file where only files of the same patch are in the way and leave', async () => {
		const added = 'diff --git a/n b/n\nnew file mode 100644\n--- /dev/null\n+++ b/n\n@@ -0,0 +1 @@\n+new\n';
		const gone = 'diff --git a/n/x b/n/x\ndeleted file mode 100644\n--- a/n/x\n+++ /dev/null\n@@ -1 +0,0 @@\n-old\n';
		const read = (path: string): FileThere =>
			path === 'n' ? { kind: 'notFile', inTheWay: ['n/x'] } : tree({ 'n/x': 'old\n' })(path);
		const kinds = async (text: string): Promise<readonly string[]> =>
			(await tried([text], read)).flatMap(({ files }) => files.map(({ kind }) => kind));
		assert.deepEqual(await kinds(added), ['conflict']);
		assert.deepEqual(await kinds(gone + added), ['applies', 'applies']);
	});

	test('binary files of a small mail unpack to so many bytes together, and no more', async () => {
		const folder = mkdtempSync(join(tmpdir(), 'unpacked-'));
		writeFileSync(join(folder, 'zeros'), Buffer.alloc(8 * 1024 * 1024));
		const how = ['diff', '--no-index', '--binary', '--full-index', '/dev/null', 'zeros'];
		const made = spawnSync('git', how, { cwd: folder, env: gitEnvironment(folder), encoding: 'latin1' }).stdout;
		rmSync(folder, { recursive: true });
		const patches = Array.from({ length: 10 }, (_, at) => made.replaceAll('zeros', `zeros${at}`));
		assert.ok(patches.join('').length < 800_000, String(made.length));
		const verdicts = await tried([patches.slice(0, 5).join(''), patches.slice(5).join('')], tree({}));
		const kinds = verdicts.flatMap(({ files }) => files.map((file) => ('reason' in file ? file.reason : file.kind)));
		assert.deepEqual(kinds, [...Array.from({ length: 8 }, () => 'applies'), 'tooLarge', 'tooLarge']);
	});
});
