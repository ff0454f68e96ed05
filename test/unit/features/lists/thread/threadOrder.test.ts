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

suite('the order of a thread', () => {
	test('answers follow what they answer, oldest first, whatever order they came in', () => {
		assert.equal(shape([item(4, 2), item(1), item(3, 1), item(2, 1), item(5, 4)]), '1 >2 >>4 >>>5 >3');
	});

	test('of answers that came at the same time the lower number is the older one', () => {
		assert.equal(shape([item(1), item(9, 1, 5), item(3, 1, 5)]), '1 >3 >9');
	});

	test('an answer to a mail that is not there stands beside the beginning', () => {
		assert.equal(shape([item(1), item(3, 77), item(4, 3)]), '1 3 >4');
	});

	test('one mail may have 200,000 replies', () => {
		const replies = Array.from({ length: 200_000 }, (_, at) => item(at + 2, 1));
		assert.equal(threadOrder([item(1), ...replies]).length, 200_001);
	});

	test('mails that answer each other in a circle come once each', () => {
		assert.equal(shape([item(1), item(2, 3), item(3, 2), item(4, 4)]), '1 4 2 >3');
	});

	test('a chain of ten thousand answers is no deeper than memory', () => {
		const chain = Array.from({ length: 10_000 }, (_, at) => item(at + 1, at === 0 ? undefined : at));
		assert.equal(threadOrder(chain).at(-1)?.depth, 9999);
	});
});
