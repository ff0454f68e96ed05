import assert from 'node:assert/strict';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { withConflictMarkers } from '../src/conflicts.ts';
import { filesAtCommit } from '../src/filesAtCommit.ts';
import { GitFailure } from '../src/gitFailure.ts';
import { testMachine, type TestMachine } from '../../../test/support/localMachine.ts';

const never = new AbortController().signal;
const marked = 'a\n<<<<<<< HEAD\nb\n=======\nc\n>>>>>>> Change\n';

suite('files of a clone', () => {
	let machine: TestMachine;
	let root: string;
	setup(() => {
		machine = testMachine();
		root = join(machine.folder, 'clone');
		mkdirSync(join(root, 'sub'), { recursive: true });
		machine.plain(root, 'init', '-q', '-b', 'main');
	});
	teardown(() => machine.remove());

	test('at a commit show links, submodules and blocking paths as committed and ignore the working tree', async () => {
		writeFileSync(join(root, 'sub/a'), 'committed\n');
		symlinkSync('/etc/passwd', join(root, 'link'));
		machine.plain(root, 'add', '-A');
		machine.plain(root, 'update-index', '--add', '--cacheinfo', `160000,${'a'.repeat(40)},module`);
		machine.plain(root, 'commit', '-q', '-m', 'One');
		const commit = machine.plain(root, 'rev-parse', 'HEAD').trim();
		writeFileSync(join(root, 'sub/a'), 'not committed\n');
		const [there, missing] = [
			['sub/a', 'link', 'module'],
			['../outside', 'gone', 'sub/gone', 'su', 'sub/ab'],
		];
		const inTheWay = ['sub', 'module/x', 'link/x', 'sub/a/b/c'];
		const paths = [...there, ...missing, ...inTheWay, `${'sub/'.repeat(100_000)}x`];
		const read = await filesAtCommit(machine.git, root, { commit, paths }, never);
		const told = paths.map((path) => {
			const found = read(path);
			return found.kind === 'file' ? [Buffer.from(found.content).toString(), found.mode] : found.kind;
		});
		assert.deepEqual(told, [
			['committed\n', undefined],
			['/etc/passwd', '120000'],
			[`Subproject commit ${'a'.repeat(40)}\n`, '160000'],
			...missing.map(() => 'missing'),
			...inTheWay.map(() => 'notFile'),
			'missing',
		]);
		assert.deepEqual(inTheWay.map(read), [
			{ kind: 'notFile', inTheWay: ['sub/a'] },
			{ kind: 'notFile', inTheWay: ['module'] },
			{ kind: 'notFile', inTheWay: ['link'] },
			{ kind: 'notFile', inTheWay: ['sub/a'] },
		]);
		const readFew = await filesAtCommit(machine.git, root, { commit, paths: ['sub', 'link/x'] }, never);
		assert.deepEqual(['sub', 'link/x'].map(readFew), [{ kind: 'notFile' }, { kind: 'notFile' }]);
		await assert.rejects(filesAtCommit(machine.git, root, { commit: 'HEAD', paths }, never), GitFailure);
	});

	test('have conflict markers only if both ends begin a line, and links do not count', async () => {
		writeFileSync(join(machine.folder, 'outside'), marked);
		writeFileSync(join(root, 'marked'), marked);
		writeFileSync(join(root, 'solved'), 'a\nb\n=======\n');
		writeFileSync(join(root, 'told'), `so: ${marked.replaceAll('\n', ' ')}`);
		symlinkSync(join(machine.folder, 'outside'), join(root, 'link'));
		symlinkSync(join(root, 'marked'), join(root, 'inner'));
		const paths = ['marked', 'solved', 'told', 'link', 'inner', 'sub', 'gone'];
		assert.deepEqual(await withConflictMarkers(machine.git, root, paths, never), ['marked']);
	});

	test('have conflict markers of seven or more characters, or of the size in their attributes', async () => {
		const sized = (size: number): string => `${'<'.repeat(size)} ours\na\n${'>'.repeat(size)} theirs\n`;
		writeFileSync(join(root, '.gitattributes'), '*.small conflict-marker-size=3\n*.large conflict-marker-size=32\n');
		const sizes = [3, 4, 8, 32];
		const paths = ['small', 'large', 'plain'].flatMap((end) => sizes.map((size) => `${size}.${end}`));
		paths.forEach((path) => writeFileSync(join(root, path), sized(Number.parseInt(path, 10))));
		writeFileSync(join(root, 'crlf.large'), sized(32).replaceAll('\n', '\r\n'));
		assert.deepEqual(await withConflictMarkers(machine.git, root, [...paths, 'crlf.large'], never), [
			'3.small',
			'8.small',
			'32.small',
			'8.large',
			'32.large',
			'8.plain',
			'32.plain',
			'crlf.large',
		]);
	});
});
