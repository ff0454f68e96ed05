import assert from 'node:assert/strict';
import { threadOrder, type ThreadItem } from '../../../../../src/features/lists/thread/threadOrder.ts';

suite('replies to missing messages', () => {
	test('appear by time at the top level, with their own replies below', () => {
		const mails: readonly ThreadItem[] = [
			{ id: 1, parentId: undefined, createdMs: 20 },
			{ id: 2, parentId: 99, createdMs: 10 },
			{ id: 3, parentId: 2, createdMs: 40 },
			{ id: 4, parentId: 4, createdMs: 30 },
		];
		assert.deepEqual(
			threadOrder(mails).map(({ mail, depth }) => [mail.id, depth]),
			[
				[2, 0],
				[3, 1],
				[1, 0],
				[4, 0],
			],
		);
	});
});
