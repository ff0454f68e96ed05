import * as vscode from 'vscode';
import { isAbort } from '../../../base/abort.ts';
import { withCountedProgress } from '../../../editor/ask/countedProgress.ts';
import { notify, tellBriefly, type Severity } from '../../../editor/ask/notify.ts';
import { withProgress } from '../../../editor/ask/progress.ts';
import { connectionOf } from '../../../editor/commands/subjects.ts';
import { ticketRefText } from '../../../forge/port/ticket.ts';
import type { WriteOutcome } from '../../../store/tickets/writing/writeOutcome.ts';
import { visibleLine } from '../../../engine/text/visible.ts';
import type { TicketSubject } from '../subjects/subjects.ts';
import { itemOutcome, runBulk, type BulkItem, type ItemOutcome, type ItemResult } from './bulk.ts';
import type { Job, Triage } from './job.ts';
import { outcomeText } from './outcomeTexts.ts';
import { showResults } from './results.ts';
import { actOf, type Act } from './undo.ts';

/** Writes, reports the outcomes and stores them for Undo. */
export async function carryOut(triage: Triage, job: Job, signal: AbortSignal): Promise<void> {
	const { items, needless = [] } = job;
	const [item] = items;
	if (item && items.length === 1 && needless.length === 0) {
		await carryOutOne(triage, { job, item }, signal);
		return;
	}
	const plan = await planned(triage, items);
	const results = await withCountedProgress({ title: job.heading, total: items.length, signal }, (cancelled, step) =>
		runBulk(items, { write: (each) => plan.write(each, signal), step, cancelled }),
	);
	job.ended?.(results);
	const act = keep(triage, job, results);
	await plan.end();
	const again = (rest: Job): Promise<void> => carryOut(triage, rest, triage.ending);
	showResults(triage, { job, results: [...results, ...needless], act, again });
}

/** A bulk action in the journals of its accounts. */
interface BulkPlan {
	readonly write: (item: BulkItem, signal: AbortSignal) => Promise<WriteOutcome>;
	/** Deletes the entries after the result was stored. */
	readonly end: () => Promise<void>;
}

async function planned({ parts }: Triage, items: readonly BulkItem[]): Promise<BulkPlan> {
	const plans = await Promise.all(
		[...Map.groupBy(items, ({ subject }) => subject.connectionKey).values()].map(async (own) => {
			const [first] = own;
			const wanted = own.map(({ subject: { ref }, wish }) => ({ ref, wish }));
			return { own, plan: first && (await parts.connections.byKey(first.subject.connectionKey)?.writes.plan(wanted)) };
		}),
	);
	return {
		write(item, signal) {
			const of = plans.find(({ own }) => own.includes(item));
			return of?.plan?.write(of.own.indexOf(item), signal) ?? written({ parts }, item, signal);
		},
		async end() {
			await Promise.all(plans.map(async ({ plan }) => plan?.end()));
		},
	};
}

function written(
	{ parts }: Pick<Triage, 'parts'>,
	{ subject, wish }: BulkItem,
	signal: AbortSignal,
): Promise<WriteOutcome> {
	return connectionOf(parts.connections, subject).writes.write(subject.ref, wish, signal);
}

function keep({ history }: Triage, { undoing }: Job, results: readonly ItemResult[]): Act | undefined {
	const act = undoing === undefined ? undefined : actOf(undoing, results);
	if (!act || act.items.length === 0) {
		return undefined;
	}
	history.record(act);
	return act;
}

async function carryOutOne(
	triage: Triage,
	{ job, item }: { readonly job: Job; readonly item: BulkItem },
	signal: AbortSignal,
): Promise<void> {
	const outcome = await withProgress(job.heading, signal, (working) => written(triage, item, working)).then(
		itemOutcome,
		(error: unknown): ItemOutcome => {
			if (isAbort(error)) {
				throw error;
			}
			return { kind: 'refused', error };
		},
	);
	job.ended?.([{ item, outcome }]);
	keep(triage, job, [{ item, outcome }]);
	await tellOne(triage, { job, item, outcome });
}

interface One {
	readonly job: Job;
	readonly item: BulkItem;
	readonly outcome: ItemOutcome;
}

/** An error with its own next step, such as signing in, goes to the command runner. */
async function tellOne(triage: Triage, { job, item, outcome }: One): Promise<void> {
	const { problems } = triage.parts;
	const text = `${visibleLine(ticketRefText(item.subject.ref))}: ${outcomeText(item, outcome, problems)}`;
	switch (outcome.kind) {
		case 'done':
			return outcome.deviations.length > 0
				? tellTrouble(triage, item.subject, text, 'warning')
				: tellDone(triage, item, text);
		case 'needless':
		case 'leftAlone':
		case 'notTried':
			return tellBriefly(text);
		case 'refused':
			if (problems.explain(outcome.error).action) {
				throw outcome.error;
			}
			problems.log(outcome.error);
			return tellTrouble(triage, item.subject, text, 'error');
		case 'missing': {
			problems.log(outcome.error);
			const again = { ...job, items: [{ ...item, wish: outcome.left }] };
			// Not awaited here and below: the notice may stay open for hours.
			return void offerToSendAgain(triage, text, again);
		}
		case 'unclear':
			problems.log(outcome.error);
			return void offerToLook(triage, text, item).catch((error: unknown) => problems.show(error));
	}
}

function tellDone(triage: Triage, { subject }: BulkItem, text: string): void {
	triage.say(subject, '');
	tellBriefly(text);
}

/** Shows the message on the ticket's page if that is active: a notice would cover it and disappear. */
export function tellTrouble({ say }: Triage, subject: TicketSubject, text: string, severity: Severity): void {
	if (!say(subject, text)) {
		void notify(severity, text);
	}
}

async function offerToSendAgain(triage: Triage, text: string, job: Job): Promise<void> {
	const again = vscode.l10n.t('Send Again');
	if ((await notify('warning', text, again)) === again) {
		await carryOut(triage, job, triage.ending).catch((error: unknown) => triage.parts.problems.show(error));
	}
}

async function offerToLook({ open }: Triage, text: string, { subject }: BulkItem): Promise<void> {
	const look = vscode.l10n.t('Open Ticket');
	if ((await notify('warning', text, look)) === look) {
		open(subject, 'page');
	}
}
