import { sending, sendingAlone, type Sending, type SendingAlone } from '../../engine/review/sending.ts';
import { keptIn } from '../shared/keptText.ts';
import { putDraft, type Drafts, type MailDraftSubject } from './drafts.ts';
import { reviewSubject, type Reviewed } from './reviewDrafts.ts';

/*
 * Send progress, stored beside the drafts for all windows.
 */

/** Of a review; `undefined` before the first try. */
export function keptSending(drafts: Drafts, of: Reviewed): Sending | undefined {
	return keptIn(drafts.draft(reviewSubject(of, { kind: 'sending' }))?.text, sending, undefined);
}

/** Resolves when the progress is safe on disk. */
export function keepSending(drafts: Drafts, of: Reviewed, now: Sending, atMs: number): Promise<void> {
	return putDraft(drafts, reviewSubject(of, { kind: 'sending' }), now.length === 0 ? '' : JSON.stringify(now), atMs);
}

/** Of a draft's mail; `undefined` before the first try. */
export function keptAlone(drafts: Drafts, about: MailDraftSubject): SendingAlone | undefined {
	return keptIn(drafts.draft({ ...about, kind: 'mailSending' })?.text, sendingAlone, undefined);
}

/** Resolves when the progress is safe on disk. */
export function keepAlone(drafts: Drafts, about: MailDraftSubject, now: SendingAlone, atMs: number): Promise<void> {
	return drafts.keep({ ...about, kind: 'mailSending' }, { text: JSON.stringify(now), atMs });
}

/** Call before the draft's next mail. */
export function forgetAlone(drafts: Drafts, about: MailDraftSubject): Promise<void> {
	return putDraft(drafts, { ...about, kind: 'mailSending' }, '', 0);
}
