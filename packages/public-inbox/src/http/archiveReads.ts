import type { FeedEntry } from '../read/atomFeed.ts';
import type { InboxFacts, SearchPrefix } from '../read/inboxFacts.ts';
import type { SearchPage } from '../read/searchPage.ts';
import type { ListedInbox } from '../read/siteListing.ts';
import type { ArchivedMails } from './archiveClient.ts';

/** An archive for reading: over the network (`archiveClient`), or on this machine (`heldReads`). */
export interface ArchiveReads {
	readonly inboxes: (siteUrl: string, signal: AbortSignal) => Promise<readonly ListedInbox[]>;
	readonly inbox: (inboxUrl: string, signal: AbortSignal) => Promise<InboxFacts>;
	readonly prefixes: (inboxUrl: string, signal: AbortSignal) => Promise<readonly SearchPrefix[]>;
	readonly newest: (inboxUrl: string, signal: AbortSignal) => Promise<readonly FeedEntry[]>;
	readonly search: (
		inboxUrl: string,
		asked: { readonly query: string; readonly from: number; readonly rows: number },
		signal: AbortSignal,
	) => Promise<SearchPage>;
	readonly mail: (
		inboxUrl: string,
		messageId: string,
		mostBytes: number,
		signal: AbortSignal,
	) => Promise<ArchivedMails>;
	readonly thread: (
		inboxUrl: string,
		messageId: string,
		mostBytes: number,
		signal: AbortSignal,
	) => Promise<ArchivedMails>;
	/** The threads of several mails at once, without their order. `undefined`: only `thread` reads them. */
	readonly threads: (
		inboxUrl: string,
		messageIds: readonly string[],
		mostBytes: number,
		signal: AbortSignal,
	) => Promise<ArchivedMails | undefined>;
}

/** Address of an inbox's newest epoch, for git. `undefined`: the archive does not say it now. */
export async function newestEpoch(
	{ inboxes }: ArchiveReads,
	inboxUrl: string,
	signal: AbortSignal,
): Promise<string | undefined> {
	// The archive may be away, or ask for a browser; git may reach it all the same.
	const listed = await inboxes(inboxUrl, signal).catch(() => []);
	signal.throwIfAborted();
	return listed.find(({ url }) => url === inboxUrl)?.epochs.at(-1);
}
