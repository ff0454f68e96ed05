import { addressesInReach } from '../../features/repositories/clones/cloneAddresses.ts';
import type { GitReads, RepositoryAtForge } from 'sourcehut/port/gitReads.ts';
import type { HardenedGit } from 'hardened-git/hardenedGit.ts';
import { remoteReads } from 'hardened-git/remoteReads.ts';

/** Reads through git, from the clone addresses, for data that a forge's API loses. */
export function gitReads(git: HardenedGit, tempFolder: string): GitReads {
	const reads = remoteReads({ git, tempFolder });
	const addressesOf = ({ instance, ref }: RepositoryAtForge): readonly string[] =>
		addressesInReach(instance, ref).map(({ address }) => address);
	return {
		references: (at, signal) => reads.references(addressesOf(at), signal),
		tree: (at, id, signal) => reads.tree(addressesOf(at), id, signal),
	};
}
