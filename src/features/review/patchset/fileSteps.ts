import * as vscode from 'vscode';
import { tellBriefly } from '../../../editor/ask/notify.ts';
import { withProgress } from '../../../editor/ask/progress.ts';
import type { CommandTable } from '../../../editor/commands/feature.ts';
import { connectionOf } from '../../../editor/commands/subjects.ts';
import { fileName } from '../../../editor/patchDocuments/fileWords.ts';
import type { SeriesPatch } from 'patchmail/series/seriesReading.ts';
import type { Connection } from '../../../store/connection.ts';
import { seriesAlone } from '../../../store/lists/patchsets/seriesAlone.ts';
import type { ListsContext } from '../../lists/context/listsContext.ts';
import { subjectOrInFront } from '../../lists/subjects/givenSubject.ts';
import { patchsetTarget } from '../../lists/subjects/listTargets.ts';
import type { ListsSubject } from '../../lists/subjects/subjects.ts';
import { patchTitle } from '../../lists/subjects/words.ts';
import { isViewed } from '../../lists/reviewState/viewedFiles.ts';

/** A file's position in a series. */
interface FileInSeries {
	readonly series: SeriesPatch;
	/** Place of its patch, and its own in the diff of the patch; both from 0. */
	readonly patch: number;
	readonly file: number;
}

interface Step {
	readonly by: 1 | -1;
	/** `unviewed` goes on from the start after the last file. */
	readonly over: 'files' | 'patches' | 'unviewed';
}

/** Goes through the files of a series in the order of its patches, each in its diff. */
export function fileSteps(parts: ListsContext): CommandTable {
	async function step(subject: unknown, { by, over }: Step, signal: AbortSignal): Promise<void> {
		const from = subjectOrInFront(parts.pages, subject);
		if (!from || from.kind === 'list') {
			return tellBriefly(vscode.l10n.t('Open the diff of a patch or select a patchset first.'));
		}
		const connection = connectionOf(parts.connections, from);
		const { ref } = await patchsetTarget(parts, from, signal);
		const { patches } = await withProgress(vscode.l10n.t('Loading the series…'), signal, (working) =>
			seriesAlone(connection, ref, working),
		);
		const files = patches.flatMap((series, patch): readonly FileInSeries[] =>
			series.patch.diff.files.map((_, file) => ({ series, patch, file })),
		);
		const at = placeOf(from, patches);
		const isBeyond = ({ patch, file }: FileInSeries): boolean => {
			const steps = over !== 'patches' && patch === at.patch ? file - at.file : patch - at.patch;
			return steps * by > 0;
		};
		const left = files.filter(({ series: { patch }, file }) => {
			const diff = patch.diff.files[file];
			return over !== 'unviewed' || diff === undefined || !isViewed(connection, patch, diff);
		});
		const found = by === 1 ? left.find(isBeyond) : left.findLast(isBeyond);
		// The first file of a patch, in both directions.
		const to =
			over === 'patches'
				? found && files.find(({ patch }) => patch === found.patch)
				: (found ?? (over === 'unviewed' ? left[0] : undefined));
		if (!to && over === 'unviewed' && files.length > 0) {
			return tellBriefly(vscode.l10n.t('All files of this series are viewed.'));
		}
		if (!to) {
			const [lastText, firstText] =
				over !== 'patches'
					? [
							vscode.l10n.t('This is the last file of this series.'),
							vscode.l10n.t('This is the first file of this series.'),
						]
					: [
							vscode.l10n.t('This is the last patch of this series.'),
							vscode.l10n.t('This is the first patch of this series.'),
						];
			const endText = by === 1 ? lastText : firstText;
			return tellBriefly(files.length === 0 ? vscode.l10n.t('No patch of this series contains a diff.') : endText);
		}
		await vscode.commands.executeCommand('forge.patchsets.openDiff', {
			kind: 'patchFile',
			connectionKey: connection.key,
			list: ref.list,
			patchsetId: ref.id,
			mailId: to.series.mail.id,
			fileIndex: to.file,
		});
		tellBriefly(foundText(connection, files, to));
	}

	return {
		'forge.patchsets.nextFile': (subject, signal) => step(subject, { by: 1, over: 'files' }, signal),
		'forge.patchsets.previousFile': (subject, signal) => step(subject, { by: -1, over: 'files' }, signal),
		'forge.patchsets.nextUnviewed': (subject, signal) => step(subject, { by: 1, over: 'unviewed' }, signal),
		'forge.patchsets.nextPatch': (subject, signal) => step(subject, { by: 1, over: 'patches' }, signal),
		'forge.patchsets.previousPatch': (subject, signal) => step(subject, { by: -1, over: 'patches' }, signal),
	};
}

/** Current position. A bare patch is before its first file, a series before its first patch. */
interface Place {
	readonly patch: number;
	readonly file: number;
}

function placeOf(from: Exclude<ListsSubject, { readonly kind: 'list' }>, patches: readonly SeriesPatch[]): Place {
	const patchOf = (id: number): number => patches.findIndex(({ mail }) => mail.id === id);
	switch (from.kind) {
		case 'patchset':
			return { patch: -1, file: -1 };
		case 'mail':
			return { patch: patchOf(from.id), file: -1 };
		case 'patchFile':
			return { patch: patchOf(from.mailId), file: from.fileIndex };
	}
}

/** Position of a file in the series, and its patch. */
function foundText(connection: Connection, files: readonly FileInSeries[], to: FileInSeries): string {
	const { mail, patch } = to.series;
	const file = patch.diff.files[to.file];
	if (!file) {
		return '';
	}
	const text = vscode.l10n.t(
		'File {0} of {1}: {2}, patch {3}',
		files.indexOf(to) + 1,
		files.length,
		fileName(file),
		patchTitle(mail),
	);
	return isViewed(connection, patch, file) ? [text, vscode.l10n.t('viewed')].join(' · ') : text;
}
