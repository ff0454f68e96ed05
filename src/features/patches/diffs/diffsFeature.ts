import * as vscode from 'vscode';
import { showDocument } from '../../../editor/documents/showDocument.ts';
import { Disposables } from '@forge-desk/base/lifecycle.ts';
import { choose, type Choice } from '../../../editor/ask/ask.ts';
import { tellBriefly } from '../../../editor/ask/notify.ts';
import { withProgress } from '../../../editor/ask/progress.ts';
import type { CommandTable } from '../../../editor/commands/feature.ts';
import { connectionOf } from '../../../editor/commands/subjects.ts';
import { refText } from 'sourcehut/port/namedRef.ts';
import { patchSubject } from 'patchmail/series/patchSubject.ts';
import { lineAt } from '../../../editor/patchDocuments/fileWords.ts';
import { rawUri } from '../../../editor/patchDocuments/patchDiffs.ts';
import { patchFiles } from '../../../editor/patchDocuments/patchFiles.ts';
import { placeOfDocument } from '../../../editor/patchDocuments/patchUri.ts';
import type { Connection } from '../../../store/connection.ts';
import type { HowFar } from '../../../store/wholeFiles/fileFinder.ts';
import { visibleLine } from '../../../engine/text/visible.ts';
import type { ListsContext } from '../../lists/context/listsContext.ts';
import { documentInFront, givenSubject, subjectOrInFront } from '../../lists/subjects/givenSubject.ts';
import { patchTarget, patchsetTarget, listTarget } from '../../lists/subjects/listTargets.ts';
import {
	namedPatchFile,
	type ListsSubject,
	type MailSubject,
	type PatchFileSubject,
	type PatchsetSubject,
} from '../../lists/subjects/subjects.ts';
import { type DiffContext, openFile, openPatch, openSeries, readPatch, readSeries, tellNoFile } from './openDiffs.ts';
import { askPatchRepository, likelyRepositories } from './patchRepository.ts';
import { certainty } from './certainty.ts';
import { wholeSearch } from './wholeSearch.ts';

/** Patches as diffs of the editor. */
export function diffs(parts: ListsContext) {
	const owned = new Disposables();
	const files = owned.add(patchFiles(parts));
	const opener = {
		...parts,
		files,
		search: wholeSearch(parts),
		certainty: owned.add(certainty(files, parts.problems)),
	};
	return {
		/** Both sides of patched files, `forge-patch:`. */
		files,
		/** For other features that open patch diffs. */
		opener,
		commands: diffCommands(opener),
		dispose: () => owned.dispose(),
	};
}

function diffCommands(context: DiffContext): CommandTable {
	return {
		'forge.patchsets.openDiff': async (subject, signal) => {
			const named = namedPatchFile(subject);
			if (!named) {
				return openAny(context, givenSubject(subject), 'first', signal);
			}
			const { path, ...file } = named;
			const { patch } = await readPatch(connectionOf(context.connections, file), file, signal);
			const fileIndex = patch?.diff.files.findIndex(({ oldPath, newPath }) => (newPath ?? oldPath) === path) ?? -1;
			if (fileIndex === -1) {
				tellNoFile();
			} else {
				await openFile(context, { ...file, fileIndex }, 'first', signal);
			}
		},
		'forge.patchsets.openCombined': async (subject, signal) => {
			const patchset = await patchsetTarget(context, subject, signal);
			await openSeries(context, patchset, { far: 'first', isCombined: true }, signal);
		},
		'forge.patchsets.searchOlder': async (subject, signal) => {
			const meant = subjectOrInFront(context.pages, subject);
			await openAny(context, meant ?? (await patchTarget(context, subject, signal)), 'further', signal);
		},
		'forge.patchsets.chooseRepository': async (subject, signal) => {
			const meant = subjectOrInFront(context.pages, subject);
			await chooseRepository(context, meant, signal);
			if (meant && placeOfDocument(subject ?? documentInFront())) {
				await openAny(context, meant, 'first', signal);
			}
		},
		'forge.patchsets.showRaw': async (subject, signal) =>
			showRaw(context, await patchTarget(context, subject, signal), signal),
	};
}

async function openAny(context: DiffContext, meant: ListsSubject | undefined, how: HowFar, signal: AbortSignal) {
	switch (meant?.kind) {
		case 'patchFile':
			return openFile(context, meant, how, signal);
		case 'mail': {
			if (!(await openPatch(context, meant, how, signal))) {
				await showRaw(context, meant, signal);
			}
			return;
		}
		case 'patchset':
			return openSeries(context, meant, { far: how, isCombined: false }, signal);
		case 'list':
		case undefined:
			return askAndOpen(context, meant, how, signal);
	}
}

async function askAndOpen(context: DiffContext, meant: ListsSubject | undefined, how: HowFar, signal: AbortSignal) {
	const patchset = await patchsetTarget(context, meant, signal);
	const { patches } = await readSeries(connectionOf(context.connections, patchset), patchset.ref, signal);
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
		await openSeries(context, patchset, { far: how, isCombined: true }, signal);
	} else {
		await openAny(context, chosen, how, signal);
	}
}

/** Raw text of a patch, scrolled to the file. */
async function showRaw(
	parts: ListsContext,
	subject: MailSubject | PatchFileSubject,
	signal: AbortSignal,
): Promise<void> {
	const { connectionKey, list } = subject;
	const mailId = subject.kind === 'mail' ? subject.id : subject.mailId;
	const connection = connectionOf(parts.connections, subject);
	const { patch, subject: title } = await readPatch(connection, { list, patchsetId: undefined, mailId }, signal);
	const patchsetId = subject.kind === 'patchFile' ? subject.patchsetId : connection.lists.knownMail(mailId)?.patchsetId;
	const document = await vscode.workspace.openTextDocument(rawUri({ connectionKey, list, patchsetId, mailId }, title));
	const file = subject.kind === 'patchFile' ? patch?.diff.files[subject.fileIndex] : undefined;
	const line = patch && file ? lineAt(patch.diffText, file.damage[0]?.at ?? file.start) - 1 : 0;
	await showDocument(document, { preview: true, selection: new vscode.Range(line, 0, line, 0) });
}

/** Asks for the repository of a list's patches, with the prefix of the subject's patch. */
async function chooseRepository(
	parts: ListsContext,
	meant: ListsSubject | undefined,
	signal: AbortSignal,
): Promise<void> {
	const { connectionKey, ref: list } = await listTarget(parts, meant, signal);
	const connection = connectionOf(parts.connections, { connectionKey });
	const { prefix, likely } = await withProgress(vscode.l10n.t('Loading repositories…'), signal, async (working) => {
		const own = meant && (await subjectOf(connection, meant, working));
		const found = own === undefined ? '' : (patchSubject(own)?.prefix ?? '');
		const patches = { connection, list, prefix: found === '' ? undefined : found };
		return { prefix: patches.prefix, likely: await likelyRepositories(parts, patches, working) };
	});
	const chosen = await askPatchRepository({ connection, list, prefix }, likely, signal);
	tellBriefly(
		chosen === 'none'
			? vscode.l10n.t('Patches are shown without a repository.')
			: vscode.l10n.t('Repository for patches: {0}', visibleLine(refText(chosen))),
	);
}

/** Subject line of a mail of the target; `undefined` for a list. */
async function subjectOf({ lists }: Connection, meant: ListsSubject, signal: AbortSignal): Promise<string | undefined> {
	switch (meant.kind) {
		case 'list':
			return undefined;
		case 'mail':
			return (await lists.mails.mail(meant.id, signal)).subject;
		case 'patchFile':
			return (await lists.mails.mail(meant.mailId, signal)).subject;
		case 'patchset':
			return (await lists.series(meant.ref, signal)).patches[0]?.subject;
	}
}
