import type { HardenedGit } from './hardenedGit.ts';
import { inPrivateFolder } from './privateFolder.ts';
import { userSetting } from './userSetting.ts';

/** Somebody as git knows them. */
export interface GitIdentity {
	readonly name: string;
	readonly address: string;
}

/** `Name <address>`, as `sendemail.from` has it. */
const written = /^\s*(?:"?([^"<>]*?)"?\s*<)?([^<>\s]+@[^<>\s]+?)>?\s*$/;

/**
 * Whom the user sends mails as: `sendemail.<identity>.from` where an identity is set, else `sendemail.from`, else
 * `user.name` and `user.email`, as they are set for all repositories; `undefined` where no address is, and where git does
 * not run.
 */
export async function ownIdentity(
	git: HardenedGit,
	tempFolder: string,
	signal: AbortSignal,
): Promise<GitIdentity | undefined> {
	// Outside of every repository.
	return await inPrivateFolder(tempFolder, async (folder) => {
		const identity = await userSetting(git, folder, 'sendemail.identity', signal);
		const own =
			identity === undefined ? undefined : await userSetting(git, folder, `sendemail.${identity}.from`, signal);
		const from = written.exec(own ?? (await userSetting(git, folder, 'sendemail.from', signal)) ?? '');
		const name = from?.[1] ?? (await userSetting(git, folder, 'user.name', signal)) ?? '';
		const address = from?.[2] ?? (await userSetting(git, folder, 'user.email', signal));
		return address === undefined ? undefined : { name: name.trim(), address };
	});
}
