import { tmpdir } from 'node:os';
import type { RunningSample } from '../../editor/accounts/sampleSource.ts';
import type { Mailer } from '../../features/lists/context/listsContext.ts';
import { ownIdentity, sendMail } from 'hardened-git/sendMail.ts';
import type { LocalMachine } from './localMachine.ts';

/**
 * Sends mail with git. Mail with an address of the sample forge goes to the sample's own server: it never leaves this
 * computer.
 */
export function gitMailer(
	{ git, isTrusted, withAskPass }: LocalMachine,
	sampleSmtp: () => RunningSample['smtp'],
): Mailer {
	const tempFolder = tmpdir();
	return {
		isTrusted,
		identity: async (instance, clone, signal) =>
			instance.isSample && sampleSmtp() !== undefined
				? undefined
				: await ownIdentity(git, tempFolder, clone, process.env['EMAIL'], signal),
		send: (mail, ask, signal) =>
			withAskPass(ask, signal, (askPass) => {
				const smtp = sampleSmtp();
				const isOfSample =
					smtp &&
					[...mail.to, ...mail.cc].some((person) => {
						// `Name <address>` or an address alone.
						const host = /@([^@>]+)>?$/.exec(person)?.[1]?.toLowerCase() ?? '';
						return host === smtp.domain || host.endsWith(`.${smtp.domain}`);
					});
				const ownPort = isOfSample ? { ownPort: smtp.port } : {};
				return sendMail({ git, tempFolder, askPass }, { ...mail, ...ownPort }, signal);
			}),
	};
}
