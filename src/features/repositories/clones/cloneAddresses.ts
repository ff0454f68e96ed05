import type { ForgeInstance } from '../../../forge/instance.ts';
import type { RepositoryRef } from '../../../forge/repository.ts';
import { addressArgument, isLoopback } from '../../../localGit/gitNames.ts';

/** Where git finds a repository. */
export interface CloneAddress {
	/** `https` reads what everybody may see; `ssh` reads and writes as the person whose key it is. */
	readonly way: 'https' | 'ssh';
	readonly address: string;
}

/**
 * The addresses of a repository for git (docs/protocol.md#addresses-for-git), reading first. None for names that git is
 * never handed; no ssh on this very machine, where the sample forge has none.
 */
export function cloneAddresses({ areas }: Pick<ForgeInstance, 'areas'>, ref: RepositoryRef): readonly CloneAddress[] {
	const host = URL.parse(areas.git)?.hostname ?? '';
	const path = `${ref.owner}/${ref.name}`;
	const all: readonly CloneAddress[] = [
		{ way: 'https', address: `${areas.git}/${path}` },
		{ way: 'ssh', address: `git@${host}:${path}` },
	];
	return all.filter(({ way, address }) => isFit(address) && !(way === 'ssh' && isLoopback(host)));
}

function isFit(address: string): boolean {
	try {
		return addressArgument(address) === address;
	} catch {
		return false;
	}
}
