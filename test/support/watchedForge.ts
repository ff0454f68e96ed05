import type { Clock } from '@forge-desk/base/clock.ts';
import { fakeTrackers, type FakeTrackers } from './fakeForge.ts';
import { fakeLists, type FakeLists } from './fakeLists.ts';
import { fakeRepositories, type FakeRepositories } from './fakeRepositories.ts';
import { makeMail } from './makeMail.ts';
import { makeComment, makeEvent } from './makeTicket.ts';

/** A forge of fakes on which others than alice do something. Places are `~owner/name`. */
export interface WatchedForge {
	readonly trackers: FakeTrackers;
	readonly lists: FakeLists;
	readonly repositories: FakeRepositories;
	/** Requests of all areas so far. */
	calls(): readonly string[];
	/** Somebody comments on a ticket. Answers the id of the entry that comes of it. */
	comment(tracker: string, id: number): string;
	/** A mail comes to a list. Answers its number. */
	mail(list: string): number;
	/** A reference of a repository leads to another commit, whose id is answered. */
	push(repository: string, reference: string): string;
}

export function watchedForge(clock: Pick<Clock, 'nowMs'>): WatchedForge {
	const trackers = fakeTrackers();
	const lists = fakeLists();
	const repositories = fakeRepositories();
	let lastId = 10;
	let lastCommit = 0;
	return {
		trackers,
		lists,
		repositories,
		calls: () => [trackers, lists, repositories].flatMap(({ world }) => world.calls),
		comment(tracker, id) {
			lastId += 1;
			const [atMs, key] = [clock.nowMs(), `${tracker}#${id}`];
			const event = makeEvent({ id: lastId, createdMs: atMs, kinds: ['comment'], comment: makeComment('Yes') });
			const { events, tickets } = trackers.world;
			events.set(key, [event, ...(events.get(key) ?? [])]);
			const changed = (tickets.get(tracker) ?? []).map((each) =>
				each.id === id ? { ...each, updatedMs: atMs } : each,
			);
			tickets.set(tracker, changed);
			return `${key} event ${event.id}`;
		},
		mail(name) {
			lastId += 1;
			const { mails, posts, lists: all } = lists.world;
			const list = all.find((each) => `${each.owner.canonicalName}/${each.name}` === name);
			const mail = makeMail({ id: lastId, createdMs: clock.nowMs(), list });
			mails.push(mail);
			posts.set(name, [mail, ...(posts.get(name) ?? [])]);
			return mail.id;
		},
		push(repository, reference) {
			lastCommit += 1;
			const target = lastCommit.toString(16).padStart(40, '0');
			const { references } = repositories.world;
			const others = (references.get(repository) ?? []).filter(({ name }) => name !== reference);
			references.set(repository, [...others, { name: reference, target }]);
			return target;
		},
	};
}
