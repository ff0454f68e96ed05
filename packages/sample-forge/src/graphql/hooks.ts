import { randomUUID } from 'node:crypto';
import { permits } from '../identity/scopes.ts';
import type { AreaName, Context, Grant, User, WebhookReply } from '../shared/area.ts';
import { type Caller, guardOf, mostPoints } from './door.ts';
import { check, need } from '../shared/checks.ts';
import type { Cursors, PageWish } from './cursors.ts';
import { FieldError, type GraphqlSchema, type Outcome, type Question, scopeOfService } from './engine.ts';
import { time, goJson } from './shapes.ts';

/** A webhook. Its payload is the answer to its own query, on behalf of its owner. */
interface Hook<Thing> {
	readonly id: number;
	readonly user: User;
	readonly grant: Grant;
	/** Resource of the webhook. */
	readonly of: Thing;
	readonly url: string;
	readonly events: readonly string[];
	readonly query: string;
	/** Newest first. */
	readonly deliveries: HookDelivery[];
}

interface HookDelivery {
	readonly number: number;
	readonly uuid: string;
	readonly timeMs: number;
	readonly event: string;
	readonly requestBody: string;
	/** Null before the response. */
	response: WebhookReply | null;
}

/** Input for a new webhook. */
interface HookWish {
	readonly url: string;
	readonly events: readonly string[];
	readonly query: string;
}

/** What all kinds of webhooks of a service share. */
export interface HookService {
	readonly context: Context;
	readonly area: AreaName;
	readonly schema: GraphqlSchema;
	readonly cursors: Cursors;
}

/** Arguments of the mutation that creates a webhook. */
export interface Configured {
	readonly config: HookWish;
}

/** One kind of webhooks of a service. */
interface KindPlan<Asking, Thing> {
	/** GraphQL type without `Subscription`; it ends the names of the mutations. */
	readonly name: string;
	/** Supported events, with the required scopes. */
	readonly events: Readonly<Record<string, string>>;
	/** Finds the resource of a new webhook, after the checks of its input. Throws. */
	find(asking: Asking, wish: Configured): Thing;
	/** Fields of the webhook's resource. */
	readonly of?: (asking: Asking, thing: Thing) => object;
	/**
	 * Error for an unknown number, such as "user webhook"; without it the field is null
	 * (docs/protocol.md#graphql-webhooks).
	 */
	readonly missing?: string;
	/** The webhook that a delivery names; without it, the right one (docs/protocol.md#graphql-webhooks). */
	readonly ofDelivery?: (asking: Asking, id: number) => object;
	/** Error for deleting an unknown number. */
	readonly gone: (asking: Asking, id: number) => FieldError;
}

export type HookKind<Asking extends Caller, Thing> = ReturnType<typeof createHookKind<Asking, Thing>>;

export function createHookKind<Asking extends Caller, Thing>(service: HookService, plan: KindPlan<Asking, Thing>) {
	const { cursors } = service;
	const kept = service.context.state.part(`${service.area} ${plan.name}`, {
		all: [] as readonly Hook<Thing>[],
		count: 0,
	});

	/** Oldest first. A personal token has all webhooks of its owner, a client only its own. */
	const ofCaller = ({ user, grant }: Caller): readonly Hook<Thing>[] =>
		kept.all.filter(
			(hook) => hook.user === user && (grant.clientId === null || hook.grant.clientId === grant.clientId),
		);

	const show = (asking: Asking, hook: Hook<Thing>): object => {
		const { id, events, query, url, grant, deliveries } = hook;
		const subscription = (): object => plan.ofDelivery?.(asking, id) ?? show(asking, hook);
		return {
			...plan.of?.(asking, hook.of),
			__typename: `${plan.name}Subscription`,
			id,
			events,
			query,
			url,
			client: () => (grant.clientId === null ? null : { uuid: grant.clientId }),
			deliveries: (wish: PageWish) =>
				cursors.page(deliveries, numberOf, (each) => ({ ...showDelivery(each), subscription }), wish),
		};
	};

	return {
		/** The fields `webhooks` and `webhook` of a resource. */
		fields(asking: Asking, of: Thing) {
			const mine = (): readonly Hook<Thing>[] => ofCaller(asking).filter((hook) => hook.of === of);
			return {
				// Oldest first, unlike all other lists.
				webhooks: (wish: PageWish) =>
					cursors.page(
						mine(),
						({ id }) => -id,
						(hook) => show(asking, hook),
						wish,
					),
				webhook: ({ id }: { readonly id: number }): object | null => {
					const hook = mine().find((each) => each.id === id);
					if (hook === undefined && plan.missing !== undefined) {
						throw noHook(plan.missing, id);
					}
					return hook === undefined ? null : show(asking, hook);
				},
			};
		},
		/** Creates and deletes webhooks, also on public resources of others (docs/protocol.md#graphql-webhooks). */
		mutations: (asking: Asking) => ({
			[`create${plan.name}`](wish: Configured) {
				checkHook(service, asking.grant, plan.events, wish.config);
				const of = plan.find(asking, wish);
				const { url, events, query } = wish.config;
				const { user, grant } = asking;
				const hook: Hook<Thing> = { id: ++kept.count, user, grant, of, url, events, query, deliveries: [] };
				kept.all = [...kept.all, hook];
				return show(asking, hook);
			},
			[`delete${plan.name}`]({ id }: { readonly id: number }) {
				const own = ofCaller(asking).find((each) => each.id === id);
				const hook = need(own, () => plan.gone(asking, id));
				kept.all = kept.all.filter((each) => each !== hook);
				return show(asking, hook);
			},
		}),
		/** The webhook of a number, whoever made it. */
		ofAnybody: (asking: Asking, id: number): object | undefined => {
			const hook = kept.all.find((each) => each.id === id);
			return hook && show(asking, hook);
		},
		/** Those of a resource that listen to an event. */
		listening:
			(of: Thing) =>
			(event: string): readonly Hook<Thing>[] =>
				kept.all.filter((hook) => hook.of === of && hook.events.includes(event)),
	};
}

const numberOf = ({ number }: HookDelivery): number => number;

/** The root fields of webhooks that all services have. */
export function userHookRoots<Asking extends Caller>(asking: Asking, kind: HookKind<Asking, User>) {
	const { webhooks, webhook } = kind.fields(asking, asking.user);
	return {
		userWebhooks: webhooks,
		userWebhook: webhook,
		webhook() {
			throw new FieldError('webhook is for the queries of webhooks alone');
		},
	};
}

/** Error for a number without a webhook of this user. It has no code. */
export function noHook(what: string, id: number): FieldError {
	return new FieldError(`no ${what} by ID ${id} found for this user`);
}

/** Throws for an invalid input (docs/protocol.md#graphql-webhooks). */
function checkHook(
	{ context, area, schema }: HookService,
	grant: Grant,
	taken: Readonly<Record<string, string>>,
	wish: HookWish,
): void {
	const [wrong] = schema.check(wish.query);
	if (wrong !== undefined) {
		const { line = 1 } = wrong.locations?.[0] ?? {};
		throw new FieldError(`Error validating webhook query: input:${line}: ${wrong.message}\n`);
	}
	check(wish.events.length > 0, () => new FieldError('must specify at least one event'));
	for (const event of wish.events) {
		const scope = need(taken[event], () => new FieldError(`unsupported event ${event}`));
		if (!permits(context.dialect, grant.scopes, scopeOfService(area, scope, 'RO'))) {
			const code = { code: 'ERR_ACCESS_DENIED' };
			throw new FieldError(`Insufficient access granted for webhook event ${event}`, code);
		}
	}
	const { host = '', protocol = '' } = URL.parse(wish.url) ?? {};
	check(host !== '', () => new FieldError('cannot use URL without host'));
	check(/^https?:$/.test(protocol), () => new FieldError('cannot use non-HTTP or HTTPS URL'));
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

/** Sends an event to webhooks, with the payload from the time of the event. `typename`: GraphQL type of the payload. */
export type TellHooks<Asking> = (
	event: string,
	typename: string,
	to: readonly ((event: string) => readonly Hook<unknown>[])[],
	payload: (asking: Asking) => object,
) => void;

/**
 * Runs each webhook's own query on behalf of its owner. All deliveries of an event share one id
 * (docs/protocol.md#graphql-webhooks).
 */
export function createHookTelling<Asking>(
	{ context, area, schema }: HookService,
	askingOf: (caller: Caller) => Asking,
	query: (asking: Asking) => Question['query'],
): TellHooks<Asking> {
	const kept = context.state.part(`deliveries of ${area}`, { count: 0 });

	const ask = async (hook: Hook<unknown>, asking: Asking, payload: object): Promise<string> => {
		const outcome = await schema.run({
			document: hook.query,
			variables: {},
			operationName: undefined,
			query: { ...query(asking), webhook: payload },
			mutation: () => ({}),
			guard: guardOf(context, area, hook),
			mostPoints,
		});
		return goJson(answerOf(outcome));
	};

	return (event, typename, to, payload) => {
		const uuid = randomUUID();
		const timeMs = context.nowMs();
		const common = { __typename: typename, uuid, event, date: time(timeMs) };
		for (const hook of to.flatMap((listening) => listening(event))) {
			const number = ++kept.count;
			const asking = askingOf(hook);
			const asked = ask(hook, asking, { ...payload(asking), ...common });
			const sent = context.webhooks.post(
				asked.then((body) => {
					hook.deliveries.unshift({ number, uuid, timeMs, event, requestBody: body, response: null });
					return { url: hook.url, event, id: uuid, body };
				}),
			);
			void sent.then((response) => {
				const delivery = hook.deliveries.find((each) => each.number === number);
				if (delivery !== undefined) {
					delivery.response = response;
				}
			});
		}
	};
}

function answerOf(outcome: Outcome): object {
	if (outcome.kind === 'answered') {
		const { data, errors } = outcome;
		return errors.length === 0 ? { data } : { errors, data };
	}
	return { errors: outcome.kind === 'refused' ? outcome.errors : [], data: null };
}
