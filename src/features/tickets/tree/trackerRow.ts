import * as vscode from 'vscode';
import { rowContext } from '../../../commands/rows.ts';
import { extraParagraphs, unsentMark } from '../../../editor/ask/extraFields.ts';
import { countText, unreadText } from '../../../editor/trees/markTexts.ts';
import { watchedFact } from '../../../editor/owned/watchedFact.ts';
import type { TreeNode } from '../../../editor/trees/treeNode.ts';
import { untrustedMarkdown } from '../../../editor/documents/untrustedMarkdown.ts';
import { ticketStatuses } from 'sourcehut/port/ticket.ts';
import { refText } from 'sourcehut/port/namedRef.ts';
import type { Tracker } from 'sourcehut/port/tracker.ts';
import type { Connection } from '../../../store/connection.ts';
import { fullTime } from '../../../engine/text/age.ts';
import { escapeMarkdown } from '../../../engine/text/escapeMarkdown.ts';
import { visibleLine } from '../../../engine/text/visible.ts';
import type { TrackerSubject } from '../subjects/subjects.ts';
import { statusLook } from '../subjects/words.ts';
import { agoText } from '../../../editor/ask/readBefore.ts';
import { knownText, openText } from './countTexts.ts';
import { trackerRowId, type AccountTracker } from './ticketShelf.ts';
import type { IndexState } from '../../../store/tickets/index/ticketIndexer.ts';
import { filteredTracker, type TreeContext } from './treeContext.ts';

/** A longer filter would push the counts out of the row. */
const longestFilterInRow = 40;
/** The tooltip lists the most frequent labels only. */
const labelsInTooltip = 10;
/** Limit for unknown statuses and fields, because a forge may report any number. */
const mostInTooltip = 20;

/**
 * Row of a tracker. Computes its counts on each draw, not at creation. Otherwise a slow load of the whole view could
 * replace newer counts with older ones, and nothing would redraw the row.
 */
export function trackerRow(
	context: TreeContext,
	from: AccountTracker,
	parent: TreeNode | undefined,
	children: NonNullable<TreeNode['children']>,
): TreeNode {
	const { connection, ref } = from;
	const subject: TrackerSubject = { kind: 'tracker', connectionKey: connection.key, ref };
	return {
		id: trackerRowId(from),
		get item() {
			return trackerItem(context, from);
		},
		parent,
		children,
		subject,
		get look() {
			const { byStatus, byLabel, state } = context.facts.last(from);
			const filter = filterOf(context, from);
			return JSON.stringify([trackerItem(context, from), filter, knownText(state), [...byStatus], [...byLabel]]);
		},
		tooltip: async (signal) => trackerTooltip(context, from, await readTracker(context, from, signal)),
	};
}

/** The filter of the rows below, and its match count: "12 of 312", "12+ of 50+". */
function filterOf({ tickets: context, shelves }: TreeContext, from: AccountTracker) {
	const list = filteredTracker(context.filters, from);
	const shelf = list && shelves.last(list.id);
	const count = shelf
		? vscode.l10n.t('{0} of {1}', countText(shelf.matching, shelf.isWhole), countText(shelf.known, shelf.isWhole))
		: '…';
	return list && { text: list.text, count };
}

function trackerItem(context: TreeContext, from: AccountTracker): vscode.TreeItem {
	const { connection, ref } = from;
	const tracker = connection.tickets.trackers.known(ref);
	const isOwn = ref.owner === connection.me;
	const item = new vscode.TreeItem(visibleLine(ref.name), vscode.TreeItemCollapsibleState.Collapsed);
	const counted = context.facts.last(from);
	const facts = [
		filterText(filterOf(context, from)) ?? openText(counted),
		unreadText(counted.marks),
		watchedFact(connection, { kind: 'tracker', ref }),
		...(tracker ? unsentMark(tracker) : []),
	].filter((fact) => fact !== undefined);
	item.description = [visibleLine(ref.owner), ...facts].join(' · ');
	item.iconPath = new vscode.ThemeIcon('project');
	const { labels, subscriptions } = connection.writes;
	item.contextValue = rowContext(isOwn ? 'tracker.own' : 'tracker.followed', {
		makesLabels: isOwn && labels !== undefined,
		mails: subscriptions !== undefined,
	});
	item.accessibilityInformation = {
		label: [vscode.l10n.t('Tracker {0} of {1}', visibleLine(ref.name), visibleLine(ref.owner)), ...facts].join(', '),
	};
	return item;
}

function filterText(filter: ReturnType<typeof filterOf>): string | undefined {
	if (!filter) {
		return undefined;
	}
	const letters = Array.from(visibleLine(filter.text));
	const short =
		letters.length > longestFilterInRow ? `${letters.slice(0, longestFilterInRow).join('')}…` : letters.join('');
	return `${vscode.l10n.t('filtered: {0}', short)} · ${filter.count}`;
}

/** Uses the indexed data if the forge is unreachable. */
async function readTracker(
	{ facts }: TreeContext,
	from: AccountTracker,
	signal: AbortSignal,
): Promise<Tracker | undefined> {
	try {
		return await from.connection.tickets.tracker(from.ref, signal);
	} catch (error) {
		if (facts.last(from).state.kind === 'unread') {
			throw error;
		}
		return undefined;
	}
}

function trackerTooltip(
	context: TreeContext,
	from: AccountTracker,
	tracker: Tracker | undefined,
): vscode.MarkdownString {
	const { state, byStatus, byLabel, marks } = context.facts.last(from);
	const filter = filterOf(context, from);
	const text = visibleLine(tracker?.description ?? '');
	const first = Array.from(text).slice(0, 300).join('');
	const known = knownText(state);
	const order: readonly string[] = ticketStatuses;
	const statuses = [...byStatus]
		.toSorted(([a], [b]) => order.indexOf(a) - order.indexOf(b))
		.map(([status, count]) => `${statusLook(status).text} ${countText(count, true)}`);
	const shownStatuses = [...statuses.slice(0, mostInTooltip), ...beyond(statuses.length)].join(', ');
	const labels = [...byLabel]
		.toSorted(([, a], [, b]) => b - a)
		.slice(0, labelsInTooltip)
		.map(([name, count]) => `${visibleLine(name)} ${countText(count, true)}`);
	const unread = unreadText(marks);
	const { extra = [] } = tracker ?? {};
	return untrustedMarkdown([
		`**${escapeMarkdown(visibleLine(refText(from.ref)))}**`,
		escapeMarkdown(first),
		...[
			filter ? vscode.l10n.t('Filtered: {0} ({1})', visibleLine(filter.text), filter.count) : '',
			known === undefined ? '' : vscode.l10n.t('Tickets: {0}. {1}', known, shownStatuses),
			labels.length === 0 ? '' : vscode.l10n.t('Labels: {0}', labels.join(', ')),
			unread === undefined ? '' : vscode.l10n.t('Unread: {0}', unread),
			...checkedTexts(state, from.connection, context.tickets.clock.nowMs()),
		].map(escapeMarkdown),
		...extraParagraphs({ extra: extra.slice(0, mostInTooltip) }),
		...beyond(extra.length),
	]);
}

/** Note about entries beyond the tooltip's limit. */
function beyond(count: number): readonly string[] {
	return count > mostInTooltip ? [vscode.l10n.t('and {0} more', count - mostInTooltip)] : [];
}

/** Age of the data, and the reason if background loading pauses. */
function checkedTexts(state: IndexState, { index }: Connection, nowMs: number): readonly string[] {
	const locale = vscode.env.language;
	const checked =
		state.kind === 'unread' ? '' : vscode.l10n.t('Last updated {0}', agoText(state.checkedAtMs, nowMs, 'long'));
	switch (index.pause?.kind) {
		case 'budget':
			return [
				checked,
				vscode.l10n.t(
					'Background loading is paused until {0}: the hourly request limit is reached.',
					fullTime(index.pause.untilMs, locale),
				),
			];
		case 'offline':
			return [checked, vscode.l10n.t('Background loading is paused: the forge cannot be reached.')];
		case undefined:
			return [checked];
	}
}
