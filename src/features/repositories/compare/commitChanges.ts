import * as vscode from 'vscode';
import { choose, type Choice } from '../../../editor/ask/ask.ts';
import { tellBriefly } from '../../../editor/ask/notify.ts';
import { withProgress } from '../../../editor/ask/progress.ts';
import { connectionOf } from '../../../editor/commands/subjects.ts';
import type { Commit } from '../../../forge/repository.ts';
import { changedFiles, pathOfFile } from '../../../state/repositories/history/changedFiles.ts';
import type { Connection } from '../../../state/connection.ts';
import { visibleLine } from '../../../text/visible.ts';
import type { RepositoriesParts } from '../parts/repositoriesParts.ts';
import { askCommit, askReference, askRepository } from '../questions/repositoryQuestions.ts';
import { repositoriesSubject, type CommitSubject, type RepositoriesSubject } from '../subjects/subjects.ts';
import { shownName, titleOf } from '../subjects/words.ts';
import { changeSubject } from '../subjects/changeSubject.ts';
import { openFile, openFiles, shortId, type Within, type WithinConnection } from './openFiles.ts';

/** Maximum number of parents to load, one request each; a server may send any number. */
const mostParents = 16;

/** Shows a commit's changes against its parent; asks if there are several. */
export async function openChanges(parts: RepositoriesParts, subject: unknown, signal: AbortSignal): Promise<void> {
	const { connectionKey, ref, id } = await commitTarget(parts, repositoriesSubject(subject), signal);
	const connection = connectionOf(parts.connections, { connectionKey });
	const commit = await withProgress(vscode.l10n.t('Loading commit {0}…', shownName(shortId(id))), signal, (working) =>
		connection.repositories.commit(ref, id, working),
	);
	const within = { connection, connectionKey, ref, problems: parts.problems };
	for (const parent of await parentTargets(within, commit, signal)) {
		await openAgainst(within, commit, parent, signal);
	}
}

interface InConnection extends Within {
	readonly connection: Connection;
}

async function commitTarget(
	parts: RepositoriesParts,
	given: RepositoriesSubject | undefined,
	signal: AbortSignal,
): Promise<CommitSubject> {
	if (given?.kind === 'commit') {
		return given;
	}
	const { connectionKey, ref } = given ?? (await askRepository(parts.connections, 'any', signal));
	const reference =
		given?.kind === 'reference'
			? given
			: await askReference(connectionOf(parts.connections, { connectionKey }), ref, signal);
	return askCommit(parts, reference, signal);
}

/** The first parent, or the ones that are chosen; nothing for the first commit of all. */
async function parentTargets(
	{ connection, ref }: InConnection,
	{ parents }: Commit,
	signal: AbortSignal,
): Promise<readonly (string | undefined)[]> {
	if (parents.length < 2) {
		return [parents[0]];
	}
	const offered = parents.slice(0, mostParents);
	if (offered.length < parents.length) {
		tellBriefly(vscode.l10n.t('Only the first {0} of {1} parents are offered.', offered.length, parents.length));
	}
	const commits = await withProgress(vscode.l10n.t('Loading the parents…'), signal, (working) =>
		Promise.all(offered.map((parent) => connection.repositories.commit(ref, parent, working))),
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

async function openAgainst(
	within: WithinConnection,
	commit: Commit,
	parent: string | undefined,
	signal: AbortSignal,
): Promise<void> {
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

/** Shows what became of one file between two commits. */
export async function openChange(parts: RepositoriesParts, subject: unknown, signal: AbortSignal): Promise<void> {
	const change = changeSubject(subject);
	if (!change) {
		return openChanges(parts, subject, signal);
	}
	const { repositories } = connectionOf(parts.connections, change);
	const { files } = await withProgress(vscode.l10n.t('Comparing…'), signal, (working) =>
		changedFiles(repositories, change, working),
	);
	const file = files.find((each) => pathOfFile(each) === change.path);
	if (!file) {
		tellBriefly(vscode.l10n.t('{0} is the same in both commits.', shownName(change.path)));
		return;
	}
	await openFile(change, file);
}
