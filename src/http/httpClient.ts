import type { Disposable } from '../base/lifecycle.ts';

/** The methods that the forges' APIs and identity services use. */
export type HttpMethod = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'DELETE';

/** One call, already complete: whoever builds it answers for its origin and its encoding. */
export interface HttpRequest {
	readonly method: HttpMethod;
	/** Exact origin, without a trailing slash. */
	readonly origin: string;
	/** Path and query, percent-encoded, from its first slash on. */
	readonly path: string;
	/** `Authorization` header. */
	readonly authorization?: string;
	/** What is wanted; everything when left out. */
	readonly accept?: string;
	readonly body?: HttpBody;
	/** A POST that asks and changes nothing, which is repeated where the server says "later". */
	readonly isQuestion?: true;
	/** Others by their names; not for GET and HEAD, of which equal ones share an answer. */
	readonly headers?: Readonly<Record<string, string>>;
	/** The answer's body may have this many bytes after decompression. */
	readonly limitBytes: number;
	/**
	 * For the whole call with its repetitions; time that the server asked to be left alone for does not count. Left out, it
	 * is half a minute, and longer for a large body as long as that goes on coming.
	 */
	readonly deadlineMs?: number;
	readonly signal: AbortSignal;
}

/** What is sent, with the exact words of its `Content-Type`. */
export interface HttpBody {
	readonly contentType: string;
	readonly text: string;
}

/** Whatever the server answered, good or bad; redirects are answers too and are never followed. */
export interface HttpAnswer {
	readonly status: number;
	/** As sent; empty when there was none. */
	readonly contentType: string;
	/** Where a redirect points, as sent. */
	readonly location: string | undefined;
	/** When to ask again, counted from the answer's arrival; `undefined` when the server did not tell. */
	readonly retryAfterMs: number | undefined;
	/** Shared between equal calls: read, never written. */
	readonly body: Uint8Array;
}

/** A large answer that is wanted as it was stored: asked for without compression, and never repeated by itself. */
export interface StreamRequest {
	/** Exact origin, without a trailing slash. */
	readonly origin: string;
	/** Path and query, percent-encoded, from its first slash on. */
	readonly path: string;
	/** `Authorization` header. */
	readonly authorization?: string;
	/** More than this is not taken. */
	readonly limitBytes: number;
	readonly signal: AbortSignal;
}

/** An answer whose body is taken while it arrives. Disposing ends the call; whoever does not read it has to. */
export interface HttpStream extends Disposable {
	/** All of the answer but its body. */
	readonly head: HttpAnswer;
	/** The body, once and for one reader, who holds it up by being slow. Throws as `stream` does. */
	readonly chunks: AsyncGenerator<Uint8Array, void, undefined>;
}

/** Moves bytes. Throws `HttpFailure`, or the signal's reason. */
export interface HttpClient {
	send(request: HttpRequest): Promise<HttpAnswer>;
	/** Gets something large in pieces. It may take its time as long as something arrives. */
	stream(request: StreamRequest): Promise<HttpStream>;
	/**
	 * Lets a walk that the user started have more calls in flight at this origin, until disposed, or until the server
	 * shows that it is too much: then the usual number holds again.
	 */
	beginWalk(origin: string): Disposable;
	/** Ends every call in flight. Nothing may be sent afterwards. */
	close(): Promise<void>;
}

/** Why there is no whole answer. */
export type Failure =
	| { readonly kind: 'unreachable'; readonly reason: ConnectionTrouble; readonly host: string }
	/** The answer ended before its end. */
	| { readonly kind: 'truncated' }
	/** What came is no HTTP, or compressed in a way that was not asked for. */
	| { readonly kind: 'garbled' }
	| { readonly kind: 'tooLarge'; readonly limitBytes: number };

export type ConnectionTrouble = 'offline' | 'dns' | 'refused' | 'reset' | 'tls' | 'proxy' | 'timeout';

/** The one error of this room. It never holds headers or bodies. */
export class HttpFailure extends Error {
	override readonly name = 'HttpFailure';
	readonly failure: Failure;
	/** Nothing of the request went to the server, so that nobody can have carried it out. */
	readonly isUnsent: boolean;

	constructor(failure: Failure, options?: ErrorOptions & { readonly isUnsent?: boolean }) {
		super(failure.kind === 'unreachable' ? `${failure.host} ${failure.reason}` : failure.kind, options);
		this.failure = failure;
		this.isUnsent = options?.isUnsent ?? false;
	}
}
