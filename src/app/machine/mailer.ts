import { tmpdir } from 'node:os';
import type { Mailer } from '../../features/lists/reply/mailer.ts';
import { ownIdentity } from '../../machine/git/ownIdentity.ts';
import { sendMail } from '../../machine/git/sendMail.ts';
import type { LocalMachine } from './localMachine.ts';

/** Sends mail with git. */
export function gitMailer({
	git,
	isTrusted,
	withAskPass,
}: Pick<LocalMachine, 'git' | 'isTrusted' | 'withAskPass'>): Mailer {
	const tempFolder = tmpdir();
	return {
		isTrusted,
		identity: (clone, signal) => ownIdentity(git, { tempFolder, clone, email: process.env['EMAIL'] }, signal),
		send: (mail, ask, signal) =>
			withAskPass(ask, signal, (askPass) => sendMail({ git, tempFolder, askPass }, mail, signal)),
	};
}
