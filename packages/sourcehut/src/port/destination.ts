import { assertNever } from '@forge-desk/base/assertNever.ts';
import type { ListRef, MailName, PatchsetRef } from './list.ts';
import type { NamedRef } from './namedRef.ts';
import type { LineRange, RepositoryRef, TreePath } from './repository.ts';
import type { TicketRef } from './ticket.ts';
import type { TrackerRef } from './tracker.ts';
import type { OwnerName } from './user.ts';

/** A mail in a web address. */
export interface MailPlace extends MailName {
	/** Message-ID of the first mail of its thread, if the address has one. */
	readonly thread?: string;
}

/**
 * The part of a web address after the repository's name (docs/protocol.md#web-addresses), such as
 * `tree/feature/x/item/src/main.c`. References may contain slashes, and `item` is a valid name for references and
 * folders.
 */
export interface RepositoryWay {
	readonly page: 'tree' | 'log' | 'blob' | 'blame' | 'refs';
	/** Decoded, never empty. */
	readonly steps: readonly string[];
	/** Selected lines of a file. */
	readonly lines: LineRange | undefined;
}

/** A navigation target on a forge. */
export type Destination =
	/** `event`: a timeline entry, if the address has one. */
	| { readonly kind: 'ticket'; readonly ref: TicketRef; readonly event?: number }
	| { readonly kind: 'tracker'; readonly ref: TrackerRef }
	| { readonly kind: 'list'; readonly ref: ListRef }
	/** `mail`: Message-ID of one of its mails, if the address has one; `file`: a path in that patch. */
	| { readonly kind: 'patchset'; readonly ref: PatchsetRef; readonly mail?: string; readonly file?: string }
	| ({ readonly kind: 'mail' } & MailPlace)
	| { readonly kind: 'repository'; readonly ref: RepositoryRef }
	| { readonly kind: 'reference'; readonly ref: RepositoryRef; readonly revision: string }
	| { readonly kind: 'file'; readonly ref: RepositoryRef; readonly at: TreePath; readonly lines: LineRange | undefined }
	/** The split between reference and path depends on the repository's references. `href`: its web page. */
	| { readonly kind: 'inRepository'; readonly ref: RepositoryRef; readonly way: RepositoryWay; readonly href: string }
	/** Commits of a reference, or only those that change a path. */
	| {
			readonly kind: 'log';
			readonly ref: RepositoryRef;
			readonly revision: string;
			readonly path: string | undefined;
	  }
	| { readonly kind: 'commit'; readonly ref: RepositoryRef; readonly id: string }
	/** A tracker, list or repository with this name. */
	| { readonly kind: 'named'; readonly ref: { readonly owner: string; readonly name: string } }
	/** A user, by `~name` or e-mail address. */
	| { readonly kind: 'person'; readonly name: OwnerName }
	/** A page without a view in the editor. */
	| { readonly kind: 'web'; readonly href: string };

/** The tracker, list, repository or owner of a destination, for choosing an account. */
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
