import assert from 'node:assert/strict';
import type { SearchRow } from '../../src/read/searchPage.ts';
import { changeIdQuery, titleKey, versionsIn, versionsQuery } from '../../src/series/otherVersions.ts';

suite('other versions of a series', () => {
	function row(messageId: string, subject: string, minute = 0): SearchRow {
		return { messageId: `<${messageId}@x>`, subject, author: 'Ann', dateMs: minute * 60_000 };
	}

	const quoting = ['ann@a.example" OR f:"eve', 'say "hello" \t "world"'] as const;

	test('have searches by title and address, and quotes end no phrase', () => {
		const [address, title] = quoting;
		assert.equal(versionsQuery(title, 'ann@a.example'), 's:"say hello world" AND f:"ann@a.example" AND NOT s:re:');
		assert.equal(versionsQuery('fold', address), 's:"fold" AND f:"ann@a.example OR f:eve" AND NOT s:re:');
		assert.equal(
			changeIdQuery('2026"-fold', address),
			'nq:"change-id: 2026-fold" AND f:"ann@a.example OR f:eve" AND NOT nq:"prerequisite-change-id: 2026-fold" AND NOT s:re:',
		);
	});

	test('have searches by the first whole words of a long title, and by the sender alone without words', () => {
		assert.equal(
			versionsQuery(`${'w'.repeat(100)} long${'w'.repeat(100)}`, 'a@x'),
			`s:"${'w'.repeat(100)}" AND f:"a@x" AND NOT s:re:`,
		);
		assert.equal(versionsQuery('...', 'a@x'), 'f:"a@x" AND NOT s:re:');
	});

	test('are the nearest ones among the hits, and the later one of a version sent twice', () => {
		const rows = [
			row('5', '[PATCH v5] fold', 50),
			row('4', '[PATCH v4] fold', 40),
			row('3', '[PATCH v3] Fold ', 30),
			row('2b', '[PATCH v2] fold', 22),
			row('2a', '[PATCH v2] fold', 20),
			row('1', '[PATCH] fold', 10),
			row('3x', '[PATCH v3] fold the other one', 31),
			row('2r', 'Re: [PATCH v2] fold', 29),
		];
		const names = (version: number, subject: string | undefined, among = rows) => {
			const found = versionsIn(among, subject).find(({ row: each }) => each.version === version);
			return [found?.before?.messageId, found?.after?.messageId];
		};
		assert.deepEqual(names(3, 'fold'), ['<2b@x>', '<4@x>']);
		assert.deepEqual(names(1, 'fold'), [undefined, '<2b@x>']);
		assert.deepEqual(names(5, 'fold'), ['<4@x>', undefined]);
		assert.deepEqual(names(3, '  FOLD  the other\tone'), [undefined, undefined]);
		// A title counts only where it is given.
		assert.deepEqual(names(4, undefined), ['<3x@x>', '<5@x>']);
		assert.deepEqual(versionsIn([], 'fold'), []);
		assert.deepEqual(
			versionsIn(rows, 'fold').map(({ row: each }) => each.messageId),
			['<5@x>', '<4@x>', '<3@x>', '<2b@x>', '<2a@x>', '<1@x>'],
		);
		// Numbers count, not dates.
		const unordered = [
			row('1', '[PATCH] a', 60),
			row('3', '[PATCH v3] a', 10),
			row('5', '[PATCH v5] a', 50),
			row('2', '[PATCH v2] a', 20),
			row('4', '[PATCH v4] a', 70),
		];
		assert.deepEqual(names(3, 'a', unordered), ['<2@x>', '<4@x>']);
	});

	test('have titles that differ in case and space at most', () => {
		assert.equal(titleKey(' Fold\n  the  SHEET '), 'fold the sheet');
		assert.notEqual(titleKey('fold the sheet'), titleKey('fold thesheet'));
	});
});
