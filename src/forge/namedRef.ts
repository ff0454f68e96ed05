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

/**
 * True for what can be an owner in an address: `~name`, or an e-mail address. A slash that was encoded would make one name
 * into several steps for whoever decodes it once more on the way.
 */
export function isOwnerName(text: string): boolean {
	return text.length > 1 && (text.startsWith('~') || text.includes('@')) && !text.includes('/');
}

/** True for names that can lead to something: no step of a path but the two, and nothing that cannot be seen. */
export function isNameable({ owner, name }: NamedRef): boolean {
	return isOwnerName(owner) && [owner, name].every((text) => /^(?!\.{1,2}$)[^\s\p{C}/\\?#]{1,255}$/u.test(text));
}
