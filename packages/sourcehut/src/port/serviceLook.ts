import type { Protocol } from './instance.ts';

/** Answer of a service to a request without a token. */
export interface ServiceLook {
	/** HTTP status. */
	readonly status: number;
	/** `undefined` if the answer shows none. */
	readonly protocol: Protocol | undefined;
	/** The answer is HTML. */
	readonly isWebPage: boolean;
	/** The server's sentence in an answer that is no web page; may be empty. */
	readonly said: string;
	/** Host of a redirect. */
	readonly toHost: string | undefined;
	/** The server's clock; `undefined` if it gave none. */
	readonly sentMs: number | undefined;
}
