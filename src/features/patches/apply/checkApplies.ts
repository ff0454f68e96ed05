import * as vscode from 'vscode';
import { LRUCache } from 'lru-cache';
import { isAbort } from '@forge-desk/base/abort.ts';
import { Disposables, type Disposable } from '@forge-desk/base/lifecycle.ts';
import { choose } from '../../../editor/ask/ask.ts';
import { notify } from '../../../editor/ask/notify.ts';
import { withProgress } from '../../../editor/ask/progress.ts';
import { connectionOf } from '../../../editor/commands/subjects.ts';
import { followRepositories } from '../../../editor/git/followRepositories.ts';
import { ForgeError } from 'sourcehut/port/forgeError.ts';
import type { PatchsetRef } from 'sourcehut/port/list.ts';
import { refText } from 'sourcehut/port/namedRef.ts';
import { headCommit } from 'hardened-git/applyState.ts';
import { filesAtCommit as filesInClone } from 'hardened-git/filesAtCommit.ts';
import { localCommits } from 'hardened-git/localSeries.ts';
import type { FileThere } from 'patchmail/patch/tryFile.ts';
import type { SeriesTrial, TrialParts } from 'patchmail/patch/trySeries.ts';
import type { ScratchBase } from 'hardened-git/scratchApply.ts';
import { pathOf } from '../../../editor/patchDocuments/fileWords.ts';
import { watchConnections, type Connection } from '../../../store/connection.ts';
import type { PatchsetReview } from '../../../store/lists/patchsets/patchsetReview.ts';
import { searchBudget } from '../../../store/repositories/history/historyReads.ts';
import { filesAtCommit } from '../../../store/wholeFiles/filesAtCommit.ts';
import { visibleLine } from '../../../engine/text/visible.ts';
import { checkSentence, fileVerdictText, outcomeOf } from '../../lists/checks/checkTexts.ts';
import type { CheckedPatch, PatchsetCheck } from '../../lists/checks/patchsetChecks.ts';
import type { PatchFileSubject, PatchsetSubject } from '../../lists/subjects/subjects.ts';
import { appliedDiff, appliedHere } from './appliedAlready.ts';
import type { ApplyContext } from './savedApplied.ts';
import { judgedByGit, unlessWithoutGit } from './judgedByGit.ts';
import { shownTrial } from './comparedCommits.ts';
import { pathsOf } from './patchedFiles.ts';
import { seriesMailbox } from './seriesMailbox.ts';
import { askDoubts, missingPatches, seriesDoubts } from './doubts.ts';
import { askVersion } from './seriesQuestions.ts';
import { askAgainst, type Against } from './askAgainst.ts';
import { clonesHere, type OpenClone } from './openClone.ts';

/** Request budgets of a first check and of a continued one. */
const [firstRequests, furtherRequests] = [60, 600];

/** Asks for a reference or a clone, tries the patches there and shows the result. Changes nothing in the clone. */
export async function checkApplies(parts: ApplyContext, given: PatchsetSubject, signal: AbortSignal): Promise<void> {
	const connection = connectionOf(parts.connections, given);
	const review = await askVersion(connection, given.ref, signal);
	const subject = { ...given, ref: review.ref };
	if (review.series.patches.length === 0) {
		void notify('information', vscode.l10n.t('This patchset has no patches.'));
		return;
	}
	const missing = missingPatches(review);
	if (missing !== undefined) {
		void notify('information', vscode.l10n.t('{0} Check again once all messages are there.', missing));
		return;
	}
	await askDoubts(seriesDoubts(review.series, review.series.patches, parts.clock.nowMs()), vscode.l10n.t('Check'));
	const against = await askAgainst(parts, connection, review, signal);
	await checkOn(parts, { connection, review, subject, against, requests: firstRequests }, signal);
}

/** As many commits as a check compares by their patch ids. */
const mostTitles = 300;
/** Read patchsets that a moved HEAD may have. */
const mostRead = 500;

/**
 * Checks read patchsets on the open clones, and notes those that a clone already has, for rows and pages. Titles of
 * commits choose them. Nothing is noted about the others: titles change and clones are late, so they may be applied.
 */
export function notedInClones(parts: ApplyContext, signal: AbortSignal): Disposable {
	const { git, trust, checks, connections, findGit, problems } = parts;
	const owned = new Disposables();
	const titles = new LRUCache<string, ReadonlySet<string>>({ max: 20 });
	const read = new LRUCache<string, () => Promise<void>>({ max: mostRead });
	let isFollowing = false;
	let last = Promise.resolve();

	async function titlesIn({ root: { fsPath }, head: { commit: tip = '' } }: OpenClone): Promise<ReadonlySet<string>> {
		const key = `${fsPath} ${tip}`;
		const range = { since: undefined, tip, count: mostTitles };
		const found =
			titles.get(key) ?? new Set((await localCommits(git, fsPath, range, signal)).map(({ subject }) => subject));
		titles.set(key, found);
		return found;
	}

	async function look(connection: Connection, ref: PatchsetRef): Promise<void> {
		checks.forgetOld(connection.key, ref);
		const review = connection.reviews.known(ref);
		const patches = review?.series.patches ?? [];
		const isChecked = checks.of(connection.key, ref) !== undefined;
		if (!review || patches.length === 0 || !trust.isTrusted() || isChecked || missingPatches(review) !== undefined) {
			return;
		}
		const subject: PatchsetSubject = { kind: 'patchset', connectionKey: connection.key, ref };
		for (const clone of await clonesHere(findGit, signal)) {
			const known = await titlesIn(clone);
			if (patches.some(({ patch }) => known.has(patch.subject))) {
				const tried = await triedInClone(parts, review, { kind: 'clone', clone, reference: undefined }, signal);
				if (tried.shown.verdicts.every(({ kind }) => kind === 'alreadyApplied')) {
					return checks.note(connection.key, ref, await checkOf(parts, { connection, review, subject }, tried, signal));
				}
			}
		}
	}

	/** One after the other: each may run git. */
	function queue(work: () => Promise<void>): void {
		last = last.then(work).catch((error: unknown) => (isAbort(error) ? undefined : problems.log(error)));
	}

	async function follow(): Promise<void> {
		const found = isFollowing || !trust.isTrusted() ? undefined : await findGit(signal);
		if (found && !isFollowing) {
			isFollowing = true;
			const lookAgain = (): void => read.forEach(queue);
			owned.add(followRepositories(found, ({ state }) => onMovedHead(state, lookAgain)));
		}
	}

	const watch = (connection: Connection): Disposable =>
		connection.reviews.onDidChange((ref) => {
			const work = (): Promise<void> => look(connection, ref);
			read.set(`${connection.key} ${refText(ref.list)} ${ref.id}`, work);
			queue(follow);
			queue(work);
		});
	owned.add(
		watchConnections(
			connections,
			(connection) => [watch(connection)],
			() => read.clear(),
		),
	);
	owned.add(trust.onDidGrant(() => read.forEach(queue)));
	return owned;
}

function onMovedHead(state: OpenClone['state'], moved: () => void): Disposable {
	let before = state.HEAD?.commit;
	return state.onDidChange(() => {
		const now = state.HEAD?.commit;
		void (now !== before && moved());
		before = now;
	});
}

interface Checked {
	readonly connection: Connection;
	readonly review: PatchsetReview;
	readonly subject: PatchsetSubject;
}

interface Checking extends Checked {
	readonly against: Against;
	readonly requests: number;
}

async function checkOn(parts: ApplyContext, checking: Checking, signal: AbortSignal): Promise<void> {
	const { review, subject, against } = checking;
	const title = vscode.l10n.t('Checking "{0}"…', visibleLine(review.patchset.subject));
	const check = await withProgress(title, signal, async (working) => {
		const tried = await (against.kind === 'clone'
			? triedInClone(parts, review, against, working)
			: triedOnForge(parts, checking, against, working));
		return tried === 'budget' ? tried : checkOf(parts, checking, tried, working);
	});
	if (check === 'budget') {
		void askFurther(parts, checking, signal);
		return;
	}
	// The editor reports changes of HEAD, but not of other references in a clone.
	if (against.kind === 'forge' || against.reference === undefined) {
		parts.checks.note(subject.connectionKey, subject.ref, check);
	}
	void tellCheck(parts, check, subject);
}

/** The command doesn't await this: an open notice must not block it. */
async function askFurther(parts: ApplyContext, checking: Checking, signal: AbortSignal): Promise<void> {
	const further = vscode.l10n.t('Continue');
	const text = vscode.l10n.t(
		'The check reached its limit of requests ({0}). Continue with up to {1}?',
		checking.requests,
		furtherRequests,
	);
	if ((await notify('warning', text, further)) === further) {
		await checkOn(parts, { ...checking, requests: furtherRequests }, signal).catch((error: unknown) =>
			parts.problems.show(error),
		);
	}
}

/** A series tried on a commit. */
interface Tried {
	readonly on: string;
	readonly commit: string;
	readonly shown: SeriesTrial;
	/** The same commit for git; `undefined` without git. */
	readonly base: ScratchBase | undefined;
	readonly read: TrialParts['read'];
	/** Turns false after the reference moved. */
	readonly isThere: () => boolean;
}

async function triedInClone(
	parts: ApplyContext,
	{ series: { patches } }: PatchsetReview,
	{ clone, reference }: Extract<Against, { kind: 'clone' }>,
	signal: AbortSignal,
): Promise<Tried> {
	const root = clone.root.fsPath;
	// Asks git for HEAD: the editor notices changes from a terminal with a delay.
	const commit = reference?.commit ?? (await headCommit(parts.git, root, signal));
	const seen = clone.state.HEAD?.commit;
	const files = await filesInClone(parts.git, root, { commit, paths: pathsOf(patches) }, signal);
	const read = async (path: string): Promise<FileThere> => files(path);
	const { kind, commits } = await appliedHere(parts, root, commit, patches, signal);
	const shown = await shownTrial(
		parts.clock,
		patches,
		read,
		(patch) => kind !== 'sameChanges' && commits.has(patch),
		signal,
	);
	const on = reference?.name ?? clone.head.name ?? commit.slice(0, 10);
	const isThere = (): boolean => [seen, commit].includes(clone.state.HEAD?.commit);
	return { on, commit, shown, base: { kind: 'commit', root, commit }, read, isThere };
}

async function triedOnForge(
	parts: ApplyContext,
	{ connection, review, requests }: Checking,
	{ ref, revision, name, commit: asked }: Extract<Against, { kind: 'forge' }>,
	signal: AbortSignal,
): Promise<Tried | 'budget'> {
	const { repositories } = connection;
	const { patches } = review.series;
	const budget = searchBudget(requests);
	try {
		if (!asked) {
			budget.spend(signal);
		}
		const commit = asked ?? (await repositories.newestPinned(ref, revision, signal))?.commit;
		if (!commit) {
			throw new ForgeError({ kind: 'notFound' });
		}
		const read = await filesAtCommit({ repositories, ref, commit }, pathsOf(patches), budget, signal);
		const seen = new Map<string, FileThere>();
		const shown = await shownTrial(
			parts.clock,
			patches,
			async (path, reading) => {
				const there = seen.get(path) ?? (await read(path, reading));
				seen.set(path, there);
				return there;
			},
			() => false,
			signal,
		);
		const isThere = (): boolean =>
			(repositories.folders.knownPinned(ref, revision)?.commit.id ?? commit.id) === commit.id;
		const readSeen = async (path: string): Promise<FileThere> => seen.get(path) ?? { kind: 'missing' };
		// A scratch repository takes no folders and no submodules.
		const all = Array.from(seen.values());
		const isPlain = all.every(
			(there) => there.kind === 'missing' || (there.kind === 'file' && there.mode !== '160000'),
		);
		const files = Array.from(seen).flatMap(([path, there]) =>
			there.kind === 'file' ? [[path, { content: there.content, mode: there.mode ?? '100644' }] as const] : [],
		);
		return {
			on: name,
			commit: commit.id,
			shown,
			base: isPlain ? { kind: 'files', files: new Map(files) } : undefined,
			read: readSeen,
			isThere,
		};
	} catch (error) {
		if (isAbort(error) && budget.isSpent() && !signal.aborted) {
			return 'budget';
		}
		throw error;
	}
}

/** Verdicts from the diffs, corrected by git where possible. */
async function checkOf(
	parts: ApplyContext,
	{ connection, review, subject }: Checked,
	{ on, commit, shown, base, read, isThere }: Tried,
	signal: AbortSignal,
): Promise<PatchsetCheck> {
	const all = review.series.patches;
	const verdicts = all.flatMap((patch, at): readonly CheckedPatch[] => {
		const verdict = shown.verdicts[at];
		const paths = appliedDiff(patch).diff.files.map(pathOf);
		return verdict ? [{ index: patch.index, mailId: patch.mail.id, paths, verdict }] : [];
	});
	const isFresh = (): boolean => {
		const now = connection.reviews.known(subject.ref)?.series.patches ?? all;
		return isThere() && all.length === now.length && all.every(({ mail }, at) => mail.id === now[at]?.mail.id);
	};
	const check = { on, commit, verdicts, isFresh };
	const patches = all.filter((_, at) => shown.verdicts[at]?.kind !== 'alreadyApplied');
	if (!base || patches.length === 0) {
		return check;
	}
	const mailbox = await seriesMailbox(connection, patches, { trailers: [], isMerging: true }, signal);
	const judged = await judgedByGit(parts, base, mailbox, read, signal).catch(unlessWithoutGit);
	const byGit = judged === 'noGit' ? undefined : judged;
	const isAsShown = byGit && !byGit.stop && !hasOthers(byGit);
	return {
		...check,
		byGit,
		verdicts: isAsShown
			? verdicts.map((each) => {
					const { verdict } = each;
					const fits = { kind: 'applies', isExact: !byGit.isMerged, offset: 0, fuzz: byGit.isMerged ? 1 : 0 } as const;
					return verdict.kind === 'conflicts'
						? {
								...each,
								verdict: {
									...verdict,
									kind: 'applies',
									files: verdict.files.map((file) => (file.kind === 'conflict' ? fits : file)),
								},
							}
						: each;
				})
			: verdicts,
	};
}

function hasOthers(byGit: PatchsetCheck['byGit']): boolean {
	return (
		byGit !== undefined &&
		byGit.others.length + byGit.otherMessages.length + byGit.untried.length + byGit.unseen.length > 0
	);
}

/** The command doesn't await this: an open notice must not block it. */
async function tellCheck(parts: ApplyContext, check: PatchsetCheck, subject: PatchsetSubject): Promise<void> {
	const [details, apply] = [vscode.l10n.t('Show Details'), vscode.l10n.t('Apply Patchset…')] as const;
	const outcome = outcomeOf(check);
	const isApplicable = parts.trust.isTrusted() && outcome !== 'alreadyApplied';
	const actions = [details, ...(isApplicable ? [apply] : [])];
	const severity =
		outcome === 'conflicts' || outcome === 'unknown' || hasOthers(check.byGit) ? 'warning' : 'information';
	const chosen = await notify(severity, checkSentence(check), ...actions);
	if (chosen === apply) {
		await vscode.commands.executeCommand('forge.patchsets.apply', subject);
	} else if (chosen === details) {
		await showDetails(check, subject).catch((error: unknown) => {
			if (!isAbort(error)) {
				void parts.problems.show(error);
			}
		});
	}
}

/** Lists each file with its result. A choice opens the diff. */
async function showDetails(check: PatchsetCheck, { connectionKey, ref: { list, id: patchsetId } }: PatchsetSubject) {
	const rows = check.verdicts.flatMap(({ index, mailId, paths, verdict }) =>
		paths.map((path, fileIndex) => {
			const file = verdict.files[fileIndex] ?? ({ kind: 'alreadyApplied' } as const);
			const subject: PatchFileSubject = { kind: 'patchFile', connectionKey, list, patchsetId, mailId, fileIndex };
			return {
				label: visibleLine(path),
				description: vscode.l10n.t('patch {0}', index),
				detail: fileVerdictText(file),
				iconPath: new vscode.ThemeIcon(file.kind === 'conflict' ? 'error' : 'pass'),
				value: subject,
			};
		}),
	);
	const chosen = await choose(checkSentence(check), rows);
	await vscode.commands.executeCommand('forge.patchsets.openDiff', chosen);
}
