import { decoder, decodeItems, isObject, Misread, type Decoder } from '../answers/decoding.ts';
import { forgeErrorOf } from '../answers/failures.ts';
import { farPieces, type FarWays } from '../answers/farAnswers.ts';
import { Listing } from '../answers/pages.ts';
import { ending, moreOfUnknown, type PagingWay, type RawPage } from '../answers/pagingWay.ts';
import { abortReason } from '../../base/abort.ts';
import { nextTurn } from '../../base/timeSlice.ts';
import type { TrackerApi } from '../port/forge.ts';
import { ForgeError } from '../port/forgeError.ts';
import type { Pages } from '../port/page.ts';
import type { Ticket } from '../port/ticket.ts';
import { isNamed, type TrackerRef } from '../port/tracker.ts';
import type { HttpAnswer } from '../../machine/http/httpClient.ts';
import { asJson, bareListPage, farPage, jsonOf, limits, rawPage, type AnswerReader } from './answers.ts';
import { isBigBareList } from './bareList.ts';
import { paged, type Caller } from './caller.ts';
import { inTracker } from './inTracker.ts';
import { ownOnly } from './ownOnly.ts';
import { restTickets } from './restTickets.ts';
import { sureTrackers, type SureTrackers } from './sureTracker.ts';
import { trackerEndpoints as endpoints } from './trackerEndpoints.ts';
import { ticket } from './wire/ticket.ts';

/** Maximum length of a reference: two names and a number. */
const longestRef = 600;

export function restTrackers(caller: Caller, sure: SureTrackers = sureTrackers(caller)): TrackerApi {
	const { call } = caller;
	const tickets = restTickets(caller, sure);
	return {
		...tickets,
		get editComment() {
			return tickets.editComment;
		},
		trackers: (owner, signal) =>
			paged(caller, endpoints.trackers, { params: {}, owner, signal }, { key: ({ name }) => name }),
		tracker: (ref, signal) => sure.read(ref, signal),
		create: ({ name, description, visibility }, signal) => {
			const told = {
				...(description !== undefined && { description }),
				// Trackers take the visibility in capitals (docs/protocol.md#later-servers).
				...(visibility !== undefined && { visibility: visibility.toUpperCase() }),
			};
			return call(endpoints.create, { params: {}, body: { name, ...told }, signal });
		},
		async update(ref, description, signal) {
			await sure.read(ref, signal);
			return call(endpoints.update, { ...inTracker(ref), body: { description }, signal });
		},
		async remove(ref, signal) {
			ownOnly(caller, ref.owner);
			await sure.read(ref, signal);
			await call(endpoints.remove, { params: { 'tracker-name': ref.name }, signal });
		},
		labels: (ref, signal) =>
			paged(caller, endpoints.labels, { ...inTracker(ref), signal }, { key: ({ name }) => name }),
		tickets: (ref, signal) =>
			ofTracker(
				ref,
				paged(caller, endpoints.tickets, { ...inTracker(ref), signal }, { key: ({ id }) => id, way: byNumber }),
			),
		ticketsOn: {
			kind: 'fromNumber',
			read(ref, from, signal) {
				const query = { start: String(from) };
				const call = { ...inTracker(ref), query, signal };
				return ofTracker(ref, paged(caller, endpoints.tickets, call, { key: ({ id }) => id, way: belowNumber }));
			},
		},
		allTickets: (ref, signal) => ofTracker(ref, walkTickets(caller, ref, signal)),
		async submit(ref, { title, description }, signal) {
			await sure.beforeWrite(ref, signal);
			return call(endpoints.submit, { ...inTracker(ref), body: { title, description }, signal });
		},
	};
}

/** Tickets of another tracker mean that this name no longer exists. */
async function* ofTracker(ref: TrackerRef, pages: Pages<Ticket>): Pages<Ticket> {
	for await (const page of pages) {
		if (page.items.some(({ tracker }) => !isNamed(tracker, ref))) {
			throw new ForgeError({ kind: 'notFound' });
		}
		yield page;
	}
}

/** Decoding happens after the call has ended, and still throws `ForgeError`. */
function walkTickets(caller: Caller, ref: TrackerRef, signal: AbortSignal): Pages<Ticket> {
	const prepared = caller.prepare({ ...endpoints.tickets, reader: sealedTickets }, inTracker(ref));
	return pagesAhead(
		(start, shared) => prepared({ ...(start !== undefined && { query: { start } }), signal: shared }),
		signal,
	);
}

const sealedTickets = sealedListBy(decoder(ticket));

/** Fetches a page without parsing it. */
type FetchSealed<T> = (start: string | undefined, signal: AbortSignal) => Promise<SealedPage<T>>;

/**
 * Pages through a list of numbered items, with read-ahead: the next request runs while the caller uses the current
 * page. Leaving early aborts it.
 */
export async function* pagesAhead<T>(fetch: FetchSealed<T>, signal: AbortSignal): Pages<T> {
	const listing = new Listing<Numbered>({ key: ({ id }) => id, way: byNumber });
	const ahead = requestsAhead(fetch, signal);
	try {
		for (let { at } = listing; at !== undefined; { at } = listing) {
			const { guess, open } = await ahead.answer(at.start);
			if (guess !== undefined) {
				ahead.begin(guess);
				// Lets the new request reach the network first.
				await nextTurn();
			}
			const unread = open();
			const page = listing.take(unread.raw);
			if (listing.at?.start !== undefined) {
				ahead.begin(listing.at.start);
			}
			yield { ...page, items: readFresh(unread, page.items) };
		}
	} finally {
		ahead.end();
	}
}

interface RequestsAhead<T> {
	/** Requests a page unless already pending. Aborts any other pending request. */
	begin(start: string | undefined): void;
	/** The page at `start`; requests it if not pending. */
	answer(start: string | undefined): Promise<SealedPage<T>>;
	end(): void;
}

/** Holds at most one read-ahead request. */
function requestsAhead<T>(fetch: FetchSealed<T>, signal: AbortSignal): RequestsAhead<T> {
	let abort = new AbortController();
	let begun: { readonly start: string | undefined; readonly page: Promise<SealedPage<T>> } | undefined;
	const giveUp = (): void => abort.abort(abortReason(signal));
	signal.addEventListener('abort', giveUp, { once: true });

	function begin(start: string | undefined): Promise<SealedPage<T>> {
		if (begun !== undefined && begun.start === start) {
			return begun.page;
		}
		if (begun !== undefined) {
			abort.abort();
			abort = new AbortController();
		}
		if (signal.aborted) {
			giveUp();
		}
		const page = fetch(start, abort.signal);
		// Only the consumer of the page handles its failure.
		page.catch(() => undefined);
		begun = { start, page };
		return page;
	}

	return {
		begin: (start) => void begin(start),
		async answer(start) {
			const page = begin(start);
			begun = undefined;
			return await page;
		},
		end() {
			signal.removeEventListener('abort', giveUp);
			abort.abort();
		},
	};
}

function readFresh<T>({ raw, read }: UnreadPage<T>, fresh: readonly Numbered[]): readonly T[] {
	const items = read();
	if (fresh.length === items.length) {
		return items;
	}
	const wanted = new Set(fresh);
	return items.filter((_, place) => {
		const item = raw.items[place];
		return item !== undefined && wanted.has(item);
	});
}

/**
 * Tickets. The server's cursor counts rows while its pages count numbers, so following it may never end. The next page
 * starts below the lowest number until the count reaches the total (docs/protocol.md#ticket-pages).
 */
export function byNumber<T extends { readonly id: number }>(): PagingWay<T> {
	return ({ page, seen, added }) => {
		const isAll = page.total === undefined ? page.next === undefined : seen >= page.total;
		const lowest = lowestOf(page.items);
		if (!page.isEnvelope || isAll || page.next === undefined || lowest <= 1) {
			return { end: ending(page, seen) };
		}
		return added === 0 ? { end: { kind: 'more', total: page.total } } : { start: String(lowest - 1) };
	};
}

/** Tickets below a number. The count above it is unknown, so only the server or number 1 ends the list. */
export function belowNumber<T extends { readonly id: number }>(): PagingWay<T> {
	return ({ page, added }) => {
		if (!page.isEnvelope) {
			return { end: { kind: 'unstated' } };
		}
		const lowest = lowestOf(page.items);
		if (page.next === undefined || lowest <= 1) {
			return { end: { kind: 'complete' } };
		}
		return added === 0 ? { end: moreOfUnknown } : { start: String(lowest - 1) };
	};
}

function lowestOf(items: readonly { readonly id: number }[]): number {
	let lowest = Number.POSITIVE_INFINITY;
	for (const { id } of items) {
		lowest = Math.min(lowest, id);
	}
	return lowest;
}

interface Numbered {
	readonly id: number;
}

/** An unparsed page. */
interface SealedPage<T> {
	/** Probable start of the next page, guessed from the raw bytes. Parsing confirms it. */
	readonly guess: string | undefined;
	/** Parses the page. Throws `ForgeError`. */
	readonly open: () => UnreadPage<T>;
}

/** A page with undecoded items: enough to find the start of the next page. */
interface UnreadPage<T> {
	readonly raw: RawPage<Numbered>;
	/** Decodes all items in order. Throws `ForgeError`. */
	readonly read: () => readonly T[];
}

/** A list of numbered items with unparsed pages, so the next request can go first. */
export function sealedListBy<T extends Numbered>(decode: Decoder<T>): AnswerReader<SealedPage<T>> {
	return {
		accept: asJson,
		limitBytes: limits.list,
		read: (answer) => ({
			guess: guessNext(answer.body),
			open: () => asForgeErrors(() => unreadPage(jsonOf(answer), decode)),
		}),
		readLong: (answer, ways) => (isBigBareList(answer.body) ? openedPage(answer, decode, ways) : undefined),
	};
}

/** Decodes a whole list immediately: no further page has to go first. */
async function openedPage<T extends Numbered>(
	answer: HttpAnswer,
	decode: Decoder<T>,
	ways: FarWays,
): Promise<SealedPage<T>> {
	const pieces = farPieces(answer.body, ways);
	const raw = await (pieces ? farPage(answer, decode, pieces) : bareListPage(answer, decode));
	return { guess: undefined, open: () => ({ raw, read: () => raw.items }) };
}

function unreadPage<T>(json: unknown, decode: Decoder<T>): UnreadPage<T> {
	const raw = rawPage(json, numbered);
	return {
		raw,
		read: () =>
			asForgeErrors(() => {
				try {
					return decodeItems(raw.items, decode);
				} catch (error) {
					throw raw.isEnvelope && error instanceof Misread ? error.below('.results') : error;
				}
			}),
	};
}

function asForgeErrors<T>(run: () => T): T {
	try {
		return run();
	} catch (error) {
		throw forgeErrorOf(error);
	}
}

function numbered(value: unknown): Numbered {
	if (!isNumbered(value)) {
		throw new Misread('.id', 'expected a number');
	}
	return value;
}

function isNumbered(value: unknown): value is Numbered {
	return isObject(value) && Number.isSafeInteger(value['id']);
}

/**
 * The number below the last reference of the page (`"ref": "~alice/alpha#7"`). Quotes inside JSON strings are escaped,
 * so a match is a member name, or a string without a reference behind it.
 */
function guessNext(body: Uint8Array): string | undefined {
	const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
	const ref = bytes.lastIndexOf('"ref"');
	const next = bytes.indexOf('"next"');
	if (ref === -1 || next === -1 || /^"next"\s*:\s*null/.test(bytes.toString('latin1', next, next + 40))) {
		return undefined;
	}
	const [, id] = /^"ref"\s*:\s*"[^"]*#(\d{1,15})"/.exec(bytes.toString('latin1', ref, ref + longestRef)) ?? [];
	return id === undefined || Number(id) <= 1 ? undefined : String(Number(id) - 1);
}
