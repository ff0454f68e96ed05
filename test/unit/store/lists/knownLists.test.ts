import assert from 'node:assert/strict';
import { isForgeError } from 'sourcehut/port/forgeError.ts';
import { allLists, distinctLists, listsHere } from '../../../../src/store/lists/knownLists.ts';
import type { Lists } from '../../../../src/store/lists/lists.ts';
import { fake } from '../../../support/fake.ts';
import { makeList } from '../../../support/makeMail.ts';

suite('known lists', () => {
	test('appear once, in their first spelling, regardless of case', () => {
		const own = { owner: '~alice', name: 'Devel' };
		const news = { owner: '~alice', name: 'news' };
		const others = { owner: '~bob', name: 'bobs' };
		assert.deepEqual(distinctLists([own, news, { owner: '~alice', name: 'devel' }, others, news]), [own, news, others]);
	});

	test('include an error if the forge has more lists than it shows', async () => {
		const listing = {
			items: [makeList()],
			completeness: { kind: 'more', total: undefined, isLast: true },
		} as const;
		const { lists, failure } = await allLists(
			fake<Lists>({
				own: fake<Lists['own']>({
					first: async () => listing,
					more: () => assert.fail('there is no further page'),
				}),
				subscriptions: fake<Lists['subscriptions']>({
					first: async () => ({ items: [], completeness: { kind: 'complete' } }),
					more: () => assert.fail('they are complete'),
				}),
				followed: fake<Lists['followed']>({ all: () => [] }),
			}),
			new AbortController().signal,
		);
		assert.equal(lists.length, 1);
		assert.ok(isForgeError(failure?.error) && failure.error.problem.kind === 'incomplete');
	});

	test('are complete only after both kinds load to the end', () => {
		const whole = { items: [], completeness: { kind: 'complete' } } as const;
		const part = { items: [], completeness: { kind: 'more', total: 60 } } as const;
		const areAll = (lists: typeof whole | typeof part, subscriptions: typeof whole | typeof part): boolean =>
			listsHere(
				fake<Lists>({
					own: fake<Lists['own']>({ known: () => lists }),
					subscriptions: fake<Lists['subscriptions']>({ known: () => subscriptions }),
					oldest: () => undefined,
					followed: fake<Lists['followed']>({ all: () => [] }),
				}),
			).areAll;
		assert.deepEqual([areAll(whole, whole), areAll(part, whole), areAll(whole, part)], [true, false, false]);
	});
});
