import type { ContentArea, ForgeInstance, SignInMethod } from './instance.ts';
import type { HeldScopes, Scope } from './scope.ts';

/**
 * What the protocol of a forge says of it before anything is sent: where tokens count, how people get them and how
 * permissions are written. Everybody else knows scopes and areas by our own names only.
 */
export interface ForgeProtocol {
	/** Where a token is tried before it is kept, in this order. */
	readonly areas: readonly ContentArea[];
	/** The way in the settings where the protocol has it, tokens alone otherwise. */
	readonly signIn: SignInMethod;
	/** What a token has to carry for a scope, as the forge writes it. A scope may need several grants, and two the same. */
	readonly grantsOf: (scope: Scope) => readonly string[];
	/** Reads what a server says it granted, whatever that is. */
	readonly readGranted: (text: string) => HeldScopes;
	/** Where people make a token that carries these scopes, if the page can be told which. */
	readonly tokenPage: (scopes: readonly Scope[]) => string;
}

/** Describes a forge of one protocol. */
export type DescribeForge = (instance: ForgeInstance) => ForgeProtocol;
