import type { User } from '../../shared/area.ts';
import type { MailingList } from '../../lists/mailModel.ts';
import type { Repository } from '../../repositories/repositoryStore.ts';
import type { Tracker } from '../../tickets/ticketModel.ts';
import type { MailRoom } from '../../lists/mailRoom.ts';
import type { RepositoryRoom } from '../../repositories/repositoryRoom.ts';
import type { TicketRoom } from '../../tickets/ticketRoom.ts';
import type { ToldProject } from '../../worlds/projects.ts';

/** Repositories, trackers and lists that a user groups. */
export interface HubProject {
	readonly id: number;
	readonly owner: User;
	readonly name: string;
	readonly description: string | null;
	readonly isPrivate: boolean;
	readonly createdMs: number;
	readonly repositories: readonly Repository[];
	readonly trackers: readonly Tracker[];
	readonly lists: readonly MailingList[];
}

/** Rooms of the services with the parts of projects. */
export interface HubRooms {
	readonly todo: TicketRoom;
	readonly git: RepositoryRoom;
	readonly lists: MailRoom;
}

/** Resolves the names in told projects. An unknown name is a mistake of the world, so it throws. */
export function tellProjects({ todo, git, lists }: HubRooms, told: readonly ToldProject[]): readonly HubProject[] {
	const named = <T extends { readonly owner: User; readonly name: string }>(
		all: readonly T[],
		owner: string,
		names: readonly string[],
	): readonly T[] =>
		names.map((name) => {
			const found = all.find((each) => each.owner.name === owner && each.name === name);
			if (found === undefined) {
				throw new Error(`Nothing of ${owner} is called ${name}`);
			}
			return found;
		});
	const { users } = todo.context;
	return told.map(({ owner: ownerName, name, description = null, isPrivate = false, ...parts }, index) => {
		const owner = users.byName(ownerName);
		if (owner === undefined) {
			throw new Error(`Nobody is called ${ownerName}`);
		}
		const repositories = named(git.store.all, ownerName, parts.repositories);
		const trackers = named(todo.store.trackers, ownerName, parts.trackers);
		const mailingLists = named(lists.store.lists, ownerName, parts.lists);
		return {
			id: index + 1,
			owner,
			name,
			description,
			isPrivate,
			createdMs: Math.min(...[...repositories, ...trackers, ...mailingLists].map(({ createdMs }) => createdMs)),
			repositories,
			trackers,
			lists: mailingLists,
		};
	});
}
