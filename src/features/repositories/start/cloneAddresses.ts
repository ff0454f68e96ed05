import type { ForgeInstance } from '../../../forge/instance.ts';
import type { RepositoryRef } from '../../../forge/repository.ts';
import { userPath } from '../../../text/forgeAddress.ts';

/** Where git finds a repository (docs/protocol.md#addresses-for-git). */
export interface CloneAddresses {
	/** Over HTTPS, for everybody. */
	readonly readOnly: string;
	/** Over SSH, for those who may push. */
	readonly readWrite: string;
}

/** Whatever owner and name hold, there is neither a blank nor a line break in what comes out. */
export function cloneAddresses(
	{ areas }: Pick<ForgeInstance, 'areas'>,
	{ owner, name }: RepositoryRef,
): CloneAddresses {
	const path = `${userPath(owner)}${userPath(name)}`;
	const host = URL.parse(areas.git)?.hostname ?? '';
	return { readOnly: `${areas.git}${path}`, readWrite: `git@${host}:${path.slice(1)}` };
}
