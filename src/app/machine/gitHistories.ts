import { join } from 'node:path';
import { isAbort } from '@forge-desk/base/abort.ts';
import type { Clock } from '@forge-desk/base/clock.ts';
import { GitFailure, type GitProblem } from 'hardened-git/gitFailure.ts';
import type { GitPlace } from 'hardened-git/hardenedGit.ts';
import { remoteHistory } from 'hardened-git/remoteHistory.ts';
import type { RepositoryAtForge } from 'sourcehut/port/gitReads.ts';
import { addressesInReach } from '../../features/repositories/clones/cloneAddresses.ts';
import { keepOnlyFolders, removeTree, shortHash } from '../../machine/storage/objectFiles.ts';
import type { FileVersions, HistoryOfGit } from '../../store/wholeFiles/gitSearch.ts';

/** Histories of the forges' repositories below `root`, in one folder per account. */
export function gitHistories(place: GitPlace, root: string, clock: Clock) {
	const all = remoteHistory({ ...place, root, nowMs: () => clock.nowMs() });
	return {
		/** `undefined` for names that git must never receive. */
		of: (connectionKey: string, { instance, ref }: RepositoryAtForge): HistoryOfGit | undefined => {
			const addresses = addressesInReach(instance, ref).map(({ address }) => address);
			const at = { room: shortHash(connectionKey), addresses };
			return addresses.length === 0
				? undefined
				: {
						async versions(question, signal) {
							try {
								return { kind: 'read', ...(await all.versions(at, question, signal)) };
							} catch (error) {
								if (isAbort(error)) {
									throw error;
								}
								return failed(error);
							}
						},
						async contents(ids, signal) {
							try {
								return await all.contents(at, ids, signal);
							} catch (error) {
								if (isAbort(error)) {
									throw error;
								}
								return new Map();
							}
						},
					};
		},
		forget: (connectionKey: string) => removeTree(join(root, shortHash(connectionKey))),
		keepOnly: (connectionKeys: readonly string[]) => keepOnlyFolders(root, connectionKeys),
	};
}

const cannotRun: ReadonlySet<GitProblem['kind']> = new Set(['notTrusted', 'programMissing', 'tooOld']);

/** A full disk fails without git. */
function failed(error: unknown): FileVersions {
	const kind = error instanceof GitFailure ? error.problem.kind : 'failed';
	if (cannotRun.has(kind)) {
		return { kind: 'unavailable' };
	}
	return kind === 'tooMuch' ? { kind: 'tooLarge' } : { kind: 'failed', error };
}
