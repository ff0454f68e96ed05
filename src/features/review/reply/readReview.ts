import { newMessageId, writerOf, addressOf } from '../../lists/send/writer.ts';
import { resting, runResting } from '@forge-desk/base/timeSlice.ts';
import { connectionOf } from '../../../editor/commands/subjects.ts';
import type { Patchset, SettablePatchsetStatus } from 'sourcehut/port/list.ts';
import type { MailPerson } from 'patchmail/mail/readableMail.ts';
import type { DraftComment, ReviewDraft } from 'patchmail/review/reviewDraft.ts';
import { listAddresses, type PostingAddress } from 'patchmail/review/replyPeople.ts';
import { reviewReplies, type RenderedReview } from 'patchmail/review/reviewReplies.ts';
import { plannedSending, unsentId } from 'patchmail/review/sending.ts';
import { isOnlyTyped } from 'patchmail/review/typedDraft.ts';
import type { SeriesReading } from 'patchmail/series/seriesReading.ts';
import { failureOfMails } from '../../../store/lists/patchsets/patchsetReview.ts';
import type { Connection } from '../../../store/connection.ts';
import { isOwnWriter, writerOfRead } from '../../../store/people/sentBy.ts';
import type { Drafts } from '../../../store/drafts/drafts.ts';
import { keptSending, reviewDraft, reviewKey, type Reviewed } from '../../../store/drafts/reviewDrafts.ts';
import type { ListsContext } from '../../lists/context/listsContext.ts';
import { settableStatus } from '../../lists/status/setStatus.ts';
import { newestVersion } from '../versions/newestVersion.ts';

/** A review as it would go out now. */
export interface WrittenReview {
	readonly patchset: Patchset;
	readonly series: SeriesReading;
	readonly draft: ReviewDraft;
	/** Excludes typed comments that the user never added. */
	readonly notAdded: readonly DraftComment[];
	readonly from: MailPerson;
	/** Address of the list; empty if uncertain and unconfirmed. */
	readonly posting: string;
	/** The address that mails name, sure or not. */
	readonly named: PostingAddress | undefined;
	readonly rendered: RenderedReview;
	/** Some replies are missing or stale: Cc may lack people. */
	readonly hasUnread: boolean;
	readonly status: ReviewStatus | undefined;
	/** Number of a newer version by the same sender. */
	readonly newer: number | undefined;
}

/** Renders reviews as mails. Preview and sending share it, so that the preview is exact. */
export type ReviewReader = ReturnType<typeof reviewReader>;

/** What replies and reviews need. */
export interface ReplyContext extends ListsContext {
	readonly reader: ReviewReader;
}

export function reviewReader(parts: ListsContext) {
	const { connections, drafts, clock } = parts;
	/** Ids of mails that nobody tried to send, by review and answered mail. */
	const ids = new Map<string, Map<string, string>>();

	return {
		/** `undefined`: neither git nor the forge knows an address of the user. */
		async read(of: Reviewed, signal: AbortSignal): Promise<WrittenReview | undefined> {
			const connection = connectionOf(connections, of);
			const review = await connection.reviews.read(of.ref, signal);
			const { patchset, series, mails, failures, versions } = review;
			const newest = newestVersion(review);
			const writer = await writerOf(connection, parts, undefined, signal);
			if (!writer) {
				return undefined;
			}
			const all = [...(series.cover ? [series.cover] : []), ...series.patches.map(({ mail }) => mail), ...mails];
			const read = all.flatMap(({ reading }) => (reading.kind === 'read' ? [reading.mail] : []));
			const named = await addressOf(connection, of.ref.list, read, signal);
			const posting = named?.isSure === true ? named.address : '';
			// Never show an unverified address.
			const unsure = posting === '' ? listAddresses(of.ref.list, read) : [];
			const draft = withoutTyped(reviewDraft(drafts, of));
			const setting = {
				...writer,
				own: [
					...writer.own,
					...mails.flatMap((mail) =>
						isOwnWriter(connection, writerOfRead(mail)) && mail.reading.kind === 'read'
							? mail.reading.mail.from.map(({ address }) => address)
							: [],
					),
					...unsure,
					...(named?.others ?? []),
				],
				posting,
				thread: mails,
				series,
				// Attempted mails take their id from the stored record.
				newMessageId: (answered: string) => {
					const tried = keptSending(drafts, of)?.map(({ messageId }) => messageId);
					const own = ids.get(reviewKey(of)) ?? new Map<string, string>();
					const before = own.get(answered);
					const isFree = before !== undefined && tried?.includes(before) !== true;
					const id = isFree ? before : newMessageId(parts.newName(), writer.from);
					ids.set(reviewKey(of), own.set(answered, id));
					return id;
				},
				nowMs: clock.nowMs(),
			};
			const status = statusOfReview(connection, of, draft);
			// Otherwise the API sets it after all mails.
			const written = { ...draft, status: status?.way === 'header' ? status.word : undefined };
			const fresh = await runResting(reviewReplies(written, setting), resting(clock), signal);
			const { replies, ...rest } = fresh;
			const kept = keptSending(drafts, of) ?? [];
			const idsOf = plannedSending(replies).map((mail) => unsentId(kept, mail) ?? mail.messageId);
			const rendered = {
				replies: replies.map((reply, at) => ({
					...reply,
					mail: { ...reply.mail, messageId: idsOf[at] ?? reply.mail.messageId },
				})),
				...rest,
			};
			return {
				patchset,
				series,
				draft,
				notAdded: notAddedNow(drafts, of),
				from: writer.from,
				posting,
				named,
				rendered,
				hasUnread: failureOfMails({ failures }) !== undefined,
				status,
				newer: versions.find((each) => each.patchset.id === newest?.id)?.patchset.version,
			};
		},
		/** Mails keep their ids until they are sent; later replies get new ones. */
		forgetIds: (of: Reviewed): void => void ids.delete(reviewKey(of)),
	};
}

/** Fingerprint of the stored parts that determine the mails. */
export function reviewStanding(drafts: Drafts, of: Reviewed): string {
	return reviewTexts(drafts, of) + JSON.stringify(keptSending(drafts, of) ?? []);
}

/** The same without the progress. */
export function reviewTexts(drafts: Drafts, of: Reviewed): string {
	const { comments, trailers, status, edits } = withoutTyped(reviewDraft(drafts, of));
	return JSON.stringify([comments, [...trailers], status, [...edits]]);
}

/** Stored comments that the user typed and never added. */
export function notAddedNow(drafts: Drafts, of: Reviewed): readonly DraftComment[] {
	return reviewDraft(drafts, of).comments.filter(isOnlyTyped);
}

function withoutTyped(draft: ReviewDraft): ReviewDraft {
	return { ...draft, comments: draft.comments.filter((comment) => !isOnlyTyped(comment)) };
}

/** How the client sets a status. */
type StatusWay =
	/** By an API request after all mails. */
	| 'api'
	/** By a header of the last mail. */
	| 'header'
	/** Nobody can: archives keep none. */
	| 'none';

/** The status that a patchset is to get with a review. */
export interface ReviewStatus {
	readonly word: SettablePatchsetStatus;
	readonly way: StatusWay;
}

/**
 * Servers with per-user permissions let moderators set a status by API, others only the owner; more people may by mail
 * (docs/protocol.md#patchset-updates, docs/protocol.md#rights-in-lists).
 */
export function statusWay({ me, lists, instance }: Connection, { ref: { list } }: Reviewed): StatusWay {
	if (instance.archiveUrl !== undefined) {
		return 'none';
	}
	const isModerator = lists.collection.known(list)?.permissions?.mine?.includes('moderate') === true;
	return me === list.owner || isModerator ? 'api' : 'header';
}

/** `undefined` without one that can be set. */
export function statusOfReview(
	connection: Connection,
	of: Reviewed,
	{ status }: ReviewDraft,
): ReviewStatus | undefined {
	const way = statusWay(connection, of);
	const word = status === undefined ? undefined : settableStatus(status);
	return word !== undefined && canBeSet(word, way) ? { word, way } : undefined;
}

/** True if the status can be set this way: mails support only the statuses that every server knows. */
export function canBeSet(word: SettablePatchsetStatus, way: StatusWay): boolean {
	return way === 'api' || (way === 'header' && !word.startsWith('other:'));
}
