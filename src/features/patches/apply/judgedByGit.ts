import * as vscode from 'vscode';
import { namesText } from '../../../editor/ask/notify.ts';
import { baseFiles } from 'patchmail/patch/baseFiles.ts';
import type { TrialParts } from 'patchmail/patch/trySeries.ts';
import type { SeriesPatch } from 'patchmail/series/seriesReading.ts';
import { mailText } from 'patchmail/mail/mailText.ts';
import { mailboxOf } from 'patchmail/series/mbox.ts';
import { patchMailOf } from 'patchmail/series/patchMail.ts';
import { unread } from 'patchmail/series/series.ts';
import { visibleLine } from '../../../engine/text/visible.ts';
import type { OwnStop } from 'hardened-git/applyObstacles.ts';
import { remainingMails, stagedFiles } from 'hardened-git/applyState.ts';
import { filesAtCommit } from 'hardened-git/filesAtCommit.ts';
import { GitFailure } from 'hardened-git/gitFailure.ts';
import { scratchApply, type CommitBase, type GitTrial, type ScratchBase } from 'hardened-git/scratchApply.ts';
import { otherMessagesText } from '../../lists/checks/checkTexts.ts';
import type { CheckByGit } from '../../lists/checks/patchsetChecks.ts';
import type { ListsContext } from '../../lists/context/listsContext.ts';
import { appliedDiff } from './appliedAlready.ts';
import { comparedCommits } from './comparedCommits.ts';
import { otherThanShown, type Doubt } from './doubts.ts';
import { gitReason, otherContents, pathsOf, unseenFiles } from './patchedFiles.ts';
import type { StoppedApply } from './savedApplied.ts';
import type { SeriesMailbox } from './seriesMailbox.ts';

/** The result of `git am` in a scratch repository. */
export interface Judgement extends CheckByGit {
	/** The mailbox with the CR decisions that reproduce the stated blob ids. */
	readonly mailbox: SeriesMailbox;
	/** Paths in the patches, and those that git changes for them. */
	readonly paths: readonly string[];
}

type Read = TrialParts['read'];

/**
 * Tries patches with git before Apply, Continue, Skip, Save and Copy, and in checks: our own parser is a preview.
 * `read`: the base, for the diffs. `undefined` and a log entry if git fails. Throws aborts, and `GitFailure` where git
 * may not run, is missing or too old.
 */
export async function judgedByGit(
	parts: ListsContext,
	base: ScratchBase,
	first: SeriesMailbox,
	reading: Read | Promise<Read>,
	signal: AbortSignal,
): Promise<Judgement | undefined> {
	try {
		const read = await reading;
		const { patches } = first;
		const { mailbox, trial } = await likeliest(parts, base, first, signal);
		const { stop, isMerged } = trial;
		if (trial.commits.length + trial.skipped !== (stop?.at ?? patches.length + 1) - 1) {
			// A comparison of the commits would not notice a patch without one.
			throw new GitFailure(
				{ kind: 'failed', program: 'git' },
				'the number of commits differs from that of the patches',
			);
		}
		const commits = await comparedCommits(parts.clock, { patches, added: mailbox.added, read }, trial, signal);
		const resolved = base.kind === 'commit' ? (base.resolved?.conflicts ?? []) : [];
		const files = commits.flatMap(({ commit, files: all }) =>
			// `unseen` has those of kind `unseen`.
			all.filter(
				({ path, kind }) => kind !== 'unseen' && !(commit === trial.commits[0]?.id && resolved.includes(path)),
			),
		);
		const pathsWhere = (isUntried: boolean): readonly string[] =>
			Array.from(new Set(files.filter(({ kind }) => (kind === 'untried') === isUntried).map(({ path }) => path)));
		const texts = commits.filter(({ index, texts }) => index === 0 || texts.length > 0);
		return {
			mailbox,
			stop: stop && {
				index: patches[stop.at - 1]?.index ?? stop.at,
				hasConflicts: stop.conflicts.length > 0,
				reason: gitReason(stop.complaint) || vscode.l10n.t('git stopped without a reason'),
			},
			isMerged,
			others: pathsWhere(false),
			untried: pathsWhere(true),
			otherMessages: texts.map(({ index }) => index),
			unseen: unseenFiles(patches),
			paths: Array.from(
				new Set([
					...pathsOf(patches),
					...trial.commits.flatMap((commit) => commit.files.map(({ path }) => path)),
					...(stop?.conflicts ?? []),
				]),
			),
		};
	} catch (error) {
		if (!(error instanceof GitFailure) || isWithoutGit(error)) {
			throw error;
		}
		parts.problems.log(error);
		return undefined;
	}
}

function isWithoutGit({ problem: { kind } }: GitFailure): boolean {
	return kind === 'notTrusted' || kind === 'programMissing' || kind === 'tooOld';
}

/** For callers that work without git, too. */
export function unlessWithoutGit(error: unknown): 'noGit' {
	if (error instanceof GitFailure && isWithoutGit(error)) {
		return 'noGit';
	}
	throw error;
}

const longIdDigits = 64;

interface TriedMailbox {
	readonly mailbox: SeriesMailbox;
	readonly trial: GitTrial;
}

/** Flips the CR decision of single mails while git gets further, or writes more of the stated blobs. */
async function likeliest(parts: ListsContext, base: ScratchBase, first: SeriesMailbox, signal: AbortSignal) {
	const { patches } = first;
	const files = patches.flatMap((patch) => appliedDiff(patch).diff.files);
	const hash = files.some(({ newId }) => newId?.length === longIdDigits) ? 'sha256' : 'sha1';
	const paths = pathsOf(patches);
	const tried = async (mailbox: SeriesMailbox): Promise<TriedMailbox> => ({
		mailbox,
		trial: await scratchApply(parts, base, { ...first.manner, mailbox: mailbox.bytes, hash, paths }, signal),
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

/** Git's result on a commit of a clone, compared with the diffs. */
export async function judgedInClone(
	parts: ListsContext,
	clone: CommitBase,
	mailbox: SeriesMailbox,
	signal: AbortSignal,
): Promise<Judgement | undefined> {
	const files = filesAtCommit(parts.git, clone.root, { commit: clone.commit, paths: pathsOf(mailbox.patches) }, signal);
	const read = files.then(
		(at): Read =>
			async (path) =>
				at(path),
	);
	return judgedByGit(parts, { ...clone, kind: 'commit' }, mailbox, read, signal);
}

/**
 * Git's result on files made from the context and removed lines of the patches. `noBase` if that is not enough;
 * `undefined` if git fails.
 */
export async function judgedAlone(
	parts: ListsContext,
	mailbox: SeriesMailbox,
	signal: AbortSignal,
): Promise<Judgement | 'noBase' | undefined> {
	const files = baseFiles(mailbox.patches.map(({ patch }) => patch.bytes));
	const read: Read = async (path) => {
		const file = files?.get(path);
		return file ? { kind: 'file', ...file } : { kind: 'missing' };
	};
	return files ? judgedByGit(parts, { kind: 'files', files }, mailbox, read, signal) : 'noBase';
}

/** A stop with the mails of its patch and of those behind it; without any if they could not be read. */
export type Stop = OwnStop & { readonly envelopes: readonly string[]; readonly patches: readonly SeriesPatch[] };

/** From git's own mails: another window or a terminal may have started the series, or gone on. Logs failures. */
export async function stopOf(
	{ mailReader, problems }: ListsContext,
	{ folder, state, applied }: StoppedApply,
): Promise<Stop> {
	const conflicts = applied?.stops?.find(({ at }) => at === state.at)?.conflicts;
	try {
		const envelopes = (await remainingMails(folder, state)).map(mailText);
		const patches = await Promise.all(
			envelopes.map(async (envelope, at): Promise<SeriesPatch> => {
				const reading = await mailReader.readMail(envelope, { evenIfLarge: true });
				const subject = reading.kind === 'raw' ? '' : reading.mail.subject;
				const index = state.at + at;
				const facts = { id: index, messageId: '', parentId: undefined, createdMs: 0, account: undefined };
				return { mail: { ...facts, subject, reading }, index, patch: patchMailOf(reading, subject) ?? unread };
			}),
		);
		return { state, conflicts, paths: pathsOf(patches.slice(0, 1)), envelopes, patches };
	} catch (error) {
		if (!(error instanceof GitFailure)) {
			throw error;
		}
		problems.log(error);
		return { state, conflicts, paths: [], envelopes: [], patches: [] };
	}
}

/**
 * Git's result before it goes on: on the stopped patch as its files are staged, and on the patches behind it, because the
 * first trial ended at the conflict. Only files with conflicts may differ from the patch. `nothing`: git skips the last.
 */
export async function judgedRest(
	parts: ListsContext,
	{ folder, state }: StoppedApply,
	{ conflicts = [], envelopes, patches }: Stop,
	step: 'continue' | 'skip',
	signal: AbortSignal,
): Promise<Judgement | 'nothing' | undefined> {
	if (step === 'skip' && state.at >= state.of) {
		return 'nothing';
	}
	const given = step === 'skip' ? patches.slice(1) : patches;
	if (given.length === 0) {
		return undefined;
	}
	try {
		const mailbox: SeriesMailbox = {
			patches: given,
			manner: { isBare: state.isBare, isMerging: state.isMerging },
			bytes: mailboxOf(envelopes.slice(1)),
			stripped: new Map(),
			with: () => mailbox,
			withoutTrailers: [],
			added: given.map(() => []),
		};
		const resolved = {
			mailbox: mailboxOf(envelopes.slice(0, 1)),
			staged: await stagedFiles(parts.git, folder, signal),
			conflicts: conflicts.map(({ path }) => path),
		};
		const base = { root: folder, commit: state.left.commit, ...(step === 'continue' ? { resolved } : {}) };
		return await judgedInClone(parts, base, mailbox, signal);
	} catch (error) {
		if (!(error instanceof GitFailure)) {
			throw error;
		}
		parts.problems.log(error);
		return undefined;
	}
}

/**
 * Patches that git rejects, applies differently, or could not try. On a `commit`, a conflict needs no question, because
 * the user resolves it later.
 */
export function judgedDoubts(judged: CheckByGit | undefined, on: 'commit' | 'alone'): readonly Doubt[] {
	if (!judged) {
		const detail = vscode.l10n.t('So its result was not compared with the shown patches. See the log for the reason.');
		return [{ text: vscode.l10n.t('Git could not try the patchset.'), details: [detail] }];
	}
	const { stop, others, untried, unseen, otherMessages: numbers } = judged;
	const named = (text: string, paths: readonly string[]): readonly string[] =>
		paths.length > 0 ? [[text, namesText(paths.map(visibleLine))].join('\n')] : [];
	const missing = unseen.map(({ path }) => path);
	const details = [
		...named(vscode.l10n.t('Git writes other contents than the diffs show. Files:'), others),
		...named(vscode.l10n.t('The patches do not contain these binary files. Git takes them from the clone:'), missing),
		...named(vscode.l10n.t('These files are too large to compare with the diffs:'), untried),
		...(numbers.length > 0 ? [otherMessagesText(numbers)] : []),
	];
	const [file] = unseen;
	if (stop && !(stop.hasConflicts && on === 'commit')) {
		const text = stop.hasConflicts
			? vscode.l10n.t('Patch {0} conflicts with the patches before it.', stop.index)
			: vscode.l10n.t('Git does not accept patch {0}: {1}.', stop.index, stop.reason);
		const detail = vscode.l10n.t('Git stops there, and you can skip the patch. Ask the sender for a new version.');
		return [{ text, details: [detail, ...details], file }];
	}
	return details.length > 0 ? [{ text: otherThanShown(), details, file }] : [];
}
