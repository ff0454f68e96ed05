import * as vscode from 'vscode';
import { addressInFront } from '../../../editor/commands/addressInFront.ts';
import { openDiff } from '../../../editor/documents/showDocument.ts';
import { choose, type Choice, askFor, cancelled } from '../../../editor/ask/ask.ts';
import { offer } from '../../../editor/ask/askConnection.ts';
import { tellBriefly, notify } from '../../../editor/ask/notify.ts';
import { withProgress } from '../../../editor/ask/progress.ts';
import type { CommandTable } from '../../../editor/commands/feature.ts';
import { connectionOf } from '../../../editor/commands/subjects.ts';
import { isForgeError } from 'sourcehut/port/forgeError.ts';
import type { Commit, TreePath } from 'sourcehut/port/repository.ts';
import type { Connection } from '../../../store/connection.ts';
import { changedFiles, pathOfFile } from '../../../store/repositories/history/changedFiles.ts';
import { isBlob, nameOf, stepsOf } from '../../../store/repositories/repositoryEntries.ts';
import { walkLimits } from '../../../store/repositories/repositoryWalk.ts';
import { visibleLine } from '../../../engine/text/visible.ts';
import { pickReference } from '../questions/pickReference.ts';
import { askRepository } from '../questions/repositoryQuestions.ts';
import { commitTarget } from '../questions/repositoryTarget.ts';
import { changeSubject, repositoriesSubject, type EntrySubject } from '../subjects/subjects.ts';
import { shownName, titleOf } from '../subjects/words.ts';
import {
	fileInClone,
	isLocal,
	remoteOf,
	type RemotePath,
	openFile,
	openFiles,
	shortId,
	type Within,
	type WithinConnection,
	uriOf,
} from './openFiles.ts';
import { sideComparison, shownOf } from './compareSides.ts';
import type { RepositoriesContext } from '../parts/repositoriesContext.ts';

/** Maximum number of parents to load, one request each; a server may send any number. */
const mostParents = 16;

/** The commands that show what is different, between commits, references and files. */
export function compareCommands(context: RepositoriesContext): CommandTable {
	const sides = sideComparison(context);
	return {
		'forge.repositories.openChanges': (subject, signal) => openChanges(context, subject, signal),
		'forge.repositories.openChange': async (subject, signal) => {
			const change = changeSubject(subject);
			if (!change) {
				return openChanges(context, subject, signal);
			}
			const { repositories } = connectionOf(context.connections, change);
			const { files } = await withProgress(vscode.l10n.t('Comparing…'), signal, (working) =>
				changedFiles(repositories, change, working),
			);
			const file = files.find((each) => pathOfFile(each) === change.path);
			if (!file) {
				tellBriefly(vscode.l10n.t('{0} is the same in both commits.', shownName(change.path)));
				return;
			}
			await openFile(change, file);
		},
		'forge.repositories.compare': (subject, signal) => sides.compare(subject, signal),
		'forge.repositories.selectForCompare': (subject, signal) => sides.select(subject, signal),
		'forge.repositories.compareWithSelected': (subject, signal) => sides.compareWithSelected(subject, signal),
		'forge.repositories.swapSides': (subject, signal) => sides.swap(subject, signal),
		'forge.repositories.compareWithFile': async (subject, signal) => {
			const given = subject ?? addressInFront();
			const remote = repositoriesSubject(given);
			if (remote?.kind === 'file') {
				return compareRemote(context, remote, signal);
			}
			const local = isLocal(given) ? given : await askLocal();
			const at = (await remoteOf(context.clones, local, signal)) ?? (await askRemote(context, local, signal));
			const revision = await askRevision(context, at, signal);
			await compareBoth(context, { ...at, revision }, local, signal);
		},
	};
}

/** Shows a commit's changes against its parent; asks if there are several. */
async function openChanges(context: RepositoriesContext, subject: unknown, signal: AbortSignal): Promise<void> {
	const { connectionKey, ref, id } = await commitTarget(context, subject, signal);
	const connection = connectionOf(context.connections, { connectionKey });
	const commit = await withProgress(vscode.l10n.t('Loading commit {0}…', shownName(shortId(id))), signal, (working) =>
		connection.repositories.folders.commit(ref, id, working),
	);
	const within = { connection, connectionKey, ref, problems: context.problems };
	for (const parent of await parentTargets(within, commit, signal)) {
		await openAgainst(within, commit, parent, signal);
	}
}

interface InConnection extends Within {
	readonly connection: Connection;
}

/** The first parent, or the ones that are chosen; nothing for the first commit of all. */
async function parentTargets({ connection, ref }: InConnection, { parents }: Commit, signal: AbortSignal) {
	if (parents.length < 2) {
		return [parents[0]];
	}
	const offered = parents.slice(0, mostParents);
	if (offered.length < parents.length) {
		tellBriefly(vscode.l10n.t('Only the first {0} of {1} parents are offered.', offered.length, parents.length));
	}
	const commits = await withProgress(vscode.l10n.t('Loading the parents…'), signal, (working) =>
		Promise.all(offered.map((parent) => connection.repositories.folders.commit(ref, parent, working))),
	);
	// The list preselects its first row, the usual choice for a merge.
	const each = commits.map((parent, at): Choice<readonly string[]> => ({
		label: vscode.l10n.t('Parent {0}: {1}', at + 1, titleOf(parent)),
		description: [visibleLine(parent.shortId), visibleLine(parent.author.name)].join(' · '),
		iconPath: new vscode.ThemeIcon('git-commit'),
		value: [parent.id],
	}));
	const all: Choice<readonly string[]> = {
		label: vscode.l10n.t('All parents, each in its own editor'),
		iconPath: new vscode.ThemeIcon('diff-multiple'),
		value: offered,
	};
	return choose(vscode.l10n.t('This commit is a merge. Choose a parent to compare it with.'), [...each, all]);
}

async function openAgainst(within: WithinConnection, commit: Commit, parent: string | undefined, signal: AbortSignal) {
	const { connection, ref } = within;
	const sides = { ref, before: parent, after: commit.id };
	const changed = await withProgress(vscode.l10n.t('Comparing…'), signal, (working) =>
		changedFiles(connection.repositories, sides, working),
	);
	const isMerge = commit.parents.length > 1;
	await openFiles(
		within,
		changed,
		{
			title:
				isMerge && parent !== undefined
					? vscode.l10n.t('{0} {1} (against {2})', visibleLine(commit.shortId), titleOf(commit), shortId(parent))
					: vscode.l10n.t('{0} {1}', visibleLine(commit.shortId), titleOf(commit)),
			nothing:
				isMerge && parent !== undefined
					? vscode.l10n.t('This merge has the same files as its parent {0}.', shortId(parent))
					: vscode.l10n.t('This commit changes no files.'),
		},
		signal,
	);
}

type Other =
	| { readonly kind: 'revision' }
	| { readonly kind: 'working'; readonly file: vscode.Uri }
	| { readonly kind: 'other' };

async function compareRemote(
	context: RepositoriesContext,
	{ connectionKey, ref, at }: EntrySubject,
	signal: AbortSignal,
) {
	const name = shownName(nameOf(at.path));
	const here = { connectionKey, ref, path: at.path };
	const working = await fileInClone(context.clones, here, signal);
	const other = await choose<Other>(vscode.l10n.t('Choose what to compare {0} with', name), [
		{ label: vscode.l10n.t('The same file at another branch, tag or commit…'), value: { kind: 'revision' } },
		...(working
			? [{ label: vscode.l10n.t('The file in my clone'), value: { kind: 'working', file: working } as const }]
			: []),
		{ label: vscode.l10n.t('Another file on this computer…'), value: { kind: 'other' } },
	]);
	switch (other.kind) {
		case 'working':
			return compareBoth(context, { ...here, revision: at.ref }, other.file, signal);
		case 'other':
			return compareBoth(context, { ...here, revision: at.ref }, await askLocal(), signal);
		case 'revision': {
			const revision = await askRevision(context, here, signal);
			const [before, after] = [
				await readFile(context, { ...here, revision }, signal),
				await readFile(context, { ...here, revision: at.ref }, signal),
			];
			if (before && after) {
				await openFile(here, { before, after });
			}
		}
	}
}

function askRevision(
	{ connections }: RepositoriesContext,
	{ connectionKey, ref, path }: RemotePath,
	signal: AbortSignal,
) {
	const connection = connectionOf(connections, { connectionKey });
	const title = vscode.l10n.t('Choose a branch, tag or commit to compare {0} with', shownName(nameOf(path)));
	return pickReference({ title, connection, ref }, signal);
}

interface AtRevision extends RemotePath {
	readonly revision: string;
}

async function compareBoth(context: RepositoriesContext, remote: AtRevision, local: vscode.Uri, signal: AbortSignal) {
	const at = await readFile(context, remote, signal);
	if (at) {
		const name = shownName(nameOf(remote.path));
		const title = vscode.l10n.t('{0} ({1} → working file)', name, shownOf(remote.revision));
		await openDiff(uriOf(remote, at), local, title, { preview: true });
	}
}

/**
 * Place of a file at the revision's commit, loaded in advance because the editor hides the reason of a failed read.
 * `undefined`, after a message, if the file is missing.
 */
async function readFile(
	{ connections }: RepositoriesContext,
	{ connectionKey, ref, path, revision }: AtRevision,
	signal: AbortSignal,
): Promise<TreePath | undefined> {
	const { repositories } = connectionOf(connections, { connectionKey });
	try {
		return await withProgress(vscode.l10n.t('Loading {0}…', shownName(path)), signal, async (working) => {
			const standing = await repositories.newestPinned(ref, revision, working);
			const at = { ref: standing?.commit.id ?? revision, path };
			const found = await repositories.folders.find(ref, at, working);
			if (found.kind === 'entry' && isBlob(found.entry)) {
				await repositories.objects.size(ref, found.entry.id, working);
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
async function askRemote(context: RepositoriesContext, local: vscode.Uri, signal: AbortSignal): Promise<RemotePath> {
	if (context.connections.all().length === 0) {
		await offer(vscode.l10n.t('You are not signed in. Sign in to see repositories.'), {
			label: vscode.l10n.t('Sign In…'),
			command: 'forge.accounts.signIn',
		});
		throw cancelled();
	}
	const { connectionKey, ref } = await askRepository(context.connections, 'any', signal);
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
