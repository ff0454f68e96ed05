import type { ListRef, MailingList, Patchset, ShortEmail, Subscription } from './list.ts';
import type { Repository, RepositoryRef } from './repository.ts';
import type { Ticket, TicketEvent, TicketRef } from './ticket.ts';
import type { Tracker, TrackerRef } from './tracker.ts';

/*
 * What can happen to what is known: something that is newer, whoever tells it, be it the answer to a command, a poll or a
 * delivery. `apply` of a store takes it in.
 */

/** Of trackers, tickets and their comments. */
export type TicketNews =
	| { readonly kind: 'trackerChanged'; readonly tracker: Tracker }
	| { readonly kind: 'trackerDeleted'; readonly tracker: TrackerRef }
	/** `events`: what happened to it, where that is told with it. */
	| { readonly kind: 'ticketChanged'; readonly ticket: Ticket; readonly events?: readonly TicketEvent[] }
	| { readonly kind: 'ticketDeleted'; readonly ticket: TicketRef }
	/** `to` is absent if the label was deleted. */
	| {
			readonly kind: 'labelRenamed';
			readonly tracker: TrackerRef;
			readonly name: string;
			readonly to: string | undefined;
	  }
	/** Also events that are known already and are different, such as comments that were edited. */
	| { readonly kind: 'eventsAdded'; readonly ticket: TicketRef; readonly events: readonly TicketEvent[] };

/** Of lists, subscriptions, mails and patchsets. */
export type ListNews =
	| { readonly kind: 'listChanged'; readonly list: MailingList }
	| { readonly kind: 'listDeleted'; readonly list: ListRef }
	| { readonly kind: 'subscribed'; readonly subscription: Subscription }
	| { readonly kind: 'unsubscribed'; readonly subscriptionId: number }
	| { readonly kind: 'mailArrived'; readonly list: ListRef; readonly mail: ShortEmail }
	/** Servers do not always tell the list of a patchset (docs/protocol.md#patchset-fields). */
	| { readonly kind: 'patchsetChanged'; readonly list: ListRef; readonly patchset: Patchset };

/** Of repositories and their references. */
export type RepositoryNews =
	| { readonly kind: 'repositoryCreated'; readonly ref: RepositoryRef; readonly repository: Repository }
	| { readonly kind: 'repositoryChanged'; readonly ref: RepositoryRef; readonly repository: Repository }
	/** `repository` has its new name; everything that is known of the old one is known of it. */
	| { readonly kind: 'repositoryRenamed'; readonly from: RepositoryRef; readonly repository: Repository }
	| { readonly kind: 'repositoryDeleted'; readonly ref: RepositoryRef }
	/** Another branch is the default one; what `HEAD` leads to is asked for again. What is open stays where it is. */
	| { readonly kind: 'defaultBranchSet'; readonly ref: RepositoryRef; readonly branch: string }
	/** Something was pushed: names lead elsewhere now. What is open stays where it is. */
	| { readonly kind: 'referencesMoved'; readonly ref: RepositoryRef };

/** Whatever can happen. */
export type News = TicketNews | ListNews | RepositoryNews;
