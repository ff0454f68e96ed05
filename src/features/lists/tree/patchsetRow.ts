import * as vscode from 'vscode';
import { isAbort } from '@forge-desk/base/abort.ts';
import { untilText } from '../../../editor/ask/snoozeTimes.ts';
import { rowContext } from '../../../commands/rows.ts';
import { extraParagraphs, unsentMark } from '../../../editor/ask/extraFields.ts';
import { failedRow } from '../../../editor/trees/noticeRow.ts';
import { markSentence, markText } from '../../../editor/trees/markTexts.ts';
import type { TreeNode } from '../../../editor/trees/treeNode.ts';
import { untrustedMarkdown } from '../../../editor/documents/untrustedMarkdown.ts';
import { refText } from 'sourcehut/port/namedRef.ts';
import type { ListRef, Patchset, PatchsetRef } from 'sourcehut/port/list.ts';
import type { Mark } from 'sourcehut/port/mark.ts';
import { turnIcon, turnText, whyText } from '../find/turnTexts.ts';
import { missingParts } from 'patchmail/series/seriesProblems.ts';
import { answerCounts } from 'patchmail/series/answerCounts.ts';
import type { Connection } from '../../../store/connection.ts';
import type { Series } from '../../../store/lists/mailSummary.ts';
import { fullTime, spokenAge } from '../../../engine/text/age.ts';
import { escapeMarkdown } from '../../../engine/text/escapeMarkdown.ts';
import { nameOfSender, visibleLine } from '../../../engine/text/visible.ts';
import { checkSentence, checkWords, outcomeOf } from '../checks/checkTexts.ts';
import type { AccountList } from '../find/accountList.ts';
import { listRowUri } from '../marks/listMarks.ts';
import { viewedCount, viewedText } from '../reviewState/viewedFiles.ts';
import { draftCountTexts, isReviewQueued } from '../reviewState/draftCounts.ts';
import type { ListsContext } from '../context/listsContext.ts';
import { toolsWords, answersText, statusOf, titleText } from '../subjects/words.ts';
import { formedText, missingText, seriesProblemText } from '../subjects/problemTexts.ts';
import { allListsSubject, type PatchsetSubject } from '../subjects/subjects.ts';
import { ageFact, same, shownFacts, spokenFacts, type Fact } from './listRows.ts';
import { patchsetMailRows } from './patchRows.ts';
import { ledTitle, usualStart, withoutStart, wordsToDiffer, type RowLead } from './rowLead.ts';

/** Maximum of problems listed in a tooltip. */
const mostProblems = 5;

/**
 * Row of a patchset: short facts, title, and longer facts. `id`: independent of the section. `older`: rows of older
 * versions below its mails.
 */
export function patchsetRow(
	context: ListsContext,
	{ connection, list }: AccountList,
	patchset: Patchset,
	{ id, parent }: { readonly id: string; readonly parent: TreeNode },
	older: (row: TreeNode) => readonly TreeNode[],
): TreeNode {
	const ref = { list, id: patchset.id };
	const subject: PatchsetSubject = { kind: 'patchset', connectionKey: connection.key, ref };
	const mark = context.finder.marks.patchset(connection, list, patchset);
	const row: TreeNode = {
		id,
		get item() {
			const { codicon, color, text } = statusOf(patchset);
			const title = titleText(patchset);
			const turn = context.finder.turn({ connection, list }, patchset);
			const snooze = connection.snoozes.of(ref, patchset.version);
			const drafts = draftCountTexts(context.draftCounts.of(subject), isReviewQueued(connection, ref));
			// A board of several lists names the list.
			const isOfAll = allListsSubject(parent) !== undefined;
			const isBoard = isOfAll || connection.listChoices.of(list).patchsets === 'board';
			const place = isOfAll ? [same(visibleLine(list.name))] : [];
			const snoozed = snooze ? [same(untilText(snooze.untilMs))] : [];
			const facts = [...place, ...snoozed, ...factsOf(context, connection, ref, patchset, { drafts, isBoard })];
			const item = new vscode.TreeItem(
				ledTitle(leadOf(context, connection, ref, patchset), withoutStart(title, usualStartOf(connection, list))),
				vscode.TreeItemCollapsibleState.Collapsed,
			);
			item.description = shownFacts(facts);
			item.iconPath =
				turn && (patchset.status === 'proposed' || patchset.status === 'none')
					? turnIcon(turn)
					: new vscode.ThemeIcon(codicon, color === undefined ? undefined : new vscode.ThemeColor(color));
			const linked = connection.reviews.versionsIn(list)(patchset.id).hasOthers;
			item.contextValue = rowContext('patchset', {
				drafts: drafts.length > 0,
				// A higher number has earlier versions, although no page of the list may have shown them yet.
				versions: linked || patchset.version > 1 || patchset.supersededById !== undefined,
				linked,
				snoozed: snooze !== undefined,
				unread: mark !== undefined,
			});
			item.resourceUri = listRowUri(connection.key, 'patchsets', ref);
			item.accessibilityInformation = { label: spokenFacts([title, ...(mark ? [markText(mark)] : []), text], facts) };
			item.command = { command: 'forge.patchsets.open', title: vscode.l10n.t('Open Patchset'), arguments: [subject] };
			return item;
		},
		agedMs: patchset.createdMs,
		parent,
		async children(signal) {
			const below = older(row);
			try {
				return [...(await patchsetMailRows(context, row, connection, ref, signal)), ...below];
			} catch (error) {
				if (isAbort(error) || below.length === 0) {
					throw error;
				}
				return [failedRow(row, context.problems.explain(error).message), ...below];
			}
		},
		subject,
		tooltip: () => Promise.resolve(patchsetTooltip(context, connection, ref, patchset, mark)),
	};
	return row;
}

/** Starts of titles by loaded page, which redraws many rows. */
const usualStarts = new WeakMap<readonly Patchset[], string>();

function usualStartOf({ lists }: Connection, list: ListRef): string {
	const all = lists.knownPatchsets(list);
	const usual = usualStarts.get(all) ?? usualStart(all.map(titleText));
	usualStarts.set(all, usual);
	return usual;
}

/** Words of authors by loaded page. */
const authors = new WeakMap<readonly Patchset[], ReadonlyMap<string, number>>();

function authorsOf({ lists }: Connection, list: ListRef): ReadonlyMap<string, number> {
	const all = lists.knownPatchsets(list);
	const known =
		authors.get(all) ??
		wordsToDiffer(all.map(({ submitter }) => (submitter === undefined ? '' : nameOfSender(submitter))));
	authors.set(all, known);
	return known;
}

function leadOf(
	{ checks, clock }: ListsContext,
	connection: Connection,
	ref: PatchsetRef,
	patchset: Patchset,
): RowLead {
	const submitter = knownSubmitter(connection, ref, patchset);
	const check = checks.of(connection.key, ref);
	const author = submitter === undefined ? '' : nameOfSender(submitter);
	const states = (patchset.tools ?? []).map(({ state }) => state);
	const isFailed = states.includes('failed') || (check && outcomeOf(check) === 'conflicts') === true;
	const isPassed = states.length > 0 && states.every((state) => state === 'success');
	return {
		version: patchset.version,
		age: ageFact(patchset.createdMs, clock).shown,
		author,
		nameWords: authorsOf(connection, ref.list).get(author) ?? 1,
		replies: knownAnswers(connection, ref) ?? 0,
		check: isFailed ? 'failed' : isPassed ? 'passed' : undefined,
	};
}

/** Facts behind the title. Those before it are spoken only. */
function factsOf(
	context: ListsContext,
	connection: Connection,
	ref: PatchsetRef,
	patchset: Patchset,
	{ drafts, isBoard }: { readonly drafts: readonly string[]; readonly isBoard: boolean },
): readonly Fact[] {
	const { checks, clock } = context;
	const { patches, sizeText, lacks, problemsText } = seriesTexts(connection, ref);
	const answers = knownAnswers(connection, ref) ?? 0;
	const submitter = knownSubmitter(connection, ref, patchset);
	const check = checks.of(connection.key, ref);
	const [whose, why] = turnWords(context, { connection, list: ref.list }, patchset);
	return [
		spoken(vscode.l10n.t('version {0}', patchset.version)),
		spoken(sizeText),
		spoken(submitter === undefined ? '' : vscode.l10n.t('by {0}', nameOfSender(submitter))),
		spoken(ageFact(patchset.createdMs, clock).spoken),
		spoken(answers === 0 ? '' : answersText(answers)),
		// The group of a board says whose turn it is.
		{ shown: isBoard ? '' : whose, spoken: whose },
		same(why),
		{ shown: sizeText, spoken: '' },
		same(lacks),
		same(formedText(patchset)),
		same(
			viewedText(
				viewedCount(
					connection,
					patches.map(({ patch }) => patch),
				),
			),
		),
		...toolsWords(patchset).map(same),
		same(check ? checkWords(check) : ''),
		...drafts.map(same),
		...unsentMark(patchset).map((shown) => ({ shown, spoken: '' })),
		...(problemsText === '' ? [] : [{ shown: `⚠ ${problemsText}`, spoken: problemsText }]),
	];
}

/** Patches of a series, and texts about their number and problems, as far as read. */
function seriesTexts({ lists, reviews }: Connection, ref: PatchsetRef) {
	const { patches, problems } = reviews.known(ref)?.series ?? { patches: [], problems: [] };
	const series = lists.knownSeries(ref);
	const sizeText = countText(patches.length > 0 ? patches.length : series?.patches.length);
	const missing = missingIn(series, lists.knownPatchset(ref));
	const lacks = missingText(problems.length > 0 ? problems : missing) ?? '';
	const count = problems.length;
	const counted = count === 1 ? vscode.l10n.t('1 problem') : vscode.l10n.t('{0} problems', count);
	return { patches, sizeText, lacks, problemsText: count === 0 ? '' : counted };
}

/** As far as mails or rows show. */
function missingIn(series: Series | undefined, patchset: Patchset | undefined) {
	return !series && patchset?.missing
		? [{ kind: 'missingParts', ...patchset.missing } as const]
		: missingParts(series?.set?.patches ?? [], series?.set?.count ?? 0);
}

function countText(patches: number | undefined): string {
	return patches === 1 ? vscode.l10n.t('1 patch') : patches === undefined ? '' : vscode.l10n.t('{0} patches', patches);
}

function spoken(text: string): Fact {
	return { shown: '', spoken: text };
}

/** Whose turn it is, and why; empty if nobody's or unknown. */
function turnWords(
	{ finder, clock }: ListsContext,
	seen: AccountList,
	patchset: Patchset,
): readonly [whose: string, why: string] {
	const turn = finder.turn(seen, patchset);
	if (!turn) {
		return ['', ''];
	}
	// A patch has the count of replies. The thread arrives later.
	const isUnreviewed =
		turn.why === 'unknown' && knownAnswers(seen.connection, { list: seen.list, id: patchset.id }) === 0;
	const atMs = finder.saidMs(seen, patchset);
	const age = atMs === undefined ? '' : spokenAge(atMs, clock.nowMs(), vscode.env.language, 'short');
	return [turnText(turn), whyText(isUnreviewed ? { ...turn, why: 'unreviewed' } : turn, age)];
}

/**
 * Submitter: a From header or an account name. Servers send the header of the last patch or of the cover letter
 * (docs/protocol.md#patchset-fields); without either, the loaded mails have it.
 */
function knownSubmitter({ lists }: Connection, ref: PatchsetRef, { submitter, coverLetter }: Patchset) {
	const series = lists.knownSeries(ref);
	const sender = (coverLetter ?? series?.cover ?? series?.patches[0])?.sender;
	return submitter ?? sender?.canonicalName;
}

/** How many mails answer it. */
function knownAnswers({ lists, reviews }: Connection, ref: PatchsetRef): number | undefined {
	const standing = reviews.known(ref);
	if (standing && standing.series.patches.length > 0) {
		return answerCounts(standing.mails, standing.series).all;
	}
	const series = lists.knownSeries(ref);
	const first = series?.cover ?? series?.patches[0];
	const mail = first && lists.knownMail(first.id);
	// Servers count all mails below the first one of a conversation, the patches below a cover letter too.
	return series && mail && mail.threadId === undefined
		? Math.max(0, mail.replies - series.patches.filter(({ id }) => id !== mail.id).length)
		: undefined;
}

function patchsetTooltip(
	context: ListsContext,
	connection: Connection,
	ref: PatchsetRef,
	patchset: Patchset,
	mark: Mark | undefined,
): vscode.MarkdownString {
	const check = context.checks.of(connection.key, ref);
	const answers = knownAnswers(connection, ref) ?? 0;

	const locale = vscode.env.language;
	const { prefix, version, supersededById, supersedesId } = patchset;
	const submitter = knownSubmitter(connection, ref, patchset);
	const problems = connection.reviews.known(ref)?.series.problems ?? [];
	return untrustedMarkdown([
		`**${escapeMarkdown(titleText(patchset))}**`,
		...[
			[statusOf(patchset).text, ...turnWords(context, { connection, list: ref.list }, patchset)]
				.filter((text) => text !== '')
				.join(' · '),
			mark ? markSentence(mark) : '',
			prefix === undefined || prefix === ''
				? vscode.l10n.t('Version {0}', version)
				: vscode.l10n.t('Version {0} for {1}', version, visibleLine(prefix)),
			submitter === undefined ? '' : vscode.l10n.t('Sent by {0}', visibleLine(submitter)),
			vscode.l10n.t('Sent on {0}', fullTime(patchset.createdMs, locale)),
			vscode.l10n.t('Updated on {0}', fullTime(patchset.updatedMs, locale)),
			answers === 0 ? '' : answersText(answers),
			supersedesId === undefined || patchset.formed ? '' : vscode.l10n.t('Supersedes patchset {0}', supersedesId),
			supersededById === undefined ? '' : vscode.l10n.t('Superseded by patchset {0}', supersededById),
			...toolsWords(patchset),
			check ? checkSentence(check) : '',
			...problems.slice(0, mostProblems).map((problem) => `⚠ ${seriesProblemText(problem)}`),
			problems.length > mostProblems ? vscode.l10n.t('and {0} more', problems.length - mostProblems) : '',
			visibleLine(refText(ref.list)),
		].map(escapeMarkdown),
		...extraParagraphs(patchset),
	]);
}
