import type { User } from '../../shared/area.ts';
import { isListed, mayRead, mayWrite } from '../../repositories/repositoryAccess.ts';
import type { AccessMode, Repository } from '../../repositories/repositoryStore.ts';
import type { PageWish } from '../cursors.ts';
import { FieldError } from '../engine.ts';
import { showUser as showAccount } from '../people.ts';
import { ridOf, time } from '../scalars.ts';
import type { GitAsking } from './gitAsking.ts';
import { commitOf, referencesOf, showLog, showObject, showPath, showReference } from './objectShapes.ts';
import { pageOfNames } from './placeCursors.ts';

/** Arguments of repository lists. */
export interface RepositoriesWish extends PageWish {
	readonly filter?: { readonly count?: number | null; readonly search?: string | null } | null;
}

export function showUser(asking: GitAsking, user: User): object {
	return {
		...showAccount(user),
		repository: ({ name }: { readonly name: string }) => showNamed(asking, user, name),
		repositories: (wish: RepositoriesWish) => pageOfRepositories(asking, user, wish),
	};
}

/** Finds a repository by its name. A former name throws an error with the new one. */
function showNamed(asking: GitAsking, owner: User, name: string): object | null {
	const { room, user, formerNames } = asking;
	const found = room.store.find(owner, name);
	if (found !== undefined) {
		return mayRead(found, user) ? describeRepository(asking, found) : null;
	}
	const renamed = formerNames.get(`~${owner.name}/${name}`);
	if (renamed === undefined || !room.store.all.includes(renamed) || !mayRead(renamed, user)) {
		return null;
	}
	const redirect = [`~${renamed.owner.name}`, renamed.name];
	throw new FieldError('Repository has moved', { code: 'ERR_REDIRECT', redirect });
}

/** Newest change first. The filter's `count` sets the page size, and cursors keep it. */
export function pageOfRepositories(asking: GitAsking, owner: User, wish: RepositoriesWish): object {
	const { room, user, cursors } = asking;
	const place = cursors.read(wish);
	const count = place?.count ?? wish.filter?.count ?? 20;
	const search = (wish.filter?.search ?? '').toLowerCase();
	const rows = room.store.all
		.filter((each) => each.owner === owner && isListed(each, user))
		.filter(({ name, description }) => `${name}\n${description ?? ''}`.toLowerCase().includes(search))
		.toSorted((one, other) => other.updatedMs - one.updatedMs || other.id - one.id);
	const from = place === undefined ? 0 : rows.findIndex(({ id }) => String(id) === place.next);
	const page = from < 0 ? [] : rows.slice(from, from + count);
	const following = from < 0 ? undefined : rows[from + count];
	return {
		results: page.map((each) => describeRepository(asking, each)),
		cursor: following === undefined ? null : cursors.write({ count, next: String(following.id) }),
	};
}

/** Call only for visible repositories. */
export function describeRepository(asking: GitAsking, repository: Repository): object {
	const { user } = asking;
	return {
		__typename: 'Repository',
		id: repository.id,
		rid: ridOf('repository', repository.id, repository.createdMs),
		created: time(repository.createdMs),
		updated: time(repository.updatedMs),
		owner: () => showUser(asking, repository.owner),
		name: repository.name,
		description: repository.description,
		visibility: repository.visibility.toUpperCase(),
		readme: repository.readme,
		access: mayWrite(repository, user) ? 'RW' : 'RO',
		acls() {
			if (repository.owner !== user) {
				throw new FieldError('Access denied', { code: 'ERR_ACCESS_DENIED' });
			}
			const results = [...repository.access].map(([name, mode]) => showAcl(asking, repository, name, mode));
			return { results, cursor: null };
		},
		...opening(asking, repository),
	};
}

/**
 * Fields that open the repository on disk. Two in one document crash the service, aliases or not
 * (docs/protocol.md#one-opening-field).
 */
function opening(asking: GitAsking, repository: Repository): object {
	const { cursors, opened } = asking;
	const { source } = repository;
	const fields: Readonly<Record<string, (wish: never) => Promise<unknown>>> = {
		objects: async ({ ids }: { readonly ids?: readonly string[] | null }) =>
			await Promise.all((ids ?? []).map(async (id) => await showObject(asking, repository, id))),
		object: async ({ id }: { readonly id: string }) => await showObject(asking, repository, id),
		references: async (wish: PageWish) => {
			const rows = await referencesOf(repository);
			return pageOfNames(cursors, { rows, show: (row) => showReference(asking, repository, row) }, wish);
		},
		reference: async ({ name }: { readonly name: string }) => {
			const found = (await referencesOf(repository)).find((each) => each.name === name);
			return found === undefined ? null : showReference(asking, repository, found);
		},
		async HEAD() {
			const name = await source.head();
			const found = (await source.refs()).find((each) => each.name === name);
			return found === undefined ? null : showReference(asking, repository, found);
		},
		log: async (wish: PageWish & { readonly from?: string | null }) => await showLog(asking, repository, wish),
		path: async (wish: { readonly revspec: string; readonly path: string }) => await showPath(asking, repository, wish),
		revparse_single: async ({ revspec }: { readonly revspec: string }) =>
			await showObject(asking, repository, (await commitOf(repository, revspec)).id),
	};
	return Object.fromEntries(
		Object.entries(fields).map(([name, read]) => [
			name,
			(wish: never) => {
				opened.push(repository.id);
				return read(wish);
			},
		]),
	);
}

export function aclId(repository: Repository, user: User): number {
	return repository.id * 1000 + user.id;
}

export function showAcl(asking: GitAsking, repository: Repository, name: string, mode: AccessMode): object {
	const user = asking.room.context.users.byName(name);
	if (user === undefined) {
		throw new Error(`Nobody is called ${name}`);
	}
	return {
		id: aclId(repository, user),
		created: time(repository.createdMs),
		repository: () => describeRepository(asking, repository),
		entity: () => showUser(asking, user),
		mode: mode.toUpperCase(),
	};
}
