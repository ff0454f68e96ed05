import * as vscode from 'vscode';
import { openUri } from '../../../editor/documents/showDocument.ts';
import { resting, runResting } from '@forge-desk/base/timeSlice.ts';
import { cancelled, choose, confirmForGoodOrCancel, confirmOrCancel } from '../../../editor/ask/ask.ts';
import { namesText, notify, tellBriefly } from '../../../editor/ask/notify.ts';
import { withProgress } from '../../../editor/ask/progress.ts';
import type { CommandHandler, CommandTable } from '../../../editor/commands/feature.ts';
import { isRecord } from '../../../editor/commands/subjects.ts';
import { repositoryOf } from '../../../editor/git/gitApi.ts';
import { stepObstacle, type ApplyStep, type Refused } from 'hardened-git/applyObstacles.ts';
import { goOn, stageSolved } from 'hardened-git/applySeries.ts';
import { withConflictMarkers, conflictSides, stagedConflicts, type StagedConflicts } from 'hardened-git/conflicts.ts';
import { fileInClone } from 'hardened-git/fileInClone.ts';
import { isAtBase } from 'patchmail/patch/conflictAtBase.ts';
import { visibleLine } from '../../../engine/text/visible.ts';
import { showBlob } from './differences.ts';
import { askDoubts } from './doubts.ts';
import { judgedDoubts, judgedRest, stopOf, type Stop } from './judgedByGit.ts';
import type { UnseenFile } from './patchedFiles.ts';
import type { ApplyContext, AppliedPatchset, StoppedApply } from './savedApplied.ts';
import { abortStep, checkoutText, refusedText, takeOutcome, tellWithSteps, waitingText } from './outcomes.ts';
import { stoppedApplies } from './stoppedApplies.ts';

/** Commands for a stopped patchset: in the given folder, otherwise in the stopped one. */
export function applySteps(parts: ApplyContext): CommandTable {
	const handlerOf =
		(step: Step): CommandHandler =>
		async (subject, signal) =>
			step(parts, await stoppedTarget(parts, subject, signal), signal);
	return {
		'forge.apply.show': handlerOf(show),
		'forge.apply.openConflicts': handlerOf(openConflicts),
		'forge.apply.continue': handlerOf(continueApplying),
		'forge.apply.skip': handlerOf(skip),
		'forge.apply.abort': handlerOf(abort),
	};
}

type Step = (parts: ApplyContext, stopped: StoppedApply, signal: AbortSignal) => Promise<void>;

/** Throws `cancelled()`, after a message, if nothing is stopped in the given folder or anywhere. */
async function stoppedTarget(parts: ApplyContext, subject: unknown, signal: AbortSignal): Promise<StoppedApply> {
	const all = await stoppedApplies(parts, parts.applied, signal);
	const folder = isRecord(subject) ? subject['folder'] : undefined;
	const [only] = all;
	if (!only) {
		tellBriefly(vscode.l10n.t('No patchset is being applied.'));
		throw cancelled();
	}
	if (typeof folder === 'string') {
		const given = all.find((each) => each.folder === folder);
		if (!given) {
			void notify('information', vscode.l10n.t('No patchset is being applied in {0} any more.', visibleLine(folder)));
			throw cancelled();
		}
		return given;
	}
	if (all.length === 1) {
		return only;
	}
	return choose(
		vscode.l10n.t('Choose the patchset that is being applied'),
		all.map((each) => ({ label: nameOf(each), detail: visibleLine(each.folder), value: each })),
	);
}

function nameOf({ applied, folder }: StoppedApply): string {
	return visibleLine(applied?.title ?? folder);
}

async function show(parts: ApplyContext, stopped: StoppedApply, signal: AbortSignal): Promise<void> {
	const rows: readonly { readonly label: string; readonly icon: string; readonly value: Step }[] = [
		{ label: vscode.l10n.t('Open Files with Conflicts'), icon: 'go-to-file', value: openConflicts },
		{ label: vscode.l10n.t('Continue Applying…'), icon: 'debug-continue', value: continueApplying },
		{ label: vscode.l10n.t('Skip Patch…'), icon: 'debug-step-over', value: skip },
		{ label: vscode.l10n.t('Abort Applying…'), icon: 'debug-stop', value: abort },
	];
	const offered = stopped.state.conflicts.length > 0 ? rows : rows.slice(1);
	const chosen = await choose(
		waitingText(stopped.state),
		offered.map(({ icon, ...row }) => ({ ...row, iconPath: new vscode.ThemeIcon(icon) })),
		vscode.l10n.t('Choose how to continue with "{0}"', nameOf(stopped)),
	);
	return chosen(parts, stopped, signal);
}

/**
 * Uses the merge editor where the editor's git knows the folder, otherwise a text editor. Skips paths outside the
 * folder.
 */
async function openConflicts(
	{ findGit, folderKey, problems }: ApplyContext,
	{ folder, state }: StoppedApply,
	signal: AbortSignal,
): Promise<void> {
	const git = await findGit(signal);
	const key = await folderKey(folder);
	let opened = 0;
	for (const { path } of state.conflicts) {
		if ((await fileInClone(folder, path)) !== 'file') {
			continue;
		}
		opened += 1;
		const uri = vscode.Uri.joinPath(vscode.Uri.file(folder), path);
		const root = git && repositoryOf(git, uri)?.rootUri.fsPath;
		if (root !== undefined && (await folderKey(root)) === key) {
			try {
				await vscode.commands.executeCommand('git.openMergeEditor', uri);
				continue;
			} catch (error) {
				problems.log(error);
			}
		}
		await openUri(uri, { preview: false });
	}
	if (opened < state.conflicts.length) {
		const missing = state.conflicts.length - opened;
		void notify('information', vscode.l10n.t('Files with conflicts that are deleted or not regular: {0}.', missing));
	}
}

async function continueApplying(parts: ApplyContext, stopped: StoppedApply, signal: AbortSignal): Promise<void> {
	const { folder, state } = stopped;
	const stop = await ownStop(parts, stopped, 'continue', signal);
	const unmerged = state.conflicts.map(({ path }) => path);
	const marked = await withConflictMarkers(parts.git, folder, unmerged, signal);
	if (marked.length > 0) {
		void tellMarked(folder, marked);
		return;
	}
	const staged = await stagedConflicts(parts.git, folder, signal);
	const all = [...unmerged, ...staged.paths];
	if (all.length > 0) {
		const sides = [...(unmerged.length > 0 ? await conflictSides(parts.git, folder, signal) : []), ...staged.sides];
		// The merge editor writes the merge base, and auto-save stores it, before the user chose anything.
		const rest = resting(parts.clock);
		const left: string[] = [];
		for (const { path, now, ...texts } of sides) {
			if (await runResting(isAtBase(texts, now), rest, signal)) {
				left.push(path);
			}
		}
		const isSure = left.length === 0 && staged.marked.length === 0;
		const action = isSure ? vscode.l10n.t('Continue') : vscode.l10n.t('Continue Anyway');
		const question = vscode.l10n.t('Are all conflicts of patch {0} resolved?', state.at);
		await confirmOrCancel(question, conflictsText(all, staged, left), action);
	}
	if (unmerged.length > 0) {
		// The user may have begun something else while the question was open.
		unlessRefused(folder, await stageSolved(parts.git, folder, unmerged, stop, signal));
	}
	await step(parts, stopped, 'continue', stop, signal);
}

/** The stop, if the step touches nothing else. Throws `cancelled()`, after a message, otherwise. */
async function ownStop(
	parts: ApplyContext,
	stopped: StoppedApply,
	kind: ApplyStep,
	signal: AbortSignal,
): Promise<Stop> {
	const stop = await stopOf(parts, stopped);
	unlessRefused(stopped.folder, await stepObstacle(parts.git, stopped.folder, kind, stop, signal));
	return stop;
}

function unlessRefused(folder: string, refused: Refused | undefined): void {
	if (refused) {
		void tellWithSteps('error', refusedText(refused), refused.why === 'moved' ? [abortStep(folder)] : []);
		throw cancelled();
	}
}

/**
 * Names probably unresolved files first, with the next step. `all`: files that are or were in conflict; `left`: those that
 * are as they were before both changes.
 */
function conflictsText(all: readonly string[], { paths, marked }: StagedConflicts, left: readonly string[]): string {
	const others = all.filter((path) => !marked.includes(path) && !left.includes(path));
	const shown = namesText(others.map(visibleLine));
	if (others.length === all.length) {
		return shown;
	}
	const markedText =
		marked.length === 1
			? vscode.l10n.t(
					'1 file is staged with conflict markers, and would be committed with them. Resolve, save and stage it, then continue.',
				)
			: vscode.l10n.t(
					'{0} files are staged with conflict markers, and would be committed with them. Resolve, save and stage them, then continue.',
					marked.length,
				);
	const leftText =
		left.length === 1
			? vscode.l10n.t(
					'1 file is probably not resolved. At a conflict it still has the text from before both changes, as the merge editor writes it until you choose a side. Open it, choose, save it and then continue.',
				)
			: vscode.l10n.t(
					'{0} files are probably not resolved. At a conflict they still have the text from before both changes, as the merge editor writes it until you choose a side. Open them, choose, save them and then continue.',
					left.length,
				);
	const isLeftStaged = left.some((path) => paths.includes(path));
	const parts = [
		...(marked.length > 0 ? [markedText, namesText(marked.map(visibleLine))] : []),
		...(left.length > 0 ? [leftText, namesText(left.map(visibleLine))] : []),
		...(isLeftStaged ? [vscode.l10n.t('What is staged is committed. Stage a file again after you change it.')] : []),
	];
	const rest = [vscode.l10n.t('Other files with conflicts:'), shown].join('\n');
	return [...parts, ...(others.length > 0 ? [rest] : [])].join('\n\n');
}

/** Not awaited: the notice may stay open for hours. */
async function tellMarked(folder: string, marked: readonly string[]): Promise<void> {
	const open = vscode.l10n.t('Open Files');
	const [first = ''] = marked;
	const text =
		marked.length === 1
			? vscode.l10n.t('{0} still has conflict markers. Resolve and save it, then continue.', visibleLine(first))
			: vscode.l10n.t(
					'Files that still have conflict markers: {0}. Resolve and save them, then continue.',
					marked.length,
				);
	if ((await notify('warning', text, open)) === open) {
		await vscode.commands.executeCommand('forge.apply.openConflicts', { folder });
	}
}

async function skip(parts: ApplyContext, stopped: StoppedApply, signal: AbortSignal): Promise<void> {
	const { at, of } = stopped.state;
	const stop = await ownStop(parts, stopped, 'skip', signal);
	const question = vscode.l10n.t('Skip patch {0} of {1} of "{2}"?', at, of, nameOf(stopped));
	const detail = vscode.l10n.t("What you changed to resolve its conflicts is lost. This can't be undone.");
	await confirmForGoodOrCancel(question, detail, vscode.l10n.t('Skip Patch'));
	await step(parts, stopped, 'skip', stop, signal);
}

async function abort(parts: ApplyContext, stopped: StoppedApply, signal: AbortSignal): Promise<void> {
	const { left, moved } = stopped.state;
	const kind = moved ? 'quit' : 'abort';
	const stop = await ownStop(parts, stopped, kind, signal);
	const question = vscode.l10n.t('Abort applying "{0}"?', nameOf(stopped));
	const detail = moved
		? vscode.l10n.t(
				'Git stopped on {0}, but {1} is checked out now. So only the series ends: branches, commits and files stay as they are.',
				checkoutText(left),
				checkoutText(moved),
			)
		: vscode.l10n.t(
				"Patches that are already applied are removed from the branch, and what you changed to resolve conflicts is lost. This can't be undone.",
			);
	await confirmForGoodOrCancel(question, detail, vscode.l10n.t('Abort Applying'));
	await step(parts, stopped, kind, stop, signal);
}

async function step(
	parts: ApplyContext,
	stopped: StoppedApply,
	kind: ApplyStep,
	stop: Stop,
	signal: AbortSignal,
): Promise<void> {
	if (kind === 'continue' || kind === 'skip') {
		// Git commits all patches up to the next stop, so they need the same trial as before the start.
		const judged = await withProgress(stepTitle(kind), signal, (working) =>
			judgedRest(parts, stopped, stop, kind, working),
		);
		if (judged !== 'nothing') {
			const show = (file: UnseenFile): Promise<void> => showBlob(parts, stopped.folder, file, signal);
			const action = kind === 'continue' ? vscode.l10n.t('Continue') : vscode.l10n.t('Skip Patch');
			await askDoubts(judgedDoubts(judged, 'commit'), action, show);
		}
	}
	const { folder, applied } = stopped;
	try {
		const outcome = await withProgress(stepTitle(kind), signal, (working) =>
			parts.during(() => goOnKnown(parts, applied, () => goOn(parts.git, folder, kind, stop, working))),
		);
		await takeOutcome(parts, applied, outcome, signal);
	} catch (error) {
		// Git may have reached another patch before the abort.
		await parts.changed();
		throw error;
	}
}

/** Other windows know meanwhile that git runs. */
async function goOnKnown<T>(
	{ applied: kept, clock }: ApplyContext,
	applied: AppliedPatchset | undefined,
	work: () => Promise<T>,
): Promise<T> {
	if (!applied) {
		return await work();
	}
	await kept.put({ ...applied, begunMs: clock.nowMs() });
	try {
		return await work();
	} finally {
		await kept.put({ ...applied, begunMs: undefined });
	}
}

function stepTitle(kind: ApplyStep): string {
	return {
		continue: vscode.l10n.t('Continuing…'),
		skip: vscode.l10n.t('Skipping the patch…'),
		abort: vscode.l10n.t('Aborting…'),
		quit: vscode.l10n.t('Aborting…'),
	}[kind];
}
