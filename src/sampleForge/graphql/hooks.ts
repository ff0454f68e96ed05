import type { AreaName, Context, Grant } from '../shared/area.ts';
import { permits } from '../identity/scopes.ts';
import { scopeOfService } from './schemaText.ts';
import type { Caller } from './caller.ts';
import { type Cursors, pageOf, type PageWish } from './cursors.ts';
import { FieldError, type GraphqlSchema } from './engine.ts';
import type { Hook, HookBook, HookDelivery } from './hookBook.ts';
import { time } from './scalars.ts';

/** Input for a new webhook. */
export interface HookWish {
	readonly url: string;
	readonly events: readonly string[];
	readonly query: string;
}

/** Supported events of one kind of webhook, with the required scopes. */
export type TakenEvents = Readonly<Record<string, string>>;

export interface HookCheck {
	readonly context: Context;
	readonly schema: GraphqlSchema;
	readonly grant: Grant;
	readonly area: AreaName;
}

/** Throws for an invalid input (docs/protocol.md#graphql-webhooks). */
export function checkHook({ schema, ...check }: HookCheck, taken: TakenEvents, wish: HookWish): void {
	const [wrong] = schema.check(wish.query);
	if (wrong !== undefined) {
		const { line = 1 } = wrong.locations?.[0] ?? {};
		throw new FieldError(`Error validating webhook query: input:${line}: ${wrong.message}\n`);
	}
	if (wish.events.length === 0) {
		throw new FieldError('must specify at least one event');
	}
	for (const event of wish.events) {
		checkEvent(check, taken[event], event);
	}
	const { host, protocol } = URL.canParse(wish.url) ? new URL(wish.url) : { host: '', protocol: '' };
	if (host === '') {
		throw new FieldError('cannot use URL without host');
	}
	if (protocol !== 'http:' && protocol !== 'https:') {
		throw new FieldError('cannot use non-HTTP or HTTPS URL');
	}
}

function checkEvent(
	{ context, grant, area }: Omit<HookCheck, 'schema'>,
	scope: string | undefined,
	event: string,
): void {
	if (scope === undefined) {
		throw new FieldError(`unsupported event ${event}`);
	}
	if (!permits(context.dialect, grant.scopes, scopeOfService(area, scope, 'RO'))) {
		const code = { code: 'ERR_ACCESS_DENIED' };
		throw new FieldError(`Insufficient access granted for webhook event ${event}`, code);
	}
}

/** GraphQL representation of one kind of webhook. */
export interface HookShown<Thing> {
	readonly typename: string;
	readonly cursors: Cursors;
	readonly caller: Caller;
	/** Fields of the webhook's resource. */
	readonly of: (thing: Thing) => object;
	/**
	 * Error for an unknown number, such as "user webhook"; without it the field is null
	 * (docs/protocol.md#graphql-webhooks).
	 */
	readonly missing?: string;
}

/** Error for a number without a webhook of this user. It has no code. */
export function noHook(what: string, id: number): FieldError {
	return new FieldError(`no ${what} by ID ${id} found for this user`);
}

function showHook<Thing>(shown: HookShown<Thing>, hook: Hook<Thing>): object {
	const { id, events, query, url, grant, of } = hook;
	return {
		...shown.of(of),
		__typename: shown.typename,
		id,
		events,
		query,
		url,
		client: () => (grant.clientId === null ? null : { uuid: grant.clientId }),
		deliveries: (wish: PageWish) =>
			pageOf(
				shown.cursors,
				{
					rows: hook.deliveries,
					key: ({ number }) => number,
					show: (delivery) => ({ ...showDelivery(delivery), subscription: () => showHook(shown, hook) }),
				},
				wish,
			),
	};
}

function showDelivery({ uuid, timeMs, event, requestBody, response }: HookDelivery): object {
	return {
		uuid,
		date: time(timeMs),
		event,
		requestBody,
		responseBody: response?.body ?? null,
		responseHeaders: response?.headers ?? null,
		responseStatus: response === null || response.status < 0 ? null : response.status,
	};
}

export interface HookFields {
	readonly webhooks: (wish: PageWish) => object;
	readonly webhook: (named: { readonly id: number }) => object | null;
}

/** The fields `webhooks` and `webhook` of a resource. */
export function hookFields<Thing>(shown: HookShown<Thing>, book: HookBook<Thing>, of: Thing): HookFields {
	const mine = (): readonly Hook<Thing>[] => book.ofCaller(shown.caller).filter((hook) => hook.of === of);
	return {
		// Oldest first, unlike all other lists.
		webhooks: (wish: PageWish) =>
			pageOf(shown.cursors, { rows: mine(), key: ({ id }) => -id, show: (hook) => showHook(shown, hook) }, wish),
		webhook({ id }: { readonly id: number }) {
			const hook = mine().find((each) => each.id === id);
			if (hook === undefined && shown.missing !== undefined) {
				throw noHook(shown.missing, id);
			}
			return hook === undefined ? null : showHook(shown, hook);
		},
	};
}

/** Input and resource of a new webhook. */
export interface HookDraft<Thing> {
	readonly config: HookWish;
	readonly of: Thing;
}

export function addHook<Thing>(
	shown: HookShown<Thing>,
	book: HookBook<Thing>,
	{ config, of }: HookDraft<Thing>,
): object {
	const { url, events, query } = config;
	const { user, grant } = shown.caller;
	return showHook(shown, book.add({ user, grant, of, url, events, query }));
}

/** Throws `missing` if the caller has no webhook of that number. */
export function removeHook<Thing>(
	shown: HookShown<Thing>,
	book: HookBook<Thing>,
	{ id, missing }: { readonly id: number; readonly missing: FieldError },
): object {
	const hook = book.ofCaller(shown.caller).find((each) => each.id === id);
	if (hook === undefined) {
		throw missing;
	}
	book.remove(hook);
	return showHook(shown, hook);
}
