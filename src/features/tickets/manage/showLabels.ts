import * as vscode from 'vscode';
import { choose, type Choice } from '../../../editor/ask/ask.ts';
import { connectionOf } from '../../../editor/commands/subjects.ts';
import { openExactly } from '../../../editor/links/openDestination.ts';
import { refText } from 'sourcehut/port/namedRef.ts';
import type { Label, TrackerRef } from 'sourcehut/port/tracker.ts';
import { quoteValue } from '../../../engine/search/filterWords.ts';
import type { TicketStore } from '../../../store/tickets/ticketStore.ts';
import { visibleLine } from '../../../engine/text/visible.ts';
import type { TrackerSubject } from '../subjects/subjects.ts';

import type { TicketsContext } from '../context/ticketsContext.ts';
import { webAddress } from '../../../editor/links/webOf.ts';

const rrggbb = /^#[0-9a-f]{6}$/i;

/** Lists a tracker's labels with colours. Choosing one filters the tracker; the last row opens label management. */
export async function showLabels(
	{ connections, filters }: TicketsContext,
	tracker: TrackerSubject,
	signal: AbortSignal,
): Promise<void> {
	const { me, tickets, instance, writes } = connectionOf(connections, tracker);
	const isManaged = writes.labels !== undefined && tracker.ref.owner === me;
	const labels = await tickets.trackers.labels(tracker.ref, signal);
	const rows: readonly Choice<string | undefined>[] = labels.map((label) => ({
		label: visibleLine(label.name),
		description: colorText(label),
		iconPath: swatch(label.colors.background),
		value: label.name,
	}));
	const web: Choice<string | undefined> = {
		label: isManaged ? vscode.l10n.t('Manage Labels…') : vscode.l10n.t('Create Labels on the Web…'),
		iconPath: new vscode.ThemeIcon(isManaged ? 'edit' : 'link-external'),
		alwaysShow: true,
		value: undefined,
	};
	const title = vscode.l10n.t('Labels of {0}: choose one to filter by it', visibleLine(tracker.ref.name));
	const name = await choose(title, [...rows, web], someLabelsText(tickets, tracker.ref));
	if (name === undefined && isManaged) {
		await vscode.commands.executeCommand('forge.trackers.manageLabels', tracker);
		return;
	}
	if (name === undefined) {
		return openExactly(webAddress(instance, { kind: 'labels', ref: tracker.ref }));
	}
	await filters.setOnTracker(tracker.connectionKey, tracker.ref, `label:${quoteValue(name)}`);
}

/** Says that the forge lists only some labels; `undefined` otherwise. */
export function someLabelsText({ trackers }: TicketStore, ref: TrackerRef): string | undefined {
	return trackers.areLabelsPart(ref)
		? vscode.l10n.t('The forge lists only some labels of {0}.', visibleLine(refText(ref)))
		: undefined;
}

/** The colour in words, for those who do not see it. */
export function colorText({ colors }: Label): string {
	return rrggbb.test(colors.background) ? colors.background.toLowerCase() : '';
}

/** A round spot of the label's colour, with a hairline that shows it on a ground of the same colour. */
export function swatch(background: string): vscode.Uri | vscode.ThemeIcon {
	if (!rrggbb.test(background)) {
		return new vscode.ThemeIcon('tag');
	}
	const spot = `<circle cx="8" cy="8" r="6" fill="${background}" stroke="#808080"/>`;
	const picture = `<svg xmlns="http://www.w3.org/2000/svg" width="16" height="16">${spot}</svg>`;
	return vscode.Uri.parse(`data:image/svg+xml;utf8,${encodeURIComponent(picture)}`);
}
