import type { Clock } from '@forge-desk/base/clock.ts';
import { isAbort } from '@forge-desk/base/abort.ts';
import { ForgeError, unfit } from 'sourcehut/port/forgeError.ts';
import type { ArchiveReads } from '../http/archiveReads.ts';
import type { HeldList } from '../local/heldLists.ts';
import type { LocalList } from '../local/localList.ts';
import { MailboxError } from '../local/mailSource.ts';
import { mailboxSite } from '../read/archivePlace.ts';
import { bracketed } from '../read/messageId.ts';

/** A search waits so long for the mails that came since the last one. It shows a large mailbox as far as it was read. */
const patienceMs = 500;
/** A clone looks for new mails this often, while somebody looks at its list or polls it. */
const fetchEveryMs = 60_000;
/** Looking for new mails takes less than a fifth of the time. */
const restFactor = 5;

/** Nobody may stop a reading that all share. It stops with the thread of the indexes. */
const never = new AbortController().signal;

interface Refreshing {
	readonly done: Promise<void>;
	/** `undefined` while it runs. */
	untilMs: number | undefined;
}

/**
 * Answers for lists on this machine, without a request. `archive` answers for all other lists. Rejects with `ForgeError` where a mailbox fails.
 */
export function heldReads(held: () => Promise<readonly HeldList[]>, archive: ArchiveReads, clock: Clock): ArchiveReads {
	const refreshes = new WeakMap<LocalList, Refreshing>();
	const fetchedMs = new WeakMap<LocalList, number>();

	/** Without the network, the list is as it was. */
	async function fetchAndRefresh({ list, fetch }: HeldList): Promise<void> {
		const nowMs = clock.nowMs();
		if (fetch && nowMs - (fetchedMs.get(list) ?? 0) >= fetchEveryMs) {
			fetchedMs.set(list, nowMs);
			// The network may be back with the next look.
			await fetch(never).catch(() => fetchedMs.delete(list));
		}
		await list.refresh(() => undefined, never);
	}

	/** Reads new mails, as far as that is quick. */
	async function upToDate(found: HeldList): Promise<void> {
		const { list } = found;
		let running = refreshes.get(list);
		if (!running || (running.untilMs ?? Number.POSITIVE_INFINITY) <= clock.nowMs()) {
			const sinceMs = clock.nowMs();
			const done = fetchAndRefresh(found);
			const started: Refreshing = { done, untilMs: undefined };
			const ended = (): void => {
				started.untilMs = clock.nowMs() + restFactor * (clock.nowMs() - sinceMs);
			};
			done.then(ended, () => refreshes.delete(list));
			refreshes.set(list, started);
			running = started;
		}
		const patience = Promise.withResolvers<void>();
		const timer = clock.after(patienceMs, patience.resolve);
		try {
			await Promise.race([running.done, patience.promise]);
		} finally {
			timer.dispose();
		}
	}

	/** `lack`: whether the answer lacks the mail, or a part. The clone of an epoch has no older mails. */
	async function answer<T>(
		inboxUrl: string,
		local: (found: HeldList) => Promise<T>,
		remote: (from: ArchiveReads) => Promise<T>,
		lack: (found: T) => 'all' | 'part' | undefined = () => undefined,
	): Promise<T> {
		const found = (await held()).find(({ facts }) => facts.url === inboxUrl);
		const isMailbox = inboxUrl.startsWith(mailboxSite);
		if (!found) {
			return isMailbox ? notFound(inboxUrl) : await remote(archive);
		}
		let part: { readonly read: T } | undefined;
		try {
			const read = await local(found);
			const lacking = lack(read);
			if (lacking === undefined || (isMailbox && lacking === 'part')) {
				return read;
			}
			part = lacking === 'part' ? { read } : undefined;
		} catch (error) {
			if (isMailbox || isAbort(error)) {
				throw error instanceof MailboxError ? problemOf(error, found.facts.description) : error;
			}
		}
		if (isMailbox) {
			return notFound(inboxUrl);
		}
		try {
			return await remote(archive);
		} catch (error) {
			if (!part || isAbort(error)) {
				throw error;
			}
			return part.read;
		}
	}

	return {
		async inboxes(siteUrl, signal) {
			const own = (await held()).flatMap(({ facts: { url, name, description } }) =>
				url.startsWith(siteUrl) ? [{ url, name, description, modifiedMs: undefined, epochs: [] }] : [],
			);
			try {
				return siteUrl === mailboxSite ? own : await archive.inboxes(siteUrl, signal);
			} catch (error) {
				if (own.length === 0 || isAbort(error)) {
					throw error;
				}
				return own;
			}
		},
		inbox: (url, signal) =>
			answer(
				url,
				async ({ facts }) => facts,
				(from) => from.inbox(url, signal),
			),
		prefixes: (url, signal) =>
			answer(
				url,
				async ({ list }) => list.prefixes,
				(from) => from.prefixes(url, signal),
			),
		search: (url, asked, signal) =>
			answer(
				url,
				async (found) => {
					// Later pages belong to the first one.
					if (asked.from === 0) {
						await upToDate(found);
					}
					return await found.list.search(asked, signal);
				},
				(from) => from.search(url, asked, signal),
			),
		newest: (url, signal) =>
			answer(
				url,
				async (found) => {
					await upToDate(found);
					return await found.list.newest(signal);
				},
				(from) => from.newest(url, signal),
			),
		mail: (url, messageId, mostBytes, signal) =>
			answer(
				url,
				({ list }) => list.mail(bracketed(messageId), mostBytes, signal),
				(from) => from.mail(url, messageId, mostBytes, signal),
				({ mails, isCut }) => (mails.length === 0 && !isCut ? 'all' : undefined),
			),
		thread: (url, messageId, mostBytes, signal) =>
			answer(
				url,
				async ({ list }) => {
					const rows = await list.rowsOfThread(bracketed(messageId), signal);
					const names = new Set(rows.map((row) => row.messageId));
					const isPart = rows.some(({ parentId }) => parentId !== undefined && !names.has(parentId));
					return { isPart, ...(await list.thread(bracketed(messageId), mostBytes, signal)) };
				},
				async (from) => ({ isPart: false, ...(await from.thread(url, messageId, mostBytes, signal)) }),
				({ mails, isCut, isPart }) => (mails.length === 0 && !isCut ? 'all' : isPart ? 'part' : undefined),
			),
		threads: (url, messageIds, mostBytes, signal) =>
			answer(
				url,
				async () => undefined,
				(from) => from.threads(url, messageIds, mostBytes, signal),
			),
	};
}

function notFound(about: string): never {
	throw new ForgeError({ kind: 'notFound' }, { about, isUnsent: true });
}

/** `about`: the mailbox, in words. */
export function problemOf({ trouble }: MailboxError, about: string): ForgeError {
	switch (trouble) {
		case 'noMailbox':
			return unfit('mailbox', 'mailboxMissing', about);
		case 'damaged':
			return unfit('mailbox', 'mailboxDamaged', about);
		case 'unsupported':
			return unfit('mailbox', 'noMailIndex', about);
		case 'disk':
			return unfit('mailbox', 'diskFails', about);
		case 'lost':
		case 'failed':
			return unfit('mailbox', 'mailIndexFails', about);
	}
}
