import { isAbort } from '../../base/abort.ts';
import { runText, type HardenedGit } from './hardenedGit.ts';
import { inPrivateFolder } from './ownFolder.ts';
import { gitCommands, type UserSetting } from './gitCommands.ts';

/** Name and address in git's settings. */
export interface GitIdentity {
	readonly name: string;
	readonly address: string;
}

/** `Name <address>`, as in `sendemail.from`. */
const written = /^\s*(?:"?([^"<>]*?)"?\s*<)?([^<>\s]+@[^<>\s]+?)>?\s*$/;

/**
 * Sender of the user's mails: `sendemail.<identity>.from` if an identity is set, else `sendemail.from`, else git's
 * author. `undefined` without an address, or if git does not run. `clone`: top folder of the clone with the commits to
 * send; without it, git runs outside of every repository. `email`: environment variable `EMAIL`, git's last fallback.
 */
export async function ownIdentity(
	git: HardenedGit,
	tempFolder: string,
	clone: string | undefined,
	email: string | undefined,
	signal: AbortSignal,
): Promise<GitIdentity | undefined> {
	return await inPrivateFolder(tempFolder, async (outside) => {
		const folder = clone ?? outside;
		const identity = await userSetting(git, folder, 'sendemail.identity', signal);
		const own =
			identity === undefined ? undefined : await userSetting(git, folder, `sendemail.${identity}.from`, signal);
		const from = written.exec(own ?? (await userSetting(git, folder, 'sendemail.from', signal)) ?? '');
		const author = await authorIn(git, folder, email, signal);
		const name = from?.[1] ?? author.name;
		const address = from?.[2] ?? author.address;
		return address === '' ? undefined : { name: name.trim(), address };
	});
}

/** The author as git resolves it. Falls back to single settings when name or address is missing. */
async function authorIn(
	git: HardenedGit,
	folder: string,
	email: string | undefined,
	signal: AbortSignal,
): Promise<GitIdentity> {
	const [, name = '', address] =
		/^(.*?) ?<([^<>]+)> \d+ [+-]\d+\s*$/.exec(await identityLine(git, folder, signal)) ?? [];
	return address === undefined
		? {
				name: (await userSetting(git, folder, 'user.name', signal)) ?? '',
				address: (await userSetting(git, folder, 'user.email', signal)) ?? email ?? '',
			}
		: { name, address };
}

async function identityLine(git: HardenedGit, folder: string, signal: AbortSignal): Promise<string> {
	try {
		return (await runText(git, folder, gitCommands.identity(), signal)).text;
	} catch (error) {
		if (isAbort(error)) {
			throw error;
		}
		return '';
	}
}

/**
 * Setting of the user or system as git resolves it in a folder, with includes and variables. Ignores repository
 * configuration. `undefined` if it is unset, or git is missing.
 */
export async function userSetting(
	git: HardenedGit,
	folder: string,
	name: UserSetting,
	signal: AbortSignal,
): Promise<string | undefined> {
	try {
		const { code, text } = await runText(git, folder, gitCommands.userSetting(name), signal);
		const fields = text.split('\0');
		const scope = fields.findLastIndex((field, at) => at % 2 === 0 && /^(?:system|global|command)$/.test(field));
		const value = fields[scope + 1];
		return code === 0 && scope !== -1 && value !== '' ? value : undefined;
	} catch (error) {
		if (isAbort(error)) {
			throw error;
		}
		return undefined;
	}
}
