import * as vscode from 'vscode';
import type { CommandTable } from '../../../editor/commands/feature.ts';
import { openBySelection } from '../../../editor/documents/showDocument.ts';
import { nextWanted, type ListNaming } from '../../../editor/trees/neighbours.ts';
import { isRecord } from '../../../editor/commands/subjects.ts';
import { tellBriefly } from '../../../editor/ask/notify.ts';
import type { TreeNode } from '../../../editor/trees/treeNode.ts';
import type { ListRef } from 'sourcehut/port/list.ts';
import type { Connections } from '../../../store/connection.ts';
import { visibleLine } from '../../../engine/text/visible.ts';
import type { ListTree, RowsPlace } from './listTree.ts';
import type { ListsContext } from '../context/listsContext.ts';
import {
	allListsSubject,
	listSubject,
	mailSubject,
	patchsetSubject,
	type PatchsetSubject,
} from '../subjects/subjects.ts';

/** Steps to the next or previous row of the view, on the board or in a list. */
export function patchsetSteps({ connections, pages, view }: ListsContext, tree: ListTree): CommandTable {
	/** Rows of the list at the last step. */
	let before: readonly TreeNode[] = [];

	/** Steps within the same list, patchsets first, or within the board. A filter may have hidden the item just read. */
	async function nextUnread(subject: unknown, signal: AbortSignal): Promise<void> {
		const isFromRow = listed(subject) !== undefined;
		const from = isFromRow ? subject : pages.inFront();
		const list = listed(from);
		if (!list) {
			return tellBriefly(vscode.l10n.t('Select a list, patchset or thread first.'));
		}
		const row = rowTarget(from, isFromRow ? subject : undefined);
		const place = tree.placeOf(list, row);
		const patchsets = await tree.patchsetRows(place, signal);
		const rows = [...patchsets, ...(await tree.threadRows(place, signal))];
		const name = nameOf(connections, from);
		const naming: ListNaming<TreeNode, readonly TreeNode[]> = {
			placeIn: (all) => all.findIndex((each) => nameOf(connections, each) === name),
			finderIn(all) {
				const byName = new Map(all.map((each) => [nameOf(connections, each), each]));
				return (each) => byName.get(nameOf(connections, each));
			},
		};
		const to = nextWanted(rows, before, naming, (each) => {
			const isUnread = each.item.contextValue?.endsWith('.unread') === true;
			return isUnread && nameOf(connections, each) !== name;
		});
		before = rows;
		if (!to) {
			return tellBriefly(
				place.kind === 'allLists'
					? vscode.l10n.t('No other unread patchsets on the board of all lists.')
					: vscode.l10n.t('No other unread patchsets or threads in this list.'),
			);
		}
		await goTo(from, to, isFromRow);
	}

	/**
	 * In the view, selects the next row, and the page of the row before follows. On a page, opens the next patchset's page
	 * and selects its row.
	 */
	async function step(subject: unknown, by: 1 | -1, signal: AbortSignal): Promise<void> {
		const row = patchsetSubject(subject);
		const from = row ?? patchsetSubject(pages.inFront());
		const list = listed(from);
		if (!from || !list) {
			return tellBriefly(vscode.l10n.t('Open a patchset or select one first.'));
		}
		const place = tree.placeOf(list, rowTarget(from, subject));
		const rows = await tree.patchsetRows(place, signal);
		const at = rows.findIndex((each) => isOf(each, from));
		const to = at === -1 ? undefined : rows[at + by];
		if (!to) {
			return tellBriefly(
				at === -1
					? vscode.l10n.t('This patchset is not among those that the view shows.')
					: endText(connections, place, by),
			);
		}
		await goTo(from, to, row !== undefined);
	}

	/** The row passed by a key binding, else the selected row of the page in front. */
	function rowTarget(from: unknown, subject: unknown): TreeNode | undefined {
		const patchset = patchsetSubject(from);
		return isRow(subject) ? subject : view.selection.find((row) => patchset && isOf(row, patchset));
	}

	async function goTo(from: unknown, to: TreeNode, isFromRow: boolean): Promise<void> {
		const { command } = to.item;
		const open = async (): Promise<void> =>
			void (command && (await vscode.commands.executeCommand(command.command, to.subject)));
		const name = nameOf(connections, from);
		if (!isFromRow) {
			await open();
		} else if (name !== '' && name === nameOf(connections, pages.inFront())) {
			await openBySelection('forge.lists', open);
		}
		if (view.visible) {
			// From a row the focus moves too, so Enter opens the new row and not the old one.
			await view.reveal(to, { select: true, focus: isFromRow });
		}
	}

	return {
		'forge.patchsets.next': (subject, signal) => step(subject, 1, signal),
		'forge.patchsets.previous': (subject, signal) => step(subject, -1, signal),
		'forge.lists.nextUnread': nextUnread,
	};
}

/** The list of an item, or the board of all lists. */
function listed(of: unknown): RowsPlace | undefined {
	const patchset = patchsetSubject(of);
	const mail = mailSubject(of);
	const ref: ListRef | undefined = patchset?.ref.list ?? mail?.list;
	const connectionKey = patchset?.connectionKey ?? mail?.connectionKey;
	return ref && connectionKey !== undefined
		? { kind: 'list', connectionKey, ref }
		: (listSubject(of) ?? allListsSubject(of));
}

/** Key of a patchset, or of a mail's thread, within its list; empty for a list. */
function nameOf(connections: Connections, of: unknown): string {
	const patchset = patchsetSubject(of);
	const mail = mailSubject(of);
	if (patchset) {
		return `patchset ${patchset.ref.id}`;
	}
	const threadId = mail && connections.byKey(mail.connectionKey)?.lists.knownMail(mail.id)?.threadId;
	return mail ? `thread ${threadId ?? mail.id}` : '';
}

function isRow(value: unknown): value is TreeNode {
	return isRecord(value) && 'id' in value && 'item' in value;
}

function isOf(row: TreeNode, { ref }: PatchsetSubject): boolean {
	return patchsetSubject(row)?.ref.id === ref.id;
}

/** Message at either end. A list may have older patchsets to load. */
function endText(connections: Connections, place: RowsPlace, by: 1 | -1): string {
	if (place.kind === 'allLists') {
		return by === 1
			? vscode.l10n.t('This is the last patchset on the board of all lists.')
			: vscode.l10n.t('This is the first patchset on the board of all lists.');
	}
	const { ref, connectionKey } = place;
	const name = visibleLine(ref.name);
	const connection = connections.byKey(connectionKey);
	if (connection?.listChoices.of(ref).patchsets === 'board') {
		return by === 1
			? vscode.l10n.t('This is the last patchset on the board of {0}.', name)
			: vscode.l10n.t('This is the first patchset on the board of {0}.', name);
	}
	if (by === -1) {
		return vscode.l10n.t('This is the first patchset of {0}.', name);
	}
	return connection?.lists.patchsets(ref).known()?.completeness.kind === 'more'
		? vscode.l10n.t('This is the last patchset of {0} that is loaded. Choose Show More to load older ones.', name)
		: vscode.l10n.t('This is the last patchset of {0}.', name);
}
