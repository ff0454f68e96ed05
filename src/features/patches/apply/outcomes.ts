import * as vscode from 'vscode';
import { namesText, notify, type Severity } from '../../../editor/ask/notify.ts';
import type { Refused } from 'hardened-git/applyObstacles.ts';
import type { ApplyOutcome } from 'hardened-git/applySeries.ts';
import { branchIn, checkoutIn, commitsSince, isSameCheckout, type Checkout } from 'hardened-git/applyState.ts';
import type { HardenedGit } from 'hardened-git/hardenedGit.ts';
import { visibleLine } from '../../../engine/text/visible.ts';
import type { ApplyContext, AppliedPatchset } from './savedApplied.ts';
import { logComplaint } from './gitNetwork.ts';
import { shortId } from './askPlace.ts';
import type { OtherCommit } from './comparedCommits.ts';
import { differenceNames, differencesIn } from './differences.ts';
import { noteApplied } from './noteApplied.ts';
import { gitReason } from './patchedFiles.ts';

/** Patchset of a step; missing if the operation began outside this extension. */
export type AppliedTarget = Omit<AppliedPatchset, 'folder' | 'after' | 'begunMs'>;

/** Records the outcome and shows it with the next step. */
export async function takeOutcome(
	parts: ApplyContext,
	target: AppliedTarget | undefined,
	outcome: ApplyOutcome,
	signal: AbortSignal,
): Promise<void> {
	if ('complaint' in outcome) {
		logComplaint(parts, outcome.complaint);
	}
	const { severity, text, steps } = await noticeOf(parts, target, outcome, signal);
	void tellWithSteps(severity, text, steps);
	await parts.changed();
}

interface Notice {
	readonly severity: Severity;
	readonly text: string;
	readonly steps?: readonly NextStep[];
}

/** Every outcome with its record and its sentence. */
async function noticeOf(
	parts: ApplyContext,
	target: AppliedTarget | undefined,
	outcome: ApplyOutcome,
	signal: AbortSignal,
): Promise<Notice> {
	const { git, applied } = parts;
	switch (outcome.kind) {
		case 'applied':
			return appliedNotice(parts, target, outcome, signal);
		case 'stopped': {
			const { folder, state, complaint } = outcome;
			const { at, of, conflicts } = state;
			// Git may stay at a patch after a step; its first stop had all conflicts.
			const earlier = target?.stops ?? [];
			const stops = earlier.some((each) => each.at === at) ? earlier : [...earlier, { at, conflicts: [...conflicts] }];
			await saveApplied(parts, target && { ...target, stops }, { folder, after: undefined }, signal);
			const handed = [{ folder }];
			const open = { label: vscode.l10n.t('Open Files'), command: 'forge.apply.openConflicts', handed };
			const reason = gitReason(complaint);
			const text =
				conflicts.length === 0 && reason !== ''
					? vscode.l10n.t('Git does not accept patch {0} of {1}: {2}. Skip it or abort.', at, of, reason)
					: stoppedText(state);
			const steps = [
				...(conflicts.length > 0 ? [open] : []),
				{ label: vscode.l10n.t('Skip Patch…'), command: 'forge.apply.skip', handed },
				abortStep(folder),
			];
			return { severity: 'warning', text, steps };
		}
		case 'aborted':
			await applied.drop(outcome.folder);
			return abortedNotice(git, target, outcome, signal);
		case 'notTakenBack': {
			const { folder, before, head, state } = outcome;
			const branch = visibleLine((await branchIn(git, folder, signal)) ?? 'HEAD');
			const ids = [shortId(head), shortId(before)] as const;
			const text =
				state !== 'stopped'
					? vscode.l10n.t(
							'Applying was ended early, and git left {0} at {1}. Before, it was at {2}: reset the branch in a terminal to go back there.',
							branch,
							...ids,
						)
					: vscode.l10n.t(
							'Applying was ended early, and git could not take it back. {0} is at {1}; before, it was at {2}. Abort applying, here or in a terminal.',
							branch,
							...ids,
						);
			return { severity: 'warning', text, steps: state === 'stopped' ? [abortStep(folder)] : [] };
		}
		case 'refused':
			return { severity: 'error', text: refusedText(outcome) };
		case 'failed': {
			const reason = gitReason(outcome.complaint);
			const text = /identity unknown|tell me who you are|empty ident/i.test(outcome.complaint)
				? vscode.l10n.t('Git does not know your name and email address. Set user.name and user.email, then try again.')
				: reason === ''
					? vscode.l10n.t('Git could not apply the patchset. See the log for details.')
					: vscode.l10n.t('Git could not apply the patchset: {0}. See the log for details.', reason);
			return { severity: 'error', text };
		}
	}
}

function lineOf(names: readonly string[]): string {
	return namesText(names).replaceAll('\n', ', ');
}

/** Records an applied patchset; without `after` it is in progress; with `begunMs` git is about to start. */
export async function saveApplied(
	{ git, applied }: ApplyContext,
	target: AppliedTarget | undefined,
	{ folder, after, begunMs }: Pick<AppliedPatchset, 'folder' | 'after' | 'begunMs'>,
	signal: AbortSignal,
): Promise<AppliedPatchset | undefined> {
	if (!target) {
		return undefined;
	}
	const made = { ...target, folder, after, begunMs, branch: await branchIn(git, folder, signal) };
	await applied.put(made);
	return made;
}

/** A button with its command and arguments. */
interface NextStep {
	readonly label: string;
	readonly command: string;
	readonly handed: readonly unknown[];
}

export function abortStep(folder: string): NextStep {
	return { label: vscode.l10n.t('Abort…'), command: 'forge.apply.abort', handed: [{ folder }] };
}

/** Not awaited: the notice may stay open for hours. */
export async function tellWithSteps(severity: Severity, text: string, steps: readonly NextStep[] = []): Promise<void> {
	const chosen = await notify(severity, text, ...steps.map(({ label }) => label));
	const step = steps.find(({ label }) => label === chosen);
	if (step) {
		await vscode.commands.executeCommand(step.command, ...step.handed);
	}
}

async function appliedNotice(
	parts: ApplyContext,
	target: AppliedTarget | undefined,
	{ folder, before, after }: Extract<ApplyOutcome, { kind: 'applied' }>,
	signal: AbortSignal,
): Promise<Notice> {
	const record = await saveApplied(parts, target, { folder, after }, signal);
	const span = { from: record?.before ?? before, to: after };
	const count = await commitsSince(parts.git, folder, span, signal);
	const title = visibleLine(record?.title ?? folder);
	const to = visibleLine(record?.branch ?? shortId(after));
	if (count === 0) {
		// There is nothing to push.
		await parts.applied.drop(folder);
		const text = vscode.l10n.t('All patches of "{0}" were skipped. {1} has no new commits.', title, to);
		return { severity: 'information', text };
	}
	const text =
		count === 1
			? vscode.l10n.t('Applied 1 patch of "{0}" to {1}.', title, to)
			: vscode.l10n.t('Applied {2} patches of "{0}" to {1}.', title, to, count);
	if (!record) {
		return { severity: 'information', text };
	}
	await noteApplied(parts, record, after, undefined, signal);
	const others = await differencesIn(parts, record, after, signal);
	const handed = [{ folder }];
	const open: NextStep = {
		label: vscode.l10n.t('Open Worktree'),
		command: 'vscode.openFolder',
		handed: [vscode.Uri.file(folder), { forceNewWindow: true }],
	};
	const push = { label: vscode.l10n.t('Push…'), command: 'forge.patchsets.push', handed };
	const undo = { label: vscode.l10n.t('Undo…'), command: 'forge.patchsets.undoApplying', handed };
	const toCommits = [...(folder === record.root ? [] : [open]), push];
	const steps = [...toCommits, ...markStep(parts, record)];
	if (others === 'unknown') {
		const doubt = vscode.l10n.t('The commits could not be compared with the patches. Compare them before you push.');
		return { severity: 'warning', text: `${text} ${doubt}`, steps: [...toCommits, undo] };
	}
	if (others.length === 0) {
		return { severity: 'information', text, steps };
	}
	const { severity, text: doubt } = differencesNotice(record, others);
	const show = { label: vscode.l10n.t('Show Differences'), command: 'forge.patchsets.showDifferences', handed };
	return { severity, text: `${text} ${doubt}`, steps: [show, undo, push] };
}

function differencesNotice({ stops, given }: AppliedPatchset, others: readonly OtherCommit[]): Notice {
	const names = lineOf(differenceNames(others));
	if (others.every(({ texts, files }) => texts.length === 0 && files.every(({ kind }) => kind === 'unseen'))) {
		const text = vscode.l10n.t(
			'The patches did not contain these binary files. Git took them from the clone: {0}.',
			names,
		);
		return { severity: 'warning', text };
	}
	const resolved = new Map(
		stops?.map(({ at, conflicts }) => [given?.[at - 1]?.index, conflicts.map(({ path }) => path)]),
	);
	const isExpected = others.every(
		({ index, texts, files }) => texts.length === 0 && files.every(({ path }) => resolved.get(index)?.includes(path)),
	);
	return isExpected
		? {
				severity: 'information',
				text: vscode.l10n.t('Where you resolved conflicts, the commits differ from the patches: {0}.', names),
			}
		: {
				severity: 'warning',
				text: vscode.l10n.t('The commits differ from the shown patches. Compare them before you push: {0}.', names),
			};
}

/** Marks the patchset as applied, unless it is by the forge's last known state. */
function markStep({ connections }: ApplyContext, { subject }: AppliedPatchset): readonly NextStep[] {
	const known = connections.byKey(subject.connectionKey)?.lists.knownPatchset(subject.ref);
	const label = vscode.l10n.t('Mark Applied');
	const handed = [{ ...subject, status: 'applied' }];
	return known?.status === 'applied' ? [] : [{ label, command: 'forge.patchsets.setStatus', handed }];
}

/** The same after a while: the merge editor may have staged resolutions. */
export function waitingText(state: Extract<ApplyOutcome, { kind: 'stopped' }>['state']): string {
	return state.conflicts.length > 0
		? stoppedText(state)
		: vscode.l10n.t(
				'Patch {0} of {1} is waiting, and no file has conflicts. If you resolved and staged them, continue. Otherwise, skip the patch or abort.',
				state.at,
				state.of,
			);
}

/** The patch and the reason, right after the stop. Without a conflict there is nothing to resolve. */
function stoppedText({ at, of, conflicts }: Extract<ApplyOutcome, { kind: 'stopped' }>['state']): string {
	const [first] = conflicts;
	if (!first) {
		return vscode.l10n.t('Patch {0} of {1} does not apply, and git cannot merge it. Skip it or abort.', at, of);
	}
	return conflicts.length === 1
		? vscode.l10n.t(
				'Patch {0} of {1} has conflicts in {2}. Resolve them, then continue.',
				at,
				of,
				visibleLine(first.path),
			)
		: vscode.l10n.t(
				'Patch {0} of {1} has conflicts. Files: {2}. Resolve them, then continue.',
				at,
				of,
				conflicts.length,
			);
}

export function refusedText({ why, paths = [], checkouts }: Refused): string {
	switch (why) {
		case 'moved': {
			const [expected = '', now = ''] = checkouts?.map(checkoutText) ?? [];
			return vscode.l10n.t(
				'{0} is checked out now, not {1}. Go back to it in a terminal, then try again.',
				now,
				expected,
			);
		}
		case 'wentOn':
			return vscode.l10n.t(
				'Git went on with these patches in another window or a terminal. Look at their state, then try again.',
			);
		case 'am':
			return vscode.l10n.t('Other patches are being applied there. Finish that first.');
		case 'bisect':
		case 'cherry-pick':
		case 'merge':
		case 'rebase':
		case 'revert':
			return vscode.l10n.t('A git {0} is in progress there. Finish it in a terminal, then try again.', why);
		case 'conflicts':
			return paths.length === 0
				? vscode.l10n.t('Files have conflicts there. Resolve and commit them, then try again.')
				: vscode.l10n.t(
						'These conflicts are not of the patch: {0}. Resolve them and commit or unstage the files, then try again.',
						lineOf(paths.map(visibleLine)),
					);
		case 'staged':
			return vscode.l10n.t(
				'Staged changes that are not of the patch would be lost: {0}. Commit or unstage them, then try again.',
				lineOf(paths.map(visibleLine)),
			);
		case 'dirty':
			return vscode.l10n.t('Staged changes are in the way. Commit or unstage them, then try again.');
		case 'otherFolder':
			return vscode.l10n.t('This folder is not the top of its working tree. Open the clone itself, then try again.');
		case 'oddConfiguration':
			return vscode.l10n.t(
				'The configuration of this clone names programs that cannot be disabled, so git was not run. Apply the patchset in a terminal.',
			);
		case 'nothingStopped':
			return vscode.l10n.t('No patchset is being applied there.');
		case 'notBegun':
			return vscode.l10n.t('Git has not read this patch, so there is nothing to continue. Skip it or abort.');
	}
}

/** The branch after an abort. After a move, git has only ended the series. */
async function abortedNotice(
	git: HardenedGit,
	target: AppliedTarget | undefined,
	{ folder }: Extract<ApplyOutcome, { kind: 'aborted' }>,
	signal: AbortSignal,
): Promise<Notice> {
	const now = await checkoutIn(git, folder, signal);
	if (!target) {
		const text = vscode.l10n.t('Applying was aborted. {0} is checked out now.', checkoutText(now));
		return { severity: 'information', text };
	}
	const before = { commit: target.before, branch: target.branch };
	if (isSameCheckout(now, before)) {
		return { severity: 'information', text: vscode.l10n.t('Applying was aborted. The branch is as it was before.') };
	}
	const text = vscode.l10n.t(
		'Applying was aborted, and {0} is checked out now. Before, it was {1}: compare both in a terminal.',
		checkoutText(now),
		checkoutText(before),
	);
	return { severity: 'warning', text };
}

/** Branch and commit. */
export function checkoutText({ branch, commit }: Checkout): string {
	return branch === undefined ? shortId(commit) : vscode.l10n.t('{0} at {1}', visibleLine(branch), shortId(commit));
}
