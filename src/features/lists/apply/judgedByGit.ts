import * as vscode from 'vscode';
import { turns } from '../../../base/timeSlice.ts';
import { confirmOrCancel } from '../../../editor/ask/ask.ts';
import { namesText } from '../../../editor/ask/notify.ts';
import { GitFailure } from '../../../machine/git/gitFailure.ts';
import { scratchApply, type GitTrial, type ScratchBase } from '../../../machine/git/scratchApply.ts';
import { filesAtCommit } from '../../../machine/git/filesAtCommit.ts';
import { blobId, isFullId } from '../../../engine/patch/blobId.ts';
import type { FileDiff } from '../../../engine/patch/fileDiff.ts';
import { shownBase } from '../../../engine/patch/shownBase.ts';
import { trySeries, type SeriesTrial, type TrialParts } from '../../../engine/patch/trySeries.ts';
import type { FileThere } from '../../../engine/patch/tryFile.ts';
import { areBare } from '../../../engine/series/amCommand.ts';
import type { SeriesPatch } from '../../../engine/series/seriesReading.ts';
import { visibleLine } from '../../../engine/text/visible.ts';
import { otherMessagesText } from '../checks/checkTexts.ts';
import type { CheckByGit } from '../checks/patchsetChecks.ts';
import { appliedDiff } from './appliedAlready.ts';
import { gitReason, otherContents, otherMessages } from './madeByGit.ts';
import type { ListsDesk } from '../parts/listsDesk.ts';
import type { OpenClone } from './openClone.ts';
import type { SeriesMailbox } from './seriesMailbox.ts';

/** The result of `git am -3` in a scratch repository. */
export interface Judgement extends CheckByGit {
	/** The mailbox with the CR decisions that reproduce the stated blob ids. */
	readonly mailbox: SeriesMailbox;
}

type Read = TrialParts['read'];

/**
 * Tries patches with git before Apply, Save and Copy, and in checks: our own parser is a preview. `read`: the base, for
 * the diffs. `undefined` and a log entry if git fails. Throws aborts.
 */
export async function judgedByGit(
	parts: ListsDesk,
	base: ScratchBase,
	first: SeriesMailbox,
	read: Read,
	signal: AbortSignal,
): Promise<Judgement | undefined> {
	try {
		const { patches } = first;
		const { mailbox, trial } = await likeliest(parts, base, first, signal);
		const { stop, isMerged, texts } = trial;
		// Patches from the stop on may change the same files.
		const applied = stop ? patches.slice(0, stop.at - 1) : patches;
		const shown = await shownTrial(parts, applied, read, () => false, signal);
		return {
			mailbox,
			stop: stop && stopOf(stop, patches),
			isMerged,
			others: differing(applied, shown, trial),
			otherMessages: otherMessages(patches, mailbox.added, texts),
		};
	} catch (error) {
		if (!(error instanceof GitFailure)) {
			throw error;
		}
		if (error.problem.kind !== 'notTrusted') {
			parts.problems.log(error);
		}
		return undefined;
	}
}

function stopOf({ at, hasConflicts, complaint }: NonNullable<GitTrial['stop']>, patches: readonly SeriesPatch[]) {
	return {
		index: patches[at - 1]?.index ?? at,
		hasConflicts,
		reason: gitReason(complaint) || vscode.l10n.t('git stopped without a reason'),
	};
}

const longIdDigits = 64;

/** Hash algorithm, from the length of full blob ids. */
function hashOf(patches: readonly SeriesPatch[]): 'sha1' | 'sha256' {
	const files = patches.flatMap((patch) => appliedDiff(patch).diff.files);
	return files.some(({ newId }) => newId?.length === longIdDigits) ? 'sha256' : 'sha1';
}

interface TriedMailbox {
	readonly mailbox: SeriesMailbox;
	readonly trial: GitTrial;
}

/** Flips the CR decision of single mails while git gets further, or writes more of the stated blobs. */
async function likeliest(parts: ListsDesk, base: ScratchBase, first: SeriesMailbox, signal: AbortSignal) {
	const { patches } = first;
	const tried = async (mailbox: SeriesMailbox): Promise<TriedMailbox> => ({
		mailbox,
		trial: await scratchApply(
			parts,
			base,
			{ mailbox: mailbox.bytes, isBare: areBare(patches), hash: hashOf(patches), paths: pathsOf(patches) },
			signal,
		),
	});
	const scoreOf = ({ trial: { stop, commits } }: TriedMailbox): number =>
		(stop?.at ?? patches.length + 1) - otherContents(patches, commits).length / 1e6;
	let best = await tried(first);
	const left = new Set(first.stripped.keys());
	for (let at = nextDoubt(best, patches, left); at !== undefined; at = nextDoubt(best, patches, left)) {
		left.delete(at);
		const { mailbox } = best;
		const next = await tried(mailbox.with(new Map([...mailbox.stripped, [at, mailbox.stripped.get(at) !== true]])));
		best = scoreOf(next) > scoreOf(best) ? next : best;
	}
	return best;
}

/** Position of the next mail with CRs at a stop or with a different blob. */
function nextDoubt(
	{ trial: { stop, commits } }: TriedMailbox,
	patches: readonly SeriesPatch[],
	left: ReadonlySet<number>,
): number | undefined {
	const others = new Set(otherContents(patches, commits));
	return Array.from(left).find(
		(at) =>
			stop?.at === at + 1 ||
			patches[at]?.patch.diff.files.some(({ newPath }) => newPath !== undefined && others.has(newPath)) === true,
	);
}

const noFile = '0';

/** Paths whose last blob differs from the diffs. Skips files after a three-way merge. */
function differing(patches: readonly SeriesPatch[], { verdicts, after }: SeriesTrial, { commits, isMerged }: GitTrial) {
	const byGit = new Map(commits.flat().map(({ path, after: id }) => [path, id]));
	const merged = new Set<string>();
	for (const [at, patch] of patches.entries()) {
		for (const [place, file] of appliedDiff(patch).diff.files.entries()) {
			const verdict = verdicts[at]?.files[place];
			const isSure = verdict?.kind === 'applies' && verdict.fuzz === 0;
			pathsIn(file).forEach((path) => isMerged && !isSure && merged.add(path));
		}
	}
	const named = pathsOf(patches).filter((path) => !merged.has(path));
	const stated = new Map(patches.flatMap((patch) => appliedDiff(patch).diff.files.flatMap(statedAlone)));
	const isOther = (path: string): boolean => {
		const id = byGit.get(path);
		return id === undefined || (idOf(after.get(path), id.length) !== plain(id) && stated.get(path) !== id);
	};
	// `askInDoubt` asks about raw patches.
	const isRead = verdicts.every(({ kind }) => kind !== 'empty');
	const unnamed = Array.from(byGit.keys()).filter((path) => isRead && !named.includes(path) && !merged.has(path));
	return [...named.filter(isOther), ...unnamed];
}

/** The path and blob of a binary file without data. Git takes the blob from the clone. */
function statedAlone({ content, newPath, newId }: FileDiff): readonly (readonly [path: string, id: string])[] {
	const isAlone = content.kind === 'binary' && !content.forward && isFullId(newId);
	return isAlone && newPath !== undefined && newId !== undefined ? [[newPath, newId]] : [];
}

/** All paths in the patches, each once. */
export function pathsOf(patches: readonly SeriesPatch[]): readonly string[] {
	return Array.from(new Set(patches.flatMap((patch) => appliedDiff(patch).diff.files.flatMap(pathsIn))));
}

function pathsIn({ oldPath, newPath, change }: FileDiff): readonly string[] {
	return (change === 'copied' ? [newPath] : [oldPath, newPath]).filter((path) => path !== undefined);
}

function plain(id: string): string {
	return /^0+$/.test(id) ? noFile : id;
}

function idOf(there: FileThere | undefined, length: number): string {
	if (there?.kind !== 'file') {
		return noFile;
	}
	return there.mode === '160000'
		? (/[0-9a-f]{40,64}/.exec(Buffer.from(there.content).toString('latin1'))?.[0] ?? noFile)
		: blobId(there.content, length === 64 ? 'sha256' : 'sha1');
}

/** Our own parser's result of the patches. */
export function shownTrial(
	{ clock }: ListsDesk,
	patches: readonly SeriesPatch[],
	read: Read,
	isCommitted: (patch: SeriesPatch) => boolean,
	signal: AbortSignal,
): Promise<SeriesTrial> {
	const committed = patches.map(isCommitted);
	return trySeries(
		{
			patches: patches.map(({ patch }) => patch.bytes),
			read,
			isCommitted: (at) => committed[at] ?? false,
			turn: turns(clock),
		},
		signal,
	);
}

/** Git's result on a commit of a clone, compared with the diffs. */
export async function judgedInClone(
	parts: ListsDesk,
	clone: OpenClone,
	commit: string,
	mailbox: SeriesMailbox,
	signal: AbortSignal,
): Promise<Judgement | undefined> {
	const root = clone.root.fsPath;
	const files = await filesAtCommit(parts.git, root, { commit, paths: pathsOf(mailbox.patches) }, signal);
	return judgedByGit(parts, { kind: 'commit', root, commit }, mailbox, async (path) => files(path), signal);
}

/**
 * Git's result on files made from the context and removed lines of the patches. `undefined` if that is not enough, or if
 * git fails.
 */
export async function judgedAlone(
	parts: ListsDesk,
	mailbox: SeriesMailbox,
	signal: AbortSignal,
): Promise<Judgement | undefined> {
	const files = shownBase(mailbox.patches.map(({ patch }) => patch.bytes));
	const read: Read = async (path) => {
		const file = files?.get(path);
		return file ? { kind: 'file', ...file } : { kind: 'missing' };
	};
	return files && judgedByGit(parts, { kind: 'files', files }, mailbox, read, signal);
}

/**
 * Asks about patches that git rejects or applies differently. Conflicts with a commit need no question: the user resolves them
 * later. Throws `cancelled()` for a no.
 */
export async function askJudged(judged: Judgement | undefined, action: string, on: 'commit' | 'alone'): Promise<void> {
	const { stop } = judged ?? {};
	const details = judged ? otherTexts(judged) : [];
	if (stop && !(stop.hasConflicts && on === 'commit')) {
		const text = stop.hasConflicts
			? vscode.l10n.t('Patch {0} conflicts with the patches before it.', stop.index)
			: vscode.l10n.t('Git does not accept patch {0}: {1}.', stop.index, stop.reason);
		const detail = vscode.l10n.t('Git stops there, and you can skip the patch. Ask the sender for a new version.');
		await asked(text, [detail, ...details].join('\n\n'), action);
	} else if (details.length > 0) {
		await asked(vscode.l10n.t('Git may apply something other than what is shown.'), details.join('\n\n'), action);
	}
}

function otherTexts({ others, otherMessages: numbers }: Judgement): readonly string[] {
	const files = namesText(others.map(visibleLine));
	return [
		...(others.length > 0
			? [[vscode.l10n.t('Git writes other contents than the diffs show. Files:'), files].join('\n')]
			: []),
		...(numbers.length > 0 ? [otherMessagesText(numbers)] : []),
	];
}

async function asked(text: string, detail: string, action: string): Promise<void> {
	await confirmOrCancel(text, detail, action);
}
