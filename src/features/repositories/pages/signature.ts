import type { Commit } from '../../../forge/repository.ts';
import type { Connection } from '../../../state/connection.ts';

/** What is known of the signature of a commit. Only the user's own gpg or ssh can say that one is good. */
export type SignatureVerdict =
	| { readonly kind: 'unsigned' }
	/** The server does not tell whether there is one. */
	| { readonly kind: 'untold' }
	/** It is there, and nobody has looked at it. */
	| { readonly kind: 'notVerified' }
	| { readonly kind: 'good'; readonly signer: string; readonly key: string }
	/** It is not for this commit, or somebody has changed it. */
	| { readonly kind: 'bad' }
	/** `undefined` where not even the key's name is told. */
	| { readonly kind: 'unknownKey'; readonly key: string | undefined };

/** Looks at a signature with what the user has. Whatever the commit says of itself is not believed. */
export type VerifySignature = (
	connection: Connection,
	commit: Commit,
	signal: AbortSignal,
) => Promise<SignatureVerdict>;
