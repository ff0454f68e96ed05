import * as vscode from 'vscode';
import type { Clock } from '@forge-desk/base/clock.ts';
import { Emitter } from '@forge-desk/base/event.ts';
import { Disposables, onDispose, type Disposable } from '@forge-desk/base/lifecycle.ts';
import { maxOf, minOf } from '@forge-desk/base/longArrays.ts';
import { notify, tellBriefly } from '../../editor/ask/notify.ts';
import { withProgress } from '../../editor/ask/progress.ts';
import { agoText, pausedText } from '../../editor/ask/readBefore.ts';
import { accountName, type Connections, watchConnections } from '../../store/connection.ts';
import { askForRefresh, inboxAsOfMs } from '../../store/watch/keptAge.ts';
import { asOfMs, type WatchReadings } from '../../store/watch/watchReadings.ts';
import { clockTime } from '../../engine/text/age.ts';
import type { InboxContext } from './inboxContext.ts';
import { watchedTitle } from './inboxWords.ts';

/** More names would hide the rest of the message. */
const mostNamed = 5;
const minuteMs = 60_000;

/** Age of the inbox and cost of its polling: beside the view's title, in the status bar, and after a refresh. */
export type InboxAge = ReturnType<typeof inboxAge>;

export function inboxAge({ connections, clock }: InboxContext) {
	const owned = new Disposables();
	const changed = owned.add(new Emitter<void>());
	let told = '';
	let timer: Disposable | undefined;

	function tell(): void {
		const text = noteText(connections, clock);
		if (text !== told) {
			told = text;
			changed.fire();
		}
	}

	function everyMinute(): void {
		timer = clock.after(minuteMs, everyMinute);
		tell();
	}

	everyMinute();
	owned.add(onDispose(() => timer?.dispose()));
	owned.add(
		watchConnections(
			connections,
			({ inbox, inboxReadings }) => [inboxReadings.onDidRead(tell), inbox.onDidChange(tell)],
			tell,
		),
	);
	return {
		note: { text: () => noteText(connections, clock), onDidChange: changed.event },
		/** Lines of a tooltip; may be empty. */
		details(): readonly string[] {
			const readings = connections.all().flatMap(({ inboxReadings }) => inboxReadings.all());
			const atMs = oldestMs(connections, clock);
			const olderMs = atMs === undefined ? undefined : closedMs(connections, atMs);
			const failed = readings.filter(({ hasFailed }) => hasFailed).map(({ watched }) => watchedTitle(watched));
			return [
				...(atMs === undefined
					? []
					: hasNewer(connections, atMs)
						? [vscode.l10n.t('Its oldest part was updated {0}.', agoText(atMs, clock.nowMs(), 'long'))]
						: [vscode.l10n.t('Updated {0}.', agoText(atMs, clock.nowMs(), 'long'))]),
				...(olderMs === undefined
					? []
					: [vscode.l10n.t('Assignments and closed tickets updated {0}.', agoText(olderMs, clock.nowMs(), 'long'))]),
				...(failed.length === 0 ? [] : [vscode.l10n.t('Could not be loaded: {0}', namesOf(failed))]),
				...connections.all().map((connection) => {
					const { inboxReadings } = connection;
					const me = accountName(connection);
					const { perHour, spent } = inboxReadings.budget();
					const waitsMs = budgetWaitMs(inboxReadings, clock);
					return waitsMs !== undefined
						? vscode.l10n.t(
								'{0}, requests in the last hour: {1} of {2}. The request limit (forge.index.requestsPerHour) is reached until {3}. Refresh Inbox loads now.',
								me,
								spent,
								perHour,
								clockTime(waitsMs, clock.nowMs(), vscode.env.language),
							)
						: vscode.l10n.t('{0}, requests in the last hour: {1} of {2}', me, spent, perHour);
				}),
			];
		},
		/** Reads everything for the inbox now, and reports failed readings. */
		refresh: (signal: AbortSignal) => refresh(connections, clock, signal),
		dispose: () => owned.dispose(),
	};
}

/** The oldest account counts. `undefined` during the first poll of any account, and before it. */
function oldestMs(connections: Connections, clock: Clock): number | undefined {
	const ages = connections.all().map((connection) => {
		const isRead = connection.inboxReadings.all().length > 0;
		return inboxAsOfMs(connection, clock) ?? (isRead ? Number.NaN : Number.POSITIVE_INFINITY);
	});
	const oldest = minOf(ages);
	return Number.isFinite(oldest) ? oldest : undefined;
}

/** Lists of an archive are read one after the other, so news of one may be newer than the age of all. */
function hasNewer(connections: Connections, atMs: number): boolean {
	return connections.all().some(({ inbox }) => (inbox.items()[0]?.entry.atMs ?? 0) > atMs);
}

function noteText(connections: Connections, clock: Clock): string {
	const nowMs = clock.nowMs();
	const atMs = oldestMs(connections, clock);
	const olderMs = atMs === undefined ? undefined : closedMs(connections, atMs);
	const waitsMs = maxOf(connections.all().map(({ inboxReadings }) => budgetWaitMs(inboxReadings, clock) ?? 0));
	return [
		...(waitsMs > 0 ? [pausedText(waitsMs, nowMs)] : []),
		...(atMs === undefined
			? []
			: hasNewer(connections, atMs)
				? [vscode.l10n.t('oldest part updated {0}', agoText(atMs, nowMs, 'short'))]
				: [vscode.l10n.t('updated {0}', agoText(atMs, nowMs, 'short'))]),
		...(olderMs === undefined
			? []
			: [vscode.l10n.t('assignments and closed tickets updated {0}', agoText(olderMs, nowMs, 'short'))]),
	].join(' · ');
}

/** When an account's request budget allows the next request; `undefined` if now, or never by its setting. */
function budgetWaitMs({ budget }: WatchReadings, clock: Clock): number | undefined {
	const { readyMs } = budget();
	return readyMs > clock.nowMs() && Number.isFinite(readyMs) ? readyMs : undefined;
}

/** Age of what is polled less often; `undefined` if they are as recent as the rest. */
function closedMs(connections: Connections, atMs: number): number | undefined {
	const times = connections
		.all()
		.flatMap(({ inboxReadings }) => inboxReadings.all().flatMap(({ olderMs }) => olderMs ?? []));
	const oldest = minOf(times);
	return oldest < atMs ? oldest : undefined;
}

function namesOf(names: readonly string[]): string {
	const shown = names.slice(0, mostNamed);
	const more = names.length - shown.length;
	return [...shown, ...(more > 0 ? [vscode.l10n.t('and {0} more', more)] : [])].join(', ');
}

/** If another window polls for an account, ask that window to refresh. */
async function refresh(connections: Connections, clock: Clock, signal: AbortSignal): Promise<void> {
	const all = connections.all();
	const readers = all.filter(({ inboxReadings }) => inboxReadings.all().length > 0);
	all.filter((each) => !readers.includes(each)).forEach(({ inbox }) => askForRefresh(inbox, clock.nowMs()));
	if (readers.length === 0) {
		return tellBriefly(vscode.l10n.t('Another window refreshes the inbox.'));
	}
	const left = await withProgress(vscode.l10n.t('Refreshing the inbox…'), signal, (working) =>
		Promise.all(
			readers.map(async ({ inboxReadings }) => {
				const missing = await inboxReadings.refresh(working);
				return missing.map((reading) => ({ ...reading, againMs: inboxReadings.restsUntilMs(reading) }));
			}),
		),
	);
	const missing = left.flat();
	if (missing.length === 0) {
		return tellBriefly(vscode.l10n.t('The inbox is up to date.'));
	}
	const oldestMs = asOfMs(missing.map((each) => ({ ...each, readMs: each.olderMs ?? each.readMs })));
	const againMs = maxOf(missing.map((each) => each.againMs));
	const [nowMs, locale] = [clock.nowMs(), vscode.env.language];
	await notify(
		'warning',
		[
			vscode.l10n.t(
				'Refreshed the inbox without what could not be loaded in full: {0}.',
				namesOf(missing.map(({ watched }) => watchedTitle(watched))),
			),
			...(oldestMs === undefined
				? []
				: [vscode.l10n.t('Its oldest part was updated {0}.', agoText(oldestMs, nowMs, 'long'))]),
			againMs > nowMs
				? vscode.l10n.t('Forge Desk tries again at {0}.', clockTime(againMs, nowMs, locale))
				: vscode.l10n.t('Try again later.'),
		].join(' '),
	);
}
