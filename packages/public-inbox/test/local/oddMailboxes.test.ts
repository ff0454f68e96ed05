import assert from 'node:assert/strict';
import { appendFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { indexAnswerer, type IndexAnswer, type IndexQuestion } from 'public-inbox/local/indexAnswerer.ts';
import { openDatabase, removeDatabase } from 'public-inbox/local/indexDatabase.ts';
import { LocalList, mailboxAt } from 'public-inbox/local/localList.ts';
import { MailIndex } from 'public-inbox/local/mailIndex.ts';
import { mailFacts } from 'public-inbox/local/mailFacts.ts';
import { parseQuery } from 'public-inbox/local/searchQuery.ts';
import { epochClone } from 'public-inbox/local/epochClone.ts';
import { testMachine } from '../../../../test/support/localMachine.ts';
import {
	epochServer,
	found,
	localPlace,
	mail,
	mbox,
	never,
	refreshed,
	textsOf,
} from '../../../../test/support/localMailbox.ts';

/** The thread of a window: one question at a time. */
function indexThread(): (question: IndexQuestion) => Promise<IndexAnswer> {
	const answer = indexAnswerer();
	let last: Promise<unknown> = Promise.resolve();
	return (question) => {
		const next = last.then(() => answer(question));
		last = next;
		return next;
	};
}

suite('mailboxes that change or are odd', function () {
	this.timeout(60_000);
	let place: ReturnType<typeof localPlace>;
	let path: string;
	setup(() => {
		place = localPlace();
		path = join(place.folder, 'mails.mbox');
	});
	teardown(() => place.remove());

	test('a file that is rewritten while it is read is right after the next refresh', async () => {
		const mails = Array.from({ length: 400 }, (_, at) => mail(`m${at}`, {}, `${'x'.repeat(100)}\n`));
		writeFileSync(path, mbox(...mails));
		const more = ['n1', 'n2', 'n3', 'n4'].map((id) => mail(id));
		const list = await place.list(path);
		let isDone = false;
		await list.refresh(() => {
			if (!isDone) {
				isDone = true;
				// The mail program compacts in place: mail 100 is gone.
				writeFileSync(path, mbox(...mails.filter((_, at) => at !== 100), ...more));
			}
		}, never);
		await refreshed(list);
		utimesSync(path, 5, 5);
		await refreshed(list);
		appendFileSync(path, mbox(mail('new')));
		await refreshed(list);
		assert.equal((await found(list, 'm:m100@x')).length, 0, 'removed mail is still found');
		assert.equal((await textsOf(list, '<m399@x>')).length, 1, 'mail behind is unreadable');
	});

	test('a last mail that another one of the same size replaces is read', async () => {
		const [one, two, three] = [mail('one', {}, `${'y'.repeat(5000)}\n`), mail('two'), mail('tri')];
		writeFileSync(path, mbox(one, two));
		const list = await place.read(path);
		writeFileSync(path, mbox(one, three));
		utimesSync(path, 9, 9);
		await refreshed(list);
		assert.deepEqual(await found(list, ''), ['tri@x', 'one@x']);
	});

	test('a mail is never answered with the text of another one', async () => {
		const [one, two, three] = [mail('one'), mail('two'), mail('tri')];
		writeFileSync(path, mbox(one, two, three));
		const list = await place.read(path);
		writeFileSync(path, mbox(two, three));
		assert.deepEqual(await textsOf(list, '<one@x>'), []);
	});

	test('a separator near the end of a chunk begins one mail', async () => {
		for (const off of [0, 1, 2, 3, 4]) {
			const p = join(place.folder, `c${off}.mbox`);
			const two = mbox(mail('two', {}, `${'z'.repeat(9000)}\n`));
			const want = 1024 * 1024 - 2048 - off;
			const bare = mbox(mail('one', {}, '\n')).length;
			const one = mbox(mail('one', {}, `${'x'.repeat(want - bare)}\n`));
			assert.equal(one.length, want);
			writeFileSync(p, Buffer.concat([one, two]));
			const other = localPlace();
			const list = await other.list(p);
			const count = await refreshed(list);
			await other.remove();
			assert.equal(count, 2, `offset ${off}`);
		}
	});

	test('a number that is used again joins no strange thread', async () => {
		const maildir = place.maildir();
		writeFileSync(join(maildir, 'new/1'), mail('root', { Date: 'Fri, 1 May 2026 10:00:00 +0000' }));
		writeFileSync(
			join(maildir, 'new/2'),
			mail('reply', { References: '<root@x>', Date: 'Fri, 1 May 2026 12:00:00 +0000' }),
		);
		const list = await place.read(maildir);
		rmSync(join(maildir, 'new/1'));
		await refreshed(list);
		writeFileSync(join(maildir, 'new/3'), mail('other', { Date: 'Fri, 1 May 2026 10:00:00 +0000' }));
		await refreshed(list);
		assert.deepEqual(
			(await list.rowsOfThread('<other@x>', never)).map(({ messageId }) => messageId),
			['<other@x>'],
		);
	});

	test('a full last second makes no endless recursion', async () => {
		for (const date of ['Fri, 31 Dec 9999 00:00:00 +0000', 'Fri, 1 May 1959 00:00:00 +0000']) {
			const file = join(place.folder, `i${date.length}${date.slice(-14, -12)}.sqlite`);
			const database = await openDatabase(file);
			const index = new MailIndex(database);
			const add = async (id: string) =>
				index.step(
					[{ place: id, stamp: '', size: 1, facts: await mailFacts(mail(id, { Date: date })) }],
					[],
					undefined,
					index.progress().life,
				);
			await add('one');
			// As if 262143 more mails of hostile dates were there.
			database.exec(`UPDATE mails SET num = num + ${2 ** 18 - 1}`);
			await add('two');
			database.close();
		}
	});

	test('a new history of the newest epoch keeps the mails of older epochs', async () => {
		const machine = testMachine();
		try {
			const archive = epochServer(machine);
			const base = {
				git: archive.git,
				folder: join(place.folder, 'clone.git'),
				depth: undefined,
				mostMebibytes: 100,
				nowMs: () => Date.now(),
			};
			let clone = epochClone({ ...base, address: 'ssh://archive.test/list/0' });
			let list = new LocalList(clone, place.ask, place.file, Date.now);
			archive.commit('0', [['m', mail('one')]]);
			await clone.fetch(never);
			await refreshed(list);
			clone = epochClone({ ...base, address: 'ssh://archive.test/list/1' });
			list = new LocalList(clone, place.ask, place.file, Date.now);
			archive.commit('1', [['m', mail('secret')]]);
			await clone.fetch(never);
			await refreshed(list);
			assert.deepEqual(await found(list, ''), ['secret@x', 'one@x']);
			machine.plain(join(archive.folder, '1'), 'update-ref', '-d', 'refs/heads/master');
			archive.commit('1', [['m', mail('two')]]);
			await clone.fetch(never);
			await refreshed(list);
			assert.deepEqual(await found(list, ''), ['two@x', 'one@x']);
		} finally {
			machine.remove();
		}
	});

	test('a search that finds a damaged index while mails are read loses no mails', async () => {
		const mails = Array.from({ length: 600 }, (_, at) => mail(`d${at}`));
		writeFileSync(path, mbox(...mails));
		let search: Promise<unknown> | undefined;
		let isLost = false;
		// The answerer finds the damage with a question of the search, and makes the index anew.
		const ask = async (question: IndexQuestion): Promise<IndexAnswer> => {
			if (!isLost && question.kind === 'search') {
				isLost = true;
				await place.ask({ kind: 'close', file: place.file }, never);
				removeDatabase(place.file);
				return { kind: 'trouble', trouble: 'lost' };
			}
			return await place.ask(question, never);
		};
		const list = new LocalList(await mailboxAt(path, Date.now), ask, place.file, Date.now);
		await list.refresh((count) => {
			if (count >= 256) {
				search ??= list.search({ query: 'subject', from: 0, rows: 1 }, never);
			}
		}, never);
		await search;
		await refreshed(list);
		assert.equal((await list.search({ query: '', from: 0, rows: 1 }, never)).total, 600);
	});

	test('two windows that see a rewritten file lose no mails when one of them is closed', async () => {
		const mails = Array.from({ length: 1500 }, (_, at) => mail(`w${at}`));
		writeFileSync(path, mbox(...mails));
		await place.read(path);
		writeFileSync(path, mbox(...mails.slice(1)));
		// Two threads with one index.
		const [a, b] = [indexThread(), indexThread()];
		let steps = 0;
		const hold = Promise.withResolvers<void>();
		const bKnows = Promise.withResolvers<void>();
		const askB = async (question: IndexQuestion): Promise<IndexAnswer> => {
			if (question.kind === 'clear') {
				bKnows.resolve();
				await hold.promise;
			}
			steps += question.kind === 'step' ? 1 : 0;
			// The window is closed.
			return steps > 2 ? { kind: 'trouble', trouble: 'failed' } : await b(question);
		};
		const two = new LocalList(await mailboxAt(path, Date.now), askB, place.file, Date.now);
		const ended = assert.rejects(
			two.refresh(() => undefined, never),
			{ trouble: 'failed' },
		);
		await bKnows.promise;
		const one = new LocalList(await mailboxAt(path, Date.now), a, place.file, Date.now);
		const first = one.refresh((count) => count >= 640 && hold.resolve(), never);
		await Promise.all([ended, first]);
		await refreshed(one);
		assert.deepEqual(await a({ kind: 'count', file: place.file }), { kind: 'count', count: 1499 });
		await a({ kind: 'close', file: place.file });
		await b({ kind: 'close', file: place.file });
	});

	test('a mail that joins a small thread to a large one renames the small one', async () => {
		const database = await openDatabase(place.file);
		const index = new MailIndex(database);
		const facts = await mailFacts(mail('x'));
		const step = (id: string, ...references: readonly string[]): boolean => {
			const added = [{ place: id, stamp: '', size: 1, facts: { ...facts, messageId: `<${id}>`, references } }];
			return index.step(added, [], undefined, index.progress().life);
		};
		for (let at = 0; at < 300; at += 1) {
			step(`large-${at}`, '<hub>');
		}
		step('small');
		const changes = (): number => Number(database.prepare('SELECT total_changes() AS changes').get()?.['changes']);
		const before = changes();
		step('joining', '<small>', '<hub>');
		assert.ok(changes() - before < 50, String(changes() - before));
		assert.equal(index.thread('<small>', 1000).length, 302);
		database.close();
	});

	test('a mail of many lines is searchable by the first ones', async () => {
		const { texts } = await mailFacts(mail('x', {}, `${'\n'.repeat(19_000)}early\n${'\n'.repeat(2000)}late\n`));
		assert.deepEqual([texts.unquoted.includes('early'), texts.unquoted.includes('late')], [true, false]);
	});

	test('every search has an answer', async () => {
		writeFileSync(path, mbox(mail('one')));
		const list = await place.read(path);
		for (const query of [
			'm:a '.repeat(400),
			'm:a OR '.repeat(200) + 'm:b',
			'-m:a '.repeat(200),
			'z:1.. '.repeat(400),
			'd:2026-05-01.. '.repeat(400),
			'(m:a OR '.repeat(49) + 'one',
			'NOT (m:a OR '.repeat(49) + 'one',
			'one '.repeat(400),
			'-one '.repeat(200),
			'(one OR two) '.repeat(80),
			'(one NOT two) '.repeat(80),
			'(one NOT (two OR '.repeat(24) + 'x',
			'\u0301',
			'\u0301 OR subject',
			'NOT \u0301',
			'𰀀',
			'subject 𰀀',
			'NOT 𰀀',
			'"one \ud800 two"',
			'dfpre:\u0301',
			'dfpre:0123456𰀀𰀀',
			'dfblob:' + 'a'.repeat(100),
			'dfpre:abcdefg/hijklmn',
			's:' + 'a'.repeat(7000),
			'0.5*',
			'm:\0',
			'm:*',
			'one\0two',
			'd:99999999..',
			'd:00000000',
			'rt:99999999999..',
			'rt:..0',
		]) {
			await list
				.search({ query, from: 0, rows: 5 }, never)
				.catch((error: unknown) => assert.fail(`${query.slice(0, 60)}: ${String(error)}`));
		}
	});

	test('a prefix of a group counts for all of its words', () => {
		const now = Date.UTC(2026, 4, 20, 12);
		const node = parseQuery('f:(alice OR bob)', now);
		assert.ok(
			node?.kind === 'any' && node.nodes.every((each) => each.kind === 'words' && each.parts.join('') === 'from'),
			JSON.stringify(node),
		);
	});

	test('a Message-ID with one bracket has one', async () => {
		assert.equal((await mailFacts(mail('x', { 'Message-ID': '<half@x' }))).messageId, '<half@x>');
	});

	test('a mail that names itself as its parent has none', async () => {
		assert.equal((await mailFacts(mail('self', { 'In-Reply-To': '<self@x>' }))).parentId, undefined);
	});

	test('a minus before brackets is a NOT', () => {
		assert.equal(parseQuery('-(a OR b)', 0)?.kind, 'not');
	});

	test('a line feed begins a line, and a carriage return alone does not', async () => {
		writeFileSync(
			path,
			mbox(mail('cr', {}, 'one\n'))
				.toString()
				.replace('one', 'one\r>From two'),
		);
		const list = await place.read(path);
		assert.ok((await textsOf(list, '<cr@x>'))[0]?.includes('one\r>From two'));
	});
});
