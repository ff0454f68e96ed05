import type { Disposable } from '../base/lifecycle.ts';
import { nextTurn } from '../base/timeSlice.ts';
import { largestMail } from '../forge/largestMail.ts';
import { mailReader, type MailReader } from '../mail/mailReader.ts';
import type { MailAnswer, MailQuestion } from '../mail/mailThread.ts';
import type { MailReading, RawReason } from '../mail/readableMail.ts';
import { limitedThread, type LimitedThreadParts, type ThreadOutcome } from './limitedThread.ts';

/** What reading mails beside everything else needs. */
export interface MailWorkerParts extends Pick<LimitedThreadParts, 'programPath' | 'clock' | 'log'> {
	/** How long one mail may take. Mails of any honest size take a hundredth of it. */
	readonly limitMs: number;
	/** The same for mails that somebody wanted read however large they are. */
	readonly wholeLimitMs: number;
}

/** Nobody gives up a mail: it is read once and kept. */
const never = new AbortController().signal;

/** Text of this length gets its line ends in a millisecond. */
const pieceLength = 128 * 1024;

/**
 * Reads mails: common ones at once, all others in a thread that is ended when a mail takes too long
 * (docs/security.md#slow-parsers), so that no mail, however it is made, stops the editor. Those are read one after
 * another.
 */
export function mailWorker(parts: MailWorkerParts): MailReader & Disposable {
	const thread = limitedThread<MailQuestion, MailAnswer>({
		...parts,
		answerer: 'mailAnswerer',
		name: 'The mail reader',
		memoryMb: 512,
	});
	const inThread: MailReader = {
		async readMail(envelope, { evenIfLarge }) {
			if (envelope.length > largestMail && !evenIfLarge) {
				return await raw(envelope, 'tooLarge');
			}
			const limitMs = evenIfLarge ? parts.wholeLimitMs : parts.limitMs;
			const outcome = await thread.ask({ kind: 'read', envelope, evenIfLarge }, limitMs, never);
			return await readingOf(outcome, envelope);
		},
		async attachment(envelope, index) {
			const outcome = await thread.ask({ kind: 'attachment', envelope, index }, parts.wholeLimitMs, never);
			return outcome.kind === 'answer' && outcome.answer.kind === 'attachment' ? outcome.answer.content : undefined;
		},
	};
	return { ...mailReader(inThread), dispose: () => thread.dispose() };
}

async function readingOf(outcome: ThreadOutcome<MailAnswer>, envelope: string): Promise<MailReading> {
	switch (outcome.kind) {
		case 'tooSlow':
			return await raw(envelope, 'tooSlow');
		case 'failed':
			return await raw(envelope, 'unreadable');
		case 'answer': {
			const { answer } = outcome;
			return answer.kind === 'read'
				? { kind: 'read', mail: { ...answer.mail, text: answer.text ?? answer.mail.body } }
				: await raw(envelope, answer.kind === 'raw' ? answer.reason : 'unreadable');
		}
	}
}

/** A mail as it came. A long one gets its line ends in pieces, and everything else runs between. */
async function raw(envelope: string, reason: RawReason): Promise<MailReading> {
	const pieces: string[] = [];
	let start = 0;
	let hasChanged = false;
	while (start < envelope.length) {
		const cut = start + pieceLength;
		// A line end is never cut in two.
		const end = envelope[cut - 1] === '\r' ? cut + 1 : cut;
		const piece = envelope.slice(start, end);
		// Put together at once: what a regular expression replaces stays in pieces until all of them are joined in one go.
		const plain = piece.split('\r\n').join('\n');
		hasChanged ||= plain.length < piece.length;
		pieces.push(plain);
		start = end;
		if (envelope.length > pieceLength) {
			// Making room for all of them takes a turn of its own, too.
			await nextTurn();
		}
	}
	return { kind: 'raw', reason, text: hasChanged ? pieces.join('') : envelope };
}
