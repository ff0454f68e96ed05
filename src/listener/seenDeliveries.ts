import { createHash } from 'node:crypto';

/** Where it is kept what came, for the listener that is opened next, in whichever window. */
export interface KeptSeen {
	/** Texts of `add`, oldest first. Whatever else it holds is passed over. */
	read(): readonly string[];
	/** Must hold nothing up. */
	add(text: string): void;
}

/** What came before, so that nothing is taken in twice. */
export interface SeenDeliveries {
	/** Reads what earlier listeners have seen. */
	recall(): void;
	/** True when a signature with this nonce came before. */
	isNonceSeen(nonce: string): boolean;
	/** True when a delivery with this id came to this path before. */
	isIdSeen(id: string, path: string): boolean;
	/** Tells later listeners that this came: once it was handed on, or what is lost before that could not come again. */
	keep(delivery: SeenDelivery): void;
}

/** What tells a delivery from others. */
export interface SeenDelivery {
	readonly id: string;
	readonly path: string;
	/** `undefined` where nothing was signed. */
	readonly nonce: string | undefined;
}

/** Remembers the newest texts. */
export interface RememberedTexts {
	/** True when the text was there already; it is the newest then, too. */
	seenBefore(text: string): boolean;
}

/** How many are remembered: as many as a forge can send in a while, and little memory. */
export const mostRemembered = 10_000;

const nonceMark = 'n ';
const idMark = 'd ';

export function seenDeliveries(kept: KeptSeen | undefined, most: number): SeenDeliveries {
	const nonces = rememberTexts(most);
	const ids = rememberTexts(most);

	function recallAll(texts: RememberedTexts, mark: string, all: readonly string[]): void {
		all.filter((text) => text.startsWith(mark)).forEach((text) => texts.seenBefore(text.slice(mark.length)));
	}

	return {
		recall() {
			const all = kept?.read() ?? [];
			recallAll(nonces, nonceMark, all);
			recallAll(ids, idMark, all);
		},
		isNonceSeen: (nonce) => nonces.seenBefore(nonce),
		isIdSeen: (id, path) => ids.seenBefore(ownId(id, path)),
		keep({ id, path, nonce }) {
			if (nonce !== undefined) {
				kept?.add(`${nonceMark}${nonce}`);
			}
			kept?.add(`${idMark}${ownId(id, path)}`);
		},
	};
}

/** Some forges have one id for all webhooks of an event (docs/protocol.md#graphql-webhooks). */
function ownId(id: string, path: string): string {
	return shortOf(`${id} ${path}`);
}

/**
 * Short, and without the secret path of the webhook. Encode only the kept bytes: a slice of a longer text keeps the whole
 * text in memory.
 */
function shortOf(text: string): string {
	return createHash('sha256').update(text).digest().toString('base64url', 0, 12);
}

export function rememberTexts(most: number): RememberedTexts {
	// A set keeps the order in which its texts came.
	const texts = new Set<string>();
	return {
		seenBefore(text) {
			const wasSeen = texts.delete(text);
			texts.add(text);
			if (texts.size > most) {
				const [oldest = ''] = texts;
				texts.delete(oldest);
			}
			return wasSeen;
		},
	};
}
