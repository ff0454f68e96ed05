/** One request to a forge's identity service. */
export interface IdentityRequest {
	readonly method: 'GET' | 'POST';
	/** From its first slash on, percent-encoded; it cannot lead to another origin. */
	readonly path: string;
	/** Sent with exactly this content type: older servers parse nothing else. */
	readonly content?: {
		readonly type: 'application/json' | 'application/x-www-form-urlencoded';
		readonly text: string;
	};
}

/** What came back, whatever its status. */
export interface IdentityAnswer {
	readonly status: number;
	readonly contentType: string;
	readonly text: string;
}

/**
 * How one forge's identity service is spoken to. Follows no redirect, repeats no POST, caps the answer. Rejects with
 * `ForgeError` when nothing arrived, or with an abort; an answer of any status is an answer.
 */
export type IdentityHttp = (request: IdentityRequest, signal: AbortSignal) => Promise<IdentityAnswer>;
