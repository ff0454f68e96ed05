import { ticketStatuses, type Ticket, type TicketStatus } from 'sourcehut/port/ticket.ts';
import { foldText } from './foldText.ts';
import type { Steps } from '@forge-desk/base/timeSlice.ts';

export const groupings = ['status', 'label', 'assignee', 'none'] as const;
export type Grouping = (typeof groupings)[number];

/** Common property of a group's tickets. */
export type GroupKey =
	| { readonly kind: 'status'; readonly status: TicketStatus }
	| { readonly kind: 'label'; readonly name: string }
	| { readonly kind: 'noLabel' }
	/** `name`: `~alice`. */
	| { readonly kind: 'assignee'; readonly name: string }
	| { readonly kind: 'noAssignee' };

/** A nonempty group in input order. */
export interface TicketGroup<T> {
	readonly key: GroupKey;
	readonly items: readonly T[];
}

/** Tickets between two chances to rest. */
const stride = 64;

/**
 * Groups tickets: statuses in workflow order, labels and people by name, tickets without either last. A ticket with two
 * labels or assignees is in two groups.
 */
export function* groupingSteps<T>(
	items: readonly T[],
	by: Exclude<Grouping, 'none'>,
	ticketOf: (item: T) => Ticket,
): Steps<readonly TicketGroup<T>[]> {
	const groups = new Map<string, { readonly key: GroupKey; readonly items: T[] }>();
	let looked = 0;
	for (const item of items) {
		for (const key of keysOf(ticketOf(item), by)) {
			const name = groupName(key);
			const group = groups.get(name);
			if (!group) {
				groups.set(name, { key, items: [item] });
			} else if (group.items.at(-1) !== item) {
				// A duplicate label makes one row.
				group.items.push(item);
			}
		}
		looked += 1;
		if (looked % stride === 0) {
			yield;
		}
	}
	return [...groups.values()].toSorted((a, b) => {
		const [placeA, nameA] = placeOf(a.key);
		const [placeB, nameB] = placeOf(b.key);
		return placeA - placeB || compareTexts(foldText(nameA), foldText(nameB)) || compareTexts(nameA, nameB);
	});
}

/** Stable id of a group, so that views keep its expansion state. */
export function groupName(key: GroupKey): string {
	switch (key.kind) {
		case 'status':
			return `status:${key.status}`;
		case 'label':
			return `label:${key.name}`;
		case 'assignee':
			return `assignee:${key.name}`;
		case 'noLabel':
		case 'noAssignee':
			return key.kind;
	}
}

function keysOf(ticket: Ticket, by: Exclude<Grouping, 'none'>): readonly GroupKey[] {
	switch (by) {
		case 'status':
			return [{ kind: 'status', status: ticket.status }];
		case 'label':
			return ticket.labels.length === 0
				? [{ kind: 'noLabel' }]
				: ticket.labels.map((name) => ({ kind: 'label', name }));
		case 'assignee':
			return ticket.assignees.length === 0
				? [{ kind: 'noAssignee' }]
				: ticket.assignees.map(({ canonicalName }) => ({ kind: 'assignee', name: canonicalName }));
	}
}

/** Sort key `[place, name]`: statuses by place, others by name, missing ones last. */
function placeOf(key: GroupKey): readonly [number, string] {
	switch (key.kind) {
		case 'status': {
			const place = ticketStatuses.findIndex((status) => status === key.status);
			return [place === -1 ? ticketStatuses.length : place, key.status];
		}
		case 'label':
		case 'assignee':
			return [0, key.name];
		case 'noLabel':
		case 'noAssignee':
			return [1, ''];
	}
}

function compareTexts(a: string, b: string): number {
	if (a === b) {
		return 0;
	}
	return a < b ? -1 : 1;
}
