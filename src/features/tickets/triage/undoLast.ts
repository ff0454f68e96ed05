import * as vscode from 'vscode';
import { cancelled } from '../../../editor/ask/ask.ts';
import { confirm, namesText, notify, tellBriefly } from '../../../editor/ask/notify.ts';
import { withProgress } from '../../../editor/ask/progress.ts';
import { connectionOf } from '../../../editor/commands/subjects.ts';
import { isForgeError } from '../../../forge/port/forgeError.ts';
import { isHopeless } from '../../../forge/port/isHopeless.ts';
import { ticketRefText } from '../../../forge/port/ticket.ts';
import type { TicketRequest } from '../../../forge/port/ticketRequest.ts';
import { visibleLine } from '../../../engine/text/visible.ts';
import type { TicketSubject } from '../subjects/subjects.ts';
import { resolutionText, statusLook } from '../subjects/words.ts';
import type { BulkItem, ItemResult } from './bulk.ts';
import { carryOut, tellTrouble } from './carryOut.ts';
import type { Triage, UndoWhat } from './job.ts';
import { outcomeText } from './outcomeTexts.ts';
import { isOneOf, undoing, type Act, type ActHistory, type ActItem, type UndoGap } from './undo.ts';

/**
 * Undoes an action of this window as far as possible and reports the rest. Asks first, unless all affected tickets are
 * on screen: others see the change at once.
 */
export async function undoLast(triage: Triage, what: UndoWhat, signal: AbortSignal): Promise<void> {
	const act = what.kind === 'act' ? what.act && triage.history.take(what.act) : newestOfOurs(triage, what.inFront);
	if (!act) {
		return tellBriefly(
			what.kind === 'act'
				? vscode.l10n.t('This was already undone.')
				: vscode.l10n.t('There is nothing to undo in this window.'),
		);
	}
	const plan = await withProgress(vscode.l10n.t('Checking tickets…'), signal, (working) =>
		planned(triage, act.items, working),
	).catch((error: unknown) => {
		// Nothing was undone, so it can still be undone later, unless it never can: older acts are waiting below it.
		if (!isForGood(error)) {
			triage.history.putBack(act, act);
		}
		throw error;
	});
	if (what.kind === 'newest' && !plan.items.every(isOneOf(what.inFront)) && !(await isMeant(plan.items))) {
		triage.history.putBack(act, act);
		throw cancelled();
	}
	tellGaps(plan.gaps);
	const ended = keepRest(triage.history, act);
	ended([...plan.settled, ...plan.left]);
	const [only, ...others] = plan.left;
	if (plan.items.length > 0 || others.length > 0) {
		await carryOut(
			triage,
			{
				heading: act.undoing,
				result: (count) => undoneText(plan.items, count),
				items: plan.items,
				needless: plan.left,
				ended,
			},
			signal,
		);
	} else if (only) {
		tellTrouble(triage, only.item.subject, outcomeText(only.item, only.outcome, triage.parts.problems), 'warning');
	}
}

function undoneText(items: readonly BulkItem[], count: string): string {
	const isOnly = (part: keyof TicketRequest): boolean =>
		items.every(({ wish }) => Object.keys(wish).every((each) => each === part));
	if (isOnly('move')) {
		return vscode.l10n.t('Undid status changes on {0}.', count);
	}
	if (isOnly('assignees')) {
		return vscode.l10n.t('Undid assignee changes on {0}.', count);
	}
	return isOnly('labels')
		? vscode.l10n.t('Undid label changes on {0}.', count)
		: vscode.l10n.t('Undid changes on {0}.', count);
}

function isMeant(items: readonly BulkItem[]): Promise<boolean> {
	const [only] = items;
	return confirm(
		only && items.length === 1 ? undoQuestion(only) : vscode.l10n.t('Undo the changes of {0} tickets?', items.length),
		items.length === 1 ? '' : namesText(items.map(undoText)),
		vscode.l10n.t('Undo'),
	);
}

/** "Reopen ~alice/website#203?" */
function undoQuestion({ subject, wish: { move, assignees } }: BulkItem): string {
	const name = visibleLine(ticketRefText(subject.ref));
	switch (move?.kind) {
		case 'reopen':
			return vscode.l10n.t('Reopen {0}?', name);
		case 'resolve':
			return vscode.l10n.t('Resolve {0} as {1}?', name, resolutionText(move.resolution));
		case 'set':
			return vscode.l10n.t('Set the status of {0} to {1}?', name, statusLook(move.status).text);
		case undefined:
			return assignees
				? vscode.l10n.t('Undo the assignee changes of {0}?', name)
				: vscode.l10n.t('Undo the label changes of {0}?', name);
	}
}

/** "Reopen ~alice/website#203", as one of several. */
function undoText({ subject, wish: { move, assignees } }: BulkItem): string {
	const name = visibleLine(ticketRefText(subject.ref));
	switch (move?.kind) {
		case 'reopen':
			return vscode.l10n.t('Reopen {0}', name);
		case 'resolve':
			return vscode.l10n.t('Resolve {0} as {1}', name, resolutionText(move.resolution));
		case 'set':
			return vscode.l10n.t('Set the status of {0} to {1}', name, statusLook(move.status).text);
		case undefined:
			return assignees
				? vscode.l10n.t('Undo the assignee changes of {0}', name)
				: vscode.l10n.t('Undo the label changes of {0}', name);
	}
}

/** The newest action with a connected account; drops actions of removed accounts. */
function newestOfOurs({ history, parts }: Triage, inFront: readonly TicketSubject[]): Act | undefined {
	const isThere = ({ subject }: ActItem): boolean => parts.connections.byKey(subject.connectionKey) !== undefined;
	for (let act = history.takeNewest(inFront); act; act = history.takeNewest(inFront)) {
		if (act.items.some(isThere)) {
			return act;
		}
	}
	return undefined;
}

/** True for a ticket that is gone; some servers answer 500 for one that is not there (docs/protocol.md#crashes). */
function isForGood(error: unknown): boolean {
	if (!isForgeError(error)) {
		return false;
	}
	const { problem } = error;
	return (
		problem.kind === 'notFound' ||
		problem.kind === 'notAllowed' ||
		(problem.kind === 'serverError' && problem.status === 500)
	);
}

/** Keeps the remaining items for a later undo; there is only one such rest at a time. */
function keepRest(history: ActHistory, act: Act): (results: readonly ItemResult[]) => void {
	let rest = act;
	return (results) => {
		const settled = new Set(results.filter(({ outcome }) => isSettled(outcome.kind)).map(({ item }) => item.subject));
		const before = rest;
		history.take(before);
		rest = { ...before, items: before.items.filter(({ subject }) => !settled.has(subject)) };
		history.putBack(before, rest);
	};
}

function isSettled(kind: ItemResult['outcome']['kind']): boolean {
	switch (kind) {
		case 'done':
		case 'needless':
		case 'leftAlone':
			return true;
		case 'refused':
		case 'missing':
		case 'unclear':
		case 'notTried':
			return false;
	}
}

interface Plan {
	readonly items: readonly BulkItem[];
	/** Skipped tickets: changed by others, or failed to load. */
	readonly left: readonly ItemResult[];
	/** Tickets without undoable changes. */
	readonly settled: readonly ItemResult[];
	readonly gaps: ReadonlySet<UndoGap>;
}

/** Reloads every ticket, so that later changes by others survive. */
async function planned(triage: Triage, acts: readonly ActItem[], signal: AbortSignal): Promise<Plan> {
	const items: BulkItem[] = [];
	const left: ItemResult[] = [];
	const settled: ItemResult[] = [];
	const gaps = new Set<UndoGap>();
	const failures: unknown[] = [];
	for (const act of acts) {
		const item = { subject: act.subject, wish: {} };
		try {
			const { tickets, writes } = connectionOf(triage.parts.connections, act.subject);
			const { ref } = act.subject;
			const back = undoing(act, await tickets.renewTicket(ref, signal), writes.limits(ref.tracker));
			switch (back.kind) {
				case 'wish':
					items.push({ subject: act.subject, wish: back.wish });
					back.left.forEach((gap) => gaps.add(gap));
					break;
				case 'nothing':
					settled.push({ item, outcome: { kind: 'needless', reason: '' } });
					back.left.forEach((gap) => gaps.add(gap));
					break;
				case 'changed':
					left.push({ item, outcome: { kind: 'leftAlone' } });
			}
		} catch (error) {
			if (!isForgeError(error) || isHopeless(error)) {
				throw error;
			}
			failures.push(error);
			left.push({ item, outcome: { kind: 'refused', error } });
		}
	}
	if (failures.length > 0 && failures.length === acts.length) {
		throw failures[0];
	}
	return { items, left, settled, gaps };
}

function tellGaps(gaps: ReadonlySet<UndoGap>): void {
	if (gaps.has('comment')) {
		void notify('information', vscode.l10n.t("Comments can't be undone."));
	}
	if (gaps.has('status')) {
		void notify(
			'information',
			vscode.l10n.t('The forge cannot set the earlier status again; an open ticket becomes Reported.'),
		);
	}
}
