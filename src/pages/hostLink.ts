import { Emitter } from '@forge-desk/base/event.ts';
import type { Disposable } from '@forge-desk/base/lifecycle.ts';
import type { Ask, FromHost, Protocol } from './protocol/pageProtocol.ts';

interface Waiting {
	readonly resolve: (value: unknown) => void;
	readonly reject: (reason: Error) => void;
}

interface News {
	readonly name: string;
	readonly value: unknown;
}

/** The page trusts its host to follow the protocol. */
function isNamed<P extends Protocol, Name extends keyof P['news'] & string>(
	news: News,
	name: Name,
): news is News & { readonly value: P['news'][Name] } {
	return news.name === name;
}

/** Page side of the channel. Every request settles. Doesn't validate, because the page trusts its host. */
export class HostLink<P extends Protocol> {
	readonly #post: (message: Ask) => void;
	readonly #waiting = new Map<number, Waiting>();
	readonly #news = new Emitter<News>();
	#lastId: number;

	/** Request ids continue after `lastId`, so that a late answer for an earlier load matches no request. */
	constructor(post: (message: Ask) => void, lastId = 0) {
		this.#post = post;
		this.#lastId = lastId;
	}

	ask<Name extends keyof P['requests'] & string>(
		name: Name,
		value: P['requests'][Name]['in'],
	): Promise<P['requests'][Name]['out']>;
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
