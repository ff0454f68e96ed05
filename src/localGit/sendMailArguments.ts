import { isAbsolute } from 'node:path';
import { GitFailure } from './gitFailure.ts';
import { identityArgument } from './gitNames.ts';

/** A mail as `git send-email` is handed it. */
export interface SendMail {
	/** Absolute path of the mail, which names neither sender nor recipients. */
	readonly file: string;
	/** `Name <address>`, in ASCII, as all people here. */
	readonly from: string;
	readonly to: readonly string[];
	readonly cc: readonly string[];
	/** Of the body in the file. */
	readonly encoding: '7bit' | 'quoted-printable';
	/** The part of the user's mail settings that holds, where they have several. */
	readonly identity: string | undefined;
}

/**
 * Settings of the user's own that would change the mail, add recipients or name programs to find them, and that no argument
 * overrules. Without a value they count as not set.
 */
const unset = [
	'tocmd',
	'cccmd',
	'headercmd',
	'aliasfiletype',
	'smtpbatchsize',
	'smtprelogindelay',
	// Hands each mail to `git imap-send`, which may run a program (git 2.51).
	'imapsentfolder',
];

/**
 * The same of settings that would count as set without a value. Each is a setting and no argument, because older versions
 * of git know none of them.
 */
const off = [
	// Replaces recipients (git 2.47).
	'mailmap',
	// Sends no mail at all, and says that it did (git 2.51).
	'useimaponly',
];

/** Settings so that neither the user's own nor those of their identity hold. */
export function mailSettings({ identity }: SendMail): readonly string[] {
	return [...unset, ...off.map((name) => `${name}=false`)].flatMap((name) => [
		`sendemail.${name}`,
		...(identity === undefined ? [] : [`sendemail.${identityArgument(identity)}.${name}`]),
	]);
}

/** Throws `GitFailure` for people who could be anything else than one address with a name. */
export function sendMailArguments({ file, from, to, cc, encoding }: SendMail): readonly string[] {
	if (!isAbsolute(file) || to.length === 0 || ![from, ...to, ...cc].every(isPerson)) {
		throw new GitFailure({ kind: 'refused', what: 'mail' });
	}
	return [
		'send-email',
		`--from=${from}`,
		...to.map((person) => `--to=${person}`),
		...(cc.length === 0 ? ['--no-cc'] : cc.map((person) => `--cc=${person}`)),
		'--no-bcc',
		// Nobody whom the text names is added, whatever older settings say.
		'--suppress-cc=all',
		'--suppress-from',
		'--no-signed-off-by-cc',
		'--no-to-cover',
		'--no-cc-cover',
		// The mail names what it answers.
		'--no-thread',
		'--no-chain-reply-to',
		'--no-xmailer',
		`--transfer-encoding=${encoding}`,
		'--8bit-encoding=UTF-8',
		// Nothing is asked, edited or handed to a hook.
		'--confirm=never',
		'--no-annotate',
		'--no-validate',
		'--no-format-patch',
		'--force',
		file,
	];
}

const bareName = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~ -]+";
const person = new RegExp(
	`^(?:(?:${bareName}|"[^"\\\\<>@\\p{Cc}]*") <[^\\s<>@,"]+@[^\\s<>@,"]+>|[^\\s<>@,"]+@[^\\s<>@,"]+)$`,
	'u',
);

/** Git takes the first thing that looks like an address, so there is one `@`. */
function isPerson(text: string): boolean {
	return text.length <= 1000 && /^[\x20-\x7e]+$/.test(text) && person.test(text);
}
