import assert from 'node:assert/strict';
import { threadsOfPatches } from '../../src/graphql/lists/rawMails.ts';
import { fakeClock } from '../../../../test/support/fakeClock.ts';
import { standFor } from '../../../../test/support/standFor.ts';

type Thread = Parameters<ReturnType<typeof threadsOfPatches>['told']>[0];

suite('cache of threads delivered with patches', () => {
	const thread = (rootId: number): Thread => standFor<Thread>({ rootId });

	test('returns a thread once', () => {
		const threads = threadsOfPatches(fakeClock());
		const one = threads.told(thread(1));
		assert.equal(threads.taken(1), one);
		assert.equal(threads.taken(1), undefined);
	});

	test('drops threads after ten seconds, because of possible replies', () => {
		const clock = fakeClock();
		const threads = threadsOfPatches(clock);
		const [one] = [threads.told(thread(1)), threads.told(thread(2))];
		clock.advance(10_000);
		assert.equal(threads.taken(1), one);
		clock.advance(1);
		assert.equal(threads.taken(2), undefined);
	});

	test('keeps only the most recent few', () => {
		const threads = threadsOfPatches(fakeClock());
		Array.from({ length: 9 }, (_, at) => threads.told(thread(at)));
		assert.equal(threads.taken(0), undefined);
		assert.notEqual(threads.taken(1), undefined);
	});
});
