import { createHash } from 'node:crypto';
import { secretText, type RandomBytes } from '../base/secretText.ts';

/** Unguessable path of one subscription. Anyone with the path can trigger reads of its resource. */
export function createHookPath(random: RandomBytes): string {
	return `/${secretText(random)}`;
}

/** True for the exact form of `createHookPath`, without decoding. */
export function isHookPath(path: string): boolean {
	return /^\/[\w-]{43}$/.test(path);
}

/** As many letters at the beginning of a path say whose it is; those after them are more than enough to be secret. */
const ownLetters = 8;

/**
 * Paths of hooks that begin as no other owner's do, so that of hooks at one address each owner finds its own. `owner` is not
 * told by them.
 */
export function ownHookPaths(
	owner: string,
	random: RandomBytes,
): { readonly create: () => string; readonly isPath: (path: string) => boolean } {
	const beginning = `/${createHash('sha256').update(owner).digest('base64url').slice(0, ownLetters)}`;
	return {
		create: () => `${beginning}${createHookPath(random).slice(beginning.length)}`,
		isPath: (path) => isHookPath(path) && path.startsWith(beginning),
	};
}
