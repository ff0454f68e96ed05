import type { ForgeKey } from './forgeKey.ts';

/** What a path takes deliveries for. */
export interface Hook {
	/** Of the forge. Without one nothing proves where a delivery is from. */
	readonly key: ForgeKey | undefined;
}

/** A webhook's delivery, as it came. Only its path says for which subscription. */
export interface Delivery {
	/** Of the hook. */
	readonly path: string;
	/** Name of the event, as `ticket:create` or `TICKET_CREATED`. No signature covers it. */
	readonly event: string;
	/** The forge's id of it, which stays the same when it is sent again, and may be that of other hooks' too. No signature covers it. */
	readonly id: string;
	/** Not looked into here, and nothing that may be believed or shown by itself. */
	readonly body: Uint8Array;
	/** The forge's key signed the body. Always false without a key. */
	readonly isSigned: boolean;
	/** The forge cut the body, which then is no JSON (docs/protocol.md#deliveries). */
	readonly isCut: boolean;
}

/** What came. */
export type Arrival =
	| { readonly kind: 'delivery'; readonly delivery: Delivery }
	/** More deliveries of this hook came at once than are kept: whatever it tells of may have changed. */
	| { readonly kind: 'many'; readonly path: string };

/** Why a request was refused. Whoever sent it sees no difference. */
export type Refusal =
	/** Called by a name that is none of ours. */
	| 'host'
	/** A page in a browser sent it. */
	| 'browser'
	| 'method'
	/** There is no hook at this path. */
	| 'path'
	/** Not plain JSON. */
	| 'contentType'
	/** A header of a delivery is missing, comes twice or has another form. */
	| 'headers'
	| 'tooLarge'
	/** There is a key and no signature, or it is not the forge's, or of another body. */
	| 'forged'
	/** A delivery with this very signature came before. */
	| 'replayed';

const cutCharacters = 65_536;

/** True for a body of exactly as many characters as forges send at most (docs/protocol.md#deliveries). */
export function isCutBody(body: Uint8Array): boolean {
	if (body.byteLength < cutCharacters) {
		return false;
	}
	// In UTF-8 every character has one byte that continues none.
	return body.reduce((count, byte) => ((byte & 0xc0) === 0x80 ? count : count + 1), 0) === cutCharacters;
}
