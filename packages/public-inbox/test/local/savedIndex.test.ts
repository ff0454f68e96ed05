import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync, rmSync, statSync, truncateSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { generatedMails, mailboxOfMails } from '../../../../test/support/generatedMails.ts';
import { found, localPlace, mail, mbox, never, refreshed } from '../../../../test/support/localMailbox.ts';

const program = join(import.meta.dirname, 'killedIndexing.ts');

suite('the saved index of a mailbox', function () {
	this.timeout(120_000);
	const mails = [...generatedMails(1200, 3)];
	let place: ReturnType<typeof localPlace>;
	let path: string;
	setup(() => {
		place = localPlace();
		path = join(place.folder, 'mails.mbox');
		writeFileSync(path, mailboxOfMails(mails));
	});
	teardown(() => place.remove());

	/** Everything is there once. */
	async function assertWhole(): Promise<void> {
		const list = await place.list(path);
		await refreshed(list);
		const { total } = await list.search({ query: '', from: 0, rows: 1000 }, never);
		assert.equal(total, mails.length);
		const patches = await list.search({ query: 's:patch NOT s:re', from: 0, rows: 1000 }, never);
		assert.equal(patches.total, mails.filter(({ subject }) => subject.startsWith('[PATCH')).length);
		for (const { messageId, root } of mails.filter((_, at) => at % 97 === 0)) {
			assert.equal((await list.mail(messageId, 1_000_000, never)).mails.length, 1);
			const thread = await list.rowsOfThread(root, never);
			assert.equal(thread.length, mails.filter((each) => each.root === root).length);
		}
	}

	test('goes on after a kill at any moment', async () => {
		let kills = 0;
		for (const after of [1, 2, 4, 7]) {
			const child = spawn(process.execPath, [program, path, place.file], { stdio: ['ignore', 'pipe', 'inherit'] });
			let lines = 0;
			child.stdout.on('data', (chunk: Buffer) => {
				lines += chunk.toString().split('\n').length - 1;
				if (lines >= after) {
					child.kill('SIGKILL');
				}
			});
			await once(child, 'exit');
			kills += child.signalCode === 'SIGKILL' ? 1 : 0;
		}
		assert.ok(kills > 0);
		await assertWhole();
	});

	test('takes the same mails from two processes once', async () => {
		const children = [1, 2].map(() =>
			spawn(process.execPath, [program, path, place.file], { stdio: ['ignore', 'pipe', 'inherit'] }),
		);
		const ends = await Promise.all(
			children.map(async (child) => {
				let text = '';
				child.stdout.on('data', (chunk: Buffer) => {
					text += chunk.toString();
				});
				await once(child, 'close');
				return text.trim().split('\n').at(-1);
			}),
		);
		assert.deepEqual(ends, ['whole', 'whole']);
		await assertWhole();
	});

	test('stays as it was on a full disk, and goes on when there is room', async () => {
		// A limit of file sizes acts like a disk without room.
		const limited = 'trap "" XFSZ; ulimit -f 1500; exec "$0" "$@"';
		const told = execFileSync('bash', ['-c', limited, process.execPath, program, path, place.file], {
			encoding: 'utf8',
		});
		assert.equal(told.trim().split('\n').at(-1), 'disk');
		assert.ok(statSync(place.file).size > 0);
		await assertWhole();
	});

	for (const [name, damage] of [
		[
			'that is no database',
			() => writeFileSync(place.file, 'not a database, and longer than a header of one\n'.repeat(100)),
		],
		['that is cut off', () => truncateSync(place.file, 100_000)],
		[
			'with overwritten pages',
			() => {
				const file = openSync(place.file, 'r+');
				for (let at = 8192; at < statSync(place.file).size; at += 8192) {
					writeSync(file, Buffer.alloc(4096, 0x5a), 0, 4096, at);
				}
				closeSync(file);
			},
		],
	] as const) {
		test(`makes an index anew ${name}, before it answers`, async () => {
			const list = await place.read(path);
			await place.ask({ kind: 'close', file: place.file }, never);
			assert.equal(existsSync(`${place.file}-wal`), false);
			damage();
			const all = await list.search({ query: '', from: 0, rows: 10 }, never);
			const patches = await list.search({ query: 's:patch', from: 0, rows: 10 }, never);
			assert.ok(patches.total > 300);
			assert.ok(all.rows.length === 10 || (await found(list, '')).length > 0);
			await assertWhole();
		});
	}

	test('replaces an index of another version', async () => {
		const { DatabaseSync } = await import('node:sqlite');
		const old = new DatabaseSync(place.file);
		old.exec('CREATE TABLE mails (other TEXT); PRAGMA user_version = 99;');
		old.close();
		await assertWhole();
	});

	test('sees an index that another process put in its place', async () => {
		writeFileSync(path, mbox(mail('one')));
		const list = await place.read(path);
		rmSync(place.file);
		rmSync(`${place.file}-wal`, { force: true });
		rmSync(`${place.file}-shm`, { force: true });
		writeFileSync(path, mbox(mail('one'), mail('two')));
		execFileSync(process.execPath, [program, path, place.file]);
		assert.deepEqual(await found(list, ''), ['two@x', 'one@x']);
	});

	test('ends at once when it is stopped, and keeps its steps', async () => {
		const stop = new AbortController();
		const list = await place.list(path);
		await assert.rejects(
			list.refresh((count) => count > 300 && stop.abort(), stop.signal),
			{ name: 'AbortError' },
		);
		const { total } = await list.search({ query: '', from: 0, rows: 1000 }, never);
		assert.ok(total > 300 && total < mails.length);
		await assertWhole();
	});
});
