import { archiveWeb } from 'public-inbox/port/archiveWeb.ts';
import type { ForgeInstance } from 'sourcehut/port/instance.ts';
import type { WebAddresses, WebPage } from 'sourcehut/port/webAddresses.ts';
import { websiteOf } from 'sourcehut/web/websiteOf.ts';

/** The website of a forge or archive. */
export function webOf(instance: ForgeInstance): WebAddresses {
	return instance.archiveUrl === undefined ? websiteOf(instance) : archiveWeb(instance.archiveUrl);
}

/** The address of a page, or the home of a forge without such pages. */
export function webAddress(instance: ForgeInstance, page: WebPage): string {
	return webOf(instance).address(page) ?? instance.archiveUrl ?? instance.areas.meta;
}
