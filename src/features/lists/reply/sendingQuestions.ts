import type { AskPerson } from '../../../localGit/askPass.ts';
import type { MailSent } from '../../../localGit/sendMail.ts';

/** Git's questions during a batch; each question appears once per batch. */
export interface SendingQuestions {
	/** Sends one mail; its questions come here. */
	readonly asking: (send: (ask: AskPerson) => Promise<MailSent>) => Promise<MailSent>;
	/** The user closed a question of the last mail. */
	readonly isDeclined: () => boolean;
	/** Lets go of all replies. */
	readonly forget: () => void;
}

/**
 * Git starts anew for each mail and asks for the password each time. Replies stay in memory only, and only during the
 * batch.
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
					// A repeated question for one mail means that the first reply was wrong.
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
