import assert from 'node:assert/strict';
import type { Clock } from '@forge-desk/base/clock.ts';
import { fake } from '../../../support/fake.ts';
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { journalFiles } from '../../../../src/machine/storage/fileTexts.ts';
import { processMark } from '../../../../src/machine/storage/replaceNow.ts';

const clock = fake<Clock>({ nowMs: () => Date.now() });
/** Process id of a process that has ended. */
const ended = spawnSync(process.execPath, ['--version']).pid;

suite('journal files', () => {
	let folder: string;
	setup(() => {
		folder = mkdtempSync(join(tmpdir(), 'journal-'));
	});
	teardown(() => rmSync(folder, { recursive: true, force: true }));

	const window = (pid: number, isThere = true) =>
		journalFiles(folder, () => isThere, clock, join(folder, 'aside'), processMark(pid));
	const texts = (pid: number, minAgeMs = 0) =>
		window(pid)
			.adopt(minAgeMs)
			.map(({ text, remove }) => {
				remove();
				return text;
			});
	const age = (byMs: number): void => {
		for (const name of readdirSync(folder)) {
			const atS = (Date.now() - byMs) / 1000;
			utimesSync(join(folder, name), atS, atS);
		}
	};

	test('the file of a process that has ended is adopted by one window', async () => {
		await window(ended).write('left');
		await window(process.pid).write('alive');
		assert.deepEqual(texts(process.pid), ['left']);
		assert.deepEqual(texts(process.pid), []);
	});

	test('a window that adopts a file and dies leaves it to the next one', async () => {
		await window(ended).write('left');
		const adopting = journalFiles(folder, () => true, clock, folder, processMark(ended, '1a'));
		assert.equal(adopting.adopt(0).length, 1);
		const [file] = window(process.pid).adopt(0);
		assert.equal(file?.text, 'left');
		file?.remove();
		assert.deepEqual(readdirSync(folder), []);
	});

	test('a running window waits, so that a reloaded window adopts its own file first', async () => {
		await window(ended).write('left');
		assert.deepEqual(texts(process.pid, 30_000), []);
		age(31_000);
		assert.deepEqual(texts(process.pid, 30_000), ['left']);
	});

	test('a file with a time in the future counts as new, and adoption without a wait takes it', async () => {
		await window(ended).write('left');
		age(-60_000);
		assert.deepEqual(texts(process.pid, 30_000), []);
		assert.deepEqual(texts(process.pid), ['left']);
	});

	test('a file is adopted at once after its window released it, and after ten minutes without a renewal', async () => {
		const closing = window(process.pid);
		await closing.write('closed');
		closing.release();
		assert.deepEqual(texts(process.pid), ['closed']);
		const sleeping = window(process.pid);
		await sleeping.write('asleep');
		age(11 * 60_000);
		sleeping.renew();
		assert.deepEqual(texts(process.pid), []);
		age(11 * 60_000);
		assert.deepEqual(texts(process.pid), ['asleep']);
	});

	test('files are private, an empty text removes one, and after sign-out nothing is written', async () => {
		const own = window(process.pid);
		await own.write('text');
		const [name = ''] = readdirSync(folder);
		assert.equal(statSync(join(folder, name)).mode & 0o777, 0o600);
		await own.write('');
		await window(process.pid, false).write('text');
		assert.deepEqual(readdirSync(folder), []);
	});

	test('a file of a dead process with the id of this one is adopted at once, in the names of all versions', () => {
		const computer = processMark(1).split('.', 1)[0];
		const names = [`${computer}.${process.pid}`, processMark(process.pid, '1a2b'), processMark(ended)];
		for (const [at, mark] of names.entries()) {
			writeFileSync(join(folder, `writes.${mark}.0000000${at}.json`), mark);
		}
		assert.deepEqual(new Set(texts(process.pid)), new Set(names));
	});

	test('a folder with the name of a file hides no other, and can be set aside', () => {
		mkdirSync(join(folder, `writes.${processMark(ended)}.00000000.json`));
		writeFileSync(join(folder, `writes.${processMark(ended)}.00000001.json`), 'left');
		const adopted = window(process.pid).adopt(0);
		assert.deepEqual(
			adopted.map(({ text }) => text),
			[undefined, 'left'],
		);
		adopted.forEach(({ setAside }) => setAside());
		assert.deepEqual([readdirSync(folder), readdirSync(join(folder, 'aside')).length], [['aside'], 2]);
	});

	test('a disk that refuses a file rejects', async () => {
		if (process.getuid?.() === 0) {
			rmSync(folder, { recursive: true });
			writeFileSync(folder, 'a file');
		} else {
			chmodSync(folder, 0o500);
		}
		await assert.rejects(window(process.pid).write('text'));
	});
});
