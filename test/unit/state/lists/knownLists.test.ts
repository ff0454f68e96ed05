import assert from 'node:assert/strict';
import { distinctLists, listsHere } from '../../../../src/state/lists/knownLists.ts';

suite('lists that are known', () => {
	test('each stands once, where it first does and as it is written there, whatever the case of its letters', () => {
		const own = { owner: '~alice', name: 'Devel' };
		const news = { owner: '~alice', name: 'news' };
		const others = { owner: '~bob', name: 'bobs' };
		assert.deepEqual(distinctLists([own, news, { owner: '~alice', name: 'devel' }, others, news]), [own, news, others]);
	});

	test('are all only once both kinds were read to their end', () => {
		const whole = { items: [], completeness: { kind: 'complete' } } as const;
		const part = { items: [], completeness: { kind: 'more', total: 60 } } as const;
		const areAll = (lists: typeof whole | typeof part, subscriptions: typeof whole | typeof part): boolean =>
			listsHere({
				knownOwn: () => ({ lists, subscriptions }),
				listsBefore: () => undefined,
				followedLists: () => [],
			}).areAll;
		assert.deepEqual([areAll(whole, whole), areAll(part, whole), areAll(whole, part)], [true, false, false]);
	});
});
