import * as vscode from 'vscode';
import * as v from 'valibot';
import { isAbort } from '@forge-desk/base/abort.ts';
import { cancelled } from '../../../editor/ask/ask.ts';
import { chooseAction } from '../../../editor/ask/notify.ts';
import { withCountedProgress } from '../../../editor/ask/progress.ts';
import { GitFailure } from 'hardened-git/gitFailure.ts';
import {
	isShowableCommand,
	recipientCommands,
	runRecipientCommand,
	type RecipientCommand,
} from 'hardened-git/recipientCommands.ts';
import { mostPrinted, printedPeople } from 'patchmail/mail/printedPeople.ts';
import type { MailPerson } from 'patchmail/mail/readableMail.ts';
import { shortLine, visibleLine } from '../../../engine/text/visible.ts';
import type { SeriesMailOfCommit } from './commitMails.ts';
import type { SubmitContext } from './submitContext.ts';

/*
 * Recipients by the commands in git's settings, such as `sendemail.ccCmd`. No command runs before the person agreed to
 * its very text in this clone, not even one of their own: it mostly names a program of the clone, and git within it
 * runs filters of the clone (docs/security.md#mails-that-go-elsewhere).
 */

/** A command with the recipients that it printed; without any if it did not run to its end. */
export interface CommandPeople {
	readonly setting: string;
	readonly field: RecipientCommand['field'] | 'header';
	readonly people: readonly MailPerson[] | undefined;
}

const agreedKey = 'forge.recipientCommands';
/** Drops the oldest. */
const mostAgreed = 100;
const agreement = v.object({ root: v.string(), setting: v.string(), text: v.string() });
const agreements = v.fallback(v.array(agreement), []);

/** More of a program's messages hide the buttons below. */
const longestComplaint = 1500;

/**
 * Runs the commands for each patch, after questions. `declined`: settings that the person already decided against. Throws
 * `cancelled()` and `GitFailure`.
 */
export async function commandPeople(
	parts: SubmitContext,
	root: string,
	patches: readonly SeriesMailOfCommit[],
	declined: ReadonlySet<string>,
	signal: AbortSignal,
): Promise<readonly CommandPeople[]> {
	const { commands, headers } = await recipientCommands(parts.git, root, signal);
	const found: CommandPeople[] = [];
	for (const command of commands) {
		const { setting, field } = command;
		const mayRun = !declined.has(setting) && (await isAgreed(parts, root, command));
		found.push({ setting, field, people: mayRun ? await printed(parts, root, command, patches, signal) : undefined });
	}
	return [
		...found,
		...(headers === undefined ? [] : [{ setting: headers, field: 'header', people: undefined } as const]),
	];
}

/** Whether the person agreed, now or before, to this text in this clone. Throws `cancelled()` if they close the question. */
async function isAgreed({ flags }: SubmitContext, root: string, command: RecipientCommand): Promise<boolean> {
	const { setting, text, origin, isOwn } = command;
	const without = vscode.l10n.t('Continue Without It');
	if (!isShowableCommand(command)) {
		const why = vscode.l10n.t('It is too long or has characters that cannot be shown. Correct it in {0}.', origin);
		if ((await chooseAction(vscode.l10n.t('{0} was not run.', setting), why, without)) === undefined) {
			throw cancelled();
		}
		return false;
	}
	const before = (): readonly v.InferOutput<typeof agreement>[] => v.parse(agreements, flags.get<unknown>(agreedKey));
	if (before().some((each) => each.root === root && each.setting === setting && each.text === text)) {
		return true;
	}
	const detail = [
		text,
		isOwn
			? vscode.l10n.t('Your own configuration of git has this command: {0}', visibleLine(origin))
			: vscode.l10n.t('The configuration of this clone has this command: {0}', visibleLine(origin)),
		vscode.l10n.t(
			'It runs in {0}, once for each patch, and can read and change your files. Forge Desk asks again if the command changes.',
			visibleLine(root),
		),
	].join('\n\n');
	const run = vscode.l10n.t('Run Command');
	const answer = await chooseAction(vscode.l10n.t('Run {0} to find recipients?', setting), detail, run, without);
	if (answer === undefined) {
		throw cancelled();
	}
	if (answer === run) {
		await flags.update(agreedKey, [...before(), { root, setting, text }].slice(-mostAgreed));
	}
	return answer === run;
}

/** The recipients for all patches; `undefined` if the person goes on without them. Throws `cancelled()`. */
async function printed(
	parts: SubmitContext,
	root: string,
	command: RecipientCommand,
	patches: readonly SeriesMailOfCommit[],
	signal: AbortSignal,
): Promise<readonly MailPerson[] | undefined> {
	const { setting } = command;
	const title = vscode.l10n.t('Running {0}…', setting);
	for (;;) {
		const outcome = await withCountedProgress({ title, total: patches.length, signal }, async (working, step) => {
			const people = new Map<string, MailPerson>();
			for (const patch of patches) {
				const found = await peopleOfPatch(parts, root, command, patch, working);
				if ('message' in found) {
					return found;
				}
				for (const person of found) {
					const key = person.address.toLowerCase();
					people.set(key, people.get(key) ?? person);
				}
				if (people.size > mostPrinted) {
					return { message: vscode.l10n.t('{0} failed.', setting), detail: tooManyText() };
				}
				step();
			}
			return people;
		}).catch((error: unknown) => {
			if (isAbort(error) && !signal.aborted) {
				return { message: vscode.l10n.t('{0} was stopped.', setting), detail: '' };
			}
			throw error;
		});
		if (!('message' in outcome)) {
			return [...outcome.values()];
		}
		const again = vscode.l10n.t('Try Again');
		const answer = await chooseAction(outcome.message, outcome.detail, again, vscode.l10n.t('Continue Without It'));
		if (answer !== again) {
			if (answer === undefined) {
				throw cancelled();
			}
			return undefined;
		}
	}
}

/** Why a command gave no recipients. */
interface Failed {
	readonly message: string;
	readonly detail: string;
}

async function peopleOfPatch(
	parts: SubmitContext,
	root: string,
	command: RecipientCommand,
	{ commit, formatted, read }: SeriesMailOfCommit,
	signal: AbortSignal,
): Promise<readonly MailPerson[] | Failed> {
	const subject = shortLine(read?.patch.subject ?? commit, 80);
	const failed = (detail: string): Failed => ({
		message: vscode.l10n.t('{0} failed for "{1}".', command.setting, subject),
		detail,
	});
	const mail = Buffer.from(`From ${commit} Mon Sep 17 00:00:00 2001\n${formatted}`, 'latin1');
	const ran = await runRecipientCommand(parts, root, command, mail, signal).catch((error: unknown) => {
		if (error instanceof GitFailure && (error.problem.kind === 'tooMuch' || error.problem.kind === 'tooSlow')) {
			return error.problem.kind;
		}
		throw error;
	});
	if (ran === 'tooMuch') {
		return failed(vscode.l10n.t('It printed too much and was stopped.'));
	}
	if (ran === 'tooSlow') {
		return failed(vscode.l10n.t('It took too long and was stopped.'));
	}
	if (ran.code !== 0) {
		const said = ran.complaint.trim().slice(-longestComplaint);
		return failed(said === '' ? vscode.l10n.t('It printed no reason.') : said);
	}
	const output = printedPeople(ran.output);
	switch (output.kind) {
		case 'people':
			return output.people;
		case 'badLine': {
			const line = shortLine(output.line, 200);
			return failed(vscode.l10n.t('It printed a line that is not one email address: {0}', line));
		}
		case 'tooMany':
			return failed(tooManyText());
	}
}

function tooManyText(): string {
	return vscode.l10n.t('It printed more than {0} recipients.', mostPrinted);
}
