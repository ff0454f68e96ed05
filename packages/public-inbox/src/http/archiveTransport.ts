import type { Disposable } from '@forge-desk/base/lifecycle.ts';

/** A request without a body. */
export interface ArchiveRequest {
	readonly method: 'GET' | 'POST';
	/** Exact origin, without a trailing slash. */
	readonly origin: string;
	/** Percent-encoded path and query, with a leading slash. */
	readonly path: string;
	/** A longer wait for a connection fails. */
	readonly connectMs: number;
}

/** A response of any status. Disposing ends the call. */
export interface ArchiveResponse extends Disposable {
	readonly status: number;
	/** By the name in lower case; empty if missing. */
	readonly header: (name: string) => string;
	/** As sent: the client unpacks and limits it. A slow reader pauses the download. */
	readonly chunks: AsyncIterable<Uint8Array>;
}

/**
 * The network, given by the program, with its proxies and certificates. Sends the request once, accepts gzip, follows no
 * redirect and keeps no cookie. Its `User-Agent` names the program: archives challenge names with "Mozilla". Rejects
 * without an answer, and with the signal's reason.
 */
export type ArchiveTransport = (request: ArchiveRequest, signal: AbortSignal) => Promise<ArchiveResponse>;
