import type { ListRef, PatchsetRef } from '../../../forge/list.ts';
import type { RepositoryRef, TreePath } from '../../../forge/repository.ts';
import type { TicketRef } from '../../../forge/ticket.ts';
import type { TrackerRef } from '../../../forge/tracker.ts';

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
	/** `line` counts from 1. */
	| { readonly kind: 'file'; readonly ref: RepositoryRef; readonly at: TreePath; readonly line: number | undefined }
	| { readonly kind: 'commit'; readonly ref: RepositoryRef; readonly id: string }
	/** A tracker, a list or a repository, whichever there is. */
	| { readonly kind: 'named'; readonly ref: { readonly owner: string; readonly name: string } }
	/** A page that is shown nowhere but on the web. */
	| { readonly kind: 'web'; readonly href: string };

/** What was typed, before any forge is asked. */
export type Typed =
	| { readonly kind: 'nothing' }
	| { readonly kind: 'number'; readonly id: number }
	/** `tracker#12`, with the owner or without. */
	| { readonly kind: 'ticket'; readonly owner: string | undefined; readonly name: string; readonly id: number }
	| { readonly kind: 'named'; readonly owner: string; readonly name: string }
	| { readonly kind: 'address'; readonly url: URL }
	| { readonly kind: 'messageId'; readonly messageId: string }
	| { readonly kind: 'words' };

const number = /^#?([1-9]\d{0,8})$/;
const ticket = /^(?:(~[^/\s#]+)\/)?([\w.-]+)#([1-9]\d{0,8})$/u;
/** The same as it stands in an address. */
const ticketInPath = /^(~[^/\s#]+)\/([\w.-]+)\/([1-9]\d{0,8})\/?$/u;
const named = /^(~[^/\s#]+)\/([^/\s#]+)\/?$/;
const messageId = /^(?:mid:|message-id:\s*)?<?([^<>\s@]+@[^<>\s@]+)>?$/i;

/** A host and an owner: people leave the beginning of an address away. */
const withoutScheme = /^[\w-]+(?:\.[\w-]+)+(?::\d{1,5})?\/(?:~|%7e)/i;

/** Reads what was typed into the box. What is nothing else are words to look for. */
export function readTyped(text: string): Typed {
	const typed = text.trim();
	if (typed === '') {
		return { kind: 'nothing' };
	}
	const address = /^https?:\/\//i.test(typed)
		? URL.parse(typed)
		: withoutScheme.test(typed)
			? URL.parse(`https://${typed}`)
			: null;
	return address ? { kind: 'address', url: address } : (readReference(typed) ?? { kind: 'words' });
}

function readReference(typed: string): Typed | undefined {
	const id = number.exec(typed)?.[1];
	if (id !== undefined) {
		return { kind: 'number', id: Number(id) };
	}
	const [, owner, name, ticketId] = ticket.exec(typed) ?? ticketInPath.exec(typed) ?? [];
	if (name !== undefined && ticketId !== undefined) {
		return { kind: 'ticket', owner, name, id: Number(ticketId) };
	}
	const [, ofOwner, called] = named.exec(typed) ?? [];
	if (ofOwner !== undefined && called !== undefined) {
		return { kind: 'named', owner: ofOwner, name: called };
	}
	const mail = messageId.exec(typed)?.[1];
	return mail === undefined ? undefined : { kind: 'messageId', messageId: `<${mail}>` };
}
