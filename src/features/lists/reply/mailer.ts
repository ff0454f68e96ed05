import type { AskPerson } from '../../../machine/git/askPass.ts';
import type { MailSent, MailToSend } from '../../../machine/git/sendMail.ts';
import type { MailPerson } from '../../../engine/mail/readableMail.ts';

/** Sending mails from this machine. */
export interface Mailer {
	/** Nothing is run while this is false. */
	readonly isTrusted: () => boolean;
	/** The user's sender identity, from a clone or globally; `undefined` if git has none. */
	readonly identity: (clone: string | undefined, signal: AbortSignal) => Promise<MailPerson | undefined>;
	/**
	 * Sends one mail through git, which asks for passwords through `ask`. Throws `GitFailure` if nothing was attempted.
	 */
	readonly send: (mail: MailToSend, ask: AskPerson, signal: AbortSignal) => Promise<MailSent>;
}
