import type { RepositoryRef } from 'sourcehut/port/repository.ts';

const ownerAndName = /^(~[^/\s]+)\/([^/\s]+)$/;

/** Parses `~owner/name`. */
export function repositoryRefOf(text: string): RepositoryRef | undefined {
	const [, owner, name] = ownerAndName.exec(text) ?? [];
	return owner === undefined || name === undefined ? undefined : { owner, name };
}
