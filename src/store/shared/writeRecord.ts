import * as v from 'valibot';
import { settablePatchsetStatuses, type SettablePatchsetStatus } from 'sourcehut/port/list.ts';
import { ticketResolutions, ticketStatuses, type Ticket } from 'sourcehut/port/ticket.ts';
import type { StatusMove } from 'sourcehut/port/ticketRequest.ts';
import type { WebhookFamily } from 'sourcehut/port/webhook.ts';
import { wordOf, type Word } from 'sourcehut/port/word.ts';
import { named, whole, goodOf, time } from './keptText.ts';

export const keptFamily: v.GenericSchema<unknown, WebhookFamily> = v.variant('kind', [
	v.object({ kind: v.literal('user'), area: v.picklist(['todo', 'git', 'lists']) }),
	v.object({ kind: v.picklist(['list', 'repository', 'tracker']), ref: named }),
	v.object({ kind: v.literal('ticket'), ref: v.object({ tracker: named, id: whole }) }),
]);

const text = v.string();
const count = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
const texts = v.pipe(v.array(text), v.readonly());
const ref = v.object({ owner: text, name: text });
const ticket = v.object({ tracker: ref, id: count });
const names = v.exactOptional(v.object({ add: texts, remove: texts }));

function word<W extends string>(known: readonly W[]): v.GenericSchema<unknown, Word<W>> {
	return v.custom<Word<W>>(
		(value) => typeof value === 'string' && (value.startsWith('other:') || wordOf(known, value) === value),
	);
}

const openStatus = ticketStatuses.filter((status) => status !== 'resolved' && status !== 'reported');
const move: v.GenericSchema<unknown, StatusMove> = v.variant('kind', [
	v.object({ kind: v.literal('resolve'), resolution: v.picklist(ticketResolutions) }),
	v.object({ kind: v.literal('reopen') }),
	v.object({ kind: v.literal('set'), status: v.picklist(openStatus) }),
]);
const wish = v.object({ comment: v.exactOptional(text), move: v.exactOptional(move), labels: names, assignees: names });
const of = { ref };
/** `isTaken`: the name existed before the request. */
const making = { name: text, isTaken: v.exactOptional(v.boolean()) };
const status: v.GenericSchema<unknown, SettablePatchsetStatus> = word(settablePatchsetStatuses);

const ticketWrite = v.object({ kind: v.literal('ticket'), ref: ticket, wish });
const newTicketWrite = v.object({
	kind: v.literal('newTicket'),
	tracker: ref,
	ticket: v.object({ title: text, description: text }),
	/** Number of the newest known ticket before the write, or 0. */
	newestBefore: count,
	/** Draft document of the ticket. */
	draft: v.exactOptional(v.object({ name: text, text })),
});

/** Writes that the outbox keeps while the forge is away. */
export const queuedWrite = v.variant('kind', [ticketWrite, newTicketWrite]);

/** A write as plain data, including everything for its lookup. */
const writeRecord = v.variant('kind', [
	ticketWrite,
	newTicketWrite,
	/** `commentId`: key of drafts in earlier versions. */
	v.object({ kind: v.literal('editComment'), ref: ticket, eventId: count, commentId: v.exactOptional(count), text }),
	v.object({
		kind: v.literal('editTicket'),
		ref: ticket,
		change: v.object({ title: v.exactOptional(text), description: v.exactOptional(text) }),
	}),
	v.object({ kind: v.literal('removeTicket'), ref: ticket }),
	v.object({
		kind: v.literal('ticketMails'),
		to: v.variant('kind', [
			v.object({ kind: v.literal('tracker'), ref }),
			v.object({ kind: v.literal('ticket'), ref: ticket }),
		]),
		isWanted: v.boolean(),
	}),
	v.object({ kind: v.literal('makeLabel'), ...of, ...making }),
	v.object({
		kind: v.literal('changeLabel'),
		...of,
		name: text,
		newName: text,
		background: v.exactOptional(text),
	}),
	v.object({ kind: v.literal('removeLabel'), ...of, name: text }),
	v.object({ kind: v.literal('makeTracker'), ...making }),
	v.object({ kind: v.literal('makeList'), ...making }),
	v.object({ kind: v.literal('makeRepository'), ...making }),
	v.object({ kind: v.literal('describeTracker'), ...of, description: text }),
	v.object({ kind: v.literal('describeList'), ...of, description: text }),
	v.object({ kind: v.literal('removeTracker'), ...of }),
	v.object({ kind: v.literal('removeList'), ...of }),
	v.object({ kind: v.literal('removeRepository'), ...of }),
	v.object({ kind: v.literal('listMails'), ...of, isWanted: v.boolean() }),
	v.object({
		kind: v.literal('patchsetStatus'),
		ref: v.object({ list: ref, id: count }),
		status,
		/** For Undo. */
		before: v.exactOptional(status),
	}),
	v.object({
		kind: v.literal('changeRepository'),
		...of,
		/** Another repository may have the new name. */
		id: count,
		changes: v.object({
			name: v.exactOptional(text),
			description: v.exactOptional(text),
			visibility: v.exactOptional(v.picklist(['public', 'unlisted', 'private'])),
		}),
	}),
	v.object({ kind: v.literal('defaultBranch'), ...of, branch: text }),
]);
export type WriteRecord = v.InferOutput<typeof writeRecord>;
export type WriteKind = WriteRecord['kind'];
export type WriteOf<K extends WriteKind> = Extract<WriteRecord, { readonly kind: K }>;

/** Fields that Undo compares and restores. */
export type TicketFacts = Pick<Ticket, 'status' | 'resolution' | 'labels' | 'assignees'>;

/** Status of a ticket, as Undo and the outbox compare it. */
export const statusFacts = v.object({
	status: word(ticketStatuses),
	resolution: word(ticketResolutions),
});

const facts: v.GenericSchema<unknown, TicketFacts> = v.object({
	status: word(ticketStatuses),
	resolution: word(ticketResolutions),
	labels: texts,
	assignees: v.pipe(v.array(v.object({ canonicalName: text, name: text })), v.readonly()),
});

const entry = v.object({
	id: text,
	write: writeRecord,
	/** `waiting`: part of a bulk action, not sent yet. `inDoubt`: sent, outcome unknown. */
	progress: v.picklist(['waiting', 'pending', 'inDoubt', 'done']),
	/** Id of its bulk action. */
	act: v.exactOptional(text),
	sentMs: time,
	/** Newest event of the ticket before the write. */
	newestEventId: v.exactOptional(count),
	before: v.exactOptional(facts),
	after: v.exactOptional(facts),
});
export type JournalEntry = Readonly<v.InferOutput<typeof entry>>;

/** A draft deleted after delivery. `atMs`: its last edit. `text`: only for documents. */
const sentDraft = v.object({ key: text, atMs: time, text: v.exactOptional(text) });
export type SentDraft = Readonly<v.InferOutput<typeof sentDraft>>;

export interface JournalText {
	readonly entries: readonly JournalEntry[];
	readonly sent: readonly SentDraft[];
}

/** Content of a journal file. Skips damaged entries. */
export const journalText: v.GenericSchema<unknown, JournalText> = v.object({
	entries: goodOf(entry),
	sent: goodOf(sentDraft),
});

/** The same without damaged entries. */
export const wholeJournal = v.object({ entries: v.array(entry), sent: v.array(sentDraft) });

export function factsOf({ status: now, resolution, labels, assignees }: TicketFacts): TicketFacts {
	const people = assignees.map(({ canonicalName, name }) => ({ canonicalName, name }));
	return { status: now, resolution, labels, assignees: people };
}
