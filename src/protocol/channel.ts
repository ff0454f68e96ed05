import * as v from 'valibot';
import { Emitter } from '../base/event.ts';
import type { Disposable } from '../base/lifecycle.ts';

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

interface Waiting {
	readonly resolve: (value: unknown) => void;
	readonly reject: (reason: Error) => void;
}

interface News {
	readonly name: string;
	readonly value: unknown;
}

/** The host is trusted to announce under each name what the protocol says. */
function isNamed<P extends Protocol, Name extends keyof P['news'] & string>(
	news: News,
	name: Name,
): news is News & { readonly value: P['news'][Name] } {
	return news.name === name;
}

/** Page side: asks by name, and every question settles. The host is trusted, so its answers are not decoded again. */
export class HostLink<P extends Protocol> {
	readonly #post: (message: Ask) => void;
	readonly #waiting = new Map<number, Waiting>();
	readonly #news = new Emitter<News>();
	#lastId: number;

	/** The ids of what is asked follow `lastId`. An answer to an earlier life of the page must find nobody who waits. */
	constructor(post: (message: Ask) => void, lastId = 0) {
		this.#post = post;
		this.#lastId = lastId;
	}

	ask<Name extends keyof Requests<P> & string>(
		name: Name,
		value: Requests<P>[Name]['in'],
	): Promise<Requests<P>[Name]['out']>;
	ask(name: string, value: unknown): Promise<unknown> {
		this.#lastId += 1;
		const id = this.#lastId;
		return new Promise((resolve, reject) => {
			this.#waiting.set(id, { resolve, reject });
			this.#post({ kind: 'ask', id, name, value });
		});
	}

	on<Name extends keyof P['news'] & string>(name: Name, listener: (value: P['news'][Name]) => void): Disposable {
		return this.#news.event((news) => {
			if (isNamed<P, Name>(news, name)) {
				listener(news.value);
			}
		});
	}

	receive(message: FromHost): void {
		if (message.kind === 'news') {
			return this.#news.fire(message);
		}
		const waiting = this.#waiting.get(message.id);
		this.#waiting.delete(message.id);
		if (message.kind === 'answer') {
			waiting?.resolve(message.value);
		} else {
			waiting?.reject(new Error(message.message));
		}
	}
}
