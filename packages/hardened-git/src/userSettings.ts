import { Buffer } from 'node:buffer';
import { isAbort } from '@forge-desk/base/abort.ts';
import { gitCommands, type UserSetting } from './gitCommands.ts';
import { isHarmfulToMail } from './mailArguments.ts';
import { outputOf, runText, type HardenedGit } from './hardenedGit.ts';
import { putFile } from './ownFolder.ts';

/** Scopes of git that a repository cannot write. */
export function isOwnScope(scope: string): boolean {
	return /^(?:system|global|command)$/.test(scope);
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
		const scope = fields.findLastIndex((field, at) => at % 2 === 0 && isOwnScope(field));
		const value = fields[scope + 1];
		return code === 0 && scope !== -1 && value !== '' ? value : undefined;
	} catch (error) {
		if (isAbort(error)) {
			throw error;
		}
		return undefined;
	}
}

/**
 * Writes the settings of user and system, as git resolves them in a clone, to a new file in `into`; returns its path.
 * Conditional includes depend on the clone, so git in another folder would use other servers and keys. Omits the
 * repository's own settings, and those that harm a mail. A file, because the settings may have passwords, and arguments
 * are public. Throws `GitFailure`.
 */
export async function putUserSettings(
	git: HardenedGit,
	clone: string,
	into: string,
	signal: AbortSignal,
): Promise<string> {
	const output = await outputOf(git, clone, gitCommands.allSettings(), signal);
	const fields = output.toString('latin1').split('\0');
	const lines = fields.flatMap((setting, at) => {
		// Variables of the process still apply, above this file.
		const isOwn = at % 2 === 1 && /^(?:system|global)$/.test(fields[at - 1] ?? '');
		const [name = ''] = setting.split('\n', 1);
		// The included settings follow their include.
		return isOwn && !/^include(?:if)?\./.test(name) && !isHarmfulToMail(name) ? [settingText(setting)] : [];
	});
	return putFile(into, 'user-settings', Buffer.from(lines.join(''), 'latin1'));
}

/** `name\nvalue` as in a file; a name without value means true. */
function settingText(setting: string): string {
	const [name = ''] = setting.split('\n', 1);
	const [first, last] = [name.indexOf('.'), name.lastIndexOf('.')];
	const section =
		first === last ? name.slice(0, first) : `${name.slice(0, first)} "${escaped(name.slice(first + 1, last))}"`;
	const value = setting.length === name.length ? '' : ` = "${escaped(setting.slice(name.length + 1))}"`;
	return `[${section}]\n\t${name.slice(last + 1)}${value}\n`;
}

function escaped(text: string): string {
	return text.replaceAll(/["\\]/g, String.raw`\$&`).replaceAll('\n', String.raw`\n`);
}
