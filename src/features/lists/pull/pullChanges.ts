import * as vscode from 'vscode';
import { copyText } from '../../../editor/ask/copyText.ts';
import { notify, tellBriefly } from '../../../editor/ask/notify.ts';
import { withProgress } from '../../../editor/ask/progress.ts';
import { connectionOf } from '../../../editor/commands/subjects.ts';
import type { RepositoryRef } from '../../../forge/port/repository.ts';
import { isObjectId } from '../../../engine/git/objectId.ts';
import { fetchCommand } from '../../../engine/series/fetchCommand.ts';
import { pullRequestIn } from '../../../engine/series/pullRequest.ts';
import type { PullRequestMail } from '../../../engine/series/seriesReading.ts';
import type { Connection, Connections } from '../../../store/connection.ts';
import { repositoryOfRemote } from '../../../engine/text/remoteAddress.ts';
import { visibleLine } from '../../../engine/text/visible.ts';
import { mailTarget } from '../subjects/listTargets.ts';
import type { ListsDesk } from '../parts/listsDesk.ts';

/** The source repository of a pull request with the account that reads it. */
export interface PulledRepository {
	readonly connection: Connection;
	readonly ref: RepositoryRef;
}

/** `undefined` if no connected forge has the address; `first` takes precedence. */
export function pulledRepository(
	{ repository }: PullRequestMail,
	connections: Connections,
	first?: Connection,
): PulledRepository | undefined {
	for (const connection of [...(first ? [first] : []), ...connections.all()]) {
		const ref = repositoryOfRemote(repository, connection.instance.areas.git);
		if (ref) {
			return { connection, ref };
		}
	}
	return undefined;
}

/** First and last commit of the pull request, if the mail names them. */
export function pulledCommits({
	since,
	upTo,
	reference,
}: PullRequestMail): { readonly before: string; readonly after: string } | undefined {
	const after = upTo ?? reference?.replace(/^refs\/(?:heads|tags)\//, '');
	return since === undefined || after === undefined || after === '' ? undefined : { before: since, after };
}

/** Of a mail that is no pull request, or an incomplete one. */
export function noCommitsText(): string {
	return vscode.l10n.t('This message does not say which commits to pull.');
}

/** Shows what pulling would bring: everything between the commit that the sender began at and the tip. */
export async function openPullChanges(parts: ListsDesk, subject: unknown, signal: AbortSignal): Promise<void> {
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

/** Copies the command that fetches what a mail asks to pull. */
export async function copyFetchCommand(parts: ListsDesk, subject: unknown, signal: AbortSignal): Promise<void> {
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
}

/** The command's mail and its pull request. */
export async function pullOf(
	parts: ListsDesk,
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
