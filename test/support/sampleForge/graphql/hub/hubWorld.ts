import type { Areas } from '../../../../../src/sampleForge/areas.ts';
import type { User } from '../../../../../src/sampleForge/shared/area.ts';
import type { MailingList } from '../../../../../src/sampleForge/lists/mailModel.ts';
import type { Repository } from '../../../../../src/sampleForge/repositories/repositoryStore.ts';
import type { Tracker } from '../../../../../src/sampleForge/tickets/ticketModel.ts';
import { worldStartMs } from '../../../../../src/sampleForge/worlds/worldTime.ts';

/** What somebody put together. */
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

interface ToldProject {
	readonly owner: string;
	readonly name: string;
	readonly description?: string;
	readonly isPrivate?: boolean;
	readonly repositories: readonly string[];
	readonly trackers: readonly string[];
	readonly lists: readonly string[];
}

const told: readonly ToldProject[] = [
	{
		owner: 'alice',
		name: 'lantern',
		description: 'An editor for the terminal',
		repositories: ['lantern', 'lantern-plugins'],
		trackers: ['lantern', 'lantern-plugins'],
		lists: ['lantern-devel', 'lantern-announce'],
	},
	{ owner: 'alice', name: 'papers', isPrivate: true, repositories: ['diary'], trackers: ['announce'], lists: [] },
	{ owner: 'bob', name: 'wick', repositories: ['wick', 'sketches'], trackers: ['wick'], lists: ['wick-devel'] },
];

/** The projects of the sample world. Names that nothing has are mistakes of this file. */
export function tellProjects({ todo, git, lists }: Areas): readonly HubProject[] {
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
	const { users } = todo.room.context;
	return told.map(({ owner: ownerName, name, description = null, isPrivate = false, ...parts }, index) => {
		const owner = users.byName(ownerName);
		if (owner === undefined) {
			throw new Error(`Nobody is called ${ownerName}`);
		}
		return {
			id: index + 1,
			owner,
			name,
			description,
			isPrivate,
			createdMs: worldStartMs + index,
			repositories: named(git.room.store.all, ownerName, parts.repositories),
			trackers: named(todo.room.store.trackers, ownerName, parts.trackers),
			lists: named(lists.room.store.lists, ownerName, parts.lists),
		};
	});
}
