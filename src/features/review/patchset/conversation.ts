import type { Clock } from '@forge-desk/base/clock.ts';
import type { MailReading } from 'patchmail/mail/readableMail.ts';
import { subjectOfThread } from 'patchmail/series/patchSubject.ts';
import type { TellingSlice } from '../../../editor/pages/livePage.ts';
import type { ThreadMailsChange } from '../../../pages/protocol/mailsProtocol.ts';
import type { Connection, Connections } from '../../../store/connection.ts';
import type { PatchsetReview } from '../../../store/lists/patchsets/patchsetReview.ts';
import { MailsPublisher, type ToldMail } from '../../lists/thread/mailsPublisher.ts';
import { patchTitle } from '../../lists/subjects/words.ts';
import { writerOfRead } from '../../../store/people/sentBy.ts';
import { sentBy } from './patchView.ts';

/** Mails of a conversation, made once for each reading of its thread. */
interface Talk {
	readonly mails: readonly ToldMail[];
	readonly readings: ReadonlyMap<number, MailReading>;
	readonly subject: string;
	/** Titles of patches. */
	readonly elsewhere: ReadonlyMap<number, string>;
}

/** Sends the replies in a patchset's thread to its page. Patches are the heads of their replies. */
export function conversation(clock: Clock, connections: Connections) {
	const publisher = new MailsPublisher(clock);
	let from: PatchsetReview['mails'] | undefined;
	let talk: Talk | undefined;
	/** Newest mail that was seen before the page opened. */
	let seen: { readonly lastSeen: number | undefined } | undefined;

	return {
		/** The page has forgotten everything. */
		reset: () => publisher.reset(),
		/** Something has changed: the next slice is the first of a row. */
		begin: () => publisher.begin(),
		/** Other data follow from another account. */
		restart() {
			seen = undefined;
			publisher.reset();
		},
		next(connection: Connection, review: PatchsetReview): TellingSlice<ThreadMailsChange> {
			const { mails, ref, threadId } = review;
			if (mails !== from || talk === undefined) {
				from = mails;
				talk = talkOf(connection, review);
			}
			seen ??= {
				lastSeen:
					threadId === undefined
						? undefined
						: connection.threadReadMarks.lastSeenEventId({ list: ref.list, id: threadId }),
			};
			const { readings, elsewhere, subject } = talk;
			return publisher.next({
				connection,
				connections,
				mails: talk.mails,
				subject,
				reading: (id) => connection.texts.known(id)?.reading ?? readings.get(id),
				elsewhere: (id) => elsewhere.get(id),
				failure: undefined,
				mailFailure: () => undefined,
				lastSeen: seen.lastSeen,
				target: undefined,
			});
		},
	};
}

function talkOf({ lists }: Connection, { mails, series, threadId }: PatchsetReview): Talk {
	const own = new Set([...(series.cover ? [series.cover.id] : []), ...series.patches.map(({ mail }) => mail.id)]);
	return {
		// The page is about the cover letter, so replies to it need no head.
		mails: mails
			.filter(({ id }) => id !== series.cover?.id)
			.map((mail) => ({
				id: mail.id,
				parentId: mail.parentId === series.cover?.id ? undefined : mail.parentId,
				createdMs: mail.createdMs,
				subject: mail.subject,
				messageId: mail.messageId,
				sender: sentBy(mail),
				from: writerOfRead(mail),
			})),
		readings: new Map(mails.map(({ id, reading }) => [id, reading])),
		subject: subjectOfThread((mails.find(({ id }) => id === threadId) ?? mails[0])?.subject ?? ''),
		elsewhere: new Map(
			mails
				.filter(({ id }) => own.has(id) || lists.mails.known(id)?.isPatch === true)
				.map((mail) => [mail.id, patchTitle(mail)]),
		),
	};
}
