import type { ForgeInstance } from 'sourcehut/port/instance.ts';
import type { RepositoryRef } from 'sourcehut/port/repository.ts';
import { addressArgument, isLoopback } from 'hardened-git/gitNames.ts';
import { userPath } from '../../../engine/text/forgeAddress.ts';

/** Where git finds a repository. */
export interface CloneAddress {
	/** `https` reads public repositories; `ssh` reads and writes as the key's owner. */
	readonly way: 'https' | 'ssh';
	readonly address: string;
}

type Instance = Pick<ForgeInstance, 'areas'>;

/**
 * Git addresses of a repository (docs/protocol.md#addresses-for-git), read access first, each a single shell word. SSH
 * names stay unencoded because the server does not decode them. Empty for names that git must never receive.
 */
export function cloneAddresses({ areas }: Instance, { owner, name }: RepositoryRef): readonly CloneAddress[] {
	const all: readonly CloneAddress[] = [
		{ way: 'https', address: `${areas.git}${userPath(owner)}${asOneWord(userPath(name))}` },
		{ way: 'ssh', address: `git@${hostOf(areas.git)}:${owner}/${name}` },
	];
	return all.filter(({ address }) => isFit(address));
}

/** The same without SSH on this machine: the sample forge has none. */
export function addressesInReach(instance: Instance, ref: RepositoryRef): readonly CloneAddress[] {
	const isHere = isLoopback(hostOf(instance.areas.git));
	return cloneAddresses(instance, ref).filter(({ way }) => !(way === 'ssh' && isHere));
}

/** The address of one way. */
export function cloneAddress(instance: Instance, ref: RepositoryRef, way: CloneAddress['way']): string | undefined {
	return cloneAddresses(instance, ref).find((each) => each.way === way)?.address;
}

function hostOf(address: string): string {
	return URL.parse(address)?.hostname ?? '';
}

/** Encodes characters with a meaning in a shell. */
function asOneWord(path: string): string {
	return path.replaceAll(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
}

function isFit(address: string): boolean {
	try {
		return addressArgument(address) === address;
	} catch {
		return false;
	}
}
