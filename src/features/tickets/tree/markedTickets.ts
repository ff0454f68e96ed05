import * as vscode from 'vscode';
import { unreadMarks, type BadgedView, type UnreadMarks } from '../../../editor/trees/unreadMarks.ts';
import type { Mark } from '../../../forge/mark.ts';
import { ticketScheme } from './ticketUri.ts';
import type { SeenTracker } from './shelf.ts';
import type { FactsKeeper } from './trackerFacts.ts';

/** The unread tickets of all trackers as last counted, by the `authority + path` of their rows' addresses. */
export function marksOfAll(trackers: readonly SeenTracker[], facts: FactsKeeper): ReadonlyMap<string, Mark> {
	const all = new Map<string, Mark>();
	for (const { connection, ref } of trackers) {
		for (const [name, mark] of facts.last(connection, ref).marks) {
			all.set(`${connection.key}/${name}`, mark);
		}
	}
	return all;
}

/** The dots beside unread tickets, and their number on the view's icon. */
export function ticketDots(view: BadgedView): UnreadMarks {
	return unreadMarks({
		scheme: ticketScheme,
		view,
		counted: (count, text) =>
			count === 1 ? vscode.l10n.t('1 unread ticket') : vscode.l10n.t('{0} unread tickets', text),
	});
}
