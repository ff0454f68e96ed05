import { SharedReads } from '@forge-desk/base/sharedFlights.ts';
import type { MailPlace } from 'sourcehut/port/destination.ts';
import type { ListApi } from 'sourcehut/port/forge.ts';
import { listKey, refOfList, type ShortEmail } from 'sourcehut/port/list.ts';
import type { ReadOrder } from '../shared/readOrder.ts';
import type { FreshThread } from './listChange.ts';
import type { ListMails } from './listMails.ts';
import type { MailSummary } from './mailSummary.ts';

/** Reads the thread of a Message-ID. Concurrent calls share a request. `take`: keeps the newest thread, and returns it. */
export function namedThreads(
	api: ListApi,
	mails: ListMails,
	order: ReadOrder,
	take: (thread: FreshThread) => readonly MailSummary[],
) {
	const reads = new SharedReads<readonly ShortEmail[]>();

	async function readNow({ messageId, list }: MailPlace, signal: AbortSignal): Promise<readonly ShortEmail[]> {
		const begun = order.begin();
		const thread = (await api.thread({ messageId, list }, signal)).map((mail) => mails.take(mail));
		const named = thread.find((mail) => mail.messageId === messageId);
		const at = named?.list ? refOfList(named.list) : list;
		if (!named || !at) {
			return thread;
		}
		mails.foundNamed(messageId, named.id);
		// Some servers return the thread around any mail.
		const first = thread.find(({ id }) => id === named.threadId) ?? named;
		return take({ list: at, id: first.id, mails: thread, begun });
	}

	return {
		read: (place: MailPlace, signal: AbortSignal): Promise<readonly ShortEmail[]> => {
			const { messageId, list } = place;
			const key = JSON.stringify([messageId, list && listKey(list), order.lastNews]);
			return reads.read(key, (shared) => readNow(place, shared), signal);
		},
		dispose: () => reads.abortAll(),
	};
}
