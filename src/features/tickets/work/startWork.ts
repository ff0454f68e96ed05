import * as vscode from 'vscode';
import { isAbort } from '@forge-desk/base/abort.ts';
import { cancelled, choose } from '../../../editor/ask/ask.ts';
import { confirm, notify, tellBriefly } from '../../../editor/ask/notify.ts';
import { connectionOf } from '../../../editor/commands/subjects.ts';
import { ticketRefText } from 'sourcehut/port/ticket.ts';
import { dropTemplateOnBranch, putTemplateOnBranch } from 'hardened-git/templateOnBranch.ts';
import type { HardenedGit } from 'hardened-git/hardenedGit.ts';
import { withTrailer, type ActingTrailer, type Trailer } from 'patchmail/series/commitTrailers.ts';
import { visibleLine } from '../../../engine/text/visible.ts';
import type { TicketSubject } from '../subjects/subjects.ts';

import { branchName } from './branchName.ts';
import type { TicketsContext } from '../context/ticketsContext.ts';
import type { CommitBox } from './commitBox.ts';
import type { GitApi, GitRepository } from '../../../editor/git/gitApi.ts';
import { webAddress } from '../../../editor/links/webOf.ts';

/** Makes git's own template carry the trailer, on that branch alone; `undefined`: its commits carry none. */
export type CommitTemplate = (
	root: vscode.Uri,
	branch: string,
	trailer: Trailer | undefined,
	signal: AbortSignal,
) => Promise<void>;

/** Terminal commits bypass the editor's box, so git adds the trailer from its template. */
export function commitTemplate(git: HardenedGit): CommitTemplate {
	return ({ fsPath: root }, branch, trailer, signal) =>
		trailer
			? putTemplateOnBranch(git, { root, branch }, (own) => withTrailer(own, trailer), signal)
			: dropTemplateOnBranch(git, { root, branch }, signal);
}

export function noRepositoryText(git: GitApi | undefined): string {
	return git
		? vscode.l10n.t('No git repository is open in this window. Open its folder first.')
		: vscode.l10n.t('Git is disabled in this window. Turn on the setting git.enabled, then try again.');
}

/**
 * Creates or checks out a branch for a ticket. Puts the ticket's trailer into the commit box and into git's template.
 */
export async function startWork(
	context: TicketsContext,
	box: CommitBox,
	template: CommitTemplate,
	subject: TicketSubject,
	signal: AbortSignal,
): Promise<void> {
	const git = await context.findGit(signal);
	const [first] = git?.repositories ?? [];
	if (!git || !first) {
		void notify('information', noRepositoryText(git));
		return;
	}
	const repository = await repositoryFor(context, git, subject, signal);
	const connection = connectionOf(context.connections, subject);
	const { title } = await connection.tickets.ticket(subject.ref, signal);
	const pattern = vscode.workspace.getConfiguration('forge', repository.rootUri).get<unknown>('work.branchName');
	const { id, tracker } = subject.ref;
	const name = branchName(typeof pattern === 'string' ? pattern : '', { id, title, tracker: tracker.name });
	const key = await choose<ActingTrailer | undefined>(
		vscode.l10n.t('Which trailer should commits for {0} use?', visibleLine(ticketRefText(subject.ref))),
		[
			{ label: 'Fixes', description: vscode.l10n.t('A push resolves the ticket as fixed'), value: 'Fixes' },
			{
				label: 'Implements',
				description: vscode.l10n.t('A push resolves the ticket as implemented'),
				value: 'Implements',
			},
			{ label: 'Closes', description: vscode.l10n.t('A push resolves the ticket as closed'), value: 'Closes' },
			{
				label: 'References',
				description: vscode.l10n.t('A push mentions the commit in the ticket'),
				value: 'References',
			},
			{ label: vscode.l10n.t('No trailer'), value: undefined },
		],
	);
	await goToBranch(repository, name);
	const trailer = key && { key, value: webAddress(connection.instance, { kind: 'ticket', ref: subject.ref }) };
	await box.put(repository, name, trailer);
	box.follow(git);
	try {
		await template(repository.rootUri, name, trailer, signal);
	} catch (error) {
		if (isAbort(error)) {
			throw error;
		}
		context.problems.log(error);
		// The branch exists all the same.
		void notify(
			'warning',
			vscode.l10n.t(
				'The commit template of {0} could not be updated, so git commit in a terminal does not use the chosen trailer. See the log for details.',
				name,
			),
		);
	}
	tellBriefly(vscode.l10n.t('Branch {0} is for {1}', name, visibleLine(ticketRefText(subject.ref))));
}

/** The only repository, the only one that belongs to the ticket's tracker, or the one that is chosen. */
async function repositoryFor(
	{ folders }: TicketsContext,
	{ repositories }: GitApi,
	subject: TicketSubject,
	signal: AbortSignal,
): Promise<GitRepository> {
	const [only] = repositories;
	if (only && repositories.length === 1) {
		return only;
	}
	const { tracker } = subject.ref;
	const belongs = await Promise.all(repositories.map(({ rootUri }) => folders.of(rootUri, signal)));
	const fitting = repositories.filter((_, place) => {
		const ref = belongs[place]?.tracker?.ref;
		return ref?.owner === tracker.owner && ref.name.toLowerCase() === tracker.name.toLowerCase();
	});
	const [fits] = fitting;
	if (fits && fitting.length === 1) {
		return fits;
	}
	return choose(
		vscode.l10n.t('Choose the repository to work in'),
		repositories.map((repository) => ({
			label: visibleLine(vscode.workspace.asRelativePath(repository.rootUri, true)),
			description: visibleLine(repository.state.HEAD?.name ?? ''),
			value: repository,
		})),
	);
}

async function goToBranch(repository: GitRepository, name: string): Promise<void> {
	if (repository.state.HEAD?.name === name) {
		return;
	}
	const there = await repository.getRefs({ pattern: `refs/heads/${name}` });
	if (there.some((ref) => ref.name === name)) {
		await requireYes(
			vscode.l10n.t('The branch {0} already exists.', name),
			changesText(repository),
			vscode.l10n.t('Switch to It'),
		);
		return byGit(() => repository.checkout(name));
	}
	if (isDirty(repository)) {
		await requireYes(
			vscode.l10n.t('Create branch {0} with uncommitted changes?', name),
			changesText(repository),
			vscode.l10n.t('Create Branch'),
		);
	}
	return byGit(() => repository.createBranch(name, true));
}

async function requireYes(message: string, detail: string, action: string): Promise<void> {
	if (!(await confirm(message, detail, action))) {
		throw cancelled();
	}
}

function isDirty({ state }: GitRepository): boolean {
	return [state.mergeChanges, state.indexChanges, state.workingTreeChanges].some(({ length }) => length > 0);
}

function changesText(repository: GitRepository): string {
	return isDirty(repository)
		? vscode.l10n.t('The working tree has uncommitted changes. They will be carried over.')
		: '';
}

/** Shows git's own words, because users can search for them. */
async function byGit(work: () => Promise<void>): Promise<void> {
	try {
		await work();
	} catch (error) {
		if (!isAbort(error)) {
			const told = error instanceof Error && 'stderr' in error && typeof error.stderr === 'string' ? error.stderr : '';
			const words = told.trim() === '' && error instanceof Error ? error.message : told;
			void notify('error', vscode.l10n.t('Git failed: {0}', visibleLine(words).slice(0, 300)));
			throw cancelled();
		}
		throw error;
	}
}
