import type { WithExtra } from './extra.ts';

/** What every resource that names a user carries (docs/protocol.md#users). */
export interface ShortUser {
	/** `~alice` */
	readonly canonicalName: string;
	/** `alice` */
	readonly name: string;
}

/** A user of one area; a user unknown there is "not found" even when the identity service knows them. */
export interface User extends ShortUser, WithExtra {
	readonly email: string | undefined;
	readonly url: string | undefined;
	readonly location: string | undefined;
	/** Markdown. */
	readonly bio: string | undefined;
}

/** Who wrote something in the ticket area: not everyone there has an account. */
export type Participant =
	| ({ readonly kind: 'user' } & ShortUser)
	| { readonly kind: 'email'; readonly address: string; readonly name: string | undefined }
	| { readonly kind: 'external'; readonly externalId: string; readonly externalUrl: string | undefined };

/**
 * Whose thing is meant. `~name` everywhere; in the lists area also an e-mail address (docs/protocol.md#names-in-paths).
 */
export type OwnerName = string;
