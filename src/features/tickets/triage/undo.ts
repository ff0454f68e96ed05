import { ticketRefText, type Ticket } from '../../../forge/port/ticket.ts';
import {
	changingParts,
	type DoneInParts,
	type LabelRequest,
	type StatusLimits,
	type StatusMove,
	type TicketRequest,
} from '../../../forge/port/ticketRequest.ts';
import { doneAllTheSame } from '../../../store/tickets/writing/writeOutcome.ts';
import type { TicketFacts } from '../../../store/shared/writeRecord.ts';
import type { TicketSubject } from '../subjects/subjects.ts';
import type { ItemOutcome, ItemResult } from './bulk.ts';

/** How many acts can be undone. */
const mostActs = 20;

/** One ticket that an act changed. */
export interface ActItem {
	readonly subject: TicketSubject;
	readonly wish: TicketRequest;
	readonly before: TicketFacts;
	/** As the act left it. */
	readonly after: TicketFacts;
}

/** Something that was done, to one ticket or to many. */
export interface Act {
	/** Title of the undo progress: "Undoing label changes…". */
	readonly undoing: string;
	readonly items: readonly ActItem[];
}

/** Recent actions of this window only. */
export interface ActHistory {
	/** Keeps an act, if it changed anything. */
	record(act: Act): void;
	/** Takes an act out; `undefined` when it is not there any more. */
	take(act: Act): Act | undefined;
	/** Takes out the newest act that is about one of these tickets, else the newest at all. */
	takeNewest(about: readonly TicketSubject[]): Act | undefined;
	/** Restores the remaining part of a removed action at its old position. */
	putBack(taken: Act, left: Act): void;
}

export function actHistory(): ActHistory {
	const acts: Act[] = [];
	const ages = new WeakMap<Act, number>();
	let recorded = 0;
	const takeAt = (at: number): Act | undefined => (at < 0 ? undefined : acts.splice(at, 1)[0]);
	const keep = (act: Act, age: number): void => {
		if (act.items.length > 0) {
			ages.set(act, age);
			const newer = acts.findIndex((each) => (ages.get(each) ?? 0) > age);
			acts.splice(newer < 0 ? acts.length : newer, 0, act);
			acts.splice(0, acts.length - mostActs);
		}
	};
	return {
		record: (act) => keep(act, (recorded += 1)),
		take: (act) => takeAt(acts.indexOf(act)),
		takeNewest(about) {
			const isNamed = isOneOf(about);
			const named = acts.findLastIndex(({ items }) => items.some(isNamed));
			return takeAt(named < 0 ? acts.length - 1 : named);
		},
		putBack: (taken, left) => keep(left, ages.get(taken) ?? 0),
	};
}

/** Predicate for items about one of these tickets. */
export function isOneOf(tickets: readonly TicketSubject[]): (item: Pick<ActItem, 'subject'>) => boolean {
	const named = new Set(tickets.map(nameOf));
	return ({ subject }) => named.has(nameOf(subject));
}

function nameOf({ connectionKey, ref }: TicketSubject): string {
	return `${connectionKey} ${ticketRefText(ref).toLowerCase()}`;
}

/** Undoable changes, where the earlier state is known. */
export function actOf(undoing: string, results: readonly ItemResult[]): Act {
	const items = results.flatMap(({ item: { subject, wish }, outcome }) => {
		const changed = changedBy(wish, outcome);
		return changed?.before && hasChanged(changed.before, changed.after)
			? [{ subject, wish: changed.wish, before: changed.before, after: changed.after }]
			: [];
	});
	return { undoing, items };
}

/** Changes of an outcome; even a refusal may leave a part behind. */
function changedBy(
	wish: TicketRequest,
	outcome: ItemOutcome,
): (Pick<ActItem, 'wish' | 'after'> & { readonly before: TicketFacts | undefined }) | undefined {
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
			return undefined;
	}
}

function hasChanged(before: TicketFacts, after: TicketFacts): boolean {
	return (
		before.labels.join('\n') !== after.labels.join('\n') ||
		assigneesOf(before).join('\n') !== assigneesOf(after).join('\n') ||
		isMoved(before, after)
	);
}

/** Undo plan for one ticket. */
export type Undoing =
	| { readonly kind: 'wish'; readonly wish: TicketRequest; readonly left: readonly UndoGap[] }
	| { readonly kind: 'nothing'; readonly left: readonly UndoGap[] }
	/** Somebody has changed it since, so that undoing would take more back than was done. */
	| { readonly kind: 'changed' };

/** Parts without undo: sent comments, and statuses that a server can't set. */
export type UndoGap = 'comment' | 'status';

/** The request that undoes an action on one ticket. `now`: the fresh ticket. */
export function undoing({ wish, before, after }: ActItem, now: Ticket, limits: StatusLimits): Undoing {
	const labels = wish.labels && namesBack(wish.labels, before.labels, after.labels);
	const assignees = wish.assignees && namesBack(wish.assignees, assigneesOf(before), assigneesOf(after));
	const status = wish.move && isMoved(before, after) ? moveBack(before, limits) : undefined;
	if (!isAsLeft(now, after, { status: status !== undefined, labels, assignees })) {
		return { kind: 'changed' };
	}
	const left = gapsOf(wish, status);
	const back: TicketRequest = {
		...(status?.move ? { move: status.move } : {}),
		...changingParts({ labels, assignees }),
	};
	return Object.keys(back).length === 0 ? { kind: 'nothing', left } : { kind: 'wish', wish: back, left };
}

function gapsOf({ comment }: TicketRequest, status: WayBack | undefined): readonly UndoGap[] {
	return [
		...(comment === undefined ? [] : ['comment' as const]),
		...(status === undefined || status.isExact ? [] : ['status' as const]),
	];
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

function isAsLeft(
	now: TicketFacts,
	after: TicketFacts,
	touched: { readonly status: boolean } & Partial<Record<keyof DoneInParts, LabelRequest | undefined>>,
): boolean {
	const sameStatus = now.status === after.status && now.resolution === after.resolution;
	return (
		(!touched.status || sameStatus) &&
		isUntouched(touched.labels, now.labels) &&
		isUntouched(touched.assignees, assigneesOf(now))
	);
}

/** True if nobody else has reverted the change. */
function isUntouched(back: LabelRequest | undefined, names: readonly string[]): boolean {
	const { add = [], remove = [] } = back ?? {};
	return add.every((name) => !names.includes(name)) && remove.every((name) => names.includes(name));
}
