export interface IdentityRequest {
	readonly method: 'GET' | 'POST';
	/** Path and query, percent-encoded, with a leading slash. It can't change the origin. */
	readonly path: string;
	/** Sent with exactly this content type: older servers parse no other. */
	readonly content?: {
		readonly type: 'application/json' | 'application/x-www-form-urlencoded';
		readonly text: string;
	};
}

/** A response with any status. */
export interface IdentityAnswer {
	readonly status: number;
	readonly contentType: string;
	readonly text: string;
}

/**
 * Sends a request to one forge's identity service. Follows no redirect, never repeats a POST, limits the response size.
 * Rejects with `ForgeError` without a response, or with an abort; any status counts as a response.
 */
export type IdentityHttp = (request: IdentityRequest, signal: AbortSignal) => Promise<IdentityAnswer>;
