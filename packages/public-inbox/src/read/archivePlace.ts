import { decodedPart } from '@forge-desk/base/decodedPart.ts';
import { bracketed, idInPath, typedMessageId } from './messageId.ts';

/** Mailboxes on this computer have URLs below this one. No program asks for them. */
export const mailboxSite = 'mailbox://this-computer/';

/** The meaning of a text that a person typed or pasted. */
export type ArchivePlace =
	/** A mail, in any inbox. */
	| { readonly kind: 'messageId'; readonly messageId: string }
	/** A mail in an inbox, or below a site that redirects to one of its inboxes. */
	| { readonly kind: 'mail'; readonly inboxUrl: string; readonly messageId: string }
	/** An inbox or a site: an address alone does not say. `query`: the search in the address. */
	| { readonly kind: 'place'; readonly url: string; readonly query: string | undefined };

/** Steps behind an inbox that belong to it: its pages, its epochs, its texts. */
const ownSteps = /^(?:_|\d+|\d+\.git|new\.(?:atom|html)|manifest\.js\.gz|description|all\.mbox\.gz|topics_\w+\.html)$/;

/** Reads an address or a Message-ID. `undefined` for any other text. */
export function readArchivePlace(text: string): ArchivePlace | undefined {
	const trimmed = text.trim().replace(/^<(https?:.*)>$/i, '$1');
	if (!/^https?:\/\//i.test(trimmed)) {
		const messageId = typedMessageId(trimmed);
		return messageId === undefined ? undefined : { kind: 'messageId', messageId };
	}
	const url = URL.parse(trimmed);
	if (url?.username !== '' || url.password !== '') {
		return undefined;
	}
	const steps = url.pathname.split('/').filter((step) => step !== '');
	// People type percent signs of Message-IDs as they are.
	const named = steps.map((step) => decodedPart(step) ?? step);
	const at = named.findIndex((step) => step.includes('@'));
	const bare = named[at];
	if (bare !== undefined) {
		return { kind: 'mail', inboxUrl: urlOf(url, steps.slice(0, at)), messageId: bracketed(bare) };
	}
	const own = steps.findIndex(
		(step, index) =>
			index > 0 && (ownSteps.test(step) || (step === 'git' && /^\d+\.git$/.test(steps[index + 1] ?? ''))),
	);
	const query = url.searchParams.get('q')?.trim();
	return {
		kind: 'place',
		url: urlOf(url, own === -1 ? steps : steps.slice(0, own)),
		query: query === undefined || query === '' ? undefined : query,
	};
}

function urlOf({ origin }: URL, steps: readonly string[]): string {
	return [origin, ...steps, ''].join('/');
}

/** Web page of a mail. */
export function mailUrl(inboxUrl: string, messageId: string): string {
	return `${inboxUrl}${idInPath(messageId)}/`;
}

/** Web page of a mail's thread. */
export function threadUrl(inboxUrl: string, messageId: string): string {
	return `${mailUrl(inboxUrl, messageId)}T/#u`;
}

/** Path of a search behind an inbox. */
export function searchPath(
	query: string,
	how: { readonly from: number; readonly rows: number; readonly asFeed?: true },
): string {
	const said = new URLSearchParams({ q: query, ...(how.asFeed ? { x: 'A' } : {}), l: String(how.rows) });
	if (how.from > 0) {
		said.set('o', String(how.from));
	}
	return `?${said.toString()}`;
}
