import { randomUUID } from 'node:crypto';
import type { AreaName, Context } from '../shared/area.ts';
import { type Caller, guardOf } from './caller.ts';
import { mostPoints } from './door.ts';
import type { GraphqlSchema, Outcome, Question } from './engine.ts';
import { goJson } from './goJson.ts';
import type { Hook, HookDelivery } from './hookBook.ts';
import { time } from './scalars.ts';

/** Parts of a service for sending deliveries. */
export interface HookTelling<Asking> {
	readonly context: Context;
	readonly schema: GraphqlSchema;
	readonly area: AreaName;
	/** Runs a webhook's query on behalf of its owner. */
	readonly askingOf: (caller: Caller) => Asking;
	readonly query: (asking: Asking) => Question['query'];
}

/** Names of an event. */
export interface ToldEvent {
	readonly event: string;
	/** GraphQL type of the payload. */
	readonly typename: string;
}

/** Sends an event to webhooks, with the payload from the time of the event. */
export type TellHooks<Asking> = (
	all: readonly Hook<unknown>[],
	told: ToldEvent,
	payload: (asking: Asking) => object,
) => void;

/**
 * Runs each webhook's own query on behalf of its owner. All deliveries of an event share one id
 * (docs/protocol.md#graphql-webhooks).
 */
export function createHookTelling<Asking>(telling: HookTelling<Asking>): TellHooks<Asking> {
	const { context, schema, area, askingOf, query } = telling;
	let count = 0;

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

	return (all, { event, typename }, payload) => {
		const uuid = randomUUID();
		const timeMs = context.nowMs();
		const common = { __typename: typename, uuid, event, date: time(timeMs) };
		for (const hook of all) {
			const number = ++count;
			const asking = askingOf(hook);
			const asked = ask(hook, asking, { ...payload(asking), ...common });
			const sent = context.webhooks.post(
				asked.then((body) => {
					const delivery: HookDelivery = { number, uuid, timeMs, event, requestBody: body, response: null };
					hook.deliveries.unshift(delivery);
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
