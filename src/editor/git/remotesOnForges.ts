import type { RepositoryRef } from 'sourcehut/port/repository.ts';
import type { Connection } from '../../store/connection.ts';
import { repositoryOfRemote } from '../../engine/text/remoteAddress.ts';
import type { GitState } from './gitApi.ts';
import { originOf } from 'sourcehut/port/instance.ts';

/** A repository on a forge that a remote of a clone names. */
export interface RemoteOnForge {
	readonly connection: Connection;
	readonly ref: RepositoryRef;
	/** The remote's own name, as `origin`. */
	readonly remote: string;
}

/** The clone's remotes that are on a forge, the one that the branch follows first, then `origin`. */
export function remotesOnForges(
	{ state }: { readonly state: GitState },
	all: readonly Connection[],
): readonly RemoteOnForge[] {
	const followed = state.HEAD?.upstream?.remote;
	const rank = (name: string): number => (name === followed ? 0 : name === 'origin' ? 1 : 2);
	return state.remotes
		.toSorted((a, b) => rank(a.name) - rank(b.name))
		.flatMap(({ name, fetchUrl, pushUrl, places = [] }) =>
			all.flatMap((connection) => {
				const [ref] = [fetchUrl ?? '', pushUrl ?? '', ...places].flatMap(
					(address) => repositoryOfRemote(address, originOf(connection.instance, 'git')) ?? [],
				);
				return ref ? [{ connection, ref, remote: name }] : [];
			}),
		);
}
