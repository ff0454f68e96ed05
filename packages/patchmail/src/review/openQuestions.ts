import { parentsIn } from '../series/answeredPatches.ts';
import { senderKey } from '../series/ownTrailer.ts';
import type { CommentPlace, ReviewComment } from './reviewComment.ts';

/**
 * Questions that nobody else answered, either by a direct answer or on the same line in a reply to the same mail.
 * `comments` in the order of `reviewComments`.
 */
export function openQuestions(comments: readonly ReviewComment[]): ReadonlySet<ReviewComment> {
	// All direct and indirect answerers. Answers follow their comments, so one backward pass suffices.
	const below = new Map<ReviewComment, readonly string[]>();
	for (const comment of comments.toReversed()) {
		if (comment.answers !== undefined) {
			note(below, comment.answers, [senderKey(comment.mail), ...(below.get(comment) ?? [])]);
		}
	}
	// Writers on each line without a direct answer, keyed by answered mail and line.
	const onLines = new Map<string, readonly string[]>();
	const parentOf = parentsIn(comments.map(({ mail }) => mail));
	for (const { mail, answers, place } of comments) {
		if (answers === undefined && place.kind === 'line') {
			note(onLines, `${mail.parentId ?? parentOf(mail)?.id} ${lineKey(place)}`, [senderKey(mail)]);
		}
	}
	return new Set(
		comments.filter((comment) => {
			const { mail, prose, place, isCourtesy } = comment;
			const own = senderKey(mail);
			const others = [...(below.get(comment) ?? []), ...(onLines.get(`${mail.id} ${lineKey(place)}`) ?? [])];
			return !isCourtesy && asks(prose) && others.every((sender) => sender === own);
		}),
	);
}

/** Two are enough: at least one differs from the asker. */
function note<Key>(map: Map<Key, readonly string[]>, key: Key, senders: readonly string[]): void {
	map.set(key, [...new Set([...(map.get(key) ?? []), ...senders])].slice(0, 2));
}

function lineKey(place: CommentPlace): string {
	return place.kind === 'line' ? [place.mailId, place.file, place.side, place.line].join(' ') : 'no line';
}

/** A question mark at the end of a sentence. */
const questionEnd = /[?\u061F\uFF1F\u037E](?=$|[\s"'\u201D\u2019\u00BB)\]*_!])/;
/** Code and diff lines. */
const code = /^(?:\t| {4}|[+-][^\s-]|@@ )/;
const spans = /`[^`]{1,500}`|\b[a-z]{2,10}:\/\/\S+/g;

/** True for a question in prose, outside code and URLs. */
function asks(prose: string): boolean {
	if (!/[?\u061F\uFF1F\u037E]/.test(prose)) {
		return false;
	}
	return prose.split('\n').some(
		(line) =>
			!code.test(line) &&
			questionEnd.test(line.slice(0, 10_000).replace(spans, '')) &&
			// Not `a ? b : c`.
			!(/ \? [^?]{1,200} : /.test(line) && !/\?\s*$/.test(line)),
	);
}
