import * as v from 'valibot';
import { fieldsOf } from '../../base/looseJson.ts';

/*
 * Messages between host and pages, with the host's side. The page's side is in `hostLink.ts`, so that pages don't
 * bundle the validators.
 */

/** A protocol: requests of the page, and news from the host. Plain data only. */
export interface Protocol {
	readonly requests: Readonly<Record<string, { readonly in: unknown; readonly out: unknown }>>;
	readonly news: Readonly<Record<string, unknown>>;
}

type Requests<P extends Protocol> = P['requests'];

/** A request. `id` increases within one load of the page; `life` is its `data-life`. */
export interface Ask {
	readonly kind: 'ask';
	readonly life?: number;
	readonly id: number;
	readonly name: string;
	readonly value?: unknown;
}

/** Messages of the host: one answer or refusal per request, and news at any time. */
export type FromHost =
	| { readonly kind: 'answer'; readonly id: number; readonly value: unknown }
	/** `message` is a sentence for the user. */
	| { readonly kind: 'refusal'; readonly id: number; readonly message: string }
	| { readonly kind: 'news'; readonly name: string; readonly value: unknown };

const ask: v.GenericSchema<unknown, Ask> = v.object({
	kind: v.literal('ask'),
	id: v.pipe(v.number(), v.safeInteger(), v.minValue(1)),
	name: v.pipe(v.string(), v.maxLength(64)),
	value: v.optional(v.unknown()),
});

/** Handles one request. `decode` exists only to infer the input type. */
export interface Handler<In, Out> {
	readonly decode: (value: unknown) => In;
	readonly handle: (value: unknown) => Promise<Out>;
}

/** A page is an untrusted client: `run` gets only values that pass `schema`. */
export function handler<In, Out>(
	schema: v.GenericSchema<unknown, In>,
	run: (value: In) => Promise<Out>,
): Handler<In, Out> {
	const decode = (value: unknown): In => v.parse(schema, value);
	return { decode, handle: (value) => run(decode(value)) };
}

/** The same without an answer: the page learns only when it ends. */
export function action<In>(schema: v.GenericSchema<unknown, In>, run: (value: In) => unknown): Handler<In, undefined> {
	return handler(schema, async (value) => {
		await run(value);
		return undefined;
	});
}

/** One handler per request; a missing one is a compile error. */
export type Handlers<P extends Protocol> = {
	readonly [Name in keyof Requests<P>]: Handler<Requests<P>[Name]['in'], Requests<P>[Name]['out']>;
};

/** Handlers without their protocol's types. */
export type AnyHandlers = Readonly<Record<string, { readonly handle: (value: unknown) => Promise<unknown> }>>;

/** True for a late message of a page that its tab has replaced. */
export function isOfOtherLife(message: unknown, life: number): boolean {
	return typeof message === 'object' && message !== null && 'life' in message && message.life !== life;
}

/** True when the page took the keyboard. */
export function isFocus(message: unknown): boolean {
	return typeof message === 'object' && message !== null && 'kind' in message && message.kind === 'focus';
}

/** Whether the keyboard is in a text box of the page; `undefined` for other messages. */
export function typingIn(message: unknown): boolean | undefined {
	const { kind, isTyping } = fieldsOf(message);
	return kind === 'typing' ? isTyping === true : undefined;
}

export function isAsk(message: unknown, name: string): boolean {
	return typeof message === 'object' && message !== null && 'name' in message && message.name === name;
}

/** Answers a message from a page; never throws. Ignores messages that are not requests. */
export async function answer(
	handlers: AnyHandlers,
	message: unknown,
	describe: (error: unknown) => string,
): Promise<FromHost | undefined> {
	const asked = v.safeParse(ask, message);
	if (!asked.success) {
		return undefined;
	}
	const { id, name, value } = asked.output;
	try {
		const found = Object.hasOwn(handlers, name) ? handlers[name] : undefined;
		if (!found) {
			throw new Error(`A page asked for the unknown ${JSON.stringify(name)}`);
		}
		return { kind: 'answer', id, value: await found.handle(value) };
	} catch (error) {
		return { kind: 'refusal', id, message: describe(error) };
	}
}
