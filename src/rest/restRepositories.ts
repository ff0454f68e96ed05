import { byCommit } from '../answers/byCommit.ts';
import { paged } from './caller.ts';
import { ForgeError, unfit } from '../forge/forgeError.ts';
import type { RepositoryApi } from '../forge/forge.ts';
import type { NewRepository, RepositoryChanges, RepositoryRef } from '../forge/repository.ts';
import type { OwnerName } from '../forge/user.ts';
import { blobWays, type BlobRoutes } from './blobWays.ts';
import type { Caller } from './caller.ts';
import { observedEndpoints } from './observedEndpoints.ts';
import { ownOnly } from './ownOnly.ts';
import { repositoryEndpoints as endpoints } from './repositoryEndpoints.ts';

const commits = { key: ({ id }: { readonly id: string }) => id, way: byCommit };

export function restRepositories(caller: Caller): RepositoryApi {
	const { call } = caller;
	const routes: BlobRoutes = {
		byId: (ref, id, signal) => call(endpoints.blobById, { ...objectIn(ref, id), signal }),
		byOtherId: (ref, id, signal) => call(observedEndpoints.misspelledBlobById, { ...objectIn(ref, id), signal }),
		at(ref, at, signal) {
			const { params, owner } = inRepository(ref);
			return call(endpoints.pathBlob, { params: { ...params, ref: at.ref, path: at.path }, owner, signal });
		},
	};
	return {
		repositories: (owner, signal) =>
			paged(caller, endpoints.repositories, { params: {}, owner, signal }, { key: ({ id }) => id }),
		repository: (ref, signal) => call(endpoints.repository, { ...inRepository(ref), signal }),
		create: (repository, signal) => call(endpoints.create, { params: {}, body: fieldsOf(repository), signal }),
		async update({ owner, name }, changes, signal) {
			ownOnly(caller, owner);
			return call(endpoints.update, { params: { name }, body: fieldsOf(changes), signal });
		},
		async remove({ owner, name }, signal) {
			ownOnly(caller, owner);
			await call(endpoints.remove, { params: { name }, signal });
		},
		references: (ref, signal) =>
			paged(caller, endpoints.references, { ...inRepository(ref), signal }, { key: ({ name }) => name }),
		log(ref, from, signal) {
			const { params, owner } = inRepository(ref);
			return from === undefined
				? paged(caller, endpoints.log, { params, owner, signal }, commits)
				: paged(caller, endpoints.logFrom, { params: { ...params, ref: from }, owner, signal }, commits);
		},
		tree(ref, at, signal) {
			const { params, owner } = inRepository(ref);
			if (at === undefined) {
				return call(endpoints.rootTree, { params, owner, signal });
			}
			return at.path === ''
				? call(endpoints.refTree, { params: { ...params, ref: at.ref }, owner, signal })
				: call(endpoints.pathTree, { params: { ...params, ref: at.ref, path: at.path }, owner, signal });
		},
		treeById: (ref, id, signal) => call(endpoints.treeById, { ...objectIn(ref, id), signal }),
		blob: (ref, at, signal) => routes.at(ref, at, signal),
		...blobWays({ routes, me: caller.me, learnt: caller.learnt }),
		async defaultBranch(ref, signal) {
			const { params, owner } = inRepository(ref);
			const head = await call(observedEndpoints.refdb, { params: { ...params, refname: 'HEAD' }, owner, signal });
			return shortBranch(head);
		},
		async lookup(ref, revision, signal) {
			if (revision.includes('/')) {
				throw unfit('revision', 'nameInNoAddress');
			}
			const { params, owner } = inRepository(ref);
			const id = await call(observedEndpoints.lookup, { params: { ...params, rev: revision }, owner, signal });
			return objectId(id);
		},
	};
}

interface InRepository {
	readonly params: { readonly name: string };
	readonly owner: OwnerName;
}

function inRepository({ owner, name }: RepositoryRef): InRepository {
	return { params: { name }, owner };
}

interface ObjectIn {
	readonly params: { readonly name: string; readonly id: string };
	readonly owner: OwnerName;
}

function objectIn({ owner, name }: RepositoryRef, id: string): ObjectIn {
	return { params: { name, id }, owner };
}

/** `refs/heads/master`, with or without the `ref: ` of a symbolic reference. */
function shortBranch(head: string): string {
	const name = /^(?:ref: )?refs\/heads\/(.+)$/.exec(head)?.[1];
	if (name === undefined) {
		throw new ForgeError({ kind: 'notUnderstood', where: 'HEAD', why: 'it names no branch' });
	}
	return name;
}

function objectId(text: string): string {
	if (!/^[0-9a-f]{40,64}$/.test(text)) {
		throw new ForgeError({ kind: 'notUnderstood', where: 'the answer', why: 'it is no object id' });
	}
	return text;
}

function fieldsOf({ name, description, visibility }: NewRepository | RepositoryChanges): object {
	return {
		...(name === undefined ? {} : { name }),
		...(description === undefined ? {} : { description }),
		...(visibility === undefined ? {} : { visibility }),
	};
}
