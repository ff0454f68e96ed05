import { isSameValue } from '../../base/isSameValue.ts';
import type { Problem } from '../../forge/forgeError.ts';
import { webhookFamilyKey, type WebhookEventGroup, type WebhookFamily } from '../../forge/webhook.ts';
import type { EventTries } from './eventTries.ts';

/** A webhook that is asked for. Written down before the forge is asked, so that none is ever there that is not known. */
export interface BookedWebhook {
	readonly family: WebhookFamily;
	/** Secret. Each has its own. */
	readonly path: string;
	/** As the forge was given it: an address of this machine, then the path. */
	readonly url: string;
	readonly isSync: boolean;
	readonly events: readonly string[];
	/** On the forge; `undefined` until an answer or a listing tells. */
	readonly id: number | undefined;
	/** When the forge was asked for it. Times are milliseconds since 1970. */
	readonly askedMs: number;
	/** When the forge last listed it; 0 for never. */
	readonly verifiedMs: number;
	/** Whether it is still there, and whose, has to be looked at: its token was replaced, or a listing left it out. */
	readonly doubt: 'token' | 'unlisted' | undefined;
}

/** A family of which the server wants no webhooks of this account. What happens there is polled. */
export interface RefusedFamily {
	readonly family: WebhookFamily;
	readonly problem: Problem;
	/** When it is tried again. */
	readonly againMs: number;
}

/**
 * A webhook that no token of ours leads to any more, or that its forge does not let us remove. Only its server's pages can
 * remove it.
 */
export interface LostWebhook {
	readonly family: WebhookFamily;
	readonly url: string;
	readonly id: number;
	/** When that was found. */
	readonly lostMs: number;
}

/** All that is kept of one account's webhooks. Plain data. */
export interface WebhookBook {
	/** One of each family. */
	readonly webhooks: readonly BookedWebhook[];
	readonly refused: readonly RefusedFamily[];
	readonly tries: Readonly<Partial<Record<WebhookEventGroup, EventTries | undefined>>>;
	/** Under which this machine was reached, the newest first. What begins with one of them may be ours. */
	readonly addresses: readonly string[];
	/** Repositories whose webhook is called while a push goes on, by their families. */
	readonly syncs: readonly WebhookFamily[];
	readonly lost: readonly LostWebhook[];
	/** All were removed, and none are made until somebody listens again. */
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

/** True for two names of one family. */
export function isSameFamily(one: WebhookFamily, other: WebhookFamily): boolean {
	return webhookFamilyKey(one) === webhookFamilyKey(other);
}

export function bookedOf({ webhooks }: WebhookBook, family: WebhookFamily): BookedWebhook | undefined {
	return webhooks.find((each) => isSameFamily(each.family, family));
}

export function refusalOf({ refused }: WebhookBook, family: WebhookFamily): RefusedFamily | undefined {
	return refused.find((each) => isSameFamily(each.family, family));
}

/** Takes the place of what the family had. */
export function withWebhook(book: WebhookBook, webhook: BookedWebhook): WebhookBook {
	return { ...book, webhooks: [...without(book.webhooks, webhook.family), webhook] };
}

/** Changes one, where it is still the one that is meant: another window may have asked for another one. */
export function withChanged(
	book: WebhookBook,
	meant: Pick<BookedWebhook, 'family' | 'url'>,
	change: Partial<Pick<BookedWebhook, 'id' | 'verifiedMs' | 'doubt'>>,
): WebhookBook {
	const booked = bookedOf(book, meant.family);
	return booked?.url === meant.url ? withWebhook(book, { ...booked, ...change }) : book;
}

/** Nothing of the family is left on the forge. */
export function withoutFamily(book: WebhookBook, family: WebhookFamily): WebhookBook {
	return { ...book, webhooks: without(book.webhooks, family), refused: without(book.refused, family) };
}

export function withRefusal(book: WebhookBook, refusal: RefusedFamily): WebhookBook {
	return { ...book, refused: [...without(book.refused, refusal.family), refusal].slice(-mostRefused) };
}

/** The family is not refused, as far as is known. */
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

/** The webhook of a family belongs to a token that is gone; the family gets another one. */
export function withLost(book: WebhookBook, { family, url, id }: BookedWebhook, lostMs: number): WebhookBook {
	const noted = id === undefined ? book : withLeft(book, { family, url, id, lostMs });
	return { ...noted, webhooks: without(book.webhooks, family) };
}

/** The same for one beside that of which it is written down that there should be one. */
export function withLeft(book: WebhookBook, left: LostWebhook): WebhookBook {
	return { ...book, lost: [left, ...withoutLeft(book, left).lost].slice(0, mostLost) };
}

/** It is gone after all, so that it is named no longer. */
export function withoutLeft(book: WebhookBook, gone: Pick<LostWebhook, 'family' | 'id'>): WebhookBook {
	const lost = book.lost.filter(({ id, family }) => id !== gone.id || !isSameFamily(family, gone.family));
	return lost.length === book.lost.length ? book : { ...book, lost };
}

/** Another token: what was made may be out of reach, and what was refused may be taken. */
export function withOtherToken(book: WebhookBook): WebhookBook {
	return {
		...book,
		webhooks: book.webhooks.map((each) => ({ ...each, doubt: 'token', verifiedMs: 0 })),
		refused: [],
		tries: {},
	};
}

/** Everything is to be looked at again at once, and to be there as it is wanted. */
export function withNothingVerified(book: WebhookBook): WebhookBook {
	const webhooks = book.webhooks.map((each) => ({ ...each, verifiedMs: 0 }));
	return { ...withoutRest(book), webhooks, refused: [] };
}

/** What was removed with all others may be made again. */
export function withoutRest(book: WebhookBook): WebhookBook {
	return book.isResting ? { ...book, isResting: false } : book;
}

export function isSameBook(one: WebhookBook, other: WebhookBook): boolean {
	return one === other || isSameValue(one, other);
}

function without<T extends { readonly family: WebhookFamily }>(all: readonly T[], family: WebhookFamily): readonly T[] {
	return all.filter((each) => !isSameFamily(each.family, family));
}
