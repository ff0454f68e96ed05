import { byCommit } from '../answers/byCommit.ts';
import { nextTurn } from '@forge-desk/base/timeSlice.ts';
import type { RepositoryApi } from '../port/forge.ts';
import { ForgeError, unfit, isForgeError, type Problem } from '../port/forgeError.ts';
import type { LearntFacts } from '../port/learntFacts.ts';
import type {
	NewRepository,
	RepositoryChanges,
	RepositoryRef,
	Blob,
	TreePath,
	WantedBlob,
} from '../port/repository.ts';
import type { OwnerName } from '../port/user.ts';
import { provenInSlices } from 'patchmail/git/objectId.ts';
import { paged, type Caller, ownOnly } from './caller.ts';
import { observedEndpoints, repositoryEndpoints as endpoints } from './endpoints.ts';

/**
 * Routes to a file: by id as in the contract, by id as servers spell it (docs/protocol.md#files-by-id), or by commit
 * and path.
 */
const ways = ['id', 'otherId', 'path'] as const;

/** Errors that servers send for a missing route. Another route may still work. */
const saysNoSuchRoute: ReadonlySet<Problem['kind']> = new Set([
	'invalid',
	'serverError',
	'notUnderstood',
	'notOffered',
]);

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
			ownOnly(caller.me, owner);
			return call(endpoints.update, { params: { name }, body: fieldsOf(changes), signal });
		},
		async remove({ owner, name }, signal) {
			ownOnly(caller.me, owner);
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
		...blobWays(routes, caller.me, caller.learnt),
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
			if (!/^[0-9a-f]{40,64}$/.test(id)) {
				throw new ForgeError({ kind: 'notUnderstood', where: 'the answer', why: 'it is no object id' });
			}
			return id;
		},
	};
}

function inRepository({ owner, name }: RepositoryRef) {
	return { params: { name }, owner };
}

function objectIn({ owner, name }: RepositoryRef, id: string) {
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

function fieldsOf({ name, description, visibility }: NewRepository | RepositoryChanges): object {
	return {
		...(name === undefined ? {} : { name }),
		...(description === undefined ? {} : { description }),
		...(visibility === undefined ? {} : { visibility }),
	};
}

type Way = (typeof ways)[number];

/** Requests for files. */
export interface BlobRoutes {
	byId(ref: RepositoryRef, id: string, signal: AbortSignal): Promise<Blob>;
	byOtherId(ref: RepositoryRef, id: string, signal: AbortSignal): Promise<Blob>;
	at(ref: RepositoryRef, at: TreePath, signal: AbortSignal): Promise<Blob>;
}

/**
 * Reads files through the route that the server supports. The first read of a foreign repository tries all routes, and
 * concurrent reads await its result. The result is remembered for the server. `me`: every server serves files of own
 * repositories by id.
 */
export function blobWays(
	routes: BlobRoutes,
	me: OwnerName,
	learnt: LearntFacts,
): Required<Pick<RepositoryApi, 'blobById' | 'blobByShortId' | 'wantsPlaces'>> {
	const state: { known: Way | undefined; trial: Promise<void> | undefined } = {
		known: ways.find((way) => learnt.has(factOf(way))),
		trial: undefined,
	};
	const isMine = ({ owner }: RepositoryRef): boolean => owner === me;

	async function learn(wanted: WantedBlob, signal: AbortSignal): Promise<Blob> {
		const ending = Promise.withResolvers<void>();
		state.trial = ending.promise;
		try {
			const { way, blob } = await tryAll(routes, ways, wanted, signal);
			state.known = way;
			learnt.learn(factOf(way), true);
			return blob;
		} finally {
			state.trial = undefined;
			ending.resolve();
		}
	}

	/** By this route, otherwise by others. */
	async function readBy(first: Way, others: readonly Way[], wanted: WantedBlob, signal: AbortSignal): Promise<Blob> {
		return (await tryWay(routes, first, wanted, signal)) ?? (await tryAll(routes, others, wanted, signal)).blob;
	}

	return {
		async blobById(wanted, signal) {
			if (isMine(wanted.ref)) {
				return readBy('id', ['path'], wanted, signal);
			}
			while (state.known === undefined && state.trial) {
				await state.trial;
				signal.throwIfAborted();
			}
			const way = state.known;
			return way === undefined
				? learn(wanted, signal)
				: readBy(
						way,
						ways.filter((each) => each !== way),
						wanted,
						signal,
					);
		},
		/** The route for full ids accepts abbreviated ones too (docs/protocol.md#files-by-id). */
		blobByShortId: (ref, id, signal) =>
			isMine(ref) || state.known === 'id' ? routes.byId(ref, id, signal) : routes.byOtherId(ref, id, signal),
		wantsPlaces: (ref) => !isMine(ref) && (state.known === undefined || state.known === 'path'),
	};
}

async function tryAll(
	routes: BlobRoutes,
	inTurn: readonly Way[],
	wanted: WantedBlob,
	signal: AbortSignal,
): Promise<{ readonly way: Way; readonly blob: Blob }> {
	let failure = new ForgeError({ kind: 'notFound' });
	for (const way of inTurn) {
		try {
			const blob = await tryWay(routes, way, wanted, signal);
			if (blob) {
				return { way, blob };
			}
		} catch (error) {
			if (!isForgeError(error) || !saysNoSuchRoute.has(error.problem.kind)) {
				throw error;
			}
			failure = error;
		}
	}
	throw failure;
}

/** `undefined` if the file or the route is missing. */
async function tryWay(
	routes: BlobRoutes,
	way: Way,
	{ ref, id, at }: WantedBlob,
	signal: AbortSignal,
): Promise<Blob | undefined> {
	try {
		switch (way) {
			case 'id':
				return await proven(id, await routes.byId(ref, id, signal), signal);
			case 'otherId':
				return await proven(id, await routes.byOtherId(ref, id, signal), signal);
			case 'path':
				return at && (await proven(id, await routes.at(ref, at, signal), signal));
		}
	} catch (error) {
		if (isForgeError(error) && error.problem.kind === 'notFound') {
			return undefined;
		}
		throw error;
	}
}

/**
 * Servers prefer reference names to ids, so content may differ from the id. Such content is rejected and teaches
 * nothing.
 */
async function proven(id: string, blob: Blob, signal: AbortSignal): Promise<Blob> {
	if ((await provenInSlices({ id, kind: 'blob', bytes: blob.bytes }, nextTurn, signal)) === 'other') {
		throw new ForgeError({ kind: 'notUnderstood', where: 'content', why: 'it is another file than the one asked for' });
	}
	return blob;
}

function factOf(way: Way): string {
	return `blobsBy:${way}`;
}
