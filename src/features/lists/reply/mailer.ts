import type { AskPerson } from '../../../localGit/askPass.ts';
import type { MailSent, MailToSend } from '../../../localGit/sendMail.ts';
import type { MailPerson } from '../../../mail/readableMail.ts';

/** Sending mails from this machine. */
export interface Mailer {
	/** Nothing is run while this is false. */
	readonly isTrusted: () => boolean;
	/** Whom the user sends mails as, from a clone or from none; `undefined` where git does not tell. */
	readonly identity: (clone: string | undefined, signal: AbortSignal) => Promise<MailPerson | undefined>;
	/** Sends one mail by git, which asks for a password through `ask`. Throws `GitFailure` where it was not even tried. */
	readonly send: (mail: MailToSend, ask: AskPerson, signal: AbortSignal) => Promise<MailSent>;
}
