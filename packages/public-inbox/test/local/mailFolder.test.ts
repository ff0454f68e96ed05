import assert from 'node:assert/strict';
import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { folderOfMails } from '../../src/local/mailFolder.ts';
import { found, localPlace, mail, never, refreshed, textsOf } from '../../../../test/support/localMailbox.ts';

suite('a maildir', function () {
	this.timeout(60_000);
	let place: ReturnType<typeof localPlace>;
	let path: string;
	setup(() => {
		place = localPlace();
		path = place.maildir();
	});
	teardown(() => place.remove());

	const put = (name: string, id: string, body?: string): void => writeFileSync(join(path, name), mail(id, {}, body));
	const idsIn = (count: number): readonly string[] => Array.from({ length: count }, (_, at) => `m${at}@x`);

	for (const [from, to] of [
		['new/1.a', 'cur/1.a:2,'],
		['cur/1.a:2,', 'cur/1.a:2,FRSa'],
		['cur/1.a;2,S', 'cur/1.a!2,RS'],
		['cur/1.a', 'new/1.a'],
	] as const) {
		test(`keeps a mail whose file ${from} becomes ${to}`, async () => {
			put(from, 'one');
			const list = await place.read(path);
			renameSync(join(path, from), join(path, to));
			assert.equal((await textsOf(list, '<one@x>')).length, 1);
			assert.equal(await refreshed(list), 0);
			assert.deepEqual(await found(list, ''), ['one@x']);
		});
	}

	test('takes other ends of a name for other mails', async () => {
		const names = ['1.a:2,S.lock', '1.a:2,S', '1.a:1,S', '1.a:2,3', 'b.'];
		names.forEach((name, at) => put(`cur/${name}`, `m${at}`));
		put('cur/.hidden', 'hidden');
		const list = await place.read(path);
		assert.deepEqual((await found(list, '')).toSorted(), idsIn(names.length));
	});

	test('reads many mails in parts, and forgets those that are gone', async () => {
		idsIn(200).forEach((id, at) => put(`new/${at}`, id.replace('@x', '')));
		const list = await place.list(path);
		assert.equal(await refreshed(list), 200);
		idsIn(150).forEach((_, at) => rmSync(join(path, `new/${at}`)));
		assert.equal(await refreshed(list), 0);
		assert.deepEqual((await found(list, '')).toSorted(), idsIn(200).slice(150).toSorted());
		const { total } = await list.search({ query: '', from: 0, rows: 1 }, never);
		assert.equal(total, 50);
	});

	test('gives the whole of a long mail, and finds it by its beginning', async () => {
		const body = `first\n${'a line of it\n'.repeat(50_000)}last\n`;
		put('cur/1', 'long', body);
		const list = await place.read(path);
		assert.ok((await textsOf(list, '<long@x>'))[0]?.endsWith(`\n\n${body}`));
		assert.deepEqual(await found(list, 'first'), ['long@x']);
		assert.deepEqual(await found(list, 'last'), []);
	});

	test('gives nothing of a link or folder that took the place of a mail', async () => {
		const secret = join(place.folder, 'secret');
		writeFileSync(secret, mail('secret'));
		for (const [name, take] of [
			['link', (file: string) => symlinkSync(secret, file)],
			['folder', (file: string) => mkdirSync(file)],
			['nothing', (file: string) => file],
		] as const) {
			put(`cur/${name}`, name);
			const list = await place.read(path);
			rmSync(join(path, 'cur', name));
			take(join(path, 'cur', name));
			assert.deepEqual(await textsOf(list, `<${name}@x>`), [], name);
			await refreshed(list);
			assert.deepEqual(await found(list, ''), [], name);
		}
	});

	test('has one of its two folders at least', async () => {
		put('cur/1', 'one');
		rmSync(join(path, 'new'), { recursive: true });
		const list = await place.read(path);
		assert.deepEqual(await found(list, ''), ['one@x']);
		rmSync(join(path, 'cur'), { recursive: true });
		await assert.rejects(refreshed(list), { name: 'MailboxError', trouble: 'noMailbox' });
		await assert.rejects(place.read(path), { trouble: 'noMailbox' });
		// A folder that is away for a while costs no mail.
		mkdirSync(join(path, 'new'));
		put('new/1', 'one');
		await refreshed(list);
		assert.deepEqual(await found(list, ''), ['one@x']);
	});

	test('stops between mails', async () => {
		put('cur/1', 'one');
		put('cur/2', 'two');
		const list = await place.read(path);
		const rows = (await list.rowsOfThread('<one@x>', never)).concat(await list.rowsOfThread('<two@x>', never));
		const stop = new AbortController();
		const contents = folderOfMails(path, () => 0).contents(rows, stop.signal);
		assert.equal((await contents.next()).done, false);
		stop.abort();
		await assert.rejects(contents.next(), { name: 'AbortError' });
	});
});
