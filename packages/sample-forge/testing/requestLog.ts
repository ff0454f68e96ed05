import type { IncomingMessage } from 'node:http';
import type { ServiceName } from '../src/shared/area.ts';

/** A request in the log, without tokens, and without a body except GraphQL requests. */
export interface RequestEntry {
	readonly area: ServiceName;
	readonly method: string;
	/** With the query. */
	readonly path: string;
	readonly hasToken: boolean;
	readonly userAgent: string | null;
	readonly contentType: string | null;
	/** Description of a GraphQL request (`questionOf`); null for others. */
	readonly question: string | null;
	/** 0 while running, and after an end without a response. */
	status: number;
	/** True after the response or the end of the connection. */
	ended: boolean;
}

export interface RequestLog {
	begin(area: ServiceName, request: IncomingMessage, question: string | null): RequestEntry;
	end(entry: RequestEntry, status: number): void;
	/** Records an unexpected error in a handler: a bug of the sample forge itself. */
	crashed(request: IncomingMessage, error: unknown): void;
	entries(): readonly RequestEntry[];
	/** Requests since the start or the last `clear`, including dropped ones. */
	count(): number;
	crashes(): readonly string[];
	clear(): void;
}

/** Keeps the newest 10,000 requests. */
export function createRequestLog(): RequestLog {
	const limit = 10_000;
	let entries: RequestEntry[] = [];
	let crashes: string[] = [];
	let count = 0;
	return {
		begin(area, request, question) {
			const { authorization, 'user-agent': userAgent, 'content-type': contentType } = request.headers;
			const entry: RequestEntry = {
				area,
				method: request.method ?? '',
				path: request.url ?? '',
				hasToken: authorization !== undefined,
				userAgent: userAgent ?? null,
				contentType: contentType ?? null,
				question,
				status: 0,
				ended: false,
			};
			entries.push(entry);
			count += 1;
			if (entries.length > 2 * limit) {
				entries = entries.slice(-limit);
			}
			return entry;
		},
		end(entry, status) {
			Object.assign(entry, { status, ended: true });
		},
		crashed(request, error) {
			const said = error instanceof Error ? (error.stack ?? error.message) : String(error);
			crashes = [...crashes, `${request.method ?? ''} ${request.url ?? ''}: ${said}`].slice(-100);
		},
		entries: () => entries.slice(-limit),
		count: () => count,
		crashes: () => crashes,
		clear() {
			entries = [];
			count = 0;
			crashes = [];
		},
	};
}
