import { areasOf, protocolOf, type ForgeInstance, type Protocol } from '../port/instance.ts';
import type { WebAddresses, WebPage } from '../port/webAddresses.ts';
import { sourcehutWeb } from './sourcehutWeb.ts';

/** The website of each protocol's software. Apart from the makers of forges, which load the network. */
export const websites: Readonly<Record<Protocol, (instance: ForgeInstance) => WebAddresses>> = {
	rest: sourcehutWeb,
	graphql: sourcehutWeb,
};

/** Areas of one forge run the same software, so any of them decides. */
export function webOf(instance: ForgeInstance): WebAddresses {
	const [area = 'todo'] = areasOf(instance);
	return websites[protocolOf(instance, area)](instance);
}

/** The address of a page, or the home of a forge without such pages. */
export function webAddress(instance: ForgeInstance, page: WebPage): string {
	return webOf(instance).address(page) ?? instance.areas.meta;
}
