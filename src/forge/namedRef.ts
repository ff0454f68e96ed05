import type { OwnerName } from './user.ts';

/** Names what somebody owns: a tracker, a list or a repository. */
export interface NamedRef {
	readonly owner: OwnerName;
	readonly name: string;
}

/** `~alice/alpha` */
export function refText({ owner, name }: NamedRef): string {
	return `${owner}/${name}`;
}
