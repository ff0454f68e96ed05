import * as vscode from 'vscode';
import { cancelled } from '../../../editor/ask/ask.ts';
import { askForProgram } from '../../../editor/ask/askForProgram.ts';
import { notify } from '../../../editor/ask/notify.ts';
import { withProgress } from '../../../editor/ask/progress.ts';
import { GitFailure, type CloneTrouble, type NetworkFailure } from 'hardened-git/gitFailure.ts';
import type { GitNetwork } from 'hardened-git/hardenedGit.ts';
import type { ListsContext } from '../../lists/context/listsContext.ts';

/**
 * Runs a network operation of git with progress; git's questions appear in a box. Throws `cancelled()` if the user
 * closed a question and git failed for that reason.
 */
export async function withGitQuestions<T extends { readonly kind: string }>(
	parts: ListsContext,
	title: string,
	work: (network: GitNetwork, signal: AbortSignal) => Promise<T>,
	signal: AbortSignal,
): Promise<T> {
	let isDeclined = false;

	const done = await withProgress(title, signal, (working) =>
		parts.withAskPass(
			async (question, asking) => {
				const reply = await askForProgram(title, question, asking);
				isDeclined ||= reply === undefined;
				return reply;
			},
			working,
			(askPass) => work({ ...parts, askPass }, working),
		),
	);
	if (isDeclined && done.kind === 'failed') {
		throw cancelled();
	}
	return done;
}

/** Messages for one operation of git, each with the next step. */
interface NetworkWords {
	readonly notAllowed: string;
	readonly missing: string;
	readonly other: string;
}

/** Logs the last words of git, or of a server. */
export function logComplaint({ problems }: ListsContext, complaint: string): void {
	problems.log(new GitFailure({ kind: 'failed', program: 'git' }, complaint));
}

/** Says why git could not talk to a server. */
export function tellNetworkFailure(parts: ListsContext, { trouble, complaint }: NetworkFailure, words: NetworkWords) {
	logComplaint(parts, complaint);
	const texts: Readonly<Record<CloneTrouble, string>> = {
		notAllowed: words.notAllowed,
		hostKey: vscode.l10n.t('SSH does not accept the key of this host. Connect once in a terminal and compare it.'),
		hostKeyChanged: vscode.l10n.t(
			'SSH does not accept the key of this host. Connect once in a terminal and compare it.',
		),
		missing: words.missing,
		unreachable: vscode.l10n.t('Git could not reach the server. Check the network and try again.'),
		diskFull: words.other,
		cancelled: words.other,
		other: words.other,
	};
	void notify('error', texts[trouble]);
}
