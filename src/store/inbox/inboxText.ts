import { patchsetStatuses, type ListRef } from '../../forge/port/list.ts';
import { ticketResolutions, ticketStatuses, type TicketRef } from '../../forge/port/ticket.ts';
import { keptWord, listOf, maybe, text, time, whole, wrong } from '../shared/keptFields.ts';
import { fieldsOf, jsonIn } from '../../base/looseJson.ts';
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

/**
 * Serializes inboxes. An inbox can have megabytes while a change affects one row, so unchanged rows skip serializing
 * and parsing.
 */
export interface InboxTexts {
	/** Deterministic: otherwise two windows would overwrite each other's text forever. */
	textOf(book: InboxBook): string;
	/**
	 * Decodes a stored text. Skips damaged rows and keeps the rest. `known`: values that the text probably contains.
	 */
	bookIn(kept: unknown, known: InboxBook): InboxBook;
}

/** Lines around the rows of each part. Each row is one line, so that it is comparable without parsing. */
const heads = { items: '{"items":[', positions: '],"positions":[', choices: '],"choices":[' } as const;
const end = ']}';
type Part = keyof typeof heads;

export function inboxTexts(): InboxTexts {
	/** By value, because values are immutable. Two names may share one value. */
	const rows = new WeakMap<object, { readonly name: string; readonly row: string }>();

	function rowOf(name: string, value: InboxItem | InboxPosition | InboxChoice): string {
		const known = rows.get(value);
		if (known?.name === name) {
			return known.row;
		}
		const row = JSON.stringify('entry' in value ? value : [name, value]);
		rows.set(value, { name, row });
		return row;
	}

	function linesOf(all: ReadonlyMap<string, InboxItem | InboxPosition | InboxChoice>): string {
		const lines: string[] = [];
		// The default sort order takes a third of the time of a comparator.
		for (const name of [...all.keys()].toSorted()) {
			const value = all.get(name);
			if (value !== undefined) {
				lines.push(rowOf(name, value));
			}
		}
		return lines.join(',\n');
	}

	/** The entries of one part. Known rows skip the parser. */
	function pairsIn<T extends InboxItem | InboxPosition | InboxChoice>(
		lines: readonly unknown[],
		known: ReadonlyMap<string, T>,
		read: (value: unknown) => readonly [string, T],
	): ReadonlyMap<string, T> {
		const byRow = new Map([...known].map((pair) => [rowOf(...pair), pair]));
		return new Map(
			lines.flatMap((line) => {
				try {
					const pair = typeof line === 'string' ? byRow.get(line) : undefined;
					return [pair ?? read(typeof line === 'string' ? jsonIn(line) : line)];
				} catch {
					return [];
				}
			}),
		);
	}

	return {
		textOf: ({ items, positions, choices }) =>
			[heads.items, linesOf(items), heads.positions, linesOf(positions), heads.choices, linesOf(choices), end].join(
				'\n',
			),
		bookIn(kept, known) {
			const { items, positions, choices } = partsIn(kept);
			return {
				items: pairsIn(items, known.items, (value) => {
					const item = itemOf(value);
					return [item.entry.id, item];
				}),
				positions: pairsIn(positions, known.positions, (value) => pairOf(value, positionOf)),
				choices: pairsIn(choices, known.choices, choiceIn),
			};
		},
	};
}

/** Unparsed rows per part. Parsed values for an earlier version's text without lines. */
function partsIn(kept: unknown): Readonly<Record<Part, readonly unknown[]>> {
	const lines = typeof kept === 'string' ? kept.split('\n') : [];
	const [positionsAt, choicesAt] = [lines.indexOf(heads.positions), lines.indexOf(heads.choices)];
	if (lines[0] !== heads.items || positionsAt < 0 || choicesAt < positionsAt || lines.at(-1) !== end) {
		const { items, positions, choices } = fieldsOf(jsonIn(kept));
		return { items: arrayOf(items), positions: arrayOf(positions), choices: arrayOf(choices) };
	}
	const between = (from: number, to: number): readonly string[] =>
		lines.slice(from + 1, to).map((line) => (line.endsWith(',') ? line.slice(0, -1) : line));
	return {
		items: between(0, positionsAt),
		positions: between(positionsAt, choicesAt),
		choices: between(choicesAt, lines.length - 1),
	};
}

function arrayOf(value: unknown): readonly unknown[] {
	return Array.isArray(value) ? value : [];
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
		// Choices of earlier versions have no name; use the key.
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
		// Missing in texts of earlier versions.
		isAnnotatedTag: isAnnotatedTag === true,
	};
}

function oneOf<T extends string>(words: readonly T[], value: unknown): T {
	return words.find((word) => word === value) ?? wrong();
}
