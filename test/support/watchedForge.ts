import type { Clock } from '@forge-desk/base/clock.ts';
import { fakeTrackers, type FakeTrackers } from './fakeForge.ts';
import { fakeLists, type FakeLists } from './fakeLists.ts';
import { fakeRepositories, type FakeRepositories } from './fakeRepositories.ts';
import { makeMail } from './makeMail.ts';
import { makeComment, makeEvent } from './makeTicket.ts';

/** A fake forge with actions of users other than alice. Places are `~owner/name`. */
export interface WatchedForge {
	readonly trackers: FakeTrackers;
	readonly lists: FakeLists;
	readonly repositories: FakeRepositories;
	/** Requests in all areas so far. */
	calls(): readonly string[];
	/** Another user comments on a ticket. Returns the id of the inbox entry. */
	comment(tracker: string, id: number): string;
	/** A mail arrives on a list. Returns its number. */
	mail(list: string): number;
	/** A push moves a reference of a repository. Returns the new commit. */
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
