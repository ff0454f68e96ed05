import * as vscode from 'vscode';
import type { Clock } from '../../base/clock.ts';
import { Emitter } from '../../base/event.ts';
import { Disposables, type Disposable } from '../../base/lifecycle.ts';
import { tellBriefly } from '../../editor/ask/notify.ts';
import type { TreeNote } from '../../editor/trees/treeSource.ts';
import { watchConnections, type Connections } from '../../state/connection.ts';
import { inboxAsOfMs } from '../../state/watch/keptAge.ts';
import { clockTime } from '../../text/age.ts';
import type { InboxParts } from './inboxParts.ts';
import { watchedTitle } from './inboxWords.ts';

/** As many things that could not be loaded as are named; more would hide the rest. */
const mostNamed = 5;

/** Of when the inbox is, and what its reading costs: beside the view's name, in the status bar, and after a refresh. */
export interface InboxAge extends Disposable {
	readonly note: TreeNote;
	/** Sentences for a tooltip, each in a line; none where nothing is to be said. */
	details(): readonly string[];
	/** Makes everything due that is read for the inbox, and tells what that leads to. */
	refresh(): void;
}

export function inboxAge({ connections, clock }: Pick<InboxParts, 'connections' | 'clock'>): InboxAge {
	const owned = new Disposables();
	const changed = owned.add(new Emitter<void>());
	let told = '';

	function tell(): void {
		const text = noteText(connections, clock);
		if (text !== told) {
			told = text;
			changed.fire();
		}
	}

	owned.add(
		watchConnections(
			connections,
			({ inbox, inboxReadings }) => [inboxReadings.onDidRead(tell), inbox.onDidChange(tell)],
			tell,
		),
	);
	return {
		note: { text: () => noteText(connections, clock), onDidChange: changed.event },
		details: () => detailsOf(connections, clock),
		refresh: () => refresh(connections, clock),
		dispose: () => owned.dispose(),
	};
}

/** The oldest of all accounts. `undefined` while one of them is read for the first time, or none ever was. */
function oldestMs(connections: Connections, clock: Clock): number | undefined {
	const ages = connections.all().map((connection) => {
		const isRead = connection.inboxReadings.all().length > 0;
		return inboxAsOfMs(connection, clock) ?? (isRead ? Number.NaN : Number.POSITIVE_INFINITY);
	});
	const oldest = Math.min(...ages);
	return Number.isFinite(oldest) ? oldest : undefined;
}

function noteText(connections: Connections, clock: Clock): string {
	const atMs = oldestMs(connections, clock);
	return atMs === undefined ? '' : vscode.l10n.t('as of {0}', clockTime(atMs, clock.nowMs(), vscode.env.language));
}

function detailsOf(connections: Connections, clock: Clock): readonly string[] {
	const readings = connections.all().flatMap(({ inboxReadings }) => inboxReadings.all());
	const atMs = oldestMs(connections, clock);
	const failed = readings.filter(({ hasFailed }) => hasFailed).map(({ watched }) => watchedTitle(watched));
	return [
		...(atMs === undefined ? [] : [vscode.l10n.t('As of {0}.', clockTime(atMs, clock.nowMs(), vscode.env.language))]),
		...(failed.length === 0 ? [] : [vscode.l10n.t('Could not be loaded: {0}', namesOf(failed))]),
		...connections.all().map(({ me, inboxReadings }) => {
			const { perHour, spent, readyMs } = inboxReadings.budget();
			const nowMs = clock.nowMs();
			return readyMs > nowMs && Number.isFinite(readyMs)
				? vscode.l10n.t(
						'{0}, requests in the last hour: {1} of {2}. Waits for the request budget until {3}.',
						me,
						spent,
						perHour,
						clockTime(readyMs, nowMs, vscode.env.language),
					)
				: vscode.l10n.t('{0}, requests in the last hour: {1} of {2}', me, spent, perHour);
		}),
	];
}

function namesOf(names: readonly string[]): string {
	const shown = names.slice(0, mostNamed);
	const more = names.length - shown.length;
	return [...shown, ...(more > 0 ? [vscode.l10n.t('and {0} more', more)] : [])].join(', ');
}

/** What one window reads for all is not in the hands of the others: they say so. */
function refresh(connections: Connections, clock: Clock): void {
	const readers = connections.all().filter(({ inboxReadings }) => inboxReadings.all().length > 0);
	if (readers.length === 0) {
		return tellBriefly(vscode.l10n.t('Another window loads the inbox. Refresh it there.'));
	}
	const readyMs = Math.max(...readers.map(({ inboxReadings }) => inboxReadings.hurry()));
	// After that: a budget that has room answers with the very time at which it was asked.
	const nowMs = clock.nowMs();
	tellBriefly(
		readyMs <= nowMs
			? vscode.l10n.t('Refreshing the inbox…')
			: Number.isFinite(readyMs)
				? vscode.l10n.t(
						'The requests of this hour are used up. The inbox refreshes at {0}.',
						clockTime(readyMs, nowMs, vscode.env.language),
					)
				: vscode.l10n.t('The setting "forge.index.requestsPerHour" allows no requests. Raise it to refresh the inbox.'),
	);
}
