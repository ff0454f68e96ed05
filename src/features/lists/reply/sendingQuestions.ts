import type { AskPerson } from '../../../localGit/askPass.ts';
import type { MailSent } from '../../../localGit/sendMail.ts';

/** What git asks while the mails of one sending go out: a question that each mail needs is asked once. */
export interface SendingQuestions {
	/** Sends one of the mails, which asks here. */
	readonly asking: (send: (ask: AskPerson) => Promise<MailSent>) => Promise<MailSent>;
	/** A question of the last mail was closed without a reply. */
	readonly isDeclined: () => boolean;
	/** Lets go of all replies. */
	readonly forget: () => void;
}

/**
 * Git runs anew for each mail and asks for the password each time. A reply is held for as long as mails go out with it, in
 * memory alone.
 */
export function sendingQuestions(ask: AskPerson): SendingQuestions {
	const replies = new Map<string, string>();
	let isDeclined = false;
	return {
		async asking(send) {
			const askedNow = new Set<string>();
			isDeclined = false;
			let isSent = false;
			try {
				const sent = await send(async (question, signal) => {
					// Who asks twice for one mail did not like the first reply.
					const known = askedNow.has(question) ? undefined : replies.get(question);
					askedNow.add(question);
					const reply = known ?? (await ask(question, signal));
					if (reply === undefined) {
						isDeclined = true;
					} else {
						replies.set(question, reply);
					}
					return reply;
				});
				isSent = sent.kind === 'sent';
				return sent;
			} finally {
				if (!isSent) {
					replies.clear();
				}
			}
		},
		isDeclined: () => isDeclined,
		forget: () => replies.clear(),
	};
}
