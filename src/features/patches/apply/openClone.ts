import * as vscode from 'vscode';
import { cancelled, choose, type Choice } from '../../../editor/ask/ask.ts';
import { notify } from '../../../editor/ask/notify.ts';
import type { FindGit, GitHead, GitRepository } from '../../../editor/git/gitApi.ts';
import { remotesOnForges } from '../../../editor/git/remotesOnForges.ts';
import type { Connection } from '../../../store/connection.ts';
import type { PatchsetReview } from '../../../store/lists/patchsets/patchsetReview.ts';
import type { RepositoryRef } from 'sourcehut/port/repository.ts';
import { refText } from 'sourcehut/port/namedRef.ts';
import { visibleLine } from '../../../engine/text/visible.ts';
import { repositoryByForge, repositoryHere } from '../diffs/patchRepository.ts';
import type { ListsContext } from '../../lists/context/listsContext.ts';

/** An open clone with its state. */
export interface OpenClone {
	readonly root: vscode.Uri;
	readonly head: GitHead;
	readonly state: GitRepository['state'];
	/** The repository of the patches, if no remote of the clone leads there. */
	readonly isNotOf?: RepositoryOfPatches;
}

interface RepositoryOfPatches {
	readonly connectionKey: string;
	readonly ref: RepositoryRef;
}

/** Every clone that is open in this window and has a commit. */
export async function clonesHere(findGit: FindGit, signal: AbortSignal): Promise<readonly OpenClone[]> {
	const repositories = (await findGit(signal))?.repositories ?? [];
	return repositories.flatMap(({ rootUri, state }) =>
		rootUri.scheme === 'file' && state.HEAD?.commit !== undefined ? [{ root: rootUri, head: state.HEAD, state }] : [],
	);
}

/**
 * Refreshes the editor's state first, because it lags behind terminal commits. A clone that git can't read keeps its
 * old state.
 */
export async function clonesNow(findGit: FindGit, signal: AbortSignal): Promise<readonly OpenClone[]> {
	const repositories = (await findGit(signal))?.repositories ?? [];
	await Promise.allSettled(repositories.map((repository) => repository.status()));
	return clonesHere(findGit, signal);
}

/**
 * Asks for the clone, best match first, or for a new clone if none is open. Throws `cancelled()`, after a message, if
 * nothing is known to clone.
 */
export async function askClone(
	parts: ListsContext,
	connection: Connection,
	review: PatchsetReview,
	signal: AbortSignal,
): Promise<OpenClone> {
	const { clones, wanted, isOfPatches } = await clonesFor(parts, connection, review, signal);
	const [only] = clones;
	if (!only) {
		if (wanted === undefined) {
			void tellNoClone();
			throw cancelled();
		}
		const title = vscode.l10n.t('No clone of {0} is open in this window', visibleLine(refText(wanted)));
		const ref = await choose(title, [cloneChoice(wanted, wanted)]);
		return newClone(parts, { connectionKey: connection.key, ref }, signal);
	}
	const sorted = clones.toSorted((one, other) => Number(isOfPatches(other)) - Number(isOfPatches(one)));
	const first = wanted === undefined || clones.some(isOfPatches) ? [] : [cloneChoice(wanted, wanted)];
	const title = vscode.l10n.t('Choose the clone to apply the patchset in');
	const chosen = clones.length === 1 ? only : await chooseClone(title, sorted, first);
	if ('owner' in chosen) {
		return newClone(parts, { connectionKey: connection.key, ref: chosen }, signal);
	}
	return wanted === undefined || isOfPatches(chosen)
		? chosen
		: { ...chosen, isNotOf: { connectionKey: connection.key, ref: wanted } };
}

/** A row that clones a repository. */
export function cloneChoice<T>(ref: RepositoryRef, value: T): Choice<T> {
	return {
		label: vscode.l10n.t('Clone {0} and Apply…', visibleLine(refText(ref))),
		detail: vscode.l10n.t('Asks for a folder, clones the repository, and continues there.'),
		iconPath: new vscode.ThemeIcon('repo-clone'),
		value,
	};
}

/** Clones a repository, and opens the clone in this window's git. Throws `cancelled()`, after a message, if git has no commit there. */
export async function newClone(
	{ cloneRepository, findGit }: ListsContext,
	{ connectionKey, ref }: RepositoryOfPatches,
	signal: AbortSignal,
): Promise<OpenClone> {
	const folder = await cloneRepository(connectionKey, ref, signal);
	const git = await findGit(signal);
	const repository = await git?.openRepository(folder);
	await repository?.status();
	const head = repository?.state.HEAD;
	if (!repository || head?.commit === undefined) {
		const text = vscode.l10n.t('The clone is in {0}. Open it, then apply the patchset.', visibleLine(folder.fsPath));
		void notify('information', text);
		throw cancelled();
	}
	return { root: repository.rootUri, head, state: repository.state };
}

/** The open clone of the patches' repository, without a question. */
export async function cloneOfPatches(
	parts: ListsContext,
	connection: Connection,
	review: PatchsetReview,
	signal: AbortSignal,
): Promise<OpenClone | undefined> {
	if ((await clonesHere(parts.findGit, signal)).length === 0) {
		return undefined;
	}
	const { clones, isOfPatches } = await clonesFor(parts, connection, review, signal);
	return clones.find(isOfPatches);
}

async function clonesFor(
	parts: ListsContext,
	connection: Connection,
	{ ref, patchset: { prefix } }: PatchsetReview,
	signal: AbortSignal,
) {
	const clones = await clonesNow(parts.findGit, signal);
	const of = { connection, list: ref.list, prefix };
	const here = await repositoryHere(parts, of, signal);
	const byForge = here ? undefined : await repositoryByForge(parts, of, signal);
	const wanted = here?.ref ?? (byForge?.kind === 'found' ? byForge.ref : undefined);
	const isOfPatches = ({ state }: OpenClone): boolean =>
		remotesOnForges({ state }, [connection]).some(
			({ ref: found }) => wanted !== undefined && refText(found) === refText(wanted),
		);
	return { clones, wanted, isOfPatches };
}

/** Asks for one of several clones. Throws `cancelled()` if the user closes the list. */
export function chooseClone<T = OpenClone>(
	title: string,
	clones: readonly OpenClone[],
	first: readonly Choice<T>[] = [],
): Promise<OpenClone | T> {
	const rows = clones.map((clone) => ({
		label: folderName(clone.root),
		description: visibleLine(clone.head.name ?? ''),
		detail: visibleLine(clone.root.fsPath),
		iconPath: new vscode.ThemeIcon('repo'),
		value: clone,
	}));
	return choose<OpenClone | T>(title, [...first, ...rows]);
}

/** Not awaited: the notice may stay open for hours. */
export async function tellNoClone(): Promise<void> {
	const clone = vscode.l10n.t('Clone Repository…');
	const text = vscode.l10n.t(
		'No clone is open in this window. Open the clone that the patches are for, then try again.',
	);
	if ((await notify('information', text, clone)) === clone) {
		await vscode.commands.executeCommand('forge.repositories.clone');
	}
}

/** The last step of a path on the disk. */
export function folderName({ path }: vscode.Uri): string {
	return visibleLine(path.split('/').at(-1) ?? '');
}
