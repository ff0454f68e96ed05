import * as v from 'valibot';
import { Emitter, type Event } from '@forge-desk/base/event.ts';
import { isSameValue } from '../../base/isSameValue.ts';
import { Disposables } from '@forge-desk/base/lifecycle.ts';
import type { Problem } from 'sourcehut/port/forgeError.ts';
import { scopes } from 'sourcehut/port/scope.ts';
import { webhookFamilyKey, type WebhookEventGroup, type WebhookFamily } from 'sourcehut/port/webhook.ts';
import { goodOf, kept, maybe, time, whole, type KeptText } from '../shared/keptText.ts';
import { keptFamily as family } from '../shared/writeRecord.ts';

const names = v.pipe(v.array(v.string()), v.readonly());

/**
 * The search for events that a server rejects, per event group. Plain data: any window can continue a stored search.
 */
export const eventTries = v.object({
	taken: names,
	refused: names,
	/** The server rejects at least one event of this set. Empty without a rejection, or after the search ended. */
	narrowed: names,
	/** Time to retry the rejected events; milliseconds since 1970. */
	againMs: v.number(),
});
export type EventTries = Readonly<v.InferOutput<typeof eventTries>>;

export const noTries: EventTries = { taken: [], refused: [], narrowed: [], againMs: Number.MAX_SAFE_INTEGER };

/** Drops known rejected events from `all`. */
export function notRefused(all: readonly string[], { refused }: EventTries): readonly string[] {
	return all.filter((event) => !refused.includes(event));
}

/**
 * The next events to request. A server rejects all events for one unknown name, without naming it. So this combines the
 * accepted events with a part of the others: first without the `doubtful` ones, then by bisection.
 */
export function nextTry(all: readonly string[], tries: EventTries, doubtful: readonly string[]): readonly string[] {
	const { taken, narrowed } = tries;
	const possible = notRefused(all, tries);
	if (narrowed.length === 0) {
		return possible;
	}
	const usual = narrowed.filter((event) => !doubtful.includes(event));
	const isParted = usual.length > 0 && usual.length < narrowed.length;
	const some = isParted ? usual : narrowed.slice(0, Math.max(1, Math.floor(narrowed.length / 2)));
	return possible.filter((event) => taken.includes(event) || some.includes(event));
}

/** The server accepted `asked`. */
export function afterTaken(tries: EventTries, asked: readonly string[], againMs: number): EventTries {
	const taken = [...new Set([...tries.taken, ...asked])];
	const narrowed = tries.narrowed.filter((event) => !asked.includes(event));
	const [only, ...others] = narrowed;
	return only === undefined || others.length > 0
		? { ...tries, taken, narrowed }
		: { taken, refused: [...tries.refused, only], narrowed: [], againMs };
}

/**
 * The server rejected `asked`. Returns the same value if all events were accepted before, because then no event is the
 * reason.
 */
export function afterRefused(tries: EventTries, asked: readonly string[], againMs: number): EventTries {
	const unknown = asked.filter((event) => !tries.taken.includes(event));
	const [only, ...others] = unknown;
	if (only === undefined) {
		return tries;
	}
	return others.length > 0
		? { ...tries, narrowed: unknown }
		: { ...tries, refused: [...tries.refused, only], narrowed: [], againMs };
}

/** Retries old rejections. */
export function triesAt(tries: EventTries, nowMs: number): EventTries {
	return tries.refused.length > 0 && tries.againMs <= nowMs
		? { ...tries, refused: [], againMs: noTries.againMs }
		: tries;
}

/** Longest URL or path (docs/protocol.md#webhook-routes). */
const address = v.pipe(v.string(), v.nonEmpty(), v.maxLength(2048));

/** A requested webhook. Its record precedes the request, so that no webhook can exist without one. */
const bookedWebhook = v.object({
	family,
	/** Secret and unique. */
	path: address,
	/** The full URL as sent to the forge: an address of this machine, then the path. */
	url: address,
	/** Of an earlier version: the forge prints our answer to those who push. Such a webhook is made again. */
	isSync: v.optional(v.boolean()),
	events: v.pipe(v.array(v.string()), v.readonly()),
	/** Id on the forge; `undefined` until a response or a listing contains it. */
	id: maybe(whole),
	/** Time of the request. Times are milliseconds since 1970. */
	askedMs: time,
	/** When the forge last listed it; 0 for never. */
	verifiedMs: time,
	/** Needs a check of its existence and owner: the token changed, or a listing omitted it. */
	doubt: maybe(v.picklist(['token', 'unlisted'])),
});
export type BookedWebhook = Readonly<v.InferOutput<typeof bookedWebhook>>;

/** The problems of stored rejections. */
const problem: v.GenericSchema<unknown, Problem> = v.variant('kind', [
	v.object({ kind: v.picklist(['notFound', 'notOffered']) }),
	v.object({ kind: v.literal('notAllowed'), reason: v.exactOptional(v.string()) }),
	v.object({ kind: v.literal('missingScope'), scope: maybe(v.picklist(scopes)), asWritten: v.string() }),
	v.object({
		kind: v.literal('invalid'),
		errors: v.array(v.object({ field: maybe(v.string()), reason: v.string() })),
	}),
]);

/** A family whose webhooks the server rejects for this account until the next attempt. Polling covers it. */
const refusedFamily = v.object({ family, problem, againMs: time });
export type RefusedFamily = Readonly<v.InferOutput<typeof refusedFamily>>;

/**
 * A webhook that no current token can access, or that the forge refuses to remove. The user must remove it on the
 * server's website. `lostMs`: time of the discovery.
 */
const lostWebhook = v.object({ family, url: address, id: whole, lostMs: time });
export type LostWebhook = Readonly<v.InferOutput<typeof lostWebhook>>;

const group = v.fallback(v.optional(eventTries), undefined);

/** The stored state of one account's webhooks. Skips damaged entries and keeps the rest. */
export const webhookBook = v.object({
	/** One per family. */
	webhooks: goodOf(bookedWebhook),
	refused: goodOf(refusedFamily),
	tries: v.fallback(
		v.object({
			todoUser: group,
			gitUser: group,
			listsUser: group,
			list: group,
			repository: group,
			tracker: group,
			ticket: group,
		}),
		{},
	),
	/** Base URLs of this machine, newest first. A URL with one of these prefixes may be ours. */
	addresses: goodOf(address),
	lost: goodOf(lostWebhook),
	/** True after `removeAll`: create none until a listener starts again. */
	isResting: v.fallback(v.boolean(), false),
});
export type WebhookBook = Readonly<v.InferOutput<typeof webhookBook>>;

export const emptyWebhookBook: WebhookBook = {
	webhooks: [],
	refused: [],
	tries: {},
	addresses: [],
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

/** Creates and recognizes webhook paths. */
export interface HookPaths {
	/** Returns an unguessable path. */
	create(): string;
	/** True only for paths that `create` made on this computer. */
	isPath(path: string): boolean;
}

/**
 * True for the URL of our webhook: a recorded one, or one of this computer's addresses with a path that only this
 * computer makes. Another computer may have the same address, such as `http://127.0.0.1:8080`, and the same token.
 * `here`: the listener's address now.
 */
export function isOwnUrl(
	url: string,
	{ addresses, webhooks }: WebhookBook,
	here: string | undefined,
	paths: HookPaths,
): boolean {
	const ours = here === undefined ? addresses : [...addresses, here];
	return (
		webhooks.some((each) => each.url === url) ||
		ours.some((address) => url.startsWith(address) && paths.isPath(url.slice(address.length)))
	);
}

export type OpenWebhookBook = ReturnType<typeof openWebhookBook>;

/**
 * One account's webhook book in this window. `place` is shared by all windows of the account. `onDidWrite`: another
 * window has written it, or may have.
 */
export function openWebhookBook(place: KeptText, onDidWrite: Event<void>) {
	const owned = new Disposables();
	const changed = owned.add(new Emitter<void>());
	const read = kept(place, webhookBook, emptyWebhookBook);
	let known = emptyWebhookBook;
	rereadUnlessFailing();
	owned.add(onDidWrite(rereadUnlessFailing));

	function take(next: WebhookBook): WebhookBook {
		if (!isSameBook(known, next)) {
			known = next;
			changed.fire();
		}
		return known;
	}

	/** After a failed read, the next step or write reads again. */
	function rereadUnlessFailing(): void {
		try {
			take(read());
		} catch {
			return;
		}
	}

	return {
		/** The last state read. The same object until it changes. */
		now: () => known,
		/** Reads other windows' changes. Throws if the read fails: then do nothing based on the old state. */
		reread: () => take(read()),
		/** Changes the stored state and returns the result. Rejects if the write fails. */
		async change(work: (book: WebhookBook) => WebhookBook) {
			const before = read();
			const after = work(before);
			if (!isSameBook(before, after)) {
				await place.write(JSON.stringify(after));
			}
			return take(after);
		},
		onDidChange: changed.event,
		dispose: () => owned.dispose(),
	};
}
