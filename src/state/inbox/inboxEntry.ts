import type { ListRef, PatchsetRef, PatchsetStatus } from '../../forge/list.ts';
import type { RepositoryRef } from '../../forge/repository.ts';
import type { TicketRef, TicketResolution, TicketStatus } from '../../forge/ticket.ts';
import { watchedKey } from './watched.ts';

/** What entries are grouped by. The names of servers' things do not tell capitals apart, so compare by `thingKey`. */
export type InboxThing =
	| { readonly kind: 'ticket'; readonly ref: TicketRef; readonly title: string }
	/** A conversation, by the number of its first mail. */
	| { readonly kind: 'thread'; readonly list: ListRef; readonly id: number; readonly subject: string }
	| { readonly kind: 'patchset'; readonly ref: PatchsetRef; readonly subject: string }
	| { readonly kind: 'repository'; readonly ref: RepositoryRef };

/** Why something is an account's concern, the most personal first: of several the first is told. */
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

/** What happened, as it was read from the forge. */
export type InboxEvent =
	| { readonly kind: 'ticketCreated' }
	/** `moved`: the same act changed the status as well. */
	| {
			readonly kind: 'commented';
			readonly eventId: number;
			readonly excerpt: string;
			readonly moved: MovedTicket | undefined;
	  }
	| { readonly kind: 'statusChanged'; readonly eventId: number; readonly moved: MovedTicket }
	| { readonly kind: 'labelled' | 'unlabelled'; readonly eventId: number; readonly labels: readonly string[] }
	/** `eventId` is missing where only a comparison of the ticket showed it. `to`: `~name`. */
	| { readonly kind: 'assigned' | 'unassigned'; readonly eventId: number | undefined; readonly to: string }
	/** Another ticket, `~owner/name#7`, names this one. */
	| { readonly kind: 'namedByTicket'; readonly eventId: number; readonly from: string | undefined }
	| { readonly kind: 'mailArrived'; readonly mailId: number; readonly subject: string }
	| { readonly kind: 'patchsetReceived'; readonly version: number }
	| { readonly kind: 'patchsetMarked'; readonly status: PatchsetStatus }
	| { readonly kind: 'pushed'; readonly changes: readonly ReferenceChange[] };

/** Where a ticket was moved to. */
export interface MovedTicket {
	readonly status: TicketStatus;
	readonly resolution: TicketResolution | undefined;
}

/** What a push did to one reference. */
export interface ReferenceChange {
	/** In full, as `refs/heads/main`. */
	readonly name: string;
	/** Commit ids; `old` is missing for a new reference, `now` for a deleted one. */
	readonly old: string | undefined;
	readonly now: string | undefined;
	/** Who pushed it said that it is a tag with a message of its own; the names that are read do not tell. */
	readonly isAnnotatedTag: boolean;
}

/** One thing that happened and that concerns the account. */
export interface InboxEntry {
	/** Names what happened on the forge: the same each time that it is learnt, by whom and in whatever order. */
	readonly id: string;
	readonly thing: InboxThing;
	/** When it happened, by the forge's clock, or when it was read where the forge does not tell; milliseconds since 1970. */
	readonly atMs: number;
	/** Who did it: `~name`, an address or a name; `undefined` where the forge does not tell. */
	readonly by: string | undefined;
	readonly reason: InboxReason;
	readonly event: InboxEvent;
}

/** The same text for the same thing. */
export function thingKey(thing: InboxThing): string {
	return watchedKey(thing);
}

/** The most personal of several reasons; `undefined` without any. */
export function strongest(reasons: readonly (InboxReason | undefined)[]): InboxReason | undefined {
	return inboxReasons.find((reason) => reasons.includes(reason));
}
