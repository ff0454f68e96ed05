import assert from 'node:assert/strict';
import type { DatabaseSync } from 'node:sqlite';
import { openDatabase } from '../../src/local/indexDatabase.ts';
import { mailFacts, type MailFacts } from '../../src/local/mailFacts.ts';
import { MailIndex, type PlacedFacts } from '../../src/local/mailIndex.ts';
import { parseQuery } from '../../src/local/searchQuery.ts';
import { mail } from '../../../../test/support/localMailbox.ts';

const startMs = Date.UTC(2026, 4, 1);

suite('the tables of an index', () => {
	let database: DatabaseSync;
	let index: MailIndex;
	let blank: MailFacts;
	suiteSetup(async () => {
		blank = await mailFacts(mail('blank'));
	});
	setup(async () => {
		database = await openDatabase(':memory:');
		index = new MailIndex(database);
	});
	teardown(() => database.close());

	/** A mail `seconds` behind the start. Its digest is its place, unless it is given. */
	function placed(place: string, id: string, seconds: number, more: Partial<MailFacts> = {}): PlacedFacts {
		const facts = { ...blank, messageId: `<${id}>`, receivedMs: startMs + seconds * 1000, digest: place, ...more };
		return { place, stamp: '', size: 10, facts };
	}

	const step = (...added: readonly PlacedFacts[]): boolean => index.step(added, [], undefined, index.progress().life);
	const ids = (rows: readonly { readonly messageId: string }[]): string =>
		rows.map(({ messageId }) => messageId.slice(1, -1)).join(' ');
	const all = (): string => ids(index.search(undefined, 0, 100).rows);
	const thread = (id: string, most = 100): string => ids(index.thread(`<${id}>`, most));

	test('sorts by arrival, and within a second by its steps', () => {
		step(placed('1', 'late', 9), placed('2', 'early', 1), placed('3', 'same', 9));
		step(placed('4', 'last', 9), placed('5', 'first', 0));
		assert.equal(all(), 'last same late early first');
		assert.equal(index.count(), 5);
	});

	test('goes on in the next second where one is full', () => {
		step(placed('1', 'one', 0));
		database.exec(`UPDATE mails SET num = num + ${2 ** 18 - 1}`);
		step(placed('2', 'two', 0), placed('3', 'three', 1));
		assert.equal(all(), 'three two one');
	});

	test('keeps a known place with its stamp, and replaces it with another stamp', () => {
		step(placed('1', 'one', 0));
		step({ ...placed('1', 'other', 0) });
		assert.equal(all(), 'one');
		step({ ...placed('1', 'other', 0), stamp: 'changed' });
		assert.equal(all(), 'other');
		assert.deepEqual(index.places('', 9), [{ place: '1', stamp: 'changed' }]);
		assert.deepEqual(
			index.unknown([
				{ place: '1', stamp: 'changed' },
				{ place: '1', stamp: '' },
				{ place: '2', stamp: '' },
			]),
			[
				{ place: '1', stamp: '' },
				{ place: '2', stamp: '' },
			],
		);
	});

	test('keeps equal mails of two places until both are gone', () => {
		step(placed('1', 'one', 0, { digest: 'd' }), placed('2', 'one', 0, { digest: 'd' }), placed('3', 'one', 0));
		assert.equal(all(), 'one one');
		index.step([], ['1', 'unknown'], undefined, index.progress().life);
		assert.equal(all(), 'one one');
		assert.deepEqual(
			index.texts('<one>').map(({ place, size }) => [place, size]),
			[
				['2', 10],
				['3', 10],
			],
		);
		index.step([], ['2'], undefined, index.progress().life);
		assert.equal(all(), 'one');
		index.step([], ['3'], undefined, index.progress().life);
		const node = parseQuery('blank', 0);
		assert.deepEqual([all(), index.search(node, 0, 5).rows, index.texts('<one>')], ['', [], []]);
	});

	test('remembers its position until it forgets all', () => {
		assert.equal(index.progress().reached, undefined);
		index.step([placed('1', 'one', 0)], [], 'here', index.progress().life);
		step(placed('2', 'two', 0, { references: ['<one>'] }));
		assert.equal(index.progress().reached, 'here');
		index.step([], [], 'there', index.progress().life);
		assert.equal(index.progress().reached, 'there');
		index.clear();
		assert.deepEqual(
			[
				index.progress().reached,
				index.count(),
				index.places('', 9),
				thread('one'),
				index.search(parseQuery('blank', 0), 0, 5).total,
			],
			[undefined, 0, [], '', 0],
		);
	});

	test('takes a whole step or nothing of it', () => {
		const broken = placed('2', 'two', 1, { sentMs: 0.5 });
		assert.throws(() => index.step([placed('1', 'one', 0), broken], [], 'here', index.progress().life));
		assert.deepEqual([index.count(), index.progress().reached], [0, undefined]);
		step(placed('1', 'one', 0));
		assert.equal(all(), 'one');
	});

	test('gives its places in slices', () => {
		step(...['b', 'a', 'd', 'c'].map((place) => placed(place, place, 0)));
		const slice = (after: string, most: number): string =>
			index
				.places(after, most)
				.map(({ place }) => place)
				.join('');
		assert.deepEqual([slice('', 3), slice('c', 3), slice('d', 3)], ['abc', 'd', '']);
	});

	test('gives pages with their place, and a total that ends with an estimate', () => {
		step(...Array.from({ length: 1100 }, (_, at) => placed(`${at}`, `m${at}`, at)));
		const word = parseQuery('blank', 0);
		for (const node of [undefined, word, parseQuery('z:1..', 0)]) {
			const pages = [
				[0, 2, 0, 2, 1002, true],
				[99, 1, 99, 100, 1100, true],
				[100, 1, 100, 101, 1100, false],
				[1099, 5, 1099, 1100, 1100, false],
				[1100, 5, 1100, 1100, 1100, false],
				[5000, 5, 5000, 5000, 1100, false],
				[0, 5000, 0, 1000, 1100, false],
			] as const;
			for (const [from, wanted, ...expected] of pages) {
				const page = index.search(node, from, wanted);
				assert.deepEqual([page.from, page.to, page.total, page.isEstimate], expected, `${from} ${wanted}`);
				assert.equal(page.rows.length, page.to - page.from);
			}
			assert.equal(ids(index.search(node, 1, 2).rows), 'm1098 m1097');
		}
	});

	test('gives rows with all of their facts, and without those that a mail lacks', () => {
		const { subject, author, address, sentMs } = blank;
		step(placed('1', 'one', 0, { parentId: '<p>' }), placed('2', 'two', 1, { sentMs: undefined, parentId: undefined }));
		assert.deepEqual(index.search(undefined, 0, 5).rows, [
			{ messageId: '<two>', subject, author, address, dateMs: undefined, parentId: undefined },
			{ messageId: '<one>', subject, author, address, dateMs: sentMs, parentId: '<p>' },
		]);
	});

	test('joins all threads that a mail names, also by ids of missing mails', () => {
		const names = (...references: readonly string[]) => ({ references: references.map((id) => `<${id}>`) });
		step(
			placed('1', 'a', 1, names('ghost')),
			placed('2', 'b', 2, names('other')),
			placed('3', 'c', 3),
			placed('4', 'd', 4, names('ghost')),
		);
		assert.deepEqual(
			['a', 'ghost', 'b', 'other', 'c', 'none'].map((id) => thread(id)),
			['a d', 'a d', 'b', 'b', 'c', ''],
		);
		step(placed('5', 'e', 5, names('c', 'ghost', 'new', 'other', 'new')));
		for (const id of ['a', 'b', 'c', 'd', 'e', 'ghost', 'other', 'new']) {
			assert.equal(thread(id), 'a b c d e', id);
		}
		assert.equal(thread('a', 2), 'a b');
		index.step([], ['5'], undefined, index.progress().life);
		assert.equal(thread('a'), 'a b c d');
	});

	test('answers more kinds of searches than it keeps statements', () => {
		step(placed('1', 'one', 0), placed('2', 'two', 1));
		for (let at = 1; at < 150; at += 1) {
			const node = parseQuery(`m:one ${'OR m:none '.repeat(at)}`, 0);
			assert.equal(ids(index.search(node, 0, 5).rows), 'one');
		}
	});
});
