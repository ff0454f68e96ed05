import type { Event } from '../../base/event.ts';
import type { ListRef } from '../../forge/list.ts';
import type { RepositoryRef } from '../../forge/repository.ts';
import type { TicketRef } from '../../forge/ticket.ts';
import type { TrackerRef } from '../../forge/tracker.ts';
import type { ReviewPart } from '../../review/reviewDraft.ts';

/** Something that was typed and that the forge does not have yet. */
export interface Draft {
	readonly text: string;
	/** Milliseconds since 1970. */
	readonly atMs: number;
}

/** The disk did not take a draft. `isFull`: for want of room. What was typed is in this window's memory only. */
export class DraftNotKept extends Error {
	readonly isFull: boolean;

	constructor(isFull: boolean, cause: unknown) {
		super('A draft could not be written', { cause });
		this.name = 'DraftNotKept';
		this.isFull = isFull;
	}
}

/** What a draft is for. */
export type DraftSubject =
	| { readonly kind: 'comment'; readonly connectionKey: string; readonly ref: TicketRef }
	/** A comment that is changed, by its event: the comment's own id is another one after each change. */
	| {
			readonly kind: 'editedEntry';
			readonly connectionKey: string;
			readonly ref: TicketRef;
			readonly eventId: number;
	  }
	/** The same as earlier versions kept it. */
	| {
			readonly kind: 'editedComment';
			readonly connectionKey: string;
			readonly ref: TicketRef;
			readonly commentId: number;
	  }
	/** A ticket's title, in the first line, and its description while they are changed. */
	| { readonly kind: 'ticketText'; readonly connectionKey: string; readonly ref: TicketRef }
	/** `name` tells several new tickets of one tracker apart. */
	| { readonly kind: 'newTicket'; readonly connectionKey: string; readonly tracker: TrackerRef; readonly name: string }
	/** A tracker's description while it is rewritten. */
	| { readonly kind: 'description'; readonly connectionKey: string; readonly tracker: TrackerRef }
	| { readonly kind: 'listDescription'; readonly connectionKey: string; readonly ref: ListRef }
	| { readonly kind: 'repositoryDescription'; readonly connectionKey: string; readonly ref: RepositoryRef }
	| ReviewSubject
	| MailDraftSubject
	| MailSendingSubject;

/** A mail to a list. Of each mail that is answered there is one; `name` tells several new ones of a list apart. */
export interface MailDraftSubject {
	readonly kind: 'mail';
	readonly connectionKey: string;
	readonly ref: ListRef;
	/** Number of the mail that it answers. */
	readonly answers: number | undefined;
	readonly name: string;
}

/** How far sending the mail is that a draft is about: no text that somebody wrote, and kept after the draft was sent. */
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

/** A draft and what it is for. */
export interface DraftEntry {
	readonly about: DraftSubject;
	readonly draft: Draft;
}

/**
 * Drafts that outlive the window. One per subject and window: two windows that write about the same subject keep a text
 * each, and neither overwrites the other's. Signing out keeps all of them: they are the user's own text.
 */
export interface Drafts {
	/** This window's text, else the latest of any window. */
	draft(about: DraftSubject): Draft | undefined;
	/**
	 * An empty text forgets the draft. Resolves when it would survive the end of the process; rejects with `DraftNotKept`
	 * when the disk does not take it, and the text is then still this window's. A time that is not after those of the same
	 * subject becomes one: what was typed last is the latest, also when the clock was set back.
	 */
	keep(about: DraftSubject, draft: Draft): Promise<void>;
	/**
	 * Keeps a text that must not replace another draft of its subject: it becomes an older draft beside that one. Returns
	 * true in that case. Does nothing if a draft begins with this text. Rejects as `keep` does.
	 */
	keepBeside(about: DraftSubject, draft: Draft): Promise<boolean>;
	/** All drafts of all windows, latest first. Several may be about one subject. */
	all(): readonly DraftEntry[];
	/** Forgets this very text, whichever window wrote it, and nothing that was typed since. */
	forget(entry: DraftEntry): Promise<void>;
	readonly onDidChange: Event<DraftSubject>;
}
