import type { Context, Grant, User } from '../../../../../src/sampleForge/shared/area.ts';
import { permits, scopeOfService } from '../../../../../src/sampleForge/identity/scopes.ts';
import type { Ticket, Tracker } from '../../../../../src/sampleForge/tickets/ticketModel.ts';
import type { Caller } from '../caller.ts';
import { type Cursors, pageOf, type PageWish } from '../cursors.ts';
import { FieldError, type GraphqlSchema } from '../engine.ts';
import { createHookBook, type Hook, type HookBook, type HookDelivery } from '../hookBook.ts';
import { time } from '../scalars.ts';

/** The webhooks of the ticket service, one book for each kind. */
export interface TodoHooks {
	readonly user: HookBook<User>;
	readonly tracker: HookBook<Tracker>;
	readonly ticket: HookBook<Ticket>;
}

export type HookKind = keyof TodoHooks;

export function createTodoHooks(): TodoHooks {
	return { user: createHookBook(), tracker: createHookBook(), ticket: createHookBook() };
}

/** What somebody asks for. */
export interface HookWish {
	readonly url: string;
	readonly events: readonly string[];
	readonly query: string;
}

const ofTracker = { TRACKER_UPDATE: 'TRACKERS', TRACKER_DELETED: 'TRACKERS' } as const;
const ofTicket = { TICKET_UPDATE: 'TICKETS', TICKET_DELETED: 'TICKETS', EVENT_CREATED: 'EVENTS' } as const;

/** The events that each kind takes, with the scope that each asks for. */
const taken: Readonly<Record<HookKind, Readonly<Record<string, string>>>> = {
	user: { TRACKER_CREATED: 'TRACKERS', ...ofTracker, TICKET_CREATED: 'TICKETS' },
	tracker: {
		...ofTracker,
		LABEL_CREATED: 'TRACKERS',
		LABEL_UPDATE: 'TRACKERS',
		LABEL_DELETED: 'TRACKERS',
		TICKET_CREATED: 'TICKETS',
		...ofTicket,
	},
	ticket: ofTicket,
};

export interface HookCheck {
	readonly context: Context;
	readonly schema: GraphqlSchema;
	readonly grant: Grant;
}

/** Throws what is wrong with a wish (docs/protocol.md#graphql-webhooks). */
export function checkHook({ context, schema, grant }: HookCheck, kind: HookKind, wish: HookWish): void {
	const [wrong] = schema.check(wish.query);
	if (wrong !== undefined) {
		const { line = 1 } = wrong.locations?.[0] ?? {};
		throw new FieldError(`Error validating webhook query: input:${line}: ${wrong.message}\n`);
	}
	if (wish.events.length === 0) {
		throw new FieldError('must specify at least one event');
	}
	for (const event of wish.events) {
		checkEvent({ context, grant }, taken[kind][event], event);
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
	{ context, grant }: Pick<HookCheck, 'context' | 'grant'>,
	scope: string | undefined,
	event: string,
): void {
	if (scope === undefined) {
		throw new FieldError(`unsupported event ${event}`);
	}
	if (!permits(context.dialect, grant.scopes, scopeOfService('todo', scope, 'RO'))) {
		const code = { code: 'ERR_ACCESS_DENIED' };
		throw new FieldError(`Insufficient access granted for webhook event ${event}`, code);
	}
}

/** How one kind of webhook is shown. */
export interface HookShown<Thing> {
	readonly typename: string;
	readonly cursors: Cursors;
	readonly caller: Caller;
	/** What it says of what it is told of. */
	readonly of: (thing: Thing) => object;
}

export function showHook<Thing>(shown: HookShown<Thing>, hook: Hook<Thing>): object {
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

/** `webhooks` and `webhook` of what they are told of. */
export function hookFields<Thing>(shown: HookShown<Thing>, book: HookBook<Thing>, of: Thing): HookFields {
	const mine = (): readonly Hook<Thing>[] => book.ofCaller(shown.caller).filter((hook) => hook.of === of);
	return {
		// Oldest first, unlike everything else.
		webhooks: (wish: PageWish) =>
			pageOf(shown.cursors, { rows: mine(), key: ({ id }) => -id, show: (hook) => showHook(shown, hook) }, wish),
		webhook({ id }: { readonly id: number }) {
			const hook = mine().find((each) => each.id === id);
			return hook === undefined ? null : showHook(shown, hook);
		},
	};
}
