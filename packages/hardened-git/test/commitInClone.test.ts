import assert from 'node:assert/strict';
import { copyFileSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isAbort } from '@forge-desk/base/abort.ts';
import {
	blobsOfClone,
	filesOfCommit,
	hasCommit,
	objectReader,
	listingReader,
	type FileOfCommit,
} from '../src/readClone.ts';
import { GitFailure } from '../src/gitFailure.ts';
import { testMachine, type TestMachine } from '../../../test/support/localMachine.ts';

const never = new AbortController().signal;

suite('commits in a clone', () => {
	let machine: TestMachine;
	let root: string;
	let first: string;
	let second: string;
	/** Spans several reads of a pipe and has no line break at its end. */
	const large = 'lantern\n'.repeat(100_000).trimEnd();

	suiteSetup(() => {
		machine = testMachine();
		root = join(machine.folder, 'clone');
		mkdirSync(join(root, 'src'), { recursive: true });
		machine.plain(root, 'init', '-q');
		const put = (name: string, content: string | Uint8Array): void => writeFileSync(join(root, name), content);
		put('odd\nname\t1', 'one\n');
		put('empty', '');
		put('large', large);
		put('src/binary', new Uint8Array([10, 0, 10, 255, 13]));
		put('src/ünï', 'gone\n');
		symlinkSync('../outside', join(root, 'link'));
		machine.plain(root, 'add', '.');
		machine.feed(root, `160000 ${'a'.repeat(40)}\tmodule\0`, 'update-index', '-z', '--index-info');
		machine.plain(root, 'commit', '-q', '-m', 'One');
		first = machine.plain(root, 'rev-parse', 'HEAD').trim();
		put('large', 'another\n');
		machine.plain(root, 'commit', '-q', '-a', '-m', 'Two');
		second = machine.plain(root, 'rev-parse', 'HEAD').trim();
		put('large', 'changed and not committed\n');
	});
	suiteTeardown(() => machine.remove());

	async function files(commit: string): Promise<readonly FileOfCommit[]> {
		const found: FileOfCommit[] = [];
		for await (const some of filesOfCommit(machine.git, root, commit, never)) {
			found.push(...some);
		}
		return found;
	}

	async function problem(work: Promise<unknown>): Promise<string> {
		try {
			await work;
		} catch (error) {
			return error instanceof GitFailure ? error.problem.kind : isAbort(error) ? 'aborted' : String(error);
		}
		return 'none';
	}

	const idOf = async (path: string): Promise<string> =>
		(await files(first)).find((file) => file.path === path)?.id ?? '';

	test('hasCommit() finds a commit of the clone, but not a missing one or a blob', async () => {
		assert.equal(await hasCommit(machine.git, root, first, never), true);
		assert.equal(await hasCommit(machine.git, root, '0123456789'.repeat(4), never), false);
		assert.equal(await hasCommit(machine.git, root, await idOf('empty'), never), false);
	});

	test('filesOfCommit() lists files and links of any name with their sizes, without submodules', async () => {
		const found = (await files(first)).map(({ path, isLink, sizeBytes }) => [path, isLink, sizeBytes]);
		assert.deepEqual(found, [
			['empty', false, 0],
			['large', false, large.length],
			['link', true, 10],
			['odd\nname\t1', false, 4],
			['src/binary', false, 5],
			['src/ünï', false, 5],
		]);
		const sizeOf = (all: readonly FileOfCommit[]): unknown => all.find(({ path }) => path === 'large')?.sizeBytes;
		assert.equal(sizeOf(await files(second)), 8);
		assert.equal(await problem(files('0123456789'.repeat(4))), 'failed');
		assert.equal(await problem(files('HEAD')), 'refused');
	});

	test('blobsOfClone() returns contents byte for byte in the announced order', async () => {
		const ids = (await files(first)).filter(({ isLink }) => !isLink).map(({ id }) => id);
		const blob = blobsOfClone(machine.git, root, ids, never);
		const read = await Promise.all(ids.map((id) => blob(id)));
		assert.deepEqual(
			read.map((bytes) => (bytes?.length === large.length ? 'large' : Array.from(bytes ?? [-1]).join(' '))),
			['', 'large', '111 110 101 10', '10 0 10 255 13', '103 111 110 101 10'],
		);
		assert.equal(Buffer.from(read[1] ?? []).toString(), large);
	});

	test('blobsOfClone() returns undefined for a missing or swapped object and the bytes of others', async () => {
		const lost = await idOf('src/ünï');
		const path = join(root, '.git/objects', lost.slice(0, 2), lost.slice(2));
		const kept = machine.plain(root, 'cat-file', 'blob', lost);
		rmSync(path);
		const ids = [lost, await idOf('empty')];
		const blob = blobsOfClone(machine.git, root, ids, never);
		assert.deepEqual(await Promise.all(ids.map((id) => blob(id))), [undefined, new Uint8Array()]);
		assert.equal((await files(first)).find(({ id }) => id === lost)?.sizeBytes, undefined);
		// The content of another object does not match the id.
		const other = ids[1] ?? '';
		mkdirSync(dirname(path), { recursive: true });
		copyFileSync(join(root, '.git/objects', other.slice(0, 2), other.slice(2)), path);
		assert.equal(await blobsOfClone(machine.git, root, [lost], never)(lost), undefined);
		rmSync(path, { force: true });
		machine.feed(root, kept, 'hash-object', '-w', '--stdin');
	});

	test('blobsOfClone() skips unread objects, rejects a skipped one later, and stops on abort', async () => {
		const [empty, big] = [await idOf('empty'), await idOf('large')];
		const [one] = [await idOf('odd\nname\t1')];
		const some = blobsOfClone(machine.git, root, [big, empty, one], never);
		assert.equal(Buffer.from((await some(one)) ?? []).toString(), 'one\n');
		assert.equal(await problem(some(empty)), 'failed');
		const control = new AbortController();
		const more = blobsOfClone(machine.git, root, [empty, big, one], control.signal);
		await more(empty);
		control.abort();
		assert.equal(await problem(more(one)), 'aborted');
		const refused = async (): Promise<unknown> => blobsOfClone(machine.git, root, ['HEAD'], never);
		assert.equal(await problem(refused()), 'refused');
	});
});

suite('output of git cat-file and ls-tree', () => {
	const [a, b] = ['a'.repeat(40), 'b'.repeat(64)];

	test('parses as a listing at any chunk boundary, without invalid entries', () => {
		const text = [
			`100644 blob ${a}       4\todd\nname:1`,
			`120000 blob ${b}     BAD\té`,
			`160000 commit ${a}       -\tmodule`,
			`100644 blob ${a.slice(1)}       4\tshort`,
			`100644 blob ${a}       4\t`,
			'',
		].join('\0');
		const bytes = Buffer.from(text);
		const whole = listingReader()(bytes);
		assert.deepEqual(whole, {
			files: [
				{ path: 'odd\nname:1', id: a, isLink: false, sizeBytes: 4 },
				{ path: 'é', id: b, isLink: true, sizeBytes: undefined },
			],
			submodules: [{ path: 'module', id: a }],
		});
		for (let at = 1; at < bytes.length; at += 1) {
			const read = listingReader();
			const [one, other] = [read(bytes.subarray(0, at)), read(bytes.subarray(at))];
			assert.deepEqual([...one.files, ...other.files], whole.files);
			assert.deepEqual([...one.submodules, ...other.submodules], whole.submodules);
		}
	});

	/** Reads all objects from these chunks. */
	async function answers(pieces: readonly Buffer[]): Promise<readonly string[]> {
		const left = [...pieces];
		const next = objectReader(async () => left.shift(), { mostBytes: 100 });
		const all: string[] = [];
		for (let found = await next(); found; found = await next()) {
			all.push(`${found.id.slice(0, 1)} ${found.bytes ? Buffer.from(found.bytes).toString() : '-'}`);
		}
		return all;
	}

	test('keeps the start of an object, and nothing of one that is too large', async () => {
		const text = `${a} blob 6\nabcdef\n${b} blob 7\nabcdefg\n${a} blob 2\nxy\n`;
		for (let size = 1; size < text.length; size += 1) {
			const left = Array.from({ length: Math.ceil(text.length / size) }, (_, at) =>
				Buffer.from(text.slice(at * size, (at + 1) * size)),
			);
			const next = objectReader(async () => left.shift(), { mostBytes: 6, keptBytes: 3 });
			const read = [await next(), await next(), await next(), await next()];
			assert.deepEqual(
				read.map((each) => each && [each.sizeBytes, each.bytes && Buffer.from(each.bytes).toString()]),
				[[6, 'abc'], [7, undefined], [2, 'xy'], undefined],
			);
		}
	});

	test('an endless path is left out, and takes no memory', () => {
		const read = listingReader();
		const files = [...read(Buffer.from(`100644 blob ${a} 4\tone\u0000100644 blob ${b} 4\t`)).files];
		for (let at = 0; at < 3000; at += 1) {
			files.push(...read(Buffer.alloc(65_000, 120)).files);
		}
		files.push(...read(Buffer.from(`\u0000100644 blob ${a} 4\ttwo\u0000100644 bl`)).files);
		files.push(...read(Buffer.from(`ob ${b} 4\tthree\u0000`)).files);
		assert.deepEqual(
			files.map(({ path }) => path),
			['one', 'two', 'three'],
		);
	});

	test('parses as contents at any chunk boundary', async () => {
		const bytes = Buffer.from(`${a} blob 4\n1\n\n2\n${b} missing\n${b} tree 2\nxx\n${a} blob 0\n\n`);
		const whole = ['a 1\n\n2', 'b -', 'b -', 'a '];
		assert.deepEqual(await answers([bytes]), whole);
		for (let at = 1; at < bytes.length; at += 1) {
			assert.deepEqual(await answers([bytes.subarray(0, at), bytes.subarray(at)]), whole);
		}
		for (let at = 1; at < bytes.length; at += 1) {
			const part = answers([bytes.subarray(0, at)]);
			await part.then(
				(read) => assert.deepEqual(read, whole.slice(0, read.length)),
				(error: unknown) => assert.match(String(error), /middle of an answer/),
			);
		}
		await assert.rejects(answers([Buffer.alloc(1000, 120)]), /something else/);
		await assert.rejects(answers([Buffer.from(`${a} ambiguous\n`)]), /middle of an answer/);
	});
});
