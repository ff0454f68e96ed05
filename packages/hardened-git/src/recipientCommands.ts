import type { Buffer } from 'node:buffer';
import { gitCommands } from './gitCommands.ts';
import { GitFailure } from './gitFailure.ts';
import { isShowable } from './gitNames.ts';
import type { GitPlace, HardenedGit } from './hardenedGit.ts';
import { inPrivateFolder, putFile } from './ownFolder.ts';
import type { Ended } from './runProgram.ts';
import { isOwnScope, userSetting } from './userSettings.ts';

/** A setting of `git send-email` that names a shell command for the recipients of a patch. */
export interface RecipientCommand {
	/** As in `git config`, such as `sendemail.ccCmd`. */
	readonly setting: string;
	readonly field: 'to' | 'cc';
	readonly text: string;
	/** File of the setting, as git names it. */
	readonly origin: string;
	/** False for a setting of the clone, which its maker may have chosen. */
	readonly isOwn: boolean;
}

/** The commands that `git send-email` would run for patches of a clone. */
export interface RecipientCommands {
	readonly commands: readonly RecipientCommand[];
	/** The setting of a command that adds headers (git 2.41), if there is one. */
	readonly headers: string | undefined;
}

interface Value {
	readonly isOwn: boolean;
	readonly origin: string;
	readonly text: string;
}

/** Reads them like `git send-email`: the identity's setting wins, and `suppressCc` switches `ccCmd` off. */
export async function recipientCommands(
	git: HardenedGit,
	root: string,
	signal: AbortSignal,
): Promise<RecipientCommands> {
	const { code, output, complaint } = await git.run(gitCommands.recipientSettings(), { folder: root }, signal);
	const fields = output.toString('utf8').split('\0');
	const values = new Map<string, Value[]>();
	for (let at = 0; at + 2 < fields.length; at += 3) {
		const [scope = '', origin = '', setting = ''] = fields.slice(at, at + 3);
		const end = setting.indexOf('\n');
		const name = end === -1 ? setting : setting.slice(0, end);
		const value = { isOwn: isOwnScope(scope), origin, text: end === -1 ? '' : setting.slice(end + 1) };
		values.set(name, [...(values.get(name) ?? []), value]);
	}
	// 1: no such setting.
	if (code !== 0 && code !== 1) {
		throw new GitFailure({ kind: 'failed', program: 'git' }, complaint);
	}
	if (values.size === 0) {
		return { commands: [], headers: undefined };
	}
	const identity = await userSetting(git, root, 'sendemail.identity', signal);
	const found = (name: string): { readonly prefix: string; readonly of: readonly Value[] } | undefined =>
		[...(identity === undefined ? [] : [`sendemail.${identity}`]), 'sendemail']
			.map((prefix) => ({ prefix, of: values.get(`${prefix}.${name.toLowerCase()}`) ?? [] }))
			.find(({ of }) => of.length > 0);
	const command = (name: string, field: RecipientCommand['field']): readonly RecipientCommand[] => {
		const { prefix, of = [] } = found(name) ?? {};
		const last = of.at(-1);
		return last === undefined || last.text.trim() === '' ? [] : [{ ...last, setting: `${prefix}.${name}`, field }];
	};
	const isSuppressed = found('suppressCc')?.of.some(({ text }) => /^\s*(?:all|cccmd)\s*$/.test(text)) === true;
	return {
		commands: [...command('toCmd', 'to'), ...(isSuppressed ? [] : command('ccCmd', 'cc'))],
		headers: command('headerCmd', 'cc')[0]?.setting,
	};
}

/**
 * Runs such a command for one mail, in the top folder of the clone. The caller asks the person first: the text may come
 * from the clone, and a program of the clone may be what it names. Throws `GitFailure`.
 */
export async function runRecipientCommand(
	{ git, tempFolder }: GitPlace,
	root: string,
	{ text }: RecipientCommand,
	mail: Uint8Array,
	signal: AbortSignal,
): Promise<Ended & { readonly output: Buffer }> {
	return await inPrivateFolder(tempFolder, async (folder) => {
		const file = await putFile(folder, '0001.patch', mail);
		return await git.run(gitCommands.recipients(text, file), { folder: root }, signal);
	});
}

/** True for a command that a question can show in full. Others never run. */
export function isShowableCommand({ text }: RecipientCommand): boolean {
	return isShowable(text);
}
