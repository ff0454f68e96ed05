import * as vscode from 'vscode';
import { openUri } from '../../../editor/documents/showDocument.ts';
import { cancelled } from '../../../editor/ask/ask.ts';
import { notify } from '../../../editor/ask/notify.ts';
import { copiesAndText, mailFile, mailLink, mailText, type OutgoingMail } from 'patchmail/mail/outgoingMail.ts';
import { mailsText } from './sendWords.ts';

/** How the person sends mails with another program. */
export type HandOver = 'file' | 'copy' | 'link';

/** Throws `cancelled()`, after a message, if drafts or typed text changed in any window since the mails were made. */
export function stopIfStale(isStale: () => boolean): void {
	if (isStale()) {
		void notify(
			'warning',
			vscode.l10n.t(
				'This was changed or sent since it was prepared, perhaps in another window, so nothing was sent now. Check it, then send again.',
			),
		);
		throw cancelled();
	}
}

/**
 * Hands mails over to the user. Throws `cancelled()` after a cancel, or if a draft changed since the rendering, even
 * during a dialog. Returns a text about the result.
 */
export async function handOver(way: HandOver, mails: readonly OutgoingMail[], nowMs: number, isStale: () => boolean) {
	switch (way) {
		case 'file': {
			const files = mails.length === 1 ? await placeOfOne(mails) : await placesOfAll(mails);
			stopIfStale(isStale);
			for (const [at, { place, mail }] of files.entries()) {
				// One second apart, and none in the future, like git.
				const atMs = nowMs - 1000 * (files.length - 1 - at);
				await vscode.workspace.fs.writeFile(place, new TextEncoder().encode(mailFile(mail, atMs)));
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

/** A mail too long for a link goes to the clipboard. */
async function openLink(mails: readonly OutgoingMail[]): Promise<string> {
	const [mail] = mails;
	const { link, isWhole, hasCopies } = mail ? mailLink(mail) : { link: '', isWhole: true, hasCopies: true };
	if (mail && !isWhole) {
		await vscode.env.clipboard.writeText(hasCopies ? mail.body : copiesAndText(mail));
	}
	// As a text: the editor would decode an address, and the first & of the body would end it.
	await openUri(link);
	if (!hasCopies) {
		return vscode.l10n.t(
			'Opened in your email program. The text and the email addresses in Cc were too long for it: paste them from the clipboard.',
		);
	}
	return isWhole
		? vscode.l10n.t('Opened in your email program.')
		: vscode.l10n.t('Opened in your email program. The text was too long for it: paste it from the clipboard.');
}
