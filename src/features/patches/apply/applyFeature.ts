import * as vscode from 'vscode';
import { isAbort } from '@forge-desk/base/abort.ts';
import { Disposables, onDispose } from '@forge-desk/base/lifecycle.ts';
import { cancelled, confirmForGoodOrCancel } from '../../../editor/ask/ask.ts';
import { notify } from '../../../editor/ask/notify.ts';
import { withProgress } from '../../../editor/ask/progress.ts';
import type { CommandTable, Feature } from '../../../editor/commands/feature.ts';
import { connectionOf } from '../../../editor/commands/subjects.ts';
import {
	applySeries,
	takeBack,
	type ApplyOutcome,
	type ApplyRequest,
	type ApplyTarget,
} from 'hardened-git/applySeries.ts';
import { GitFailure } from 'hardened-git/gitFailure.ts';
import { filesOfSeries } from '../../../store/wholeFiles/wholeFiles.ts';
import { visibleLine } from '../../../engine/text/visible.ts';
import { type ListsContext, withGitErrors } from '../../lists/context/listsContext.ts';
import { patchsetTarget } from '../../lists/subjects/listTargets.ts';
import type { PatchsetSubject } from '../../lists/subjects/subjects.ts';
import { appliedHere } from './appliedAlready.ts';
import { applyInOrder } from './applyInOrder.ts';
import { applySteps } from './applySteps.ts';
import { askPlace, isStillThere, shortId } from './askPlace.ts';
import { askVersion, withAllReplies } from './seriesQuestions.ts';
import { askWhatToApply, type ToApply } from './askWhatToApply.ts';
import { missingPatches } from './doubts.ts';
import { checkApplies, notedInClones } from './checkApplies.ts';
import { savedApplied, type ApplyContext, type AppliedPatchset } from './savedApplied.ts';
import { askClone } from './openClone.ts';
import { showDifferences } from './differences.ts';
import { finishApplied } from './finishApplied.ts';
import { saveApplied, refusedText, takeOutcome, type AppliedTarget } from './outcomes.ts';
import { appliedTarget, pushApplied } from './pushApplied.ts';
import { forgetSamePeople, withProvenAddresses } from './secondAddresses.ts';
import { removeWorktrees } from './removeWorktrees.ts';
import { stoppedStatus } from './stoppedApplies.ts';
import { logComplaint } from './gitNetwork.ts';
import { commitsSince } from 'hardened-git/applyState.ts';

const mostNames = 20;

/** Patchsets in clones on this machine. */
export function applyFeature(given: ListsContext): Feature {
	const owned = new Disposables();
	const applied = savedApplied(given.connections, given.appliedOf, given.clock);
	const status = owned.add(
		stoppedStatus(given, applied, (record, after) => {
			const { folder, before } = record;
			const outcome = { kind: 'applied', folder, before, after } as const;
			return takeOutcome(parts, record, outcome, ending.signal);
		}),
	);
	const ending = new AbortController();
	owned.add(onDispose(() => ending.abort()));
	const parts: ApplyContext = {
		...given,
		applied,
		changed: () => status.refresh(),
		during: (work) => status.during(work),
	};
	owned.add(notedInClones(parts, ending.signal));
	void given.ready().then(() => status.refresh());
	const commands: CommandTable = {
		'forge.patchsets.checkApplies': async (subject, signal) =>
			checkApplies(parts, await patchsetTarget(parts, subject, signal), signal),
		'forge.patchsets.apply': async (subject, signal) =>
			applyInOrder(parts, await patchsetTarget(parts, subject, signal), applyPatchset, signal),
		'forge.patchsets.push': (subject, signal) => pushApplied(parts, subject, signal),
		'forge.patchsets.finishApplied': async (subject, signal) =>
			finishApplied(parts, await patchsetTarget(parts, subject, signal), '', signal),
		'forge.patchsets.showDifferences': async (subject, signal) =>
			showDifferences(parts, await appliedTarget(parts, subject, vscode.l10n.t('Choose the patchset')), signal),
		'forge.patchsets.undoApplying': async (subject, signal) =>
			undoApplying(parts, await appliedTarget(parts, subject, vscode.l10n.t('Choose the patchset to undo')), signal),
		'forge.patchsets.removeWorktrees': (_, signal) => removeWorktrees(parts, signal),
		'forge.patchsets.forgetAddresses': () => forgetSamePeople(parts),
		...applySteps(parts),
	};
	return {
		commands: withGitErrors(given, commands),
		dispose: () => owned.dispose(),
	};
}

/** Asks for the place, then in one list for everything else, and runs `git am`. Throws `GitFailure`, or `cancelled()` for a no. */
async function applyPatchset(parts: ApplyContext, given: PatchsetSubject, signal: AbortSignal): Promise<void> {
	if (!parts.trust.isTrusted()) {
		throw new GitFailure({ kind: 'notTrusted' });
	}
	const connection = connectionOf(parts.connections, given);
	const asked = await askVersion(connection, given.ref, signal);
	const { review: read, lacking } = await withAllReplies(connection, asked, signal);
	const subject = { ...given, ref: read.ref };
	const { series, patchset } = read;
	// Before the first question: a failed read throws.
	missingPatches(read);
	if (series.patches.length === 0) {
		void notify('information', vscode.l10n.t('This patchset has no patches.'));
		throw cancelled();
	}
	const open = await askClone(parts, connection, read, signal);
	const { base } = filesOfSeries(series, (mail) => connection.texts.patchOf(mail));
	const place = await askPlace(parts, open, patchset, base.commit, signal);
	const root = place.clone.root.fsPath;
	const review = await withProvenAddresses(parts, connection, read, root, signal);
	const comparing = vscode.l10n.t('Comparing with commits of {0}…', place.baseName);
	const { kind, commits } = await withProgress(comparing, signal, (working) =>
		appliedHere(parts, root, place.base, series.patches, working),
	);
	const wanted: Wanted = { connection, review, lacking, baseCommit: base.commit, place, subject, found: commits };
	if (kind !== 'some') {
		void tellAllThere(parts, { ...wanted, found: new Map() }, kind, signal);
		throw cancelled();
	}
	await applyWanted(parts, wanted, signal);
}

async function applyWanted(parts: ApplyContext, wanted: Wanted, signal: AbortSignal): Promise<void> {
	const { review, place, subject, baseCommit } = wanted;
	const { clone } = place;
	const root = clone.root.fsPath;
	const { patchset } = review;
	const { patches, added, bytes, manner } = await askWhatToApply(parts, wanted, signal);
	if (!(await isStillThere(parts.git, place, signal))) {
		// Git tried the patches on another commit.
		void notify(
			'warning',
			vscode.l10n.t('Another commit is checked out now. Choose again where to apply the patches.'),
		);
		const again = await askPlace(parts, clone, patchset, baseCommit, signal);
		return applyWanted(parts, { ...wanted, place: again, found: new Map() }, signal);
	}
	const given = patches.map(({ mail, index }, at) => ({
		mail: mail.id,
		index,
		trailers: (added[at] ?? []).map(({ key, value }) => ({ key, value })),
	}));
	const about = { subject, title: patchset.subject, root, branch: undefined, given };
	const request = { root, mailbox: bytes, ...manner };
	const title = vscode.l10n.t('Applying "{0}"…', visibleLine(patchset.subject));
	const outcome = await withProgress(title, signal, (working) =>
		inFreeFolder(place.target, (target) =>
			savedMeanwhile(parts, about, (keepBegun) => applySeries(parts.git, { ...request, target, keepBegun }, working)),
		),
	);
	// For a branch: HEAD when git started.
	const before = 'before' in outcome ? outcome.before : place.base;
	await takeOutcome(parts, { ...about, before }, outcome, signal);
}

/**
 * Journals the run before git starts, so the next window finds a stopped series after a crash. If the run leaves nothing,
 * restores the folder's earlier entry.
 */
async function savedMeanwhile(
	parts: ApplyContext,
	about: Omit<AppliedTarget, 'before'>,
	apply: (keepBegun: NonNullable<ApplyRequest['keepBegun']>) => Promise<ApplyOutcome>,
): Promise<ApplyOutcome> {
	const { applied } = parts;
	let restore = (): Promise<void> => Promise.resolve();
	try {
		const outcome = await parts.during(() =>
			apply(async ({ folder, before }) => {
				const earlier = applied.all().find((each) => each.folder === folder);
				restore = () => (earlier ? applied.put(earlier) : applied.drop(folder));
				const begun = { folder, after: undefined, begunMs: parts.clock.nowMs() };
				await saveApplied(parts, { ...about, before }, begun, new AbortController().signal);
			}),
		);
		const { kind } = outcome;
		if (kind === 'refused' || kind === 'failed' || (kind === 'notTakenBack' && outcome.state !== 'stopped')) {
			await restore();
		}
		return outcome;
	} catch (error) {
		await restore();
		await parts.changed();
		throw error;
	}
}

interface Wanted extends ToApply {
	readonly baseCommit: string | undefined;
	readonly subject: PatchsetSubject;
}

/** The command doesn't await this: an open notice must not block it. */
async function tellAllThere(parts: ApplyContext, wanted: Wanted, which: 'all' | 'sameChanges', signal: AbortSignal) {
	const [mark, anyway] = [vscode.l10n.t('Mark Applied'), vscode.l10n.t('Apply Anyway')] as const;
	const { baseName } = wanted.place;
	const text =
		which === 'all'
			? vscode.l10n.t('All patches are already in {0}. Nothing was changed.', baseName)
			: vscode.l10n.t(
					'Commits of {0} make the same changes, but its files do not show them. Nothing was changed.',
					baseName,
				);
	const chosen = await notify('information', text, ...(which === 'all' ? [mark] : []), anyway);
	if (chosen === mark) {
		await vscode.commands.executeCommand('forge.patchsets.setStatus', { ...wanted.subject, status: 'applied' });
	} else if (chosen === anyway) {
		const apply = parts.tellingOfGit(async () => {
			// If the checkout changed while the notice was open, asks for the place again.
			const { baseCommit, review } = wanted;
			const place = (await isStillThere(parts.git, wanted.place, signal))
				? wanted.place
				: await askPlace(parts, wanted.place.clone, review.patchset, baseCommit, signal);
			await applyWanted(parts, { ...wanted, place }, signal);
		});
		await Promise.resolve(apply(undefined, signal, [])).catch((error: unknown) => {
			if (!isAbort(error)) {
				void parts.problems.show(error);
			}
		});
	}
}

/** Appends the next number to the name while a folder of that name exists. */
async function inFreeFolder(target: ApplyTarget, apply: (target: ApplyTarget) => Promise<ApplyOutcome>) {
	for (let number = 1; ; number++) {
		try {
			const isFirst = target.kind === 'here' || number === 1;
			return await apply(isFirst ? target : { ...target, name: `${target.name}-${number}` });
		} catch (error) {
			if (!(error instanceof GitFailure) || error.problem.kind !== 'folderTaken' || number === mostNames) {
				throw error;
			}
		}
	}
}

/** Takes the commits of an applied patchset back, if nobody committed since. */
async function undoApplying(parts: ApplyContext, given: AppliedPatchset, signal: AbortSignal): Promise<void> {
	const { folder, before, after: commit = before, branch } = given;
	const count = await commitsSince(parts.git, folder, { from: before, to: commit }, signal);
	const question = vscode.l10n.t('Undo applying "{0}"?', visibleLine(given.title));
	const detail = vscode.l10n.t(
		'{0} goes back to {1}. Commits that leave the branch: {2}. Uncommitted changes stay.',
		visibleLine(branch ?? 'HEAD'),
		shortId(before),
		count,
	);
	await confirmForGoodOrCancel(question, detail, vscode.l10n.t('Undo'));
	const done = await takeBack(parts.git, folder, { before, after: { commit, branch } }, signal);
	switch (done.kind) {
		case 'takenBack':
			await parts.applied.drop(folder);
			await (parts.appliedCommits.of(given.subject)?.pushed ? undefined : parts.appliedCommits.drop(given.subject));
			void notify('information', vscode.l10n.t('{0} is as it was before.', visibleLine(branch ?? 'HEAD')));
			await parts.changed();
			return;
		case 'refused':
			void notify('error', refusedText(done));
			return;
		case 'failed':
			logComplaint(parts, done.complaint);
			void notify(
				'error',
				vscode.l10n.t(
					'Git could not take the commits back: uncommitted changes may be in the way. See the log for details.',
				),
			);
	}
}
