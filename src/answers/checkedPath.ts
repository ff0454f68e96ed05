import { unfit } from '../forge/forgeError.ts';

/**
 * The last look before a token leaves: the address must lead to this very origin, and no step of its path may be one
 * that a server or proxy would walk up again.
 */
export function checkedPath(origin: string, path: string): string {
	const url = URL.parse(`${origin}${path}`);
	if (url === null || url.origin !== origin || `${url.pathname}${url.search}` !== path || url.username !== '') {
		throw unfit('path', 'nameInNoAddress');
	}
	return path;
}
