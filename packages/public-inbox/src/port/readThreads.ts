import { isAbort } from '@forge-desk/base/abort.ts';
import type { Clock } from '@forge-desk/base/clock.ts';
import { readMail } from 'patchmail/mail/readMail.ts';
import { postedSeries, type PostedSeries } from 'patchmail/series/postedSeries.ts';
import type { SeriesMail } from 'patchmail/series/seriesReading.ts';
import { ForgeError } from 'sourcehut/port/forgeError.ts';
import type { Email, ListRef } from 'sourcehut/port/list.ts';
import type { ArchivedMails } from '../http/archiveClient.ts';
import type { ArchiveReads } from '../http/archiveReads.ts';
import { asking } from './archiveProblem.ts';

const threadBytes = 64 * 1024 * 1024;
/** One opening reads patchset, patches and thread. The caches of the client serve later reads. */
const keptMs = 60_000;
const mostKept = 8;
/** Threads of versions that one request reads. */
const mostVersions = 5;

/** A mail of a thread with our numbers, and its raw text. */
interface ReadThread {
	readonly mails: readonly Email[];
	readonly sets: readonly PostedSeries[];
}

interface KeptThread {
	readonly inbox: string;
	/** Message-IDs of its mails, as far as known. */
	readonly names: Set<string>;
	readonly sinceMs: number;
	hasGivenMails: boolean;
	readonly read: Promise<ReadThread>;
}

/** Threads of the lists of a site. `numbered`: mails with our numbers. `took`: receives each read thread. */
export function readThreads(
	client: ArchiveReads,
	urlOf: (ref: ListRef) => string,
	numbered: (
		ref: ListRef,
		raw: readonly Uint8Array[],
		signal: AbortSignal,
		linkedTo: string,
	) => Promise<readonly Email[]>,
	took: (ref: ListRef, thread: ReadThread) => void,
	clock: Clock,
) {
	/** The newest last. */
	let threads: readonly KeptThread[] = [];

	async function readThread(ref: ListRef, messageId: string, signal: AbortSignal): Promise<ReadThread> {
		return await threadAmong(
			ref,
			messageId,
			await asking(client.thread(urlOf(ref), messageId, threadBytes, signal)),
			signal,
		);
	}

	async function threadAmong(
		ref: ListRef,
		messageId: string,
		{ mails: raw, isCut }: ArchivedMails,
		signal: AbortSignal,
	): Promise<ReadThread> {
		const mails = await numbered(ref, raw, signal, messageId);
		if (isCut && !mails.some((mail) => mail.messageId === messageId)) {
			throw new ForgeError({ kind: 'tooLarge', limitBytes: threadBytes }, { about: messageId });
		}
		const parsed: SeriesMail[] = [];
		for (const { id, parentId, createdMs, subject, messageId: name, envelope } of mails) {
			const reading = await readMail(envelope, { evenIfLarge: true });
			parsed.push({ id, messageId: name, parentId, createdMs, subject, account: undefined, reading });
		}
		signal.throwIfAborted();
		const sets = postedSeries(parsed);
		const patchsetOf = new Map(
			sets.flatMap(({ id, series: { cover, patches } }) =>
				[cover, ...patches.map(({ mail }) => mail)].flatMap((mail) => (mail ? [[mail.id, id] as const] : [])),
			),
		);
		const placed = mails.map((mail) => ({ ...mail, patchsetId: patchsetOf.get(mail.id) }));
		const read = { mails: placed, sets };
		took(ref, read);
		return read;
	}

	/** The mails of these threads, with one request. `undefined`: read one after the other. */
	async function readTogether(
		ref: ListRef,
		names: readonly string[],
		signal: AbortSignal,
	): Promise<ArchivedMails | undefined> {
		try {
			const read = await client.threads(urlOf(ref), names, threadBytes, signal);
			return read?.isCut === true ? undefined : read;
		} catch (error) {
			// The reading of each thread has a failure of its own.
			if (isAbort(error)) {
				throw error;
			}
			return undefined;
		}
	}

	/**
	 * One request for all questions about a thread. The second wish for its mails is a wish for news. `beside`: mails of
	 * further threads for the same request.
	 */
	return async (
		ref: ListRef,
		messageId: string,
		wanted: 'set' | 'mails',
		signal: AbortSignal,
		beside: readonly string[] = [],
	): Promise<ReadThread> => {
		const { name: inbox } = ref;
		threads = threads.filter(({ sinceMs }) => clock.nowMs() - sinceMs < keptMs).slice(-mostKept);
		const before = threads.find((each) => each.inbox === inbox && each.names.has(messageId));
		if (before && !(wanted === 'mails' && before.hasGivenMails)) {
			before.hasGivenMails ||= wanted === 'mails';
			try {
				return await before.read;
			} catch (error) {
				// The first asker may have gone.
				if (!isAbort(error) || signal.aborted) {
					throw error;
				}
			}
		}
		const isKept = (name: string): boolean => threads.some((each) => each.inbox === inbox && each.names.has(name));
		const wantedNames = [messageId, ...beside.filter((name) => !isKept(name))].slice(0, mostVersions);
		const together = wantedNames.length > 1 ? readTogether(ref, wantedNames, signal) : undefined;
		const begun = (name: string): KeptThread => {
			const read = async (): Promise<ReadThread> => {
				const all = await together;
				const found = all && (await threadAmong(ref, name, all, signal));
				return found?.mails.some((mail) => mail.messageId === name) === true
					? found
					: await readThread(ref, name, signal);
			};
			const hasGivenMails = wanted === 'mails';
			return { inbox, names: new Set([name]), sinceMs: clock.nowMs(), hasGivenMails, read: read() };
		};
		const own = begun(messageId);
		const fresh = [own, ...wantedNames.slice(1).map(begun)];
		threads = [...threads.filter((each) => each !== before), ...fresh.toReversed()];
		for (const kept of fresh) {
			kept.read.then(
				({ mails }) => mails.forEach((mail) => kept.names.add(mail.messageId)),
				() => {
					threads = threads.filter((each) => each !== kept);
				},
			);
		}
		return await own.read;
	};
}
