import * as vscode from 'vscode';
import { rowContext } from '../../../commands/rows.ts';
import { isAbort } from '@forge-desk/base/abort.ts';
import { pushAll } from '@forge-desk/base/longArrays.ts';
import { unreadText } from '../../../editor/trees/markTexts.ts';
import { failedRow, readBeforeRows } from '../../../editor/trees/noticeRow.ts';
import { tailRows } from '../../../editor/trees/pagingRows.ts';
import type { TreeNode } from '../../../editor/trees/treeNode.ts';
import type { Completeness } from 'sourcehut/port/page.ts';
import { refText } from 'sourcehut/port/namedRef.ts';
import type { ListRef, Patchset } from 'sourcehut/port/list.ts';
import { boardGroups, type BoardGroup } from '../find/board.ts';
import type { Connection } from '../../../store/connection.ts';
import { visibleLine } from '../../../engine/text/visible.ts';
import type { AccountList } from '../find/accountList.ts';
import { emptyRow } from './listRows.ts';
import type { ListsContext } from '../context/listsContext.ts';
import { patchsetRow } from './patchsetRow.ts';
import { boardRow, unreadRepliesRow } from './patchsetRows.ts';
import type { ListSubject } from '../subjects/subjects.ts';

/** A patchset, its list, and its older versions. */
interface Listed {
	readonly list: ListRef;
	readonly patchset: Patchset;
	readonly older: readonly Patchset[];
}

/**
 * One board for the patchsets of all lists of an account. Lazy: no requests until unfolded. `parentOf`: parent row of the
 * lists. `listsOf`: the lists in the view. `redraw`: redraws the whole board. `read`: runs after a read of a list's
 * patchsets.
 */
export function allLists(
	context: ListsContext,
	parentOf: (connection: Connection) => TreeNode | undefined,
	listsOf: (connection: Connection) => readonly ListRef[],
	redraw: (connection: Connection) => void,
	read: (seen: AccountList) => void,
) {
	const { clock, problems, finder } = context;
	const shown = new Set<string>();

	function row(connection: Connection): TreeNode {
		return {
			id: rowId(connection),
			get item() {
				const unread = listsOf(connection).flatMap((list) => [...finder.marks.unread(connection, list).patchsets]);
				const marked = unreadText(new Map(unread));
				const item = new vscode.TreeItem(vscode.l10n.t('All Lists'), vscode.TreeItemCollapsibleState.Collapsed);
				item.iconPath = new vscode.ThemeIcon('layout');
				item.contextValue = rowContext('allLists', {});
				if (marked !== undefined) {
					item.description = marked;
				}
				item.accessibilityInformation = {
					label: [vscode.l10n.t('Patchsets of all lists'), marked].filter((text) => text !== undefined).join(', '),
				};
				return item;
			},
			parent: parentOf(connection),
			children: (signal) => below(connection, signal),
			subject: { kind: 'allLists', connectionKey: connection.key },
		};
	}

	/** The boards of all lists merged, newest patchsets first. */
	function sections(connection: Connection): readonly TreeNode[] {
		const groups = new Map<BoardGroup, Listed[]>(boardGroups.map((group) => [group, []]));
		for (const list of listsOf(connection)) {
			const known = connection.lists.knownPatchsets(list);
			const below = finder.olderVersions({ connection, list }, known);
			const folded = new Set([...below.values()].flat());
			for (const { group, patchsets } of finder.board({ connection, list }, known)) {
				pushAll(
					groups.get(group) ?? [],
					patchsets
						.filter((patchset) => !folded.has(patchset))
						.map((patchset) => ({ list, patchset, older: below.get(patchset.id) ?? [] })),
				);
			}
		}
		return [...groups].flatMap(([group, all]) => {
			if (all.length === 0) {
				return [];
			}
			const newestFirst = all.toSorted((a, b) => b.patchset.createdMs - a.patchset.createdMs);
			const section = { group, patchsets: newestFirst.map(({ patchset }) => patchset) };
			const made: TreeNode = boardRow(
				row(connection),
				section,
				async () =>
					newestFirst.map(({ list, patchset, older }) => {
						const rowOf = (each: Patchset, parent: TreeNode, below: readonly Patchset[]): TreeNode => {
							const id = `${rowId(connection)}/${refText(list)}/${each.id}`;
							return patchsetRow(context, { connection, list }, each, { id, parent }, (above) =>
								below.map((version) => rowOf(version, above, [])),
							);
						};
						return rowOf(patchset, made, older);
					}),
				() =>
					new Map(
						newestFirst.flatMap(({ list, patchset, older }) => [
							...finder.marks.unreadAmong(connection, list, [patchset, ...older]),
						]),
					),
			);
			return [made];
		});
	}

	async function below(connection: Connection, signal: AbortSignal): Promise<readonly TreeNode[]> {
		shown.add(connection.key);
		const { lists } = connection;
		const refs = listsOf(connection);
		const all = await Promise.all(
			refs.map(async (list) => {
				try {
					await lists.patchsets(list).cached(signal);
					return { connection, list, error: undefined };
				} catch (error) {
					// A failed list must not hide the others.
					if (isAbort(error)) {
						throw error;
					}
					problems.log(error);
					return { connection, list, error };
				}
			}),
		);
		const failures = all.filter(({ error }) => error !== undefined);
		const seen = all.filter(({ error }) => error === undefined);
		await finder.prepareBoards(seen, signal);
		seen.forEach(read);
		const parent = row(connection);
		const rows = sections(connection);
		const explain = (error: unknown): string => problems.explain(error).message;
		const [before] = refs
			.flatMap((list) => lists.patchsets(list).before() ?? [])
			.toSorted((a, b) => a.readAtMs - b.readAtMs);
		const more = refs.filter((list) => lists.patchsets(list).known()?.completeness.kind === 'more');
		return [
			...readBeforeRows(before, { id: parent.id, parent, clock, explain, again: parent }),
			...(rows.length === 0 && failures.length === 0 ? [emptyRow(parent, vscode.l10n.t('No patchsets yet'))] : rows),
			...unreadRepliesRow(parent, finder.unreadReplies(seen), async (reading) => {
				await finder.readReplies(seen, reading);
				redraw(connection);
			}),
			...tailRows(
				{ id: parent.id, parent },
				{
					items: refs.flatMap((list) => lists.knownPatchsets(list)),
					completeness: completenessOf(connection, refs),
				},
				(reading) => Promise.all(more.map((list) => lists.patchsets(list).more(reading))),
			),
			...failures.map(({ list, error }) => {
				const subject: ListSubject = { kind: 'list', connectionKey: connection.key, ref: list };
				const part = { name: visibleLine(refText(list)), subject };
				return failedRow(parent, explain(error), part);
			}),
		];
	}

	return {
		row,
		/** True once unfolded. The rows must then follow changes. */
		isShown: ({ key }: Connection) => shown.has(key),
		/** Rows of the groups and of failures. */
		below,
		/** True for rows of the board. */
		holds: (connection: Connection, { id }: TreeNode) => id.startsWith(`${rowId(connection)}/`),
	};
}

function rowId({ key }: Connection): string {
	return `${key}/all-lists`;
}

/** Completeness of all lists together. The total is unknown if one of the totals is. */
function completenessOf({ lists }: Connection, refs: readonly ListRef[]): Completeness {
	const all = refs.flatMap((list) => lists.patchsets(list).known() ?? []);
	const totals = all.map(({ items, completeness }) =>
		completeness.kind === 'complete' ? items.length : completeness.kind === 'more' ? completeness.total : undefined,
	);
	if (all.some(({ completeness }) => completeness.kind === 'more')) {
		return {
			kind: 'more',
			total: totals.reduce<number | undefined>(
				(sum, total) => (sum === undefined || total === undefined ? undefined : sum + total),
				0,
			),
		};
	}
	return { kind: all.some(({ completeness }) => completeness.kind === 'unstated') ? 'unstated' : 'complete' };
}
