import type { Mailer } from '../../src/features/lists/context/listsContext.ts';
import type { MailSent, MailToSend } from 'hardened-git/sendMail.ts';

/** Records sent mails and scripts their outcomes. */
export interface FakeMailer extends Mailer {
	identity: Mailer['identity'];
	readonly sent: MailToSend[];
	/** Outcomes of the next mails in order; later ones succeed. */
	readonly outcomes: (MailSent | Error | Promise<MailSent>)[];
	/** Git's questions for the next mails, in order. */
	readonly questions: (readonly string[])[];
	/** Replies to these questions. */
	readonly replies: (string | undefined)[];
	isAllowed: boolean;
}

export function fakeMailer(): FakeMailer {
	const mailer: FakeMailer = {
		sent: [],
		outcomes: [],
		questions: [],
		replies: [],
		isAllowed: true,
		isTrusted: () => mailer.isAllowed,
		identity: async () => ({ name: 'Alice Archer', address: 'alice@forge.test' }),
		send: async (mail, ask, signal) => {
			for (const question of mailer.questions.shift() ?? []) {
				mailer.replies.push(await ask(question, signal));
			}
			const outcome = (await mailer.outcomes.shift()) ?? { kind: 'sent' };
			if (outcome instanceof Error) {
				throw outcome;
			}
			mailer.sent.push(mail);
			return outcome;
		},
	};
	return mailer;
}
