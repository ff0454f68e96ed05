import * as vscode from 'vscode';
import { openChanges, openDiff, openUri } from '../../../editor/documents/showDocument.ts';
import { notify, tellBriefly } from '../../../editor/ask/notify.ts';
import type { Problems } from '../../../editor/ask/problems.ts';
import type { RepositoryRef, TreePath } from 'sourcehut/port/repository.ts';
import type { ChangedFile, ChangedFiles } from '../../../store/repositories/history/changedFiles.ts';
import { withProgress, type ShownProgress } from '../../../editor/ask/progress.ts';
import type { Connection } from '../../../store/connection.ts';
import { nameOf, stepsOf } from '../../../store/repositories/repositoryEntries.ts';
import { uriOfPlace, uriOfSide } from '../subjects/place.ts';
import { shownName } from '../subjects/words.ts';
import { isRecord } from '../../../editor/commands/subjects.ts';
import { walkLimits } from '../../../store/repositories/repositoryWalk.ts';
import type { OpenClones } from '../parts/openClones.ts';

/** The editor shows nothing before it has the text of every file, so open them in batches. */
const filesAtOnce = 100;

/** A repository as one account sees it. */
export interface Within {
	readonly connectionKey: string;
	readonly ref: RepositoryRef;
}

/** The address of a file at a commit. */
export function uriOf({ connectionKey, ref }: Within, at: TreePath): vscode.Uri {
	return uriOfPlace({ kind: 'entry', connectionKey, ref, at });
}

/** The same URI as in other comparisons, so that the editor treats both commits' versions as one file. */
function sideOf({ connectionKey, ref }: Within, at: TreePath): vscode.Uri {
	return uriOfSide({ kind: 'entry', connectionKey, ref, at });
}

/** A repository with readable files. */
export interface WithinConnection extends Within {
	readonly connection: Connection;
	/** Shows errors after the command's end. */
	readonly problems: Problems;
}

/**
 * Opens changed files in the editor's multi-file diff. Shows `nothing` if there are none, and a message about omitted
 * files.
 */
export async function openFiles(
	within: WithinConnection,
	{ files, leftOut, refused }: ChangedFiles,
	{ title, nothing }: { readonly title: string; readonly nothing: string },
	signal: AbortSignal,
): Promise<void> {
	if (leftOut !== undefined) {
		void notify('warning', vscode.l10n.t('There are too many changes to compare. Only some are shown.'));
	}
	if (refused > 0) {
		void notify(
			'warning',
			refused === 1
				? vscode.l10n.t('1 file cannot be shown: its name is not a valid file name.')
				: vscode.l10n.t('{0} files cannot be shown: their names are not valid file names.', refused),
		);
	}
	if (files.length === 0) {
		if (refused === 0) {
			// Not awaited here and below: the notice may stay open for hours.
			void notify('information', nothing);
		}
		return;
	}
	await openFrom(within, { files, from: 0, title }, signal);
}

/** Shows a part of the files, and offers the next one. */
async function openFrom(within: WithinConnection, part: Part, signal: AbortSignal): Promise<void> {
	const { connection, ref } = within;
	const { files, title } = part;
	const batch = files.slice(part.from, part.from + filesAtOnce);
	const texts = batch.flatMap(({ before, after }) => [before, after].filter((at) => at !== undefined));
	let read = 0;
	let tell: ShownProgress | undefined;
	const progressed = (): void => {
		read += 1;
		tell?.report({ message: vscode.l10n.t('{0} of {1}', read, texts.length), increment: 100 / texts.length });
	};
	// The editor would request all texts at once, at low priority, without progress or cancellation.
	await withProgress(
		vscode.l10n.t('Loading changed files…'),
		signal,
		(working) => connection.repositories.folders.readAhead(ref, texts, progressed, working),
		(announced) => {
			tell = announced;
			announced.report({ increment: (100 * read) / texts.length });
		},
	);
	const shown = batch.flatMap(({ before, after }) => {
		const name = after ?? before;
		return name
			? [[uriOf(within, name), before && sideOf(within, before), after && sideOf(within, after)] as const]
			: [];
	});
	const isAll = batch.length === files.length;
	const [first, last] = [part.from + 1, part.from + batch.length];
	await openChanges(
		isAll ? title : vscode.l10n.t('{0} – files {1} to {2} of {3}', title, first, last, files.length),
		shown,
	);
	const from = part.from + filesAtOnce;
	if (from < files.length) {
		void offerNext(within, { ...part, from }, signal).catch((error: unknown) => within.problems.show(error));
	}
}

async function offerNext(within: WithinConnection, part: Part, signal: AbortSignal): Promise<void> {
	const { from, files } = part;
	const next = vscode.l10n.t('Show Next Files');
	const message = vscode.l10n.t('Files {0} to {1} of {2} are shown.', from - filesAtOnce + 1, from, files.length);
	if ((await notify('information', message, next)) === next) {
		await openFrom(within, part, signal);
	}
}

interface Part {
	readonly files: readonly ChangedFile[];
	/** Index of the first file. */
	readonly from: number;
	readonly title: string;
}

/** Shows one file in the editor's own comparison, or the one side that there is. */
export async function openFile(within: Within, { before, after }: Pick<ChangedFile, 'before' | 'after'>) {
	if (before && after) {
		const title = vscode.l10n.t(
			'{0} ({1} → {2})',
			before.path === after.path
				? shownName(nameOf(after.path))
				: vscode.l10n.t('{0} → {1}', shownName(before.path), shownName(after.path)),
			shortId(before.ref),
			shortId(after.ref),
		);
		const [one, other] = [sideOf(within, before), sideOf(within, after)];
		await openDiff(one, other, title, { preview: true });
		return;
	}
	const only = after ?? before;
	if (only) {
		tellBriefly(
			after
				? vscode.l10n.t('{0} is new. There is nothing to compare it with.', shownName(nameOf(only.path)))
				: vscode.l10n.t('{0} was deleted. This is its last content.', shownName(nameOf(only.path))),
		);
		await openUri(uriOf(within, only));
	}
}

/** A full id as people read it. */
export function shortId(id: string): string {
	return id.slice(0, 7);
}

/** True for the address of a file on the disk. */
export function isLocal(value: unknown): value is vscode.Uri {
	return isRecord(value) && value['scheme'] === 'file';
}

/** A repository path without a revision. */
export interface RemotePath {
	readonly connectionKey: string;
	readonly ref: RepositoryRef;
	readonly path: string;
}

/** File of an open clone at a path, existing or not; never outside of the clone. */
export async function fileInClone(
	clones: OpenClones,
	{ connectionKey, ref, path }: RemotePath,
	signal: AbortSignal,
): Promise<vscode.Uri | undefined> {
	const clone = await clones.of(connectionKey, ref, signal);
	if (!clone || !stepsOf(path, walkLimits.depth)) {
		return undefined;
	}
	const { scheme, authority, path: root } = clone.root;
	return vscode.Uri.from({ scheme, authority, path: `${root.replace(/\/$/, '')}/${path}` });
}

/** Repository path of a local file; `undefined` outside clones of known repositories. */
export async function remoteOf(
	clones: OpenClones,
	file: vscode.Uri,
	signal: AbortSignal,
): Promise<RemotePath | undefined> {
	const found = await clones.at(file, signal);
	return found && { connectionKey: found.clone.connectionKey, ref: found.clone.ref, path: found.path };
}
