import type { InboxItem, KeptItem } from './inboxBook.ts';
import { thingKey, type InboxEntry } from './inboxEntry.ts';

/** Groups of things in the inbox, in the order of the view. */
export const inboxGroups = ['needsAnswer', 'forInformation', 'snoozed', 'done'] as const;
export type InboxGroup = (typeof inboxGroups)[number];

/** True if the event asks something of the account. Changes without words ask nothing, with one exception. */
export function needsAnswer({ reason, event }: InboxEntry): boolean {
	const isAsked = ['mentioned', 'assigned', 'reviewAsked', 'answered', 'newVersion'].includes(reason);
	switch (event.kind) {
		case 'commented':
			return isAsked && (reason === 'mentioned' || event.moved?.status !== 'resolved');
		case 'ticketCreated':
		case 'mailArrived':
		case 'patchsetReceived':
		case 'assigned':
			return isAsked;
		case 'namedByTicket':
			return reason === 'mentioned';
		case 'patchsetMarked':
			return reason === 'answered' && event.status === 'needs_revision';
		case 'statusChanged':
		case 'labelled':
		case 'unlabelled':
		case 'unassigned':
		case 'pushed':
			return false;
	}
}

/** The group of a thing with these items. */
export function inboxGroup(items: readonly InboxItem[]): InboxGroup {
	const open = items.filter(({ state }) => state === 'unread' || state === 'read');
	if (open.length > 0) {
		return open.some(({ entry }) => needsAnswer(entry)) ? 'needsAnswer' : 'forInformation';
	}
	return items.some(({ state }) => state === 'snoozed') ? 'snoozed' : 'done';
}

/**
 * The items as views show them. A snooze covers its whole thing with all later events, until one needs an answer.
 * Nothing is stored for that, so two windows agree.
 */
export function shownItems(items: readonly KeptItem[], nowMs: number): readonly InboxItem[] {
	const open = items.filter(({ state }) => state !== 'done');
	const untilOf = new Map<string, number>();
	for (const { entry, untilMs = 0 } of open) {
		if (untilMs > nowMs) {
			const key = thingKey(entry.thing);
			untilOf.set(key, Math.max(untilMs, untilOf.get(key) ?? 0));
		}
	}
	if (untilOf.size === 0) {
		return items;
	}
	for (const { entry, untilMs = 0 } of open) {
		if (untilMs <= nowMs && needsAnswer(entry)) {
			untilOf.delete(thingKey(entry.thing));
		}
	}
	return items.map((item): InboxItem => {
		const { entry, state, stateMs } = item;
		const untilMs = state === 'done' ? undefined : untilOf.get(thingKey(entry.thing));
		if (untilMs !== undefined) {
			return { entry, state: 'snoozed', stateMs, untilMs };
		}
		return (item.untilMs ?? 0) > nowMs ? { entry, state, stateMs } : item;
	});
}
