import assert from 'node:assert/strict';
import { TicketStore } from '../../../../src/store/tickets/ticketStore.ts';
import { followsElsewhere } from '../../../../src/store/shared/followsElsewhere.ts';
import { keptNames } from '../../../support/fakeConnection.ts';
import { fakeClock } from '../../../support/fakeClock.ts';
import { fakeTrackers } from '../../../support/fakeForge.ts';
import { fakeLists, listConnection } from '../../../support/fakeLists.ts';
import { fakeRepositories, fakeStore, makeRepository } from '../../../support/fakeRepositories.ts';
import { makeList } from '../../../support/makeMail.ts';
import { makeTracker, makeUser } from '../../../support/makeTicket.ts';

const { signal: never } = new AbortController();

suite('follow in another window', () => {
	test('appears here within seconds, once and without a request', async () => {
		const clock = fakeClock();
		const [trackerNames, listNames, repositoryNames] = [keptNames(), keptNames(), keptNames()];
		const open = () => {
			const [trackers, mails, git] = [fakeTrackers(), fakeLists(), fakeRepositories()];
			const bob = makeUser('bob');
			trackers.world.trackers.push(makeTracker({ owner: bob, name: 'beta' }));
			mails.world.lists.push(makeList({ owner: bob }));
			git.world.repositories.push(makeRepository('quill', { owner: bob }));
			const tickets = new TicketStore({ api: trackers.api, me: '~alice', followed: trackerNames, clock });
			const { lists } = listConnection(mails.api, '~alice', listNames);
			const repositories = fakeStore(git, { followed: repositoryNames });
			const told: string[] = [];
			tickets.onDidChange(({ kind }) => told.push(kind));
			lists.onDidChange(({ kind }) => told.push(kind));
			repositories.onDidChange(({ kind }) => told.push(kind));
			const looks = followsElsewhere([tickets, lists, repositories], clock);
			const calls = (): number => [trackers, mails, git].flatMap(({ world }) => world.calls).length;
			return { tickets, lists, repositories, told, looks, calls };
		};
		const [here, other] = [open(), open()];
		await other.tickets.follow({ owner: '~bob', name: 'beta' }, never);
		await other.lists.follow({ owner: '~bob', name: 'devel' }, never);
		await other.repositories.follow({ owner: '~bob', name: 'quill' }, never);
		const atOnce = [...other.told];
		assert.deepEqual(here.told, []);
		clock.advance(10_000);
		assert.deepEqual(here.told, ['trackers', 'lists', 'repositories']);
		assert.deepEqual(here.tickets.trackers.followed.all(), [{ owner: '~bob', name: 'beta' }]);
		clock.advance(60_000);
		assert.deepEqual([here.told.length, here.calls(), other.told], [3, 0, atOnce]);
		await here.lists.unfollow({ owner: '~bob', name: 'devel' });
		clock.advance(10_000);
		assert.deepEqual([here.told.slice(3), other.told.slice(atOnce.length)], [['lists'], ['lists']]);
		here.looks.dispose();
		await other.tickets.unfollow({ owner: '~bob', name: 'beta' });
		clock.advance(60_000);
		assert.equal(here.told.length, 4);
		other.looks.dispose();
	});
});
