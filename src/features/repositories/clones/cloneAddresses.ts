import { originOf, type ForgeInstance } from 'sourcehut/port/instance.ts';
import type { RepositoryRef } from 'sourcehut/port/repository.ts';
import { addressArgument, isLoopback } from 'hardened-git/gitNames.ts';
import { webOf } from '../../../editor/links/webOf.ts';

/** Where git finds a repository. */
export interface CloneAddress {
	/** `https` reads public repositories; `ssh` reads and writes as the key's owner. */
	readonly way: 'https' | 'ssh';
	readonly address: string;
}

/**
 * Git addresses of a repository (docs/protocol.md#addresses-for-git), read access first, each a single shell word. SSH
 * names stay unencoded because the server does not decode them. Empty for names that git must never receive.
 */
export function cloneAddresses(instance: ForgeInstance, ref: RepositoryRef): readonly CloneAddress[] {
	const remotes = webOf(instance).remotes(ref);
	return (['https', 'ssh'] as const).flatMap((way) => {
		const address = remotes?.[way];
		return address !== undefined && isFit(address) ? [{ way, address }] : [];
	});
}

/** The same without SSH on this machine: the sample forge has none. */
export function addressesInReach(instance: ForgeInstance, ref: RepositoryRef): readonly CloneAddress[] {
	const isHere = isLoopback(URL.parse(originOf(instance, 'git'))?.hostname ?? '');
	return cloneAddresses(instance, ref).filter(({ way }) => !(way === 'ssh' && isHere));
}

/** The address of one way. */
export function cloneAddress(
	instance: ForgeInstance,
	ref: RepositoryRef,
	way: CloneAddress['way'],
): string | undefined {
	return cloneAddresses(instance, ref).find((each) => each.way === way)?.address;
}

function isFit(address: string): boolean {
	try {
		return addressArgument(address) === address;
	} catch {
		return false;
	}
}
