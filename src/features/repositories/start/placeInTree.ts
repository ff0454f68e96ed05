import { decodedPart } from '../../../base/decodedPart.ts';
import type { LineRange } from '../../../forge/port/repository.ts';
import { linesOfFragment } from '../../../forge/port/repositoryWay.ts';

/** Where in a tree a link of a README leads. */
export interface PlaceInTree {
	/** Without slashes at its ends; empty for the root. */
	readonly path: string;
	readonly lines: LineRange | undefined;
}

/**
 * The tree path of a resolved address, relative to `file`'s address; `undefined` outside the tree. Compares raw
 * addresses, so that a path segment `item` or a revision with slashes can't mislead it.
 */
export function placeInTree(address: string, file: string): PlaceInTree | undefined {
	const root = URL.parse('.', file)?.href;
	const [, below, fragment = ''] = /^([^?#]*)[^#]*(?:#(.*))?$/.exec(address) ?? [];
	if (root === undefined || below === undefined || !below.startsWith(root)) {
		return undefined;
	}
	const path = decodedPart(below.slice(root.length).replace(/\/$/, ''));
	return path === undefined ? undefined : { path, lines: linesOfFragment(fragment) };
}
