import type { Areas, ToldProject } from '../../areas/areas.ts';
import type { MailingList } from '../../lists/mailModel.ts';
import { mayRead } from '../../repositories/repositoryRoom.ts';
import type { Repository } from '../../repositories/repositoryStore.ts';
import type { User } from '../../shared/area.ts';
import type { Tracker } from '../../tickets/ticketModel.ts';
import { byId, type Cursors, createCursors, type PageWish } from '../cursors.ts';
import type { GraphqlService } from '../door.ts';
import { type FailureOf, openSchema } from '../engine.ts';
import { findByName, showNamed, showUser, version, orNull, readRid, ridOf, time } from '../shapes.ts';
import { need } from '../../shared/checks.ts';

/** The read-only part of the projects service (docs/protocol.md#projects), over the stores of the other services. */
export function hubService(areas: Areas, told: readonly ToldProject[], failureOf: FailureOf): GraphqlService {
	const { context } = areas.todo.room;
	// Later their parts may have other names, or none.
	const projects = context.state.isNew ? tellProjects(areas, told) : [];
	const kept = context.state.part('projects', { projects });
	const cursors = createCursors(context, 'hub');
	return {
		area: 'hub',
		schema: openSchema('hub', '2026', failureOf),
		roots: ({ user }) => rootsFor(areas, kept.projects, cursors, user),
	};
}

/** A repository, tracker or list. */
interface Resource {
	readonly id: number;
	readonly owner: User;
	readonly name: string;
	readonly description: string | null;
	readonly createdMs: number;
	readonly visibility?: string;
}

function rootsFor(
	{ git, todo, lists }: Areas,
	projects: readonly HubProject[],
	cursors: Cursors,
	user: User,
): ReturnType<GraphqlService['roots']> {
	const seen = projects.filter(({ owner, isPrivate }) => owner === user || !isPrivate);

	const account = (of: User): object => {
		const own = seen.filter(({ owner }) => owner === of);
		return {
			...showUser(of),
			project: ({ name }: { readonly name: string }) => showNamed(own, name, project),
			projects: (wish: PageWish) => cursors.page(own.toReversed(), byId, project, wish),
		};
	};

	const project = (of: HubProject): object => ({
		rid: projectRid(of),
		created: time(of.createdMs),
		updated: time(of.createdMs),
		owner: () => account(of.owner),
		name: of.name,
		description: of.description,
		website: null,
		visibility: of.isPrivate ? 'PRIVATE' : 'PUBLIC',
		tags: [],
		sources: (wish: PageWish) => page(repositoriesOf(of), wish),
		trackers: (wish: PageWish) => page(trackersOf(of), wish),
		mailingLists: (wish: PageWish) => page(listsOf(of), wish),
	});

	const page = (rows: readonly object[], wish: PageWish): object => {
		const places = rows.map((row, index) => ({ row, id: rows.length - index }));
		return cursors.page(places, byId, ({ row }) => row, wish);
	};

	const resource = (rid: string, of: Resource) => ({
		rid,
		linked: time(of.createdMs),
		updated: time(of.createdMs),
		owner: () => account(of.owner),
		name: of.name,
		description: of.description,
		visibility: (of.visibility ?? 'public').toUpperCase(),
	});

	const repositoriesOf = ({ repositories }: HubProject) =>
		repositories
			.filter((each) => git.room.store.all.includes(each) && mayRead(each, user))
			.map((each) => ({
				__typename: 'SourceRepo',
				...resource(ridOf('repository', each.id, each.createdMs), each),
				repoType: 'GIT',
			}));

	const trackersOf = ({ trackers }: HubProject) =>
		trackers
			.filter((each) => todo.room.store.trackers.includes(each))
			.filter(({ owner, visibility }) => owner === user || visibility !== 'private')
			.map((each) => ({ __typename: 'Tracker', ...resource(ridOf('tracker', each.id, each.createdMs), each) }));

	const listsOf = (of: HubProject) =>
		of.lists
			.filter((each) => lists.room.store.lists.includes(each) && lists.room.access.held(each, user).has('browse'))
			.map((each) => ({ __typename: 'MailingList', ...resource(ridOf('list', each.id, each.createdMs), each) }));

	return {
		query: {
			version: { ...version, features: { lists: true, git: true, hg: false, todo: true } },
			me: () => account(user),
			user: ({ username }: { readonly username: string }) =>
				orNull(findByName(todo.room.context, 'hub', username), account),
			project: ({ rid }: { readonly rid: string }) =>
				orNull(
					seen.find((each) => projectRid(each) === readRid(rid)),
					project,
				),
			resource: ({ rid }: { readonly rid: string }) =>
				seen
					.flatMap((each) => [...repositoriesOf(each), ...trackersOf(each), ...listsOf(each)])
					.find((each) => each.rid === readRid(rid)) ?? null,
		},
		mutation: () => ({}),
	};
}

function projectRid({ id, createdMs }: HubProject): string {
	return ridOf('project', id, createdMs);
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
			const thing = all.find((each) => each.owner.name === owner && each.name === name);
			return need(thing, () => new Error(`Nothing of ${owner} is called ${name}`));
		});
	const { users } = todo.room.context;
	return told.map(({ owner: ownerName, name, description = null, isPrivate = false, ...parts }, index) => {
		const owner = need(users.byName(ownerName), () => new Error(`Nobody is called ${ownerName}`));
		const repositories = named(git.room.store.all, ownerName, parts.repositories);
		const trackers = named(todo.room.store.trackers, ownerName, parts.trackers);
		const mailingLists = named(lists.room.store.lists, ownerName, parts.lists);
		return {
			id: index + 1,
			owner,
			name,
			description,
			isPrivate,
			createdMs: [...repositories, ...trackers, ...mailingLists].reduce(
				(least, { createdMs }) => Math.min(least, createdMs),
				Number.POSITIVE_INFINITY,
			),
			repositories,
			trackers,
			lists: mailingLists,
		};
	});
}
