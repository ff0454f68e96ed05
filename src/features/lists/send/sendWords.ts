import * as vscode from 'vscode';
import { namesText } from '../../../editor/ask/notify.ts';
import type { MailDraftFault } from 'patchmail/mail/mailDraftText.ts';
import { type OutgoingMail } from 'patchmail/mail/outgoingMail.ts';
import type { MailPerson } from 'patchmail/mail/readableMail.ts';
import type { GitProblem } from 'hardened-git/gitFailure.ts';
import type { MailTrouble } from 'hardened-git/sendMail.ts';
import { shortLine, visibleLine } from '../../../engine/text/visible.ts';
import type { EditedMailFault } from 'patchmail/review/editedMail.ts';
import type { MailOfMany } from 'patchmail/review/sending.ts';
import { personText } from '../subjects/words.ts';
import { askFor, choose, confirmOrCancel } from '../../../editor/ask/ask.ts';
import type { ListRef } from 'sourcehut/port/list.ts';
import { isSendable } from 'patchmail/mail/writtenAddress.ts';
import type { PostingAddress } from 'patchmail/review/replyPeople.ts';
import { bodyWrapped } from 'patchmail/review/replyProse.ts';
import { parseDiff } from 'patchmail/patch/parseDiff.ts';
import type { Connection } from '../../../store/connection.ts';

const longestReason = 200;
const longestFault = 100;

export function mailsText(count: number): string {
	return count === 1 ? vscode.l10n.t('1 message') : vscode.l10n.t('{0} messages', count);
}

/** Everybody who gets one of these mails, each once. */
export function recipientsText(mails: readonly { readonly to: OutgoingMail['to']; readonly cc: OutgoingMail['cc'] }[]) {
	return peopleText(mails.flatMap(({ to, cc }) => [...to, ...cc]));
}

function peopleText(people: readonly MailPerson[]): string {
	const each = new Map(people.map((person): [string, MailPerson] => [person.address.toLowerCase(), person]));
	return [...each.values()].map(personText).join(', ');
}

/** Subjects of sent mails so far. */
export function sentSubjects(mails: readonly OutgoingMail[], now: readonly MailOfMany[]): readonly string[] {
	const sent = new Set(now.flatMap(({ messageId, progress }) => (progress.kind === 'sent' ? [messageId] : [])));
	return mails.flatMap(({ messageId, subject }) => (sent.has(messageId) ? [subject] : []));
}

/** Subjects of the mails in one sentence. */
export function subjectsText(subjects: readonly string[]): string {
	const names = subjects.map((subject) => `"${shortLine(visibleLine(subject), 120)}"`);
	return namesText(names).replaceAll('\n', ', ');
}

/** Sender, recipients and contents for the confirmation. */
export function sendingDetail(mails: readonly OutgoingMail[]): string {
	return [
		// Edited ones may have another sender than the rest.
		vscode.l10n.t('From: {0}', peopleText(mails.map(({ from }) => from))),
		vscode.l10n.t('To and Cc: {0}', recipientsText(mails)),
		'',
		...mails.map(({ subject }) => shortLine(subject, 120)),
	].join('\n');
}

/** Mails sent by an earlier try; empty if none. */
export function sentBeforeTexts(count: number): readonly string[] {
	return count === 0 ? [] : [vscode.l10n.t('Sent before: {0}.', mailsText(count))];
}

export function noSenderText(): string {
	return vscode.l10n.t("Your email address isn't known. Set user.email in your git configuration, then try again.");
}

/** Why a mail did not go out. */
export function troubleText(trouble: MailTrouble, complaint: string): string {
	return {
		notInstalled: vscode.l10n.t(
			"git send-email isn't installed, or lacks a part of it. Install it, or save the message as a file.",
		),
		noServer: vscode.l10n.t('Git has no email server. Set sendemail.smtpServer in your git configuration.'),
		unreachable: vscode.l10n.t(
			"The email server can't be reached. Check sendemail.smtpServer in your git configuration.",
		),
		notAllowed: vscode.l10n.t('The email server rejected your user name or password.'),
		certificate: vscode.l10n.t("The email server's certificate is not trusted."),
		refused: vscode.l10n.t('The email server rejected the message: {0}', reasonText(complaint)),
		other: vscode.l10n.t('git send-email failed: {0}', reasonText(complaint)),
	}[trouble];
}

/** Why git was not even started. */
export function gitProblemText(problem: GitProblem): string {
	switch (problem.kind) {
		case 'notTrusted':
			return vscode.l10n.t('Git is disabled in Restricted Mode. Trust this window, then try again.');
		case 'programMissing':
			return vscode.l10n.t('Git was not found. Install it, or save the message as a file.');
		case 'tooOld':
			return vscode.l10n.t('Sending needs git 2.32 or newer. Update git, or save the message as a file.');
		case 'refused':
			if (problem.what === 'sender') {
				return vscode.l10n.t(
					'The git setting sendemail.from or sendemail.identity cannot be used here. Write the sender as Name <address>, and the identity without an equals sign.',
				);
			}
			return vscode.l10n.t("An email address of this message can't be handed to git. Save the message as a file.");
		case 'folderMissing':
		case 'tooSlow':
		case 'tooMuch':
		case 'folderTaken':
		case 'folderNotMade':
		case 'notCloned':
		case 'notOwned':
		case 'lacksFiles':
		case 'failed':
			return vscode.l10n.t('git send-email failed. See the log for details.');
	}
}

/** Last line of git's or the server's message. */
export function reasonText(complaint: string): string {
	return shortLine(visibleLine(complaint.trim().split('\n').at(-1) ?? ''), longestReason);
}

/** Problem that prevents sending, with the next step. */
export function faultText(fault: MailDraftFault): string {
	switch (fault.kind) {
		case 'nobody':
			return vscode.l10n.t('Add a recipient after "To:".');
		case 'badPeople':
			return vscode.l10n.t(
				'No message can be sent to this: {0}. Write email addresses with commas between them.',
				shortLine(fault.text, longestFault),
			);
		case 'badHeader':
			return vscode.l10n.t(
				'Only To, Cc and Subject can stand above the empty line: {0}',
				shortLine(fault.text, longestFault),
			);
		case 'twice':
			return vscode.l10n.t('This can stand above the empty line only once: {0}', shortLine(fault.text, longestFault));
		case 'noSubject':
			return vscode.l10n.t('Add a subject after "Subject:".');
		case 'noText':
			return vscode.l10n.t('Write a text below the empty line.');
	}
}

/** The same of an edited mail of a review. */
export function editedFaultText(fault: EditedMailFault): string {
	switch (fault.kind) {
		case 'badHeader':
			return vscode.l10n.t(
				'Only From, In-Reply-To, To, Cc and Subject can stand above the empty line, each in one line: {0}',
				shortLine(fault.text, longestFault),
			);
		case 'badSender':
			return vscode.l10n.t(
				'Write one email address after "From:", instead of this: {0}',
				shortLine(fault.text, longestFault),
			);
		case 'otherThread':
			return vscode.l10n.t(
				'A review replies to the message that it is about. Restore this line: "In-Reply-To: {0}".',
				shortLine(fault.text, longestFault),
			);
		case 'unsendableText':
			return vscode.l10n.t('The text has control characters, which messages do not keep. Remove them.');
		case 'nobody':
		case 'badPeople':
		case 'twice':
		case 'noSubject':
		case 'noText':
			return faultText(fault);
	}
}

/** The known address, or the one that the user confirms, which is stored. */
export async function sureAddress({ listChoices }: Connection, ref: ListRef, known: PostingAddress | undefined) {
	if (known?.isSure === true) {
		return known.address;
	}
	const { owner, name } = ref;
	const likely = known?.address;
	const confirmed = await askFor({
		title: vscode.l10n.t('Email address of {0}/{1}', owner, name),
		prompt:
			likely === undefined
				? vscode.l10n.t('No message of this list names its email address.')
				: vscode.l10n.t(
						"Check this email address. It isn't on the host of the forge, and only one person's messages name it, or others name another.",
					),
		placeHolder: `${owner}/${name}@lists.example.org`,
		...(likely === undefined ? {} : { value: likely }),
		complaint: (text) => (isSendable(text.trim()) ? undefined : vscode.l10n.t('Enter an email address.')),
	});
	await listChoices.keepPosting(ref, confirmed);
	return confirmed;
}

/** Asks about replies that the forge would take for patches. Throws `cancelled()` for a no. */
export async function confirmPatches(replies: readonly OutgoingMail[]): Promise<void> {
	const withPatch = replies.filter(({ body }) => parseDiff(body).files.length > 0);
	if (withPatch.length === 0) {
		return;
	}
	const question =
		withPatch.length === 1
			? vscode.l10n.t('Send a reply with a patch that is not quoted?')
			: vscode.l10n.t('Send replies with patches that are not quoted?');
	const why = vscode.l10n.t(
		'The forge takes such a reply for a patch of its own. To keep it a reply, cancel and put "> " or spaces before each line of the diff.',
	);
	const detail = `${subjectsText(withPatch.map(({ subject }) => subject))}\n\n${why}`;
	await confirmOrCancel(question, detail, vscode.l10n.t('Send Anyway'));
}

/** Warns that a cover letter looks like a patch. Throws `cancelled()` on "no". */
export async function confirmPatchInCover(): Promise<void> {
	const why = vscode.l10n.t(
		'Git and the forge take such a cover letter for a patch of the series. To keep it a cover letter, cancel and put "> " or spaces before each line of the diff.',
	);
	const question = vscode.l10n.t('Send a cover letter with a patch that is not quoted?');
	await confirmOrCancel(question, why, vscode.l10n.t('Send Anyway'));
}

/**
 * Asks whether to wrap long prose lines, if any, and returns the final mails. Ids stay the same: the words are equal,
 * so a list that has a mail needs no copy. Throws `cancelled()` if the user closes the question.
 */
export async function askToWrap(mails: readonly OutgoingMail[]): Promise<readonly OutgoingMail[]> {
	const wrapped = mails.map((mail) => ({ ...mail, body: bodyWrapped(mail.body) }));
	const long = mails.filter(({ body }, at) => body !== wrapped[at]?.body);
	if (long.length === 0) {
		return mails;
	}
	const subjects = subjectsText(long.map(({ subject }) => subject));
	const isWrapped = await choose(vscode.l10n.t('Choose what becomes of long lines in {0}', subjects), [
		{
			label: vscode.l10n.t('Wrap Long Lines'),
			detail: vscode.l10n.t('Wraps prose at 72 characters. Quotations, code and diffs stay as they are.'),
			iconPath: new vscode.ThemeIcon('word-wrap'),
			value: true,
		},
		{
			label: vscode.l10n.t('Send As It Is'),
			detail: vscode.l10n.t('Changes nothing.'),
			iconPath: new vscode.ThemeIcon('mail'),
			value: false,
		},
	]);
	return isWrapped ? wrapped : mails;
}
