import * as vscode from 'vscode';
import { cancelled } from '../../../editor/ask/ask.ts';
import { askForProgram } from '../../../editor/ask/askForProgram.ts';
import { notify } from '../../../editor/ask/notify.ts';
import { withProgress } from '../../../editor/ask/progress.ts';
import type { AskPerson } from 'hardened-git/askPass.ts';
import { GitFailure, type CloneTrouble, type NetworkFailure } from 'hardened-git/gitFailure.ts';
import type { GitNetwork } from 'hardened-git/hardenedGit.ts';
import type { ListsDesk } from '../../lists/parts/listsDesk.ts';

/**
 * Runs a network operation of git with progress; git's questions appear in a box. Throws `cancelled()` if the user
 * closed a question and git failed for that reason.
 */
export async function askedByGit<T extends { readonly kind: string }>(
	parts: ListsDesk,
	title: string,
	work: (network: GitNetwork, signal: AbortSignal) => Promise<T>,
	signal: AbortSignal,
): Promise<T> {
	let isDeclined = false;
	const ask: AskPerson = async (question, asking) => {
		const reply = await askForProgram(title, question, asking);
		isDeclined ||= reply === undefined;
		return reply;
	};
	const done = await withProgress(title, signal, (working) =>
		parts.withAskPass(ask, working, (askPass) => work({ ...parts, askPass }, working)),
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
export function logComplaint({ problems }: ListsDesk, complaint: string): void {
	problems.log(new GitFailure({ kind: 'failed', program: 'git' }, complaint));
}

/** Says why git could not talk to a server. */
export function tellNetworkFailure(parts: ListsDesk, { trouble, complaint }: NetworkFailure, words: NetworkWords) {
	logComplaint(parts, complaint);
	void notify('error', networkTroubleText(trouble, words));
}

function networkTroubleText(trouble: CloneTrouble, words: NetworkWords): string {
	switch (trouble) {
		case 'notAllowed':
			return words.notAllowed;
		case 'hostKey':
		case 'hostKeyChanged':
			return vscode.l10n.t('SSH does not accept the key of this host. Connect once in a terminal and compare it.');
		case 'missing':
			return words.missing;
		case 'unreachable':
			return vscode.l10n.t('Git could not reach the server. Check the network and try again.');
		case 'diskFull':
		case 'cancelled':
		case 'other':
			return words.other;
	}
}
