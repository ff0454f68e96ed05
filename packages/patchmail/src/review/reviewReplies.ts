import type { Steps } from '@forge-desk/base/timeSlice.ts';
import { oneLine } from '../mail/encodeWords.ts';
import { readPlainMail } from '../mail/mailReader.ts';
import { type OutgoingMail, mailFile } from '../mail/outgoingMail.ts';
import type { MailPerson } from '../mail/readableMail.ts';
import type { SeriesMail, SeriesPatch, SeriesReading } from '../series/seriesReading.ts';
import { editedMail, reviewMailText, type EditedMailFault } from './editedMail.ts';
import { participants } from './participants.ts';
import { quotableLines, rangeOf, type QuotableLine, foundAt } from './quotableLines.ts';
import { replyBody, type PlacedDraft } from './replyBody.ts';
import { attributionOf, referencesOf, replySubject } from './replyHead.ts';
import { replyPeople, type ReplyOwner } from './replyPeople.ts';
import { proseLines } from './replyProse.ts';
import type { CommentPlace, ReviewComment } from './reviewComment.ts';
import { reviewComments } from './reviewComments.ts';
import {
	isEmptyDraft,
	isUnchanged,
	saidOf,
	suggestedIn,
	type DraftComment,
	type MadeFrom,
	type MailEdit,
	type ReviewDraft,
	type ReviewTrailer,
	type SentComment,
} from './reviewDraft.ts';
import type { LineOrigin } from './sourceLines.ts';

/** A review mail, ready to send. */
export interface ReviewReply {
	readonly mail: OutgoingMail;
	readonly answered: SeriesMail;
	/** Comments in the mail. */
	readonly comments: readonly DraftComment[];
	/** Trailer for the answered mail. */
	readonly trailer: ReviewTrailer | undefined;
	/** The generated mail, before any edit. */
	readonly madeFrom: MadeFrom;
	/** The user's edit; `undefined` for an unedited mail. */
	readonly edit: ReplyEdit | undefined;
	/** Comments that readers would find on other lines or with other words. */
	readonly astray: readonly DraftComment[];
	/** Participants who cannot receive mail. */
	readonly leftOut: readonly MailPerson[];
}

/** State of an edited mail; `text` is the user's. */
export type ReplyEdit =
	| { readonly kind: 'taken'; readonly text: string }
	/** Its original changed or is unknown. */
	| { readonly kind: 'outdated'; readonly text: string }
	/** Not sendable. */
	| { readonly kind: 'broken'; readonly text: string; readonly fault: EditedMailFault };

export interface ReviewSetting extends ReplyOwner {
	readonly from: MailPerson;
	/** The thread, with or without the series. */
	readonly thread: readonly SeriesMail[];
	readonly series: SeriesReading;
	/** Message-ID for the reply to a mail; with angle brackets. */
	readonly newMessageId: (answered: string) => string;
	readonly nowMs: number;
}

/** A review as mails. `lost`: comments on mails that no longer exist. */
export interface RenderedReview {
	readonly replies: readonly ReviewReply[];
	readonly lost: readonly DraftComment[];
	/** Edited mails without a purpose: no comments remain, or the answered mail is gone. */
	readonly idleEdits: readonly string[];
}

/**
 * Quoted lines above a single-line comment; ranges have none. The larger steps apply when readers would misplace the
 * comment.
 */
const usualContext = 3;
const moreContext = [8, 25, 1000].map((lines) => ({ lines, isRepeated: true }));

/**
 * One reply per commented mail, in series order. Parses each like a received reply, and quotes more context until every
 * comment is found on its line. The last reply carries the status.
 */
export function* reviewReplies(review: ReviewDraft, setting: ReviewSetting): Steps<RenderedReview> {
	const { series, thread } = setting;
	const patches = new Map(series.patches.map((patch) => [patch.mail.messageId, patch]));
	const own = [...(series.cover === undefined ? [] : [series.cover]), ...series.patches.map(({ mail }) => mail)];
	const mails = new Map([...own, ...thread].map((mail) => [mail.messageId, mail]));
	const replies: ReviewReply[] = [];
	for (const [messageId, answered] of mails) {
		const comments = review.comments.filter(
			(comment) => comment.place.messageId === messageId && !isEmptyDraft(comment),
		);
		const trailer = review.trailers.get(messageId);
		if (comments.length > 0 || trailer !== undefined) {
			const made = yield* renderReply({ answered, patch: patches.get(messageId), comments, trailer }, setting);
			replies.push(withEdit(made, review.edits.get(messageId)));
			yield;
		}
	}
	const last = replies.at(-1);
	const withStatus =
		last === undefined
			? replies
			: [...replies.slice(0, -1), { ...last, mail: { ...last.mail, patchsetStatus: review.status } }];
	const answered = new Set(replies.map((reply) => reply.answered.messageId));
	return {
		replies: withStatus,
		lost: review.comments.filter(({ place }) => !mails.has(place.messageId)),
		idleEdits: [...review.edits].flatMap(([messageId, edit]) =>
			answered.has(messageId) || edit.text === '' || isUnchanged(edit) ? [] : [edit.text],
		),
	};
}

/** Uses the user's edit for the comments in it; newer comments stay drafts. An unchanged edit follows the comments. */
function withEdit(reply: ReviewReply, edit: MailEdit | undefined): ReviewReply {
	if (!edit || isUnchanged(edit)) {
		return reply;
	}
	const { text, madeFrom } = edit;
	const mail = editedMail(text, reply.mail);
	// Mails don't preserve all blanks.
	const shown = (comment: SentComment): string => proseLines(comment.text).join('\n');
	const isSame = madeFrom?.text === reply.madeFrom.text;
	const isBroken = 'kind' in mail;
	const state: ReplyEdit =
		isSame && isBroken ? { kind: 'broken', text, fault: mail } : { kind: isSame ? 'taken' : 'outdated', text };
	return {
		...reply,
		mail: isBroken ? reply.mail : mail,
		comments: reply.comments.filter((comment) =>
			madeFrom?.comments.some(
				(said) =>
					said.id === comment.id && suggestedIn(said) === suggestedIn(comment) && shown(said) === shown(comment),
			),
		),
		trailer: reply.trailer === madeFrom?.trailer ? reply.trailer : undefined,
		edit: state,
		astray: [],
	};
}

interface Wanted {
	readonly answered: SeriesMail;
	readonly patch: SeriesPatch | undefined;
	readonly comments: readonly DraftComment[];
	readonly trailer: ReviewTrailer | undefined;
}

function* renderReply({ answered, patch, comments, trailer }: Wanted, setting: ReviewSetting): Steps<ReviewReply> {
	const lines = quotableLines(answered, patch);
	const mail = answered.reading.kind === 'read' ? answered.reading.mail : undefined;
	const people = replyPeople(mail, setting, participants(answered, setting.thread, setting.series, setting.posting));
	const head: Omit<OutgoingMail, 'body'> = {
		from: setting.from,
		to: people.to,
		cc: people.cc,
		subject: replySubject(answered.subject),
		messageId: setting.newMessageId(answered.messageId),
		inReplyTo: answered.messageId,
		references: referencesOf(answered, mail),
		patchsetStatus: undefined,
	};
	const name = oneLine(setting.from.name);
	const signer = [...(name === '' ? [] : [name]), `<${setting.from.address}>`].join(' ');
	const trailers = trailer === undefined ? [] : [`${trailer}: ${signer}`];
	const frame = { attribution: attributionOf(answered, mail), trailers };
	let drafts = comments.map((comment): PlacedDraft => {
		const { place } = comment;
		const range = rangeOf(place, lines);
		const isOutside = range === undefined && place.kind === 'lines';
		// A comment outside the shown lines goes below its file's header.
		const shown = isOutside ? rangeOf({ kind: 'file', messageId: place.messageId, file: place.file }, lines) : range;
		const file = place.kind === 'lines' ? patch?.patch.diff.files[place.file] : undefined;
		const path = place.kind === 'lines' && place.side === 'old' ? file?.oldPath : file?.newPath;
		return {
			comment,
			range: shown,
			path: oneLine(path ?? file?.newPath ?? file?.oldPath ?? ''),
			isOutside,
			context: { lines: range !== undefined && range.first < range.last ? 0 : usualContext, isRepeated: false },
		};
	});
	let body = replyBody(lines, drafts, frame);
	let astray = yield* astrayDrafts(drafts, { mail: { ...head, body }, lines, answered }, setting);
	for (const context of moreContext) {
		if (!astray.some(({ range }) => range !== undefined)) {
			break;
		}
		const failed = new Set(astray.map(({ comment }) => comment));
		drafts = drafts.map((draft) => (failed.has(draft.comment) ? { ...draft, context } : draft));
		body = replyBody(lines, drafts, frame);
		astray = yield* astrayDrafts(drafts, { mail: { ...head, body }, lines, answered }, setting);
	}
	const written = { ...head, body };
	return {
		mail: written,
		answered,
		comments,
		trailer,
		madeFrom: { text: reviewMailText(written), comments: comments.map(saidOf), trailer },
		edit: undefined,
		astray: astray.map(({ comment }) => comment),
		leftOut: people.leftOut,
	};
}

/** A reply with the quoted mail. */
interface WrittenReply {
	readonly mail: OutgoingMail;
	readonly lines: readonly QuotableLine[];
	readonly answered: SeriesMail;
}

interface Conversation {
	readonly thread: readonly SeriesMail[];
	readonly series: SeriesReading;
	readonly nowMs: number;
}

/** Comments that readers of the reply find elsewhere or with other words. */
function* astrayDrafts(
	drafts: readonly PlacedDraft[],
	{ mail, lines, answered }: WrittenReply,
	{ thread, series, nowMs }: Conversation,
): Steps<readonly PlacedDraft[]> {
	const read = readPlainMail(mailFile(mail, nowMs));
	if (read === undefined) {
		return drafts;
	}
	const reply: SeriesMail = {
		id: -1,
		messageId: mail.messageId,
		parentId: answered.id,
		createdMs: nowMs,
		subject: read.subject,
		account: undefined,
		reading: { kind: 'read', mail: read },
	};
	const found = (yield* reviewComments([...thread, reply], series)).filter((comment) => comment.mail.id === reply.id);
	const words = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();
	return drafts.filter((draft) => {
		const said = words(proseLines(draft.comment.text).join('\n'));
		return !found.some((comment) => isFoundAt(draft, comment, lines) && words(comment.prose).includes(said));
	});
}

/** In a mail without a patch, comments are located through quoted comments. */
function isFoundAt(
	{ range, comment }: PlacedDraft,
	{ place, answers }: ReviewComment,
	lines: readonly QuotableLine[],
): boolean {
	const origin = range && lines[foundAt(lines, range)]?.origin;
	return origin === undefined
		? comment.place.kind === 'mail' && (place.kind === 'general' || place.kind === 'elsewhere' || answers !== undefined)
		: isAt(place, origin) || (origin.kind === 'cover' && answers !== undefined);
}

function isAt(place: CommentPlace, origin: LineOrigin): boolean {
	if (place.kind === 'general' || place.kind === 'elsewhere' || place.mailId !== origin.mailId) {
		return false;
	}
	switch (place.kind) {
		case 'line':
			return origin.kind === 'line' && place.end === origin.end;
		case 'file':
			return origin.kind === 'file' && place.file === origin.file;
		case 'message':
		case 'commentary':
		case 'cover':
			return origin.kind === place.kind && place.line === origin.line;
	}
}
