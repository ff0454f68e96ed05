import * as vscode from 'vscode';
import { notify } from '../../../editor/ask/notify.ts';
import type { Problems } from '../../../editor/ask/problems.ts';
import { withProgress, type ShownProgress } from '../../../editor/ask/progress.ts';
import { connectionOf } from '../../../editor/commands/subjects.ts';
import { isObjectId } from 'patchmail/git/objectId.ts';
import { sizeText } from '../../../engine/text/size.ts';
import { isForgeError, ForgeError } from 'sourcehut/port/forgeError.ts';
import type { RepositoryRef, TreePath } from 'sourcehut/port/repository.ts';
import type { Connection } from '../../../store/connection.ts';
import type { DownloadOutcome } from '../../../store/repositories/downloads.ts';
import { nameOf, isBlob } from '../../../store/repositories/repositoryEntries.ts';
import { askSavePlace, notWrittenText, savedAfterAll, tellSaved } from '../artifacts/savePlace.ts';
import { fileInFront } from '../links/fileInFront.ts';
import type { RepositoriesContext } from '../parts/repositoriesContext.ts';
import { fileOf } from '../questions/repositoryTarget.ts';
import { placeOfUri } from '../subjects/place.ts';
import { shownName } from '../subjects/words.ts';

/** Explains the size limit for opening files and offers alternatives for a larger one. */
export function tooLargeNotice(problems: Problems): (uri: vscode.Uri, error: unknown) => void {
	async function offer(uri: vscode.Uri, error: unknown): Promise<void> {
		const place = placeOfUri(uri);
		if (!isForgeError(error) || error.problem.kind !== 'tooLarge' || place?.kind !== 'entry') {
			return problems.show(error);
		}
		const save = vscode.l10n.t('Save to Disk…');
		const web = vscode.l10n.t('Open on the Web');
		const chosen = await notify(
			'error',
			vscode.l10n.t(
				'{0} is larger than {1} and was not loaded: the editor shows no larger files. Save it to disk, or open it on the web.',
				shownName(nameOf(place.at.path)),
				sizeText(error.problem.limitBytes, vscode.env.language),
			),
			save,
			web,
		);
		if (chosen === save) {
			await vscode.commands.executeCommand('forge.repositories.download', uri);
		} else if (chosen === web) {
			await vscode.commands.executeCommand('forge.openOnWeb', uri);
		}
	}

	return (uri, error) => {
		offer(uri, error).catch((failure: unknown) => problems.log(failure));
	};
}

/** Upper limit, so that an endless file ends. */
export const mostSavedBytes = 4 * 1024 ** 3;
/** Interval of progress reports. */
const tellEveryMs = 250;

/** A file at its revision's pinned commit. */
interface FileTarget {
	readonly connection: Connection;
	readonly ref: RepositoryRef;
	readonly at: TreePath;
	readonly id: string;
}

/**
 * Streams a file of any size to disk. The file gets its name only after its id matches. Without subject: the active
 * file, or one that the user chooses.
 */
export async function saveFile(context: RepositoriesContext, subject: unknown, signal: AbortSignal): Promise<void> {
	const { connectionKey, ref, at } = await fileOf(context, subject ?? fileInFront(undefined)?.uri, signal);
	const connection = connectionOf(context.connections, { connectionKey });
	const name = shownName(nameOf(at.path));
	const meant = await withProgress(vscode.l10n.t('Searching for {0}…', name), signal, async (working) => {
		const { repositories } = connection;
		const found = await repositories.folders.find(ref, at, working);
		if (found.kind !== 'entry' || !isBlob(found.entry)) {
			return undefined;
		}
		const standing = await repositories.folders.standing(ref, at.ref, working);
		if (!standing) {
			throw new ForgeError({ kind: 'notFound' });
		}
		return { connection, ref, at: { ref: standing.commit.id, path: at.path }, id: found.entry.id };
	});
	if (!meant) {
		void notify('information', vscode.l10n.t('{0} is not a file. Only files can be saved.', name));
		return;
	}
	const path = await askSavePlace(
		nameOf(at.path),
		vscode.l10n.t('Save remote file'),
		vscode.l10n.t('Files can only be saved to a disk of the machine that runs the extension.'),
	);
	const outcome = await savedAfterAll(context.downloads, async () => {
		let shown: ShownProgress | undefined;
		let toldMs = Number.NEGATIVE_INFINITY;
		const progressed = (bytes: number): void => {
			if (shown && context.clock.nowMs() - toldMs >= tellEveryMs) {
				toldMs = context.clock.nowMs();
				// The server sends no size in advance.
				shown.report({ message: vscode.l10n.t('{0} so far', sizeText(bytes, vscode.env.language)) });
			}
		};
		const save = async (working: AbortSignal): Promise<DownloadOutcome> => {
			const promised = { kind: 'blob', id: meant.id, mostBytes: mostSavedBytes } as const;
			const chunks = contentOf(meant, working);
			try {
				return await context.downloads.save({ path, chunks, promised, progressed }, working);
			} catch (error) {
				if (isForgeError(error) && error.problem.kind === 'tooLarge') {
					return { kind: 'otherSize', bytes: error.problem.limitBytes };
				}
				throw error;
			}
		};
		const title = vscode.l10n.t('Saving {0}…', name);
		return withProgress(title, signal, save, (progress) => (shown = progress));
	});
	// Not awaited: the notice may stay open for hours.
	void tell(outcome, name, path, isObjectId(meant.id));
}

/** Cached content needs no request. */
async function* contentOf(
	{ connection, ref, at, id }: FileTarget,
	signal: AbortSignal,
): AsyncGenerator<Uint8Array, void, undefined> {
	const { repositories } = connection;
	const kept = await repositories.objects.keptBlob(ref, id);
	if (kept) {
		yield kept.bytes;
		return;
	}
	const stream = repositories.uncached.blobStream?.(ref, at, mostSavedBytes, signal);
	if (stream) {
		yield* stream;
	} else {
		yield (await repositories.objects.blob(ref, id, signal)).bytes;
	}
}

/** `name`: in visible form. `isProven`: there was something to prove it by. */
async function tell(outcome: DownloadOutcome, name: string, path: string, isProven: boolean): Promise<void> {
	switch (outcome.kind) {
		case 'saved': {
			const size = sizeText(outcome.bytes, vscode.env.language);
			return isProven
				? tellSaved(
						'information',
						vscode.l10n.t('Saved {0} ({1}). It is verified as the file in the commit.', name, size),
						path,
					)
				: tellSaved(
						'warning',
						vscode.l10n.t('Saved {0} ({1}). It cannot be verified as the file in the commit.', name, size),
						path,
					);
		}
		case 'otherSum':
			await notify(
				'error',
				vscode.l10n.t(
					'The forge sent something other than {0} in the commit, so it was removed. Try again, or clone the repository.',
					name,
				),
			);
			return;
		case 'otherSize':
			await notify(
				'error',
				vscode.l10n.t(
					'{0} is larger than {1}, so it was removed. Clone the repository to get it.',
					name,
					sizeText(outcome.bytes, vscode.env.language),
				),
			);
			return;
		case 'notWritten':
			await notify('error', notWrittenText(name, outcome.code));
			return;
		case 'inTheWay':
			// The user declined.
			return;
	}
}
