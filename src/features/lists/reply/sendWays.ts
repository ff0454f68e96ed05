import * as vscode from 'vscode';
import { cancelled, choose, type Choice } from '../../../editor/ask/ask.ts';
import { confirm } from '../../../editor/ask/notify.ts';
import { copiesAndText, mailFile, mailLink, mailText, type OutgoingMail } from '../../../engine/mail/outgoingMail.ts';
import { parseDiff } from '../../../engine/patch/parseDiff.ts';
import { bodyWrapped } from '../../../engine/review/replyProse.ts';
import type { Mailer } from '../parts/listsParts.ts';
import { stopIfStale } from './sendInTurn.ts';
import { mailsText, recipientsText, subjectsText } from './sendWords.ts';

/** How mails leave the editor; all but `git` only hand them over to the person. */
export type SendWay = 'git' | HandOver;
export type HandOver = 'file' | 'copy' | 'link';

/**
 * Asks for the sending method. Omits impossible ones and warns about ones that may damage mails: line wrapping is
 * harmless to prose and breaks patches.
 */
export async function askWay(
	mailer: Mailer,
	mails: readonly OutgoingMail[],
	kind: 'prose' | 'patches',
): Promise<SendWay> {
	const warned =
		kind === 'patches'
			? { detail: vscode.l10n.t('Email programs may wrap lines or change tabs. The patch does not apply then.') }
			: {};
	const ways: readonly (Choice<SendWay> | undefined)[] = [
		mailer.isTrusted()
			? {
					label: vscode.l10n.t('Send with git send-email'),
					detail: vscode.l10n.t('To {0}', recipientsText(mails)),
					iconPath: new vscode.ThemeIcon('send'),
					value: 'git',
				}
			: undefined,
		mails.length === 1
			? {
					label: vscode.l10n.t('Open in Email Program'),
					...warned,
					iconPath: new vscode.ThemeIcon('mail'),
					value: 'link',
				}
			: undefined,
		{
			label: mails.length === 1 ? vscode.l10n.t('Save as .eml File…') : vscode.l10n.t('Save as .eml Files…'),
			iconPath: new vscode.ThemeIcon('save'),
			value: 'file',
		},
		{ label: vscode.l10n.t('Copy Text'), ...warned, iconPath: new vscode.ThemeIcon('copy'), value: 'copy' },
	];
	return choose(
		vscode.l10n.t('How to send {0}', mailsText(mails.length)),
		ways.flatMap((way) => way ?? []),
	);
}

/**
 * Hands mails over to the user. Throws `cancelled()` after a cancel, or if a draft changed since the rendering, even
 * during a dialog. Returns a text about the result.
 */
export async function handOver(
	way: HandOver,
	mails: readonly OutgoingMail[],
	nowMs: number,
	isStale: () => boolean,
): Promise<string> {
	switch (way) {
		case 'file': {
			const files = mails.length === 1 ? await placeOfOne(mails) : await placesOfAll(mails);
			stopIfStale(isStale);
			for (const { place, mail } of files) {
				await vscode.workspace.fs.writeFile(place, bytesOf(mail, nowMs));
			}
			return vscode.l10n.t('Saved {0}.', mailsText(mails.length));
		}
		case 'copy':
			stopIfStale(isStale);
			await vscode.env.clipboard.writeText(mails.map(mailText).join('\n\n'));
			return vscode.l10n.t('Copied {0}.', mailsText(mails.length));
		case 'link':
			stopIfStale(isStale);
			return openLink(mails);
	}
}

async function placeOfOne(mails: readonly OutgoingMail[]) {
	const folder = openFolder();
	const place = await vscode.window.showSaveDialog({
		title: vscode.l10n.t('Save Message'),
		...(folder ? { defaultUri: vscode.Uri.joinPath(folder, 'reply.eml') } : {}),
		filters: { [vscode.l10n.t('Message')]: ['eml'] },
	});
	if (!place) {
		throw cancelled();
	}
	return mails.map((mail) => ({ place, mail }));
}

async function placesOfAll(mails: readonly OutgoingMail[]) {
	const open = openFolder();
	const [folder] =
		(await vscode.window.showOpenDialog({
			title: vscode.l10n.t('Save Messages to Folder'),
			openLabel: vscode.l10n.t('Save'),
			canSelectFiles: false,
			canSelectFolders: true,
			canSelectMany: false,
			...(open ? { defaultUri: open } : {}),
		})) ?? [];
	if (!folder) {
		throw cancelled();
	}
	return mails.map((mail, at) => {
		const words = mail.subject.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');
		const name = `${String(at + 1).padStart(4, '0')}-${words.replaceAll(/^-|-$/g, '').slice(0, 60)}.eml`;
		return { place: vscode.Uri.joinPath(folder, name), mail };
	});
}

function openFolder(): vscode.Uri | undefined {
	return vscode.workspace.workspaceFolders?.[0]?.uri;
}

function bytesOf(mail: OutgoingMail, nowMs: number): Uint8Array {
	return new TextEncoder().encode(mailFile(mail, nowMs));
}

/** A mail too long for a link goes to the clipboard. */
async function openLink(mails: readonly OutgoingMail[]): Promise<string> {
	const [mail] = mails;
	const { link, isWhole, hasCopies } = mail ? mailLink(mail) : { link: '', isWhole: true, hasCopies: true };
	if (mail && !isWhole) {
		await vscode.env.clipboard.writeText(hasCopies ? mail.body : copiesAndText(mail));
	}
	// As a text: the editor would decode an address, and the first & of the body would end it.
	await vscode.commands.executeCommand('vscode.open', link);
	if (!hasCopies) {
		return vscode.l10n.t(
			'Opened in your email program. The text and the email addresses in Cc were too long for it: paste them from the clipboard.',
		);
	}
	return isWhole
		? vscode.l10n.t('Opened in your email program.')
		: vscode.l10n.t('Opened in your email program. The text was too long for it: paste it from the clipboard.');
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
	if (!(await confirm(question, detail, vscode.l10n.t('Send Anyway')))) {
		throw cancelled();
	}
}

/** Warns that a cover letter looks like a patch. Throws `cancelled()` on "no". */
export async function confirmPatchInCover(): Promise<void> {
	const why = vscode.l10n.t(
		'Git and the forge take such a cover letter for a patch of the series. To keep it a cover letter, cancel and put "> " or spaces before each line of the diff.',
	);
	const question = vscode.l10n.t('Send a cover letter with a patch that is not quoted?');
	if (!(await confirm(question, why, vscode.l10n.t('Send Anyway')))) {
		throw cancelled();
	}
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
