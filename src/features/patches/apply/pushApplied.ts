import * as vscode from 'vscode';
import { isSameValue } from '../../../base/isSameValue.ts';
import { askFor, cancelled, choose, confirmOrCancel, type Choice } from '../../../editor/ask/ask.ts';
import { namesText, notify, tellBriefly } from '../../../editor/ask/notify.ts';
import { withProgress } from '../../../editor/ask/progress.ts';
import { isRecord } from '../../../editor/commands/subjects.ts';
import type { GitRemote } from '../../../editor/git/gitApi.ts';
import { repositoriesMoved } from '../../../editor/git/upstreamMoves.ts';
import { branchIn, headCommit } from 'hardened-git/applyState.ts';
import { isSafeRefName } from 'hardened-git/gitNames.ts';
import { pushCommit } from 'hardened-git/pushCommit.ts';
import { visibleLine } from '../../../engine/text/visible.ts';
import { subjectOrInFront } from '../../lists/subjects/givenSubject.ts';
import { patchsetOf } from '../../lists/subjects/listTargets.ts';
import type { ApplyContext, AppliedPatchset } from './savedApplied.ts';
import { withGitQuestions, logComplaint, tellNetworkFailure } from './gitNetwork.ts';
import { shortId } from './askPlace.ts';
import { differenceNames, differencesIn } from './differences.ts';
import { clonesNow, type OpenClone } from './openClone.ts';
import { finishApplied } from './finishApplied.ts';
import { noteApplied } from './noteApplied.ts';

/** Asks for the destination, shows it, and pushes the checkout of an applied patchset. Never forces. */
export async function pushApplied(parts: ApplyContext, subject: unknown, signal: AbortSignal): Promise<void> {
	const applied = await appliedTarget(parts, subject, vscode.l10n.t('Choose the patchset to push'));
	const { folder, root } = applied;
	const clones = await clonesNow(parts.findGit, signal);
	const clone = (await cloneIn(parts, clones, root)) ?? (await cloneIn(parts, clones, folder));
	const remotes = (clone?.state.remotes ?? []).filter((remote) => addressOf(remote) !== '');
	if (!clone || remotes.length === 0) {
		void notify(
			'information',
			vscode.l10n.t('Open the clone in this window, with a remote to push to, then try again.'),
		);
		return;
	}
	const commit = await headCommit(parts.git, folder, signal);
	const branch = await branchIn(parts.git, folder, signal);
	const to = await askDestination(parts, clone, remotes, branch);
	// The user may have amended commits since git applied them.
	const others = await withProgress(vscode.l10n.t('Comparing commits with patches…'), signal, (working) =>
		differencesIn(parts, applied, commit, working),
	);
	const where = `${visibleLine(to.branch)} (${visibleLine(to.remote)})`;
	// A push sends the current checkout, possibly another branch by now.
	const isMoved = applied.after !== undefined && commit !== applied.after;
	const moved = vscode.l10n.t(
		'This is not the commit that applying made ({0}). All commits up to the one that is checked out now are pushed.',
		shortId(applied.after ?? ''),
	);
	const compared =
		others === 'unknown'
			? [vscode.l10n.t('The commits could not be compared with the patches.')]
			: [vscode.l10n.t('Commits that differ from the shown patches:'), namesText(differenceNames(others))];
	const detail = [
		vscode.l10n.t('Patchset: {0}', visibleLine(applied.title)),
		vscode.l10n.t('URL: {0}', visibleLine(to.address)),
		vscode.l10n.t('Commit: {0}', shortId(commit)),
		...(isMoved ? [moved] : []),
		...(others.length === 0 ? [] : compared),
		vscode.l10n.t('The push removes no commit of the remote branch.'),
	].join('\n');
	await confirmOrCancel(vscode.l10n.t('Push to {0}?', where), detail, vscode.l10n.t('Push'));
	const title = vscode.l10n.t('Pushing to {0}…', where);
	const pushed = await withGitQuestions(
		parts,
		title,
		(network, working) => pushCommit(network, { folder, commit, ...to }, working),
		signal,
	);
	switch (pushed.kind) {
		case 'pushed':
		case 'upToDate': {
			const text =
				pushed.kind === 'pushed'
					? vscode.l10n.t('Pushed to {0}.', where)
					: vscode.l10n.t('{0} already has these commits.', where);
			const { remote, branch: pushedTo, address } = to;
			// Also of other accounts: the patches may come from an archive.
			const moved = repositoriesMoved(clone, remote, parts.connections);
			const repository = moved.find(({ connection }) => connection.key === applied.subject.connectionKey)?.ref;
			const pushedNow = { remote, branch: pushedTo, address, repository, atMs: parts.clock.nowMs() };
			await noteApplied(parts, applied, commit, pushedNow, signal);
			await finishApplied(parts, applied.subject, text, signal);
			return;
		}
		case 'behind':
			void notify(
				'error',
				vscode.l10n.t(
					'{0} has commits that this branch does not. Rebase the branch in a terminal, then push again.',
					where,
				),
			);
			return;
		case 'refused':
			logComplaint(parts, pushed.complaint);
			void notify('error', vscode.l10n.t('The server rejected the push to {0}. See the log for details.', where));
			return;
		case 'failed':
			tellNetworkFailure(parts, pushed, {
				notAllowed: vscode.l10n.t(
					'The server denied access to git. Check your user name, password or SSH key, then push again.',
				),
				missing: vscode.l10n.t('The repository to push to does not exist, or you cannot access it.'),
				other: vscode.l10n.t('Git could not push. See the log for details.'),
			});
	}
}

/** The editor may name a folder differently from its record. */
async function cloneIn({ folderKey }: ApplyContext, clones: readonly OpenClone[], folder: string) {
	const key = await folderKey(folder);
	for (const clone of clones) {
		if ((await folderKey(clone.root.fsPath)) === key) {
			return clone;
		}
	}
	return undefined;
}

/**
 * The applied patchset of the given folder, or of the thing in front. Asks if that one is in no clone or in several.
 * Throws `cancelled()`, after a message, if there is none at all.
 */
export async function appliedTarget(
	{ applied, connections, pages }: ApplyContext,
	subject: unknown,
	title: string,
): Promise<AppliedPatchset> {
	const all = applied.all().filter(({ after }) => after !== undefined);
	const folder = isRecord(subject) ? subject['folder'] : undefined;
	const given = all.find((each) => each.folder === folder);
	if (given) {
		return given;
	}
	if (all.length === 0) {
		tellBriefly(vscode.l10n.t('No patchset was applied yet.'));
		throw cancelled();
	}
	const meant = subjectOrInFront(pages, subject);
	const wanted = meant && patchsetOf(connections, meant);
	const ofIt = all.filter((each) => wanted !== undefined && isSameValue(each.subject, wanted));
	const [only] = ofIt;
	if (only && ofIt.length === 1) {
		return only;
	}
	return choose(
		title,
		(only ? ofIt : all).map((each) => ({
			label: visibleLine(each.title),
			description: visibleLine(each.branch ?? ''),
			detail: visibleLine(each.folder),
			value: each,
		})),
	);
}

interface Destination {
	readonly remote: string;
	readonly branch: string;
	readonly address: string;
}

function addressOf({ pushUrl, fetchUrl }: GitRemote): string {
	return pushUrl ?? fetchUrl ?? '';
}

/** The branch that the clone follows first, then one of the same name as the branch here, on each remote. */
async function askDestination(
	{ pushAddress }: ApplyContext,
	clone: OpenClone,
	remotes: readonly GitRemote[],
	branch: string | undefined,
) {
	const { upstream } = clone.head;
	const rank = ({ name }: GitRemote): number => (name === upstream?.remote ? 0 : name === 'origin' ? 1 : 2);
	const choices = remotes
		.toSorted((one, other) => rank(one) - rank(other))
		.flatMap((remote): readonly Choice<Destination | GitRemote>[] => {
			const { name } = remote;
			const address = pushAddress(addressOf(remote));
			const followed =
				upstream?.remote === name ? [upstream.name] : clone.head.name === undefined ? [] : [clone.head.name];
			const names = Array.from(new Set([...followed, ...(branch === undefined ? [] : [branch])]));
			const on = { description: visibleLine(name), detail: visibleLine(address) };
			return [
				...names.map((each) => ({
					...on,
					label: visibleLine(each),
					iconPath: new vscode.ThemeIcon('git-branch'),
					value: { remote: name, branch: each, address },
				})),
				{ ...on, label: vscode.l10n.t('Another Branch…'), iconPath: new vscode.ThemeIcon('edit'), value: remote },
			];
		});
	const chosen = await choose(vscode.l10n.t('Choose the branch to push to'), choices);
	if ('branch' in chosen) {
		return chosen;
	}
	const typed = await askFor({
		title: vscode.l10n.t('Name of the branch on {0}', visibleLine(chosen.name)),
		...(branch === undefined ? {} : { value: branch }),
		complaint: (name) => (isSafeRefName(name.trim()) ? undefined : vscode.l10n.t('Enter a valid branch name.')),
	});
	return { remote: chosen.name, branch: typed, address: pushAddress(addressOf(chosen)) };
}
