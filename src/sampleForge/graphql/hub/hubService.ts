import type { Areas, ToldProject } from '../../areas/areas.ts';
import type { MailingList } from '../../lists/mailModel.ts';
import { mayRead } from '../../repositories/repositoryRoom.ts';
import type { Repository } from '../../repositories/repositoryStore.ts';
import type { Context, User } from '../../shared/area.ts';
import type { Tracker } from '../../tickets/ticketModel.ts';
import { byId, type Cursors, createCursors, type PageWish } from '../cursors.ts';
import type { GraphqlService } from '../door.ts';
import { type FailureOf, openSchema } from '../engine.ts';
import { findByName, showUser as showPerson, version, orNull, readRid, ridOf, time } from '../shapes.ts';

/** The read-only part of the projects service (docs/protocol.md#projects), over the stores of the other services. */
export function hubService(areas: Areas, told: readonly ToldProject[], failureOf: FailureOf): GraphqlService {
	const { context } = areas.todo.room;
	const projects = tellProjects(areas, told);
	const cursors = createCursors(() => context.nowMs());
	return {
		area: 'hub',
		schema: openSchema('hub', '2026', failureOf),
		roots: ({ user }) => rootsFor({ areas, context, projects, cursors, user }),
	};
}

interface Asking {
	readonly areas: Areas;
	readonly context: Context;
	readonly projects: readonly HubProject[];
	readonly cursors: Cursors;
	/** The caller. */
	readonly user: User;
}

function rootsFor(asking: Asking): ReturnType<GraphqlService['roots']> {
	const { context, projects, user } = asking;
	return {
		query: {
			version: { ...version, features: { lists: true, git: true, hg: false, todo: true } },
			me: () => showUser(asking, user),
			user: ({ username }: { readonly username: string }) =>
				orNull(findByName(context, 'hub', username), (found) => showUser(asking, found)),
			project({ rid }: { readonly rid: string }) {
				const found = projects.find((each) => isSeen(asking, each) && projectRid(each) === readRid(rid));
				return orNull(found, (each) => showProject(asking, each));
			},
			resource: ({ rid }: { readonly rid: string }) =>
				projects
					.filter((each) => isSeen(asking, each))
					.flatMap((each) => [...repositoriesOf(asking, each), ...trackersOf(asking, each), ...listsOf(asking, each)])
					.find((each) => each.rid === readRid(rid)) ?? null,
		},
		mutation: () => ({}),
	};
}

function projectRid({ id, createdMs }: HubProject): string {
	return ridOf('project', id, createdMs);
}

function isSeen({ user }: Asking, { owner, isPrivate }: HubProject): boolean {
	return owner === user || !isPrivate;
}

function showUser(asking: Asking, owner: User): object {
	const own = asking.projects.filter((each) => each.owner === owner && isSeen(asking, each));
	return {
		...showPerson(owner),
		project({ name }: { readonly name: string }) {
			const found = own.find((each) => each.name === name);
			return orNull(found, (each) => showProject(asking, each));
		},
		projects: (wish: PageWish) =>
			asking.cursors.page(own.toReversed(), byId, (each) => showProject(asking, each), wish),
	};
}

function showProject(asking: Asking, project: HubProject): object {
	const { owner, name, description, isPrivate, createdMs } = project;
	return {
		rid: projectRid(project),
		created: time(createdMs),
		updated: time(createdMs),
		owner: () => showUser(asking, owner),
		name,
		description,
		website: null,
		visibility: isPrivate ? 'PRIVATE' : 'PUBLIC',
		tags: [],
		sources: (wish: PageWish) => pageOfResources(asking, repositoriesOf(asking, project), wish),
		trackers: (wish: PageWish) => pageOfResources(asking, trackersOf(asking, project), wish),
		mailingLists: (wish: PageWish) => pageOfResources(asking, listsOf(asking, project), wish),
	};
}

interface Resource {
	readonly rid: string;
	readonly linked: string;
	readonly updated: string;
	readonly owner: () => object;
	readonly name: string;
	readonly description: string | null;
}

function pageOfResources({ cursors }: Asking, rows: readonly Resource[], wish: PageWish): object {
	const places = new Map(rows.map((row, index) => [row, rows.length - index]));
	return cursors.page(
		rows,
		(row) => places.get(row) ?? 0,
		(row) => row,
		wish,
	);
}

interface Named {
	readonly id: number;
	readonly owner: User;
	readonly name: string;
	readonly description: string | null;
	readonly createdMs: number;
}

function showResource(asking: Asking, rid: string, { owner, name, description, createdMs }: Named): Resource {
	return {
		rid,
		linked: time(createdMs),
		updated: time(createdMs),
		owner: () => showUser(asking, owner),
		name,
		description,
	};
}

function repositoriesOf(asking: Asking, { repositories }: HubProject): readonly Resource[] {
	const { store } = asking.areas.git.room;
	return repositories
		.filter((each) => store.all.includes(each) && mayRead(each, asking.user))
		.map((each) => ({
			__typename: 'SourceRepo',
			...showResource(asking, ridOf('repository', each.id, each.createdMs), each),
			repoType: 'GIT',
			visibility: each.visibility.toUpperCase(),
		}));
}

function trackersOf(asking: Asking, { trackers }: HubProject): readonly Resource[] {
	const { store } = asking.areas.todo.room;
	return trackers
		.filter((each) => store.trackers.includes(each))
		.filter(({ owner, visibility }) => owner === asking.user || visibility !== 'private')
		.map((each) => ({
			__typename: 'Tracker',
			...showResource(asking, ridOf('tracker', each.id, each.createdMs), each),
			visibility: each.visibility.toUpperCase(),
		}));
}

function listsOf(asking: Asking, { lists }: HubProject): readonly Resource[] {
	const { store, access } = asking.areas.lists.room;
	return lists
		.filter((each) => store.lists.includes(each) && access.held(each, asking.user).has('browse'))
		.map((each) => ({
			__typename: 'MailingList',
			...showResource(asking, ridOf('list', each.id, each.createdMs), each),
			visibility: 'PUBLIC',
		}));
}

/** Repositories, trackers and lists that a user groups. */
interface HubProject {
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

/** Resolves the names in told projects. An unknown name is a mistake of the world, so it throws. */
function tellProjects({ todo, git, lists }: Areas, told: readonly ToldProject[]): readonly HubProject[] {
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
		const repositories = named(git.room.store.all, ownerName, parts.repositories);
		const trackers = named(todo.room.store.trackers, ownerName, parts.trackers);
		const mailingLists = named(lists.room.store.lists, ownerName, parts.lists);
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
