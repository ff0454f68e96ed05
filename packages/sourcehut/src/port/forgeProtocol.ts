import type { BesidesScopes } from './forgeError.ts';
import type { ContentArea, ForgeInstance, SignInMethod } from './instance.ts';
import type { HeldScopes, Scope } from './scope.ts';
import type { OwnerName } from './user.ts';

/**
 * Properties of a forge's protocol that need no request: areas, sign-in and the spelling of permissions. All other code
 * uses our own scope and area names.
 */
export interface ForgeProtocol {
	/** Areas that check a pasted token, in this order. */
	readonly areas: readonly ContentArea[];
	/** The configured method if the protocol supports it, otherwise tokens only. */
	readonly signIn: SignInMethod;
	/**
	 * Grants to request for a scope, in the forge's spelling. Two scopes may share a grant. A token without some of
	 * these grants may still hold the scope (`readGranted`), if only few operations need them.
	 */
	readonly grantsOf: (scope: Scope) => readonly string[];
	/** Grants to request with any scopes, such as access to projects. */
	readonly besides: readonly string[];
	/** Parses the server's list of granted scopes. Accepts any text. */
	readonly readGranted: (text: string) => HeldScopes;
	/** Reads a token's own statements without a request. */
	readonly readToken: (token: string) => TokenReading;
	/**
	 * Page for making a token, with preselected scopes if the page supports them. `held`: grants of an earlier token as
	 * that token states them; those of the forge's services stay selected.
	 */
	readonly tokenPage: (scopes: readonly Scope[], held: string) => string;
}

/** Statements of a token. Unverified: only servers know whether a token is valid. */
export type TokenReading =
	| {
			readonly kind: 'told';
			/** `~alice` */
			readonly owner: OwnerName;
			readonly expiresMs: number;
			/** In the forge's spelling. */
			readonly grants: string;
			readonly scopes: HeldScopes;
			/** Permissions missing although the scopes are present. */
			readonly lacks: readonly BesidesScopes[];
			/** True if the owner made it by hand, without a client. */
			readonly isPersonal: boolean;
	  }
	/** The token is opaque. */
	| { readonly kind: 'untold' }
	/** All services of this forge reject such tokens: it belongs to older or newer servers. */
	| { readonly kind: 'ofOtherServers'; readonly isOlder: boolean };

export type DescribeForge = (instance: ForgeInstance) => ForgeProtocol;
