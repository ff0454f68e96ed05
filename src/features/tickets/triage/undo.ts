import * as vscode from 'vscode';
import type { Undoing } from '../../../editor/bulk/bulkChanges.ts';
import type { Ticket } from 'sourcehut/port/ticket.ts';
import {
	changingParts,
	type LabelRequest,
	type StatusLimits,
	type StatusMove,
	type TicketRequest,
} from 'sourcehut/port/ticketRequest.ts';
import { doneAllTheSame } from '../../../store/tickets/writing/writeOutcome.ts';
import type { TicketFacts } from '../../../store/shared/writeRecord.ts';
import type { TicketSubject } from '../subjects/subjects.ts';
import type { ItemOutcome, ItemResult } from './outcomeTexts.ts';

/** One ticket that an act changed. */
export interface ActItem {
	readonly subject: TicketSubject;
	readonly wish: TicketRequest;
	readonly before: TicketFacts;
	/** As the act left it. */
	readonly after: TicketFacts;
}

/** The undoable change of a result, where the earlier state is known. */
export function changeOf({ item: { subject, wish }, outcome }: ItemResult): ActItem | undefined {
	const changed = changedBy(wish, outcome);
	return changed?.before &&
		(changed.before.labels.join('\n') !== changed.after.labels.join('\n') ||
			assigneesOf(changed.before).join('\n') !== assigneesOf(changed.after).join('\n') ||
			isMoved(changed.before, changed.after))
		? { subject, wish: changed.wish, before: changed.before, after: changed.after }
		: undefined;
}

/** Changes of an outcome; even a refusal may leave a part behind. */
function changedBy(wish: TicketRequest, outcome: ItemOutcome) {
	switch (outcome.kind) {
		case 'done':
			return { wish, before: outcome.before, after: outcome.ticket };
		case 'refused': {
			const part = doneAllTheSame(outcome.error);
			return part && { wish: part.done, before: part.before, after: part.now };
		}
		case 'missing':
		case 'unclear':
		case 'notTried':
		case 'needless':
		case 'leftAlone':
		case 'queued':
		case 'unread':
			return undefined;
	}
}

/** The request that undoes an action on one ticket. `now`: the fresh ticket. */
export function undoing({ wish, before, after }: ActItem, now: Ticket, limits: StatusLimits): Undoing<TicketRequest> {
	const labels = wish.labels && namesBack(wish.labels, before.labels, after.labels);
	const assignees = wish.assignees && namesBack(wish.assignees, assigneesOf(before), assigneesOf(after));
	const status = wish.move && isMoved(before, after) ? moveBack(before, limits) : undefined;
	const isSameStatus = now.status === after.status && now.resolution === after.resolution;
	const isAsLeft =
		(!status || isSameStatus) && isUntouched(labels, now.labels) && isUntouched(assignees, assigneesOf(now));
	if (!isAsLeft) {
		return { kind: 'leftAlone', reason: vscode.l10n.t('Not changed: someone has changed the ticket since.') };
	}
	const notes = [
		...(wish.comment === undefined ? [] : [vscode.l10n.t("Comments can't be undone.")]),
		...(status === undefined || status.isExact
			? []
			: [vscode.l10n.t('The forge cannot set the earlier status again; an open ticket becomes Reported.')]),
	];
	const back: TicketRequest = {
		...(status?.move ? { move: status.move } : {}),
		...changingParts({ labels, assignees }),
	};
	return Object.keys(back).length === 0 ? { kind: 'settled', notes } : { kind: 'wish', wish: back, notes };
}

function isMoved(before: TicketFacts, after: TicketFacts): boolean {
	return before.status !== after.status || (after.status === 'resolved' && before.resolution !== after.resolution);
}

/** Reverts only this action's own changes, not concurrent ones by others. */
function namesBack(wish: LabelRequest, before: readonly string[], after: readonly string[]): LabelRequest {
	return {
		add: wish.remove.filter((name) => before.includes(name) && !after.includes(name)),
		remove: wish.add.filter((name) => !before.includes(name) && after.includes(name)),
	};
}

function assigneesOf({ assignees }: TicketFacts): readonly string[] {
	return assignees.map(({ canonicalName }) => canonicalName);
}

interface WayBack {
	readonly move: StatusMove | undefined;
	/** False when the status will be open, but not the one that it was. */
	readonly isExact: boolean;
}

function moveBack({ status, resolution }: TicketFacts, limits: StatusLimits): WayBack {
	switch (status) {
		case 'reported':
			return { move: { kind: 'reopen' }, isExact: true };
		case 'resolved':
			return isKnownResolution(resolution)
				? { move: { kind: 'resolve', resolution }, isExact: true }
				: { move: undefined, isExact: false };
		case 'confirmed':
		case 'in_progress':
		case 'pending':
			return limits.onlyResolvesAndReopens
				? { move: { kind: 'reopen' }, isExact: false }
				: { move: { kind: 'set', status }, isExact: true };
		default:
			return { move: undefined, isExact: false };
	}
}

type KnownResolution = Extract<StatusMove, { readonly kind: 'resolve' }>['resolution'];

function isKnownResolution(resolution: Ticket['resolution']): resolution is Exclude<KnownResolution, 'unresolved'> {
	return !resolution.startsWith('other:') && resolution !== 'unresolved';
}

/** True if nobody else has reverted the change. */
function isUntouched(back: LabelRequest | undefined, names: readonly string[]): boolean {
	const { add = [], remove = [] } = back ?? {};
	return add.every((name) => !names.includes(name)) && remove.every((name) => names.includes(name));
}
