import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Forge } from 'sourcehut/port/forge.ts';
import type { Dialect } from './sampleForge.ts';

/** Services with optional members, named like `trackers.assign`. */
type Services = Pick<Forge, 'users' | 'trackers' | 'lists' | 'repositories' | 'webhooks'>;

/** Optional features that are not members of a service. */
const others = {
	/** Setting a status directly after resolving, and changing a resolution. */
	changedResolutions: ({ trackers }: Forge) => trackers.statusLimits().changesResolutions === true,
	/** Webhooks whose bodies answer a query of the client. */
	eventQueries: ({ webhooks }: Forge) =>
		webhooks.offers({ kind: 'user', area: 'todo' }).events.all.includes('TRACKER_CREATED'),
	projects: ({ projects }: Forge) => projects !== undefined,
	redelivery: ({ webhooks }: Forge) => {
		const { delivery, redeliver } = webhooks.offers({ kind: 'user', area: 'todo' });
		return delivery !== undefined && redeliver !== undefined;
	},
} satisfies Readonly<Record<string, (forge: Forge) => boolean>>;

type Other = keyof typeof others;

/** An optional feature: a member of the port by its name, or one of a few others. */
export type Offer = { [S in keyof Services]: `${S}.${keyof Services[S] & string}` }[keyof Services] | Other;

/** Names of all features that are not members. */
export const otherOffers: readonly Other[] = ['changedResolutions', 'eventQueries', 'projects', 'redelivery'];

function isOther(offer: Offer): offer is Other {
	return otherOffers.some((each) => each === offer);
}

/** Names of the members of a forge's services; without absent ones. */
export function membersOf({ users, trackers, lists, repositories, webhooks }: Services): ReadonlySet<string> {
	return new Set(
		Object.entries({ users, trackers, lists, repositories, webhooks }).flatMap(([service, members]) =>
			Object.entries(members).flatMap(([member, value]) => (value === undefined ? [] : [`${service}.${member}`])),
		),
	);
}

/** True if a client has the feature. */
export function isOffered(forge: Forge, offer: Offer): boolean {
	return isOther(offer) ? others[offer](forge) : membersOf(forge).has(offer);
}

const page = readFileSync(join(import.meta.dirname, '../../docs/port.md'), 'utf8');

/** Number of members in both protocols, by docs/port.md. */
export const membersInBoth = Number(/Both protocols have the other (\d+) members/.exec(page)?.[1]);

/** Rows of docs/port.md for features of a single protocol: name, REST, GraphQL. */
export const toldOffers: readonly (readonly [string, boolean, boolean])[] = [
	...page.matchAll(/^\| `(?<name>[\w.]+)` \| (?<inRest>yes|–) \| (?<inGraphql>yes|–) \|/gm),
].map(({ groups }) => [groups?.['name'] ?? '', groups?.['inRest'] === 'yes', groups?.['inGraphql'] === 'yes']);

/** True if forges of a dialect have the feature, by docs/port.md. */
export function isTold(dialect: Dialect, offer: string): boolean {
	const [, inRest = true, inGraphql = true] = toldOffers.find(([name]) => name === offer) ?? [];
	return dialect === 'graphql' ? inGraphql : inRest;
}
