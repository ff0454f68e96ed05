import { decodedPart } from '@forge-desk/base/decodedPart.ts';
import type { ListRef } from 'sourcehut/port/list.ts';
import type { WebAddresses } from 'sourcehut/port/webAddresses.ts';
import { mailUrl, readArchivePlace } from '../read/archivePlace.ts';

/** The site that has an inbox, and the inbox's name. `undefined` for the URL of a site. */
export function inboxAt(inboxUrl: string): { readonly siteUrl: string; readonly name: string } | undefined {
	const [, siteUrl, written = ''] = /^(https?:\/\/[^/?#]+\/(?:[^?#]+\/)?)([^/?#]+)\/$/.exec(inboxUrl) ?? [];
	const name = decodedPart(written);
	return siteUrl === undefined || name === undefined || !isName(name) ? undefined : { siteUrl, name };
}

/** Dots lead to other folders. */
function isName(text: string): boolean {
	return !/^\.{0,2}$/.test(text);
}

export function inboxUrlOf(siteUrl: string, name: string): string {
	return `${siteUrl}${encodeURIComponent(name)}/`;
}

/** The pages of a site of archives. */
export function archiveWeb(siteUrl: string): WebAddresses {
	const owner = new URL(siteUrl).host;
	const listAt = (inboxUrl: string): ListRef | undefined => {
		const inbox = inboxAt(inboxUrl);
		return inbox?.siteUrl === siteUrl ? { owner, name: inbox.name } : undefined;
	};
	return {
		address(page) {
			if (page.kind === 'mail' && isName(page.list.name)) {
				return mailUrl(inboxUrlOf(siteUrl, page.list.name), page.messageId);
			}
			return page.kind === 'list' && isName(page.ref.name) ? inboxUrlOf(siteUrl, page.ref.name) : undefined;
		},
		destination(url) {
			const place = url.href.startsWith(siteUrl) ? readArchivePlace(url.href) : undefined;
			const list = place?.kind === 'mail' ? listAt(place.inboxUrl) : place?.kind === 'place' && listAt(place.url);
			if (!place || !list) {
				return place && { kind: 'web', href: url.href };
			}
			return place.kind === 'mail' ? { kind: 'mail', messageId: place.messageId, list } : { kind: 'list', ref: list };
		},
		mailbox: (page) => `${page}raw`,
		remotes: () => undefined,
		pastedList(text) {
			const place = readArchivePlace(text);
			const url = place?.kind === 'mail' ? place.inboxUrl : place?.kind === 'place' ? place.url : undefined;
			const typed = text.trim();
			const [, named] = typed.startsWith(`${owner}/`) ? (/^[^/]+\/([^/\s?#]+)\/?$/.exec(typed) ?? []) : [];
			if (named !== undefined && isName(named)) {
				return { owner, name: named };
			}
			return url === undefined ? undefined : listAt(url);
		},
	};
}
