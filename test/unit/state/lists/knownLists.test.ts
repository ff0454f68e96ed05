import assert from 'node:assert/strict';
import { distinctLists } from '../../../../src/state/lists/knownLists.ts';

suite('lists that are known', () => {
	test('each stands once, where it first does and as it is written there, whatever the case of its letters', () => {
		const own = { owner: '~alice', name: 'Devel' };
		const news = { owner: '~alice', name: 'news' };
		const others = { owner: '~bob', name: 'bobs' };
		assert.deepEqual(distinctLists([own, news, { owner: '~alice', name: 'devel' }, others, news]), [own, news, others]);
	});
});
