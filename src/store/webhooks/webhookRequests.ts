import { pushAll } from '@forge-desk/base/longArrays.ts';
import type { WebhookApi } from 'sourcehut/port/forge.ts';
import { isForgeError, ForgeError, type Problem } from 'sourcehut/port/forgeError.ts';
import { type Webhook, type WebhookFamily, eventGroupOf } from 'sourcehut/port/webhook.ts';
import {
	afterRefused,
	afterTaken,
	nextTry,
	noTries,
	notRefused,
	triesAt,
	type EventTries,
	bookedOf,
	isOwnUrl,
	withAddress,
	withChanged,
	withLeft,
	withLost,
	withoutFamily,
	withoutLeft,
	withoutRefusal,
	withRefusal,
	withTries,
	withWebhook,
	type BookedWebhook,
	type OpenWebhookBook,
	type WebhookBook,
} from './webhookBook.ts';
import type { WebhooksContext } from './wantedWebhooks.ts';

/** No family has as many webhooks; beyond this, the server's paging is broken. */
const mostPages = 20;

/** The webhooks of a family on the forge, from a limited number of pages. `isPart`: the forge has more. */
export async function listedWebhooks(
	api: WebhookApi,
	family: WebhookFamily,
	signal: AbortSignal,
): Promise<{ readonly webhooks: readonly Webhook[]; readonly isPart: boolean }> {
	const webhooks: Webhook[] = [];
	let isPart = false;
	let pages = 0;
	for await (const { items, completeness } of api.webhooks(family, signal)) {
		pushAll(webhooks, items);
		isPart = completeness.kind === 'more';
		pages += 1;
		if (pages === mostPages) {
			break;
		}
	}
	return { webhooks, isPart };
}

/** Result of a removal. */
export type RemovalEnd =
	| 'removed'
	/** Missing, or invisible to this token: servers don't distinguish another token's webhook. */
	| 'notFound'
	/** The forge refuses this token, and keeps sending deliveries. */
	| 'notAllowed';

/** Rejects with all other errors. */
export async function removalEnd(removing: Promise<void>): Promise<RemovalEnd> {
	try {
		await removing;
		return 'removed';
	} catch (error) {
		const kind = isForgeError(error) ? error.problem.kind : undefined;
		if (kind !== 'notFound' && kind !== 'notAllowed') {
			throw error;
		}
		return kind;
	}
}

/** This window's knowledge of a family. */
export interface FamilyView {
	/** Our webhooks on the forge; `undefined` until listed. */
	seen: readonly Webhook[] | undefined;
	/** Time of the listing; milliseconds since 1970. */
	listedMs: number;
	/** The server rejects even the listing. */
	isUnlistable: boolean;
}

/**
 * The requests and changes of the book towards the wanted state. They record rejections, and throw all other errors.
 * `address`: base URL of the listener. `refusedUntilMs`: retry time for rejections of now.
 */
export function webhookRequests(
	{ api, paths, clock }: WebhooksContext,
	book: OpenWebhookBook,
	address: () => string | undefined,
	refusedUntilMs: () => number,
) {
	async function refuse(family: WebhookFamily, problem: Problem): Promise<void> {
		await book.change((all) => withRefusal(all, { family, problem, againMs: refusedUntilMs() }));
	}

	async function look(view: FamilyView, webhook: BookedWebhook, id: number, signal: AbortSignal): Promise<void> {
		const { family, doubt } = webhook;
		try {
			const there = await api.webhook(family, id, signal);
			if (doubt === 'token' && api.offers(family).areOfPerson) {
				// The webhook would keep using the old token's permissions.
				const end = await removalEnd(api.remove(family, id, signal));
				view.seen = undefined;
				await book.change((all) =>
					end === 'notAllowed'
						? withLost(all, webhook, clock.nowMs())
						: withChanged(all, webhook, { id: undefined, doubt: undefined }),
				);
				return;
			}
			view.seen = view.seen && [...view.seen, there];
			await book.change((all) => withChanged(all, webhook, { doubt: undefined }));
		} catch (error) {
			const kind = isForgeError(error) ? error.problem.kind : undefined;
			// A new token can't see an existing webhook either. If all tokens can see it, it is gone.
			const isHidden = doubt === 'token' && !api.offers(family).areOfPerson;
			if (kind === 'notAllowed' || (kind === 'notFound' && isHidden)) {
				// The replacement gets a new path, so that deliveries of the lost webhook can't pass for its own.
				await book.change((all) => withLost(all, webhook, clock.nowMs()));
			} else if (kind === 'notFound') {
				await book.change((all) => withChanged(all, webhook, { id: undefined, doubt: undefined }));
			} else {
				throw error;
			}
		}
	}

	async function list(family: WebhookFamily, view: FamilyView, isWanted: boolean, signal: AbortSignal): Promise<void> {
		try {
			const { webhooks: there, isPart } = await listedWebhooks(api, family, signal);
			const booked = bookedOf(book.now(), family);
			if (isPart && booked && booked.id === undefined && !there.some(({ url }) => url === booked.url)) {
				// The requested webhook may be on an unlisted page. Creating another would duplicate it.
				throw new ForgeError({ kind: 'incomplete' });
			}
			view.isUnlistable = false;
			const verifiedMs = clock.nowMs();
			view.seen = there.filter(({ url }) => isOwnUrl(url, book.now(), address(), paths));
			view.listedMs = verifiedMs;
			await book.change((all) => withListed(all, family, there, verifiedMs));
		} catch (error) {
			const problem = refusalIn(error);
			if (problem === undefined) {
				throw error;
			}
			if (!isWanted && (problem.kind === 'notFound' || problem.kind === 'notOffered')) {
				// The thing is gone, with its webhooks.
				await book.change((all) => withoutFamily(all, family));
			} else {
				view.isUnlistable = true;
				await refuse(family, problem);
			}
		}
	}

	async function create(family: WebhookFamily, view: FamilyView, signal: AbortSignal): Promise<void> {
		const group = eventGroupOf(family);
		const { all: events, doubtful } = api.offers(family).events;
		const tried = nextTry(events, triesOf(book.now(), family), doubtful);
		const here = address();
		if (here === undefined || tried.length === 0) {
			return await refuse(family, { kind: 'invalid', errors: [] });
		}
		const intent = await writeIntent(family, here, tried);
		if (intent === undefined) {
			return undefined;
		}
		let made: Webhook;
		try {
			made = await api.create(family, { url: intent.url, events: tried }, signal);
		} catch (error) {
			const problem = refusalIn(error);
			if (problem === undefined) {
				// The webhook may exist despite the error.
				view.seen = undefined;
				throw error;
			}
			return await refusedCreation(family, tried, problem);
		}
		if (made.url !== intent.url) {
			// The URL identifies our webhooks, so one with another URL must not remain.
			await api.remove(family, made.id, signal);
			throw new ForgeError({ kind: 'notUnderstood', where: 'url', why: 'it is another address than the one sent' });
		}
		view.seen = [...(view.seen ?? []), made];
		view.listedMs = clock.nowMs();
		const taken = tried.filter((event) => made.events.includes(event));
		// Events that the server silently dropped count as rejected.
		const dropped = tried.filter((event) => !taken.includes(event));
		const changed = await book.change((all) => {
			const booked = { ...intent, id: made.id, events: taken, verifiedMs: clock.nowMs() };
			// Another window may have deleted the record meanwhile. The webhook still exists and needs removal.
			const known = bookedOf(all, family) ? withChanged(all, booked, booked) : withWebhook(all, booked);
			const tries = afterTaken(triesOf(all, family), taken, refusedUntilMs());
			const refused = [...new Set([...tries.refused, ...dropped])];
			return withTries(withoutRefusal(known, family), group, dropped.length === 0 ? tries : { ...tries, refused });
		});
		if (bookedOf(changed, family)?.url !== intent.url) {
			// Another window replaced the record, so the next listing removes this webhook.
			view.seen = undefined;
		}
	}

	/** Records the request before sending it. */
	async function writeIntent(
		family: WebhookFamily,
		here: string,
		events: readonly string[],
	): Promise<BookedWebhook | undefined> {
		const written = await book.change((all) => {
			const before = bookedOf(all, family);
			const path = before && before.isSync !== true ? before.path : paths.create();
			const url = `${here}${path}`;
			// The webhook with fewer events stays until this one exists.
			const there = before?.url === url && before.id !== undefined ? before : undefined;
			const nowMs = clock.nowMs();
			return withAddress(
				withWebhook(all, {
					family,
					path,
					url,
					events: there?.events ?? events,
					id: there?.id,
					askedMs: nowMs,
					// The family's listing is fresh.
					verifiedMs: nowMs,
					doubt: undefined,
				}),
				here,
			);
		});
		return bookedOf(written, family);
	}

	async function refusedCreation(family: WebhookFamily, tried: readonly string[], problem: Problem): Promise<void> {
		const group = eventGroupOf(family);
		await book.change((all) => {
			const before = triesOf(all, family);
			// A missing scope can also come from a single event.
			const isOfEvents =
				problem.kind === 'missingScope' ||
				(problem.kind === 'invalid' && !problem.errors.some(({ field }) => field === 'url'));
			const after = isOfEvents ? afterRefused(before, tried, refusedUntilMs()) : before;
			const isDone = after === before || notRefused(api.offers(family).events.all, after).length === 0;
			const noted = withTries(all, group, after);
			return isDone ? withRefusal(noted, { family, problem, againMs: refusedUntilMs() }) : noted;
		});
	}

	async function remove(family: WebhookFamily, view: FamilyView, id: number, signal: AbortSignal): Promise<void> {
		const end = await removalEnd(api.remove(family, id, signal));
		const url = view.seen?.find((each) => each.id === id)?.url;
		const seen = view.seen?.filter((each) => each.id !== id);
		view.seen = seen;
		await book.change((before) => {
			let all = before;
			// The list keeps the webhook of a lost token, which is not found.
			if (end === 'removed') {
				all = withoutLeft(before, { family, id });
			} else if (end === 'notAllowed' && url !== undefined) {
				// The next listing retries it.
				all = withLeft(before, { family, url, id, lostMs: clock.nowMs() });
			}
			const booked = bookedOf(all, family);
			return booked?.id === id
				? withChanged(all, booked, { id: seen?.find(({ url }) => url === booked.url)?.id })
				: all;
		});
	}

	function triesOf(all: WebhookBook, family: WebhookFamily): EventTries {
		return triesAt(all.tries[eventGroupOf(family)] ?? noTries, clock.nowMs());
	}

	return {
		/** Checks the webhook's existence and owner. */
		look,
		list,
		create,
		remove,
		/** Without a request: records another existing webhook, because this machine has its earlier address again. */
		async note(family: WebhookFamily, { id, url, events }: Webhook) {
			await book.change((all) => {
				const booked = bookedOf(all, family);
				return booked ? withWebhook(all, { ...booked, id, url, events }) : all;
			});
		},
		/** Without a request: forgets the family, because it has no webhooks left. */
		async forget(family: WebhookFamily, view: FamilyView) {
			view.seen = undefined;
			await book.change((all) => withoutFamily(all, family));
		},
		triesOf,
	};
}

/** Applies a listing to the recorded webhook. */
function withListed(
	all: WebhookBook,
	family: WebhookFamily,
	there: readonly Webhook[],
	verifiedMs: number,
): WebhookBook {
	const booked = bookedOf(all, family);
	if (!booked) {
		return all;
	}
	const same = there.filter(({ url }) => url === booked.url).toSorted((a, b) => a.id - b.id);
	const found = same.find(({ id }) => id === booked.id) ?? same[0];
	const isLeftOut = !found && booked.id !== undefined;
	return withChanged(all, booked, {
		verifiedMs,
		...(found ? { id: found.id } : {}),
		...(isLeftOut ? { doubt: 'unlisted' } : {}),
	});
}

/** Permanent rejections; all other errors may be temporary. */
const refusals: ReadonlySet<Problem['kind']> = new Set([
	'notAllowed',
	'notFound',
	'notOffered',
	'missingScope',
	'invalid',
]);

function refusalIn(error: unknown): Problem | undefined {
	return isForgeError(error) && refusals.has(error.problem.kind) ? error.problem : undefined;
}
