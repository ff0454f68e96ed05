import assert from 'node:assert/strict';
import {
	copyFileSync,
	existsSync,
	mkdirSync,
	mkdtempSync,
	readdirSync,
	renameSync,
	rmSync,
	writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { indexAnswerer, type IndexAnswer, type IndexRequest } from '../../src/local/indexAnswerer.ts';
import { inTransaction, isDamage, isDiskTrouble, openDatabase, removeDatabase } from '../../src/local/indexDatabase.ts';
import { mail } from '../../../../test/support/localMailbox.ts';

suite('the answerer of indexes', () => {
	let folder: string;
	let file: string;
	let answer: ReturnType<typeof indexAnswerer>;
	setup(() => {
		folder = mkdtempSync(join(tmpdir(), 'index-'));
		file = join(folder, 'index.sqlite');
		answer = indexAnswerer();
	});
	teardown(async () => {
		for (const name of readdirSync(folder)) {
			await answer({ kind: 'close', file: join(folder, name) });
		}
		rmSync(folder, { recursive: true, force: true });
	});

	const ask = (request: IndexRequest, at = file): Promise<IndexAnswer> => answer({ ...request, file: at });
	async function progress(at = file): Promise<{ readonly reached: string | undefined; readonly life: string }> {
		const answer = await ask({ kind: 'reached' }, at);
		return answer.kind === 'reached' ? answer : assert.fail(JSON.stringify(answer));
	}
	const reached = async (): Promise<string | undefined> => (await progress()).reached;
	const add = async (id: string, at = file): Promise<IndexAnswer> => {
		const added = [{ place: id, stamp: '', size: 7, bytes: mail(id) }];
		return await ask({ kind: 'step', added, removed: [], reached: id, life: (await progress(at)).life }, at);
	};
	const count = (at = file): Promise<IndexAnswer> => ask({ kind: 'count' }, at);
	const lost = { kind: 'trouble', trouble: 'lost' };
	const failed = { kind: 'trouble', trouble: 'failed' };

	test('answers each kind of question', async () => {
		const done = { kind: 'done' };
		assert.equal(await reached(), undefined);
		assert.deepEqual([await add('a'), await add('b')], [done, done]);
		assert.equal(await reached(), 'b');
		assert.deepEqual(await count(), { kind: 'count', count: 2 });
		const [a, b] = ['a', 'b'].map((place) => ({ place, stamp: '' }));
		assert.deepEqual(await ask({ kind: 'places', after: 'a', most: 5 }), { kind: 'places', places: [b] });
		const other = { place: 'a', stamp: 'other' };
		assert.ok(a);
		assert.deepEqual(await ask({ kind: 'unknown', places: [a, other] }), { kind: 'places', places: [other] });
		const found = await ask({ kind: 'search', query: 'm:b@x', from: 0, most: 5, nowMs: 0 });
		assert.partialDeepStrictEqual(found, { kind: 'page', page: { total: 1, rows: [{ messageId: '<b@x>' }] } });
		const mails = { kind: 'mails', mails: [{ messageId: '<a@x>', place: 'a', size: 7 }] };
		assert.partialDeepStrictEqual(await ask({ kind: 'texts', messageId: '<a@x>' }), mails);
		assert.partialDeepStrictEqual(await ask({ kind: 'thread', messageId: '<a@x>', most: 5 }), mails);
		assert.deepEqual([await ask({ kind: 'clear' }), await count()], [done, { kind: 'count', count: 0 }]);
		assert.deepEqual([await ask({ kind: 'close' }), await ask({ kind: 'close' })], [done, done]);
		assert.deepEqual(readdirSync(folder), ['index.sqlite']);
	});

	test('keeps three indexes open, and closes the oldest for another one', async () => {
		const files = ['1', '2', '3', '4'].map((name) => join(folder, name));
		const open = (): readonly string[] => readdirSync(folder).filter((name) => name.endsWith('-wal'));
		for (const each of files) {
			await add('a', each);
		}
		assert.deepEqual(open(), ['2-wal', '3-wal', '4-wal']);
		for (const each of files) {
			assert.deepEqual(await count(each), { kind: 'count', count: 1 });
			await ask({ kind: 'close' }, each);
		}
		assert.deepEqual(open(), []);
	});

	test('opens the index that another process put in its place', async () => {
		await add('a');
		await add('b', join(folder, 'other'));
		await ask({ kind: 'close' }, join(folder, 'other'));
		removeDatabase(file);
		renameSync(join(folder, 'other'), file);
		assert.equal(await reached(), 'b');
		removeDatabase(file);
		assert.deepEqual(await count(), { kind: 'count', count: 0 });
	});

	for (const [title, damage] of [
		['no database', (path: string) => writeFileSync(path, 'no database, and longer than its head'.repeat(100))],
		['of another version', (path: string) => changed(path, 'PRAGMA user_version = 99')],
		['with other tables', (path: string) => changed(path, 'DROP TABLE texts')],
		['without a version', (path: string) => changed(path, 'PRAGMA user_version = 0')],
	] as const) {
		test(`makes an index anew that is ${title}`, async () => {
			await add('a');
			await ask({ kind: 'close' });
			damage(file);
			assert.deepEqual(await count(), lost);
			assert.deepEqual(await count(), { kind: 'count', count: 0 });
			assert.equal(await reached(), undefined);
		});
	}

	test('takes no step of an earlier life', async () => {
		await add('a');
		const { life } = await progress();
		await ask({ kind: 'clear' });
		assert.deepEqual(await ask({ kind: 'step', added: [], removed: [], reached: 'b', life }), lost);
		assert.equal(await reached(), undefined);
	});

	test('fails without a folder, and for a folder in place of the file', async () => {
		const missing = join(folder, 'none', 'index.sqlite');
		assert.deepEqual(await count(missing), failed);
		mkdirSync(join(folder, 'none'));
		assert.deepEqual(await count(missing), { kind: 'count', count: 0 });
		await ask({ kind: 'close' }, missing);
		mkdirSync(file);
		assert.deepEqual(await count(), failed);
		assert.ok(existsSync(file));
	});

	test('refuses a broken step as a whole, and goes on', async () => {
		await add('a');
		const added = [{ place: 'b', stamp: '', size: 0.5, bytes: mail('b') }];
		assert.deepEqual(
			await ask({ kind: 'step', added, removed: ['a'], reached: 'b', life: (await progress()).life }),
			failed,
		);
		assert.equal(await reached(), 'a');
		assert.deepEqual(await count(), { kind: 'count', count: 1 });
		await add('b');
		assert.deepEqual(await count(), { kind: 'count', count: 2 });
	});

	test('removes an index with all of its files', async () => {
		const names = ['', '-wal', '-shm', '-journal'].map((suffix) => `${file}${suffix}`);
		names.forEach((name) => writeFileSync(name, ''));
		writeFileSync(`${file}.other`, '');
		removeDatabase(file);
		removeDatabase(file);
		assert.deepEqual(readdirSync(folder), ['index.sqlite.other']);
	});

	test('undoes work that fails, and only then', async () => {
		const database = await openDatabase(file);
		const rows = (): unknown => database.prepare('SELECT count(*) AS rows FROM threads').get()?.['rows'];
		const put = (): void => database.exec("INSERT INTO threads VALUES ('x', 1)");
		assert.throws(
			() =>
				inTransaction(database, () => {
					put();
					throw new Error('no');
				}),
			{ message: 'no' },
		);
		assert.throws(
			() =>
				inTransaction(database, () => {
					put();
					database.exec('ROLLBACK');
					throw new Error('full');
				}),
			{ message: 'full' },
		);
		assert.equal(rows(), 0);
		assert.equal(
			inTransaction(database, () => {
				put();
				return 7;
			}),
			7,
		);
		assert.deepEqual([rows(), database.isTransaction], [1, false]);
		database.close();
	});

	for (const [code, damage, disk] of [
		[10, false, true],
		[11, true, false],
		[11 + 256, true, false],
		[13, false, true],
		[10 + 512, false, true],
		[26, true, false],
		[1, false, false],
		[5, false, false],
		['11', false, false],
		[undefined, false, false],
	] as const) {
		test(`judges the result ${code} of the database`, () => {
			const error = Object.assign(new Error('result'), { errcode: code });
			assert.deepEqual([isDamage(error), isDiskTrouble(error)], [damage, disk]);
			assert.deepEqual([isDamage({ errcode: code }), isDiskTrouble({ errcode: code })], [false, false]);
		});
	}

	test('writes a log beside the index, for readers in other processes', async () => {
		await add('a');
		assert.ok(existsSync(`${file}-wal`));
		const copy = join(folder, 'copy');
		await ask({ kind: 'close' });
		copyFileSync(file, copy);
		const database = new DatabaseSync(copy);
		assert.deepEqual(database.prepare('PRAGMA journal_mode').get()?.['journal_mode'], 'wal');
		assert.deepEqual(database.prepare('PRAGMA user_version').get()?.['user_version'], 3);
		database.close();
	});
});

function changed(path: string, sql: string): void {
	const database = new DatabaseSync(path);
	database.exec(sql);
	database.close();
}
