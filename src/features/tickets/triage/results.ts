import * as vscode from 'vscode';
import { isAbort } from '../../../base/abort.ts';
import { choose, type Choice } from '../../../editor/ask/ask.ts';
import { notify } from '../../../editor/ask/notify.ts';
import { ticketRefText } from '../../../forge/port/ticket.ts';
import { visibleLine } from '../../../engine/text/visible.ts';
import type { TicketSubject } from '../subjects/subjects.ts';
import { itemsToTryAgain, type ItemOutcome, type ItemResult } from './bulk.ts';
import type { Job, Triage } from './job.ts';
import { outcomeText } from './outcomeTexts.ts';
import { knownTicket } from '../subjects/ticketTarget.ts';
import type { Act } from './undo.ts';

type Wish =
	| { readonly kind: 'open'; readonly subject: TicketSubject }
	| { readonly kind: 'tryAgain' }
	| { readonly kind: 'undo' };

/** Outcome of a bulk job. */
export interface Report {
	readonly job: Job;
	readonly results: readonly ItemResult[];
	/** Undoable part; `undefined` if there is none. */
	readonly act: Act | undefined;
	/** Does the rest of the job. */
	readonly again: (rest: Job) => Promise<void>;
}

/**
 * Reports each ticket of a bulk job: a notice on complete success, otherwise a list with the outcomes in which a choice
 * opens the ticket. Returns at once, because an open list must not block the command.
 */
export function showResults(triage: Triage, report: Report): void {
	const { job, results } = report;
	const done = results.filter(({ outcome }) => isGood(outcome)).length;
	const count = job.result(countedTickets(done, results.length));
	const shown = done === results.length ? tellGood(triage, count, report) : list(triage, count, report);
	shown.catch((error: unknown) => {
		if (!isAbort(error)) {
			void triage.parts.problems.show(error);
		}
	});
}

/** "3 tickets", or "2 of 3 tickets". */
export function countedTickets(done: number, all: number): string {
	if (done < all) {
		return vscode.l10n.t('{0} of {1} tickets', done, all);
	}
	return all === 1 ? vscode.l10n.t('1 ticket') : vscode.l10n.t('{0} tickets', all);
}

function isGood(outcome: ItemOutcome): boolean {
	return (outcome.kind === 'done' && outcome.deviations.length === 0) || outcome.kind === 'needless';
}

async function tellGood(triage: Triage, count: string, report: Report): Promise<void> {
	const undo = vscode.l10n.t('Undo');
	const show = vscode.l10n.t('Show Details');
	const offered = report.act ? [undo, show] : [show];
	const chosen = await notify('information', count, ...offered);
	if (chosen === undo) {
		await triage.undo({ kind: 'act', act: report.act }, triage.ending);
	} else if (chosen === show) {
		await list(triage, count, report);
	}
}

async function list(triage: Triage, count: string, report: Report): Promise<void> {
	const { results } = report;
	const missing = itemsToTryAgain(results);
	const rows = (are: boolean): readonly Choice<Wish>[] =>
		results
			.filter(({ outcome }) => isGood(outcome) === are)
			.toSorted(worstFirst)
			.map((result) => resultRow(triage, result));
	// A ticket is the first row: a stray Enter only opens it.
	const choices = [...rows(false), ...steps(report, missing.length), ...rows(true)];
	const chosen = await choose(count, choices);
	switch (chosen.kind) {
		case 'open':
			return triage.open(chosen.subject, 'page');
		case 'tryAgain':
			return report.again({ ...report.job, items: missing, needless: [] });
		case 'undo':
			return triage.undo({ kind: 'act', act: report.act }, triage.ending);
	}
}

/** Actions for the whole list. */
function steps({ act, results }: Report, missing: number): readonly Choice<Wish>[] {
	const tryAgain = row('debug-restart', vscode.l10n.t('Try the Missing Ones Again'), {
		description: vscode.l10n.t('{0} of {1}', missing, results.length),
		value: { kind: 'tryAgain' },
	});
	const undo = row('discard', vscode.l10n.t('Undo What Was Done'), { value: { kind: 'undo' } });
	return [...(missing > 0 ? [tryAgain] : []), ...(act ? [undo] : [])];
}

function row(codicon: string, label: string, rest: Pick<Choice<Wish>, 'value' | 'description'>): Choice<Wish> {
	return { ...rest, label, iconPath: new vscode.ThemeIcon(codicon), alwaysShow: true };
}

function resultRow(triage: Triage, { item, outcome }: ItemResult): Choice<Wish> {
	const title = knownTicket(triage.parts, item.subject)?.title ?? '';
	return {
		label: visibleLine(`${ticketRefText(item.subject.ref)} ${title}`),
		detail: outcomeText(item, outcome, triage.parts.problems),
		iconPath: iconOf(outcome),
		value: { kind: 'open', subject: item.subject },
	};
}

function iconOf(outcome: ItemOutcome): vscode.ThemeIcon {
	switch (outcome.kind) {
		case 'done':
			return new vscode.ThemeIcon(outcome.deviations.length > 0 ? 'warning' : 'pass');
		case 'needless':
			return new vscode.ThemeIcon('pass');
		case 'refused':
			return new vscode.ThemeIcon('error');
		case 'missing':
		case 'leftAlone':
		case 'notTried':
			return new vscode.ThemeIcon('circle-slash');
		case 'unclear':
			return new vscode.ThemeIcon('question');
	}
}

const order: readonly ItemOutcome['kind'][] = [
	'unclear',
	'missing',
	'refused',
	'notTried',
	'leftAlone',
	'done',
	'needless',
];

function worstFirst(one: ItemResult, other: ItemResult): number {
	return order.indexOf(one.outcome.kind) - order.indexOf(other.outcome.kind);
}
