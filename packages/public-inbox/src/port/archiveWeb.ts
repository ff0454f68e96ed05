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

/** Hosts of links by Message-ID alone, and the sites that have these mails. */
const linkHosts: ReadonlyMap<string, string> = new Map(
	['patch.msgid.link', 'msgid.link', 'lkml.kernel.org'].map((host) => [host, 'https://lore.kernel.org/']),
);

/** The site of a mail, and its inbox; `name` is `undefined` where the site finds the mail in any inbox, as below `/r/`. */
export function inboxOfMail(inboxUrl: string): { readonly siteUrl: string; readonly name: string | undefined } {
	const linked = linkHosts.get(new URL(inboxUrl).host);
	const inbox = inboxAt(inboxUrl);
	return linked === undefined && inbox && inbox.name !== 'r'
		? inbox
		: { siteUrl: linked ?? inbox?.siteUrl ?? inboxUrl, name: undefined };
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
			const place = readArchivePlace(url.href);
			const at = place?.kind === 'mail' ? inboxOfMail(place.inboxUrl) : undefined;
			if (place?.kind === 'mail' && at?.siteUrl === siteUrl) {
				const list = at.name === undefined ? undefined : { owner, name: at.name };
				return { kind: 'mail', messageId: place.messageId, list };
			}
			const ref = place?.kind === 'place' ? listAt(place.url) : undefined;
			if (ref) {
				return { kind: 'list', ref };
			}
			return place && url.href.startsWith(siteUrl) ? { kind: 'web', href: url.href } : undefined;
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
