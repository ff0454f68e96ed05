import type { ForgeKey } from './forgeKey.ts';

export interface Hook {
	/** Public key of the forge. Without it, nothing proves the sender. */
	readonly key: ForgeKey | undefined;
}

/** A received webhook delivery. Only its path identifies the subscription. */
export interface Delivery {
	readonly path: string;
	/** Name of the event, as `ticket:create` or `TICKET_CREATED`. No signature covers it. */
	readonly event: string;
	/** The forge's id. Redelivery keeps it, and other hooks may share it. No signature covers it. */
	readonly id: string;
	/** Unparsed and untrusted. */
	readonly body: Uint8Array;
	/** The forge's key signed the body. Always false without a key. */
	readonly isSigned: boolean;
	/** The forge truncated the body, so it is invalid JSON (docs/protocol.md#deliveries). */
	readonly isCut: boolean;
}

export type Arrival =
	| { readonly kind: 'delivery'; readonly delivery: Delivery }
	/** The queue dropped deliveries of this hook, so all its resources may be stale. */
	| { readonly kind: 'many'; readonly path: string };

/** Reason of a refusal. The sender sees no difference. */
export type Refusal =
	/** Unknown `Host`. */
	| 'host'
	/** A page in a browser sent it. */
	| 'browser'
	| 'method'
	/** There is no hook at this path. */
	| 'path'
	/** Not plain JSON. */
	| 'contentType'
	/** A delivery header is missing, repeated or malformed. */
	| 'headers'
	| 'tooLarge'
	/** The signature is missing or wrong, although a key exists. */
	| 'forged'
	/** A replay of an earlier delivery. */
	| 'replayed';

const cutCharacters = 65_536;

/** True for a body with exactly the maximum length of forges (docs/protocol.md#deliveries). */
export function isCutBody(body: Uint8Array): boolean {
	if (body.byteLength < cutCharacters) {
		return false;
	}
	// Each UTF-8 character has exactly one byte that is no continuation byte.
	return body.reduce((count, byte) => ((byte & 0xc0) === 0x80 ? count : count + 1), 0) === cutCharacters;
}
