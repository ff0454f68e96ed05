import type { ListRef, PatchsetRef, PatchsetStatus } from '../../forge/port/list.ts';
import type { RepositoryRef } from '../../forge/port/repository.ts';
import type { TicketRef, TicketResolution, TicketStatus } from '../../forge/port/ticket.ts';
import { watchedKey } from './watched.ts';

/** The subject that groups entries. Names on servers are case-insensitive, so compare by `thingKey`. */
export type InboxThing =
	| { readonly kind: 'ticket'; readonly ref: TicketRef; readonly title: string }
	/** A conversation, by the id of its first mail. */
	| { readonly kind: 'thread'; readonly list: ListRef; readonly id: number; readonly subject: string }
	| { readonly kind: 'patchset'; readonly ref: PatchsetRef; readonly subject: string }
	| { readonly kind: 'repository'; readonly ref: RepositoryRef };

/** Reasons for an entry, most personal first. The first matching reason wins. */
export const inboxReasons = [
	'mentioned',
	'assigned',
	'reviewAsked',
	'answered',
	'newVersion',
	'mine',
	'participating',
	'followed',
] as const;
export type InboxReason = (typeof inboxReasons)[number];

/** An event on the forge. */
export type InboxEvent =
	| { readonly kind: 'ticketCreated' }
	/** `moved`: the comment also changed the status. */
	| {
			readonly kind: 'commented';
			readonly eventId: number;
			readonly excerpt: string;
			readonly moved: MovedTicket | undefined;
	  }
	| { readonly kind: 'statusChanged'; readonly eventId: number; readonly moved: MovedTicket }
	| { readonly kind: 'labelled' | 'unlabelled'; readonly eventId: number; readonly labels: readonly string[] }
	/** `eventId` is missing if only a comparison of the ticket revealed it. `to`: `~name`. */
	| { readonly kind: 'assigned' | 'unassigned'; readonly eventId: number | undefined; readonly to: string }
	/** Another ticket, `~owner/name#7`, mentions this one. */
	| { readonly kind: 'namedByTicket'; readonly eventId: number; readonly from: string | undefined }
	| { readonly kind: 'mailArrived'; readonly mailId: number; readonly subject: string }
	| { readonly kind: 'patchsetReceived'; readonly version: number }
	| { readonly kind: 'patchsetMarked'; readonly status: PatchsetStatus }
	| { readonly kind: 'pushed'; readonly changes: readonly ReferenceChange[] };

/** New status of a ticket. */
export interface MovedTicket {
	readonly status: TicketStatus;
	readonly resolution: TicketResolution | undefined;
}

/** A change of one reference by a push. */
export interface ReferenceChange {
	/** In full, as `refs/heads/main`. */
	readonly name: string;
	/** Commit ids; `old` is missing for a new reference, `now` for a deleted one. */
	readonly old: string | undefined;
	readonly now: string | undefined;
	/** From the push delivery only: the reference list doesn't show annotated tags. */
	readonly isAnnotatedTag: boolean;
}

/** An event that concerns the account. */
export interface InboxEntry {
	/** Identifies the event on the forge. It doesn't depend on the source, the order or the window. */
	readonly id: string;
	readonly thing: InboxThing;
	/** Time of the event by the forge's clock, or of the read if the forge reports none; milliseconds since 1970. */
	readonly atMs: number;
	/** The actor: `~name`, an address or a name; `undefined` if the forge doesn't report it. */
	readonly by: string | undefined;
	readonly reason: InboxReason;
	readonly event: InboxEvent;
}

export function thingKey(thing: InboxThing): string {
	return watchedKey(thing);
}

/** The most personal reason; `undefined` without any. */
export function strongest(reasons: readonly (InboxReason | undefined)[]): InboxReason | undefined {
	return inboxReasons.find((reason) => reasons.includes(reason));
}
