import type { ServiceName } from '../src/shared/area.ts';
import { isRecord } from '../src/shared/body.ts';

/** A fault for matching requests. */
export interface FaultOrder {
	readonly area: ServiceName | undefined;
	readonly method: string | undefined;
	/** Matches path and query. */
	readonly path: RegExp | undefined;
	/** Matches the GraphQL request (`questionOf`). */
	readonly question: RegExp | undefined;
	/** Remaining number of requests. */
	times: number;
	readonly fault: Fault;
}

/**
 * - `status`: this response instead of the real one; the request changes nothing.
 * - `delay`: the real response after `ms`.
 * - `hang`: no response; the connection stays open.
 * - `reset`: resets the connection before handling the request (`headers`), after its effect but before the headers
 *   (`applied`), in the `middle` of the body, or after its last byte but before the message ends (`end`; the body is then
 *   chunked).
 * - `truncate`: a well-formed response with only the first half of the body.
 * - `drip`: the real body in pieces of `bytes` every `everyMs`.
 * - `noDatabase`: the answer of a service without its database or its identity service; the request changes nothing.
 * - `contentType`: status 200 with an HTML login page.
 * - `huge`: a JSON array of about `megabytes`, after decompression if `gzip`.
 * - `redirect`: to another address.
 * - `failedField`: this field, such as `Tracker.acl`, is null with an error in every GraphQL response, until tests
 *   clear all faults.
 */
export type Fault =
	| {
			readonly kind: 'status';
			readonly status: number;
			readonly headers: Readonly<Record<string, string>>;
			readonly body: string;
	  }
	| { readonly kind: 'delay'; readonly ms: number }
	| { readonly kind: 'hang' }
	/** Handles the request twice, as behind a proxy that repeats it. Sends the second response. */
	| { readonly kind: 'twice' }
	| { readonly kind: 'reset'; readonly at: ResetPoint }
	| { readonly kind: 'truncate' }
	| { readonly kind: 'drip'; readonly bytes: number; readonly everyMs: number }
	| { readonly kind: 'noDatabase' }
	| { readonly kind: 'contentType' }
	| { readonly kind: 'huge'; readonly megabytes: number; readonly gzip: boolean }
	| { readonly kind: 'redirect'; readonly to: string; readonly status: number }
	| { readonly kind: 'failedField'; readonly field: string; readonly message: string };

export type ResetPoint = 'headers' | 'applied' | 'middle' | 'end';

export interface Faults {
	add(order: FaultOrder): void;
	clear(): void;
	/** Finds the first matching fault, and counts it down. */
	take(asked: AskedFor): Fault | undefined;
	/** Error of a failing GraphQL field. */
	failureOf(field: string): string | undefined;
}

/** The request's properties for matching. */
export interface AskedFor {
	readonly area: ServiceName;
	readonly method: string;
	/** With the query. */
	readonly url: string;
	readonly question: string | null;
}

export function createFaults(): Faults {
	let orders: FaultOrder[] = [];
	return {
		add: (order) => void orders.push(order),
		clear() {
			orders = [];
		},
		take({ area, method, url, question }) {
			const order = orders.find(
				(candidate) =>
					candidate.times > 0 &&
					candidate.fault.kind !== 'failedField' &&
					(candidate.area ?? area) === area &&
					(candidate.method ?? method) === method &&
					candidate.path?.test(url) !== false &&
					(candidate.question === undefined || (question !== null && candidate.question.test(question))),
			);
			if (order === undefined) {
				return undefined;
			}
			order.times--;
			return order.fault;
		},
		failureOf(field) {
			const failed = orders.flatMap(({ fault }) => (fault.kind === 'failedField' ? [fault] : []));
			return failed.find((fault) => fault.field === field)?.message;
		},
	};
}

/** Parses a fault of the control origin; returns a text for an invalid one. */
export function readFaultOrder(value: unknown): FaultOrder | string {
	if (!isRecord(value) || !isRecord(value['fault'])) {
		return 'expected {match, times, fault}';
	}
	const match = isRecord(value['match']) ? value['match'] : {};
	const fault = readFault(value['fault']);
	if (fault === undefined) {
		return 'unknown fault';
	}
	const path = text(match['path']);
	const question = text(match['question']);
	return {
		area: readArea(match['area']),
		method: text(match['method']),
		path: path === undefined ? undefined : new RegExp(path),
		question: question === undefined ? undefined : new RegExp(question),
		times: number(value['times']) ?? 1,
		fault,
	};
}

const readers: Readonly<Record<string, (value: Record<string, unknown>) => Fault>> = {
	status: (value) => ({
		kind: 'status',
		status: number(value['status']) ?? 500,
		headers: texts(value['headers']),
		body: text(value['body']) ?? '',
	}),
	delay: (value) => ({ kind: 'delay', ms: number(value['ms']) ?? 1000 }),
	hang: () => ({ kind: 'hang' }),
	twice: () => ({ kind: 'twice' }),
	reset: (value) => {
		const at = value['at'];
		return { kind: 'reset', at: at === 'middle' || at === 'end' || at === 'applied' ? at : 'headers' };
	},
	truncate: () => ({ kind: 'truncate' }),
	drip: (value) => ({ kind: 'drip', bytes: number(value['bytes']) ?? 1, everyMs: number(value['everyMs']) ?? 10 }),
	noDatabase: () => ({ kind: 'noDatabase' }),
	contentType: () => ({ kind: 'contentType' }),
	huge: (value) => ({ kind: 'huge', megabytes: number(value['megabytes']) ?? 100, gzip: value['gzip'] === true }),
	failedField: (value) => ({
		kind: 'failedField',
		field: text(value['field']) ?? '',
		message: text(value['message']) ?? 'internal system error',
	}),
	redirect: (value) => ({ kind: 'redirect', to: text(value['to']) ?? '/', status: number(value['status']) ?? 302 }),
};

function readFault(value: Record<string, unknown>): Fault | undefined {
	const kind = text(value['kind']);
	const reader = kind === undefined || !Object.hasOwn(readers, kind) ? undefined : readers[kind];
	return reader?.(value);
}

function readArea(value: unknown): ServiceName | undefined {
	return value === 'meta' || value === 'todo' || value === 'git' || value === 'lists' || value === 'hub'
		? value
		: undefined;
}

function text(value: unknown): string | undefined {
	return typeof value === 'string' ? value : undefined;
}

function number(value: unknown): number | undefined {
	return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

function texts(value: unknown): Readonly<Record<string, string>> {
	const entries = isRecord(value) ? Object.entries(value) : [];
	return Object.fromEntries(entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string'));
}
