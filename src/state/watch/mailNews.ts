import { isAbort } from '../../base/abort.ts';
import type { Clock } from '../../base/clock.ts';
import { isAway } from '../../forge/isAway.ts';
import { isHopeless } from '../../forge/isHopeless.ts';
import type { ListRef, ShortEmail } from '../../forge/list.ts';
import type { OwnerName } from '../../forge/user.ts';
import { isSameAddress } from '../../mail/onlySender.ts';
import type { Inbox } from '../inbox/inbox.ts';
import { thingKey } from '../inbox/inboxEntry.ts';
import { isPatchMail, mailNotice, thingOfMail, type AboutMail, type MailSays } from '../inbox/mailNotices.ts';
import { namesAccount } from '../inbox/namesAccount.ts';
import type { MailTexts } from '../lists/listMailTexts.ts';
import type { ListStore } from '../lists/listStore.ts';
import { placeOfList, watchingInList, type UsualInList } from './listPlaces.ts';

/** What the account itself is and did in lists, as far as it is known. */
export interface OwnInLists {
	/** Its e-mail address. */
	readonly address: string | undefined;
	readonly mails: readonly ShortEmail[];
	/** Conversations in which it wrote, by the numbers of their first mails. */
	readonly threads: ReadonlySet<number>;
}

export interface MailNewsParts {
	readonly lists: Pick<ListStore, 'knownPosts' | 'knownPatchset'>;
	readonly usualIn: UsualInList;
	readonly texts: Pick<MailTexts, 'known' | 'read'>;
	readonly inbox: Inbox;
	readonly own: OwnInLists;
	readonly me: OwnerName;
	readonly clock: Clock;
	/** A request is about to be sent. */
	readonly spend: () => void;
}

/** What new mails tell. */
export interface MailNews {
	/** Reads a new mail, if need be, and tells the inbox of it. To be called with the oldest first. */
	tell(list: ListRef, mail: ShortEmail, how: 'read' | 'unread', signal: AbortSignal): Promise<void>;
	/** What a mail says of the account; `undefined` for one that the forge does not hand out, or that nobody can read. */
	says(mail: ShortEmail, signal: AbortSignal): Promise<MailSays | undefined>;
}

export function mailNews({ lists, usualIn, texts, inbox, own, me, clock, spend }: MailNewsParts): MailNews {
	function about(list: ListRef, mail: ShortEmail): AboutMail {
		const threadId = mail.threadId ?? mail.id;
		const first = lists.knownPosts(list)?.items.find(({ id }) => id === threadId);
		const patchsetId = mail.patchsetId ?? first?.patchsetId;
		const patchset = patchsetId === undefined ? undefined : lists.knownPatchset({ list, id: patchsetId });
		return { list, mail, firstSubject: first?.subject, patchset };
	}

	function isMyPatch(threadId: number): boolean {
		return own.mails.some((mail) => mail.id === threadId && isPatchMail(mail));
	}

	async function says({ id }: ShortEmail, signal: AbortSignal): Promise<MailSays | undefined> {
		if (texts.known(id) === undefined) {
			spend();
		}
		try {
			const { reading } = await texts.read(id, signal);
			if (reading.kind !== 'read') {
				return undefined;
			}
			const { text, to, cc } = reading.mail;
			return {
				namesMe: namesAccount(text, me),
				isToMe: [...to, ...cc].some(({ address }) => isSameAddress(address, own.address)),
			};
		} catch (error) {
			if (isAbort(error) || isHopeless(error) || isAway(error)) {
				throw error;
			}
			return undefined;
		}
	}

	return {
		says,
		async tell(list, mail, how, signal) {
			const told = about(list, mail);
			const watching = watchingInList({ inbox, usualIn }, list, thingKey(thingOfMail(told)));
			const isOwn = mail.sender?.canonicalName === me;
			const threadId = mail.threadId ?? mail.id;
			const entries =
				isOwn || watching === 'nothing' || isPatchMail(mail)
					? []
					: mailNotice({
							...told,
							isMyPatch: isMyPatch(threadId),
							takesPart: own.threads.has(threadId),
							read: how === 'read' ? await says(mail, signal) : undefined,
							watching,
						});
			const sinceMs = inbox.position(placeOfList(list))?.sinceMs ?? clock.nowMs();
			inbox.add({ entries, positions: new Map([[placeOfList(list), { sinceMs, newestId: mail.id, detail: '' }]]) });
		},
	};
}
