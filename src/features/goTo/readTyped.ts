import { decodedPart } from '@forge-desk/base/decodedPart.ts';

/** Typed text, read without a request. */
export type Typed =
	| { readonly kind: 'nothing' }
	| { readonly kind: 'number'; readonly id: number }
	/** `tracker#12`, with the owner or without. */
	| { readonly kind: 'ticket'; readonly owner: string | undefined; readonly name: string; readonly id: number }
	| { readonly kind: 'named'; readonly owner: string; readonly name: string }
	| ListAddress
	| { readonly kind: 'address'; readonly url: URL }
	/** `~alice`, or `~alice words`. */
	| { readonly kind: 'person'; readonly name: string; readonly hasWords: boolean }
	/** `address`: the same text as an email address, if it may be one. */
	| { readonly kind: 'messageId'; readonly messageId: string; readonly address: string | undefined }
	/** Part of a commit id. `isLikely`: no word has digits in it. */
	| { readonly kind: 'commit'; readonly id: string; readonly isLikely: boolean }
	| { readonly kind: 'words'; readonly text: string };

/** A list's email address. `isDotted`: in a form that a person's address may have, too. */
export interface ListAddress {
	readonly kind: 'listAddress';
	readonly owner: string;
	readonly name: string;
	readonly host: string;
	readonly address: string;
	readonly isDotted: boolean;
}

const number = /^#?([1-9]\d{0,8})$/;
const ticket = /^(?:(~[^/\s#]+)\/)?([\w.-]+)#([1-9]\d{0,8})$/u;
/** The same as part of a URL. */
const ticketInPath = /^(~[^/\s#]+)\/([\w.-]+)\/([1-9]\d{0,8})\/?$/u;
const named = /^(~[^/\s#]+)\/([^/\s#]+)\/?$/;
/** Git abbreviates ids to seven digits or more. */
const commit = /^[\da-f]{7,64}$/i;
const person = /^(~[^/\s#~]+)(?:\/?$|\s(.+))/;
const messageId = /^(?:mid:|message-id:\s*)?<?([^<>\s@]+@[^<>\s@]+)>?$/i;
/** `mailto:a@b`, or `Alice <a@b>`. */
const address = /^(?:mailto:|[^<>@:]*\s<)([^<>\s@?]+@[^<>\s@?]+)(?:>|\?\S*)?$/i;

/** A bare email address, `mailto:`, or `Alice <a@b>`. */
const oneAddress = /^(?:[^<>]*<)?(?:mailto:)?([^<>\s?]+@[^<>\s?]+)(?:\?[^\s<>]*)?>?$/i;
/** `~owner/list@host` or `u.owner.list@host`, also with a command such as `+subscribe` (docs/protocol.md#list-addresses). */
const ofList = /^(?:~([\w-]+)\/|u\.([\w-]+)\.)([\w.-]+)(?:\+[\w-]*)?@([\w-]+(?:\.[\w-]+)*)$/i;

/** A URL without its scheme. */
const withoutScheme = /^[\w-]+(?:\.[\w-]+)+(?::\d{1,5})?\/(?:~|%7e)/i;

/** Falls back to words. */
export function readTyped(text: string): Typed {
	const typed = text.trim();
	if (typed === '') {
		return { kind: 'nothing' };
	}
	const url = /^https?:\/\//i.test(typed)
		? URL.parse(typed)
		: withoutScheme.test(typed)
			? URL.parse(`https://${typed}`)
			: null;
	if (url) {
		return { kind: 'address', url };
	}
	const id = number.exec(typed)?.[1];
	if (id !== undefined) {
		return { kind: 'number', id: Number(id) };
	}
	const [, owner, name, ticketId] = ticket.exec(typed) ?? ticketInPath.exec(typed) ?? [];
	if (name !== undefined && ticketId !== undefined) {
		return { kind: 'ticket', owner, name, id: Number(ticketId) };
	}
	return readListAddress(typed) ?? readName(typed) ?? { kind: 'words', text: typed };
}

function readListAddress(typed: string): ListAddress | undefined {
	const address = decodedPart(oneAddress.exec(typed)?.[1] ?? '') ?? '';
	const [, tilde, dotted, name, host] = ofList.exec(address) ?? [];
	const owner = tilde ?? dotted;
	return owner === undefined || name === undefined || host === undefined
		? undefined
		: { kind: 'listAddress', owner: `~${owner}`, name, host, address, isDotted: tilde === undefined };
}

function readName(typed: string): Typed | undefined {
	const [, owner, called] = named.exec(typed) ?? [];
	if (owner !== undefined && called !== undefined) {
		return { kind: 'named', owner, name: called };
	}
	if (commit.test(typed)) {
		return { kind: 'commit', id: typed.toLowerCase(), isLikely: /\d/.test(typed) };
	}
	const [, name, words] = person.exec(typed) ?? [];
	if (name !== undefined) {
		return { kind: 'person', name, hasWords: words !== undefined };
	}
	// `a@b` may be an email address or a Message-ID.
	const [, ofPerson] = address.exec(typed) ?? [];
	if (ofPerson !== undefined) {
		return { kind: 'messageId', messageId: `<${ofPerson}>`, address: ofPerson };
	}
	const mail = messageId.exec(typed)?.[1];
	return mail === undefined
		? undefined
		: { kind: 'messageId', messageId: `<${mail}>`, address: mail === typed ? mail : undefined };
}
