import type { Destination } from './destination.ts';
import type { ContentArea } from './instance.ts';
import type { ListRef, PatchsetRef } from './list.ts';
import type { LineRange, RepositoryRef, TreePath } from './repository.ts';
import type { TicketRef } from './ticket.ts';
import type { TrackerRef } from './tracker.ts';
import type { OwnerName } from './user.ts';

/** A page of a forge on the web. */
export type WebPage =
	/** `area`: where the person is named. Without it, the page that also takes e-mail addresses. */
	| { readonly kind: 'person'; readonly name: OwnerName; readonly area?: ContentArea }
	| { readonly kind: 'tracker' | 'labels'; readonly ref: TrackerRef }
	/** `event`: an entry of the timeline. */
	| { readonly kind: 'ticket'; readonly ref: TicketRef; readonly event?: number }
	| { readonly kind: 'editTicket' | 'deleteTicket'; readonly ref: TicketRef }
	| { readonly kind: 'editComment'; readonly ref: TicketRef; readonly comment: number }
	| { readonly kind: 'list'; readonly ref: ListRef }
	| { readonly kind: 'patchset'; readonly ref: PatchsetRef }
	/** `messageId`: with angle brackets. */
	| { readonly kind: 'mail'; readonly list: ListRef; readonly messageId: string }
	| { readonly kind: 'repository'; readonly ref: RepositoryRef }
	| { readonly kind: 'reference'; readonly ref: RepositoryRef; readonly revision: string }
	| {
			readonly kind: 'folder' | 'file' | 'submodule';
			readonly ref: RepositoryRef;
			readonly at: TreePath;
			readonly lines?: LineRange | undefined;
	  }
	/** `tag`: full name of the reference. */
	| { readonly kind: 'artifact'; readonly ref: RepositoryRef; readonly tag: string }
	| { readonly kind: 'commit'; readonly ref: RepositoryRef; readonly id: string };

/** Web addresses of one forge, in both directions. Sends no request. */
export interface WebAddresses {
	/** `undefined` if the forge has no such page, or if a name would change the path. */
	address(page: WebPage): string | undefined;
	/** `undefined` for an address outside the forge. A page without a view is a destination `web`. */
	destination(url: URL): Destination | undefined;
	/** Mailbox of a patchset's or a mail's page, which `git am` reads. */
	mailbox(page: string): string;
	/** Addresses for git. */
	remotes(ref: RepositoryRef): { readonly https: string; readonly ssh: string } | undefined;
	/*
	 * Readers of a typed name, such as `~owner/name`, or a pasted address. Absent without the area. `undefined` for other
	 * forges and areas.
	 */
	pastedReference?(text: string): PastedReference | undefined;
	pastedList?(text: string): ListRef | undefined;
	pastedRepository?(text: string): RepositoryRef | undefined;
}

/** A pasted address or a written reference. */
export type PastedReference =
	| { readonly kind: 'tracker'; readonly tracker: TrackerRef }
	| { readonly kind: 'ticket'; readonly ticket: TicketRef };
