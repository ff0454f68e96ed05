import assert from 'node:assert/strict';
import { threadsOf, threadsWithReplies } from '../../../../src/store/lists/listThreads.ts';
import { makeMail } from '../../../support/makeMail.ts';

suite('threads of a list', () => {
	test('first mails alone are threads of their own, the newest first', () => {
		const threads = threadsOf([makeMail({ id: 1, subject: 'one' }), makeMail({ id: 5, subject: 'five' })]);
		assert.deepEqual(
			threads.map(({ id, subject }) => [id, subject]),
			[
				[5, 'five'],
				[1, 'one'],
			],
		);
	});

	test('all mails of a list come out as the same threads, ordered by their newest mail', () => {
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

	test('the newest reply that is known moves its thread up, where the list tells first mails only', () => {
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

	test('a thread whose first mail was not read yet goes by the subject of its answers', () => {
		const [thread] = threadsOf([makeMail({ id: 9, threadId: 1, subject: 'Re: RE: one' })]);
		assert.deepEqual([thread?.id, thread?.first, thread?.subject], [1, undefined, 'one']);
	});
});
