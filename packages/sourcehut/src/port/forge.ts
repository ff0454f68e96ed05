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
 * Boundary between the features and the protocols. Methods throw only `ForgeError` or an abort. A missing member means
 * that the protocol or server lacks the feature. If only a refusal reveals the lack, the method throws `notOffered` and
 * the member disappears, so callers check the member on every use. An `undefined` owner means the account itself.
 */

/** All operations of one account on one forge. */
export interface Forge {
	/** `~name` of the account. */
	readonly me: OwnerName;
	readonly users: UserApi;
	readonly trackers: TrackerApi;
	readonly lists: ListApi;
	readonly repositories: RepositoryApi;
	readonly webhooks: WebhookApi;
	/** Absent if the forge has no project service, or its address is unknown. */
	readonly projects?: ProjectApi;
}

/** Users, as each area knows them. */
export interface UserApi {
	user(area: ContentArea, name: OwnerName | undefined, signal: AbortSignal): Promise<User>;
	/** Software version of the area's server; "unknown" is valid. */
	version?(area: ContentArea, signal: AbortSignal): Promise<string>;
}

export interface TrackerApi {
	trackers(owner: OwnerName | undefined, signal: AbortSignal): Pages<Tracker>;
	tracker(ref: TrackerRef, signal: AbortSignal): Promise<Tracker>;
	/** Throws `asksForVisibility` if the server requires a visibility. No tracker exists then. */
	create(tracker: NewTracker, signal: AbortSignal): Promise<Tracker>;
	/** `undefined` if the server sends no answer. The contract does not show one. */
	update(ref: TrackerRef, description: string, signal: AbortSignal): Promise<Tracker | undefined>;
	remove(ref: TrackerRef, signal: AbortSignal): Promise<void>;
	labels(ref: TrackerRef, signal: AbortSignal): Pages<Label>;
	/** The account's mail subscriptions. Absent if only the web knows them. */
	readonly subscriptions?: TicketMails;
	/** Creates, changes and deletes labels. Absent if only the web can do it. */
	readonly labelMaking?: LabelMaking;
	/** Newest number first. */
	tickets(ref: TrackerRef, signal: AbortSignal): Pages<Ticket>;
	/** Resumes the same list further down, one page at a time, for background reads. */
	readonly ticketsOn: TicketsOn;
	/** Bulk reads. Absent if each timeline costs a request. */
	readonly inBulk?: TicketsInBulk;
	ticket(ref: TicketRef, signal: AbortSignal): Promise<Ticket>;
	submit(ref: TrackerRef, ticket: NewTicket, signal: AbortSignal): Promise<Ticket>;
	/** Limits of status changes learnt from earlier answers. Sends no request. */
	statusLimits(): StatusLimits;
	/**
	 * Sends the request once, after the reads that it needs. Throws if nothing was sent, or if the server refused
	 * everything. A write in doubt is an outcome, not an error.
	 */
	updateTicket(
		ref: TicketRef,
		asked: Omit<TicketRequest, 'assignees'> & Leaving,
		signal: AbortSignal,
	): Promise<TicketOutcome>;
	/**
	 * Assigns and unassigns users, with the outcomes of `updateTicket`. Refuses unknown users before the request.
	 * Absent if only the web can do it.
	 */
	readonly assign?: (ref: TicketRef, asked: AssigneeRequest & Leaving, signal: AbortSignal) => Promise<TicketOutcome>;
	/** Deletes a ticket and its timeline permanently. Absent if only the web can do it. */
	readonly removeTicket?: (ref: TicketRef, signal: AbortSignal) => Promise<void>;
	/** Changes title or description. Absent if only the web can do it. */
	readonly edit?: (ref: TicketRef, change: TextChange, signal: AbortSignal) => Promise<Ticket>;
	/**
	 * Restores changes of others that sending labels has overwritten. Call it after reading the result (`seen`). Absent
	 * if changing labels leaves all others alone.
	 */
	restoreLabels?(ref: TicketRef, sent: SentLabels, seen: ChangedTicket, signal: AbortSignal): Promise<RestoredLabels>;
	/** Newest first. */
	events(ref: TicketRef, signal: AbortSignal): Pages<TicketEvent>;
	/** The comment may return with a new id. Refuses a comment without an id. */
	editComment?: ((ref: TicketRef, comment: Comment, text: string, signal: AbortSignal) => Promise<Comment>) | undefined;
}

/** Mail subscriptions to trackers and tickets. */
export interface TicketMails {
	isSubscribed(to: Subscribable, signal: AbortSignal): Promise<boolean>;
	/** No-op if the state matches already. */
	setSubscribed(to: Subscribable, isWanted: boolean, signal: AbortSignal): Promise<void>;
}

/** Labels of the user's own trackers, by name. */
export interface LabelMaking {
	create(ref: TrackerRef, label: NewLabel, signal: AbortSignal): Promise<Label>;
	/** Keeps omitted fields. Tickets keep the label. */
	change(ref: TrackerRef, name: string, change: Partial<NewLabel>, signal: AbortSignal): Promise<Label>;
	/** Also removes the label from all tickets. */
	remove(ref: TrackerRef, name: string, signal: AbortSignal): Promise<void>;
}

/** Ways to start a ticket walk below the newest ticket. */
export type TicketsOn =
	/** Starts at number `from` (included), descending. A server that can't start there sends its own pages. */
	| {
			readonly kind: 'fromNumber';
			readonly read: (ref: TrackerRef, from: number, signal: AbortSignal) => Pages<Ticket>;
	  }
	/**
	 * Continues after a saved `next`, even one from an earlier window. `invalid`: the server no longer accepts the
	 * cursor.
	 */
	| {
			readonly kind: 'afterCursor';
			readonly read: (ref: TrackerRef, cursor: Cursor, signal: AbortSignal) => Pages<Ticket>;
	  };

/** Bulk reads of tickets. Each answer is one request. */
export interface TicketsInBulk {
	/** The newest page, or the page after a saved `next`, as in `TicketsOn`. */
	pages(ref: TrackerRef, after: Cursor | undefined, signal: AbortSignal): Pages<TicketInFull>;
	ticket(ref: TicketRef, signal: AbortSignal): Promise<TicketInFull>;
	/** Maximum count of numbers for `changedMs`. */
	readonly mostNumbers: number;
	/**
	 * Last changes by ticket number, without missing tickets. `Infinity` if the server failed to send the time. Throws
	 * `notFound` for all numbers if the server can't report missing ones.
	 */
	changedMs(ref: TrackerRef, numbers: readonly number[], signal: AbortSignal): Promise<ReadonlyMap<number, number>>;
	/** Maximum count of pages for `changedOn`. */
	readonly mostPages: number;
	/**
	 * Numbers and last changes on pages of several trackers: each the newest one, or the page after a saved `next`.
	 * Maps by number, in order; `undefined` for a missing tracker, or a page that the server failed to send.
	 */
	changedOn(
		pages: readonly { readonly ref: TrackerRef; readonly after: Cursor | undefined }[],
		signal: AbortSignal,
	): Promise<readonly (ReadonlyMap<number, number> | undefined)[]>;
}

/** A ticket with its newest events. */
export interface TicketInFull {
	readonly ticket: Ticket;
	/** `undefined` if the server did not include it. */
	readonly timeline: Pick<Page<TicketEvent>, 'items' | 'completeness'> | undefined;
}

export interface ListActivity {
	/** Maximum count of lists for `lastMs`. */
	readonly mostLists: number;
	/**
	 * Time of the last mail by `listKey`; 0 without mails. Omits missing lists, and all lists if the server doesn't know
	 * the times.
	 */
	lastMs(lists: readonly ListRef[], signal: AbortSignal): Promise<ReadonlyMap<string, number>>;
}

export interface ListApi {
	lists(owner: OwnerName | undefined, signal: AbortSignal): Pages<MailingList>;
	list(ref: ListRef, signal: AbortSignal): Promise<MailingList>;
	create(list: { readonly name: string; readonly description?: string }, signal: AbortSignal): Promise<MailingList>;
	update(ref: ListRef, description: string, signal: AbortSignal): Promise<MailingList>;
	remove?: ((ref: ListRef, signal: AbortSignal) => Promise<void>) | undefined;
	/** First mails of threads on observed servers; all mails according to the document. */
	posts(ref: ListRef, signal: AbortSignal): Pages<ShortEmail>;
	/** All matching mails of a list, through the server's search (docs/protocol.md#list-search). */
	search?(ref: ListRef, terms: string, signal: AbortSignal): Pages<ShortEmail>;
	/** Prefixes that `search` understands, as `dfn` without its colon. Absent if they are those of the forge. */
	searchPrefixes?(
		ref: ListRef,
		signal: AbortSignal,
	): Promise<readonly { readonly name: string; readonly text: string }[]>;
	/** Terms of a search for patches that change one of these files, perhaps among others. Empty: no search finds them. Absent if no search knows files. */
	fileTerms?(paths: readonly string[]): string;
	/** All mails of a list, newest first. Absent if `posts` lists all, or if the server has `emailsOf`. */
	mails?(ref: ListRef, signal: AbortSignal): Pages<ShortEmail>;
	/** Last changes of many lists at once. Absent if each list costs a request. */
	readonly activity?: ListActivity;
	/** `updatedMs` of a list moves with each mail, on observed servers (docs/protocol.md#times-of-lists). */
	readonly updatesWithMails?: true;
	/** Threads include replies that name no parent. Others are looked for among the posts. */
	readonly hasWholeThreads?: true;
	/**
	 * Every mail of a list in order of arrival, piece by piece. Yields nothing if the account can't read the list. The
	 * total size is unknown until the end.
	 */
	archive?(ref: ListRef, wanted: WantedArchive, signal: AbortSignal): AsyncGenerator<ArchivePiece, void, undefined>;
	/** A user's mails in all lists. */
	emailsOf?(user: OwnerName | undefined, signal: AbortSignal): Pages<ShortEmail>;
	email(id: EmailId, signal: AbortSignal): Promise<Email>;
	/**
	 * Mails of a thread in `mailOrder`: first mail first, replies after their parents. `id` names the first mail. Short
	 * forms if the server sends them.
	 */
	thread(id: EmailId, signal: AbortSignal): Promise<readonly (Email | ShortEmail)[]>;
	patchsets(ref: ListRef, signal: AbortSignal): Pages<Patchset>;
	patchset(ref: PatchsetRef, signal: AbortSignal): Promise<Patchset>;
	/** All versions of a patchset, itself included, as rows. Empty if there is no other. Absent: the patchsets of the list have them. */
	versions?(ref: PatchsetRef, signal: AbortSignal): Promise<readonly Patchset[]>;
	setPatchsetStatus(ref: PatchsetRef, status: SettablePatchsetStatus, signal: AbortSignal): Promise<Patchset>;
	/** Patches without the cover letter, in series order. */
	patches(ref: PatchsetRef, signal: AbortSignal): Pages<Email>;
	/** `named`: known lists, queried one by one if the server doesn't list all subscriptions. */
	subscriptions(named: readonly ListRef[], signal: AbortSignal): Pages<Subscription>;
	subscription?(id: number, signal: AbortSignal): Promise<Subscription>;
	subscribe(ref: ListRef, signal: AbortSignal): Promise<Subscription>;
	unsubscribe(subscription: Pick<Subscription, 'id' | 'list'>, signal: AbortSignal): Promise<void>;
}

export interface RepositoryApi {
	repositories(owner: OwnerName | undefined, signal: AbortSignal): Pages<Repository>;
	/** An owner's repositories with a text in name or description. Absent if servers can't search. */
	search?(owner: OwnerName, text: string, signal: AbortSignal): Pages<Repository>;
	repository(ref: RepositoryRef, signal: AbortSignal): Promise<Repository>;
	/** Current name of a renamed repository, learnt from answers. Sends no request. Absent if servers hide renames. */
	nowCalled?(ref: RepositoryRef): RepositoryRef;
	create(repository: NewRepository, signal: AbortSignal): Promise<Repository>;
	/** `undefined` if the server sends no answer. */
	update(ref: RepositoryRef, changes: RepositoryChanges, signal: AbortSignal): Promise<Repository | undefined>;
	remove(ref: RepositoryRef, signal: AbortSignal): Promise<void>;
	references(ref: RepositoryRef, signal: AbortSignal): Pages<Reference>;
	/** References without their uploaded files. Absent if the files cost no extra requests. */
	targets?(ref: RepositoryRef, signal: AbortSignal): Pages<Reference>;
	/** First pages of references of so many repositories share a request, if asked for in one turn. */
	readonly referencesTogether?: number;
	/** Newest first, from `from` (a reference name or id) or from the default branch. */
	log(ref: RepositoryRef, from: string | undefined, signal: AbortSignal): Pages<Commit>;
	/** Without `at`: the root of the default branch. */
	tree(ref: RepositoryRef, at: TreePath | undefined, signal: AbortSignal): Promise<Tree>;
	treeById(ref: RepositoryRef, id: string, signal: AbortSignal): Promise<Tree>;
	/**
	 * Entries at paths of commits, in this order: `undefined` if nothing is there, `unread` if the server failed on this path.
	 * Up to eight paths of a commit take one request. Absent if each path would take several requests.
	 */
	entriesAt?(
		ref: RepositoryRef,
		places: readonly TreePath[],
		signal: AbortSignal,
	): Promise<readonly (TreeEntry | 'unread' | undefined)[]>;
	blob(ref: RepositoryRef, at: TreePath, signal: AbortSignal): Promise<Blob>;
	/**
	 * Streams a file that is too large for memory, up to `limitBytes`. `at` needs a full commit id. Nothing verifies
	 * the bytes.
	 */
	blobStream?(
		ref: RepositoryRef,
		at: TreePath,
		limitBytes: number,
		signal: AbortSignal,
	): AsyncGenerator<Uint8Array, void, undefined>;
	/** Reads a file by id and verifies the content against the id. */
	blobById(wanted: WantedBlob, signal: AbortSignal): Promise<Blob>;
	/**
	 * Reads a file by an abbreviated id, in one request. Only some servers support it. Nothing verifies the content.
	 */
	blobByShortId?(ref: RepositoryRef, id: string, signal: AbortSignal): Promise<Blob>;
	/** True while `blobById` may need file paths. Absent if it never does. Sends no request. */
	wantsPlaces?(ref: RepositoryRef): boolean;
	/**
	 * Streams a file uploaded for a tag, up to its stated size. Does not verify the checksum. Sends the token only to
	 * the forge's own origin.
	 */
	artifact?(ref: RepositoryRef, artifact: Artifact, signal: AbortSignal): AsyncGenerator<Uint8Array, void, undefined>;
	/**
	 * Short name of the default branch; `undefined` if `HEAD` points nowhere. REST servers name a branch even if it
	 * does not exist.
	 */
	defaultBranch?(ref: RepositoryRef, signal: AbortSignal): Promise<string | undefined>;
	/**
	 * Sets the default branch of an own repository by short name. A missing branch throws `invalid` with the field
	 * `HEAD` (docs/protocol.md#default-branch).
	 */
	setDefaultBranch?(ref: RepositoryRef, branch: string, signal: AbortSignal): Promise<void>;
	/** Full object id of a revision. Refuses a slash without a request: servers take one path segment. */
	lookup?(ref: RepositoryRef, revision: string, signal: AbortSignal): Promise<string>;
}

export interface WebhookApi {
	webhooks(family: WebhookFamily, signal: AbortSignal): Pages<Webhook>;
	webhook(family: WebhookFamily, id: number, signal: AbortSignal): Promise<Webhook>;
	create(family: WebhookFamily, webhook: NewWebhook, signal: AbortSignal): Promise<Webhook>;
	remove(family: WebhookFamily, id: number, signal: AbortSignal): Promise<void>;
	/** Deliveries of a webhook, newest first. */
	deliveries(family: WebhookFamily, id: number, signal: AbortSignal): Pages<WebhookDelivery>;
	/** Webhook features of a family in its service's protocol. Sends no request. */
	offers(family: WebhookFamily): WebhookOffers;
	/** Resources that a received delivery makes stale. Sends no request, and never throws on any body. */
	readDelivery(family: WebhookFamily, event: string, body: Uint8Array): DeliveryReading;
}

/** Webhook features that differ between protocols. */
export interface WebhookOffers {
	readonly events: GroupEvents;
	/** True if a push prints the webhook's response to the pusher. */
	readonly isSyncPossible: boolean;
	/**
	 * True if each token of a person sees webhooks of all their tokens. A webhook's content depends on the token that
	 * created it.
	 */
	readonly areOfPerson: boolean;
	readonly delivery?: (family: WebhookFamily, at: DeliveryAt, signal: AbortSignal) => Promise<WebhookDelivery>;
	readonly redeliver?: (family: WebhookFamily, at: DeliveryAt, signal: AbortSignal) => Promise<void>;
}

interface DeliveryAt {
	readonly webhookId: number;
	readonly deliveryId: string;
}
