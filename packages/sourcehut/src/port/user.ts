import type { WithExtra } from './extra.ts';

/** Fields of every named user (docs/protocol.md#users). */
export interface ShortUser {
	/** `~alice` */
	readonly canonicalName: string;
	/** `alice` */
	readonly name: string;
}

/** A user of one area. A user unknown there is "not found", even if the identity service knows the name. */
export interface User extends ShortUser, WithExtra {
	readonly email: string | undefined;
	readonly url: string | undefined;
	readonly location: string | undefined;
	/** Markdown. */
	readonly bio: string | undefined;
}

/** Author in the ticket area, possibly without an account. */
export type Participant =
	| ({ readonly kind: 'user' } & ShortUser)
	| { readonly kind: 'email'; readonly address: string; readonly name: string | undefined }
	| { readonly kind: 'external'; readonly externalId: string; readonly externalUrl: string | undefined };

/** Owner of a resource: `~name`. In the lists area also an email address (docs/protocol.md#names-in-paths). */
export type OwnerName = string;
