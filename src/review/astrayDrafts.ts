import type { Steps } from '../base/timeSlice.ts';
import { readPlainMail } from '../mail/mailReader.ts';
import { mailFile, type OutgoingMail } from '../mail/outgoingMail.ts';
import type { SeriesMail, SeriesReading } from '../series/seriesReading.ts';
import { foundAt, type QuotableLine } from './quotableLines.ts';
import type { PlacedDraft } from './replyBody.ts';
import { proseLines } from './replyProse.ts';
import type { CommentPlace, ReviewComment } from './reviewComment.ts';
import { reviewComments } from './reviewComments.ts';
import type { LineOrigin } from './sourceLines.ts';

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
export function* astrayDrafts(
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
	return drafts.filter((draft) => !found.some((comment) => isFoundAt(draft, comment, lines) && says(comment, draft)));
}

function says({ prose }: ReviewComment, { comment }: PlacedDraft): boolean {
	const words = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();
	return words(prose).includes(words(proseLines(comment.text).join('\n')));
}

/** In a mail without a patch, comments are located through quoted comments. */
function isFoundAt(
	{ range, comment }: PlacedDraft,
	{ place, answers }: ReviewComment,
	lines: readonly QuotableLine[],
): boolean {
	const origin = range && lines[foundAt(lines, range)]?.origin;
	return origin === undefined
		? comment.place.kind === 'mail' && (isOnWhole(place) || answers !== undefined)
		: isAt(place, origin) || (origin.kind === 'cover' && answers !== undefined);
}

function isOnWhole({ kind }: CommentPlace): boolean {
	return kind === 'general' || kind === 'elsewhere';
}

function isAt(place: CommentPlace, origin: LineOrigin): boolean {
	if (place.kind === 'general' || place.kind === 'elsewhere' || place.mailId !== origin.mailId) {
		return false;
	}
	switch (place.kind) {
		case 'line':
			return origin.kind === 'line' && place.start <= origin.start && place.end === origin.end;
		case 'file':
			return origin.kind === 'file' && place.file === origin.file;
		case 'message':
		case 'commentary':
		case 'cover':
			return origin.kind === place.kind && place.line === origin.line;
	}
}
