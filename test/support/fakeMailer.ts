import type { Mailer } from '../../src/features/lists/reply/mailer.ts';
import type { MailSent, MailToSend } from '../../src/localGit/sendMail.ts';

/** Mails that a test sends, and what becomes of them. */
export interface FakeMailer extends Mailer {
	readonly sent: MailToSend[];
	/** Of the coming mails, in turn; those beyond are sent. */
	readonly outcomes: (MailSent | Error | Promise<MailSent>)[];
	isAllowed: boolean;
}

export function fakeMailer(): FakeMailer {
	const mailer: FakeMailer = {
		sent: [],
		outcomes: [],
		isAllowed: true,
		isTrusted: () => mailer.isAllowed,
		identity: async () => ({ name: 'Alice Archer', address: 'alice@forge.test' }),
		send: async (mail) => {
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
