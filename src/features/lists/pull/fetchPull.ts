import * as vscode from 'vscode';
import { cancelled } from '../../../editor/ask/ask.ts';
import { confirm, notify, tellBriefly } from '../../../editor/ask/notify.ts';
import type { CommandTable } from '../../../editor/commands/feature.ts';
import { isObjectId } from '../../../git/objectId.ts';
import { fetchIntoClone, type Fetched } from '../../../localGit/fetchIntoClone.ts';
import { GitFailure } from '../../../localGit/gitFailure.ts';
import type { PullRequestMail } from '../../../series/seriesReading.ts';
import { visibleLine } from '../../../text/visible.ts';
import { toldOfGit, type CloneParts } from '../apply/applyParts.ts';
import { askedByGit, networkTroubleText, type NetworkWords } from '../apply/askedByGit.ts';
import { chooseClone, clonesNow, folderName, tellNoClone } from '../apply/openClone.ts';
import type { ListsParts } from '../parts/listsParts.ts';
import { noCommitsText, pullOf } from './pullChanges.ts';

export type FetchPullParts = ListsParts & CloneParts;

/** The command that fetches what a mail asks to pull into a clone. */
export function fetchPullCommands(parts: FetchPullParts): CommandTable {
	return toldOfGit(parts, {
		'forge.lists.fetchPull': (subject, signal) => fetchPull(parts, subject, signal),
	});
}

/** The name under which clones have what was fetched: that of no remote that anybody configures. */
const remote = 'forge-desk';

/** Asks which clone, shows what is fetched from where, and fetches. Throws `GitFailure`. */
async function fetchPull(parts: FetchPullParts, subject: unknown, signal: AbortSignal): Promise<void> {
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
	const branch = branchFor(what);
	const name = `${remote}/${branch}`;
	const detail = [
		vscode.l10n.t('From: {0}', visibleLine(address)),
		vscode.l10n.t('Git runs in a folder of its own, so hooks, filters and other settings of the clone have no effect.'),
		vscode.l10n.t('The clone gets the commits as {0}. Its branches and files are not changed.', visibleLine(name)),
	].join('\n');
	const question = vscode.l10n.t('Fetch "{0}" into {1}?', visibleLine(what), folderName(root));
	if (!(await confirm(question, detail, vscode.l10n.t('Fetch')))) {
		throw cancelled();
	}
	const doing = vscode.l10n.t('Fetching {0}…', visibleLine(what));
	const request = { folder: root.fsPath, address, what, remote, branch };
	const fetched = await askedByGit(
		parts,
		doing,
		(network, working) => fetchIntoClone(network, request, working),
		signal,
	);
	tellFetched(parts, fetched, { what: visibleLine(what), name: visibleLine(name) });
}

/** A branch or tag keeps its name; a commit, and what nobody names, has a part of its id or `HEAD`. */
function branchFor(what: NonNullable<PullRequestMail['reference']>): string {
	return isObjectId(what) ? what.slice(0, 10) : what.replace(/^refs\/(?:heads|tags)\//, '');
}

function tellFetched(
	{ problems }: Pick<FetchPullParts, 'problems'>,
	fetched: Fetched,
	{ what, name }: { readonly what: string; readonly name: string },
): void {
	switch (fetched.kind) {
		case 'fetched':
			void notify('information', vscode.l10n.t('Fetched "{0}" as {1}.', what, name));
			return;
		case 'noCommit':
			void notify('error', vscode.l10n.t('"{0}" does not lead to a commit.', what));
			return;
		case 'failed':
			problems.log(new GitFailure({ kind: 'failed', program: 'git' }, fetched.complaint));
			void notify('error', networkTroubleText(fetched.trouble, fetchWords()));
	}
}

function fetchWords(): NetworkWords {
	return {
		notAllowed: vscode.l10n.t(
			'The server denied access to git. Check your user name, password or SSH key, then fetch again.',
		),
		missing: vscode.l10n.t('The repository to fetch from does not exist, or you cannot access it.'),
		other: vscode.l10n.t('Git could not fetch. See the log for details.'),
	};
}
