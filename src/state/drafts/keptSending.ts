import * as v from 'valibot';
import { reviewTrailers } from '../../review/reviewDraft.ts';
import type { MailProgress, Sending, SendingMail } from '../../review/sending.ts';
import { keptIn } from '../shared/keptText.ts';

const complaint = v.string();
/** How far sending a mail is, as it was kept. */
export const mailProgress: v.GenericSchema<unknown, MailProgress> = v.variant('kind', [
	v.object({ kind: v.picklist(['waiting', 'underWay', 'sent']) }),
	v.object({ kind: v.picklist(['notSent', 'unsure']), complaint }),
]);
const mail: v.GenericSchema<unknown, SendingMail> = v.pipe(
	v.object({
		messageId: v.string(),
		answers: v.string(),
		comments: v.array(v.object({ id: v.string(), text: v.string() })),
		trailer: v.optional(v.picklist(reviewTrailers)),
		status: v.optional(v.string()),
		progress: mailProgress,
	}),
	v.transform(({ trailer, status, ...known }) => ({ ...known, trailer, status })),
);
const sending: v.GenericSchema<unknown, Sending | undefined> = v.array(mail);

/** How far sending is, as a draft keeps it. */
export function sendingText(now: Sending): string {
	return JSON.stringify(now);
}

/** Reads what `sendingText` wrote; `undefined` for everything else. */
export function sendingOf(text: string): Sending | undefined {
	return keptIn(text, sending, undefined);
}
