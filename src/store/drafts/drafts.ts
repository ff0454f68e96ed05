import * as v from 'valibot';
import type { Event } from '@forge-desk/base/event.ts';
import type { TicketRef } from 'sourcehut/port/ticket.ts';
import { reviewPart, type ReviewPart } from 'patchmail/review/reviewDraft.ts';
import { shortLine } from '../../engine/text/visible.ts';
import { keptIn } from '../shared/keptText.ts';

/** Unsent text. */
export interface Draft {
	readonly text: string;
	/** Milliseconds since 1970. */
	readonly atMs: number;
}

/** The disk rejected a draft; it exists only in this window's memory. `isFull`: no space left. */
export class DraftNotKept extends Error {
	readonly isFull: boolean;

	constructor(isFull: boolean, cause: unknown) {
		super('A draft could not be written', { cause });
		this.name = 'DraftNotKept';
		this.isFull = isFull;
	}
}

const number = v.pipe(v.number(), v.safeInteger());
/** Account, owner and name. */
const named = [v.string(), v.string(), v.string()] as const;

function mail<const Kind extends string>(kind: Kind) {
	return v.pipe(
		v.tuple([v.literal(kind), ...named, number, v.string()]),
		v.transform(([, connectionKey, owner, refName, answers, name]) => ({
			kind,
			connectionKey,
			ref: { owner, name: refName },
			/** Number of the answered mail. */
			answers: answers === 0 ? undefined : answers,
			/** Distinguishes new mails of one list; a reply has the name of a person. */
			name,
		})),
	);
}

/** Subjects as arrays. An array is part of a draft's file and of its name, so its order must stay. */
const draftSubject = v.union([
	v.pipe(
		/** `ticketText`: an edited ticket, the title in the first line, then the description. */
		v.tuple([v.picklist(['comment', 'ticketText']), ...named, number]),
		v.transform(([kind, connectionKey, owner, name, id]) => ({
			kind,
			connectionKey,
			ref: { tracker: { owner, name }, id },
		})),
	),
	/** An edited comment, identified by its event: the comment's own id changes with each edit. */
	v.pipe(
		v.tuple([v.literal('editedEntry'), ...named, number, number]),
		v.transform(([kind, connectionKey, owner, name, id, eventId]) => ({
			kind,
			connectionKey,
			ref: { tracker: { owner, name }, id },
			eventId,
		})),
	),
	/** Format of earlier versions. */
	v.pipe(
		v.tuple([v.literal('editedComment'), ...named, number, number]),
		v.transform(([kind, connectionKey, owner, name, id, commentId]) => ({
			kind,
			connectionKey,
			ref: { tracker: { owner, name }, id },
			commentId,
		})),
	),
	/** The last element distinguishes new tickets of one tracker. */
	v.pipe(
		v.tuple([v.literal('newTicket'), ...named, v.string()]),
		v.transform(([kind, connectionKey, owner, trackerName, name]) => ({
			kind,
			connectionKey,
			tracker: { owner, name: trackerName },
			name,
		})),
	),
	v.pipe(
		v.tuple([v.literal('description'), ...named]),
		v.transform(([kind, connectionKey, owner, name]) => ({ kind, connectionKey, tracker: { owner, name } })),
	),
	v.pipe(
		v.tuple([v.picklist(['listDescription', 'repositoryDescription']), ...named]),
		v.transform(([kind, connectionKey, owner, name]) => ({ kind, connectionKey, ref: { owner, name } })),
	),
	/** A part of a review of a patchset. */
	v.pipe(
		v.tuple([v.literal('review'), ...named, number, reviewPart]),
		v.transform(([kind, connectionKey, owner, name, id, part]) => ({
			kind,
			connectionKey,
			ref: { list: { owner, name }, id },
			part,
		})),
	),
	/** A mail to a list: one per answered mail, and any number of new ones. */
	mail('mail'),
	/** Send progress of a draft's mail; stored even after the draft is sent. */
	mail('mailSending'),
]);

export type DraftSubject = Readonly<v.InferOutput<typeof draftSubject>>;
export type MailDraftSubject = Extract<DraftSubject, { readonly kind: 'mail' }>;
export type ReviewSubject = Extract<DraftSubject, { readonly kind: 'review' }>;

/** A canonical text for a subject. */
export function draftKey(about: DraftSubject): string {
	return JSON.stringify([about.kind, about.connectionKey, ...rest(about)]);
}

function rest(about: DraftSubject): readonly unknown[] {
	switch (about.kind) {
		case 'comment':
		case 'ticketText':
			return ofTicket(about.ref);
		case 'editedEntry':
			return [...ofTicket(about.ref), about.eventId];
		case 'editedComment':
			return [...ofTicket(about.ref), about.commentId];
		case 'newTicket':
			return [about.tracker.owner, about.tracker.name, about.name];
		case 'description':
			return [about.tracker.owner, about.tracker.name];
		case 'listDescription':
		case 'repositoryDescription':
			return [about.ref.owner, about.ref.name];
		case 'review':
			return [about.ref.list.owner, about.ref.list.name, about.ref.id, writtenPart(about.part)];
		case 'mail':
		case 'mailSending':
			return [about.ref.owner, about.ref.name, about.answers ?? 0, about.name];
	}
}

function ofTicket({ tracker, id }: TicketRef): readonly unknown[] {
	return [tracker.owner, tracker.name, id];
}

/** Inverse of `draftKey`; `undefined` for anything else. */
export function draftSubjectOf(key: string): DraftSubject | undefined {
	return keptIn(key, draftSubject, undefined);
}

/** Canonical form of a part, independent of field order. */
export function writtenPart(part: ReviewPart): ReviewPart {
	return v.parse(reviewPart, part);
}

/** Inverse of `writtenPart`; `undefined` for anything else. */
export function reviewPartOf(value: unknown): ReviewPart | undefined {
	const read = v.safeParse(reviewPart, value);
	return read.success ? read.output : undefined;
}

/** Name of a reply draft without a known person. */
export const unnamedReply = 'reply';

/** Name of a draft that thanks for an applied patchset, beside the draft of a usual reply to the same mail. */
export const thanksName = 'thanks';

/** Name of a reply draft: the answered person as a path segment. A sender may be called like other drafts. */
export function replyName(person: string): string {
	const name = shortLine(person, 60).replaceAll(/[/\\]/g, '-');
	return /^\.*$/.test(name) || name === thanksName ? unnamedReply : name;
}

const seriesStart = 'series-';

/** Draft name of a prepared series' cover letter, or of its patch at an index. */
export function seriesDraftName(id: string, at?: number): string {
	return at === undefined ? `${seriesStart}${id}` : `${seriesStart}${id}-${at}`;
}

/** Inverse of `seriesDraftName`; `undefined` for all other mails. */
export function seriesOfDraft(name: string): string | undefined {
	return name.startsWith(seriesStart) ? name.slice(seriesStart.length).split('-')[0] : undefined;
}

export interface DraftEntry {
	readonly about: DraftSubject;
	readonly draft: Draft;
}

/**
 * Stored drafts, one per subject and window, so that windows don't overwrite each other. They survive sign-out, because
 * they are the user's own text.
 */
export interface Drafts {
	/** This window's text, else the latest of any window. */
	draft(about: DraftSubject): Draft | undefined;
	/**
	 * An empty text removes the draft. Resolves when the text is safe on disk. Rejects with `DraftNotKept` on a disk
	 * error; this window then keeps the text in memory. Raises `atMs` above earlier ones of the subject, in case the
	 * clock was set back.
	 */
	keep(about: DraftSubject, draft: Draft): Promise<void>;
	/**
	 * Stores a text as an older draft beside an existing one of its subject; true in that case. Does nothing if a draft
	 * starts with this text. Rejects like `keep`.
	 */
	keepBeside(about: DraftSubject, draft: Draft): Promise<boolean>;
	/** Drafts of all windows, latest first; several may have one subject. */
	all(): readonly DraftEntry[];
	/** Removes exactly this text, from any window; keeps newer text. */
	forget(entry: DraftEntry): Promise<void>;
	readonly onDidChange: Event<DraftSubject>;
}

/** Stores a text. An empty one forgets the known draft, in all windows. */
export async function putDraft(drafts: Drafts, about: DraftSubject, text: string, atMs: number): Promise<void> {
	const draft = drafts.draft(about);
	if (text !== '') {
		await drafts.keep(about, { text, atMs });
	} else if (draft) {
		await drafts.forget({ about, draft });
	}
}
