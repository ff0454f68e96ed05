import assert from 'node:assert/strict';
import { threadOrder, type ThreadItem } from '../../../../../src/features/lists/thread/threadOrder.ts';

function item(id: number, parentId?: number, createdMs = id): ThreadItem {
	return { id, parentId, createdMs };
}

function shape(items: readonly ThreadItem[]): string {
	return threadOrder(items)
		.map(({ mail, depth }) => `${'>'.repeat(depth)}${mail.id}`)
		.join(' ');
}

suite('thread order', () => {
	test('puts replies below their parents, oldest first, in any input order', () => {
		assert.equal(shape([item(4, 2), item(1), item(3, 1), item(2, 1), item(5, 4)]), '1 >2 >>4 >>>5 >3');
	});

	test('orders simultaneous replies by id', () => {
		assert.equal(shape([item(1), item(9, 1, 5), item(3, 1, 5)]), '1 >3 >9');
	});

	test('puts a reply to a missing message at the top level', () => {
		assert.equal(shape([item(1), item(3, 77), item(4, 3)]), '1 3 >4');
	});

	test('allows 200,000 replies to one message', () => {
		const replies = Array.from({ length: 200_000 }, (_, at) => item(at + 2, 1));
		assert.equal(threadOrder([item(1), ...replies]).length, 200_001);
	});

	test('includes each message of a reply cycle once', () => {
		assert.equal(shape([item(1), item(2, 3), item(3, 2), item(4, 4)]), '1 4 2 >3');
	});

	test('allows a chain of 10,000 replies', () => {
		const chain = Array.from({ length: 10_000 }, (_, at) => item(at + 1, at === 0 ? undefined : at));
		assert.equal(threadOrder(chain).at(-1)?.depth, 9999);
	});
});
