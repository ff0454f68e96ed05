import * as vscode from 'vscode';
import type { Clock } from '../../base/clock.ts';
import type { TreeNode } from '../../editor/treeNode.ts';
import { untrustedMarkdown } from '../../editor/untrustedMarkdown.ts';
import { listRefText, type Patchset, type PatchsetRef } from '../../forge/list.ts';
import { patchSubject } from '../../forge/patchSubject.ts';
import type { StatedChanges } from '../../forge/statedChanges.ts';
import type { Connection } from '../../state/connection.ts';
import type { MailGlance } from '../../state/listMails.ts';
import { fullTime, shortAge, spokenAge } from '../../text/age.ts';
import { escapeMarkdown } from '../../text/escapeMarkdown.ts';
import { visibleLine } from '../../text/visible.ts';
import type { Children } from './listRows.ts';
import { openCommand } from './mailRows.ts';
import type { MailSubject, PatchsetSubject } from './subjects.ts';
import { nameOfSender, statusLook } from './words.ts';
import { extraParagraphs } from '../../text/extraFields.ts';

export interface PatchsetRowParts {
	readonly connection: Connection;
	readonly ref: PatchsetRef;
	readonly patchset: Patchset;
	readonly parent: TreeNode;
	readonly children: Children;
	readonly clock: Clock;
}

/** Row of a patchset: what it is called, its state as a picture, and what helps to choose it. */
export function patchsetRow({ connection, ref, patchset, parent, children, clock }: PatchsetRowParts): TreeNode {
	const { codicon, color } = statusLook(patchset.status);
	const item = new vscode.TreeItem(titleOf(patchset), vscode.TreeItemCollapsibleState.Collapsed);
	const patches = connection.lists.knownSeries(ref)?.patches.length;
	item.description = [
		`v${patchset.version}`,
		...(patches === undefined ? [] : [patchesText(patches)]),
		...submitterOf(patchset),
		shortAge(patchset.createdMs, clock.nowMs(), vscode.env.language),
	].join(' · ');
	item.iconPath = new vscode.ThemeIcon(codicon, color === undefined ? undefined : new vscode.ThemeColor(color));
	item.contextValue = 'forge.patchset';
	item.accessibilityInformation = { label: spokenPatchset(patchset, clock.nowMs()) };
	const subject: PatchsetSubject = { kind: 'patchset', connectionKey: connection.key, ref };
	return {
		id: `${parent.id}/${ref.id}`,
		item,
		parent,
		children,
		subject,
		tooltip: () => Promise.resolve(patchsetTooltip(patchset, ref)),
	};
}

function titleOf({ subject }: Patchset): string {
	const title = visibleLine(subject);
	return title === '' ? vscode.l10n.t('Patchset without subject') : title;
}

function patchesText(count: number): string {
	return count === 1 ? vscode.l10n.t('1 patch') : vscode.l10n.t('{0} patches', count);
}

function submitterOf({ submitter }: Patchset): readonly string[] {
	return submitter === undefined ? [] : [nameOfSender(submitter)];
}

function spokenPatchset(patchset: Patchset, nowMs: number): string {
	return [
		titleOf(patchset),
		statusLook(patchset.status).text,
		vscode.l10n.t('version {0}', patchset.version),
		...submitterOf(patchset).map((name) => vscode.l10n.t('by {0}', name)),
		spokenAge(patchset.createdMs, nowMs, vscode.env.language),
	].join(', ');
}

function patchsetTooltip(patchset: Patchset, ref: PatchsetRef): vscode.MarkdownString {
	const locale = vscode.env.language;
	const { prefix, version, status, submitter, supersededById } = patchset;
	return untrustedMarkdown([
		`**${escapeMarkdown(titleOf(patchset))}**`,
		...[
			statusLook(status).text,
			prefix === undefined || prefix === ''
				? vscode.l10n.t('Version {0}', version)
				: vscode.l10n.t('Version {0} for {1}', version, visibleLine(prefix)),
			submitter === undefined ? '' : vscode.l10n.t('Sent by {0}', visibleLine(submitter)),
			vscode.l10n.t('Sent on {0}', fullTime(patchset.createdMs, locale)),
			vscode.l10n.t('Updated on {0}', fullTime(patchset.updatedMs, locale)),
			supersededById === undefined ? '' : vscode.l10n.t('Superseded by patchset {0}', supersededById),
			visibleLine(listRefText(ref.list)),
		].map(escapeMarkdown),
		...extraParagraphs(patchset),
	]);
}

export interface PatchRowParts {
	readonly connection: Connection;
	readonly ref: PatchsetRef;
	readonly mail: MailGlance;
	readonly parent: TreeNode;
}

/** Row of a patch in its patchset, or of the cover letter. */
export function patchRow({ connection, ref, mail, parent }: PatchRowParts, isCover: boolean): TreeNode {
	const item = new vscode.TreeItem(patchTitle(mail), vscode.TreeItemCollapsibleState.None);
	const changes = mail.changes && changesText(mail.changes);
	item.description = isCover ? vscode.l10n.t('cover letter') : (changes ?? '');
	item.iconPath = new vscode.ThemeIcon(isCover ? 'mail' : 'diff');
	item.contextValue = isCover ? 'forge.mail.cover' : 'forge.mail.patch';
	item.accessibilityInformation = {
		label: [
			isCover ? vscode.l10n.t('Cover letter {0}', patchTitle(mail)) : vscode.l10n.t('Patch {0}', patchTitle(mail)),
			...(mail.changes ? [spokenChanges(mail.changes)] : []),
		].join(', '),
	};
	const subject: MailSubject = {
		kind: 'mail',
		connectionKey: connection.key,
		list: ref.list,
		id: mail.id,
		messageId: mail.messageId,
	};
	item.command = openCommand(subject);
	return { id: `${parent.id}/${mail.id}`, item, parent, subject, tooltip: () => Promise.resolve(patchTooltip(mail)) };
}

/** `2/3 Add foo`; a single patch goes by its subject alone. */
export function patchTitle(mail: MailGlance): string {
	const read = patchSubject(mail.subject);
	const subject = visibleLine(read?.subject ?? mail.subject);
	const title = read?.isNumbered === true ? `${read.index}/${read.count} ${subject}` : subject;
	return title === '' ? vscode.l10n.t('Mail without subject') : title;
}

function changesText({ files, insertions, deletions }: StatedChanges): string {
	return [
		`+${insertions} \u2212${deletions}`,
		files === 1 ? vscode.l10n.t('1 file') : vscode.l10n.t('{0} files', files),
	].join(' · ');
}

function spokenChanges({ files, insertions, deletions }: StatedChanges): string {
	return vscode.l10n.t('{0} lines added, {1} removed, files changed: {2}', insertions, deletions, files);
}

function patchTooltip(mail: MailGlance): vscode.MarkdownString {
	const locale = vscode.env.language;
	return untrustedMarkdown([
		`**${escapeMarkdown(visibleLine(mail.subject))}**`,
		...[
			mail.sender ? vscode.l10n.t('Sent by {0}', visibleLine(mail.sender.canonicalName)) : '',
			vscode.l10n.t('Received on {0}', fullTime(mail.createdMs, locale)),
			mail.changes ? vscode.l10n.t('The mail states: {0}', changesText(mail.changes)) : '',
			visibleLine(mail.messageId),
		].map(escapeMarkdown),
	]);
}
