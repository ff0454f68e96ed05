import { isAbort } from '@forge-desk/base/abort.ts';
import { gitCommands } from './gitCommands.ts';
import type { SendMail } from './mailArguments.ts';
import { GitFailure } from './gitFailure.ts';
import { identityArgument } from './gitNames.ts';
import { runText, type HardenedGit, type GitNetwork } from './hardenedGit.ts';
import { inPrivateFolder, putFile } from './ownFolder.ts';
import type { Ended } from './runProgram.ts';
import { putUserSettings, userSetting } from './userSettings.ts';

/** Name and address in git's settings. */
export interface GitIdentity {
	readonly name: string;
	readonly address: string;
}

const innerComment = String.raw`\((?:[^()\\]|\\.)*\)`;

/** Parts of a person by RFC 5322. A comment may have comments, which have none. */
const personParts = new RegExp(
	[
		String.raw`"(?<quoted>(?:[^"\\]|\\.)*)"`,
		String.raw`\((?<comment>(?:[^()\\]|\\.|${innerComment})*)\)`,
		'<(?<address>[^<>]*)>',
		'(?<plain>[^"()<>]+)',
		'(?<stray>.)',
	].join('|'),
	'gsu',
);

/** One person, as in `sendemail.from`. `undefined` without exactly one address, as for an alias. */
function personIn(text: string): GitIdentity | undefined {
	const parts = Array.from(text.matchAll(personParts), ({ groups = {} }) => groups);
	const textOf = (...kinds: readonly string[]): string =>
		parts
			.flatMap((part) => kinds.flatMap((kind) => part[kind] ?? []))
			.join('')
			.replaceAll(/\\(.)/gsu, '$1')
			.replaceAll(/\s+/g, ' ')
			.trim();
	const isPlain = parts.every(({ address, quoted }) => address === undefined && quoted === undefined);
	const address = textOf(isPlain ? 'plain' : 'address');
	const name = (isPlain ? '' : textOf('quoted', 'plain')) || textOf('comment').replaceAll(/[()]/g, '');
	return textOf('stray') === '' && /^[^\s<>@,;:"]+@[^\s<>@,;:"]+$/.test(address) ? { name, address } : undefined;
}

/**
 * Sender of the user's mails: `sendemail.<identity>.from` if an identity is set, else `sendemail.from`, else git's
 * author. `undefined` without an address, or if git does not run. Throws `GitFailure` for settings that give no certain
 * address. `clone`: top folder of the clone with the commits to
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
			identity === undefined
				? undefined
				: await userSetting(git, folder, `sendemail.${identityArgument(identity)}.from`, signal);
		const written = own ?? (await userSetting(git, folder, 'sendemail.from', signal));
		const from = written === undefined ? undefined : personIn(written);
		if (written !== undefined && from === undefined) {
			throw new GitFailure({ kind: 'refused', what: 'sender' }, written);
		}
		const author = await authorIn(git, folder, email, signal);
		const name = from === undefined || from.name === '' ? author.name : from.name;
		const address = from?.address ?? author.address;
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
	const said = await runText(git, folder, gitCommands.identity(), signal).catch((error: unknown) => {
		if (isAbort(error)) {
			throw error;
		}
		return undefined;
	});
	const [, name = '', address] = /^(.*?) ?<([^<>]+)> \d+ [+-]\d+\s*$/.exec(said?.text ?? '') ?? [];
	return address === undefined
		? {
				name: (await userSetting(git, folder, 'user.name', signal)) ?? '',
				address: (await userSetting(git, folder, 'user.email', signal)) ?? email ?? '',
			}
		: { name, address };
}

/** A mail prepared by `packages/patchmail/src/mail`. */
export interface MailToSend extends Pick<SendMail, 'from' | 'to' | 'cc' | 'encoding' | 'ownPort'> {
	/** Headers and body. */
	readonly source: string;
	/** Top folder of the clone that gave the sender: the mail leaves with the user's settings there. */
	readonly clone?: string | undefined;
}

/** Why git did not send a mail. */
export type MailTrouble =
	/** `git send-email` or one of its modules is missing. */
	| 'notInstalled'
	/** The user has configured none, and git's default does not answer. */
	| 'noServer'
	/** The configured server did not answer; the mail did not leave. */
	| 'unreachable'
	| 'notAllowed'
	| 'certificate'
	/** The server rejected the mail. */
	| 'refused'
	| 'other';

/** `complaint`: last message of git or the server. */
export type MailSent =
	| { readonly kind: 'sent' }
	| { readonly kind: 'notSent'; readonly trouble: MailTrouble; readonly complaint: string }
	/** The server may have the mail: connection or program ended before its reply. */
	| { readonly kind: 'unsure'; readonly complaint: string };

/**
 * Sends one mail with `git send-email` and the user's server, name and credentials. Git runs outside of every
 * repository, so no repository adds recipients, headers or programs (docs/security.md#mails-that-go-elsewhere). Throws
 * `GitFailure` or an abort before git starts; afterwards an abort returns `unsure`.
 */
export async function sendMail(
	{ git, tempFolder, askPass }: GitNetwork,
	{ source, clone, ...mail }: MailToSend,
	signal: AbortSignal,
): Promise<MailSent> {
	return await inPrivateFolder(tempFolder, async (folder) => {
		const file = await putFile(folder, 'mail.eml', source);
		const from = clone ?? folder;
		// A mail to our own server needs nothing of the user.
		const settings =
			mail.ownPort === undefined
				? await putUserSettings(git, from, folder, signal)
				: await putFile(folder, 'user-settings', '');
		const identity = await userSetting(git, from, 'sendemail.identity', signal);
		signal.throwIfAborted();
		let hasStarted = false;
		try {
			const ended = await git.run(
				gitCommands.sendMail({ file, identity, ...mail }),
				{ folder, settings, askPass, onStart: () => (hasStarted = true) },
				signal,
			);
			const outcome = outcomeOf(ended, ended.output.toString('utf8'));
			// Git tries this computer when no server is configured. Waiting for that would never end.
			const isDefault =
				outcome.kind === 'notSent' &&
				outcome.trouble === 'unreachable' &&
				mail.ownPort === undefined &&
				(await serverOf(git, from, identity, signal)) === undefined;
			return isDefault ? { ...outcome, trouble: 'noServer' } : outcome;
		} catch (error) {
			const problem = error instanceof GitFailure ? error.problem.kind : undefined;
			if (hasStarted && (isAbort(error) || problem === 'tooSlow' || problem === 'tooMuch')) {
				return { kind: 'unsure', complaint: error instanceof Error ? error.message : '' };
			}
			throw error;
		}
	});
}

function serverOf(git: HardenedGit, folder: string, identity: string | undefined, signal: AbortSignal) {
	const plain = (): Promise<string | undefined> => userSetting(git, folder, 'sendemail.smtpServer', signal);
	return identity === undefined
		? plain()
		: userSetting(git, folder, `sendemail.${identityArgument(identity)}.smtpServer`, signal).then(
				(own) => own ?? plain(),
			);
}

const sayings: readonly (readonly [MailTrouble, RegExp])[] = [
	[
		'notInstalled',
		/is not a git command|Can't locate \S+\.pm|cannot (?:exec|run) .*(?:perl|send-email)|^Need \S+ and Authen::SASL/m,
	],
	['certificate', /certificate verify failed|SSL_verify|STARTTLS failed/i],
	['notAllowed', /authenticat|could not read (?:Username|Password)|^5\.7\.[08]\b|^53[045]\b/im],
	['refused', /^[45]\.\d{1,3}\.\d{1,3} |^error: unable to extract a valid address from/m],
	['noServer', /SMTP server is not properly defined/],
	['unreachable', /Unable to initialize SMTP properly/],
];

/** Signs of a broken connection. */
const broken = /Unexpected EOF|Connection (?:closed|reset)|Broken pipe|timed? ?out|^Died at/im;

function outcomeOf({ code, complaint }: Ended, output: string): MailSent {
	// Git prints this line after the server accepted the mail. The exit code proves nothing: it is 0 even without a
	// password.
	if (/^Result: (?:OK|2\d\d)\b/m.test(output)) {
		return { kind: 'sent' };
	}
	const said = complaint.trim();
	const trouble = sayings.find(([, saying]) => saying.test(said))?.[0];
	if (trouble !== undefined) {
		return { kind: 'notSent', trouble, complaint: said };
	}
	return code === undefined || code === 0 || broken.test(said)
		? { kind: 'unsure', complaint: said }
		: { kind: 'notSent', trouble: 'other', complaint: said };
}
