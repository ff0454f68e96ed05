import { ForgeError } from 'sourcehut/port/forgeError.ts';
import { ArchiveError } from '../http/archiveError.ts';
import type { ArchiveReads } from '../http/archiveReads.ts';
import type { ListedInbox } from '../read/siteListing.ts';
import { forgeErrorOf } from './archiveProblem.ts';

/** An inbox, or the inboxes of a site. */
export type FoundPlace =
	| { readonly kind: 'inbox'; readonly url: string }
	| { readonly kind: 'site'; readonly inboxes: readonly ListedInbox[] };

/** Asks a URL for its kind. Throws `notFound` if it is neither. */
export async function findPlace(client: ArchiveReads, url: string, signal: AbortSignal): Promise<FoundPlace> {
	if (new URL(url).pathname !== '/') {
		try {
			await client.inbox(url, signal);
			return { kind: 'inbox', url };
		} catch (error) {
			if (!(error instanceof ArchiveError) || (error.problem.kind !== 'missing' && error.problem.kind !== 'foreign')) {
				throw forgeErrorOf(error);
			}
		}
	}
	const inboxes = await inboxesOf(client, url, signal);
	if (inboxes.length === 0) {
		throw new ForgeError({ kind: 'notFound' }, { about: url });
	}
	return { kind: 'site', inboxes };
}

/** Newest activity first. Empty: the site hides them, or is none. */
export async function inboxesOf(
	client: ArchiveReads,
	siteUrl: string,
	signal: AbortSignal,
): Promise<readonly ListedInbox[]> {
	try {
		const inboxes = await client.inboxes(siteUrl, signal);
		return inboxes.toSorted((one, other) => (other.modifiedMs ?? 0) - (one.modifiedMs ?? 0));
	} catch (error) {
		throw forgeErrorOf(error);
	}
}
