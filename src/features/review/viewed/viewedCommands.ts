import * as vscode from 'vscode';
import { Disposables } from '@forge-desk/base/lifecycle.ts';
import { tellBriefly } from '../../../editor/ask/notify.ts';
import { withProgress } from '../../../editor/ask/progress.ts';
import type { Feature } from '../../../editor/commands/feature.ts';
import { connectionOf } from '../../../editor/commands/subjects.ts';
import type { TreeNode } from '../../../editor/trees/treeNode.ts';
import type { PatchsetRef } from 'sourcehut/port/list.ts';
import type { FileDiff } from 'patchmail/patch/fileDiff.ts';
import { fileName } from '../../../editor/patchDocuments/fileWords.ts';
import type { SeriesPatch } from 'patchmail/series/seriesReading.ts';
import type { Connection } from '../../../store/connection.ts';
import { seriesAlone } from '../../../store/lists/patchsets/seriesAlone.ts';
import type { ListsContext } from '../../lists/context/listsContext.ts';
import { subjectOrInFront } from '../../lists/subjects/givenSubject.ts';
import { patchsetTarget, patchTarget } from '../../lists/subjects/listTargets.ts';
import { listsSubject, type ListsSubject } from '../../lists/subjects/subjects.ts';
import { patchTitle } from '../../lists/subjects/words.ts';
import {
	identityOf,
	viewedCount,
	viewedText,
	isViewed,
	type MarkedPatch,
} from '../../lists/reviewState/viewedFiles.ts';

/** Marks files of patches as viewed: by command on rows and diffs, and by the boxes of rows. */
export function viewedCommands(parts: ListsContext): Feature {
	const owned = new Disposables();
	const ending = new AbortController();
	owned.add({ dispose: () => ending.abort() });
	owned.add(
		parts.view.onDidChangeCheckboxState(({ items }) => {
			for (const [row, state] of items) {
				void check(row, state === vscode.TreeItemCheckboxState.Checked);
			}
		}),
	);

	async function check(row: TreeNode, is: boolean): Promise<void> {
		try {
			const subject = listsSubject(row);
			const meant = subject && subject.kind !== 'list' ? await filesOf(parts, subject, ending.signal) : undefined;
			await (meant && mark(meant, is));
		} catch (error) {
			void parts.problems.show(error);
		}
	}

	return {
		commands: {
			'forge.patchsets.toggleViewed': async (subject, signal, selected) => {
				const all = selected.length > 1 ? selected.flatMap((row) => listsSubject(row) ?? []) : [];
				const given = all.filter((each) => each.kind === 'mail' || each.kind === 'patchFile');
				const inFront = subjectOrInFront(parts.pages, subject);
				const one = inFront && inFront.kind !== 'list' ? inFront : undefined;
				const subjects = given.length > 0 ? given : [one ?? (await patchTarget(parts, inFront, signal))];
				const meant = await Promise.all(subjects.map((each) => filesOf(parts, each, signal)));
				if (meant.every(({ files }) => files.length === 0)) {
					return tellBriefly(vscode.l10n.t('There are no files to mark here.'));
				}
				const is = meant.some(({ connection, files }) =>
					files.some(({ patch, file }) => !isViewed(connection, patch, file)),
				);
				for (const each of meant) {
					await mark(each, is);
				}
				const last = meant.at(-1);
				if (last) {
					const { connection, series, name } = last;
					const patches = series.map(({ patch }) => patch);
					const count = viewedText(viewedCount(connection, patches));
					const all = is
						? vscode.l10n.t('Marked all files as viewed')
						: vscode.l10n.t('Marked all files as not viewed');
					const marked =
						name === undefined
							? all
							: is
								? vscode.l10n.t('Marked {0} as viewed', name)
								: vscode.l10n.t('Marked {0} as not viewed', name);
					tellBriefly([marked, ...(count === '' ? [] : [count])].join(' · '));
				}
			},
		},
		dispose: () => owned.dispose(),
	};
}

interface FilesToMark {
	readonly connection: Connection;
	readonly ref: PatchsetRef;
	readonly series: readonly SeriesPatch[];
	readonly files: readonly { readonly patch: MarkedPatch; readonly file: FileDiff }[];
	/** Readable name; `undefined` for the whole series. */
	readonly name: string | undefined;
}

async function filesOf(
	parts: ListsContext,
	subject: Exclude<ListsSubject, { readonly kind: 'list' }>,
	signal: AbortSignal,
): Promise<FilesToMark> {
	const connection = connectionOf(parts.connections, subject);
	const { ref } = await patchsetTarget(parts, subject, signal);
	const { patches: series } = await withProgress(vscode.l10n.t('Loading the series…'), signal, (working) =>
		seriesAlone(connection, ref, working),
	);
	const all = series.flatMap(({ mail, patch }) => patch.diff.files.map((file, at) => ({ mail, patch, file, at })));
	const meant = { connection, ref, series };
	switch (subject.kind) {
		case 'patchset':
			return { ...meant, files: all, name: undefined };
		case 'mail': {
			const patch = series.find(({ mail }) => mail.id === subject.id);
			return { ...meant, files: all.filter(({ mail }) => mail === patch?.mail), name: patch && patchTitle(patch.mail) };
		}
		case 'patchFile': {
			const files = all.filter(({ mail, at }) => mail.id === subject.mailId && at === subject.fileIndex);
			return { ...meant, files, name: files.map(({ file }) => fileName(file))[0] };
		}
	}
}

async function mark({ connection, ref, files }: FilesToMark, is: boolean): Promise<void> {
	await connection.viewed.mark(
		ref,
		files.map(({ patch, file }) => identityOf(patch, file)),
		is,
	);
}
