import { isAbort } from '../base/abort.ts';
import type { UserSetting } from './gitOperation.ts';
import type { HardenedGit } from './hardenedGit.ts';

const limits = { timeMs: 20_000, outputBytes: 100_000 } as const;

/** A setting of the user's own; `undefined` when it is not set or git is not there. */
export async function userSetting(
	git: HardenedGit,
	folder: string,
	name: UserSetting,
	signal: AbortSignal,
): Promise<string | undefined> {
	try {
		const { code, output } = await git.run({ kind: 'userSetting', name }, { folder, ...limits }, signal);
		const value = output.toString('utf8').replace(/\r?\n$/, '');
		return code === 0 && value !== '' ? value : undefined;
	} catch (error) {
		if (isAbort(error)) {
			throw error;
		}
		return undefined;
	}
}
