import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import * as v from 'valibot';
import { compileCache } from './compileCache.ts';

export type Dialect = 'field' | 'document' | 'graphql';
export type Area = 'meta' | 'todo' | 'git' | 'lists';
/** The areas and the project service. */
export type Service = Area | 'hub';
export type SampleUser = 'alice' | 'bob' | 'carol' | 'dave' | 'erin';

export interface SampleForgeOptions {
	readonly dialect?: Dialect;
	/** Age of the services in the dialect `graphql`. */
	readonly graphqlAge?: '2023' | '2026';
	/** `guest` is the world of the shipped forge. Default: `tests`. */
	readonly world?: 'tests' | 'guest';
	/** Size of `~alice/many` in each area; 0 leaves it out. */
	readonly tickets?: number;
	readonly files?: number;
	readonly series?: number;
	/** Delay of every response. */
	readonly latencyMs?: number;
	/** Caches the expensive parts of the world between starts; by default in the checkout. */
	readonly cacheDir?: string;
}

const readySchema = v.object({
	dialect: v.picklist(['field', 'document', 'graphql']),
	areas: v.object({ meta: v.string(), todo: v.string(), git: v.string(), lists: v.string() }),
	hub: v.nullable(v.string()),
	smtp: v.nullable(v.object({ host: v.string(), port: v.number() })),
	control: v.string(),
	client: v.object({ id: v.string(), secret: v.nullable(v.string()), redirectPort: v.nullable(v.number()) }),
	oobClient: v.nullable(v.object({ id: v.string(), secret: v.string() })),
	webhookKey: v.string(),
	tokens: v.object({ alice: v.string(), bob: v.string(), carol: v.string(), dave: v.string(), erin: v.string() }),
});

/** The forge's ready message. */
export type SampleForgeReady = Readonly<v.InferOutput<typeof readySchema>>;

/**
 * `status` 0: ended without a response, or still running. `path` includes the query. `question` describes a GraphQL
 * request (`FaultMatch`).
 */
const requestSchema = v.object({
	area: v.picklist(['meta', 'todo', 'git', 'lists', 'hub']),
	method: v.string(),
	path: v.string(),
	hasToken: v.boolean(),
	userAgent: v.nullable(v.string()),
	contentType: v.nullable(v.string()),
	question: v.nullable(v.string()),
	status: v.number(),
	ended: v.boolean(),
});

export type SeenRequest = Readonly<v.InferOutput<typeof requestSchema>>;

export type SampleFault =
	| {
			readonly kind: 'status';
			readonly status: number;
			readonly headers?: Readonly<Record<string, string>>;
			readonly body?: string;
	  }
	| { readonly kind: 'delay'; readonly ms: number }
	| { readonly kind: 'hang' }
	| { readonly kind: 'twice' }
	| { readonly kind: 'reset'; readonly at: 'headers' | 'applied' | 'middle' | 'end' }
	| { readonly kind: 'truncate' }
	| { readonly kind: 'drip'; readonly bytes: number; readonly everyMs: number }
	| { readonly kind: 'noDatabase' }
	| { readonly kind: 'contentType' }
	| { readonly kind: 'huge'; readonly megabytes: number; readonly gzip?: boolean }
	| { readonly kind: 'redirect'; readonly to: string; readonly status?: number }
	| { readonly kind: 'failedField'; readonly field: string; readonly message?: string };

export interface FaultMatch {
	readonly area?: Service;
	readonly method?: string;
	/** Regular expression for path and query. */
	readonly path?: string;
	/** Regular expression for a GraphQL request, such as `mutation LabelTicket {"trackerId":1,…}`. */
	readonly question?: string;
}

export interface SampleForge extends SampleForgeReady {
	readonly process: ChildProcess;
	/** Adds a fault to the next `times` (1) matching requests. */
	fault(match: FaultMatch, fault: SampleFault, times?: number): Promise<void>;
	clearFaults(): Promise<void>;
	/** Requests since the start or the last `forgetRequests`. */
	requests(): Promise<readonly SeenRequest[]>;
	/** Their number; `requests` has only the newest. */
	requestCount(): Promise<number>;
	forgetRequests(): Promise<void>;
	/** Errors in the forge's own handlers; should stay empty. */
	crashes(): Promise<readonly string[]>;
	/** Restores the initial world; also clears faults and requests. */
	reset(): Promise<void>;
	/** Webhooks of all users, as `family target address`; no user sees all of them. */
	webhooks(): Promise<readonly string[]>;
	/** Resolves after the delivery of all webhooks. */
	webhooksDelivered(): Promise<void>;
	/** A control call such as `/todo/label`; rejects unless the status is 2xx. Resolves to the parsed response. */
	act(path: string, body: object): Promise<unknown>;
	/** An API call with a token (by default alice's; null for none), without the client. */
	call(area: Service, method: string, path: string, options?: CallOptions): Promise<RawAnswer>;
	/**
	 * A client token with these scopes, spelled as in the dialect (`todo.sr.ht/tickets:write` or `tickets:write`); in
	 * GraphQL a personal token with these grants (`todo.sr.ht/TICKETS:RW`).
	 */
	token(user: SampleUser, scopes: readonly string[]): Promise<string>;
	stop(): Promise<void>;
}

export interface CallOptions {
	readonly token?: string | null;
	readonly body?: unknown;
	readonly headers?: Readonly<Record<string, string>>;
}

export interface RawAnswer {
	readonly status: number;
	readonly headers: Headers;
	readonly text: string;
	/** The parsed body; undefined if it is not JSON. */
	readonly json: unknown;
	/** A part of the parsed body, such as `at('results', 0, 'id')`; undefined if missing. */
	at(...path: readonly (string | number)[]): unknown;
}

/** The sample forge with test controls, which the shipped one lacks. */
export const sampleForgeProgram = join(import.meta.dirname, '../../packages/sample-forge/testing/main.ts');

/** Starts a sample forge in a separate process; resolves when it is ready. The caller stops it. */
export async function startSampleForge(options: SampleForgeOptions = {}): Promise<SampleForge> {
	const child = spawn(
		process.execPath,
		[
			sampleForgeProgram,
			'--dialect',
			options.dialect ?? 'field',
			'--graphql-age',
			options.graphqlAge ?? '2026',
			'--world',
			options.world ?? 'tests',
			'--tickets',
			String(options.tickets ?? 0),
			'--files',
			String(options.files ?? 0),
			'--series',
			String(options.series ?? 0),
			'--latency-ms',
			String(options.latencyMs ?? 0),
			'--cache',
			options.cacheDir ?? join(import.meta.dirname, '../../test-results/sample-forge-cache'),
		],
		{ stdio: ['pipe', 'pipe', 'inherit'], env: { ...withoutInspector(process.env), ...compileCache } },
	);
	const ready = await readReady(child);
	const send = async (method: string, path: string, body?: object): Promise<unknown> => {
		const response = await fetch(`${ready.control}${path}`, {
			method,
			...(body === undefined ? {} : { body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } }),
		});
		const text = await response.text();
		if (!response.ok) {
			throw new Error(`${method} ${path}: ${response.status} ${text}`);
		}
		return JSON.parse(text);
	};
	return {
		...ready,
		process: child,
		fault: async (match, fault, times = 1) => void (await send('POST', '/faults', { match, fault, times })),
		clearFaults: async () => void (await send('DELETE', '/faults')),
		requests: async () => v.parse(v.array(requestSchema), await send('GET', '/requests')),
		requestCount: async () => v.parse(v.number(), await send('GET', '/requests/count')),
		forgetRequests: async () => void (await send('DELETE', '/requests')),
		crashes: async () => v.parse(v.array(v.string()), await send('GET', '/crashes')),
		reset: async () => void (await send('POST', '/reset', {})),
		webhooks: async () => v.parse(v.array(v.string()), await send('GET', '/webhooks')),
		webhooksDelivered: async () => void (await send('POST', '/webhooks/idle', {})),
		act: async (path, body) => await send('POST', path, body),
		call: async (area, method, path, callOptions) =>
			await callApi(
				`${area === 'hub' ? ready.hub : ready.areas[area]}${path}`,
				method,
				ready.tokens.alice,
				callOptions,
			),
		token: async (user, scopes) => {
			const answer = await send('POST', '/meta/token', { user, scopes });
			return v.parse(v.object({ token: v.string() }), answer).token;
		},
		stop: async () => await stop(child),
	};
}

async function callApi(url: string, method: string, ownToken: string, options: CallOptions = {}): Promise<RawAnswer> {
	const { token = ownToken, body, headers = {} } = options;
	const response = await fetch(url, {
		method,
		redirect: 'manual',
		headers: {
			...(token === null ? {} : { Authorization: `Bearer ${token}` }),
			...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
			...headers,
		},
		...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
	});
	const text = await response.text();
	const isJson = response.headers.get('content-type') === 'application/json' && text !== '';
	const json: unknown = isJson ? JSON.parse(text) : undefined;
	return { status: response.status, headers: response.headers, text, json, at: (...path) => partOf(json, path) };
}

/** The part of a JSON value at a path; undefined if missing. */
export function partOf(value: unknown, path: readonly (string | number)[]): unknown {
	let part: unknown = value;
	for (const key of path) {
		part = typeof part === 'object' && part !== null ? Reflect.get(part, key) : undefined;
	}
	return part;
}

async function readReady(child: ChildProcess): Promise<SampleForgeReady> {
	const lines = createInterface({ input: child.stdout! });
	const first = Promise.withResolvers<string>();
	lines.once('line', first.resolve);
	child.once('exit', (code) => first.reject(new Error(`The sample forge ended before it was ready (${code})`)));
	try {
		return v.parse(readySchema, JSON.parse(await first.promise));
	} finally {
		lines.close();
	}
}

async function stop(child: ChildProcess): Promise<void> {
	if (child.exitCode !== null || child.signalCode !== null) {
		return;
	}
	const exit = once(child, 'exit');
	child.stdin!.end();
	await exit;
}

/** Keeps the forge out of the test's debugger and profiler. */
function withoutInspector(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
	const { NODE_OPTIONS: _options, NODE_V8_COVERAGE: _coverage, ...rest } = environment;
	return rest;
}

/** The fields of a JSON object; none for anything else. */
export function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
	return Object.fromEntries(typeof value === 'object' && value !== null ? Object.entries(value) : []);
}
