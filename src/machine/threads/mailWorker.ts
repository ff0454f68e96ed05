import type { Disposable } from '@forge-desk/base/lifecycle.ts';
import { nextTurn } from '@forge-desk/base/timeSlice.ts';
import { largestMail } from 'patchmail/mail/largestMail.ts';
import { mailReader, type MailReader } from 'patchmail/mail/mailReader.ts';
import type { MailAnswer, MailQuestion } from 'patchmail/mail/mailThread.ts';
import type { MailReading, RawReason } from 'patchmail/mail/readableMail.ts';
import { limitedThread, type ThreadPlace } from './limitedThread.ts';

/** Mail reads are never aborted: each mail is parsed once and cached. */
const never = new AbortController().signal;

/** Line ends of this length convert in a millisecond. */
const pieceLength = 128 * 1024;

/**
 * Parses small mails synchronously, all others in a worker thread with a time limit (docs/security.md#slow-parsers). No
 * mail can freeze the editor. The thread parses one mail at a time. `limitMs`: per mail; normal mails take a hundredth.
 * `wholeLimitMs`: for mails that the user asked to read in full.
 */
export function mailWorker(place: ThreadPlace, limitMs: number, wholeLimitMs: number): MailReader & Disposable {
	const thread = limitedThread<MailQuestion, MailAnswer>(place, 'mailAnswerer', 'The mail reader', {
		maxOldGenerationSizeMb: 512,
	});
	const inThread: MailReader = {
		async readMail(envelope, { evenIfLarge }) {
			if (envelope.length > largestMail && !evenIfLarge) {
				return await raw(envelope, 'tooLarge');
			}
			const mostMs = evenIfLarge ? wholeLimitMs : limitMs;
			const outcome = await thread.ask({ kind: 'read', envelope, evenIfLarge }, mostMs, never);
			if (outcome.kind !== 'answer') {
				return await raw(envelope, outcome.kind === 'tooSlow' ? 'tooSlow' : 'unreadable');
			}
			const { answer } = outcome;
			return answer.kind === 'read'
				? { kind: 'read', mail: { ...answer.mail, text: answer.text ?? answer.mail.body } }
				: await raw(envelope, answer.kind === 'raw' ? answer.reason : 'unreadable');
		},
		async attachment(envelope, index) {
			const outcome = await thread.ask({ kind: 'attachment', envelope, index }, wholeLimitMs, never);
			return outcome.kind === 'answer' && outcome.answer.kind === 'attachment' ? outcome.answer.content : undefined;
		},
	};
	return { ...mailReader(inThread), dispose: () => thread.dispose() };
}

/** An unparsed mail. Converts line ends of a long one in pieces, yielding in between. */
async function raw(envelope: string, reason: RawReason): Promise<MailReading> {
	const pieces: string[] = [];
	let start = 0;
	let hasChanged = false;
	while (start < envelope.length) {
		const cut = start + pieceLength;
		// Never split a CRLF.
		const end = envelope[cut - 1] === '\r' ? cut + 1 : cut;
		const piece = envelope.slice(start, end);
		// Join immediately: a regular expression would produce a rope that flattens all at once later.
		const plain = piece.split('\r\n').join('\n');
		hasChanged ||= plain.length < piece.length;
		pieces.push(plain);
		start = end;
		if (envelope.length > pieceLength) {
			// The allocation also takes its time, so yield afterwards.
			await nextTurn();
		}
	}
	return { kind: 'raw', reason, text: hasChanged ? pieces.join('') : envelope };
}
