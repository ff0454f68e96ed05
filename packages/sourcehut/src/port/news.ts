import type { ListRef, MailingList, Patchset, ShortEmail, Subscription } from './list.ts';
import type { Repository, RepositoryRef } from './repository.ts';
import type { Ticket, TicketEvent, TicketRef } from './ticket.ts';
import type { Tracker, TrackerRef } from './tracker.ts';

/* Updates for the stores, from commands, polls and deliveries. `apply` of a store merges them. */

/** Trackers, tickets and comments. */
export type TicketNews =
	| { readonly kind: 'trackerChanged'; readonly tracker: Tracker }
	| { readonly kind: 'trackerDeleted'; readonly tracker: TrackerRef }
	/** `events`: its new events, if the source has them. */
	| { readonly kind: 'ticketChanged'; readonly ticket: Ticket; readonly events?: readonly TicketEvent[] }
	| { readonly kind: 'ticketDeleted'; readonly ticket: TicketRef }
	/** `to` is absent if the label was deleted. */
	| {
			readonly kind: 'labelRenamed';
			readonly tracker: TrackerRef;
			readonly name: string;
			readonly to: string | undefined;
	  }
	/** Includes known events with changes, such as edited comments. */
	| { readonly kind: 'eventsAdded'; readonly ticket: TicketRef; readonly events: readonly TicketEvent[] };

/** Lists, subscriptions, mails and patchsets. */
export type ListNews =
	| { readonly kind: 'listChanged'; readonly list: MailingList }
	| { readonly kind: 'listDeleted'; readonly list: ListRef }
	| { readonly kind: 'subscribed'; readonly subscription: Subscription }
	| { readonly kind: 'unsubscribed'; readonly subscriptionId: number }
	| { readonly kind: 'mailArrived'; readonly list: ListRef; readonly mail: ShortEmail }
	/** Servers do not always name the list of a patchset (docs/protocol.md#patchset-fields). */
	| { readonly kind: 'patchsetChanged'; readonly list: ListRef; readonly patchset: Patchset };

/** Repositories and their references. */
export type RepositoryNews =
	| { readonly kind: 'repositoryCreated'; readonly ref: RepositoryRef; readonly repository: Repository }
	| { readonly kind: 'repositoryChanged'; readonly ref: RepositoryRef; readonly repository: Repository }
	/** `repository` has its new name. Stores move the data of the old name to it. */
	| { readonly kind: 'repositoryRenamed'; readonly from: RepositoryRef; readonly repository: Repository }
	| { readonly kind: 'repositoryDeleted'; readonly ref: RepositoryRef }
	/** The default branch changed, so `HEAD` is stale. Open documents stay as they are. */
	| { readonly kind: 'defaultBranchSet'; readonly ref: RepositoryRef; readonly branch: string }
	/** After a push, reference targets are stale. Open documents stay as they are. */
	| { readonly kind: 'referencesMoved'; readonly ref: RepositoryRef };

export type News = TicketNews | ListNews | RepositoryNews;
