import type { Pages } from '../../forge/port/page.ts';
import type { OwnerName } from '../../forge/port/user.ts';

/** Owner and part of a name; an empty word matches all. */
export interface OwnerSearch {
	readonly owner: OwnerName;
	readonly word: string;
}

/** Search results. */
export interface FoundNames {
	readonly names: readonly string[];
	/** False if there are more than a user would read. */
	readonly isComplete: boolean;
}

/** `~owner` or the owner's address on the web, with a word behind it or without. */
const owners = /^(?<address>https?:\/\/[^\s/]+\/)?(?<owner>~[^\s/?#]+)\/?(?:\s+(?<word>\S+))?$/;

/** Parses a search; `undefined` for other texts and for addresses of other hosts. */
export function ownerSearchOf(text: string, origin: string): OwnerSearch | undefined {
	const { address, owner, word = '' } = owners.exec(text.trim())?.groups ?? {};
	const isElsewhere = address !== undefined && URL.parse(address)?.origin !== URL.parse(origin)?.origin;
	return owner === undefined || isElsewhere ? undefined : { owner, word };
}

/** Somebody has some hundreds at most; each page is a request that a person waits for. */
const mostPages = 20;

/** Reads the names that contain a word, upper and lower case alike. */
export async function namesWith(word: string, pages: Pages<{ readonly name: string }>): Promise<FoundNames> {
	const names: string[] = [];
	let read = 0;
	for await (const { items, completeness } of pages) {
		read += 1;
		names.push(...items.map(({ name }) => name).filter((name) => name.toLowerCase().includes(word.toLowerCase())));
		if (completeness.kind !== 'more' || read === mostPages) {
			return { names, isComplete: completeness.kind !== 'more' };
		}
	}
	return { names, isComplete: true };
}
