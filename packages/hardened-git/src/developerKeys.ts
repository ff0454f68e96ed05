import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { regularFile } from './fileInClone.ts';
import type { GitOnMachine } from './hardenedGit.ts';
import { userSetting } from './userSettings.ts';

/** A key file of a developer, and the folder that it lies in. */
export interface DeveloperKey {
	readonly key: string;
	readonly folder: string;
}

/** Keyring folders inside a clone, as patatt has them. */
const inClones = ['.keys', '.local-keys'];
const longestKey = 20_000;

/**
 * Searches the keyrings of patatt: the folder of the user's setting `patatt.keyringsrc`, those in clones, and the global
 * one. Ignores settings of repositories. `places`: possible paths in each keyring, with quoted names. `undefined` if there
 * is no key. Throws an abort only.
 */
export async function developerKey(
	{ git, machine, tempFolder }: GitOnMachine,
	places: readonly string[],
	clones: readonly string[],
	signal: AbortSignal,
): Promise<DeveloperKey | undefined> {
	const home = machine.environment['HOME'] ?? homedir();
	const own = (await userSetting(git, tempFolder, 'patatt.keyringsrc', signal))?.replace(/^~(?=\/)/, home);
	const data = machine.environment['XDG_DATA_HOME'] ?? join(home, '.local/share');
	const keyrings = [
		...(own !== undefined && isAbsolute(own) ? [own] : []),
		...clones.flatMap((clone) => inClones.map((name) => join(clone, name))),
		join(data, 'patatt/public'),
	];
	for (const folder of keyrings) {
		for (const place of places) {
			const content = await regularFile(folder, place).catch(() => undefined);
			signal.throwIfAborted();
			if (content !== undefined && content.length > 0 && content.length <= longestKey) {
				return { key: content.toString('latin1'), folder };
			}
		}
	}
	return undefined;
}
