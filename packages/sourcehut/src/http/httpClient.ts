import type { Disposable } from '@forge-desk/base/lifecycle.ts';

/** The methods of the forges' APIs and identity services. */
export type HttpMethod = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'DELETE';

/** A complete request. Its creator is responsible for origin and encoding. */
export interface HttpRequest {
	readonly method: HttpMethod;
	/** Exact origin, without a trailing slash. */
	readonly origin: string;
	/** Percent-encoded path and query, with a leading slash. */
	readonly path: string;
	/** `Authorization` header. */
	readonly authorization?: string;
	/** `Accept` header; by default, any type. */
	readonly accept?: string;
	readonly body?: HttpBody;
	/** A POST without side effects; retried after 429 or 503. */
	readonly isQuestion?: true;
	/** Not retried: the first answer is the wanted fact. */
	readonly isOnce?: true;
	/** Further headers. Not for GET and HEAD, because equal ones share a response. */
	readonly headers?: Readonly<Record<string, string>>;
	/** Limit for the body after decompression. */
	readonly limitBytes: number;
	/**
	 * For the whole call with its retries, without waits that the server demanded. Default: 30 seconds, and longer
	 * while a large body keeps arriving.
	 */
	readonly deadlineMs?: number;
	readonly signal: AbortSignal;
}

/** A request body with its exact `Content-Type`. */
export interface HttpBody {
	readonly contentType: string;
	readonly text: string;
}

/** A response of any status. The client never follows redirects. */
export interface HttpAnswer {
	readonly status: number;
	/** As sent; empty if missing. */
	readonly contentType: string;
	/** Target of a redirect, as sent. */
	readonly location: string | undefined;
	/** Delay before a retry, from the response's arrival; `undefined` if the server gave none. */
	readonly retryAfterMs: number | undefined;
	/** The server's clock, in milliseconds since 1970; missing if the server gave none. */
	readonly sentMs?: number | undefined;
	/** Shared between equal calls: never write to it. */
	readonly body: Uint8Array;
}

/** A large download, or an answer of an archive: sent once, without retries. */
export interface StreamRequest {
	/** A POST has no body. Default: GET. */
	readonly method?: 'GET' | 'POST';
	/** The reader unpacks gzip. By default, the server sends no compressed body. */
	readonly acceptsGzip?: boolean;
	/** Time for a connection. Default: the longest silence. */
	readonly connectMs?: number;
	/** Exact origin, without a trailing slash. */
	readonly origin: string;
	/** Percent-encoded path and query, with a leading slash. */
	readonly path: string;
	/** `Authorization` header. */
	readonly authorization?: string;
	/** Aborts beyond this size. */
	readonly limitBytes: number;
	readonly signal: AbortSignal;
}

/** A response with a streamed body. Dispose it if you don't read the body: that ends the call. */
export interface HttpStream extends Disposable {
	/** The response without its body. */
	readonly head: HttpAnswer;
	/** A header by its name in lower case; empty if missing. */
	readonly header: (name: string) => string;
	/** The body, for one reader. A slow reader pauses the download. Throws like `stream`. */
	readonly chunks: AsyncGenerator<Uint8Array, void, undefined>;
}

/** Sends requests. Throws `HttpFailure`, or the signal's reason. */
export interface HttpClient {
	send(request: HttpRequest): Promise<HttpAnswer>;
	/** Downloads in chunks. No deadline while data keeps arriving. */
	stream(request: StreamRequest): Promise<HttpStream>;
	/**
	 * Allows more concurrent calls to this origin for a walk that the user started. Ends on disposal, or when the
	 * server is overloaded.
	 */
	beginWalk(origin: string): Disposable;
	/** Ends all calls in flight. Send nothing afterwards. */
	close(): Promise<void>;
}

/** Reason for a missing or incomplete response. */
export type Failure =
	| { readonly kind: 'unreachable'; readonly reason: ConnectionTrouble; readonly host: string }
	/** The response ended early. */
	| { readonly kind: 'truncated' }
	/** Not HTTP, or compressed with an unrequested encoding. */
	| { readonly kind: 'garbled' }
	| { readonly kind: 'tooLarge'; readonly limitBytes: number };

export type ConnectionTrouble =
	| 'offline'
	| 'dns'
	| 'refused'
	| 'reset'
	| 'tls'
	/** The proxy refuses, or cannot be reached. */
	| 'proxy'
	/** The proxy wants a user name and a password. */
	| 'proxySignIn'
	/** No usable proxy is known, and none is no answer either. */
	| 'proxyUnusable'
	| 'timeout';

/** The only error of this folder. It never contains headers or bodies. */
export class HttpFailure extends Error {
	override readonly name = 'HttpFailure';
	readonly failure: Failure;
	/** No byte of the request was sent, so the server can't have executed it. */
	readonly isUnsent: boolean;

	constructor(failure: Failure, options?: ErrorOptions & { readonly isUnsent?: boolean }) {
		super(failure.kind === 'unreachable' ? `${failure.host} ${failure.reason}` : failure.kind, options);
		this.failure = failure;
		this.isUnsent = options?.isUnsent ?? false;
	}
}
