import * as vscode from 'vscode';
import type { Clock } from '../../../base/clock.ts';
import { tailRows } from '../../../editor/trees/pagingRows.ts';
import type { TreeNode } from '../../../editor/trees/treeNode.ts';
import type { ListRef, Patchset, PatchsetRef } from '../../../forge/port/list.ts';
import type { Connection } from '../../../store/connection.ts';
import { isBeingRead, type Listing } from '../../../store/shared/listing.ts';
import type { BoardPart } from '../../../engine/search/mails/board.ts';
import type { PatchsetChecks } from '../checks/patchsetChecks.ts';
import { boardRow } from './boardRows.ts';
import { filterReads } from '../find/filterReads.ts';
import type { Left, ListFinder } from '../find/listFinder.ts';
import type { SeenList } from '../find/seenList.ts';
import { unreadRepliesRow, untoldRow } from '../find/untoldRow.ts';
import { emptyRow, groupRowId, listRowId } from './listRows.ts';
import type { PatchsetMailRows } from './patchRows.ts';
import type { DraftCounts } from '../parts/draftCounts.ts';
import { patchsetRow } from './patchsetRows.ts';
import { readBeforeRows } from '../../../editor/trees/noticeRow.ts';

export interface PatchsetNodesParts {
	readonly clock: Clock;
	/** A failure as a sentence. */
	readonly explain: (error: unknown) => string;
	readonly mailRows: PatchsetMailRows;
	readonly finder: ListFinder;
	readonly checks: Pick<PatchsetChecks, 'of'>;
	readonly drafts: Pick<DraftCounts, 'of'>;
	/** Row of all patchsets of a list. */
	readonly groupOf: (connection: Connection, list: ListRef) => TreeNode;
	/** Redraws all patchsets of a list. */
	readonly redraw: (connection: Connection, list: ListRef) => void;
}

/** Maximum number of patchsets per load on behalf of a filter. */
const mostRead = 50;

/** Children of the "Patchsets" row: sections of the board, or plain patchsets. */
export function patchsetNodes({
	clock,
	explain,
	mailRows,
	finder,
	checks,
	drafts,
	groupOf,
	redraw,
}: PatchsetNodesParts) {
	const reads = filterReads(mostRead);
	/** Another window's cache is visible; the running request redraws everything, so start no other one. */
	const isOld = ({ connection: { lists }, list }: SeenList): boolean => isBeingRead(lists.patchsets(list).before());
	/** By the rows of all patchsets: the ids of the rows that each was last drawn under, by its number. */
	const places = new Map<string, ReadonlyMap<number, string>>();
	/** Rows by group during a burst of events; cleared at its end. */
	const burst = new Map<string, { readonly from: readonly unknown[]; readonly rows: ReadonlyMap<number, TreeNode> }>();
	/** Number of running loads by group. All rows redraw at the end of a load, and none moves before. */
	const reading = new Map<string, number>();

	function idOf(connection: Connection, ref: PatchsetRef): string {
		return `${groupIdOf(connection, ref.list)}/${ref.id}`;
	}

	function nodeOf(connection: Connection, ref: PatchsetRef, patchset: Patchset, parent: TreeNode): TreeNode {
		const id = idOf(connection, ref);
		return patchsetRow({
			connection,
			ref,
			patchset,
			mark: finder.marks.patchset(connection, ref.list, patchset),
			parent,
			id,
			namesList: false,
			mailRows,
			now: () => nodeOf(connection, ref, patchset, placeOf(connection, ref) ?? groupOf(connection, ref.list)),
			drafts,
			clock,
			check: () => checks.of(connection.key, ref),
		});
	}

	function nodesOf(
		connection: Connection,
		list: ListRef,
		patchsets: readonly Patchset[],
		parent: TreeNode,
	): readonly TreeNode[] {
		return patchsets.map((patchset) => nodeOf(connection, { list, id: patchset.id }, patchset, parent));
	}

	/** Children from the time of the section's redraw: loading more redraws all sections. */
	function sectionNode(connection: Connection, list: ListRef, section: BoardPart): TreeNode {
		const parent = groupOf(connection, list);
		const row: TreeNode = boardRow(parent, section, {
			children: () => Promise.resolve(nodesOf(connection, list, section.patchsets, row)),
			unread: () => finder.marks.unreadAmong(connection, list, section.patchsets),
		});
		return row;
	}

	/** The rows that patchsets hang under now, by their numbers; those that the filter leaves out are missing. */
	function placesNow(connection: Connection, list: ListRef): ReadonlyMap<number, TreeNode> {
		const seen = { connection, list };
		const known = connection.lists.patchsets(list).known()?.items ?? [];
		const { shown } = finder.patchsets(seen, finder.applied(seen), known);
		if (connection.listChoices.of(list).patchsets === 'newest') {
			const row = groupOf(connection, list);
			return new Map(shown.map(({ id }) => [id, row]));
		}
		return new Map(
			finder.board(seen, shown).flatMap((section) => {
				const row = sectionNode(connection, list, section);
				return section.patchsets.map(({ id }) => [id, row] as const);
			}),
		);
	}

	/** Events arrive in bursts, one per loaded patchset; compute the positions once per burst. */
	function placeOf(connection: Connection, { list, id }: PatchsetRef): TreeNode | undefined {
		const group = groupIdOf(connection, list);
		const from = [connection.lists.patchsets(list).known()?.items, connection.listChoices.of(list)];
		const before = burst.get(group);
		const now =
			before?.from.every((each, at) => each === from[at]) === true
				? before
				: { from, rows: placesNow(connection, list) };
		burst.set(group, now);
		queueMicrotask(() => burst.delete(group));
		return now.rows.get(id);
	}

	async function whileReading({ connection, list }: SeenList, work: () => Promise<void>): Promise<void> {
		const group = groupIdOf(connection, list);
		reading.set(group, (reading.get(group) ?? 0) + 1);
		try {
			await work();
		} finally {
			const others = (reading.get(group) ?? 0) - 1;
			void (others > 0 ? reading.set(group, others) : reading.delete(group));
		}
	}

	/** Matches of the filter; loads mails of some undecided patchsets. */
	async function leftOf(connection: Connection, list: ListRef, signal: AbortSignal): Promise<Left<Patchset>> {
		const seen = { connection, list };
		const filter = finder.applied(seen);
		const all = (): readonly Patchset[] => connection.lists.patchsets(list).known()?.items ?? [];
		const first = finder.patchsets(seen, filter, all());
		if (first.untold.length === 0 || isOld(seen)) {
			return first;
		}
		await whileReading(seen, () => reads.read(seen, first.untold, (due) => finder.readPatchsets(seen, due, signal)));
		return finder.patchsets(seen, filter, all());
	}

	/** Rows of the matches, and a row with the number of undecided patchsets. */
	async function shownBelow(connection: Connection, list: ListRef, signal: AbortSignal): Promise<readonly TreeNode[]> {
		const parent = groupOf(connection, list);
		const { shown, untold } = await leftOf(connection, list, signal);
		const rows = drawn(connection, list, shown);
		const none = emptyRow(parent, vscode.l10n.t('No patchset matches the filter'));
		return [
			...(rows.length === 0 ? [none] : rows),
			...untoldRow(parent, untold.length, async (more) => {
				reads.wantMore({ connection, list }, untold);
				await leftOf(connection, list, more);
				redraw(connection, list);
			}),
		];
	}

	/** Row that warns of preliminary positions and loads the deciding threads. */
	function repliesBelow(connection: Connection, list: ListRef): readonly TreeNode[] {
		const seen = { connection, list };
		const isBoard = connection.listChoices.of(list).patchsets === 'board' && !isOld(seen);
		return unreadRepliesRow(groupOf(connection, list), isBoard ? finder.unreadReplies([seen]) : 0, async (more) => {
			await whileReading(seen, () => finder.readReplies([seen], more));
			redraw(connection, list);
		});
	}

	/** Records the position of each patchset, even in collapsed sections. */
	function drawn(connection: Connection, list: ListRef, shown: readonly Patchset[]): readonly TreeNode[] {
		const group = groupIdOf(connection, list);
		if (connection.listChoices.of(list).patchsets === 'newest') {
			places.set(group, new Map(shown.map(({ id }) => [id, group])));
			return nodesOf(connection, list, shown, groupOf(connection, list));
		}
		const sections = finder.board({ connection, list }, shown);
		const rows = sections.map((section) => ({ section, row: sectionNode(connection, list, section) }));
		places.set(
			group,
			new Map(rows.flatMap(({ section, row }) => section.patchsets.map(({ id }) => [id, row.id] as const))),
		);
		return rows.map(({ row }) => row);
	}

	/** The listing, with the data that the board needs. */
	async function listingFor(seen: SeenList, signal: AbortSignal): Promise<Listing<Patchset>> {
		const { connection, list } = seen;
		const listing = await connection.lists.patchsets(list).cached(signal);
		if (connection.listChoices.of(list).patchsets === 'board') {
			await whileReading(seen, () => finder.prepareBoards([seen], signal));
		} else if (!isOld(seen)) {
			await finder.prepare(connection, signal);
		}
		return connection.lists.patchsets(list).known() ?? listing;
	}

	return {
		async below(connection: Connection, list: ListRef, signal: AbortSignal): Promise<readonly TreeNode[]> {
			const { lists } = connection;
			const parent = groupOf(connection, list);
			const listing = await listingFor({ connection, list }, signal);
			return listing.items.length === 0
				? [emptyRow(parent, vscode.l10n.t('No patchsets yet'))]
				: [
						...readBeforeRows(lists.patchsets(list).before(), {
							id: parent.id,
							parent,
							clock,
							explain,
							again: parent,
						}),
						...(await shownBelow(connection, list, signal)),
						...repliesBelow(connection, list),
						...tailRows({ id: parent.id, parent }, listing, (more) => lists.patchsets(list).more(more)),
					];
		},
		/** The row to redraw after a patchset changed, or all rows if it moved; `undefined` if nothing changed. */
		changed(connection: Connection, ref: PatchsetRef) {
			const patchset = connection.lists.knownPatchset(ref);
			if (!patchset || reading.has(groupIdOf(connection, ref.list))) {
				return undefined;
			}
			const before = places.get(groupIdOf(connection, ref.list))?.get(ref.id);
			const place = placeOf(connection, ref);
			if (place && place.id === before) {
				return nodeOf(connection, ref, patchset, place);
			}
			return place || before !== undefined ? 'all' : undefined;
		},
	};
}

/** Without the row itself, whose creation would run the filter. */
function groupIdOf(connection: Connection, list: ListRef): string {
	return groupRowId(listRowId(connection, list), 'patchsets');
}
