import { isSameValue } from '../../base/isSameValue.ts';
import type { Problem } from '../../forge/port/forgeError.ts';
import { webhookFamilyKey, type WebhookEventGroup, type WebhookFamily } from '../../forge/port/webhook.ts';
import type { EventTries } from './eventTries.ts';

/** A requested webhook. Its record precedes the request, so that no webhook can exist without one. */
export interface BookedWebhook {
	readonly family: WebhookFamily;
	/** Secret and unique. */
	readonly path: string;
	/** The full URL as sent to the forge: an address of this machine, then the path. */
	readonly url: string;
	readonly isSync: boolean;
	readonly events: readonly string[];
	/** Id on the forge; `undefined` until a response or a listing contains it. */
	readonly id: number | undefined;
	/** Time of the request. Times are milliseconds since 1970. */
	readonly askedMs: number;
	/** When the forge last listed it; 0 for never. */
	readonly verifiedMs: number;
	/** Needs a check of its existence and owner: the token changed, or a listing omitted it. */
	readonly doubt: 'token' | 'unlisted' | undefined;
}

/** A family whose webhooks the server rejects for this account. Polling covers it. */
export interface RefusedFamily {
	readonly family: WebhookFamily;
	readonly problem: Problem;
	/** Time of the next attempt. */
	readonly againMs: number;
}

/**
 * A webhook that no current token can access, or that the forge refuses to remove. The user must remove it on the
 * server's website.
 */
export interface LostWebhook {
	readonly family: WebhookFamily;
	readonly url: string;
	readonly id: number;
	/** Time of the discovery. */
	readonly lostMs: number;
}

/** The stored state of one account's webhooks. Plain data. */
export interface WebhookBook {
	/** One per family. */
	readonly webhooks: readonly BookedWebhook[];
	readonly refused: readonly RefusedFamily[];
	readonly tries: Readonly<Partial<Record<WebhookEventGroup, EventTries | undefined>>>;
	/** Base URLs of this machine, newest first. A URL with one of these prefixes may be ours. */
	readonly addresses: readonly string[];
	/** Repositories with a synchronous webhook. */
	readonly syncs: readonly WebhookFamily[];
	readonly lost: readonly LostWebhook[];
	/** True after `removeAll`: create none until a listener starts again. */
	readonly isResting: boolean;
}

export const emptyWebhookBook: WebhookBook = {
	webhooks: [],
	refused: [],
	tries: {},
	addresses: [],
	syncs: [],
	lost: [],
	isResting: false,
};

const mostAddresses = 50;
const mostLost = 500;
const mostRefused = 1000;

export function isSameFamily(one: WebhookFamily, other: WebhookFamily): boolean {
	return webhookFamilyKey(one) === webhookFamilyKey(other);
}

export function bookedOf({ webhooks }: WebhookBook, family: WebhookFamily): BookedWebhook | undefined {
	return webhooks.find((each) => isSameFamily(each.family, family));
}

export function refusalOf({ refused }: WebhookBook, family: WebhookFamily): RefusedFamily | undefined {
	return refused.find((each) => isSameFamily(each.family, family));
}

/** Replaces the family's webhook. */
export function withWebhook(book: WebhookBook, webhook: BookedWebhook): WebhookBook {
	return { ...book, webhooks: [...without(book.webhooks, webhook.family), webhook] };
}

/** Changes a webhook, unless another window has replaced it. */
export function withChanged(
	book: WebhookBook,
	meant: Pick<BookedWebhook, 'family' | 'url'>,
	change: Partial<Pick<BookedWebhook, 'id' | 'verifiedMs' | 'doubt'>>,
): WebhookBook {
	const booked = bookedOf(book, meant.family);
	return booked?.url === meant.url ? withWebhook(book, { ...booked, ...change }) : book;
}

/** The forge has no more webhooks of this family. */
export function withoutFamily(book: WebhookBook, family: WebhookFamily): WebhookBook {
	return { ...book, webhooks: without(book.webhooks, family), refused: without(book.refused, family) };
}

export function withRefusal(book: WebhookBook, refusal: RefusedFamily): WebhookBook {
	return { ...book, refused: [...without(book.refused, refusal.family), refusal].slice(-mostRefused) };
}

/** Forgets the rejection. */
export function withoutRefusal(book: WebhookBook, family: WebhookFamily): WebhookBook {
	return refusalOf(book, family) ? { ...book, refused: without(book.refused, family) } : book;
}

export function withTries(book: WebhookBook, group: WebhookEventGroup, tries: EventTries): WebhookBook {
	return { ...book, tries: { ...book.tries, [group]: tries } };
}

export function withAddress(book: WebhookBook, address: string): WebhookBook {
	const others = book.addresses.filter((each) => each !== address);
	return { ...book, addresses: [address, ...others].slice(0, mostAddresses) };
}

export function withSync(book: WebhookBook, family: WebhookFamily, isSync: boolean): WebhookBook {
	const others = book.syncs.filter((each) => !isSameFamily(each, family));
	return { ...book, syncs: isSync ? [...others, family] : others };
}

/** The webhook's token is gone. The family gets a new webhook. */
export function withLost(book: WebhookBook, { family, url, id }: BookedWebhook, lostMs: number): WebhookBook {
	const noted = id === undefined ? book : withLeft(book, { family, url, id, lostMs });
	return { ...noted, webhooks: without(book.webhooks, family) };
}

/** Records a lost webhook next to the family's current one. */
export function withLeft(book: WebhookBook, left: LostWebhook): WebhookBook {
	return { ...book, lost: [left, ...withoutLeft(book, left).lost].slice(0, mostLost) };
}

/** Forgets a lost webhook after its removal. */
export function withoutLeft(book: WebhookBook, gone: Pick<LostWebhook, 'family' | 'id'>): WebhookBook {
	const lost = book.lost.filter(({ id, family }) => id !== gone.id || !isSameFamily(family, gone.family));
	return lost.length === book.lost.length ? book : { ...book, lost };
}

/** A new token: existing webhooks may be out of reach, and rejected ones may succeed. */
export function withOtherToken(book: WebhookBook): WebhookBook {
	return {
		...book,
		webhooks: book.webhooks.map((each) => ({ ...each, doubt: 'token', verifiedMs: 0 })),
		refused: [],
		tries: {},
	};
}

/** Forces a check of all webhooks and a retry of rejected ones. */
export function withNothingVerified(book: WebhookBook): WebhookBook {
	const webhooks = book.webhooks.map((each) => ({ ...each, verifiedMs: 0 }));
	return { ...withoutRest(book), webhooks, refused: [] };
}

/** Ends the pause after `removeAll`. */
export function withoutRest(book: WebhookBook): WebhookBook {
	return book.isResting ? { ...book, isResting: false } : book;
}

export function isSameBook(one: WebhookBook, other: WebhookBook): boolean {
	return one === other || isSameValue(one, other);
}

function without<T extends { readonly family: WebhookFamily }>(all: readonly T[], family: WebhookFamily): readonly T[] {
	return all.filter((each) => !isSameFamily(each.family, family));
}
