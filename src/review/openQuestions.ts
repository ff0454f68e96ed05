import { senderKey } from '../series/ownTrailer.ts';
import type { ReviewComment } from './reviewComment.ts';

/**
 * The comments that ask something and that nobody else has answered: neither a comment that answers it, nor, in a mail
 * below it, one on the same line. `comments` in the order of `reviewComments`.
 */
export function openQuestions(comments: readonly ReviewComment[]): ReadonlySet<ReviewComment> {
	const open = new Set(comments.filter(({ prose, isCourtesy }) => !isCourtesy && asks(prose)));
	for (const comment of comments) {
		for (let above = comment.answers; above !== undefined; above = above.answers) {
			if (senderKey(above.mail) !== senderKey(comment.mail)) {
				open.delete(above);
			}
		}
	}
	return open;
}

/** Behind a question mark, the sentence ends. */
const questionEnd = /[?\u061F\uFF1F\u037E](?=$|[\s"'\u201D\u2019\u00BB)\]*_!])/;
/** Lines of code, and lines of a diff. */
const code = /^(?:\t| {4}|[+-][^\s-]|@@ )/;
const spans = /`[^`]{1,500}`|\b[a-z]{2,10}:\/\/\S+/g;

/** Whether something is asked in the prose, and not only in code or in an address. */
function asks(prose: string): boolean {
	if (!/[?\u061F\uFF1F\u037E]/.test(prose)) {
		return false;
	}
	return prose
		.split('\n')
		.some((line) => !code.test(line) && questionEnd.test(line.slice(0, 10_000).replace(spans, '')) && !isTernary(line));
}

/** `a ? b : c` */
function isTernary(line: string): boolean {
	return / \? [^?]{1,200} : /.test(line) && !/\?\s*$/.test(line);
}
