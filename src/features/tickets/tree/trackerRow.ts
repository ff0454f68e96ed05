import * as vscode from 'vscode';
import { rowContext } from '../../../commands/rows.ts';
import { extraParagraphs, unsentMark } from '../../../editor/ask/extraFields.ts';
import { countText, unreadText } from '../../../editor/trees/countTexts.ts';
import { watchedFact } from '../../../editor/owned/watchedFact.ts';
import type { TreeNode } from '../../../editor/trees/treeNode.ts';
import { untrustedMarkdown } from '../../../editor/documents/untrustedMarkdown.ts';
import { ticketStatuses } from '../../../forge/port/ticket.ts';
import { refText } from '../../../forge/port/namedRef.ts';
import type { Tracker, TrackerRef } from '../../../forge/port/tracker.ts';
import type { Connection } from '../../../store/connection.ts';
import { fullTime } from '../../../engine/text/age.ts';
import { escapeMarkdown } from '../../../engine/text/escapeMarkdown.ts';
import { visibleLine } from '../../../engine/text/visible.ts';
import type { TrackerSubject } from '../subjects/subjects.ts';
import { statusLook } from '../subjects/words.ts';
import { agoText } from '../../../editor/ask/readBefore.ts';
import { knownText, openText } from './countTexts.ts';
import type { TrackerFacts } from './trackerFacts.ts';

/** A longer filter would push the counts out of the row. */
const longestFilterInRow = 40;
/** The tooltip lists the most frequent labels only. */
const labelsInTooltip = 10;
/** Limit for unknown statuses and fields, because a forge may report any number. */
const mostInTooltip = 20;

export interface TrackerRowParts {
	readonly connection: Connection;
	readonly ref: TrackerRef;
	/** `undefined` for a followed tracker before its first read. */
	readonly tracker: Tracker | undefined;
	readonly parent: TreeNode | undefined;
	readonly children: NonNullable<TreeNode['children']>;
	/** The last computed counts. */
	readonly facts: () => TrackerFacts;
	readonly filter: () => RowFilter | undefined;
	readonly nowMs: () => number;
}

/** The filter of the rows below, and its match count. */
export interface RowFilter {
	readonly text: string;
	readonly count: string;
}

/**
 * Row of a tracker. Computes its counts on each draw, not at creation. Otherwise a slow load of the whole view could
 * replace newer counts with older ones, and nothing would redraw the row.
 */
export function trackerRow(parts: TrackerRowParts): TreeNode {
	const { connection, ref, tracker, parent, children } = parts;
	const subject: TrackerSubject = { kind: 'tracker', connectionKey: connection.key, ref };
	return {
		id: trackerRowId(connection, ref),
		get item() {
			return trackerItem(parts);
		},
		parent,
		children,
		subject,
		get look() {
			const { byStatus, byLabel, state } = parts.facts();
			return JSON.stringify([trackerItem(parts), parts.filter(), knownText(state), [...byStatus], [...byLabel]]);
		},
		tooltip: async (signal) => trackerTooltip(parts, tracker ?? (await readTracker(parts, signal))),
	};
}

function trackerItem(parts: TrackerRowParts): vscode.TreeItem {
	const { connection, ref } = parts;
	const isOwn = ref.owner === connection.me;
	const item = new vscode.TreeItem(visibleLine(ref.name), vscode.TreeItemCollapsibleState.Collapsed);
	const counted = parts.facts();
	const facts = [
		filterText(parts.filter()) ?? openText(counted),
		unreadText(counted.marks),
		watchedFact(connection, { kind: 'tracker', ref }),
		...(parts.tracker ? unsentMark(parts.tracker) : []),
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

/** Id of a tracker's row, independent of its parent. */
export function trackerRowId(connection: Connection, ref: TrackerRef): string {
	return `${connection.key}/${refText(ref)}`;
}

function filterText(filter: RowFilter | undefined): string | undefined {
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
	{ connection, ref, facts }: TrackerRowParts,
	signal: AbortSignal,
): Promise<Tracker | undefined> {
	try {
		return await connection.tickets.tracker(ref, signal);
	} catch (error) {
		if (facts().state.kind === 'unread') {
			throw error;
		}
		return undefined;
	}
}

function trackerTooltip(parts: TrackerRowParts, tracker: Tracker | undefined): vscode.MarkdownString {
	const { ref } = parts;
	const facts = parts.facts();
	const filter = parts.filter();
	const text = visibleLine(tracker?.description ?? '');
	const first = Array.from(text).slice(0, 300).join('');
	return untrustedMarkdown([
		`**${escapeMarkdown(visibleLine(refText(ref)))}**`,
		escapeMarkdown(first),
		...[
			filter ? vscode.l10n.t('Filtered: {0} ({1})', visibleLine(filter.text), filter.count) : '',
			statusCounts(facts),
			labelCounts(facts),
			unreadCounts(facts),
			...checkedTexts(parts),
		].map(escapeMarkdown),
		...(tracker ? unknownFields(tracker) : []),
	]);
}

function statusCounts({ state, byStatus }: TrackerFacts): string {
	const known = knownText(state);
	const order: readonly string[] = ticketStatuses;
	const counts = [...byStatus]
		.toSorted(([a], [b]) => order.indexOf(a) - order.indexOf(b))
		.map(([status, count]) => `${statusLook(status).text} ${countText(count, true)}`);
	return known === undefined
		? ''
		: vscode.l10n.t(
				'Tickets: {0}. {1}',
				known,
				[...counts.slice(0, mostInTooltip), ...beyond(counts.length)].join(', '),
			);
}

function unknownFields({ extra = [] }: Tracker): readonly string[] {
	return [...extraParagraphs({ extra: extra.slice(0, mostInTooltip) }), ...beyond(extra.length)];
}

/** Note about entries beyond the tooltip's limit. */
function beyond(count: number): readonly string[] {
	return count > mostInTooltip ? [vscode.l10n.t('and {0} more', count - mostInTooltip)] : [];
}

function labelCounts({ byLabel }: TrackerFacts): string {
	const counts = [...byLabel]
		.toSorted(([, a], [, b]) => b - a)
		.slice(0, labelsInTooltip)
		.map(([name, count]) => `${visibleLine(name)} ${countText(count, true)}`);
	return counts.length === 0 ? '' : vscode.l10n.t('Labels: {0}', counts.join(', '));
}

function unreadCounts({ marks }: TrackerFacts): string {
	const text = unreadText(marks);
	return text === undefined ? '' : vscode.l10n.t('Unread: {0}', text);
}

/** Age of the data, and the reason if background loading pauses. */
function checkedTexts({ facts, connection: { index }, nowMs }: TrackerRowParts): readonly string[] {
	const { state } = facts();
	const locale = vscode.env.language;
	const checked =
		state.kind === 'unread' ? '' : vscode.l10n.t('Last updated {0}', agoText(state.checkedAtMs, nowMs(), 'long'));
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
