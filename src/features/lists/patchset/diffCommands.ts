import * as vscode from 'vscode';
import { choose, type Choice } from '../../../editor/ask/ask.ts';
import type { CommandTable } from '../../../editor/commands/feature.ts';
import { tellBriefly } from '../../../editor/ask/notify.ts';
import { withProgress } from '../../../editor/ask/progress.ts';
import { connectionOf } from '../../../editor/commands/subjects.ts';
import type { PatchsetRef } from '../../../forge/list.ts';
import type { SeriesReading } from '../../../series/seriesReading.ts';
import type { Connection } from '../../../state/connection.ts';
import { visibleLine } from '../../../text/visible.ts';
import { patchMeant, patchsetMeant } from '../subjects/listsMeant.ts';
import type { ListsParts } from '../parts/listsParts.ts';
import {
	listsSubject,
	namedPatchFile,
	type ListsSubject,
	type MailSubject,
	type NamedPatchFile,
	type PatchFileSubject,
	type PatchsetSubject,
	subjectOfPatchPlace,
} from '../subjects/subjects.ts';
import { lineAt } from '../../../patchDocuments/fileWords.ts';
import {
	comparedFiles,
	fileOpening,
	rawUri,
	type ComparedFile,
	type PlacedPatch,
} from '../../../patchDocuments/patchDiffs.ts';
import { placeOfDocument } from '../../../patchDocuments/patchUri.ts';

/** The editor draws each of them when it comes into view, but it wants to know of all of them at once. */
const mostFiles = 2000;

/** The commands that show what patches change. */
export function diffCommands(parts: ListsParts): CommandTable {
	return {
		'forge.patchsets.openDiff': async (subject, signal) => {
			const named = namedPatchFile(subject);
			if (named) {
				return openNamedFile(parts, named, signal);
			}
			const meant = givenSubject(subject);
			switch (meant?.kind) {
				case 'patchFile':
					return openFile(parts, meant, signal);
				case 'mail':
					return openPatch(parts, meant, signal);
				case 'patchset':
					return openSeries(parts, meant, signal);
				case 'list':
				case undefined:
					return askAndOpen(parts, meant, signal);
			}
		},
		'forge.patchsets.showRaw': async (subject, signal) =>
			showRaw(parts, await patchMeant(parts, givenSubject(subject) ?? subject, signal), signal),
	};
}

/** What a command was handed: the document of a patch that is in front stands for the patch. */
function givenSubject(subject: unknown): ListsSubject | undefined {
	const place = placeOfDocument(subject);
	return place ? subjectOfPatchPlace(place) : listsSubject(subject);
}

async function askAndOpen(parts: ListsParts, meant: ListsSubject | undefined, signal: AbortSignal): Promise<void> {
	const patchset = await patchsetMeant(parts, meant, signal);
	const { patches } = await seriesOf(connectionOf(parts.connections, patchset), patchset.ref, signal);
	const whole: Choice<MailSubject | PatchsetSubject> = {
		label: vscode.l10n.t('All files of the series'),
		iconPath: new vscode.ThemeIcon('diff-multiple'),
		value: patchset,
	};
	const each = patches.map(({ mail, patch, index }): Choice<MailSubject | PatchsetSubject> => ({
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
	const chosen = each.length > 1 ? await choose(title, [whole, ...each]) : patchset;
	await (chosen.kind === 'mail' ? openPatch(parts, chosen, signal) : openSeries(parts, chosen, signal));
}

async function openFile(parts: ListsParts, subject: PatchFileSubject, signal: AbortSignal): Promise<void> {
	const { connectionKey, list, patchsetId, mailId, fileIndex } = subject;
	const connection = connectionOf(parts.connections, subject);
	const { patch } = await withProgress(vscode.l10n.t('Opening the patch…'), signal, (working) =>
		connection.texts.readPatch(mailId, working),
	);
	const number = numberOf(connection, { list, id: patchsetId }, mailId);
	const placed = patch && { connectionKey, list, patchsetId, mailId, patch, number };
	const found = placed && fileOpening(placed, fileIndex);
	switch (found?.kind) {
		case 'sides':
			await vscode.commands.executeCommand('vscode.diff', found.before, found.after, found.title, { preview: true });
			return;
		case 'document':
			await vscode.commands.executeCommand('vscode.open', found.uri, { preview: true }, found.title);
			return;
		case undefined:
			return tellNoFile();
	}
}

function tellNoFile(): void {
	tellBriefly(vscode.l10n.t('This file is not in the patch.'));
}

async function openNamedFile(parts: ListsParts, { path, ...file }: NamedPatchFile, signal: AbortSignal): Promise<void> {
	const connection = connectionOf(parts.connections, file);
	const { patch } = await withProgress(vscode.l10n.t('Opening the patch…'), signal, (working) =>
		connection.texts.readPatch(file.mailId, working),
	);
	const fileIndex = patch?.diff.files.findIndex(({ oldPath, newPath }) => (newPath ?? oldPath) === path) ?? -1;
	await (fileIndex === -1 ? tellNoFile() : openFile(parts, { ...file, fileIndex }, signal));
}

/** `2/4` within the series, as far as it is known. */
function numberOf({ standings }: Connection, ref: PatchsetRef, mailId: number): string {
	const series = standings.known(ref)?.series;
	const index = series?.patches.find(({ mail }) => mail.id === mailId)?.index;
	return index === undefined || (series?.count ?? 0) <= 1 ? '' : `${index}/${series?.count ?? 0}`;
}

async function openPatch(parts: ListsParts, subject: MailSubject, signal: AbortSignal): Promise<void> {
	const { connectionKey, list, id: mailId } = subject;
	const connection = connectionOf(parts.connections, subject);
	const { patch, subject: title } = await withProgress(vscode.l10n.t('Opening the patch…'), signal, (working) =>
		connection.texts.readPatch(mailId, working),
	);
	const patchsetId = connection.lists.knownMail(mailId)?.patchsetId;
	if (!patch || patch.diff.files.length === 0) {
		return showRaw(parts, subject, signal);
	}
	if (patch.diff.files.length === 1 && patchsetId !== undefined) {
		const file: PatchFileSubject = { kind: 'patchFile', connectionKey, list, patchsetId, mailId, fileIndex: 0 };
		return openFile(parts, file, signal);
	}
	const number = patchsetId === undefined ? '' : numberOf(connection, { list, id: patchsetId }, mailId);
	const files = comparedFiles({ connectionKey, list, patchsetId, mailId, patch, number: '' });
	await openMany(titleOfMany([number, visibleLine(patch.subject === '' ? title : patch.subject)]), files);
}

async function openSeries(parts: ListsParts, subject: PatchsetSubject, signal: AbortSignal): Promise<void> {
	const { connectionKey, ref } = subject;
	const connection = connectionOf(parts.connections, subject);
	const series = await seriesOf(connection, ref, signal);
	const files = series.patches.flatMap(({ mail, patch, index }): readonly ComparedFile[] => {
		const number = series.count > 1 ? `${index}/${series.count}` : '';
		const placed: PlacedPatch = {
			connectionKey,
			list: ref.list,
			patchsetId: ref.id,
			mailId: mail.id,
			patch,
			number,
		};
		return comparedFiles(placed);
	});
	if (files.length === 0) {
		tellBriefly(vscode.l10n.t('No patch of this series contains a diff.'));
		return;
	}
	const known = connection.lists.knownPatchset(ref) ?? (await connection.lists.patchset(ref, signal));
	await openMany(titleOfMany([`v${known.version}`, visibleLine(known.subject)]), files);
}

function seriesOf({ standings }: Connection, ref: PatchsetRef, signal: AbortSignal): Promise<SeriesReading> {
	return withProgress(vscode.l10n.t('Loading the series…'), signal, async (working) => {
		const standing = standings.known(ref) ?? (await standings.read(ref, working));
		return standing.series;
	});
}

function titleOfMany(words: readonly string[]): string {
	return vscode.l10n.t('{0} (only what the patches show)', words.filter((word) => word !== '').join(' '));
}

async function openMany(title: string, files: readonly ComparedFile[]): Promise<void> {
	if (files.length > mostFiles) {
		tellBriefly(vscode.l10n.t('Only the first {0} of {1} files are shown.', mostFiles, files.length));
	}
	await vscode.commands.executeCommand('vscode.changes', title, files.slice(0, mostFiles));
}

/** The text that a patch stands in, at the file that is meant. */
async function showRaw(parts: ListsParts, subject: MailSubject | PatchFileSubject, signal: AbortSignal): Promise<void> {
	const { connectionKey, list } = subject;
	const mailId = subject.kind === 'mail' ? subject.id : subject.mailId;
	const connection = connectionOf(parts.connections, subject);
	const { patch, subject: title } = await withProgress(vscode.l10n.t('Opening the patch…'), signal, (working) =>
		connection.texts.readPatch(mailId, working),
	);
	const patchsetId = subject.kind === 'patchFile' ? subject.patchsetId : connection.lists.knownMail(mailId)?.patchsetId;
	const document = await vscode.workspace.openTextDocument(rawUri({ connectionKey, list, patchsetId, mailId }, title));
	const file = subject.kind === 'patchFile' ? patch?.diff.files[subject.fileIndex] : undefined;
	const line = patch && file ? lineAt(patch.diffText, file.damage[0]?.at ?? file.start) - 1 : 0;
	await vscode.window.showTextDocument(document, { preview: true, selection: new vscode.Range(line, 0, line, 0) });
}
