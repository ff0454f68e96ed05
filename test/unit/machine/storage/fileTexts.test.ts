import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { KeptText } from '../../../../src/store/shared/keptText.ts';
import { fakeClock } from '../../../support/fakeClock.ts';
import { fileTexts, type FileTexts } from '../../../../src/machine/storage/fileTexts.ts';

suite('account texts in files', () => {
	let folder: string;
	const there = new Set(['alice', 'bob']);
	const clock = fakeClock();
	const openWindow = (): FileTexts => fileTexts(folder, (key) => there.has(key), clock);
	setup(() => {
		folder = join(mkdtempSync(join(tmpdir(), 'forge-desk-texts-')), 'texts');
	});
	teardown(() => rmSync(join(folder, '..'), { recursive: true }));

	test('are visible in another window immediately, by kind and account', async () => {
		const one = openWindow();
		const other = openWindow();
		assert.equal(other.of('applied', 'alice').read(), undefined);
		await one.of('applied', 'alice').write('first');
		await one.of('applied', 'alice').write('second');
		await one.of('series', 'alice').write('another kind');
		await one.of('applied', 'bob').write('of bob');
		assert.equal(other.of('applied', 'alice').read(), 'second');
		assert.equal(other.of('series', 'alice').read(), 'another kind');
		assert.equal(other.of('applied', 'bob').read(), 'of bob');
	});

	test('in ifWritten mode, are re-read only after a write', async () => {
		const open = (): KeptText => openWindow().of('probe', 'alice', 'ifWritten');
		const [one, other] = [open(), open()];
		assert.equal(other.read(), undefined);
		await one.write('first');
		assert.deepEqual([one.read(), other.read()], ['first', 'first']);
		const [account = ''] = readdirSync(folder);
		const path = join(folder, account, 'probe.json');
		// A write in place that preserves time and size is visible only to a full read.
		const { atime, mtime } = statSync(path);
		utimesSync(path, atime, new Date(1_700_000_000_000));
		assert.equal(other.read(), 'first');
		writeFileSync(path, 'other');
		utimesSync(path, atime, new Date(1_700_000_000_000));
		assert.deepEqual([other.read(), open().read()], ['first', 'other']);
		utimesSync(path, atime, mtime);
		assert.equal(other.read(), 'other');
		await one.write('again');
		assert.deepEqual([one.read(), other.read()], ['again', 'again']);
		rmSync(path);
		assert.deepEqual([one.read(), other.read()], [undefined, undefined]);
	});

	test('notify another window about writes, and only about writes', async () => {
		const one = openWindow();
		const watched = openWindow().watched('inbox', 'alice');
		let told = 0;
		watched.onDidWrite(() => (told += 1));
		clock.advance(5000);
		assert.equal(told, 0);
		for (const text of ['first', 'other', 'third']) {
			await one.of('inbox', 'alice').write(text);
			clock.advance(5000);
			clock.advance(5000);
		}
		await one.of('series', 'alice').write('another kind');
		clock.advance(5000);
		assert.equal(told, 3);
		watched.dispose();
		await one.of('inbox', 'alice').write('fourth');
		clock.advance(5000);
		assert.equal(told, 3);
	});

	test('are on disk synchronously, readable only by the user', () => {
		void openWindow().of('applied', 'alice').write('kept');
		assert.equal(openWindow().of('applied', 'alice').read(), 'kept');
		const [account = ''] = readdirSync(folder);
		assert.deepEqual(readdirSync(join(folder, account)), ['applied.json']);
		if (process.platform !== 'win32') {
			assert.equal(statSync(join(folder, account)).mode & 0o777, 0o700);
			assert.equal(statSync(join(folder, account, 'applied.json')).mode & 0o777, 0o600);
		}
	});

	test('of one account are deleted on sign-out, and later writes have no effect', async () => {
		const texts = openWindow();
		await texts.of('applied', 'alice').write('of alice');
		await texts.of('applied', 'bob').write('of bob');
		there.delete('alice');
		try {
			await texts.forget('alice');
			await texts.of('applied', 'alice').write('too late');
			assert.equal(texts.of('applied', 'alice').read(), undefined);
			assert.equal(texts.of('applied', 'bob').read(), 'of bob');
		} finally {
			there.add('alice');
		}
	});

	test('do not leave behind the temporary files of a killed window', async () => {
		const texts = openWindow();
		await texts.of('applied', 'alice').write('first');
		const [account = ''] = readdirSync(folder);
		const gone = spawnSync(process.execPath, ['--version']).pid;
		const half = [`applied.json.${gone}.new`, `series.json.${gone}.new`, `series.json.${process.ppid}.new`];
		half.forEach((name) => writeFileSync(join(folder, account, name), 'ha'));
		await texts.of('applied', 'alice').write('second');
		assert.deepEqual(readdirSync(join(folder, account)).toSorted(), [
			'applied.json',
			`series.json.${process.ppid}.new`,
		]);
		assert.equal(texts.of('applied', 'alice').read(), 'second');
	});

	test('reject with the disk error and keep the earlier text', async () => {
		const texts = openWindow();
		await texts.forget('alice');
		writeFileSync(folder, 'no folder');
		await assert.rejects(texts.of('applied', 'alice').write('new'), { code: 'ENOTDIR' });
		rmSync(folder);
		await texts.of('applied', 'alice').write('new');
		assert.equal(texts.of('applied', 'alice').read(), 'new');
	});

	test('throw when the disk cannot read them', async () => {
		const texts = openWindow();
		await texts.of('applied', 'alice').write('kept');
		const [account = ''] = readdirSync(folder);
		const path = join(folder, account, 'applied.json');
		rmSync(path);
		mkdirSync(path);
		assert.throws(() => texts.of('applied', 'alice').read(), { code: 'EISDIR' });
	});

	test('of signed-out accounts are deleted, except those another window may use', async () => {
		const texts = openWindow();
		['carol', 'dave', 'eve'].forEach((name) => there.add(name));
		for (const name of ['alice', 'carol', 'dave']) {
			await texts.of('series', name).write(name);
		}
		const agedMs = clock.nowMs() - 25 * 3_600_000;
		const age = (name: string): void => utimesSync(join(folder, name), agedMs / 1000, agedMs / 1000);
		readdirSync(folder).forEach(age);
		await texts.of('inbox', 'dave').write('new');
		const [dave = ''] = readdirSync(folder).filter((name) => statSync(join(folder, name)).mtimeMs !== agedMs);
		utimesSync(join(folder, dave), clock.nowMs() / 1000, clock.nowMs() / 1000);
		const left = (): readonly string[] =>
			['alice', 'carol', 'dave', 'eve'].filter((name) => texts.of('series', name).read() === name);
		// The secret storage fails or looks empty.
		await assert.rejects(texts.keepOnly(() => Promise.reject(new Error('No keyring'))));
		await texts.keepOnly(() => Promise.resolve([]));
		assert.deepEqual(left(), ['alice', 'carol', 'dave']);
		await texts.keepOnly(async () => {
			// The user signs in meanwhile.
			await texts.of('series', 'eve').write('eve');
			readdirSync(folder)
				.filter((name) => name !== dave)
				.forEach(age);
			return ['alice'];
		});
		assert.deepEqual(left(), ['alice', 'dave', 'eve']);
		await rm(folder, { recursive: true });
		await texts.keepOnly(() => Promise.resolve(['alice']));
	});
});
