import { tmpdir } from 'node:os';
import type { Mailer } from '../../features/lists/reply/mailer.ts';
import { withAskPass } from '../../localGit/askPass.ts';
import type { HardenedGit } from '../../localGit/hardenedGit.ts';
import { ownIdentity } from '../../localGit/ownIdentity.ts';
import { sendMail } from '../../localGit/sendMail.ts';

/** Mails that leave this machine by git. */
export function gitMailer({
	git,
	isTrusted,
}: {
	readonly git: HardenedGit;
	readonly isTrusted: () => boolean;
}): Mailer {
	const tempFolder = tmpdir();
	const asking = { tempFolder, node: process.execPath, isWindows: process.platform === 'win32' };
	return {
		isTrusted,
		identity: (signal) => ownIdentity(git, tempFolder, signal),
		send: (mail, ask, signal) =>
			withAskPass(asking, ask, signal, (askPass) => sendMail({ git, tempFolder, askPass }, mail, signal)),
	};
}
