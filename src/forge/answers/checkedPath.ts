import { unfit } from '../port/forgeError.ts';

/**
 * Final check before a token leaves: the address must have this exact origin, and its path no `..` step.
 */
export function checkedPath(origin: string, path: string): string {
	const url = URL.parse(`${origin}${path}`);
	if (url === null || url.origin !== origin || `${url.pathname}${url.search}` !== path || url.username !== '') {
		throw unfit('path', 'nameInNoAddress');
	}
	return path;
}
