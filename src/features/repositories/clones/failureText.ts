import * as vscode from 'vscode';
import type { CommandHandler } from '../../../editor/commands/feature.ts';
import { notify } from '../../../editor/ask/notify.ts';
import type { Problems } from '../../../editor/ask/problems.ts';
import { notTrustedText, tellNotTrusted } from '../../../editor/commands/trust.ts';
import { GitFailure, type CloneTrouble, type GitProblem } from 'hardened-git/gitFailure.ts';
import { visibleLine } from '../../../engine/text/visible.ts';

/** A git problem on this machine with the next step. */
export function failureText(problem: GitProblem): string {
	switch (problem.kind) {
		case 'notTrusted':
			return notTrustedText();
		case 'programMissing':
			return vscode.l10n.t(
				'The program {0} was not found. Install it, or set where git is in the settings, and try again.',
				problem.program,
			);
		case 'tooOld':
			return vscode.l10n.t('This needs git 2.32 or newer, not {0}. Update git, then try again.', problem.version);
		case 'folderMissing':
			return vscode.l10n.t(
				'The folder {0} no longer exists. Close its repository in the Source Control view, or open another one.',
				visibleLine(problem.folder),
			);
		case 'refused':
			return {
				address: vscode.l10n.t('This repository has no URL that is safe to pass to git. Check its name.'),
				branch: vscode.l10n.t('The name of this branch is not safe to pass to git. Choose another one.'),
				command: vscode.l10n.t('This command has characters that cannot be shown, so it was not run.'),
				commit: vscode.l10n.t('This is not a full commit id, so git was not run. Choose a commit.'),
				folder: vscode.l10n.t('This folder name is not valid on all systems. Choose another one.'),
				mail: vscode.l10n.t('This message has an email address that is not safe to pass to git. Check its recipients.'),
				sender: vscode.l10n.t(
					'The git setting sendemail.from or sendemail.identity cannot be used here. Write the sender as Name <address>, and the identity without an equals sign.',
				),
			}[problem.what];
		case 'tooSlow':
			return vscode.l10n.t('Git took too long and was stopped. Try again.');
		case 'tooMuch':
			return vscode.l10n.t('Git returned more than can be shown and was stopped. Ask for less and try again.');
		case 'folderTaken':
			return vscode.l10n.t('Something with that name already exists and was not changed. Choose another name.');
		case 'folderNotMade':
			return vscode.l10n.t(
				'The folder could not be created there ({0}). Choose another place.',
				visibleLine(problem.code),
			);
		case 'notCloned':
			return problem.isRemoved
				? vscode.l10n.t('{0} The incomplete folder was removed.', troubleText(problem.trouble))
				: vscode.l10n.t(
						'{0} The incomplete folder could not be removed and is still there.',
						troubleText(problem.trouble),
					);
		case 'notOwned':
			return vscode.l10n.t(
				'Git does not open the folder {0}, because another user owns it. If you trust it, run "git config --global --add safe.directory" with that folder in a terminal, then try again.',
				visibleLine(problem.folder),
			);
		case 'lacksFiles':
			return vscode.l10n.t(
				'This partial clone lacks files that are needed. Run "git fetch --refetch --no-filter" in its folder, then try again. Git before 2.36 needs a new clone.',
			);
		case 'failed':
			return vscode.l10n.t('The program {0} failed. See the log for details.', problem.program);
	}
}

function troubleText(trouble: CloneTrouble): string {
	return {
		cancelled: vscode.l10n.t('Cloning was cancelled.'),
		missing: vscode.l10n.t(
			"The repository doesn't exist, or you don't have access to it. Clone a private repository over SSH.",
		),
		notAllowed: vscode.l10n.t(
			'The forge denied access to git. Over SSH it needs a key that the forge knows; one with a passphrase has to be in an agent.',
		),
		hostKey: vscode.l10n.t('SSH does not know the key of this host. Connect once in a terminal and compare it.'),
		hostKeyChanged: vscode.l10n.t(
			'The key of this host is not the one that SSH knows. The connection may be intercepted: compare the key with the one that the forge publishes.',
		),
		unreachable: vscode.l10n.t('Git could not reach the forge. Check the network and try again.'),
		diskFull: vscode.l10n.t('There is not enough disk space for the clone. Free some space and try again.'),
		other: vscode.l10n.t('Git could not create the clone. See the log for details.'),
	}[trouble];
}

/** Shows it with its next step. Resolves when the notice is gone. */
export async function tellFailure(problem: GitProblem): Promise<void> {
	if (problem.kind === 'notTrusted') {
		return tellNotTrusted('error');
	}
	const isWanted = problem.kind === 'notCloned' && problem.trouble === 'cancelled';
	await notify(isWanted ? 'information' : 'error', failureText(problem));
}

/** Shows git failures in git's own words; rethrows all others to the command runner. */
export function tellingOfGit(problems: Problems, handler: CommandHandler): CommandHandler {
	return async (subject, signal, selected) => {
		try {
			await handler(subject, signal, selected);
		} catch (error) {
			if (!(error instanceof GitFailure)) {
				throw error;
			}
			problems.log(error);
			void tellFailure(error.problem);
		}
	};
}
