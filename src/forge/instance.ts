/** The services of a forge, each at its own address (docs/protocol.md#areas). `meta` is the identity service. */
export type Area = 'meta' | 'todo' | 'git' | 'lists';

/** The three areas that hold things; the identity service holds people. */
export type ContentArea = Exclude<Area, 'meta'>;

export const contentAreas: readonly ContentArea[] = ['todo', 'lists', 'git'];

/** Makes something for each service. */
export function forEachArea<T>(make: (area: Area) => T): Readonly<Record<Area, T>> {
	return { meta: make('meta'), todo: make('todo'), git: make('git'), lists: make('lists') };
}

/** How a forge wants programs to sign in; data of the forge, because servers of several generations differ. */
export type SignInMethod =
	/** Code grant with PKCE and state, any loopback port (RFC 8252), endpoints from the server's metadata. */
	| { readonly kind: 'pkce'; readonly clientId: string }
	/**
	 * The older exchange flow: registered client with secret and one fixed redirect address
	 * (docs/protocol.md#registered-clients).
	 */
	| { readonly kind: 'exchange'; readonly clientId: string; readonly redirectPort: number }
	/**
	 * Code grant with state and the secret of a registered client, which has one fixed redirect address, and tokens that
	 * are renewed (docs/protocol.md#clients-with-a-secret).
	 */
	| { readonly kind: 'secret'; readonly clientId: string; readonly redirectPort: number }
	/** Only tokens that the user makes on the forge's page. */
	| { readonly kind: 'tokenOnly' };

/** What the settings say of how a forge writes scopes; what they leave out is for its protocol to know. */
export interface ScopeSpelling {
	readonly prefixes: { readonly [Each in ContentArea]?: string | undefined };
	readonly names: Readonly<Record<string, string>>;
}

/** How a service may be spoken to. */
export type Protocol = 'rest' | 'graphql';

/** Services of one forge may be of different age. */
export type Protocols = Readonly<Record<ContentArea, Protocol>>;

/** As far as the settings or the services themselves say; nobody knows it of the others by now. */
export type KnownProtocols = { readonly [Each in ContentArea]?: Protocol | undefined };

/** What is spoken to a service: the older protocol, until it says that it has the other one. */
export function protocolOf({ protocols }: Pick<ForgeInstance, 'protocols'>, area: ContentArea): Protocol {
	return protocols[area] ?? 'rest';
}

/** A forge whose services all speak one protocol. */
export function everywhere(protocol: Protocol): Protocols {
	return { todo: protocol, lists: protocol, git: protocol };
}

/** One configured forge. Plain data: from the application's settings or from the sample forge. */
export interface ForgeInstance {
	/** Stable key: never shown, never changed while accounts exist. */
	readonly id: string;
	/** What people call it. */
	readonly name: string;
	/** Exact origins, without a trailing slash. A token goes to these and to no other. */
	readonly areas: Readonly<Record<Area, string>>;
	/** Exact origin of the service of projects, where one is told. A token goes there, too. */
	readonly hub?: string;
	/** The settings tell such a service, and the account's token was not given for it: signing in again gets one that is. */
	readonly hubAwaitsSignIn?: true;
	readonly protocols: KnownProtocols;
	readonly signIn: SignInMethod;
	readonly scopeSpelling: ScopeSpelling;
	/** What the forge signs webhook deliveries with: 32 bytes in base64, as its operator publishes it. */
	readonly webhookKey: string | undefined;
	/** True for the sample forge, which lives only as long as its process. */
	readonly isSample: boolean;
}

/** True for an address of this very machine, as `http://127.0.0.1:5000`. */
export function isOwnComputer(address: string): boolean {
	return ['127.0.0.1', '[::1]', 'localhost'].includes(new URL(address).hostname);
}
