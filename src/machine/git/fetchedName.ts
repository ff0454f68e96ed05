import { createHash } from 'node:crypto';
import { isObjectId } from '../../engine/git/objectId.ts';

/** Remote-tracking branch of a fetched reference, under an unconfigured remote. */
export interface FetchedName {
	readonly remote: string;
	readonly branch: string;
}

/** Longer names are cut and get a digest, because reference files are limited to 255 bytes. */
const longestPart = 150;

/**
 * Separates addresses, so that equal branch names do not collide. Escapes `/`, so that `a` and `a/b` can coexist. Only
 * branches omit their prefix, unless a tag could have the same name; commits use an abbreviated id. `what` is
 * untrusted.
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

/** Readable owner, if the address has one; the digest makes it unique. */
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
