import * as vscode from 'vscode';
import { isAbort } from '@forge-desk/base/abort.ts';
import { askToResume, resumedParts } from '../../../editor/ask/askToResume.ts';
import { choose } from '../../../editor/ask/ask.ts';
import { withCountedProgress, withProgress } from '../../../editor/ask/progress.ts';
import { notify } from '../../../editor/ask/notify.ts';
import { connectionOf } from '../../../editor/commands/subjects.ts';
import type { Subscribable } from 'sourcehut/port/subscribable.ts';
import type { Connection } from '../../../store/connection.ts';
import type { BulkPart } from '../../../store/shared/writeJournal.ts';
import type { TicketSubscriptions } from '../../../store/tickets/writing/ticketSubscriptions.ts';
import type { TicketSubject } from '../subjects/subjects.ts';
import { changeSubscription } from '../manage/changeSubscription.ts';
import { countedTickets } from './outcomeTexts.ts';
import type { Triage } from './triage.ts';

/** A ticket whose forge supports mail subscriptions. */
interface Mailed {
	readonly to: Subscribable;
	readonly subscriptions: TicketSubscriptions;
}

/** The wanted subscription state of some selected tickets. */
interface Wanted {
	readonly tickets: readonly Mailed[];
	readonly isOn: boolean;
}

/**
 * Shows the number of subscribed tickets, then subscribes to the rest or unsubscribes. Only the notice offers undo,
 * because other people see no change.
 */
export async function subscribeTickets(
	triage: Triage,
	subjects: readonly TicketSubject[],
	signal: AbortSignal,
): Promise<void> {
	const { connections, problems } = triage.context;
	const mailed = subjects.flatMap((subject): readonly Mailed[] => {
		const { subscriptions } = connectionOf(connections, subject).writes;
		return subscriptions ? [{ to: { kind: 'ticket', ref: subject.ref }, subscriptions }] : [];
	});
	const [first] = subjects;
	if (first && (subjects.length === 1 || mailed.length === 0)) {
		return changeSubscription(connections, first, signal);
	}
	const are = await withProgress(vscode.l10n.t('Loading…'), signal, (working) =>
		Promise.all(mailed.map(({ to, subscriptions }) => subscriptions.read(to, working))),
	);
	const on = mailed.filter((_, at) => are[at] === true);
	const off = mailed.filter((_, at) => are[at] !== true);
	const wanted = await choose<Wanted>(
		vscode.l10n.t('You get email about {0}', countedTickets(on.length, subjects.length)),
		[
			{
				label: vscode.l10n.t('Subscribe'),
				iconPath: new vscode.ThemeIcon('bell'),
				value: { tickets: off, isOn: true },
			},
			{
				label: vscode.l10n.t('Unsubscribe'),
				iconPath: new vscode.ThemeIcon('bell-slash'),
				value: { tickets: on, isOn: false },
			},
		].filter(({ value }) => value.tickets.length > 0),
	);
	const done = await carryOut(triage, wanted, signal);
	// Not awaited: an open notice must not keep the command running.
	void offerUndo(triage, wanted, done, signal).catch((error: unknown) => problems.show(error));
}

/** Journals all changes, then sends them one after another until one fails. */
async function carryOut(
	{ context: { problems } }: Triage,
	{ tickets, isOn }: Wanted,
	signal: AbortSignal,
): Promise<Done> {
	const done: Mailed[] = [];
	const title = vscode.l10n.t('Saving…');
	const byAccount = [...Map.groupBy(tickets, ({ subscriptions }) => subscriptions)];
	const plans = await Promise.all(
		byAccount.map(async ([subscriptions, own]) => {
			const plan = await subscriptions.plan(
				own.map(({ to }) => to),
				isOn,
			);
			return { own, plan };
		}),
	);
	try {
		await withCountedProgress({ title, total: tickets.length, signal }, async (working, step) => {
			for (const { own, plan } of plans) {
				for (const [at, each] of own.entries()) {
					await plan.send(at, working);
					done.push(each);
					step();
				}
			}
		});
	} catch (error) {
		if (done.length === 0) {
			throw error;
		}
		problems.log(error);
		return { tickets: done, why: isAbort(error) ? '' : problems.explain(error).message };
	} finally {
		await Promise.all(plans.map(async ({ plan }) => plan.end()));
	}
	return { tickets: done, why: undefined };
}

/** Reports an interrupted bulk change and offers Continue and Undo. Keeps its entries until the user answers. */
export async function resumeSubscriptions(
	triage: Triage,
	{ journal, writes: { subscriptions } }: Connection,
	left: readonly BulkPart[],
	signal: AbortSignal,
): Promise<void> {
	const all = left.flatMap((part) => {
		const { write } = part.entry;
		return write.kind === 'ticketMails' && subscriptions ? [{ ...part, write, to: write.to, subscriptions }] : [];
	});
	const parted = resumedParts(all);
	const { done, rest } = parted;
	const isOn = all.some(({ write }) => write.isWanted);
	const count = countedTickets(done.length, all.length);
	const stopped = isOn
		? vscode.l10n.t('You were subscribed to {0} when the window closed.', count)
		: vscode.l10n.t('You were unsubscribed from {0} when the window closed.', count);
	const chosen = await askToResume(stopped, parted, done.length > 0, (some) => countedTickets(some, some));
	for (const { entry } of left) {
		await journal.close(entry.id);
	}
	if (chosen !== undefined) {
		const wanted = chosen === 'continue' ? { tickets: rest, isOn } : { tickets: done, isOn: !isOn };
		await offerUndo(triage, wanted, await carryOut(triage, wanted, signal), signal);
	}
}

interface Done {
	readonly tickets: readonly Mailed[];
	/** The reason for a partial result; empty after a cancellation. */
	readonly why: string | undefined;
}

async function offerUndo(triage: Triage, { tickets, isOn }: Wanted, done: Done, signal: AbortSignal): Promise<void> {
	const isAll = done.why === undefined;
	const count = countedTickets(done.tickets.length, isAll ? done.tickets.length : tickets.length);
	const text = isOn ? vscode.l10n.t('Subscribed to {0}.', count) : vscode.l10n.t('Unsubscribed from {0}.', count);
	const undo = vscode.l10n.t('Undo');
	const said = [text, done.why ?? ''].filter((each) => each !== '').join(' ');
	if ((await notify(isAll ? 'information' : 'warning', said, undo)) === undo) {
		const back = { tickets: done.tickets, isOn: !isOn };
		await offerUndo(triage, back, await carryOut(triage, back, signal), signal);
	}
}
