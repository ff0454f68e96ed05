import { createHash } from 'node:crypto';
import type { Clock } from '@forge-desk/base/clock.ts';
import { inflated, isGzip } from 'patchmail/files/gunzip.ts';
import { archiveForm, MailboxReader, unquoted } from 'patchmail/mail/mailbox.ts';
import { readFeed, type FeedEntry } from '../read/atomFeed.ts';
import { searchPath } from '../read/archivePlace.ts';
import { decodedText, textOfHtml } from '../read/htmlText.ts';
import { readInboxConfig, readPrefixes, type InboxFacts, type SearchPrefix } from '../read/inboxFacts.ts';
import { idInPath } from '../read/messageId.ts';
import { readSearchPage, type SearchPage } from '../read/searchPage.ts';
import { readListing, readManifest, type ListedInbox } from '../read/siteListing.ts';
import { strangePage } from '../read/strangePage.ts';
import { archiveCaller, type ArchiveAnswer } from './archiveCaller.ts';
import { ArchiveError } from './archiveError.ts';
import type { ArchiveTransport } from './archiveTransport.ts';
import { gathered, unpacked, withStart } from './boundedBody.ts';

/** Raw mails in the archive's order, which is none of dates or answers. Several may have one Message-ID. */
export interface ArchivedMails {
	readonly mails: readonly Uint8Array[];
	/** The limit ended the download: there are more mails. */
	readonly isCut: boolean;
}

const factBytes = 1024 * 1024;
const pageBytes = 8 * 1024 * 1024;
const manifestBytes = 32 * 1024 * 1024;
/** Archives send no more rows. */
const mostRows = 200;
/** Requests for rows that a page counts and does not show. */
const mostGaps = 4;

/** Reads the archives of a program. Rejects with `ArchiveError`, the transport's error, or the signal's reason. */
export type ArchiveClient = ReturnType<typeof archiveClient>;

/** URLs of inboxes and sites end with a slash. `mirrors`: see `archiveCaller`. */
export function archiveClient(given: {
	readonly transport: ArchiveTransport;
	readonly clock: Clock;
	readonly mirrors: () => Readonly<Record<string, readonly string[]>>;
}) {
	const caller = archiveCaller(given.transport, given.clock, given.mirrors);

	/** A small text without markup. */
	function fact(url: string, signal: AbortSignal): Promise<Uint8Array> {
		return caller.ask({ method: 'GET', url, isPage: false, read: (answer) => whole(answer, factBytes) }, signal);
	}

	async function feed(url: string, signal: AbortSignal): Promise<readonly FeedEntry[]> {
		return await caller.ask(
			{
				method: 'GET',
				url,
				isPage: false,
				async read(answer) {
					const { bytes } = await gathered(answer.chunks, pageBytes);
					return readFeed(bytes) ?? fail(answer, { kind: 'foreign' });
				},
			},
			signal,
		);
	}

	async function page(
		inboxUrl: string,
		asked: { readonly query: string; readonly from: number; readonly rows: number },
		signal: AbortSignal,
	): Promise<SearchPage> {
		const url = `${inboxUrl}${searchPath(asked.query, asked)}`;
		const none = { rows: [], from: 0, to: 0, total: 0, isEstimate: false, missing: [] };
		return await caller.ask(
			{
				method: 'GET',
				url,
				isPage: true,
				statuses: [400, 404],
				async read(answer) {
					const { bytes } = await gathered(answer.chunks, pageBytes);
					const strange = strangePage(bytes);
					if (strange !== undefined) {
						return fail(answer, { kind: strange });
					}
					if (answer.status === 400) {
						const [, text = ''] = /Bad query:\s*(?:<b>)?([^<]*)/.exec(decodedText(bytes)) ?? [];
						return fail(answer, { kind: 'badQuery', text: textOfHtml(text).trim() });
					}
					// Nothing found has status 404.
					const read = readSearchPage(bytes);
					return read ?? (answer.status === 404 ? none : fail(answer, { kind: 'foreign' }));
				},
			},
			signal,
		);
	}

	/** Asks for the places without a row as a feed. One mail of two hits with one Message-ID explains both. */
	async function withMissing(
		inboxUrl: string,
		query: string,
		found: SearchPage,
		signal: AbortSignal,
	): Promise<SearchPage> {
		const hidden = new Set(found.missing);
		const shown = Array.from({ length: found.to - found.from }, (_, at) => found.from + at).filter(
			(place) => !hidden.has(place),
		);
		const rows = new Map(found.rows.map((row, at) => [shown[at] ?? at, row]));
		const known = new Set(found.rows.map(({ messageId }) => messageId));
		for (const { from, to } of gapsIn(found.missing).slice(0, mostGaps)) {
			const path = searchPath(query, { from, rows: Math.min(to - from, mostRows), asFeed: true });
			const entries = await feed(`${inboxUrl}${path}`, signal);
			for (const [at, { messageId, subject, author, dateMs }] of entries.slice(0, to - from).entries()) {
				hidden.delete(from + at);
				if (!known.has(messageId)) {
					known.add(messageId);
					rows.set(from + at, { messageId, subject, author, dateMs });
				}
			}
		}
		const inOrder = [...rows].toSorted(([one], [other]) => one - other).map(([, row]) => row);
		return { ...found, rows: inOrder, missing: [...hidden] };
	}

	/** A mailbox in a gzip file, or plain. */
	async function mailbox(answer: ArchiveAnswer, mostBytes: number, isFile: boolean): Promise<ArchivedMails> {
		const { start, all } = await withStart(answer.chunks);
		if (isFile && !isGzip(start)) {
			return fail(answer, { kind: 'foreign' });
		}
		const reader = new MailboxReader(archiveForm, mostBytes);
		const mails: Uint8Array[] = [];
		let bytes = 0;
		for await (const chunk of isFile ? inflated(all) : all) {
			bytes += chunk.byteLength;
			if (bytes > mostBytes) {
				return { mails, isCut: true };
			}
			for (const mail of reader.add(chunk)) {
				mails.push(unquoted(mail));
			}
		}
		return { mails: [...mails, ...(reader.end() ?? []).map(unquoted)], isCut: false };
	}

	return {
		/** Facts of an inbox. */
		async inbox(inboxUrl: string, signal: AbortSignal): Promise<InboxFacts> {
			const config = await fact(`${inboxUrl}_/text/config/raw`, signal);
			const said = await fact(`${inboxUrl}description`, signal).catch(ifMissing(() => new Uint8Array()));
			const facts = readInboxConfig(config, { url: inboxUrl, description: decodedText(said).trim() });
			if (facts === undefined) {
				throw new ArchiveError({ kind: 'foreign' }, new URL(inboxUrl).host);
			}
			return facts;
		},

		/** Prefixes that this installation supports in searches. */
		async prefixes(inboxUrl: string, signal: AbortSignal): Promise<readonly SearchPrefix[]> {
			return readPrefixes(await fact(`${inboxUrl}_/text/help/raw`, signal));
		},

		/** The inboxes of a site. Empty: the site hides them, or is none. */
		async inboxes(siteUrl: string, signal: AbortSignal): Promise<readonly ListedInbox[]> {
			const listed = await caller
				.ask(
					{
						method: 'GET',
						url: `${siteUrl}manifest.js.gz`,
						isPage: false,
						async read(answer) {
							const { bytes, isCut } = await gathered(await unpacked(answer.chunks), manifestBytes);
							return isCut
								? fail(answer, { kind: 'tooLarge', limitBytes: manifestBytes })
								: readManifest(bytes, siteUrl);
						},
					},
					signal,
				)
				.catch(ifMissing(() => undefined));
			if (listed !== undefined && listed.length > 0) {
				return listed;
			}
			return await caller.ask(
				{
					method: 'GET',
					url: siteUrl,
					isPage: true,
					async read(answer) {
						const bytes = await whole(answer, pageBytes);
						const inboxes = readListing(bytes, answer.url);
						const strange = inboxes.length > 0 ? undefined : strangePage(bytes);
						return strange === 'challenge' ? fail(answer, { kind: strange }) : inboxes;
					},
				},
				signal,
			);
		},

		/** All texts under a Message-ID. */
		async mail(inboxUrl: string, messageId: string, mostBytes: number, signal: AbortSignal): Promise<ArchivedMails> {
			const url = `${inboxUrl}${idInPath(messageId)}/raw`;
			return await caller.ask(
				{
					method: 'GET',
					url,
					isPage: false,
					async read(answer) {
						const read = await mailbox(answer, mostBytes, false);
						return read.mails.length > 0 || read.isCut ? read : fail(answer, { kind: 'foreign' });
					},
				},
				signal,
			);
		},

		/** The thread of a mail, by any of its mails. */
		async thread(inboxUrl: string, messageId: string, mostBytes: number, signal: AbortSignal): Promise<ArchivedMails> {
			const url = `${inboxUrl}${idInPath(messageId)}/t.mbox.gz`;
			return await caller.ask(
				{ method: 'GET', url, isPage: false, read: (answer) => mailbox(answer, mostBytes, true) },
				signal,
			);
		},

		/**
		 * The threads of several mails. `undefined`: the archive has only the mails themselves in such an answer, or none.
		 */
		async threads(
			inboxUrl: string,
			messageIds: readonly string[],
			mostBytes: number,
			signal: AbortSignal,
		): Promise<ArchivedMails | undefined> {
			const ids = messageIds.map((id) => id.slice(1, -1));
			if (ids.some((id) => !/^[^\s"()]+$/.test(id))) {
				return undefined;
			}
			const query = new URLSearchParams({ x: 'm', t: '1', q: ids.map((id) => `mid:${id}`).join(' OR ') });
			return await caller.ask(
				{
					method: 'POST',
					url: `${inboxUrl}?${query.toString()}`,
					isPage: false,
					// The name of the file says whether whole threads are in it.
					async read(answer) {
						if (!answer.fileName.includes('results-thread')) {
							return undefined;
						}
						const { mails, isCut } = await mailbox(answer, mostBytes, true);
						// Two mails of one thread bring it twice.
						const distinct = new Map(mails.map((mail) => [createHash('sha256').update(mail).digest('hex'), mail]));
						return { mails: [...distinct.values()], isCut };
					},
				},
				signal,
			);
		},

		/** Hits from a place on, newest first. */
		async search(
			inboxUrl: string,
			asked: { readonly query: string; readonly from: number; readonly rows: number },
			signal: AbortSignal,
		): Promise<SearchPage> {
			const found = await page(inboxUrl, { ...asked, rows: Math.min(asked.rows, mostRows) }, signal);
			return found.missing.length === 0 ? found : await withMissing(inboxUrl, asked.query, found, signal);
		},

		/** The newest mails, some 25. Search learns of a mail a minute later. */
		newest: (inboxUrl: string, signal: AbortSignal) => feed(`${inboxUrl}new.atom`, signal),

		/**
		 * All mails that the archive received in a time. Archives ignore limits in this request, so it has no search of
		 * the user: the time alone bounds it.
		 */
		async received(
			inboxUrl: string,
			time: { readonly fromMs: number; readonly toMs: number },
			mostBytes: number,
			signal: AbortSignal,
		): Promise<ArchivedMails> {
			// Archives take numbers with fewer than five digits for days and years.
			const [from, to] = [Math.floor(time.fromMs / 1000), Math.ceil(time.toMs / 1000)].map((seconds) =>
				String(Math.max(seconds, 0)).padStart(10, '0'),
			);
			const query = `rt:${from}..${to}`;
			return await caller
				.ask(
					{
						method: 'POST',
						url: `${inboxUrl}?${new URLSearchParams({ x: 'm', q: query }).toString()}`,
						isPage: false,
						read: (answer) => mailbox(answer, mostBytes, true),
					},
					signal,
				)
				.catch(ifMissing((): ArchivedMails => ({ mails: [], isCut: false })));
		},
	};
}

function fail(answer: ArchiveAnswer, problem: ArchiveError['problem']): never {
	throw new ArchiveError(problem, new URL(answer.url).host);
}

async function whole(answer: ArchiveAnswer, limitBytes: number): Promise<Uint8Array> {
	const { bytes, isCut } = await gathered(answer.chunks, limitBytes);
	return isCut ? fail(answer, { kind: 'tooLarge', limitBytes }) : bytes;
}

/** A value for a thing that the whole archive does not have. */
function ifMissing<T>(value: () => T): (error: unknown) => T {
	return (error) => {
		if (error instanceof ArchiveError && error.problem.kind === 'missing' && !error.problem.isPartial) {
			return value();
		}
		throw error;
	};
}

/** Runs of neighbouring places. */
function gapsIn(places: readonly number[]): readonly { readonly from: number; readonly to: number }[] {
	const gaps: { from: number; to: number }[] = [];
	for (const place of places) {
		const last = gaps.at(-1);
		if (last?.to === place) {
			last.to = place + 1;
		} else {
			gaps.push({ from: place, to: place + 1 });
		}
	}
	return gaps;
}
