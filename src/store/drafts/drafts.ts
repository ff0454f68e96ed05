import type { Event } from '../../base/event.ts';
import type { ListRef } from '../../forge/port/list.ts';
import type { RepositoryRef } from '../../forge/port/repository.ts';
import type { TicketRef } from '../../forge/port/ticket.ts';
import type { TrackerRef } from '../../forge/port/tracker.ts';
import type { ReviewPart } from '../../engine/review/reviewDraft.ts';

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

export type DraftSubject =
	| { readonly kind: 'comment'; readonly connectionKey: string; readonly ref: TicketRef }
	/** An edited comment, identified by its event: the comment's own id changes with each edit. */
	| {
			readonly kind: 'editedEntry';
			readonly connectionKey: string;
			readonly ref: TicketRef;
			readonly eventId: number;
	  }
	/** Format of earlier versions. */
	| {
			readonly kind: 'editedComment';
			readonly connectionKey: string;
			readonly ref: TicketRef;
			readonly commentId: number;
	  }
	/** An edited ticket: the title in the first line, then the description. */
	| { readonly kind: 'ticketText'; readonly connectionKey: string; readonly ref: TicketRef }
	/** `name` distinguishes new tickets of one tracker. */
	| { readonly kind: 'newTicket'; readonly connectionKey: string; readonly tracker: TrackerRef; readonly name: string }
	| { readonly kind: 'description'; readonly connectionKey: string; readonly tracker: TrackerRef }
	| { readonly kind: 'listDescription'; readonly connectionKey: string; readonly ref: ListRef }
	| { readonly kind: 'repositoryDescription'; readonly connectionKey: string; readonly ref: RepositoryRef }
	| ReviewSubject
	| MailDraftSubject
	| MailSendingSubject;

/** A mail to a list: one per answered mail, and any number of new ones with distinct `name`. */
export interface MailDraftSubject {
	readonly kind: 'mail';
	readonly connectionKey: string;
	readonly ref: ListRef;
	/** Number of the answered mail. */
	readonly answers: number | undefined;
	readonly name: string;
}

/** Send progress of a draft's mail; stored even after the draft is sent. */
export interface MailSendingSubject extends Omit<MailDraftSubject, 'kind'> {
	readonly kind: 'mailSending';
}

/** A part of a review of a patchset. */
export interface ReviewSubject {
	readonly kind: 'review';
	readonly connectionKey: string;
	readonly ref: ListRef;
	readonly patchsetId: number;
	readonly part: ReviewPart;
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
