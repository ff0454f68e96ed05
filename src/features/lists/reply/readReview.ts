import type { Clock } from '../../../base/clock.ts';
import { resting, runResting } from '../../../base/timeSlice.ts';
import { connectionOf } from '../../../editor/commands/subjects.ts';
import type { Patchset } from '../../../forge/port/list.ts';
import type { MailPerson, ReadableMail } from '../../../engine/mail/readableMail.ts';
import type { DraftComment, ReviewDraft } from '../../../engine/review/reviewDraft.ts';
import { listAddresses, type PostingAddress } from '../../../engine/review/replyPeople.ts';
import { reviewReplies, type RenderedReview } from '../../../engine/review/reviewReplies.ts';
import { plannedSending, unsentId, type Sending } from '../../../engine/review/sending.ts';
import { isOnlyTyped } from '../../../engine/review/typedDraft.ts';
import type { SeriesMail, SeriesReading } from '../../../engine/series/seriesReading.ts';
import { failureOfMails } from '../../../store/lists/review/patchsetReview.ts';
import type { Connection, Connections } from '../../../store/connection.ts';
import type { Drafts } from '../../../store/drafts/drafts.ts';
import { sendingOf } from '../../../store/drafts/keptSending.ts';
import { reviewDraft, reviewSubject, type Reviewed } from '../../../store/drafts/reviewDrafts.ts';
import { addressOf } from './listAddress.ts';
import type { Mailer } from '../parts/listsParts.ts';
import { reviewStatus, statusInMail, type ReviewStatus } from './reviewStatus.ts';

export interface ReadReviewParts {
	readonly connections: Connections;
	readonly drafts: Drafts;
	readonly mailer: Mailer;
	readonly clock: Clock;
	/** A name that nothing else has. */
	readonly newName: () => string;
}

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
}

/** Neither git nor the forge knows an address of the user. */
export interface NotWritable {
	readonly kind: 'noSender';
}

/** Renders reviews as mails. Preview and sending share it, so that the preview is exact. */
export interface ReviewReader {
	read(of: Reviewed, signal: AbortSignal): Promise<WrittenReview | NotWritable>;
	/** Mails keep their ids until they are sent; later replies get new ones. */
	forgetIds(of: Reviewed): void;
}

export function reviewReader(parts: ReadReviewParts): ReviewReader {
	const { connections, drafts, clock } = parts;
	const ids = new Map<string, Map<string, string>>();

	/** Attempted mails take their id from the stored record; this covers all others. */
	function idOf(of: Reviewed, answered: string, from: MailPerson): string {
		const tried = keptSending(drafts, of)?.map(({ messageId }) => messageId);
		const own = ids.get(keyOf(of)) ?? new Map<string, string>();
		const before = own.get(answered);
		const isFree = before !== undefined && tried?.includes(before) !== true;
		const id = isFree ? before : newMessageId(parts.newName(), from);
		ids.set(keyOf(of), own.set(answered, id));
		return id;
	}

	function withKeptIds(of: Reviewed, { replies, ...rest }: RenderedReview): RenderedReview {
		const kept = keptSending(drafts, of) ?? [];
		const idsOf = plannedSending(replies).map((mail) => unsentId(kept, mail) ?? mail.messageId);
		return {
			replies: replies.map((reply, at) => ({
				...reply,
				mail: { ...reply.mail, messageId: idsOf[at] ?? reply.mail.messageId },
			})),
			...rest,
		};
	}

	return {
		async read(of, signal) {
			const connection = connectionOf(connections, of);
			const ref = { list: of.ref, id: of.patchsetId };
			const { patchset, series, mails, failures } = await connection.reviews.read(ref, signal);
			const writer = await writerOf(connection, parts, undefined, signal);
			if (!writer) {
				return { kind: 'noSender' };
			}
			const read = readMails(series, mails);
			const named = await addressOf(connection, of.ref, read, signal);
			const posting = named?.isSure === true ? named.address : '';
			// Never show an unverified address.
			const unsure = posting === '' ? listAddresses(of.ref, read) : [];
			const draft = withoutTyped(reviewDraft(drafts, of));
			const setting = {
				...writer,
				own: [...writer.own, ...sentFrom(connection, mails), ...unsure],
				posting,
				thread: mails,
				series,
				newMessageId: (answered: string) => idOf(of, answered, writer.from),
				nowMs: clock.nowMs(),
			};
			const status = reviewStatus(connection, of, draft);
			const written = { ...draft, status: statusInMail(status) };
			const fresh = await runResting(reviewReplies(written, setting), resting(clock), signal);
			const rendered = withKeptIds(of, fresh);
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
			};
		},
		forgetIds: (of) => void ids.delete(keyOf(of)),
	};
}

/** How far sending a review is, as any window left it. */
export function keptSending(drafts: Pick<Drafts, 'draft'>, of: Reviewed): Sending | undefined {
	const text = drafts.draft(reviewSubject(of, { kind: 'sending' }))?.text;
	return text === undefined ? undefined : sendingOf(text);
}

/** Fingerprint of the stored parts that determine the mails. */
export function reviewStanding(drafts: Pick<Drafts, 'draft' | 'all'>, of: Reviewed): string {
	const { comments, trailers, status, edits } = withoutTyped(reviewDraft(drafts, of));
	return JSON.stringify([comments, [...trailers], status, [...edits], keptSending(drafts, of)]);
}

/** Stored comments that the user typed and never added. */
export function notAddedNow(drafts: Pick<Drafts, 'draft' | 'all'>, of: Reviewed): readonly DraftComment[] {
	return reviewDraft(drafts, of).comments.filter(isOnlyTyped);
}

function withoutTyped(draft: ReviewDraft): ReviewDraft {
	return { ...draft, comments: draft.comments.filter((comment) => !isOnlyTyped(comment)) };
}

/** Sender of a mail, with all known addresses of the same person. */
interface Writer {
	readonly from: MailPerson;
	readonly own: readonly string[];
}

/** Git's sender identity, otherwise the forge's account. */
export async function writerOf(
	connection: Connection,
	{ mailer }: { readonly mailer: Mailer },
	clone: string | undefined,
	signal: AbortSignal,
): Promise<Writer | undefined> {
	const { me, people } = connection;
	const identity = await mailer.identity(connection.instance, clone, signal);
	const known = people.ownAddress() ?? people.known(me)?.address;
	const address = identity?.address ?? known ?? (await people.ownProfile(signal)).email;
	if (address === undefined) {
		return undefined;
	}
	const name = identity === undefined || identity.name === '' ? me.replace(/^~/, '') : identity.name;
	return { from: { name, address }, own: [...new Set([address, ...(known === undefined ? [] : [known])])] };
}

/** The addresses that the account sent these mails from. */
function sentFrom({ me }: Pick<Connection, 'me'>, mails: readonly SeriesMail[]): readonly string[] {
	return mails.flatMap(({ account, reading }) =>
		account === me && reading.kind === 'read' ? reading.mail.from.map(({ address }) => address) : [],
	);
}

function readMails({ cover, patches }: SeriesReading, mails: readonly SeriesMail[]): readonly ReadableMail[] {
	const all = [...(cover ? [cover] : []), ...patches.map(({ mail }) => mail), ...mails];
	return all.flatMap(({ reading }) => (reading.kind === 'read' ? [reading.mail] : []));
}

/** As unique as the name. */
export function newMessageId(name: string, { address }: MailPerson): string {
	const host = address.slice(address.lastIndexOf('@') + 1);
	return `<forge-desk-${name}@${host}>`;
}

function keyOf({ connectionKey, ref, patchsetId }: Reviewed): string {
	return JSON.stringify([connectionKey, ref.owner, ref.name, patchsetId]);
}
