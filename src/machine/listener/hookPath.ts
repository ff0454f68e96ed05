import { createHash } from 'node:crypto';
import { secretText, type RandomBytes } from '@forge-desk/base/secretText.ts';

/** Unguessable path of one subscription. Anyone with the path can trigger reads of its resource. */
export function createHookPath(random: RandomBytes): string {
	return `/${secretText(random)}`;
}

/** True for the exact form of `createHookPath`, without decoding. */
export function isHookPath(path: string): boolean {
	return /^\/[\w-]{43}$/.test(path);
}

/** The first letters of a path identify its owner; the remaining ones are random enough to stay secret. */
const ownLetters = 8;

/**
 * Paths with a common prefix per owner, so that each owner recognizes its own at a shared address. The prefix doesn't
 * reveal `owner`.
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
