import * as vscode from 'vscode';
import { askFor, cancelled, choose } from '../../../editor/ask/ask.ts';
import { offer } from '../../../editor/ask/askConnection.ts';
import { notify } from '../../../editor/ask/notify.ts';
import { withProgress } from '../../../editor/ask/progress.ts';
import { connectionOf } from '../../../editor/commands/subjects.ts';
import { isForgeError } from '../../../forge/forgeError.ts';
import type { TreePath } from '../../../forge/repository.ts';
import { isBlob, nameOf, stepsOf } from '../../../state/repositories/repositoryEntries.ts';
import { walkLimits } from '../../../state/repositories/repositoryWalk.ts';
import { pickReference } from '../questions/pickReference.ts';
import type { RepositoriesParts } from '../parts/repositoriesParts.ts';
import { askRepository } from '../questions/repositoryQuestions.ts';
import { repositoriesSubject, type EntrySubject } from '../subjects/subjects.ts';
import { shownName } from '../subjects/words.ts';
import { fileInClone, isLocal, remoteOf, type ClonesHere, type RemotePath } from './clonesHere.ts';
import { shownOf } from './compareSides.ts';
import { openFile, uriOf } from './openFiles.ts';

/** Compares a file of the working folder with a revision, or a remote file with another revision or a local file. */
export async function compareWithFile(
	parts: RepositoriesParts & { readonly clones: ClonesHere },
	subject: unknown,
	signal: AbortSignal,
): Promise<void> {
	const given = subject ?? vscode.window.activeTextEditor?.document.uri;
	const remote = repositoriesSubject(given);
	if (remote?.kind === 'file') {
		return compareRemote(parts, remote, signal);
	}
	const local = isLocal(given) ? given : await askLocal();
	const at = (await remoteOf(parts.clones, local, signal)) ?? (await askRemote(parts, local, signal));
	const revision = await askRevision(parts, at, signal);
	await compareBoth(parts, { ...at, revision }, local, signal);
}

type Other =
	| { readonly kind: 'revision' }
	| { readonly kind: 'working'; readonly file: vscode.Uri }
	| { readonly kind: 'other' };

async function compareRemote(
	parts: RepositoriesParts & { readonly clones: ClonesHere },
	{ connectionKey, ref, at }: EntrySubject,
	signal: AbortSignal,
): Promise<void> {
	const name = shownName(nameOf(at.path));
	const here = { connectionKey, ref, path: at.path };
	const working = await fileInClone(parts.clones, here, signal);
	const other = await choose<Other>(vscode.l10n.t('Choose what to compare {0} with', name), [
		{ label: vscode.l10n.t('The same file at another branch, tag or commit…'), value: { kind: 'revision' } },
		...(working
			? [{ label: vscode.l10n.t('The file in my clone'), value: { kind: 'working', file: working } as const }]
			: []),
		{ label: vscode.l10n.t('Another file on this computer…'), value: { kind: 'other' } },
	]);
	switch (other.kind) {
		case 'working':
			return compareBoth(parts, { ...here, revision: at.ref }, other.file, signal);
		case 'other':
			return compareBoth(parts, { ...here, revision: at.ref }, await askLocal(), signal);
		case 'revision': {
			const revision = await askRevision(parts, here, signal);
			const [before, after] = [
				await readFile(parts, { ...here, revision }, signal),
				await readFile(parts, { ...here, revision: at.ref }, signal),
			];
			if (before && after) {
				await openFile(here, { before, after });
			}
		}
	}
}

function askRevision(
	{ connections }: RepositoriesParts,
	{ connectionKey, ref, path }: RemotePath,
	signal: AbortSignal,
): Promise<string> {
	const connection = connectionOf(connections, { connectionKey });
	const title = vscode.l10n.t('Choose a branch, tag or commit to compare {0} with', shownName(nameOf(path)));
	return pickReference({ title, connection, ref }, signal);
}

interface AtRevision extends RemotePath {
	readonly revision: string;
}

async function compareBoth(
	parts: RepositoriesParts,
	remote: AtRevision,
	local: vscode.Uri,
	signal: AbortSignal,
): Promise<void> {
	const at = await readFile(parts, remote, signal);
	if (at) {
		const name = shownName(nameOf(remote.path));
		const title = vscode.l10n.t('{0} ({1} → working file)', name, shownOf(remote.revision));
		await vscode.commands.executeCommand('vscode.diff', uriOf(remote, at), local, title, { preview: true });
	}
}

/**
 * Place of a file at the revision's commit, loaded in advance because the editor hides the reason of a failed read.
 * `undefined`, after a message, if the file is missing.
 */
async function readFile(
	{ connections }: RepositoriesParts,
	{ connectionKey, ref, path, revision }: AtRevision,
	signal: AbortSignal,
): Promise<TreePath | undefined> {
	const { repositories } = connectionOf(connections, { connectionKey });
	try {
		return await withProgress(vscode.l10n.t('Loading {0}…', shownName(path)), signal, async (working) => {
			const standing = await repositories.newestPinned(ref, revision, working);
			const at = { ref: standing?.commit.id ?? revision, path };
			const found = await repositories.find(ref, at, working);
			if (found.kind === 'entry' && isBlob(found.entry)) {
				await repositories.size(ref, found.entry.id, working);
			}
			return at;
		});
	} catch (error) {
		if (isForgeError(error) && error.problem.kind === 'notFound') {
			// Not awaited: the notice may stay open for hours.
			void notify('information', vscode.l10n.t("{0} doesn't exist at {1}.", shownName(path), shownOf(revision)));
			return undefined;
		}
		throw error;
	}
}

async function askLocal(): Promise<vscode.Uri> {
	const [file] = (await vscode.window.showOpenDialog({ title: vscode.l10n.t('Choose a file to compare') })) ?? [];
	if (!file) {
		throw cancelled();
	}
	return file;
}

/** Asks for the repository path of a file outside known clones. */
async function askRemote(parts: RepositoriesParts, local: vscode.Uri, signal: AbortSignal): Promise<RemotePath> {
	if (parts.connections.all().length === 0) {
		await offer(vscode.l10n.t('You are not signed in. Sign in to see repositories.'), {
			label: vscode.l10n.t('Sign In…'),
			command: 'forge.accounts.signIn',
		});
		throw cancelled();
	}
	const { connectionKey, ref } = await askRepository(parts.connections, 'any', signal);
	const path = await askFor({
		title: vscode.l10n.t('Choose a file of {0} to compare with', shownName(ref.name)),
		prompt: vscode.l10n.t('Its path in the repository'),
		value: vscode.workspace.asRelativePath(local, false),
		complaint: (value) =>
			value.trim() !== '' && stepsOf(value.trim(), walkLimits.depth)
				? undefined
				: vscode.l10n.t('Type a path such as src/main.c, without a slash at its ends.'),
	});
	return { connectionKey, ref, path };
}
