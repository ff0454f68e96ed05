import '../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import type { Inbox } from '../../../../src/store/inbox/inbox.ts';
import type { ListStore } from '../../../../src/store/lists/listStore.ts';
import type { TicketStore } from '../../../../src/store/tickets/ticketStore.ts';
import type { WatchWord } from '../../../../src/store/inbox/inboxBook.ts';
import type { Watched } from '../../../../src/store/inbox/watched.ts';
import type { Lists } from '../../../../src/store/lists/lists.ts';
import type { RepositoryStore } from '../../../../src/store/repositories/repositoryStore.ts';
import type { FollowedRefs } from '../../../../src/store/shared/followedRefs.ts';
import type { Connection } from '../../../../src/store/connection.ts';
import { fake } from '../../../support/fake.ts';
import { makeSubscription, makeList } from '../../../support/makeMail.ts';

const { usualWatching } = await import('../../../../src/features/inbox/watchCommand.ts');

const named = (name: string): { owner: string; name: string } => ({ owner: name === 'mine' ? '~alice' : '~bob', name });

/** Of `~alice`, who follows everything named `followed` and subscribes to `subscribed`. */
function usualOf(watched: Watched, choices: Readonly<Record<string, WatchWord>> = {}): string {
	return usualWatching(
		fake<Connection>({
			me: '~alice',
			inbox: fake<Inbox>({
				choice: (key) => choices[key] ?? 'usual',
				position: (name) => (name === 'thread ~bob/strange 4' ? { sinceMs: 1, newestId: 5, detail: '' } : undefined),
			}),
			tickets: fake<TicketStore>({ knownTrackers: () => [named('mine'), named('Followed')] }),
			lists: fake<ListStore>({
				followed: fake<FollowedRefs>({ all: () => [named('Followed')] }),
				collection: fake<Lists>({
					isMine: ({ owner }) => owner === '~alice',
					subscription: ({ name }) => (name === 'subscribed' ? makeSubscription(makeList(), 1) : undefined),
				}),
			}),
			repositories: fake<RepositoryStore>({ followed: fake<FollowedRefs>({ all: () => [named('followed')] }) }),
		}),
		watched,
	);
}

suite('default watch level', () => {
	test('is everything for own things, relevant events for followed ones, and otherwise nothing', () => {
		const of = (kind: 'tracker' | 'list' | 'repository', name: string): string => usualOf({ kind, ref: named(name) });
		assert.deepEqual(
			['mine', 'followed', 'strange'].map((name) => of('tracker', name)),
			['everything', 'concerns', 'nothing'],
		);
		assert.deepEqual(
			['mine', 'followed', 'subscribed', 'strange'].map((name) => of('list', name)),
			['everything', 'concerns', 'concerns', 'nothing'],
		);
		assert.deepEqual(
			['mine', 'followed', 'strange'].map((name) => of('repository', name)),
			['nothing', 'everything', 'nothing'],
		);
	});

	test('is relevant events for threads with own messages, in any list', () => {
		const thread = (id: number): Watched => ({ kind: 'thread', list: named('strange'), id });
		assert.deepEqual([usualOf(thread(4)), usualOf(thread(5))], ['concerns', 'nothing']);
		assert.equal(usualOf(thread(4), { 'list ~bob/strange': 'nothing' }), 'nothing');
	});

	test('of a thing follows the choice for its place', () => {
		const thread: Watched = { kind: 'thread', list: named('Followed'), id: 3 };
		assert.equal(usualOf(thread), 'concerns');
		assert.equal(usualOf(thread, { 'list ~bob/followed': 'nothing' }), 'nothing');
		const place: Watched = { kind: 'list', ref: named('Followed') };
		assert.equal(usualOf(place, { 'list ~bob/followed': 'nothing' }), 'concerns');
	});
});
