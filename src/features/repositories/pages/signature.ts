import type { Commit } from '../../../forge/port/repository.ts';
import type { Connection } from '../../../store/connection.ts';

/** Result of checking a commit's signature. Only the user's own gpg or ssh can confirm one. */
export type SignatureVerdict =
	| { readonly kind: 'unsigned' }
	/** The server omits signatures. */
	| { readonly kind: 'untold' }
	/** Present, but not yet verified. */
	| { readonly kind: 'notVerified' }
	| { readonly kind: 'good'; readonly signer: string; readonly key: string }
	/** Signature of another commit, or a modified commit. */
	| { readonly kind: 'bad' }
	/** `undefined` if even the key's name is missing. */
	| { readonly kind: 'unknownKey'; readonly key: string | undefined };

/** Verifies a signature with the user's own keys. Never trusts the commit's own claims. */
export type VerifySignature = (
	connection: Connection,
	commit: Commit,
	signal: AbortSignal,
) => Promise<SignatureVerdict>;
