import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { objectFolders, type ObjectFolders } from '../../../../src/machine/storage/objectFolders.ts';
import { systemClock } from '../../../../src/app/accounts/systemClock.ts';
import type { LateBytes } from '../../../../src/store/repositories/objects/repositoryObjects.ts';
import { gitIn } from '../../../support/patchMakerGit.ts';

const mebibyte = 1024 * 1024;
const hourMs = 3_600_000;

function late(bytes: Uint8Array): LateBytes {
	return { aboutBytes: bytes.byteLength, bytes: () => bytes };
}

suite('object cache on disk', () => {
	let folder = '';
	let nowMs = Date.now();
	setup(() => {
		folder = mkdtempSync(join(tmpdir(), 'forge-desk-objects-'));
		nowMs = Date.now();
	});
	teardown(() => rmSync(folder, { recursive: true, force: true }));

	function open(bytes = mebibyte): ObjectFolders {
		return objectFolders(folder, { ...systemClock, nowMs: () => nowMs }, { bytes, objectBytes: 100_000 });
	}

	function blob(text: string | Buffer): { readonly id: string; readonly bytes: Buffer } {
		const bytes = Buffer.from(text);
		return { id: createHash('sha1').update(`blob ${bytes.length}\0`).update(bytes).digest('hex'), bytes };
	}

	/** Incompressible text. */
	function noise(start: number, length: number): Buffer {
		return Buffer.concat(
			Array.from({ length: length / 32 }, (_, index) => createHash('sha256').update(`${start} ${index}`).digest()),
		);
	}

	function files(): readonly string[] {
		return readdirSync(folder, { recursive: true, encoding: 'utf8' })
			.map((name) => join(folder, name))
			.filter((path) => statSync(path).isFile());
	}

	test('returns an object, also in another window, in git’s own format', async () => {
		const { id, bytes } = blob('Hello\n');
		const objects = open();
		objects.of('one').keep('blob', id, late(bytes));
		await objects.idle();
		assert.deepEqual(await open().of('one').read('blob', id), bytes);
		const [path = ''] = files();
		gitIn(folder, ['init', '--quiet', '--bare', 'check']);
		const alternate = join(path, '..', '..');
		writeFileSync(join(folder, 'check', 'objects', 'info', 'alternates'), `${alternate}\n`);
		assert.deepEqual(gitIn(join(folder, 'check'), ['cat-file', 'blob', id]), bytes);
	});

	test('separates objects by kind and account', async () => {
		const { id, bytes } = blob('Hello\n');
		const objects = open();
		objects.of('one').keep('blob', id, late(bytes));
		await objects.idle();
		assert.equal(await objects.of('two').read('blob', id), undefined);
		assert.equal(await objects.of('one').read('tree', id), undefined);
	});

	test('stores only objects that match their id', async () => {
		const objects = open();
		objects.of('one').keep('blob', blob('Hello\n').id, late(Buffer.from('Other\n')));
		objects.of('one').keep('blob', '../../../x', late(Buffer.from('Other\n')));
		await objects.idle();
		assert.deepEqual(files(), []);
		const outside = join(folder, 'outside');
		writeFileSync(outside, 'No object at all');
		for (const way of ['../../outside', '/outside', '....//outside', 'xx../../../outside']) {
			assert.equal(await objects.of('one').read('blob', way), undefined);
		}
		assert.deepEqual(files(), [outside], 'nothing outside was touched');
	});

	test('deletes a changed or truncated file and returns no object', async () => {
		const { id, bytes } = blob('Hello, '.repeat(100));
		const objects = open();
		for (const spoil of [
			(whole: Buffer) => whole.subarray(0, whole.length / 2),
			(whole: Buffer) => Buffer.concat([whole.subarray(0, -6), Buffer.from('spoilt')]),
			() => Buffer.from(''),
		]) {
			objects.of('one').keep('blob', id, late(bytes));
			await objects.idle();
			const [path = ''] = files();
			writeFileSync(path, spoil(readFileSync(path)));
			assert.equal(await objects.of('one').read('blob', id), undefined);
			assert.deepEqual(files(), []);
		}
	});

	test('does not read an object that would fill the memory when decompressed', async () => {
		const { id, bytes } = blob(Buffer.alloc(5 * mebibyte));
		const many = objectFolders(
			folder,
			{ ...systemClock, nowMs: () => nowMs },
			{ bytes: 100 * mebibyte, objectBytes: 10 * mebibyte },
		);
		many.of('one').keep('blob', id, late(bytes));
		await many.idle();
		assert.equal(await open().of('one').read('blob', id), undefined);
	});

	test('evicts the least recently used objects, also those of other windows', async () => {
		const objects = open(100_000);
		const kept = Array.from({ length: 6 }, (_, index) => blob(noise(index, 16_000)));
		for (const [index, { id, bytes }] of kept.entries()) {
			objects.of('one').keep('blob', id, late(bytes));
			await objects.idle();
			const path = files().find((each) => each.endsWith(id.slice(2))) ?? '';
			utimesSync(path, nowMs / 1000 - 86_400 + index, nowMs / 1000 - 86_400 + index);
		}
		nowMs += hourMs * 2;
		// The oldest object is used again.
		const [first] = kept;
		assert.ok(first && (await objects.of('one').read('blob', first.id)));
		while (!files().some((path) => statSync(path).mtimeMs > nowMs - hourMs)) {
			await new Promise((resolve) => setImmediate(resolve));
		}
		const other = open(100_000);
		const last = blob(noise(99, 16_000));
		other.of('two').keep('blob', last.id, late(last.bytes));
		await other.idle();
		const left = await Promise.all(kept.map(({ id }) => objects.of('one').read('blob', id)));
		assert.deepEqual(
			left.map((bytes) => bytes !== undefined),
			[true, false, false, false, true, true],
		);
		assert.ok(await other.of('two').read('blob', last.id));
		assert.ok(files().reduce((sum, path) => sum + statSync(path).size, 0) <= 100_000);
	});

	test('counts small objects as whole disk blocks', async () => {
		const objects = open(100_000);
		for (let index = 0; index < 60; index += 1) {
			const { id, bytes } = blob(`Small ${index}\n`);
			objects.of('one').keep('blob', id, late(bytes));
		}
		await objects.idle();
		assert.ok(files().length > 10 && files().length <= 100_000 / 4096, `${files().length}`);
	});

	test('shares its size limit between concurrent windows', async () => {
		const windows = [open(400_000), open(400_000)];
		for (let index = 0; index < 40; index += 1) {
			const objects = windows[index % 2];
			const { id, bytes } = blob(noise(index, 16_000));
			objects?.of('one').keep('blob', id, late(bytes));
			await objects?.idle();
		}
		const left = files().reduce((sum, path) => sum + statSync(path).size, 0);
		assert.ok(left > 200_000 && left <= 450_000, `${left}`);
	});

	test('knows which objects it has without reading them', async () => {
		const objects = open();
		const [one, two, other] = [blob('One\n'), blob('Two\n'), blob('Other\n')];
		for (const { id, bytes } of [one, two]) {
			objects.of('one').keep('blob', id, late(bytes));
		}
		objects.of('two').keep('blob', other.id, late(other.bytes));
		await objects.idle();
		const ids = [one.id, two.id, other.id, '../two', 'zz', ''];
		assert.deepEqual(await open().of('one').among(ids), new Set([one.id, two.id]));
		assert.deepEqual(await open().of('three').among(ids), new Set());
	});

	test('forgets an account including pending writes', async () => {
		const objects = open();
		const { id, bytes } = blob('Hello\n');
		const other = blob('Other\n');
		objects.of('one').keep('blob', id, late(bytes));
		objects.of('two').keep('blob', other.id, late(other.bytes));
		await objects.forget('one');
		assert.equal(await objects.of('one').read('blob', id), undefined);
		assert.equal(files().length, 1);
		await objects.keepOnly(['two']);
		assert.equal(files().length, 1);
		await objects.keepOnly([]);
		assert.equal(files().length, 0);
	});

	test('restricts its files to the user', async () => {
		const objects = open();
		const { id, bytes } = blob('Hello\n');
		objects.of('one').keep('blob', id, late(bytes));
		await objects.idle();
		const [path = ''] = files();
		assert.equal(statSync(path).mode & 0o777, 0o600);
		assert.equal(statSync(join(path, '..')).mode & 0o777, 0o700);
	});

	test('does not fail if its folder is not writable', async () => {
		writeFileSync(join(folder, 'file'), '');
		const objects = objectFolders(join(folder, 'file', 'below'), { ...systemClock, nowMs: () => nowMs });
		const { id, bytes } = blob('Hello\n');
		objects.of('one').keep('blob', id, late(bytes));
		await objects.idle();
		assert.equal(await objects.of('one').read('blob', id), undefined);
	});
});
