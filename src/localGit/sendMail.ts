import { isAbort } from '../base/abort.ts';
import { GitFailure } from './gitFailure.ts';
import type { AskPass, HardenedGit } from './hardenedGit.ts';
import { inPrivateFolder, putFile } from './privateFolder.ts';
import type { Ended } from './runProgram.ts';
import type { SendMail } from './sendMailArguments.ts';
import { userSetting } from './userSetting.ts';

/** A mail, as `src/mail` writes it for git. */
export interface MailToSend extends Pick<SendMail, 'from' | 'to' | 'cc' | 'encoding'> {
	/** Headers and body. */
	readonly source: string;
}

/** What sending needs of its surroundings. */
export interface SendMailParts {
	readonly git: HardenedGit;
	/** Folder for files that live as long as one mail. */
	readonly tempFolder: string;
	readonly askPass: AskPass | undefined;
}

/** Why a mail did not go out. */
export type MailTrouble =
	/** Git has no `send-email`, or lacks a part of it. */
	| 'notInstalled'
	/** No server is set, or it cannot be reached. */
	| 'unreachable'
	| 'notAllowed'
	| 'certificate'
	/** The server did not take the mail. */
	| 'refused'
	| 'other';

/** What became of a mail. `complaint` are the last words of git or the server. */
export type MailSent =
	| { readonly kind: 'sent' }
	| { readonly kind: 'notSent'; readonly trouble: MailTrouble; readonly complaint: string }
	/** The server may have it: the connection or the program ended before it said so. */
	| { readonly kind: 'unsure'; readonly complaint: string };

/** A server may let a client wait for some minutes at each step. */
const limits = { timeMs: 5 * 60_000, outputBytes: 1_000_000 } as const;

/**
 * Sends one mail by `git send-email` with the user's own settings of server, name and credentials. It runs outside of every
 * repository, so that no repository adds recipients, headers or programs (docs/security.md#mails-that-go-elsewhere). Throws
 * `GitFailure` or an abort where git was not started; once it was, giving up answers `unsure`.
 */
export async function sendMail(
	{ git, tempFolder, askPass }: SendMailParts,
	{ source, ...mail }: MailToSend,
	signal: AbortSignal,
): Promise<MailSent> {
	return await inPrivateFolder(tempFolder, async (folder) => {
		const file = await putFile(folder, 'mail.eml', source);
		const identity = await userSetting(git, folder, 'sendemail.identity', signal);
		signal.throwIfAborted();
		let hasStarted = false;
		try {
			const ended = await git.run(
				{ kind: 'sendMail', file, identity, ...mail },
				{ folder, ...limits, askPass, onStart: () => (hasStarted = true) },
				signal,
			);
			return outcomeOf(ended, ended.output.toString('utf8'));
		} catch (error) {
			if (hasStarted && (isAbort(error) || (error instanceof GitFailure && isLate(error)))) {
				return { kind: 'unsure', complaint: error instanceof Error ? error.message : '' };
			}
			throw error;
		}
	});
}

function isLate({ problem }: GitFailure): boolean {
	return problem.kind === 'tooSlow' || problem.kind === 'tooMuch';
}

const sayings: readonly (readonly [MailTrouble, RegExp])[] = [
	[
		'notInstalled',
		/is not a git command|Can't locate \S+\.pm|cannot (?:exec|run) .*(?:perl|send-email)|^Need \S+ and Authen::SASL/m,
	],
	['certificate', /certificate verify failed|SSL_verify|STARTTLS failed/i],
	['notAllowed', /authenticat|could not read (?:Username|Password)|^5\.7\.[08]\b|^53[045]\b/im],
	['refused', /^[45]\.\d{1,3}\.\d{1,3} |^error: unable to extract a valid address from/m],
	['unreachable', /Unable to initialize SMTP properly|SMTP server is not properly defined/],
];

/** What ends a connection in the middle of a mail. */
const broken = /Unexpected EOF|Connection (?:closed|reset)|Broken pipe|timed? ?out|^Died at/im;

function outcomeOf({ code, complaint }: Ended, output: string): MailSent {
	// Git says so once the server has the mail, whatever comes after. Its exit code alone proves nothing: it is 0 also where
	// nobody knew the password.
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
