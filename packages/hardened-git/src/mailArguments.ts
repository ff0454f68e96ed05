import { isAbsolute } from 'node:path';
import { GitFailure } from './gitFailure.ts';
import { identityArgument } from './gitNames.ts';

/** Input of `git send-email`. */
export interface SendMail {
	/** Absolute path of the mail, without sender and recipients. */
	readonly file: string;
	/** `Name <address>` in ASCII, like all people here. */
	readonly from: string;
	readonly to: readonly string[];
	readonly cc: readonly string[];
	/** Encoding of the body in the file. */
	readonly encoding: '7bit' | 'quoted-printable';
	/** The user's active `sendemail` identity, if any. */
	readonly identity: string | undefined;
	/** Port of a mail server of this computer, in place of the user's server. */
	readonly ownPort?: number;
}

/**
 * The user's settings that change the mail, add recipients or run programs, without an overriding argument. Naming one
 * without a value unsets it.
 */
const unset = [
	'cccmd',
	'headercmd',
	'aliasfiletype',
	'smtpbatchsize',
	'smtprelogindelay',
	// Passes each mail to `git imap-send`, which may run a program (git 2.51).
	'imapsentfolder',
];

/**
 * Like above, but these need a value. Settings instead of arguments, because older git does not know them.
 */
const off = [
	// Git before 2.33 would run the mail for an empty command.
	'tocmd=:',
	// Replaces recipients (git 2.47).
	'mailmap=false',
	// Sends no mail, but reports success (git 2.51).
	'useimaponly=false',
];

const harmful = new RegExp(
	String.raw`^sendemail\.(?:.*\.)?(?:${[...unset, ...off].map((name) => name.replace(/=.*/, '')).join('|')})$`,
	's',
);

/** True for a setting that `git send-email` must not read. Git 2.33.0 takes the first value, so ours is too late. */
export function isHarmfulToMail(name: string): boolean {
	return harmful.test(name);
}

/** Overrides the user's settings and those of the identity. */
export function mailSettings({ identity, ownPort }: SendMail): readonly string[] {
	// A program for sending would win over the server.
	const server = ownPort === undefined ? [] : ['sendmailcmd', 'smtpuser'];
	const settings = [...unset, ...server, ...off].flatMap((name) => [
		`sendemail.${name}`,
		...(identity === undefined ? [] : [`sendemail.${identityArgument(identity)}.${name}`]),
	]);
	// Git before 2.33 sends nothing without an identity, though it needs none for a mail with a sender.
	return [...settings, 'user.name=sender', 'user.email=sender@localhost'];
}

/** Throws `GitFailure` for a person other than one address with an optional name. */
export function sendMailArguments({ file, from, to, cc, encoding, ownPort }: SendMail): readonly string[] {
	if (!isAbsolute(file) || to.length === 0 || ![from, ...to, ...cc].every(isPerson)) {
		throw new GitFailure({ kind: 'refused', what: 'mail' });
	}
	return [
		'send-email',
		`--from=${from}`,
		...to.map((person) => `--to=${person}`),
		...(cc.length === 0 ? ['--no-cc'] : cc.map((person) => `--cc=${person}`)),
		'--no-bcc',
		// Adds no recipients from the text, whatever older settings say.
		'--suppress-cc=all',
		'--suppress-from',
		'--no-signed-off-by-cc',
		'--no-to-cover',
		'--no-cc-cover',
		// The mail already has its own `In-Reply-To`.
		'--no-thread',
		'--no-chain-reply-to',
		'--no-xmailer',
		`--transfer-encoding=${encoding}`,
		'--8bit-encoding=UTF-8',
		// No prompts, editors or hooks.
		'--confirm=never',
		'--no-annotate',
		'--no-validate',
		'--no-format-patch',
		'--force',
		...(ownPort === undefined
			? []
			: ['--smtp-server=127.0.0.1', `--smtp-server-port=${ownPort}`, '--smtp-encryption=none', '--smtp-auth=none']),
		file,
	];
}

const bareName = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~ -]+";
const person = new RegExp(
	`^(?:(?:${bareName}|"[^"\\\\<>@\\p{Cc}]*") <[^\\s<>@,"]+@[^\\s<>@,"]+>|[^\\s<>@,"]+@[^\\s<>@,"]+)$`,
	'u',
);

/** Git takes the first text that looks like an address, so only one `@` is allowed. */
function isPerson(text: string): boolean {
	return text.length <= 1000 && /^[\x20-\x7e]+$/.test(text) && person.test(text);
}
