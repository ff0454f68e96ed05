import * as vscode from 'vscode';
import { choose, type Choice } from '../../../editor/ask/ask.ts';
import type { CommandTable } from '../../../editor/commands/feature.ts';
import { tellBriefly } from '../../../editor/ask/notify.ts';
import { withProgress } from '../../../editor/ask/progress.ts';
import { connectionOf } from '../../../editor/commands/subjects.ts';
import type { Ticket } from 'sourcehut/port/ticket.ts';
import { refText } from 'sourcehut/port/namedRef.ts';
import type { SortOrder } from '../../../engine/search/filterGrammar.ts';
import { groupings, type Grouping } from '../../../engine/search/groupTickets.ts';
import type { ReadMarks } from '../../../store/readMarks/storedReadMarks.ts';
import { knownTicket } from '../../../store/tickets/index/knownTicket.ts';
import { visibleLine } from '../../../engine/text/visible.ts';
import type { TicketsContext } from '../context/ticketsContext.ts';
import { isAny, ticketTargets, trackerTarget } from '../subjects/ticketTarget.ts';
import { knownText, ticketsText } from './countTexts.ts';

/** Commands for grouping, sorting and seen marks of trackers. */
export function treeCommands(context: TicketsContext): CommandTable {
	const { treeChoices, connections } = context;

	/** Marks the selected tickets. */
	function marking(mark: (readMarks: ReadMarks, ticket: Ticket) => void) {
		return async (subject: unknown, signal: AbortSignal, selected: readonly unknown[]) => {
			for (const each of await ticketTargets(context, subject, selected, isAny, signal)) {
				const connection = connectionOf(connections, each);
				const { readMarks, tickets } = connection;
				mark(readMarks, knownTicket(connection, each.ref) ?? (await tickets.ticket(each.ref, signal)));
			}
		};
	}

	return {
		'forge.trackers.group': async (subject, signal) => {
			const { connectionKey, ref } = await trackerTarget(context, subject, signal);
			const now = treeChoices.of(connectionKey, ref);
			const grouping = await choose(
				vscode.l10n.t('Group {0} by', visibleLine(ref.name)),
				groupings.map((each) => choiceRow(groupingText(each), each, each === now.grouping)),
			);
			await treeChoices.choose(connectionKey, ref, { ...now, grouping });
		},
		'forge.trackers.sort': async (subject, signal) => {
			const { connectionKey, ref } = await trackerTarget(context, subject, signal);
			const now = treeChoices.of(connectionKey, ref);
			const order = await choose(
				vscode.l10n.t('Sort {0} by', visibleLine(ref.name)),
				orders.map((each) =>
					choiceRow(orderText(each), each, each.key === now.order.key && each.isReversed === now.order.isReversed),
				),
			);
			await treeChoices.choose(connectionKey, ref, { ...now, order });
		},
		'forge.tickets.markRead': marking((readMarks, ticket) => readMarks.markRead(ticket)),
		'forge.tickets.markUnread': marking((readMarks, ticket) => readMarks.markUnread(ticket)),
		'forge.trackers.markAllRead': async (subject, signal) => {
			const tracker = await trackerTarget(context, subject, signal);
			const { readMarks, index } = connectionOf(connections, tracker);
			readMarks.markAllRead(
				tracker.ref,
				index.tickets(tracker.ref).map(({ ticket }) => ticket),
			);
			tellBriefly(vscode.l10n.t('Marked all tickets of {0} as read', visibleLine(refText(tracker.ref))));
		},
		'forge.trackers.readWhole': async (subject, signal) => {
			const tracker = await trackerTarget(context, subject, signal);
			const { index } = connectionOf(connections, tracker);
			const name = visibleLine(refText(tracker.ref));
			await withProgress(vscode.l10n.t('Downloading all tickets of {0}…', name), signal, (working) =>
				index.readWhole(tracker.ref, working),
			);
			const count = knownText(index.state(tracker.ref)) ?? '0';
			tellBriefly(vscode.l10n.t('Downloaded {0} of {1}', ticketsText(count), name));
		},
	};
}

const orders: readonly SortOrder[] = [
	{ key: 'number', isReversed: false },
	{ key: 'number', isReversed: true },
	{ key: 'updated', isReversed: false },
	{ key: 'updated', isReversed: true },
	{ key: 'created', isReversed: false },
	{ key: 'created', isReversed: true },
];

function orderText({ key, isReversed }: SortOrder): string {
	switch (key) {
		case 'number':
			return isReversed ? vscode.l10n.t('Number, lowest first') : vscode.l10n.t('Number, highest first');
		case 'updated':
			return isReversed ? vscode.l10n.t('Updated, longest ago first') : vscode.l10n.t('Updated, latest first');
		case 'created':
			return isReversed ? vscode.l10n.t('Created, oldest first') : vscode.l10n.t('Created, newest first');
		case 'comments':
			return isReversed ? vscode.l10n.t('Comments, fewest first') : vscode.l10n.t('Comments, most first');
	}
}

function groupingText(grouping: Grouping): string {
	switch (grouping) {
		case 'none':
			return vscode.l10n.t('Nothing');
		case 'status':
			return vscode.l10n.t('Status');
		case 'label':
			return vscode.l10n.t('Label');
		case 'assignee':
			return vscode.l10n.t('Assignee');
	}
}

/** The current choice has a tick, and a word for screen readers. */
function choiceRow<T>(label: string, value: T, isPresent: boolean): Choice<T> {
	return {
		label,
		value,
		iconPath: new vscode.ThemeIcon(isPresent ? 'check' : 'blank'),
		...(isPresent ? { description: vscode.l10n.t('current') } : {}),
	};
}
