import { gitCommands } from './gitCommands.ts';
import { identityArgument } from './gitNames.ts';
import { lineOf, type GitPlace, type HardenedGit } from './hardenedGit.ts';
import { inPrivateFolder, putFile } from './ownFolder.ts';
import { ownIdentity } from './sendMail.ts';
import { GitFailure } from './gitFailure.ts';
import { userSetting } from './userSettings.ts';

/** Where `git send-email` sends. Passwords and paths are never part of it. */
export type MailServer =
	| { readonly kind: 'host'; readonly host: string }
	/** A local program such as `msmtp`, by the name of its file. */
	| { readonly kind: 'program'; readonly name: string }
	/** A set value that is neither. */
	| { readonly kind: 'unclear' }
	| { readonly kind: 'none' };

/** How git sends mails for the user. */
export interface MailSetup {
	readonly isInstalled: boolean;
	readonly server: MailServer;
	/** `unclear`: settings that give no certain address. */
	readonly sender: 'known' | 'missing' | 'unclear';
}

/** `2.45.1`. Throws `GitFailure` if git does not run or is too old. */
export async function gitVersion({ git, tempFolder }: GitPlace, signal: AbortSignal): Promise<string> {
	return await inPrivateFolder(tempFolder, async (folder) => {
		const said = await lineOf(git, folder, gitCommands.version(), signal);
		return /\b\d+(?:\.\d+)+/.exec(said)?.[0] ?? '';
	});
}

/** Sends nothing and asks for no password. `email`: environment variable `EMAIL`. Throws `GitFailure`. */
export async function mailSetup(
	{ git, tempFolder }: GitPlace,
	email: string | undefined,
	signal: AbortSignal,
): Promise<MailSetup> {
	return await inPrivateFolder(tempFolder, async (folder) => {
		const settings = await putFile(folder, 'no-settings', '');
		const help = await git.run(gitCommands.sendMailHelp(), { folder, settings }, signal);
		return {
			// Git's own message about a missing command differs from the program's help.
			isInstalled: /^git send-email'? \[/m.test(`${help.output.toString('utf8')}\n${help.complaint}`),
			server: await serverIn(git, folder, signal),
			sender: await senderIn({ git, tempFolder }, email, signal),
		};
	});
}

async function serverIn(git: HardenedGit, folder: string, signal: AbortSignal): Promise<MailServer> {
	const identity = await userSetting(git, folder, 'sendemail.identity', signal);
	const valueOf = async (name: 'smtpServer' | 'sendmailCmd'): Promise<string | undefined> => {
		const own =
			identity === undefined
				? undefined
				: await userSetting(git, folder, `sendemail.${identityArgument(identity)}.${name}`, signal);
		return own ?? (await userSetting(git, folder, `sendemail.${name}`, signal));
	};
	const command = await valueOf('sendmailCmd');
	const server = await valueOf('smtpServer');
	if (command !== undefined) {
		return programIn(command.split(/\s/)[0] ?? '');
	}
	if (server === undefined) {
		return { kind: 'none' };
	}
	// A wrong value may hold a password, so only a plain host is a host.
	return /^[A-Za-z0-9][A-Za-z0-9.-]*(?::\d{1,5})?$|^\[[\da-f:.]+\](?::\d{1,5})?$/i.test(server)
		? { kind: 'host', host: server }
		: programIn(server);
}

function programIn(path: string): MailServer {
	const [, name] = /^(?:.*[\\/])?([\w.+-]{1,60})$/.exec(path) ?? [];
	return name === undefined || path.includes('@') ? { kind: 'unclear' } : { kind: 'program', name };
}

async function senderIn(
	{ git, tempFolder }: GitPlace,
	email: string | undefined,
	signal: AbortSignal,
): Promise<MailSetup['sender']> {
	try {
		const identity = await ownIdentity(git, tempFolder, undefined, email, signal);
		return identity === undefined ? 'missing' : 'known';
	} catch (error) {
		if (error instanceof GitFailure && error.problem.kind === 'refused') {
			return 'unclear';
		}
		throw error;
	}
}
