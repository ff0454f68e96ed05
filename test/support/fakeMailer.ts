import type { Mailer } from '../../src/features/lists/parts/listsDesk.ts';
import type { MailSent, MailToSend } from 'hardened-git/sendMail.ts';

/** Mails that a test sends, and what becomes of them. */
export interface FakeMailer extends Mailer {
	identity: Mailer['identity'];
	readonly sent: MailToSend[];
	/** Of the coming mails, in turn; those beyond are sent. */
	readonly outcomes: (MailSent | Error | Promise<MailSent>)[];
	/** Of the coming mails, in turn, what git asks the person. */
	readonly questions: (readonly string[])[];
	/** Of these, what was replied. */
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
