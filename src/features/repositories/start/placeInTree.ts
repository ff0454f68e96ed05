import { decodedPart } from '../../../base/decodedPart.ts';
import type { LineRange } from '../../../forge/repository.ts';
import { linesOfFragment } from '../../../forge/repositoryWay.ts';

/** Where in a tree a link of a README leads. */
export interface PlaceInTree {
	/** Without slashes at its ends; empty for the root. */
	readonly path: string;
	readonly lines: LineRange | undefined;
}

/**
 * The place beside a file that a resolved address stands for, where `file` is that file's own address; `undefined` for
 * addresses that lead out of the tree. Addresses are compared as they are, so that a name like `item` or a revision with
 * slashes misleads nobody.
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
