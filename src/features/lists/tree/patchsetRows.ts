import * as vscode from 'vscode';
import { rowContext } from '../../../commands/rows.ts';
import { countText, unreadText } from '../../../editor/trees/markTexts.ts';
import { moreRow, tailRows } from '../../../editor/trees/pagingRows.ts';
import type { TreeNode } from '../../../editor/trees/treeNode.ts';
import type { Patchset, PatchsetRef } from 'sourcehut/port/list.ts';
import type { Mark } from 'sourcehut/port/mark.ts';
import type { BoardPart } from '../find/board.ts';
import type { Connection } from '../../../store/connection.ts';
import type { AccountList } from '../find/accountList.ts';
import type { ListsContext } from '../context/listsContext.ts';
import { type Children, emptyRow } from './listRows.ts';
import { readBeforeRows } from '../../../editor/trees/noticeRow.ts';
import { isBeingRead } from '../../../store/shared/listing.ts';
import { filteredItems } from '../find/listFilterRows.ts';
import type { Left } from '../find/listFinder.ts';
import { patchsetRow } from './patchsetRow.ts';

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
				needsMyWork: { text: vscode.l10n.t('Mine, my turn'), codicon: 'edit' },
				waitingForReview: { text: vscode.l10n.t('Mine, waiting for review'), codicon: 'watch' },
				waitingForNewVersion: { text: vscode.l10n.t('Waiting for the author'), codicon: 'reply' },
				approved: { text: vscode.l10n.t('Approved'), codicon: 'check-all' },
				stale: { text: vscode.l10n.t('Stale'), codicon: 'clock' },
				snoozed: { text: vscode.l10n.t('Snoozed'), codicon: 'bell-slash' },
				done: { text: vscode.l10n.t('Done'), codicon: 'archive' },
			}[group];
			const { Collapsed, Expanded } = vscode.TreeItemCollapsibleState;
			const item = new vscode.TreeItem(text, ['done', 'stale', 'snoozed'].includes(group) ? Collapsed : Expanded);
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
	/** Rows of the newest versions. */
	readonly rows: () => readonly TreeNode[];
	/** Rows above the row of a patchset, by its number. */
	readonly parents: readonly (readonly [id: number, parent: TreeNode])[];
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
	/** Rows above patchsets by their numbers at the last redraw, by group. */
	const drawn = new Map<string, ReadonlyMap<number, TreeNode>>();
	/** The same by current data during a burst of events; cleared at its end. */
	const burst = new Map<string, ReturnType<typeof computeRows> & { readonly from: readonly unknown[] }>();
	/** Number of running loads by group. All rows redraw at the end of a load, and none moves before. */
	const reading = new Map<string, number>();

	function nodeOf(
		seen: AccountList,
		patchset: Patchset,
		parent: TreeNode,
		older: ReadonlyMap<number, readonly Patchset[]>,
	): TreeNode {
		return patchsetRow(context, seen, patchset, { id: `${groupOf(seen).id}/${patchset.id}`, parent }, (row) =>
			(older.get(patchset.id) ?? []).map((each) => nodeOf(seen, each, row, older)),
		);
	}

	function sectionsOf(
		seen: AccountList,
		patchsets: readonly Patchset[],
		older = finder.olderVersions(seen, patchsets),
	): readonly Section[] {
		const group = groupOf(seen);
		const folded = new Set([...older.values()].flat());
		const sectionOf = (row: TreeNode, all: readonly Patchset[]): Section => ({
			row,
			rows: () => all.map((each) => nodeOf(seen, each, row, older)),
			parents: all.flatMap((each) => [
				[each.id, row] as const,
				...(older.get(each.id) ?? []).map(({ id }) => [id, nodeOf(seen, each, row, older)] as const),
			]),
		});
		const unfolded = (all: readonly Patchset[]): readonly Patchset[] => all.filter((each) => !folded.has(each));
		if (!isBoard(seen)) {
			return [sectionOf(group, unfolded(patchsets))];
		}
		return finder.board(seen, patchsets).flatMap((part) => {
			const all = unfolded(part.patchsets);
			const withOlder = all.flatMap((each) => [each, ...(older.get(each.id) ?? [])]);
			const row: TreeNode = boardRow(
				group,
				{ ...part, patchsets: all },
				() => Promise.resolve(sectionOf(row, all).rows()),
				() => finder.marks.unreadAmong(seen.connection, seen.list, withOlder),
			);
			return all.length === 0 ? [] : [sectionOf(row, all)];
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

	function computeRows(seen: AccountList) {
		const { shown } = matches(seen);
		const older = finder.olderVersions(seen, shown);
		return { older, rows: rowById(sectionsOf(seen, shown, older)) };
	}

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
			const rows = isBoard(seen) ? sections.map(({ row }) => row) : sections.flatMap((section) => section.rows());
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
			const { older, rows } =
				computed?.from.every((each, at) => each === from[at]) === true ? computed : computeRows(seen);
			burst.set(group, { from, older, rows });
			queueMicrotask(() => burst.delete(group));
			const before = drawn.get(group)?.get(id);
			const now = rows.get(id);
			if (now && now.id === before?.id) {
				return nodeOf(seen, patchset, now, older);
			}
			return now || before ? 'all' : undefined;
		},
	};
}

function rowById(sections: readonly Section[]): ReadonlyMap<number, TreeNode> {
	return new Map(sections.flatMap(({ parents }) => parents));
}
