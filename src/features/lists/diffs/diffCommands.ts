import * as vscode from 'vscode';
import { choose, type Choice } from '../../../editor/ask/ask.ts';
import type { CommandTable } from '../../../editor/commands/feature.ts';
import { connectionOf } from '../../../editor/commands/subjects.ts';
import type { HowFar } from '../../../state/wholeFiles/fileFinder.ts';
import { visibleLine } from '../../../text/visible.ts';
import { lineAt } from '../../../patchDocuments/fileWords.ts';
import { rawUri } from '../../../patchDocuments/patchDiffs.ts';
import { placeOfDocument } from '../../../patchDocuments/patchUri.ts';
import { documentInFront, givenSubject, subjectOrInFront } from '../subjects/givenSubject.ts';
import { patchTarget, patchsetTarget } from '../subjects/listTargets.ts';
import type { ListsParts } from '../parts/listsParts.ts';
import {
	namedPatchFile,
	type ListsSubject,
	type MailSubject,
	type NamedPatchFile,
	type PatchFileSubject,
	type PatchsetSubject,
} from '../subjects/subjects.ts';
import { chooseRepository } from './chooseRepository.ts';
import {
	openFile,
	openPatch,
	openSeries,
	readPatch,
	readSeries,
	tellNoFile,
	type OpenDiffsParts,
} from './openDiffs.ts';

/** The commands that show what patches change. */
export function diffCommands(opener: OpenDiffsParts): CommandTable {
	const { parts } = opener;
	return {
		'forge.patchsets.openDiff': async (subject, signal) => {
			const named = namedPatchFile(subject);
			await (named ? openNamedFile(opener, named, signal) : openAny(opener, givenSubject(subject), 'first', signal));
		},
		'forge.patchsets.openCombined': async (subject, signal) => {
			const patchset = await patchsetTarget(parts, subject, signal);
			await openSeries(opener, patchset, { far: 'first', isCombined: true }, signal);
		},
		'forge.patchsets.searchOlder': async (subject, signal) => {
			const meant = subjectOrInFront(parts.pages, subject);
			await openAny(opener, meant ?? (await patchTarget(parts, subject, signal)), 'further', signal);
		},
		'forge.patchsets.chooseRepository': async (subject, signal) => {
			const meant = subjectOrInFront(parts.pages, subject);
			await chooseRepository(parts, meant, signal);
			if (meant && placeOfDocument(subject ?? documentInFront())) {
				await openAny(opener, meant, 'first', signal);
			}
		},
		'forge.patchsets.showRaw': async (subject, signal) =>
			showRaw(parts, await patchTarget(parts, subject, signal), signal),
	};
}

async function openAny(
	opener: OpenDiffsParts,
	meant: ListsSubject | undefined,
	how: HowFar,
	signal: AbortSignal,
): Promise<void> {
	switch (meant?.kind) {
		case 'patchFile':
			return openFile(opener, meant, how, signal);
		case 'mail':
			return openMail(opener, meant, how, signal);
		case 'patchset':
			return openSeries(opener, meant, { far: how, isCombined: false }, signal);
		case 'list':
		case undefined:
			return askAndOpen(opener, meant, how, signal);
	}
}

async function openMail(opener: OpenDiffsParts, subject: MailSubject, how: HowFar, signal: AbortSignal): Promise<void> {
	if (!(await openPatch(opener, subject, how, signal))) {
		await showRaw(opener.parts, subject, signal);
	}
}

async function askAndOpen(
	opener: OpenDiffsParts,
	meant: ListsSubject | undefined,
	how: HowFar,
	signal: AbortSignal,
): Promise<void> {
	const { parts } = opener;
	const patchset = await patchsetTarget(parts, meant, signal);
	const { patches } = await readSeries(connectionOf(parts.connections, patchset), patchset, signal);
	const whole: readonly Choice<MailSubject | PatchsetSubject | 'combined'>[] = [
		{
			label: vscode.l10n.t('All files of the series'),
			iconPath: new vscode.ThemeIcon('diff-multiple'),
			value: patchset,
		},
		{
			label: vscode.l10n.t('All patches combined'),
			iconPath: new vscode.ThemeIcon('combine'),
			value: 'combined',
		},
	];
	const each = patches.map(({ mail, patch, index }): Choice<MailSubject> => ({
		label: `${index} ${visibleLine(patch.subject)}`,
		description: `+${patch.diff.added} \u2212${patch.diff.removed}`,
		iconPath: new vscode.ThemeIcon('diff'),
		value: {
			kind: 'mail',
			connectionKey: patchset.connectionKey,
			list: patchset.ref.list,
			id: mail.id,
			messageId: mail.messageId,
		},
	}));
	const title = vscode.l10n.t('Choose what to compare');
	const chosen = each.length > 1 ? await choose(title, [...whole, ...each]) : patchset;
	if (chosen === 'combined') {
		await openSeries(opener, patchset, { far: how, isCombined: true }, signal);
	} else {
		await openAny(opener, chosen, how, signal);
	}
}

async function openNamedFile(
	opener: OpenDiffsParts,
	{ path, ...file }: NamedPatchFile,
	signal: AbortSignal,
): Promise<void> {
	const { patch } = await readPatch(connectionOf(opener.parts.connections, file), file, signal);
	const fileIndex = patch?.diff.files.findIndex(({ oldPath, newPath }) => (newPath ?? oldPath) === path) ?? -1;
	if (fileIndex === -1) {
		tellNoFile();
	} else {
		await openFile(opener, { ...file, fileIndex }, 'first', signal);
	}
}

/** Raw text of a patch, scrolled to the file. */
async function showRaw(parts: ListsParts, subject: MailSubject | PatchFileSubject, signal: AbortSignal): Promise<void> {
	const { connectionKey, list } = subject;
	const mailId = subject.kind === 'mail' ? subject.id : subject.mailId;
	const connection = connectionOf(parts.connections, subject);
	const { patch, subject: title } = await readPatch(connection, { list, patchsetId: undefined, mailId }, signal);
	const patchsetId = subject.kind === 'patchFile' ? subject.patchsetId : connection.lists.knownMail(mailId)?.patchsetId;
	const document = await vscode.workspace.openTextDocument(rawUri({ connectionKey, list, patchsetId, mailId }, title));
	const file = subject.kind === 'patchFile' ? patch?.diff.files[subject.fileIndex] : undefined;
	const line = patch && file ? lineAt(patch.diffText, file.damage[0]?.at ?? file.start) - 1 : 0;
	await vscode.window.showTextDocument(document, { preview: true, selection: new vscode.Range(line, 0, line, 0) });
}
