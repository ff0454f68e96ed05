import type { AskPerson } from '../../../machine/git/askPass.ts';
import type { MailSent, MailToSend } from '../../../machine/git/sendMail.ts';
import type { ForgeInstance } from '../../../forge/port/instance.ts';
import type { MailPerson } from '../../../engine/mail/readableMail.ts';

/** Where a mail is written. */
export interface SenderPlace {
	readonly instance: Pick<ForgeInstance, 'isSample'>;
	/** Top folder. */
	readonly clone: string | undefined;
}

/** Sending mails from this machine. */
export interface Mailer {
	/** Nothing is run while this is false. */
	readonly isTrusted: () => boolean;
	/**
	 * The user's sender identity, from a clone or globally. `undefined` if git has none, or if the account's own name
	 * has to do: in the sample forge the user is one of its people.
	 */
	readonly identity: (from: SenderPlace, signal: AbortSignal) => Promise<MailPerson | undefined>;
	/**
	 * Sends one mail through git, which asks for passwords through `ask`. Throws `GitFailure` if nothing was attempted.
	 */
	readonly send: (mail: MailToSend, ask: AskPerson, signal: AbortSignal) => Promise<MailSent>;
}
