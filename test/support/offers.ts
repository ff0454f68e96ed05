import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Forge } from 'sourcehut/port/forge.ts';
import type { Dialect } from './sampleForge.ts';

/** Services whose members are asked for by name, such as `trackers.assign`. */
type Services = Pick<Forge, 'users' | 'trackers' | 'lists' | 'repositories' | 'webhooks'>;

/** What not every protocol has, and what is no member of a service. */
const others = {
	/** Statuses set directly after one was resolved, and another resolution. */
	changedResolutions: ({ trackers }: Forge) => trackers.statusLimits().changesResolutions === true,
	/** Webhooks whose bodies are answers to a query that the client sends. */
	eventQueries: ({ webhooks }: Forge) =>
		webhooks.offers({ kind: 'user', area: 'todo' }).events.all.includes('TRACKER_CREATED'),
	projects: ({ projects }: Forge) => projects !== undefined,
	redelivery: ({ webhooks }: Forge) => {
		const { delivery, redeliver } = webhooks.offers({ kind: 'user', area: 'todo' });
		return delivery !== undefined && redeliver !== undefined;
	},
} satisfies Readonly<Record<string, (forge: Forge) => boolean>>;

type Other = keyof typeof others;

/** Something that a test can need: a member of the port by its name, or one of a few other things. */
export type Offer = { [S in keyof Services]: `${S}.${keyof Services[S] & string}` }[keyof Services] | Other;

/** The names of all that is no member. */
export const otherOffers: readonly Other[] = ['changedResolutions', 'eventQueries', 'projects', 'redelivery'];

function isOther(offer: Offer): offer is Other {
	return otherOffers.some((each) => each === offer);
}

/** Names of the members that a forge's services have; what is absent is left out. */
export function membersOf({ users, trackers, lists, repositories, webhooks }: Services): ReadonlySet<string> {
	return new Set(
		Object.entries({ users, trackers, lists, repositories, webhooks }).flatMap(([service, members]) =>
			Object.entries(members).flatMap(([member, value]) => (value === undefined ? [] : [`${service}.${member}`])),
		),
	);
}

/** Whether a client really has it. */
export function isOffered(forge: Forge, offer: Offer): boolean {
	return isOther(offer) ? others[offer](forge) : membersOf(forge).has(offer);
}

const page = readFileSync(join(import.meta.dirname, '../../docs/port.md'), 'utf8');

/** How many members docs/port.md says that both protocols have. */
export const membersInBoth = Number(/Both protocols have the other (\d+) members/.exec(page)?.[1]);

/** The rows of docs/port.md of what one protocol alone has: its name, and whether REST and GraphQL have it. */
export const toldOffers: readonly (readonly [string, boolean, boolean])[] = [
	...page.matchAll(/^\| `(?<name>[\w.]+)` \| (?<inRest>yes|–) \| (?<inGraphql>yes|–) \|/gm),
].map(({ groups }) => [groups?.['name'] ?? '', groups?.['inRest'] === 'yes', groups?.['inGraphql'] === 'yes']);

/** Whether docs/port.md says that forges of a dialect have it. */
export function isTold(dialect: Dialect, offer: string): boolean {
	const [, inRest = true, inGraphql = true] = toldOffers.find(([name]) => name === offer) ?? [];
	return dialect === 'graphql' ? inGraphql : inRest;
}
