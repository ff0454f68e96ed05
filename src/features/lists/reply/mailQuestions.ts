import * as vscode from 'vscode';
import { askFor, cancelled, choose, confirmOrCancel } from '../../../editor/ask/ask.ts';
import type { ListRef } from '../../../forge/port/list.ts';
import type { OutgoingMail } from '../../../engine/mail/outgoingMail.ts';
import { isSendable } from '../../../engine/mail/writtenAddress.ts';
import type { PostingAddress } from '../../../engine/review/replyPeople.ts';
import { bodyWrapped } from '../../../engine/review/replyProse.ts';
import { parseDiff } from '../../../engine/patch/parseDiff.ts';
import type { Connection } from '../../../store/connection.ts';
import { subjectsText } from './sendWords.ts';

/** The known address, or the one that the user confirms, which is stored. */
export async function sureAddress({ listChoices }: Connection, ref: ListRef, known: PostingAddress | undefined) {
	if (known?.isSure === true) {
		return known.address;
	}
	const confirmed = await askAddress(ref, known?.address);
	await listChoices.keepPosting(ref, confirmed);
	return confirmed;
}

function askAddress({ owner, name }: ListRef, likely: string | undefined): Promise<string> {
	return askFor({
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
