import { isAbort } from '../../base/abort.ts';
import type { UserSetting } from './gitOperation.ts';
import type { HardenedGit } from './hardenedGit.ts';

const limits = { timeMs: 20_000, outputBytes: 100_000 } as const;

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
		const { code, output } = await git.run({ kind: 'userSetting', name }, { folder, ...limits }, signal);
		const fields = output.toString('utf8').split('\0');
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
