import { createHash } from 'node:crypto';
import { isObjectId } from '../git/objectId.ts';

/** The name under which a clone has what was fetched: a branch of a remote that nobody configures. */
export interface FetchedName {
	readonly remote: string;
	readonly branch: string;
}

/** A longer name is cut, and told apart by a digest: files of references have names of 255 bytes at most. */
const longestPart = 150;

/**
 * Each address has a place of its own, so that nobody's branch takes the place of another's that is called the same; there
 * each branch is one component, so that `a` and `a/b` can both be there. Only a branch goes by its bare name, unless that
 * could be a tag's; of a commit the name has a part of its id. `what` is hostile until it is handed to git.
 */
export function fetchedName(address: string, what: string): FetchedName {
	const short = isObjectId(what)
		? what.slice(0, 10)
		: what.replace(/^refs\/heads\/(?!tags\/)/, '').replace(/^refs\//, '');
	const branch = short.replaceAll(/[^A-Za-z0-9_.+@-]/gu, percent);
	return {
		remote: `forge-desk/${[...ownerIn(address), digest(address)].join('-')}`,
		branch: branch.length <= longestPart ? branch : `${branch.slice(0, 100)}-${digest(what)}`,
	};
}

/** For people's eyes, where the address names one; the digest tells addresses apart. */
function ownerIn(address: string): readonly string[] {
	const parts = address.split(/[/:]/).filter((part) => part !== '');
	const owner = (parts.at(-2) ?? '').replace(/^~/, '').slice(0, 40);
	return owner === '' ? [] : [owner.replaceAll(/^-|[^A-Za-z0-9_-]/gu, percent)];
}

function digest(text: string): string {
	return createHash('sha256').update(text).digest('hex').slice(0, 12);
}

function percent(text: string): string {
	const bytes = [...new TextEncoder().encode(text)];
	return bytes.map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`).join('');
}
