import { refText } from '../../forge/namedRef.ts';
import type { RepositoryRef } from '../../forge/repository.ts';
import type { OwnerName } from '../../forge/user.ts';
import type { RepositoryStore } from '../repositories/repositoryStore.ts';
import { nothingMore, orGone, type HintedSpending, type HintedThing } from './hintedThing.ts';
import { fastestMs } from '../background/adaptivePace.ts';
import type { RepositoryWatch } from './repositoryWatch.ts';

export interface HintedRepositoriesParts {
	readonly repositories: Pick<
		RepositoryStore,
		'apply' | 'knownOwnRepositories' | 'knownReferences' | 'knownRepository' | 'renew' | 'renewOwnRepositories'
	>;
	readonly repositoryWatch: Pick<RepositoryWatch, 'isWatched' | 'due'>;
	readonly me: OwnerName;
}

/** Reads for hints about repositories; `undefined` for repositories that the account neither watches nor shows. */
export interface HintedRepositories {
	references(ref: RepositoryRef): HintedThing | undefined;
	repository(ref: RepositoryRef): HintedThing | undefined;
	ownRepositories(): HintedThing | undefined;
}

export function hintedRepositories({
	repositories,
	repositoryWatch,
	me,
	spend,
}: HintedRepositoriesParts & HintedSpending): HintedRepositories {
	function thing(key: string, read: HintedThing['read']): HintedThing {
		return { key, everyMs: fastestMs, isApart: true, read };
	}

	return {
		references(ref) {
			const isWatched = repositoryWatch.isWatched(ref);
			const read: HintedThing['read'] = (sinceMs) => {
				if (isWatched) {
					repositoryWatch.due(ref, sinceMs);
				} else {
					// Visible views read again.
					repositories.apply({ kind: 'referencesMoved', ref });
				}
				return Promise.resolve(nothingMore);
			};
			const isWanted = isWatched || repositories.knownReferences(ref) !== undefined;
			return isWanted ? thing(`references ${refText(ref)}`, read) : undefined;
		},
		repository(ref) {
			const read: HintedThing['read'] = (_, signal) => {
				spend();
				return orGone(repositories.renew(ref, signal), ref.owner === me ? [{ kind: 'ownRepositories' }] : nothingMore);
			};
			const isWanted = repositoryWatch.isWatched(ref) || repositories.knownRepository(ref) !== undefined;
			return isWanted ? thing(`repository ${refText(ref)}`, read) : undefined;
		},
		ownRepositories: () =>
			repositories.knownOwnRepositories() &&
			thing('own repositories', (_, signal) =>
				repositories.renewOwnRepositories(spend, signal).then(() => nothingMore),
			),
	};
}
