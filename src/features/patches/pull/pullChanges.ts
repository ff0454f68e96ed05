import * as vscode from 'vscode';
import { copyText } from '../../../editor/ask/copyText.ts';
import { notify, tellBriefly } from '../../../editor/ask/notify.ts';
import { withProgress } from '../../../editor/ask/progress.ts';
import { connectionOf } from '../../../editor/commands/subjects.ts';
import { isObjectId } from 'patchmail/git/objectId.ts';
import { fetchCommand } from 'patchmail/series/fetchCommand.ts';
import { pullRequestIn } from 'patchmail/series/pullRequest.ts';
import type { PullRequestMail } from 'patchmail/series/seriesReading.ts';
import type { Connection } from '../../../store/connection.ts';
import { visibleLine } from '../../../engine/text/visible.ts';
import { mailTarget } from '../../lists/subjects/listTargets.ts';
import { type ListsContext, withGitErrors } from '../../lists/context/listsContext.ts';
import { cancelled, confirmOrCancel } from '../../../editor/ask/ask.ts';
import type { CommandTable } from '../../../editor/commands/feature.ts';
import { fetchedName, fetchIntoClone } from 'hardened-git/fetchIntoClone.ts';
import { GitFailure } from 'hardened-git/gitFailure.ts';
import { withGitQuestions, tellNetworkFailure } from '../apply/gitNetwork.ts';
import { pulledCommits, pulledRepository, type PulledRepository } from '../../lists/mail/pullView.ts';
import { shortId } from '../apply/askPlace.ts';
import { chooseClone, clonesNow, folderName, tellNoClone } from '../apply/openClone.ts';

/** Of a mail that is no pull request, or an incomplete one. */
function noCommitsText(): string {
	return vscode.l10n.t('This message does not say which commits to pull.');
}

/** Shows what pulling would bring: everything between the commit that the sender began at and the tip. */
async function openPullChanges(parts: ListsContext, subject: unknown, signal: AbortSignal): Promise<void> {
	const { connection, pull } = await pullOf(parts, subject, signal);
	const commits = pull && pulledCommits(pull);
	if (!pull || !commits) {
		return tellBriefly(noCommitsText());
	}
	const from = pulledRepository(pull, parts.connections, connection);
	if (!from) {
		// Not awaited: the notice may stay open for hours.
		void tellElsewhere(pull).catch((error: unknown) => parts.problems.show(error));
		return;
	}
	const { key: connectionKey } = from.connection;
	const [before, after] = await withProgress(vscode.l10n.t('Searching for commits…'), signal, (working) =>
		Promise.all([fullId(from, commits.before, working), fullId(from, commits.after, working)]),
	);
	await vscode.commands.executeCommand('forge.repositories.compare', {
		kind: 'comparison',
		connectionKey,
		ref: from.ref,
		before,
		after,
	});
}

async function tellElsewhere(pull: PullRequestMail): Promise<void> {
	const message = vscode.l10n.t(
		'{0} is not on a forge that you are signed in to. Fetch it with git to see its commits.',
		visibleLine(pull.repository.slice(0, 200)),
	);
	const command = fetchCommand(pull);
	const copy = vscode.l10n.t('Copy Fetch Command');
	if (
		(await notify('information', message, ...(command === undefined ? [] : [copy]))) === copy &&
		command !== undefined
	) {
		await copyText(command);
	}
}

/** The command's mail and its pull request. */
async function pullOf(
	parts: ListsContext,
	subject: unknown,
	signal: AbortSignal,
): Promise<{ readonly connection: Connection; readonly pull: PullRequestMail | undefined }> {
	const mail = await mailTarget(parts, subject, signal);
	const connection = connectionOf(parts.connections, mail);
	const { reading } = await withProgress(vscode.l10n.t('Opening the message…'), signal, (working) =>
		connection.texts.read(mail.id, working),
	);
	return { connection, pull: pullRequestIn(reading) };
}

/** People cut ids short, and a mail may name nothing but a branch. */
async function fullId({ connection, ref }: PulledRepository, name: string, signal: AbortSignal): Promise<string> {
	return isObjectId(name) ? name : (await connection.repositories.folders.commit(ref, name, signal)).id;
}

/** Commands on mails that ask to pull commits. */
export function pullCommands(parts: ListsContext): CommandTable {
	return {
		'forge.lists.openPullChanges': (subject, signal) => openPullChanges(parts, subject, signal),
		'forge.lists.copyFetchCommand': async (subject, signal) => {
			const { pull } = await pullOf(parts, subject, signal);
			const command = pull && fetchCommand(pull);
			if (!pull) {
				return tellBriefly(noCommitsText());
			}
			if (command === undefined) {
				void notify('error', vscode.l10n.t('The URL in this message is not safe to use in a shell command.'));
				return;
			}
			await copyText(command);
		},
		...withGitErrors(parts, {
			'forge.lists.fetchPull': (subject, signal) => fetchPull(parts, subject, signal),
		}),
	};
}

/** Asks for the clone, shows source and target, and fetches. Throws `GitFailure`. */
async function fetchPull(parts: ListsContext, subject: unknown, signal: AbortSignal): Promise<void> {
	if (!parts.trust.isTrusted()) {
		throw new GitFailure({ kind: 'notTrusted' });
	}
	const { pull } = await pullOf(parts, subject, signal);
	if (!pull) {
		return tellBriefly(noCommitsText());
	}
	const [only, ...others] = await clonesNow(parts.findGit, signal);
	if (!only) {
		void tellNoClone();
		throw cancelled();
	}
	const title = vscode.l10n.t('Choose the clone to fetch into');
	const { root } = others.length === 0 ? only : await chooseClone(title, [only, ...others]);
	const address = pull.repository;
	const what = pull.reference ?? pull.upTo ?? 'HEAD';
	const fetchedAs = fetchedName(address, what);
	const name = `${fetchedAs.remote}/${fetchedAs.branch}`;
	const detail = [
		vscode.l10n.t('From: {0}', visibleLine(address)),
		vscode.l10n.t('Git runs in a folder of its own, so hooks, filters and other settings of the clone have no effect.'),
		vscode.l10n.t('The clone gets the commits as {0}. Its branches and files are not changed.', visibleLine(name)),
	].join('\n');
	const shown = visibleLine(what);
	const question = vscode.l10n.t('Fetch "{0}" into {1}?', shown, folderName(root));
	await confirmOrCancel(question, detail, vscode.l10n.t('Fetch'));
	const doing = vscode.l10n.t('Fetching {0}…', shown);
	const request = { folder: root.fsPath, address, what, ...fetchedAs };
	const fetched = await withGitQuestions(
		parts,
		doing,
		(network, working) => fetchIntoClone(network, request, working),
		signal,
	);
	const { upTo } = pull;
	switch (fetched.kind) {
		case 'fetched':
			// Somebody pushed after the mail, or the mail contradicts itself.
			void (upTo === undefined || fetched.commit.startsWith(upTo)
				? notify('information', vscode.l10n.t('Fetched "{0}" as {1}.', shown, visibleLine(name)))
				: notify(
						'warning',
						vscode.l10n.t(
							'Fetched "{0}" as {1}, but it ends at commit {2}, and the message names {3}. Review its commits before you merge them.',
							shown,
							visibleLine(name),
							shortId(fetched.commit),
							shortId(upTo),
						),
					));
			return;
		case 'noCommit':
			void notify('error', vscode.l10n.t('"{0}" does not lead to a commit.', shown));
			return;
		case 'failed':
			tellNetworkFailure(parts, fetched, {
				notAllowed: vscode.l10n.t(
					'The server denied access to git. Check your user name, password or SSH key, then fetch again.',
				),
				missing: vscode.l10n.t('The repository to fetch from does not exist, or you cannot access it.'),
				other: vscode.l10n.t('Git could not fetch. See the log for details.'),
			});
	}
}
