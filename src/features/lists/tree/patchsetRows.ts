import * as vscode from 'vscode';
import { rowContext } from '../../../commands/rows.ts';
import { extraParagraphs, unsentMark } from '../../../editor/ask/extraFields.ts';
import { countText, unreadText, markSentence, markText } from '../../../editor/trees/markTexts.ts';
import { moreRow, tailRows } from '../../../editor/trees/pagingRows.ts';
import type { TreeNode } from '../../../editor/trees/treeNode.ts';
import { untrustedMarkdown } from '../../../editor/documents/untrustedMarkdown.ts';
import { refText } from 'sourcehut/port/namedRef.ts';
import type { Patchset, PatchsetRef } from 'sourcehut/port/list.ts';
import { firstMailOfFormed } from 'patchmail/series/listedPatchset.ts';
import type { Mark } from 'sourcehut/port/mark.ts';
import type { BoardPart } from '../find/board.ts';
import { answerCounts } from 'patchmail/series/answerCounts.ts';
import type { Connection } from '../../../store/connection.ts';
import { fullTime } from '../../../engine/text/age.ts';
import { escapeMarkdown } from '../../../engine/text/escapeMarkdown.ts';
import { visibleLine } from '../../../engine/text/visible.ts';
import { checkSentence, checkWords } from '../checks/checkTexts.ts';
import type { PatchsetCheck } from '../checks/patchsetChecks.ts';
import type { AccountList } from '../find/accountList.ts';
import { listRowUri } from '../marks/listMarks.ts';
import { viewedCount, viewedText } from '../reviewState/viewedFiles.ts';
import { draftCountTexts } from '../reviewState/draftCounts.ts';
import type { ListsContext } from '../context/listsContext.ts';
import { toolsWords, answersText, nameOfSender, statusLook, titleText } from '../subjects/words.ts';
import { seriesProblemText } from '../subjects/problemTexts.ts';
import { allListsSubject, type PatchsetSubject } from '../subjects/subjects.ts';
import { ageFact, same, shownFacts, spokenFacts, type Children, type Fact, emptyRow } from './listRows.ts';
import { patchsetMailRows } from './patchRows.ts';
import { readBeforeRows } from '../../../editor/trees/noticeRow.ts';
import { isBeingRead } from '../../../store/shared/listing.ts';
import { filteredItems } from '../find/listFilterRows.ts';
import type { Left } from '../find/listFinder.ts';

/** Maximum of problems listed in a tooltip. */
const mostProblems = 5;

/** Row of a patchset: title, status icon and known facts. `id`: independent of the section. */
export function patchsetRow(
	context: ListsContext,
	{ connection, list }: AccountList,
	patchset: Patchset,
	parent: TreeNode,
	id: string,
): TreeNode {
	const ref = { list, id: patchset.id };
	const subject: PatchsetSubject = { kind: 'patchset', connectionKey: connection.key, ref };
	const mark = context.finder.marks.patchset(connection, list, patchset);
	const row: TreeNode = {
		id,
		get item() {
			const { codicon, color, text } = statusLook(patchset.status);
			const title = titleText(patchset);
			const drafts = draftCountTexts(context.draftCounts.of(subject));
			// A board of several lists names the list.
			const place = allListsSubject(parent) ? [same(visibleLine(list.name))] : [];
			const facts = [...place, ...factsOf(context, connection, ref, patchset, drafts)];
			const item = new vscode.TreeItem(title, vscode.TreeItemCollapsibleState.Collapsed);
			item.description = shownFacts(facts);
			item.iconPath = new vscode.ThemeIcon(codicon, color === undefined ? undefined : new vscode.ThemeColor(color));
			const linked = connection.reviews.hasOtherVersion(ref);
			item.contextValue = rowContext('patchset', {
				drafts: drafts.length > 0,
				// A higher number has earlier versions, although no page of the list may have shown them yet.
				versions: linked || patchset.version > 1 || patchset.supersededById !== undefined,
				linked,
				unread: mark !== undefined,
			});
			item.resourceUri = listRowUri(connection.key, 'patchsets', ref);
			item.accessibilityInformation = { label: spokenFacts([title, ...(mark ? [markText(mark)] : []), text], facts) };
			item.command = { command: 'forge.patchsets.open', title: vscode.l10n.t('Open Patchset'), arguments: [subject] };
			return item;
		},
		agedMs: patchset.createdMs,
		parent,
		children: (signal) => patchsetMailRows(context, row, connection, ref, signal),
		subject,
		tooltip: () =>
			Promise.resolve(patchsetTooltip(connection, ref, patchset, mark, context.checks.of(connection.key, ref))),
	};
	return row;
}

function factsOf(
	{ checks, clock }: ListsContext,
	connection: Connection,
	ref: PatchsetRef,
	patchset: Patchset,
	drafts: readonly string[],
): readonly Fact[] {
	const { lists, reviews } = connection;
	const { patches, problems } = reviews.known(ref)?.series ?? { patches: [], problems: [] };
	const size = patches.length > 0 ? patches.length : lists.knownSeries(ref)?.patches.length;
	const sizeText = size === 1 ? vscode.l10n.t('1 patch') : size === undefined ? '' : vscode.l10n.t('{0} patches', size);
	const answers = knownAnswers(connection, ref);
	const submitter = knownSubmitter(connection, ref, patchset);
	const check = checks.of(connection.key, ref);
	const count = problems.length;
	const problemsText = count === 1 ? vscode.l10n.t('1 problem') : vscode.l10n.t('{0} problems', count);
	return [
		{ shown: `v${patchset.version}`, spoken: vscode.l10n.t('version {0}', patchset.version) },
		same(sizeText),
		...(submitter === undefined
			? []
			: [{ shown: nameOfSender(submitter), spoken: vscode.l10n.t('by {0}', nameOfSender(submitter)) }]),
		ageFact(patchset.createdMs, clock),
		same(firstMailOfFormed(ref.id) === undefined ? '' : vscode.l10n.t('came as a reply')),
		same(answers === undefined || answers === 0 ? '' : answersText(answers)),
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
		...(count === 0 ? [] : [{ shown: `⚠ ${problemsText}`, spoken: problemsText }]),
	];
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
	connection: Connection,
	ref: PatchsetRef,
	patchset: Patchset,
	mark: Mark | undefined,
	check: PatchsetCheck | undefined,
): vscode.MarkdownString {
	const locale = vscode.env.language;
	const { prefix, version, status, supersededById, supersedesId } = patchset;
	const submitter = knownSubmitter(connection, ref, patchset);
	const problems = connection.reviews.known(ref)?.series.problems ?? [];
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
			check ? checkSentence(check) : '',
			...problems.slice(0, mostProblems).map((problem) => `⚠ ${seriesProblemText(problem)}`),
			problems.length > mostProblems ? vscode.l10n.t('and {0} more', problems.length - mostProblems) : '',
			visibleLine(refText(ref.list)),
		].map(escapeMarkdown),
		...extraParagraphs(patchset),
	]);
}

/** Row of a board group with its number of patchsets and of unread ones. */
export function boardRow(
	parent: TreeNode,
	{ group, patchsets }: BoardPart,
	children: Children,
	unread: () => ReadonlyMap<string, Mark>,
): TreeNode {
	return {
		id: `${parent.id}/board/${group}`,
		get item() {
			const { text, codicon } = {
				needsMyReview: { text: vscode.l10n.t('Needs my review'), codicon: 'eye' },
				waitingForReview: { text: vscode.l10n.t('Mine, waiting for review'), codicon: 'watch' },
				waitingForNewVersion: { text: vscode.l10n.t('Needs revision'), codicon: 'request-changes' },
				approved: { text: vscode.l10n.t('Approved'), codicon: 'check-all' },
				stale: { text: vscode.l10n.t('Stale'), codicon: 'clock' },
				done: { text: vscode.l10n.t('Done'), codicon: 'archive' },
			}[group];
			const { Collapsed, Expanded } = vscode.TreeItemCollapsibleState;
			const item = new vscode.TreeItem(text, group === 'done' || group === 'stale' ? Collapsed : Expanded);
			const count = countText(patchsets.length, true);
			const marked = unreadText(unread());
			item.description = [count, marked].filter((fact) => fact !== undefined).join(' · ');
			item.iconPath = new vscode.ThemeIcon(codicon);
			item.contextValue = rowContext(`board.${group}`, {});
			const spoken = vscode.l10n.t('{0}, patchsets: {1}', text, count);
			item.accessibilityInformation = { label: marked === undefined ? spoken : `${spoken}, ${marked}` };
			return item;
		},
		parent,
		children,
		// The parent's subject, so commands on lists and on the board of all lists work here too.
		subject: parent.subject,
	};
}

/** Row with the number of unread threads that decide sections of a board; a click loads some of them. */
export function unreadRepliesRow(parent: TreeNode, count: number, readOn: (signal: AbortSignal) => Promise<void>) {
	const counts = vscode.l10n.t('threads with your replies not loaded: {0}', count);
	return count === 0 ? [] : [moreRow({ id: `${parent.id}/replies`, parent, counts }, readOn)];
}

/** Maximum number of patchsets per load on behalf of a filter. */
const mostRead = 50;

/** A row with the patchsets below it: a section of the board, or the row of all patchsets. */
interface Section {
	readonly row: TreeNode;
	readonly patchsets: readonly Patchset[];
}

/**
 * Children of the "Patchsets" row: sections of the board, or plain patchsets. `groupOf`: that row. `redraw`: redraws all
 * patchsets of a list.
 */
export function patchsetNodes(
	context: ListsContext,
	groupOf: (seen: AccountList) => TreeNode,
	redraw: (seen: AccountList) => void,
) {
	const { finder, clock, problems } = context;
	/** Another window's cache is visible; the running request redraws everything, so start no other one. */
	const isOld = ({ connection: { lists }, list }: AccountList): boolean => isBeingRead(lists.patchsets(list).before());
	const isBoard = ({ connection, list }: AccountList): boolean => connection.listChoices.of(list).patchsets === 'board';
	/** Sections by patchset number at the last redraw, by group. */
	const drawn = new Map<string, ReadonlyMap<number, TreeNode>>();
	/** The same by current data during a burst of events; cleared at its end. */
	const burst = new Map<string, { readonly from: readonly unknown[]; readonly rows: ReadonlyMap<number, TreeNode> }>();
	/** Number of running loads by group. All rows redraw at the end of a load, and none moves before. */
	const reading = new Map<string, number>();

	function nodeOf(seen: AccountList, patchset: Patchset, parent: TreeNode): TreeNode {
		return patchsetRow(context, seen, patchset, parent, `${groupOf(seen).id}/${patchset.id}`);
	}

	function sectionsOf(seen: AccountList, patchsets: readonly Patchset[]): readonly Section[] {
		const group = groupOf(seen);
		if (!isBoard(seen)) {
			return [{ row: group, patchsets }];
		}
		return finder.board(seen, patchsets).map((part) => {
			const row: TreeNode = boardRow(
				group,
				part,
				() => Promise.resolve(part.patchsets.map((each) => nodeOf(seen, each, row))),
				() => finder.marks.unreadAmong(seen.connection, seen.list, part.patchsets),
			);
			return { row, patchsets: part.patchsets };
		});
	}

	async function whileReading(seen: AccountList, work: () => Promise<void>): Promise<void> {
		const group = groupOf(seen).id;
		reading.set(group, (reading.get(group) ?? 0) + 1);
		try {
			await work();
		} finally {
			const others = (reading.get(group) ?? 0) - 1;
			void (others > 0 ? reading.set(group, others) : reading.delete(group));
		}
	}

	const matches = (seen: AccountList): Left<Patchset> =>
		finder.patchsets(seen, finder.applied(seen), seen.connection.lists.knownPatchsets(seen.list));
	const filtered = filteredItems(mostRead, matches, isOld, (seen, due, signal) =>
		whileReading(seen, () => finder.readPatchsets(seen, due, signal)),
	);

	return {
		async below(seen: AccountList, signal: AbortSignal): Promise<readonly TreeNode[]> {
			const patchsets = seen.connection.lists.patchsets(seen.list);
			const parent = groupOf(seen);
			const { id } = parent;

			const read = await patchsets.cached(signal);
			if (isBoard(seen)) {
				await whileReading(seen, () => finder.prepareBoards([seen], signal));
			} else if (!isOld(seen)) {
				await finder.prepare(seen.connection, signal);
			}
			const listing = patchsets.known() ?? read;
			if (listing.items.length === 0) {
				return [emptyRow(parent, vscode.l10n.t('No patchsets yet'))];
			}
			const { shown, undecided } = await filtered.left(seen, signal);
			const sections = sectionsOf(seen, shown);
			// Also for collapsed sections.
			drawn.set(id, rowById(sections));
			const rows = isBoard(seen) ? sections.map(({ row }) => row) : shown.map((each) => nodeOf(seen, each, parent));
			const explain = (error: unknown): string => problems.explain(error).message;
			// A board has preliminary positions until the deciding threads load.
			const unread = isBoard(seen) && !isOld(seen) ? finder.unreadReplies([seen]) : 0;
			return [
				...readBeforeRows(patchsets.before(), { id, parent, clock, explain, again: parent }),
				...(rows.length === 0 ? [emptyRow(parent, vscode.l10n.t('No patchset matches the filter'))] : rows),
				...filtered.undecidedRow(seen, parent, undecided, redraw),
				...unreadRepliesRow(parent, unread, async (more) => {
					await whileReading(seen, () => finder.readReplies([seen], more));
					redraw(seen);
				}),
				...tailRows({ id, parent }, listing, (more) => patchsets.more(more)),
			];
		},
		/** The row to redraw after a patchset changed, or all rows if it moved; `undefined` if nothing changed. */
		changed(connection: Connection, { list, id }: PatchsetRef) {
			const seen = { connection, list };
			const patchset = connection.lists.knownPatchset({ list, id });
			const group = groupOf(seen).id;
			if (!patchset || reading.has(group)) {
				return undefined;
			}
			// Events arrive in bursts, one per loaded patchset; compute the sections once per burst.
			const from = [connection.lists.patchsets(list).known()?.items, connection.listChoices.of(list)];
			const computed = burst.get(group);
			const { rows } =
				computed?.from.every((each, at) => each === from[at]) === true
					? computed
					: { rows: rowById(sectionsOf(seen, matches(seen).shown)) };
			burst.set(group, { from, rows });
			queueMicrotask(() => burst.delete(group));
			const before = drawn.get(group)?.get(id);
			const now = rows.get(id);
			if (now && now.id === before?.id) {
				return nodeOf(seen, patchset, now);
			}
			return now || before ? 'all' : undefined;
		},
	};
}

function rowById(sections: readonly Section[]): ReadonlyMap<number, TreeNode> {
	return new Map(sections.flatMap(({ row, patchsets }) => patchsets.map(({ id }) => [id, row] as const)));
}
