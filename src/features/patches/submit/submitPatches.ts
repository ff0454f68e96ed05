import { addressOf, newMessageId, writerOf } from '../../lists/send/writer.ts';
import * as vscode from 'vscode';
import { isSameValue } from '../../../base/isSameValue.ts';
import { showDocument } from '../../../editor/documents/showDocument.ts';
import { cancelled, choose, confirmOrCancel, type Choice } from '../../../editor/ask/ask.ts';
import { notify, tellBriefly } from '../../../editor/ask/notify.ts';
import { withProgress } from '../../../editor/ask/progress.ts';
import { connectionOf, isRecord } from '../../../editor/commands/subjects.ts';
import { GitFailure } from 'hardened-git/gitFailure.ts';
import { isSafeRefName } from 'hardened-git/gitNames.ts';
import { diffStat, localCommits, mergeBase, revisionCommit, type LocalCommit } from 'hardened-git/localSeries.ts';
import { refText } from 'sourcehut/port/namedRef.ts';
import { subjectLine } from 'patchmail/mail/mailDraftText.ts';
import { isBlocking } from 'patchmail/series/sendChecks.ts';
import { shortLine, visibleLine } from '../../../engine/text/visible.ts';
import { chooseClone, clonesNow, tellNoClone, type OpenClone } from '../apply/openClone.ts';
import { sureAddress, noSenderText } from '../../lists/send/sendWords.ts';
import { listTarget } from '../../lists/subjects/listTargets.ts';
import { listsSubject, type ListSubject } from '../../lists/subjects/subjects.ts';
import { localReading } from './carriedTrailers.ts';
import { comparedWith, coverText } from './coverLetter.ts';
import { likelyCopies } from './earlierVersion.ts';
import { coverOf, listOf, type PreparedSeries } from './savedSeries.ts';
import { mostCommits } from './commitMails.ts';
import { readSeries } from './readSeries.ts';
import { seriesUri } from './seriesPreview.ts';
import { askPlan, likelyPlan, type CommitRange } from './submitPlan.ts';
import { coverFaultText, problemsDetail, commitsText } from './submitWords.ts';
import type { SubmitContext } from './submitContext.ts';

/** So many of the newest commits can be chosen from. */
const mostShown = 50;

/** Asks for commits, list and options, then shows the mails or opens the cover letter. Throws `GitFailure`. */
export async function submitPatches(parts: SubmitContext, subject: unknown, signal: AbortSignal): Promise<void> {
	if (!parts.trust.isTrusted()) {
		throw new GitFailure({ kind: 'notTrusted' });
	}
	const clone = await askSource(parts, subject, signal);
	const list = await listFor(parts, clone, subject, signal);
	const connection = connectionOf(parts.connections, list);
	const root = clone.root.fsPath;
	const [likely, newest] = await withProgress(vscode.l10n.t('Reading commits…'), signal, async (working) => [
		await candidates(parts, clone, working),
		await localCommits(
			parts.git,
			root,
			{ since: undefined, tip: clone.head.commit ?? '', count: mostShown + 1 },
			working,
		),
	]);
	const askRange = (): Promise<CommitRange> => askCommits(parts, root, { known: likely, newest }, signal);
	const range = likely[0]?.value ?? (await askRange());
	const writer = await writerOf(connection, parts, root, signal);
	if (!writer) {
		void notify('error', noSenderText());
		return;
	}
	const known = await withProgress(vscode.l10n.t('Loading the list…'), signal, (working) =>
		addressOf(connection, list.ref, [], working),
	);
	const to = await sureAddress(connection, list.ref, known);
	const { from, own } = writer;
	const owner = { own: [...own, ...(known?.others ?? [])], posting: to };
	const place = { connection, list: list.ref, root, branch: clone.head.name, from, owner, askRange };
	const plan = await askPlan(parts, place, await likelyPlan(parts, place, range, new Set(), signal), signal);
	const { patches, before, tag, hasCover, cc } = plan;
	if (patches.length === 0) {
		void notify('information', vscode.l10n.t('These commits change nothing, so there is nothing to send.'));
		return;
	}
	const { base, tip, commits } = plan.range;
	const printed = plan.commands.flatMap(({ people }) => people ?? []);
	const series: PreparedSeries = {
		root,
		base,
		tip,
		branch: clone.head.name,
		tag,
		from,
		connectionKey: list.connectionKey,
		id: parts.newName(),
		list: list.ref,
		title: commits.find(({ id }) => id === patches[0]?.commit)?.subject ?? '',
		to: [{ name: '', address: to }, ...plan.to],
		cc,
		commands: plan.commands,
		knownAddresses: [to, ...own, ...likelyCopies(before, commits, printed, owner).map(({ address }) => address)],
		earlier: before?.ref.id,
		hasCover,
		trailers: plan.trailers.flatMap(({ key, value, commits: ids }) =>
			ids.map(({ id }) => ({ commit: id, key, value })),
		),
		mails: Array.from({ length: patches.length + Number(hasCover) }, () => ({
			messageId: newMessageId(parts.newName(), from),
			progress: { kind: 'waiting' },
		})),
	};
	await parts.series.put(series);
	if (!hasCover) {
		return previewSeries(parts, series, signal);
	}
	const about = await withProgress(vscode.l10n.t('Preparing patches…'), signal, async (working) => {
		const local = localReading(patches);
		return {
			titles: local.patches.map(({ patch }) => patch.subject),
			stat: await diffStat(parts.git, root, { base, tip }, working),
			rangeDiff: before ? await comparedWith(before.series, local, parts.clock, working) : '',
		};
	});
	const letter = coverText(series, about, before);
	// A later version has its subject already.
	const firstChange = letter.split('\n').indexOf('- ');
	const isNamed = before?.series.cover !== undefined && firstChange !== -1;
	await parts.mailDrafts.open(coverOf(series), letter, isNamed ? firstChange : subjectLine);
	tellBriefly(vscode.l10n.t('Write the cover letter, then select Send Message….'));
}

/**
 * Reports problems, then shows a series' mails, or its cover letter while that is invalid. Throws `GitFailure`, and
 * `cancelled()` on "no".
 */
export async function previewSeries(parts: SubmitContext, series: PreparedSeries, signal: AbortSignal): Promise<void> {
	const read = await withProgress(vscode.l10n.t('Preparing patches…'), signal, (working) =>
		readSeries(parts, series, working),
	);
	if ('fault' in read) {
		await parts.mailDrafts.open(coverOf(series), coverText(series, { titles: [], stat: '', rangeDiff: '' }, undefined));
		void notify('warning', coverFaultText(read.fault));
		return;
	}
	if (read.problems.length > 0) {
		const detail = problemsDetail(read.problems);
		const [first] = read.problems;
		const text =
			first && isBlocking(first)
				? vscode.l10n.t("These patches can't be sent as they are.")
				: vscode.l10n.t('Check this before you send the patches.');
		await confirmOrCancel(text, detail, vscode.l10n.t('Preview Anyway'));
	}
	await showDocument(seriesUri(series), { preview: true });
}

/** The command's clone, the only open one, or one that the user chooses. */
async function askSource({ findGit }: SubmitContext, subject: unknown, signal: AbortSignal): Promise<OpenClone> {
	const clones = await clonesNow(findGit, signal);
	const root = isRecord(subject) ? subject['rootUri'] : undefined;
	const given = clones.find((clone) => root instanceof vscode.Uri && root.toString() === clone.root.toString());
	const [only] = clones;
	if (!only) {
		void tellNoClone();
		throw cancelled();
	}
	if (given || clones.length === 1) {
		return given ?? only;
	}
	return chooseClone(vscode.l10n.t('Choose the clone to send patches from'), clones);
}

/** The row's list, otherwise the one that the branch went to last, or the clone's list. Asks if they differ, or without one. */
async function listFor(
	parts: SubmitContext,
	clone: OpenClone,
	subject: unknown,
	signal: AbortSignal,
): Promise<ListSubject> {
	if (listsSubject(subject)) {
		return listTarget(parts, subject, signal);
	}
	const { root, head } = clone;
	const [last] = parts.series.fromBranch(root.fsPath, head.name).map(listOf);
	const belongs = (await parts.folderOf(root, signal))?.list;
	const own = belongs && ({ kind: 'list', connectionKey: belongs.connectionKey, ref: belongs.ref } as const);
	if (!last || !own || isSameValue(last, own)) {
		return last ?? own ?? listTarget(parts, undefined, signal);
	}
	const rowOf = (list: ListSubject, detail: string): Choice<ListSubject | undefined> => ({
		label: visibleLine(refText(list.ref)),
		detail,
		iconPath: new vscode.ThemeIcon('mail'),
		value: list,
	});
	const chosen = await choose(vscode.l10n.t('Choose the list for these patches'), [
		rowOf(last, vscode.l10n.t('Got the last patches of this branch.')),
		rowOf(own, vscode.l10n.t('The list of this folder.')),
		{ label: vscode.l10n.t('Another List…'), iconPath: new vscode.ThemeIcon('edit'), value: undefined },
	]);
	return chosen ?? listTarget(parts, undefined, signal);
}

/** Asks which commits to send: those since the upstream or the default branch, or from one to another. Throws `cancelled()`. */
async function askCommits(
	parts: SubmitContext,
	root: string,
	{ known, newest }: { readonly known: readonly Choice<CommitRange>[]; readonly newest: readonly LocalCommit[] },
	signal: AbortSignal,
): Promise<CommitRange> {
	const chosen = await choose<CommitRange | undefined>(vscode.l10n.t('Choose the commits to send'), [
		...known,
		{
			label: vscode.l10n.t('Choose First and Last Commit…'),
			detail: vscode.l10n.t('Sends them and all commits between them.'),
			iconPath: new vscode.ThemeIcon('git-commit'),
			value: undefined,
		},
	]);
	return chosen ?? (await askEnds(parts, root, newest, signal));
}

async function candidates(
	{ git }: SubmitContext,
	{ root, head, state }: OpenClone,
	signal: AbortSignal,
): Promise<readonly Choice<CommitRange>[]> {
	const { upstream, commit: tip = '' } = head;
	const remotes = new Set(['origin', ...state.remotes.map(({ name }) => name)]);
	// Git writes `.` as remote for a local upstream.
	const isLocal = upstream?.remote === '.';
	const followed = upstream && (isLocal ? `refs/heads/${upstream.name}` : remoteName(upstream.remote, upstream.name));
	const branches = new Set([
		...(followed === undefined ? [] : [followed]),
		...Array.from(remotes).flatMap((remote) => ['HEAD', 'main', 'master'].map((name) => remoteName(remote, name))),
	]);
	const found = new Map<string, Choice<CommitRange>>();
	// Others choose names of remotes and branches; never pass unsafe ones to git.
	for (const branch of Array.from(branches).filter(isSafeRefName)) {
		const other = await revisionCommit(git, root.fsPath, branch, signal);
		const base = other === undefined ? undefined : await mergeBase(git, root.fsPath, [tip, other], signal);
		if (base !== undefined && base !== tip && !found.has(base)) {
			const commits = await localCommits(git, root.fsPath, { since: base, tip, count: mostCommits + 1 }, signal);
			if (commits.length <= mostCommits) {
				const since = branch.replace(/^refs\/(?:heads|remotes)\//, '');
				found.set(base, {
					label: vscode.l10n.t('{0} since {1}', commitsText(commits.length), visibleLine(since)),
					detail: shortLine(commits.map(({ subject }) => subject).join(' · '), 300),
					iconPath: new vscode.ThemeIcon('git-branch'),
					value: { base, tip, commits },
				});
			}
		}
	}
	return [...found.values()];
}

function remoteName(remote: string, name: string): string {
	return `refs/remotes/${remote}/${name}`;
}

/** `newest`: one more than the list offers, if there are more; oldest first. */
async function askEnds(
	{ git }: SubmitContext,
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
	// A commit and its descendants, by time.
	const later = new Map([[first.id, first]]);
	for (const commit of shown) {
		if (commit.parents.some((id) => later.has(id))) {
			later.set(commit.id, commit);
		}
	}
	const lasts = [...later.values()];
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
