import type { ApiCall, Context, User } from '../shared/area.ts';
import { param } from '../shared/area.ts';
import { forbidden, notFound } from '../shared/answers.ts';
import type { Repository, RepositoryStore } from './repositoryStore.ts';
import { ownerOf } from '../identity/users.ts';

/**
 * Finds the repository that a path names. Missing: 404. Private and not shared with the caller: 403
 * (docs/protocol.md#refusals).
 */
export function findRepository(context: Context, store: RepositoryStore, call: ApiCall): Repository {
	const repository = store.find(ownerOf(context, call), param(call, 'name'));
	if (repository === undefined) {
		throw notFound();
	}
	if (!mayRead(repository, call.user)) {
		throw forbidden(context.dialect);
	}
	return repository;
}

/** `undefined` as user: anybody, without an account. */
export function mayRead(repository: Repository, user: User | undefined): boolean {
	if (repository.visibility !== 'private' || repository.owner === user) {
		return true;
	}
	return user !== undefined && repository.access.has(user.name);
}

export function mayWrite(repository: Repository, user: User): boolean {
	return repository.owner === user || repository.access.get(user.name) === 'rw';
}

/** True if the owner's list shows it to a user: public and shared repositories, and all to the owner. */
export function isListed(repository: Repository, user: User): boolean {
	return repository.owner === user || repository.visibility === 'public' || repository.access.has(user.name);
}
