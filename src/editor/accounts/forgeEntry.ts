import * as v from 'valibot';
import {
	everywhere,
	forEachArea,
	isOwnComputer,
	protocolNames,
	type Area,
	type ForgeInstance,
} from 'sourcehut/port/instance.ts';

/** Problem of a settings entry. */
export type EntryFault =
	/** Violates the setting's schema. */
	| 'shape'
	/** A host name, optionally with a port, and nothing else. */
	| 'hostName'
	/** A number, below which no area has a name of its own. */
	| 'numericHost'
	/** An origin: `https://` and a host, without a path. */
	| 'origin'
	/** Plain http is for this very machine only. */
	| 'plainHttp'
	/** A public key of Ed25519: 32 bytes in base64. */
	| 'publicKey'
	/** Another entry has the same identity service. */
	| 'duplicate';

/** An unusable entry; the others still work. */
export interface BadEntry {
	/** Counted from 0. */
	readonly index: number;
	/** The entry's own name, if readable. */
	readonly name: string | undefined;
	/** Where in the entry, as `areas.todo`; empty for the entry itself. */
	readonly spot: string;
	readonly fault: EntryFault;
}

/** Result of parsing the setting. */
export interface ReadEntries {
	readonly instances: readonly ForgeInstance[];
	readonly bad: readonly BadEntry[];
}

const clientId = v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(200));

const redirectPort = v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(65_535));

const signIn = v.variant('kind', [
	v.strictObject({ kind: v.literal('pkce'), clientId }),
	v.strictObject({ kind: v.literal('exchange'), clientId, redirectPort }),
	v.strictObject({ kind: v.literal('secret'), clientId, redirectPort }),
	v.strictObject({ kind: v.literal('tokenOnly') }),
]);

const scopePart = v.pipe(v.string(), v.regex(/^[\w.:/-]*$/), v.maxLength(200));

const protocol = v.picklist(protocolNames);

// 43 base64 characters and one for padding; the last character has two unused bits.
const publicKey = /^[A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]=$/;

const rest = {
	name: v.optional(v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(100))),
	signIn: v.optional(signIn),
	protocols: v.optional(
		v.union([
			protocol,
			v.strictObject({ todo: v.optional(protocol), git: v.optional(protocol), lists: v.optional(protocol) }),
		]),
	),
	scopePrefixes: v.optional(
		v.strictObject({ todo: v.optional(scopePart), git: v.optional(scopePart), lists: v.optional(scopePart) }),
	),
	scopeNames: v.optional(v.record(scopePart, scopePart)),
	webhookKey: v.optional(v.pipe(v.string(), v.trim(), v.regex(publicKey, 'publicKey'))),
};

const hostName = v.pipe(
	v.string(),
	v.check(isHost, 'hostName'),
	v.check((text) => !isHost(text) || hasNamesBelow(text), 'numericHost'),
);
const origin = v.pipe(
	v.string(),
	v.check(isOrigin, 'origin'),
	v.check((text) => !isOrigin(text) || new URL(text).protocol === 'https:' || isOwnComputer(text), 'plainHttp'),
	v.transform((text) => new URL(text).origin),
);

const hub = v.optional(origin);

const byHost = v.strictObject({ host: hostName, hub, ...rest });
const inFull = v.strictObject({
	areas: v.strictObject(forEachArea(() => origin)),
	hub,
	...rest,
});

type Wish = v.InferOutput<typeof byHost> | v.InferOutput<typeof inFull>;

/** Parses the setting `forge.forges`, of any type. */
export function readEntries(setting: unknown): ReadEntries {
	if (setting === undefined || setting === null) {
		return { instances: [], bad: [] };
	}
	if (!Array.isArray(setting)) {
		return { instances: [], bad: [{ index: 0, name: undefined, spot: '', fault: 'shape' }] };
	}
	const instances: ForgeInstance[] = [];
	const bad: BadEntry[] = [];
	for (const [index, entry] of setting.entries()) {
		const read = readEntry(entry);
		if ('fault' in read) {
			bad.push({ index, name: nameOf(entry), ...read });
		} else if (instances.some(({ id }) => id === read.id)) {
			bad.push({ index, name: read.name, spot: '', fault: 'duplicate' });
		} else {
			instances.push(read);
		}
	}
	return { instances, bad };
}

function readEntry(entry: unknown): ForgeInstance | Pick<BadEntry, 'spot' | 'fault'> {
	const read =
		typeof entry === 'string'
			? v.safeParse(byHost, recordOf(entry))
			: v.safeParse(isObject(entry) && 'areas' in entry ? inFull : byHost, entry);
	if (read.success) {
		return instanceOf(read.output);
	}
	const [issue] = read.issues;
	const spot = typeof entry === 'string' ? '' : (v.getDotPath(issue) ?? '');
	return { spot, fault: checkedFaults.find((fault) => fault === issue.message) ?? 'shape' };
}

const checkedFaults = ['hostName', 'numericHost', 'origin', 'plainHttp', 'publicKey'] as const;

function instanceOf(wish: Wish): ForgeInstance {
	const { protocols = {} } = wish;
	const areas = 'areas' in wish ? wish.areas : areasOfHost(wish.host.toLowerCase());
	return {
		// The host and port of its identity service, safe inside a URI's authority.
		id: new URL(areas.meta).host.replaceAll(/[^a-z0-9.-]/g, '-'),
		name: wish.name ?? ('host' in wish ? wish.host.toLowerCase() : new URL(areas.meta).host),
		areas,
		...(wish.hub === undefined ? {} : { hub: wish.hub }),
		// The client detects protocols that the entry omits.
		protocols: typeof protocols === 'string' ? everywhere(protocols) : protocols,
		signIn: wish.signIn ?? { kind: 'tokenOnly' },
		scopeSpelling: { prefixes: wish.scopePrefixes ?? {}, names: wish.scopeNames ?? {} },
		webhookKey: wish.webhookKey,
		isSample: false,
	};
}

/** Addresses of a conventional forge: each area has its own host below the forge's host name. */
export function areasOfHost(host: string): Readonly<Record<Area, string>> {
	return forEachArea((area) => new URL(`https://${area}.${host}`).origin);
}

/** The public instance, known without a setting. An entry of the user with its host or name replaces it. */
export const sourceHut: ForgeInstance = {
	...instanceOf({ host: 'sr.ht', hub: 'https://sr.ht' }),
	protocols: everywhere('graphql'),
};

/** True for the built-in forge, and for an entry that replaces it. */
export function isSourceHut({ id, name }: ForgeInstance): boolean {
	return id === sourceHut.id || name.toLowerCase() === sourceHut.name;
}

/** Where such a forge may have its service of projects: below its host as the areas are, or at the host itself. */
export function hubsOfHost(host: string): readonly string[] {
	return [`https://hub.${host}`, `https://${host}`].map((address) => new URL(address).origin);
}

/** An entry with a host name and without projects service, and its index. */
export interface HostAlone {
	readonly index: number;
	readonly host: string;
}

/** The entry of a forge, if it has only a host name. */
export function hostAlone(setting: unknown, instanceId: string): HostAlone | undefined {
	const entries: readonly unknown[] = Array.isArray(setting) ? setting : [];
	// Of several that name a forge the first one counts.
	const index = entries.findIndex((entry) => {
		const read = readEntry(entry);
		return !('fault' in read) && read.id === instanceId;
	});
	const wish = v.safeParse(byHost, recordOf(entries[index]));
	return wish.success && wish.output.hub === undefined ? { index, host: wish.output.host.toLowerCase() } : undefined;
}

/** Adds the projects service to one entry. */
export function withHub(setting: unknown, { index }: HostAlone, hub: string): readonly unknown[] {
	const entries: readonly unknown[] = Array.isArray(setting) ? setting : [];
	return entries.map((entry, at) => (at === index ? { ...recordOf(entry), hub } : entry));
}

/** A bare host name becomes a record. */
function recordOf(entry: unknown): object {
	return typeof entry === 'string' ? { host: entry.trim() } : isObject(entry) ? entry : {};
}

/** Host of the forge in a typed text: also that of a service, and the URL of any page. */
export function forgeHost(text: string): string | undefined {
	const host = typedHost(text);
	return host !== undefined && isHost(host) && hasNamesBelow(host) ? host : undefined;
}

/**
 * Host of a single service in a typed text: an IP address, or a port of this computer. The other services of its forge
 * have URLs that do not follow from it.
 */
export function serviceHost(text: string): string | undefined {
	const host = typedHost(text);
	const isNumber =
		host !== undefined && (isHost(host) || /^\[[\da-f:]+\](?::\d{1,5})?$/.test(host)) && !hasNamesBelow(host);
	return isNumber || /^localhost:\d{1,5}$/.test(host ?? '') ? host : undefined;
}

function typedHost(text: string): string | undefined {
	const entered = text.trim();
	const isAddress = /^https?:\/\//i.test(entered);
	const url = isAddress ? URL.parse(entered) : undefined;
	// `https://sr.ht@evil.example` looks like another host. Backslashes end a host, but readers expect slashes.
	if (url === null || (url && /[@\\]/.test(entered))) {
		return undefined;
	}
	const host = (url?.host ?? entered).toLowerCase();
	const ofService =
		/^(?:meta|todo|lists|git|hub|hg|builds|man|paste|pages|dispatch|chat|www)\.(?=[^.]+\.[^.]|localhost\b)/;
	// A dotless name such as `todo.intranet` may be a whole host, but in a URL it is that of a page.
	return host.replace(url ? /^(?:meta|todo|lists|git)\.(?=.)/ : ofService, '').replace(ofService, '');
}

/** True for a host name, with or without a port, and nothing around it. */
function isHost(text: string): boolean {
	return (
		text.length <= 253 && /^[a-z0-9-]+(?:\.[a-z0-9-]+)*(?::\d{1,5})?$/i.test(text) && URL.canParse(`https://${text}`)
	);
}

/** False for an IP address in any notation: it has no subdomains. */
function hasNamesBelow(host: string): boolean {
	return URL.canParse(`https://meta.${host}`);
}

function isOrigin(text: string): boolean {
	if (!URL.canParse(text)) {
		return false;
	}
	const { protocol, pathname, search, hash } = new URL(text);
	const isBare = pathname === '/' && search === '' && hash === '';
	return isBare && (protocol === 'https:' || protocol === 'http:') && !/[\\@?#]/.test(text);
}

function nameOf(entry: unknown): string | undefined {
	if (typeof entry === 'string') {
		return entry;
	}
	const named = isObject(entry) ? (entry['name'] ?? entry['host']) : undefined;
	return typeof named === 'string' ? named : undefined;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
	return typeof value === 'object' && value !== null;
}
