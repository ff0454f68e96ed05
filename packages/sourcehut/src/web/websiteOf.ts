import { areasOf, protocolOf, type ForgeInstance, type Protocol } from '../port/instance.ts';
import type { WebAddresses } from '../port/webAddresses.ts';
import { sourcehutWeb } from './sourcehutWeb.ts';

/** The website of each protocol's software. Apart from the makers of forges, which load the network. */
export const websites: Readonly<Record<Protocol, (instance: ForgeInstance) => WebAddresses>> = {
	rest: sourcehutWeb,
	graphql: sourcehutWeb,
};

/** Areas of one forge run the same software, so any of them decides. */
export function websiteOf(instance: ForgeInstance): WebAddresses {
	const [area = 'todo'] = areasOf(instance);
	return websites[protocolOf(instance, area)](instance);
}
