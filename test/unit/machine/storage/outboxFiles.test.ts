import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import * as v from 'valibot';
import { leftOutboxes, outboxFiles } from '../../../../src/machine/storage/outboxFiles.ts';
import { processMark } from '../../../../src/machine/storage/replaceNow.ts';
import { sharedQueue } from '../../../../src/store/outbox/sharedQueue.ts';
import { fakeClock } from '../../../support/fakeClock.ts';

/** Process id of a process that has ended. */
const ended = spawnSync(process.execPath, ['--version']).pid;
const computer = createHash('sha256').update(hostname()).digest('hex').slice(0, 8);
const schema = v.object({ text: v.string() });
const now = (): number => Date.now();

suite('outbox files', () => {
	let folder: string;
	const clock = { ...fakeClock(), nowMs: now };
	setup(() => {
		folder = mkdtempSync(join(tmpdir(), 'outbox-files-'));
	});
	teardown(() => rmSync(folder, { recursive: true, force: true }));

	const opened = (mark?: string) => sharedQueue(outboxFiles(folder, clock, mark), schema);
	const put = (name: string, content = '{"text":"kept"}'): void => writeFileSync(join(folder, name), content);
	const texts = (queue: ReturnType<typeof opened>): readonly string[] => queue.items().map(({ text }) => text);

	test('an item of a dead process with the id of this one is free, in the names of all versions', () => {
		const holders = [
			`${computer}.${process.pid}`,
			processMark(process.pid, '1a2b3c'),
			processMark(ended),
			`${computer}.${ended}`,
		];
		for (const [at, holder] of holders.entries()) {
			put(`00000${at + 1}.x${at}.${holder}.json`);
		}
		const queue = opened();
		for (const at of holders.keys()) {
			const held = queue.hold(`x${at}`);
			assert.ok(held, holders[at]);
			held.remove();
		}
		assert.deepEqual(readdirSync(folder), []);
	});

	test('an item of a living process is free only after its lease, whichever way the clock was set', () => {
		const living = [processMark(process.ppid), `0badc0de.${process.pid}.1a`, `0badc0de.7`];
		for (const mark of living) {
			const name = `000001.x.${mark}.json`;
			put(name);
			assert.equal(opened().hold('x'), undefined, mark);
			for (const byMs of [9 * 60_000, -9 * 60_000]) {
				utimesSync(join(folder, name), (now() + byMs) / 1000, (now() + byMs) / 1000);
				assert.equal(opened().hold('x'), undefined, `${mark} ${byMs}`);
			}
			for (const byMs of [-11 * 60_000, 11 * 60_000]) {
				const [found = ''] = readdirSync(folder);
				renameSync(join(folder, found), join(folder, name));
				utimesSync(join(folder, name), (now() + byMs) / 1000, (now() + byMs) / 1000);
				assert.ok(opened().hold('x'), `${mark} ${byMs}`);
			}
			readdirSync(folder).forEach((each) => rmSync(join(folder, each)));
		}
	});

	test('two objects of one process exclude each other', async () => {
		const [one, other] = [opened(), opened()];
		await one.add('x', { text: 'once' });
		const held = one.hold('x');
		assert.ok(held);
		assert.equal(other.hold('x'), undefined);
		held.release();
		assert.ok(other.hold('x'));
	});

	test('truncated, empty, unknown and unreadable files are damaged, and hide no other item', async () => {
		const whole = opened();
		await whole.add('a', { text: 'first' });
		put('000002.torn.json', '{"text":"fi');
		put('000003.empty.json', '');
		put('000004.newer.json', '{"version":9,"text":{"is":"an object"}}');
		put(`000005.held.${processMark(ended)}.json`, '[]');
		put('item-of-a-newer-version.json');
		put('000006.other.0badc0de.12.aa.more.json');
		mkdirSync(join(folder, '000007.folder.json'));
		mkdirSync(join(folder, 'mails'));
		put('.DS_Store');
		await whole.add('z', { text: 'last' });
		const queue = opened();
		assert.deepEqual(texts(queue), ['first', 'last']);
		assert.deepEqual(
			queue.damaged().map(({ path }) => path.slice(folder.length + 1)),
			[
				'000002.torn.json',
				'000003.empty.json',
				'000004.newer.json',
				`000005.held.${processMark(ended)}.json`,
				'000006.other.0badc0de.12.aa.more.json',
				'000007.folder.json',
				'item-of-a-newer-version.json',
			],
		);
		if (process.getuid?.() !== 0) {
			chmodSync(join(folder, '000003.empty.json'), 0);
			assert.deepEqual(texts(opened()), ['first', 'last']);
		}
		for (const { id } of queue.damaged()) {
			assert.equal(queue.hold(id), undefined, id);
		}
		assert.equal(opened().damaged().length, 7);
	});

	test('items of other accounts are found, with their mails and damaged files', () => {
		for (const name of ['known', 'gone', 'gone/mails']) {
			mkdirSync(join(folder, name));
			put(`${name}/000001.x.json`);
		}
		put('gone/000002.torn.json', '');
		put('a-file', '');
		const found = leftOutboxes(folder, new Set(['known']), clock);
		assert.deepEqual(
			found.map(({ path }) => path.slice(folder.length + 1)),
			['gone/000001.x.json', 'gone/000002.torn.json', 'gone/mails/000001.x.json'],
		);
		assert.deepEqual(leftOutboxes(join(folder, 'none'), new Set(), clock), []);
	});
});
