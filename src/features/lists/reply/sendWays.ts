import * as vscode from 'vscode';
import { cancelled, choose, type Choice } from '../../../editor/ask/ask.ts';
import { askForProgram } from '../../../editor/ask/askForProgram.ts';
import type { AskPerson } from '../../../machine/git/askPass.ts';
import { copiesAndText, mailFile, mailLink, mailText, type OutgoingMail } from '../../../engine/mail/outgoingMail.ts';
import type { Mailer } from '../parts/listsParts.ts';
import { mailsText, recipientsText } from './sendWords.ts';
import { stopWhereChanged, type Standing } from './standing.ts';

/** How mails leave the editor; all but `git` only hand them over to the person. */
export type SendWay = 'git' | HandOver;
export type HandOver = 'file' | 'copy' | 'link';

/** Kind of mail: line wrapping is harmless to prose and breaks patches. */
export type MailsKind = 'prose' | 'patches';

/** Asks for the sending method. Omits impossible ones and warns about ones that may damage mails. */
export async function askWay(
	mailer: Pick<Mailer, 'isTrusted'>,
	mails: readonly OutgoingMail[],
	kind: MailsKind,
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

export interface HandingOver {
	readonly nowMs: number;
	readonly standing: Standing;
}

/**
 * Hands mails over to the user. Throws `cancelled()` after a cancel, or if a draft changed since the rendering, even
 * during a dialog. Returns a text about the result.
 */
export async function handOver(
	way: HandOver,
	mails: readonly OutgoingMail[],
	{ nowMs, standing }: HandingOver,
): Promise<string> {
	switch (way) {
		case 'file': {
			const files = mails.length === 1 ? await placeOfOne(mails) : await placesOfAll(mails);
			stopWhereChanged(standing);
			for (const { place, mail } of files) {
				await vscode.workspace.fs.writeFile(place, bytesOf(mail, nowMs));
			}
			return vscode.l10n.t('Saved {0}.', mailsText(mails.length));
		}
		case 'copy':
			stopWhereChanged(standing);
			await vscode.env.clipboard.writeText(mails.map(mailText).join('\n\n'));
			return vscode.l10n.t('Copied {0}.', mailsText(mails.length));
		case 'link':
			stopWhereChanged(standing);
			return openLink(mails);
	}
}

interface PlacedMail {
	readonly place: vscode.Uri;
	readonly mail: OutgoingMail;
}

async function placeOfOne(mails: readonly OutgoingMail[]): Promise<readonly PlacedMail[]> {
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

async function placesOfAll(mails: readonly OutgoingMail[]): Promise<readonly PlacedMail[]> {
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

/** A question of git, in a box of the editor. */
export const askInBox: AskPerson = (question, signal) =>
	askForProgram(vscode.l10n.t('Sending Message'), question, signal);
