import * as vscode from 'vscode';
import { cancelled } from '../../../editor/ask/ask.ts';
import { notify } from '../../../editor/ask/notify.ts';
import { withProgress } from '../../../editor/ask/progress.ts';
import { copyText } from '../../../editor/ask/copyText.ts';
import { connectionOf } from '../../../editor/commands/subjects.ts';
import type { MailingList, Patchset } from '../../../forge/list.ts';
import { amCommand, areBare } from '../../../series/amCommand.ts';
import type { SeriesPatch } from '../../../series/seriesReading.ts';
import type { Connections } from '../../../state/connection.ts';
import { safeFileName } from '../../../text/fileName.ts';
import { slug } from '../../../text/slug.ts';
import { visibleLine } from '../../../text/visible.ts';
import { askTrailers } from '../apply/askTrailers.ts';
import { askInDoubt, askUnread, askWithoutTrailers, missingPatches, seriesMailbox } from '../apply/seriesMailbox.ts';
import type { ListsParts } from '../parts/listsParts.ts';
import type { MailSubject, PatchsetSubject } from '../subjects/subjects.ts';
import { patchsetWebLink } from '../subjects/webLink.ts';

/*
 * Taking a patchset out of the editor: as a mailbox, as the command that applies it, by the names of its mails.
 */

/** Asks for a place and writes the patches there as a mailbox that `git am` takes. */
export async function saveMbox(
	{ connections, clock }: Pick<ListsParts, 'connections' | 'clock'>,
	subject: PatchsetSubject,
	signal: AbortSignal,
): Promise<void> {
	const connection = connectionOf(connections, subject);
	const patchset = await connection.lists.patchset(subject.ref, signal);
	const place = await vscode.window.showSaveDialog({
		title: vscode.l10n.t('Save v{0} of "{1}"', patchset.version, visibleLine(patchset.subject)),
		defaultUri: suggestedPlace(patchset),
		filters: { [vscode.l10n.t('Mailbox')]: ['mbox'] },
	});
	if (!place) {
		throw cancelled();
	}
	const loading = vscode.l10n.t('Loading patches…');
	const review = await withProgress(loading, signal, (working) => connection.reviews.read(subject.ref, working));
	const missing = missingPatches(review);
	await askUnread(review, vscode.l10n.t('Save'));
	await askInDoubt(review.series, vscode.l10n.t('Save'));
	const choice = { patches: review.series.patches, trailers: await askTrailers(review, clock.nowMs()) };
	const made = await withProgress(loading, signal, (working) => seriesMailbox(connection, choice, working));
	await askWithoutTrailers(made.withoutTrailers, vscode.l10n.t('Save'));
	await vscode.workspace.fs.writeFile(place, made.bytes);
	void tellSaved(place, missing, optionsOf(choice.patches));
}

function suggestedPlace({ subject, version }: Patchset): vscode.Uri {
	const name = safeFileName(`v${version}-${slug(subject) || 'patchset'}.mbox`, 'patchset.mbox');
	const [folder] = vscode.workspace.workspaceFolders ?? [];
	return folder ? vscode.Uri.joinPath(folder.uri, name) : vscode.Uri.file(name);
}

/** Not awaited by the command: a notice that nobody closes must not keep it from ending. */
async function tellSaved(place: vscode.Uri, missing: number, options: string): Promise<void> {
	const name = visibleLine(vscode.workspace.asRelativePath(place));
	const command = amFileCommand(place, options);
	const copy = vscode.l10n.t('Copy git am Command');
	const actions = command === undefined ? [] : [copy];
	const text =
		missing === 0 ? vscode.l10n.t('Saved {0}', name) : vscode.l10n.t('Saved {0}. Missing patches: {1}.', name, missing);
	const chosen = await notify(missing === 0 ? 'information' : 'warning', text, ...actions);
	if (command !== undefined && chosen === copy) {
		await copyText(command);
	}
}

/** Options of `git am`. */
function optionsOf(patches: readonly SeriesPatch[]): string {
	return areBare(patches) ? '-3 -p0' : '-3';
}

/** The command that applies a file in a shell; `undefined` where git finds no file, or shells disagree about its name. */
function amFileCommand({ scheme, fsPath }: vscode.Uri, options: string): string | undefined {
	if (scheme !== 'file') {
		return undefined;
	}
	if (fsPath.startsWith('/')) {
		return `git am ${options} '${fsPath.replaceAll("'", String.raw`'\''`)}'`;
	}
	// On Windows: PowerShell takes curly quotes for quotes, too, and doubles them where others do not. Git takes slashes.
	return /['\u2018-\u201B]/.test(fsPath) ? undefined : `git am ${options} '${fsPath.replaceAll('\\', '/')}'`;
}

/** Copies the command that applies a patchset in a shell. */
export async function copyAmCommand(
	connections: Connections,
	subject: PatchsetSubject,
	signal: AbortSignal,
): Promise<void> {
	const { instance, lists, reviews } = connectionOf(connections, subject);
	const list = await lists.list(subject.ref.list, signal);
	if (isForMembers(list)) {
		return void tellOfMembers(subject);
	}
	const { series } = await withProgress(vscode.l10n.t('Loading patches…'), signal, (working) =>
		reviews.read(subject.ref, working),
	);
	await askInDoubt(series, vscode.l10n.t('Copy'));
	const command = amCommand(`${patchsetWebLink(instance, subject.ref)}/mbox`, optionsOf(series.patches));
	if (command === undefined) {
		void notify('error', vscode.l10n.t('The address of this forge is not safe to use in a shell command.'));
		return;
	}
	await copyText(command);
}

/** Where only some may read, a command without an account gets nothing. */
function isForMembers({ permissions }: MailingList): boolean {
	const words = permissions?.nonsubscriber;
	return words !== undefined && !words.includes('browse') && !words.includes('normal');
}

async function tellOfMembers(subject: PatchsetSubject): Promise<void> {
	const save = vscode.l10n.t('Save as .mbox…');
	const text = vscode.l10n.t(
		'This list is not public, so a command cannot download from its web address. Save the patchset and apply the file.',
	);
	if ((await notify('information', text, save)) === save) {
		await vscode.commands.executeCommand('forge.patchsets.save', subject);
	}
}

/** Copies the Message-ID of each mail, one on a line. */
export async function copyMessageIds(
	connections: Connections,
	mails: readonly MailSubject[],
	signal: AbortSignal,
): Promise<void> {
	const ids = await Promise.all(
		mails.map(
			async (mail) => mail.messageId ?? (await connectionOf(connections, mail).lists.mail(mail.id, signal)).messageId,
		),
	);
	await copyText(ids.map(bareId).join('\n'));
}

/** Servers hand out what senders wrote: a break would begin another line, and what nobody sees would be pasted, too. */
function bareId(messageId: string): string {
	return messageId.replaceAll(/[\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]/gu, '');
}
