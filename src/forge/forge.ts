import type { DeliveryReading } from './deliveryHint.ts';
import type { ContentArea } from './instance.ts';
import type {
	ArchivePiece,
	Email,
	EmailId,
	ListRef,
	MailingList,
	Patchset,
	PatchsetRef,
	SettablePatchsetStatus,
	ShortEmail,
	Subscription,
	WantedArchive,
} from './list.ts';
import type { Cursor, Page, Pages } from './page.ts';
import type { ProjectApi } from './project.ts';
import type {
	Artifact,
	Blob,
	Commit,
	NewRepository,
	Reference,
	Repository,
	RepositoryChanges,
	RepositoryRef,
	Tree,
	TreeEntry,
	TreePath,
	WantedBlob,
} from './repository.ts';
import type { Subscribable } from './subscribable.ts';
import type { Comment, NewTicket, Ticket, TicketEvent, TicketRef } from './ticket.ts';
import type {
	AssigneeRequest,
	ChangedTicket,
	Leaving,
	RestoredLabels,
	SentLabels,
	StatusLimits,
	TextChange,
	TicketOutcome,
	TicketRequest,
} from './ticketRequest.ts';
import type { Label, NewLabel, NewTracker, Tracker, TrackerRef } from './tracker.ts';
import type { OwnerName, User } from './user.ts';
import type { GroupEvents, NewWebhook, Webhook, WebhookDelivery, WebhookFamily } from './webhook.ts';

/*
 * The seam between what users see and how a forge is spoken to. Every method may throw `ForgeError`, and nothing else
 * but an abort. What a protocol or a server cannot do is a member that is absent. Where only a refusal shows that, it is
 * `notOffered`, and the member is absent from then on; so who shows such a thing asks for the member each time.
 * An owner left `undefined` means oneself.
 */

/** Everything one account can do on one forge. */
export interface Forge {
	/** `~name` of the account. */
	readonly me: OwnerName;
	readonly users: UserApi;
	readonly trackers: TrackerApi;
	readonly lists: ListApi;
	readonly repositories: RepositoryApi;
	readonly webhooks: WebhookApi;
	/** Absent where the forge has none, or nobody said where. */
	readonly projects?: ProjectApi;
}

/** People, as each area knows them. */
export interface UserApi {
	user(area: ContentArea, name: OwnerName | undefined, signal: AbortSignal): Promise<User>;
	/** What runs at the area's address; "unknown" is a possible answer. */
	version?(area: ContentArea, signal: AbortSignal): Promise<string>;
}

export interface TrackerApi {
	trackers(owner: OwnerName | undefined, signal: AbortSignal): Pages<Tracker>;
	tracker(ref: TrackerRef, signal: AbortSignal): Promise<Tracker>;
	/** A server that insists on a visibility refuses without one; then `asksForVisibility` and nothing was made. */
	create(tracker: NewTracker, signal: AbortSignal): Promise<Tracker>;
	/** The answer is not shown in the contract; `undefined` when the server sends none. */
	update(ref: TrackerRef, description: string, signal: AbortSignal): Promise<Tracker | undefined>;
	remove(ref: TrackerRef, signal: AbortSignal): Promise<void>;
	labels(ref: TrackerRef, signal: AbortSignal): Pages<Label>;
	/** What the forge tells the account by mail. Absent where only the web knows. */
	readonly subscriptions?: TicketMails;
	/** Makes, changes and deletes labels. Absent where only the web can do it. */
	readonly labelMaking?: LabelMaking;
	/** Newest number first. */
	tickets(ref: TrackerRef, signal: AbortSignal): Pages<Ticket>;
	/** The same list from further down, as it is read in the background: one page now, the next one later. */
	readonly ticketsOn: TicketsOn;
	/** All of it for somebody who wants all of them: each next page is on its way while one is read. */
	allTickets?(ref: TrackerRef, signal: AbortSignal): Pages<Ticket>;
	/** Many tickets at once; absent where the timeline of each is a request of its own. */
	readonly inBulk?: TicketsInBulk;
	ticket(ref: TicketRef, signal: AbortSignal): Promise<Ticket>;
	submit(ref: TrackerRef, ticket: NewTicket, signal: AbortSignal): Promise<Ticket>;
	/** What can be done to statuses, as far as answers have shown by now. Needs no request. */
	statusLimits(): StatusLimits;
	/**
	 * Sends what is asked for once, after reading what has to be known before. Throws what kept it from being sent, and
	 * a refusal after which nothing of it is there; a write of which nobody knows is an outcome.
	 */
	updateTicket(
		ref: TicketRef,
		asked: Omit<TicketRequest, 'assignees'> & Leaving,
		signal: AbortSignal,
	): Promise<TicketOutcome>;
	/**
	 * Assigns and unassigns people, and ends as `updateTicket` does. Whom the area does not know is refused before anything is
	 * sent. Absent where only the web can do it.
	 */
	readonly assign?: (ref: TicketRef, asked: AssigneeRequest & Leaving, signal: AbortSignal) => Promise<TicketOutcome>;
	/** Deletes a ticket and its timeline for good. Absent where only the web can do it. */
	readonly removeTicket?: (ref: TicketRef, signal: AbortSignal) => Promise<void>;
	/** Changes what a ticket says. Absent where only the web can do it. */
	readonly edit?: (ref: TicketRef, change: TextChange, signal: AbortSignal) => Promise<Ticket>;
	/**
	 * Gives back to others what sending labels took from them; to be called once it is `seen` what the sending did. Absent
	 * where changing some labels touches no others.
	 */
	restoreLabels?(ref: TicketRef, sent: SentLabels, seen: ChangedTicket, signal: AbortSignal): Promise<RestoredLabels>;
	/** Newest first. */
	events(ref: TicketRef, signal: AbortSignal): Pages<TicketEvent>;
	/** The comment may come back with a new id. One without an id is refused. */
	editComment?: ((ref: TicketRef, comment: Comment, text: string, signal: AbortSignal) => Promise<Comment>) | undefined;
}

/** Of which trackers and tickets the forge tells the account by mail. */
export interface TicketMails {
	isSubscribed(to: Subscribable, signal: AbortSignal): Promise<boolean>;
	/** Changes nothing where it is so already. */
	setSubscribed(to: Subscribable, isWanted: boolean, signal: AbortSignal): Promise<void>;
}

/** Labels of one's own trackers, by their names. */
export interface LabelMaking {
	create(ref: TrackerRef, label: NewLabel, signal: AbortSignal): Promise<Label>;
	/** What is left out stays. Tickets keep the label. */
	change(ref: TrackerRef, name: string, change: Partial<NewLabel>, signal: AbortSignal): Promise<Label>;
	/** Takes it from all tickets, too. */
	remove(ref: TrackerRef, name: string, signal: AbortSignal): Promise<void>;
}

/** How a walk through tickets begins elsewhere than at the newest. */
export type TicketsOn =
	/** At number `from` (included), downwards. A server that cannot begin there sends what it has. */
	| {
			readonly kind: 'fromNumber';
			readonly read: (ref: TrackerRef, from: number, signal: AbortSignal) => Pages<Ticket>;
	  }
	/** Below a page whose `next` was kept, also by an earlier window. `invalid`: the server does not take it any more. */
	| {
			readonly kind: 'afterCursor';
			readonly read: (ref: TrackerRef, cursor: Cursor, signal: AbortSignal) => Pages<Ticket>;
	  };

/** Many tickets at once, for who wants to know all of them. Each answer is one request. */
export interface TicketsInBulk {
	/** The newest page, or the one below a page whose `next` was kept, as `TicketsOn` has it. */
	pages(ref: TrackerRef, after: Cursor | undefined, signal: AbortSignal): Pages<TicketInFull>;
	ticket(ref: TicketRef, signal: AbortSignal): Promise<TicketInFull>;
	/** How many numbers `changedMs` takes at most. */
	readonly mostNumbers: number;
	/**
	 * When tickets were changed last, by their numbers; those that are not there are left out. `Infinity` for one of which the
	 * server failed to say it. A server that does not say which are not there refuses all: `notFound`.
	 */
	changedMs(ref: TrackerRef, numbers: readonly number[], signal: AbortSignal): Promise<ReadonlyMap<number, number>>;
}

/** A ticket with the newest of its timeline. */
export interface TicketInFull {
	readonly ticket: Ticket;
	/** `undefined` where the server did not send it along. */
	readonly timeline: Pick<Page<TicketEvent>, 'items' | 'completeness'> | undefined;
}

export interface ListApi {
	lists(owner: OwnerName | undefined, signal: AbortSignal): Pages<MailingList>;
	list(ref: ListRef, signal: AbortSignal): Promise<MailingList>;
	create(list: { readonly name: string; readonly description?: string }, signal: AbortSignal): Promise<MailingList>;
	update(ref: ListRef, description: string, signal: AbortSignal): Promise<MailingList>;
	remove?: ((ref: ListRef, signal: AbortSignal) => Promise<void>) | undefined;
	/** Threads' first mails on observed servers, all mails by the document. */
	posts(ref: ListRef, signal: AbortSignal): Pages<ShortEmail>;
	/** All mails of a list that match, by the server's own search (docs/protocol.md#list-search). */
	search?(ref: ListRef, terms: string, signal: AbortSignal): Pages<ShortEmail>;
	/** All mails of a list, the newest first; absent where `posts` are all or the server lists somebody's. */
	mails?(ref: ListRef, signal: AbortSignal): Pages<ShortEmail>;
	/**
	 * Every mail of a list in the order in which they came, piece by piece; of a list that the account may not read there are
	 * none. How large it is, is known at its end.
	 */
	archive?(ref: ListRef, wanted: WantedArchive, signal: AbortSignal): AsyncGenerator<ArchivePiece, void, undefined>;
	/** What somebody wrote, in all lists. */
	emailsOf?(user: OwnerName | undefined, signal: AbortSignal): Pages<ShortEmail>;
	email(id: EmailId, signal: AbortSignal): Promise<Email>;
	/** The mails of a thread, first mail first, answers after what they answer (`mailOrder`). `id` names the first mail. Short forms where the server sends them. */
	thread(id: EmailId, signal: AbortSignal): Promise<readonly (Email | ShortEmail)[]>;
	patchsets(ref: ListRef, signal: AbortSignal): Pages<Patchset>;
	patchset(ref: PatchsetRef, signal: AbortSignal): Promise<Patchset>;
	setPatchsetStatus(ref: PatchsetRef, status: SettablePatchsetStatus, signal: AbortSignal): Promise<Patchset>;
	/** The patches without the cover letter, in the order of the series. */
	patches(ref: PatchsetRef, signal: AbortSignal): Pages<Email>;
	/** `named`: lists known by name, which are asked one by one where the server does not list all subscriptions. */
	subscriptions(named: readonly ListRef[], signal: AbortSignal): Pages<Subscription>;
	subscription?(id: number, signal: AbortSignal): Promise<Subscription>;
	subscribe(ref: ListRef, signal: AbortSignal): Promise<Subscription>;
	unsubscribe(subscription: Pick<Subscription, 'id' | 'list'>, signal: AbortSignal): Promise<void>;
}

export interface RepositoryApi {
	repositories(owner: OwnerName | undefined, signal: AbortSignal): Pages<Repository>;
	/** Those of an owner that have a text in their name or description; absent where servers do not search. */
	search?(owner: OwnerName, text: string, signal: AbortSignal): Pages<Repository>;
	repository(ref: RepositoryRef, signal: AbortSignal): Promise<Repository>;
	/** The name that a repository has by now, as far as answers told. Sends nothing; absent where servers tell no new names. */
	nowCalled?(ref: RepositoryRef): RepositoryRef;
	create(repository: NewRepository, signal: AbortSignal): Promise<Repository>;
	/** `undefined` when the server sends no answer. */
	update(ref: RepositoryRef, changes: RepositoryChanges, signal: AbortSignal): Promise<Repository | undefined>;
	remove(ref: RepositoryRef, signal: AbortSignal): Promise<void>;
	references(ref: RepositoryRef, signal: AbortSignal): Pages<Reference>;
	/** The same without the files that were uploaded for them; absent where these take no requests of their own. */
	targets?(ref: RepositoryRef, signal: AbortSignal): Pages<Reference>;
	/** Newest first, from `from` (a reference name or id) or from the default branch. */
	log(ref: RepositoryRef, from: string | undefined, signal: AbortSignal): Pages<Commit>;
	/** Without `at`: the root of the default branch. */
	tree(ref: RepositoryRef, at: TreePath | undefined, signal: AbortSignal): Promise<Tree>;
	treeById(ref: RepositoryRef, id: string, signal: AbortSignal): Promise<Tree>;
	/**
	 * Entries at paths of commits, in this order, `undefined` where there is none. Up to eight paths of a commit take one
	 * request; absent where each path would take several.
	 */
	entriesAt?(
		ref: RepositoryRef,
		places: readonly TreePath[],
		signal: AbortSignal,
	): Promise<readonly (TreeEntry | undefined)[]>;
	blob(ref: RepositoryRef, at: TreePath, signal: AbortSignal): Promise<Blob>;
	/**
	 * The same as it arrives, for what is too large to be held; more than `limitBytes` is not taken. `at`: at a full commit
	 * id. What arrives is proven by nobody.
	 */
	blobStream?(
		ref: RepositoryRef,
		at: TreePath,
		limitBytes: number,
		signal: AbortSignal,
	): AsyncGenerator<Uint8Array, void, undefined>;
	/** A file by its id, which proves it: what its id disproves is refused. */
	blobById(wanted: WantedBlob, signal: AbortSignal): Promise<Blob>;
	/** A file by the beginning of its id, as some servers find it. What comes is proven by nobody; one request. */
	blobByShortId?(ref: RepositoryRef, id: string, signal: AbortSignal): Promise<Blob>;
	/** True while `blobById` may need to know where files stand; absent where it never does. Needs no request. */
	wantsPlaces?(ref: RepositoryRef): boolean;
	/**
	 * Bytes of a file that was uploaded for a tag, as they arrive and never more than it is said to have; their sum is
	 * not checked. An account's token goes to the forge's own origin alone: what lies elsewhere is asked for without.
	 */
	artifact?(ref: RepositoryRef, artifact: Artifact, signal: AbortSignal): AsyncGenerator<Uint8Array, void, undefined>;
	/** Short name of the default branch, which REST servers tell even if there is no such branch; `undefined` if `HEAD` leads nowhere. */
	defaultBranch?(ref: RepositoryRef, signal: AbortSignal): Promise<string | undefined>;
	/**
	 * Makes a branch, by its short name, the default one of a repository of one's own; one that is not there is refused as
	 * `invalid`, with `HEAD` as the field (docs/protocol.md#default-branch).
	 */
	setDefaultBranch?(ref: RepositoryRef, branch: string, signal: AbortSignal): Promise<void>;
	/** Full object id of a revision. One with a slash is refused unasked: servers take one segment of a path. */
	lookup?(ref: RepositoryRef, revision: string, signal: AbortSignal): Promise<string>;
}

export interface WebhookApi {
	webhooks(family: WebhookFamily, signal: AbortSignal): Pages<Webhook>;
	webhook(family: WebhookFamily, id: number, signal: AbortSignal): Promise<Webhook>;
	create(family: WebhookFamily, webhook: NewWebhook, signal: AbortSignal): Promise<Webhook>;
	remove(family: WebhookFamily, id: number, signal: AbortSignal): Promise<void>;
	/** What was sent to a webhook, the newest first. */
	deliveries(family: WebhookFamily, id: number, signal: AbortSignal): Pages<WebhookDelivery>;
	/** What there is for a family, as the protocol of its service has it. Needs no request. */
	offers(family: WebhookFamily): WebhookOffers;
	/** What a delivery that came says has to be read again. Sends nothing, and never throws whatever the body is. */
	readDelivery(family: WebhookFamily, event: string, body: Uint8Array): DeliveryReading;
}

/** What a protocol has for the webhooks of a family, where protocols differ. */
export interface WebhookOffers {
	readonly events: GroupEvents;
	/** Whether what a webhook answers during a push is printed to who pushes. */
	readonly isSyncPossible: boolean;
	/**
	 * Whether all tokens that a person makes see all of their webhooks. What each is told stays what the token may see that
	 * made it.
	 */
	readonly areOfPerson: boolean;
	readonly delivery?: (family: WebhookFamily, at: DeliveryAt, signal: AbortSignal) => Promise<WebhookDelivery>;
	readonly redeliver?: (family: WebhookFamily, at: DeliveryAt, signal: AbortSignal) => Promise<void>;
}

/** Names a delivery of a webhook. */
interface DeliveryAt {
	readonly webhookId: number;
	readonly deliveryId: string;
}
