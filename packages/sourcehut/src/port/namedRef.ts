import type { OwnerName } from './user.ts';

/** A tracker, list or repository by owner and name. */
export interface NamedRef {
	readonly owner: OwnerName;
	readonly name: string;
}

/** `~alice/alpha` */
export function refText({ owner, name }: NamedRef): string {
	return `${owner}/${name}`;
}

/**
 * True for an owner in an address: `~name`, or an e-mail address. Rejects slashes, because a proxy that decodes `%2F`
 * would split the name.
 */
export function isOwnerName(text: string): boolean {
	return text.length > 1 && (text.startsWith('~') || text.includes('@')) && !text.includes('/');
}

/** True for names that work in a path: no dot segments, no invisible characters. */
export function fitsPath({ owner, name }: NamedRef): boolean {
	return [owner, name].every((text) => /^(?!\.{1,2}$)[^\s\p{C}/\\?#]{1,255}$/u.test(text));
}

/** True for a name on a forge. Archives have a host instead of an owner. */
export function isNameable(ref: NamedRef): boolean {
	return isOwnerName(ref.owner) && fitsPath(ref);
}
