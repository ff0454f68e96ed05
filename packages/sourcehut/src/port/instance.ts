/** The services of a forge, each at its own address (docs/protocol.md#areas). `meta` is the identity service. */
export type Area = 'meta' | 'todo' | 'git' | 'lists';

/** The three areas with content; the identity service has only users. */
export type ContentArea = Exclude<Area, 'meta'>;

export const contentAreas: readonly ContentArea[] = ['todo', 'lists', 'git'];

export function forEachArea<T>(make: (area: Area) => T): Readonly<Record<Area, T>> {
	return { meta: make('meta'), todo: make('todo'), git: make('git'), lists: make('lists') };
}

/** Sign-in method of a forge. Configured per forge, because server generations differ. */
export type SignInMethod =
	/** Code grant with PKCE and state, any loopback port (RFC 8252), endpoints from the server's metadata. */
	| { readonly kind: 'pkce'; readonly clientId: string }
	/**
	 * Older exchange flow: registered client with a secret and one fixed redirect address
	 * (docs/protocol.md#registered-clients).
	 */
	| { readonly kind: 'exchange'; readonly clientId: string; readonly redirectPort: number }
	/**
	 * Code grant with state and client secret. The client has one fixed redirect address, and its tokens are renewable
	 * (docs/protocol.md#clients-with-a-secret).
	 */
	| { readonly kind: 'secret'; readonly clientId: string; readonly redirectPort: number }
	/** Only tokens that the user makes on the forge's page. */
	| { readonly kind: 'tokenOnly' };

/** Configured spelling of scopes. The protocol supplies omitted parts. */
export interface ScopeSpelling {
	readonly prefixes: { readonly [Each in ContentArea]?: string | undefined };
	readonly names: Readonly<Record<string, string>>;
}

/** In the order of their age. */
export const protocolNames = ['rest', 'graphql'] as const;

export type Protocol = (typeof protocolNames)[number];

/** Protocol by service; services of one forge may differ in age. */
export type Protocols = Readonly<Record<ContentArea, Protocol>>;

/** Protocols configured or detected so far. */
export type KnownProtocols = { readonly [Each in ContentArea]?: Protocol | undefined };

/** Protocol for requests to a service: REST until the service announces GraphQL. */
export function protocolOf({ protocols }: Pick<ForgeInstance, 'protocols'>, area: ContentArea): Protocol {
	return protocols[area] ?? 'rest';
}

export function everywhere(protocol: Protocol): Protocols {
	return { todo: protocol, lists: protocol, git: protocol };
}

/** Absent areas are those that the forge lacks. Areas may share an origin. */
export type AreaOrigins = { readonly meta: string } & { readonly [Each in ContentArea]?: string | undefined };

/** Origin of an area. Instead of an absent one the home of the forge; the port sends nothing there. */
export function originOf({ areas }: Pick<ForgeInstance, 'areas'>, area: Area): string {
	return areas[area] ?? areas.meta;
}

/** The areas that the forge has. */
export function areasOf({ areas }: Pick<ForgeInstance, 'areas'>): readonly ContentArea[] {
	return contentAreas.filter((area) => areas[area] !== undefined);
}

/** A configured forge: from the application's settings, or the sample forge. */
export interface ForgeInstance {
	/** Stable key. Never show it, and never change it while accounts exist. */
	readonly id: string;
	/** Display name. */
	readonly name: string;
	/** Exact origins, without a trailing slash. A token goes only to these origins. */
	readonly areas: AreaOrigins;
	/** Exact origin of the project service, if configured. It also gets the token. */
	readonly hub?: string;
	/** The settings name a project service that the account's token predates. A new sign-in includes it. */
	readonly hubAwaitsSignIn?: true;
	readonly protocols: KnownProtocols;
	readonly signIn: SignInMethod;
	readonly scopeSpelling: ScopeSpelling;
	/** The operator's published public key for webhook signatures: 32 bytes in base64. */
	readonly webhookKey: string | undefined;
	/** A site of mail archives, for reading and without an account. With a trailing slash. */
	readonly archiveUrl?: string;
	/** True for the sample forge, which ends with its process. */
	readonly isSample: boolean;
}

/** True for an address of this computer, such as `http://127.0.0.1:5000`. */
export function isOwnComputer(address: string): boolean {
	return ['127.0.0.1', '[::1]', 'localhost'].includes(new URL(address).hostname);
}
