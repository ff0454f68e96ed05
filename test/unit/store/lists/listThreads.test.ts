import assert from 'node:assert/strict';
import { threadsOf, threadsWithReplies } from '../../../../src/store/lists/listThreads.ts';
import { makeMail } from '../../../support/makeMail.ts';

suite('threads of a list', () => {
	test('from first messages alone are sorted by date, newest first', () => {
		const threads = threadsOf([makeMail({ id: 1, subject: 'one' }), makeMail({ id: 5, subject: 'five' })]);
		assert.deepEqual(
			threads.map(({ id, subject }) => [id, subject]),
			[
				[5, 'five'],
				[1, 'one'],
			],
		);
	});

	test('from all messages are the same, sorted by their newest message', () => {
		const threads = threadsOf([
			makeMail({ id: 9, threadId: 1, subject: 'Re: one' }),
			makeMail({ id: 5, subject: 'five' }),
			makeMail({ id: 1, subject: 'one' }),
		]);
		assert.deepEqual(
			threads.map(({ id, subject, latest }) => [id, subject, latest.id]),
			[
				[1, 'one', 9],
				[5, 'five', 5],
			],
		);
	});

	test('move up with their newest loaded reply if the list shows only first messages', () => {
		const posts = [makeMail({ id: 5, subject: 'five' }), makeMail({ id: 1, subject: 'one' })];
		const reply = makeMail({ id: 9, threadId: 1, subject: 'Re: one' });
		const threads = threadsWithReplies(posts, (id) => (id === 1 ? reply : undefined));
		assert.deepEqual(
			threads.map(({ id, latest }) => [id, latest.id]),
			[
				[1, 9],
				[5, 5],
			],
		);
	});

	test('without their first message use the subject of a reply', () => {
		const [thread] = threadsOf([makeMail({ id: 9, threadId: 1, subject: 'Re: RE: one' })]);
		assert.deepEqual([thread?.id, thread?.first, thread?.subject], [1, undefined, 'one']);
	});
});
