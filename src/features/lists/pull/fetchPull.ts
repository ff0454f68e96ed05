import * as vscode from 'vscode';
import { cancelled, confirmOrCancel } from '../../../editor/ask/ask.ts';
import { notify, tellBriefly } from '../../../editor/ask/notify.ts';
import type { CommandTable } from '../../../editor/commands/feature.ts';
import { fetchedName, fetchIntoClone, type Fetched } from '../../../machine/git/fetchIntoClone.ts';
import { GitFailure } from '../../../machine/git/gitFailure.ts';
import { visibleLine } from '../../../engine/text/visible.ts';
import { toldOfGit, askedByGit, tellNetworkFailure } from '../apply/askedByGit.ts';
import { shortId } from '../apply/askPlace.ts';
import { chooseClone, clonesNow, folderName, tellNoClone } from '../apply/openClone.ts';
import type { ListsDesk } from '../parts/listsDesk.ts';
import { noCommitsText, pullOf } from './pullChanges.ts';

/** The command that fetches what a mail asks to pull into a clone. */
export function fetchPullCommands(parts: ListsDesk): CommandTable {
	return toldOfGit(parts, {
		'forge.lists.fetchPull': (subject, signal) => fetchPull(parts, subject, signal),
	});
}

/** Asks for the clone, shows source and target, and fetches. Throws `GitFailure`. */
async function fetchPull(parts: ListsDesk, subject: unknown, signal: AbortSignal): Promise<void> {
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
	const question = vscode.l10n.t('Fetch "{0}" into {1}?', visibleLine(what), folderName(root));
	await confirmOrCancel(question, detail, vscode.l10n.t('Fetch'));
	const doing = vscode.l10n.t('Fetching {0}…', visibleLine(what));
	const request = { folder: root.fsPath, address, what, ...fetchedAs };
	const fetched = await askedByGit(
		parts,
		doing,
		(network, working) => fetchIntoClone(network, request, working),
		signal,
	);
	tellFetched(parts, fetched, { what: visibleLine(what), name: visibleLine(name), upTo: pull.upTo });
}

interface FetchedWords {
	readonly what: string;
	readonly name: string;
	/** The commit that the mail names as the last one, or the beginning of its id. */
	readonly upTo: string | undefined;
}

function tellFetched(parts: ListsDesk, fetched: Fetched, { what, name, upTo }: FetchedWords): void {
	switch (fetched.kind) {
		case 'fetched':
			void (upTo === undefined || fetched.commit.startsWith(upTo)
				? notify('information', vscode.l10n.t('Fetched "{0}" as {1}.', what, name))
				: notify('warning', otherTipText(what, name, fetched.commit, upTo)));
			return;
		case 'noCommit':
			void notify('error', vscode.l10n.t('"{0}" does not lead to a commit.', what));
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

/** Somebody pushed after the mail, or the mail contradicts itself. */
function otherTipText(...[what, name, commit, upTo]: readonly [string, string, string, string]): string {
	return vscode.l10n.t(
		'Fetched "{0}" as {1}, but it ends at commit {2}, and the message names {3}. Review its commits before you merge them.',
		what,
		name,
		shortId(commit),
		shortId(upTo),
	);
}
