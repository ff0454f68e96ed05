import type { BesidesScopes } from './forgeError.ts';
import type { ContentArea, ForgeInstance, SignInMethod } from './instance.ts';
import type { HeldScopes, Scope } from './scope.ts';
import type { OwnerName } from './user.ts';

/**
 * What the protocol of a forge says of it before anything is sent: where tokens count, how people get them and how
 * permissions are written. Everybody else knows scopes and areas by our own names only.
 */
export interface ForgeProtocol {
	/** Where a token is tried before it is kept, in this order. */
	readonly areas: readonly ContentArea[];
	/** The way in the settings where the protocol has it, tokens alone otherwise. */
	readonly signIn: SignInMethod;
	/**
	 * What is asked for with a scope, as the forge writes it: several grants, maybe, and two scopes the same. A token that
	 * lacks one of them may still be told to have the scope (`readGranted`), where only few operations need it.
	 */
	readonly grantsOf: (scope: Scope) => readonly string[];
	/** What is asked for with any scopes: grants for what is none of them, as the projects of a forge. */
	readonly besides: readonly string[];
	/** Reads what a server says it granted, whatever that is. */
	readonly readGranted: (text: string) => HeldScopes;
	/** What a token says of itself, before anybody is asked. */
	readonly readToken: (token: string) => TokenReading;
	/**
	 * Where people make a token that carries these scopes, if the page can be told which; and with them what an earlier token
	 * carried of the services that are used, as it says it itself.
	 */
	readonly tokenPage: (scopes: readonly Scope[], held: string) => string;
}

/** What can be read from the text of a token. Nobody has proven it: servers alone know which token counts. */
export type TokenReading =
	| {
			readonly kind: 'told';
			/** `~alice` */
			readonly owner: OwnerName;
			readonly expiresMs: number;
			/** As the forge writes them. */
			readonly grants: string;
			readonly scopes: HeldScopes;
			/** What does not work with it although it has the scopes for that. */
			readonly lacks: readonly BesidesScopes[];
			/** Its owner made it, and no client got it for them. */
			readonly isPersonal: boolean;
	  }
	/** It says nothing that we could read. */
	| { readonly kind: 'untold' }
	/** No service of this forge takes such a token: it is made by older servers, or by newer ones. */
	| { readonly kind: 'ofOtherServers'; readonly isOlder: boolean };

/** Describes a forge of one protocol. */
export type DescribeForge = (instance: ForgeInstance) => ForgeProtocol;
