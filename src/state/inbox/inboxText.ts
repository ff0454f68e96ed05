import { patchsetStatuses, type ListRef } from '../../forge/list.ts';
import { ticketResolutions, ticketStatuses, type TicketRef } from '../../forge/ticket.ts';
import { keptWord, listOf, maybe, text, time, whole, wrong } from '../shared/keptFields.ts';
import { fieldsOf } from '../shared/keptValues.ts';
import { jsonIn } from '../shared/looseJson.ts';
import {
	inboxStates,
	watchWords,
	type InboxBook,
	type InboxChoice,
	type InboxItem,
	type InboxPosition,
} from './inboxBook.ts';
import {
	inboxReasons,
	type InboxEntry,
	type InboxEvent,
	type InboxThing,
	type MovedTicket,
	type ReferenceChange,
} from './inboxEntry.ts';

/** The inbox as a text of its own file: the same text for the same inbox, or two windows would correct each other for ever. */
export function textOfInbox({ items, positions, choices }: InboxBook): string {
	return JSON.stringify({
		items: byName(items).map(([, item]) => item),
		positions: byName(positions),
		choices: byName(choices),
	});
}

function byName<T>(all: ReadonlyMap<string, T>): readonly (readonly [string, T])[] {
	return [...all].toSorted(([a], [b]) => (a < b ? -1 : 1));
}

/** What a kept text says: what is damaged of it is left out, and takes nothing else along. */
export function inboxIn(kept: unknown): InboxBook {
	const { items, positions, choices } = fieldsOf(jsonIn(kept));
	return {
		items: new Map(good(items, itemOf).map((item) => [item.entry.id, item])),
		positions: new Map(good(positions, (value) => pairOf(value, positionOf))),
		choices: new Map(good(choices, choiceIn)),
	};
}

function good<T>(values: unknown, read: (value: unknown) => T): readonly T[] {
	return (Array.isArray(values) ? values : []).flatMap((value: unknown) => {
		try {
			return [read(value)];
		} catch {
			return [];
		}
	});
}

function pairOf<T>(value: unknown, read: (value: unknown, name: string) => T): readonly [string, T] {
	const [name, of] = listOf(value, (each) => each);
	return [text(name), read(of, text(name))];
}

function positionOf(value: unknown): InboxPosition {
	const { sinceMs, newestId, detail } = fieldsOf(value);
	return { sinceMs: time(sinceMs), newestId: whole(newestId), detail: text(detail) };
}

function choiceIn(value: unknown): readonly [string, InboxChoice] {
	return pairOf(value, (of, key) => {
		const { name, watching, atMs } = fieldsOf(of);
		// What was chosen before names were kept is named by its key.
		return { name: maybe(name, text) ?? key, watching: oneOf(watchWords, watching), atMs: time(atMs) };
	});
}

function itemOf(value: unknown): InboxItem {
	const { entry, state, stateMs } = fieldsOf(value);
	return { entry: entryOf(entry), state: oneOf(inboxStates, state), stateMs: time(stateMs) };
}

function entryOf(value: unknown): InboxEntry {
	const { id, thing, atMs, by, reason, event } = fieldsOf(value);
	return {
		id: text(id),
		thing: thingOf(thing),
		atMs: time(atMs),
		by: maybe(by, text),
		reason: oneOf(inboxReasons, reason),
		event: eventOf(event),
	};
}

function thingOf(value: unknown): InboxThing {
	const { kind, ref, list, id, title, subject } = fieldsOf(value);
	switch (kind) {
		case 'ticket':
			return { kind, ref: ticketRefOf(ref), title: text(title) };
		case 'thread':
			return { kind, list: namedOf(list), id: whole(id), subject: text(subject) };
		case 'patchset': {
			const { list: of, id: number } = fieldsOf(ref);
			return { kind, ref: { list: namedOf(of), id: whole(number) }, subject: text(subject) };
		}
		case 'repository':
			return { kind, ref: namedOf(ref) };
		default:
			return wrong();
	}
}

function ticketRefOf(value: unknown): TicketRef {
	const { tracker, id } = fieldsOf(value);
	return { tracker: namedOf(tracker), id: whole(id) };
}

/** A tracker, a list or a repository. */
function namedOf(value: unknown): ListRef {
	const { owner, name } = fieldsOf(value);
	return { owner: text(owner), name: text(name) };
}

function eventOf(value: unknown): InboxEvent {
	const { kind, eventId, mailId, excerpt, moved, labels, to, from, subject, version, status, changes } =
		fieldsOf(value);
	switch (kind) {
		case 'ticketCreated':
			return { kind };
		case 'commented':
			return { kind, eventId: whole(eventId), excerpt: text(excerpt), moved: maybe(moved, movedOf) };
		case 'statusChanged':
			return { kind, eventId: whole(eventId), moved: movedOf(moved) };
		case 'labelled':
		case 'unlabelled':
			return { kind, eventId: whole(eventId), labels: listOf(labels, text) };
		case 'assigned':
		case 'unassigned':
			return { kind, eventId: maybe(eventId, whole), to: text(to) };
		case 'namedByTicket':
			return { kind, eventId: whole(eventId), from: maybe(from, text) };
		case 'mailArrived':
			return { kind, mailId: whole(mailId), subject: text(subject) };
		case 'patchsetReceived':
			return { kind, version: whole(version) };
		case 'patchsetMarked':
			return { kind, status: keptWord(patchsetStatuses, status) };
		case 'pushed':
			return { kind, changes: listOf(changes, changeOf) };
		default:
			return wrong();
	}
}

function movedOf(value: unknown): MovedTicket {
	const { status, resolution } = fieldsOf(value);
	return {
		status: keptWord(ticketStatuses, status),
		resolution: maybe(resolution, (word) => keptWord(ticketResolutions, word)),
	};
}

function changeOf(value: unknown): ReferenceChange {
	const { name, old, now, isAnnotatedTag } = fieldsOf(value);
	return {
		name: text(name),
		old: maybe(old, text),
		now: maybe(now, text),
		// Missing in what earlier versions kept.
		isAnnotatedTag: isAnnotatedTag === true,
	};
}

function oneOf<T extends string>(words: readonly T[], value: unknown): T {
	return words.find((word) => word === value) ?? wrong();
}
