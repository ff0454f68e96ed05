import { rowContext } from '../../../commands/rows.ts';
import * as vscode from 'vscode';
import { extraParagraphs, unsentMark } from '../../../editor/ask/extraFields.ts';
import type { Clock } from '../../../base/clock.ts';
import { markSentence, markText } from '../../../editor/trees/markTexts.ts';
import type { TreeNode } from '../../../editor/trees/treeNode.ts';
import { untrustedMarkdown } from '../../../editor/documents/untrustedMarkdown.ts';
import { refText } from '../../../forge/port/namedRef.ts';
import { firstMailOfFormed, type Patchset, type PatchsetRef } from '../../../forge/port/list.ts';
import type { Mark } from '../../../forge/port/mark.ts';
import type { SeriesProblem } from '../../../engine/series/seriesReading.ts';
import type { Connection } from '../../../store/connection.ts';
import { fullTime, shortAge, spokenAge } from '../../../engine/text/age.ts';
import { escapeMarkdown } from '../../../engine/text/escapeMarkdown.ts';
import { visibleLine } from '../../../engine/text/visible.ts';
import { checkSentence, checkWords } from '../checks/checkTexts.ts';
import type { PatchsetCheck } from '../checks/patchsetChecks.ts';
import type { PatchsetMailRows } from './patchRows.ts';
import { listRowUri } from '../marks/rowUri.ts';
import { viewedCount, viewedText } from '../viewed/viewedFiles.ts';
import { draftCountTexts, type DraftCounts } from '../parts/draftCounts.ts';
import { knownAnswers, knownSize, knownSubmitter } from './patchsetFacts.ts';
import { toolsWords } from '../subjects/toolTexts.ts';
import { seriesProblemText } from '../subjects/problemTexts.ts';
import type { PatchsetSubject } from '../subjects/subjects.ts';
import { answersText, nameOfSender, statusLook, titleText } from '../subjects/words.ts';

/** Maximum of problems listed in a tooltip. */
const mostProblems = 5;

export interface PatchsetRowParts {
	readonly connection: Connection;
	readonly ref: PatchsetRef;
	readonly patchset: Patchset;
	readonly mark: Mark | undefined;
	readonly parent: TreeNode;
	/** Independent of the group. */
	readonly id: string;
	/** True on a board of several lists: the row then names its list. */
	readonly namesList: boolean;
	/** Loads the rows below. */
	readonly mailRows: PatchsetMailRows;
	/** The current row: a redraw may replace it and its parent. */
	readonly now: () => TreeNode;
	/** Counts of unsent drafts. */
	readonly drafts: Pick<DraftCounts, 'of'>;
	readonly clock: Clock;
	/** A fresh check, if any. */
	readonly check: () => PatchsetCheck | undefined;
}

/** Row of a patchset: title, status icon and known facts. */
export function patchsetRow(parts: PatchsetRowParts): TreeNode {
	const { connection, ref, patchset, mark, parent, id, mailRows, now } = parts;
	const subject: PatchsetSubject = { kind: 'patchset', connectionKey: connection.key, ref };
	return {
		id,
		get item() {
			return patchsetItem(parts, subject);
		},
		agedMs: patchset.createdMs,
		parent,
		children: (signal) => mailRows(now(), { connection, ref }, signal),
		subject,
		tooltip: () => Promise.resolve(patchsetTooltip(connection, ref, { patchset, mark, check: parts.check })),
	};
}

function patchsetItem(
	{ connection, ref, patchset, mark, namesList, drafts, clock, check }: PatchsetRowParts,
	subject: PatchsetSubject,
): vscode.TreeItem {
	const { codicon, color, text } = statusLook(patchset.status);
	const title = titleText(patchset);
	const nowMs = clock.nowMs();
	const known = factsOf(connection, ref, patchset);
	const tried = check();
	const applies = tried ? [checkWords(tried)] : [];
	const item = new vscode.TreeItem(title, vscode.TreeItemCollapsibleState.Collapsed);
	const written = draftCountTexts(drafts.of({ connectionKey: connection.key, ref }));
	const list = namesList ? [visibleLine(ref.list.name)] : [];
	item.description = [
		...list,
		`v${patchset.version}`,
		...known.size,
		...known.submitter,
		shortAge(patchset.createdMs, nowMs, vscode.env.language),
		...known.place,
		...known.answers,
		...known.viewed,
		...known.tools,
		...applies,
		...written,
		...unsentMark(patchset),
		...(known.health === undefined ? [] : [`⚠ ${known.health}`]),
	].join(' · ');
	item.iconPath = new vscode.ThemeIcon(codicon, color === undefined ? undefined : new vscode.ThemeColor(color));
	const linked = connection.reviews.hasOtherVersion(ref);
	item.contextValue = rowContext('patchset', {
		drafts: written.length > 0,
		// A higher number has earlier versions, although no page of the list may have shown them yet.
		versions: linked || patchset.version > 1 || patchset.supersededById !== undefined,
		linked,
		unread: mark !== undefined,
	});
	item.resourceUri = listRowUri(connection.key, 'patchsets', ref);
	item.accessibilityInformation = {
		label: [
			title,
			...(mark ? [markText(mark)] : []),
			text,
			...list,
			vscode.l10n.t('version {0}', patchset.version),
			...known.size,
			...known.submitter.map((name) => vscode.l10n.t('by {0}', name)),
			spokenAge(patchset.createdMs, nowMs, vscode.env.language),
			...known.place,
			...known.answers,
			...known.viewed,
			...known.tools,
			...applies,
			...written,
			...(known.health === undefined ? [] : [known.health]),
		].join(', '),
	};
	item.command = { command: 'forge.patchsets.open', title: vscode.l10n.t('Open Patchset'), arguments: [subject] };
	return item;
}

interface Facts {
	/** Filled if it came as a reply in the thread of another version. */
	readonly place: readonly string[];
	readonly size: readonly string[];
	readonly submitter: readonly string[];
	readonly answers: readonly string[];
	/** Viewed files; empty if none. */
	readonly viewed: readonly string[];
	/** Combined tool results; empty if none. */
	readonly tools: readonly string[];
	/** Number of problems of the series; `undefined` if none is known. */
	readonly health: string | undefined;
}

function factsOf(connection: Connection, ref: PatchsetRef, patchset: Patchset): Facts {
	const size = knownSize(connection, ref);
	const answers = knownAnswers(connection, ref);
	const submitter = knownSubmitter(connection, ref, patchset);
	return {
		place: firstMailOfFormed(ref.id) === undefined ? [] : [vscode.l10n.t('came as a reply')],
		size: size === undefined ? [] : [patchesText(size)],
		submitter: submitter === undefined ? [] : [nameOfSender(submitter)],
		answers: answers === undefined || answers === 0 ? [] : [answersText(answers)],
		viewed: viewedFacts(connection, ref),
		tools: toolsWords(patchset),
		health: healthText(problemsOf(connection, ref).length),
	};
}

function viewedFacts(connection: Connection, ref: PatchsetRef): readonly string[] {
	const patches = connection.reviews.known(ref)?.series.patches ?? [];
	const text = viewedText(
		viewedCount(
			connection,
			patches.map(({ patch }) => patch),
		),
	);
	return text === '' ? [] : [text];
}

function problemsOf({ reviews }: Connection, ref: PatchsetRef): readonly SeriesProblem[] {
	return reviews.known(ref)?.series.problems ?? [];
}

function healthText(count: number): string | undefined {
	return count === 0 ? undefined : count === 1 ? vscode.l10n.t('1 problem') : vscode.l10n.t('{0} problems', count);
}

function patchesText(count: number): string {
	return count === 1 ? vscode.l10n.t('1 patch') : vscode.l10n.t('{0} patches', count);
}

function patchsetTooltip(
	connection: Connection,
	ref: PatchsetRef,
	{ patchset, mark, check }: Pick<PatchsetRowParts, 'patchset' | 'mark' | 'check'>,
): vscode.MarkdownString {
	const locale = vscode.env.language;
	const { prefix, version, status, supersededById, supersedesId } = patchset;
	const submitter = knownSubmitter(connection, ref, patchset);
	const problems = problemsOf(connection, ref);
	const tried = check();
	return untrustedMarkdown([
		`**${escapeMarkdown(titleText(patchset))}**`,
		...[
			statusLook(status).text,
			mark ? markSentence(mark) : '',
			prefix === undefined || prefix === ''
				? vscode.l10n.t('Version {0}', version)
				: vscode.l10n.t('Version {0} for {1}', version, visibleLine(prefix)),
			submitter === undefined ? '' : vscode.l10n.t('Sent by {0}', visibleLine(submitter)),
			vscode.l10n.t('Sent on {0}', fullTime(patchset.createdMs, locale)),
			vscode.l10n.t('Updated on {0}', fullTime(patchset.updatedMs, locale)),
			supersedesId === undefined ? '' : vscode.l10n.t('Supersedes patchset {0}', supersedesId),
			supersededById === undefined ? '' : vscode.l10n.t('Superseded by patchset {0}', supersededById),
			...toolsWords(patchset),
			tried ? checkSentence(tried) : '',
			...problems.slice(0, mostProblems).map((problem) => `⚠ ${seriesProblemText(problem)}`),
			problems.length > mostProblems ? vscode.l10n.t('and {0} more', problems.length - mostProblems) : '',
			visibleLine(refText(ref.list)),
		].map(escapeMarkdown),
		...extraParagraphs(patchset),
	]);
}
