import { assertNever } from '../base/assertNever.ts';
import type { ListRef, MailName, PatchsetRef } from './list.ts';
import type { NamedRef } from './namedRef.ts';
import type { LineRange, RepositoryRef, TreePath } from './repository.ts';
import type { RepositoryWay } from './repositoryWay.ts';
import type { TicketRef } from './ticket.ts';
import type { TrackerRef } from './tracker.ts';
import type { OwnerName } from './user.ts';

/** Where a mail is, as an address names it. */
export interface MailPlace extends MailName {
	/** Message-ID of the first mail of its conversation, where an address names that beside it. */
	readonly thread?: string;
}

/** Something on a forge that one can go to. */
export type Destination =
	/** `event`: of its timeline, where an address names one. */
	| { readonly kind: 'ticket'; readonly ref: TicketRef; readonly event?: number }
	| { readonly kind: 'tracker'; readonly ref: TrackerRef }
	| { readonly kind: 'list'; readonly ref: ListRef }
	/** `mail`: the Message-ID of one of its mails, where an address names that; `file`: a path in that patch. */
	| { readonly kind: 'patchset'; readonly ref: PatchsetRef; readonly mail?: string; readonly file?: string }
	| ({ readonly kind: 'mail' } & MailPlace)
	| { readonly kind: 'repository'; readonly ref: RepositoryRef }
	| { readonly kind: 'reference'; readonly ref: RepositoryRef; readonly revision: string }
	| { readonly kind: 'file'; readonly ref: RepositoryRef; readonly at: TreePath; readonly lines: LineRange | undefined }
	/** Only the repository's references tell how much of the way names one of them. `href` is its page on the web. */
	| { readonly kind: 'inRepository'; readonly ref: RepositoryRef; readonly way: RepositoryWay; readonly href: string }
	/** The commits of a reference, or those that changed what stands at a path. */
	| {
			readonly kind: 'log';
			readonly ref: RepositoryRef;
			readonly revision: string;
			readonly path: string | undefined;
	  }
	| { readonly kind: 'commit'; readonly ref: RepositoryRef; readonly id: string }
	/** A tracker, a list or a repository, whichever there is. */
	| { readonly kind: 'named'; readonly ref: { readonly owner: string; readonly name: string } }
	/** Somebody, by `~name` or by an e-mail address. */
	| { readonly kind: 'person'; readonly name: OwnerName }
	/** A page that is shown nowhere but on the web. */
	| { readonly kind: 'web'; readonly href: string };

/** The tracker, list, repository or owner that a destination is in. An account is chosen by it. */
export function nameIn(to: Destination): NamedRef | undefined {
	switch (to.kind) {
		case 'ticket':
			return to.ref.tracker;
		case 'patchset':
			return to.ref.list;
		case 'mail':
			return to.list;
		case 'person':
			return { owner: to.name, name: '' };
		case 'web':
			return undefined;
		case 'tracker':
		case 'list':
		case 'repository':
		case 'reference':
		case 'file':
		case 'inRepository':
		case 'log':
		case 'commit':
		case 'named':
			return to.ref;
		default:
			return assertNever(to);
	}
}
