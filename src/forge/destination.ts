import type { ListRef, PatchsetRef } from './list.ts';
import type { LineRange, RepositoryRef, TreePath } from './repository.ts';
import type { RepositoryWay } from './repositoryWay.ts';
import type { TicketRef } from './ticket.ts';
import type { TrackerRef } from './tracker.ts';
import type { OwnerName } from './user.ts';

/** Something on a forge that one can go to. */
export type Destination =
	| { readonly kind: 'ticket'; readonly ref: TicketRef }
	| { readonly kind: 'tracker'; readonly ref: TrackerRef }
	| { readonly kind: 'list'; readonly ref: ListRef }
	| { readonly kind: 'patchset'; readonly ref: PatchsetRef }
	/** `messageId` with its angle brackets; the list where an address names it. */
	| { readonly kind: 'mail'; readonly messageId: string; readonly list: ListRef | undefined }
	| { readonly kind: 'repository'; readonly ref: RepositoryRef }
	| { readonly kind: 'reference'; readonly ref: RepositoryRef; readonly revision: string }
	| { readonly kind: 'file'; readonly ref: RepositoryRef; readonly at: TreePath; readonly lines: LineRange | undefined }
	/** Only the repository's references tell how much of the way names one of them. `href` is its page on the web. */
	| { readonly kind: 'inRepository'; readonly ref: RepositoryRef; readonly way: RepositoryWay; readonly href: string }
	| { readonly kind: 'commit'; readonly ref: RepositoryRef; readonly id: string }
	/** A tracker, a list or a repository, whichever there is. */
	| { readonly kind: 'named'; readonly ref: { readonly owner: string; readonly name: string } }
	/** Somebody, by `~name` or by an e-mail address. */
	| { readonly kind: 'person'; readonly name: OwnerName }
	/** A page that is shown nowhere but on the web. */
	| { readonly kind: 'web'; readonly href: string };
