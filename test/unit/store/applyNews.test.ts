import assert from 'node:assert/strict';
import type { News } from 'sourcehut/port/news.ts';
import { applyNews } from '../../../src/store/applyNews.ts';
import { makeRepository } from '../../support/fakeRepositories.ts';
import { makeList } from '../../support/makeMail.ts';
import { makeTicket } from '../../support/makeTicket.ts';
import { standFor } from '../../support/standFor.ts';

suite('news', () => {
	test('reach only the store of their thing', () => {
		const told: string[] = [];
		const storeOf = (name: string) => ({ apply: ({ kind }: News) => void told.push(`${name} ${kind}`) });
		const stores = standFor<Parameters<typeof applyNews>[0]>({
			tickets: storeOf('tickets'),
			lists: storeOf('lists'),
			repositories: storeOf('repositories'),
		});
		applyNews(stores, { kind: 'ticketChanged', ticket: makeTicket() });
		applyNews(stores, { kind: 'listChanged', list: makeList() });
		applyNews(stores, {
			kind: 'repositoryChanged',
			ref: { owner: '~alice', name: 'lamp' },
			repository: makeRepository('lamp'),
		});
		assert.deepEqual(told, ['tickets ticketChanged', 'lists listChanged', 'repositories repositoryChanged']);
	});
});
