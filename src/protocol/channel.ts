import * as v from 'valibot';

/*
 * What a host and its pages say to each other, and the host's end of it. The page's end is in `hostLink.ts`, so that
 * no page carries what checks values.
 */

/** A protocol is two tables: what the page may ask of the host, and what the host may announce. Plain data only. */
export interface Protocol {
	readonly requests: Readonly<Record<string, { readonly in: unknown; readonly out: unknown }>>;
	readonly news: Readonly<Record<string, unknown>>;
}

type Requests<P extends Protocol> = P['requests'];

/** A question of the page. `id` counts up within one life of the page, and `life` is that of `data-life`. */
export interface Ask {
	readonly kind: 'ask';
	readonly life?: number;
	readonly id: number;
	readonly name: string;
	readonly value?: unknown;
}

/** What the host sends: to every question one answer or one refusal, and news when it likes. */
export type FromHost =
	| { readonly kind: 'answer'; readonly id: number; readonly value: unknown }
	/** `message` is a sentence for the person who looks at the page. */
	| { readonly kind: 'refusal'; readonly id: number; readonly message: string }
	| { readonly kind: 'news'; readonly name: string; readonly value: unknown };

const ask: v.GenericSchema<unknown, Ask> = v.object({
	kind: v.literal('ask'),
	id: v.pipe(v.number(), v.safeInteger(), v.minValue(1)),
	name: v.pipe(v.string(), v.maxLength(64)),
	value: v.optional(v.unknown()),
});

/** Answers one request. `decode` is there for the compiler: it pins what comes in. */
export interface Handler<In, Out> {
	readonly decode: (value: unknown) => In;
	readonly handle: (value: unknown) => Promise<Out>;
}

/** A page is an untrusted client: `run` sees only what `schema` let through. */
export function handler<In, Out>(
	schema: v.GenericSchema<unknown, In>,
	run: (value: In) => Promise<Out>,
): Handler<In, Out> {
	const decode = (value: unknown): In => v.parse(schema, value);
	return { decode, handle: (value) => run(decode(value)) };
}

/** One handler per request; forgetting one does not compile. */
export type Handlers<P extends Protocol> = {
	readonly [Name in keyof Requests<P>]: Handler<Requests<P>[Name]['in'], Requests<P>[Name]['out']>;
};

/** The handlers as the channel sees them, whatever the protocol. */
export type AnyHandlers = Readonly<Record<string, { readonly handle: (value: unknown) => Promise<unknown> }>>;

/** True for what a page says that has gone meanwhile from the tab where another one stands. */
export function isOfOtherLife(message: unknown, life: number): boolean {
	return typeof message === 'object' && message !== null && 'life' in message && message.life !== life;
}

/** True for a question of this name. */
export function isAsk(message: unknown, name: string): boolean {
	return typeof message === 'object' && message !== null && 'name' in message && message.name === name;
}

/**
 * Host side: turns whatever a page sent into an answer or a refusal. Never throws. What is no question at all gets
 * nothing back, because nobody waits for it.
 */
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
