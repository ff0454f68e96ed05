// The published face. Sources of this repository import the files.
import { archiveClient, type ArchiveClient, type ArchivedMails } from './http/archiveClient.ts';
import { ArchiveError } from './http/archiveError.ts';
import type { ArchiveTransport } from './http/archiveTransport.ts';
import { epochClone } from './local/epochClone.ts';
import { indexAnswerer } from './local/indexAnswerer.ts';
import { LocalList, mailboxAt } from './local/localList.ts';
import { mailUrl, readArchivePlace, threadUrl, type ArchivePlace } from './read/archivePlace.ts';
import type { SearchPage, SearchRow } from './read/searchPage.ts';
import { archiveLists } from './port/archiveLists.ts';
import { provisionalSeries, seriesQuery, type ProvisionalSeries } from './series/provisionalSeries.ts';
import { seriesOfThread } from './series/threadSeries.ts';

export type { ArchiveClient, ArchivedMails, ArchivePlace, ArchiveTransport, ProvisionalSeries, SearchPage, SearchRow };
export {
	archiveClient,
	ArchiveError,
	archiveLists,
	epochClone,
	indexAnswerer,
	LocalList,
	mailboxAt,
	mailUrl,
	provisionalSeries,
	readArchivePlace,
	seriesOfThread,
	seriesQuery,
	threadUrl,
};
