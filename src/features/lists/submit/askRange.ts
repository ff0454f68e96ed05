import * as vscode from 'vscode';
import { cancelled, choose, type Choice } from '../../../editor/ask/ask.ts';
import { notify } from '../../../editor/ask/notify.ts';
import { withProgress } from '../../../editor/ask/progress.ts';
import { isSafeRefName } from '../../../localGit/gitNames.ts';
import { localCommits, mergeBase, revisionCommit, type LocalCommit } from '../../../localGit/localSeries.ts';
import { shortLine, visibleLine } from '../../../text/visible.ts';
import type { OpenClone } from '../apply/openClone.ts';
import { mostCommits } from './readSeries.ts';
import type { SubmitParts } from './submitParts.ts';
import { commitsText } from './submitWords.ts';

export interface CommitRange {
	/** Parent of the first commit. */
	readonly base: string;
	readonly tip: string;
	/** Oldest first. */
	readonly commits: readonly LocalCommit[];
}

interface Candidate extends CommitRange {
	/** Short name of the branch that the range starts from. */
	readonly since: string;
}

/** So many of the newest commits can be chosen from. */
const mostShown = 50;

/** Asks which commits to send: those since the upstream or the default branch, or from one to another. Throws `cancelled()`. */
export async function askRange(parts: SubmitParts, clone: OpenClone, signal: AbortSignal): Promise<CommitRange> {
	const tip = clone.head.commit ?? '';
	const root = clone.root.fsPath;
	const [known, newest] = await withProgress(vscode.l10n.t('Reading commits…'), signal, async (working) => [
		await candidates(parts, clone, working),
		await localCommits(parts.git, root, { since: undefined, tip, count: mostShown + 1 }, working),
	]);
	const chosen = await choose<CommitRange | undefined>(vscode.l10n.t('Choose the commits to send'), [
		...known.map(rangeChoice),
		{
			label: vscode.l10n.t('Choose First and Last Commit…'),
			detail: vscode.l10n.t('Sends them and all commits between them.'),
			iconPath: new vscode.ThemeIcon('git-commit'),
			value: undefined,
		},
	]);
	return chosen ?? (await askEnds(parts, root, newest, signal));
}

function rangeChoice(range: Candidate): Choice<CommitRange> {
	return {
		label: vscode.l10n.t('{0} since {1}', commitsText(range.commits.length), visibleLine(range.since)),
		detail: shortLine(range.commits.map(({ subject }) => subject).join(' · '), 300),
		iconPath: new vscode.ThemeIcon('git-branch'),
		value: range,
	};
}

async function candidates(
	{ git }: Pick<SubmitParts, 'git'>,
	{ root, head, state }: OpenClone,
	signal: AbortSignal,
): Promise<readonly Candidate[]> {
	const { upstream, commit: tip = '' } = head;
	const remotes = new Set(['origin', ...state.remotes.map(({ name }) => name)]);
	const branches = new Set([
		...(upstream ? [upstreamName(upstream)] : []),
		...Array.from(remotes).flatMap((remote) => ['HEAD', 'main', 'master'].map((name) => remoteName(remote, name))),
	]);
	const found = new Map<string, Candidate>();
	// Others choose names of remotes and branches; never pass unsafe ones to git.
	for (const branch of Array.from(branches).filter(isSafeRefName)) {
		const other = await revisionCommit(git, root.fsPath, branch, signal);
		const base = other === undefined ? undefined : await mergeBase(git, root.fsPath, [tip, other], signal);
		if (base !== undefined && base !== tip && !found.has(base)) {
			const commits = await localCommits(git, root.fsPath, { since: base, tip, count: mostCommits + 1 }, signal);
			if (commits.length <= mostCommits) {
				found.set(base, { since: branch.replace(/^refs\/(?:heads|remotes)\//, ''), base, tip, commits });
			}
		}
	}
	return [...found.values()];
}

/** Git writes `.` as remote for a local upstream. */
function upstreamName({ remote, name }: { readonly remote: string; readonly name: string }): string {
	return remote === '.' ? `refs/heads/${name}` : remoteName(remote, name);
}

function remoteName(remote: string, name: string): string {
	return `refs/remotes/${remote}/${name}`;
}

/** `newest`: one more than the list offers, if there are more; oldest first. */
async function askEnds(
	{ git }: Pick<SubmitParts, 'git'>,
	root: string,
	newest: readonly LocalCommit[],
	signal: AbortSignal,
): Promise<CommitRange> {
	const shown = newest.slice(-mostShown);
	// A root commit has no parent, a merge has several.
	const firsts = shown.filter(({ parents }) => parents.length === 1);
	if (firsts.length === 0) {
		void notify('information', vscode.l10n.t('No commit of this branch can be sent as a patch.'));
		throw cancelled();
	}
	const first = await choose(
		vscode.l10n.t('Choose the first commit to send'),
		firsts.toReversed().map(commitChoice),
		newest.length > mostShown ? vscode.l10n.t('Older commits are not listed.') : undefined,
	);
	const lasts = withLater(first, shown);
	const last =
		lasts.length === 1
			? first
			: await choose(vscode.l10n.t('Choose the last commit to send'), lasts.toReversed().map(commitChoice));
	const [base = ''] = first.parents;
	const commits = await withProgress(vscode.l10n.t('Reading commits…'), signal, (working) =>
		localCommits(git, root, { since: base, tip: last.id, count: mostCommits + 1 }, working),
	);
	return { base, tip: last.id, commits };
}

function commitChoice(commit: LocalCommit): Choice<LocalCommit> {
	return {
		label: visibleLine(commit.subject),
		description: commit.id.slice(0, 10),
		iconPath: new vscode.ThemeIcon('git-commit'),
		value: commit,
	};
}

/** A commit and its descendants, in the order of `all` (by time). */
function withLater(first: LocalCommit, all: readonly LocalCommit[]): readonly LocalCommit[] {
	const later = new Map([[first.id, first]]);
	for (const commit of all) {
		if (commit.parents.some((id) => later.has(id))) {
			later.set(commit.id, commit);
		}
	}
	return [...later.values()];
}
