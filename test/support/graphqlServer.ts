import * as v from 'valibot';
import { standFor } from './standFor.ts';
import { fakeClock, type FakeClock } from './fakeClock.ts';
import { sampleInstance } from './fakeConnection.ts';
import type { WorkerJson } from '@forge-desk/base/workerJson.ts';
import { everywhere } from 'sourcehut/port/instance.ts';
import type { FileLink } from 'sourcehut/answers/streamedFile.ts';
import { ForgeError } from 'sourcehut/port/forgeError.ts';
import type { TokenRejected } from 'sourcehut/port/tokenFor.ts';
import { graphqlCaller, type GraphqlCaller } from 'sourcehut/graphql/transport/graphqlCaller.ts';
import type { HttpAnswer, HttpClient, HttpRequest, HttpStream, StreamRequest } from 'sourcehut/http/httpClient.ts';

/** Splits bytes into two chunks. */
async function* halves(bytes: Uint8Array): AsyncGenerator<Uint8Array, void, undefined> {
	const half = Math.floor(bytes.byteLength / 2);
	yield bytes.subarray(0, half);
	yield bytes.subarray(half);
}

/** A request to the server. */
export interface AskedQuery {
	readonly origin: string;
	readonly authorization: string | undefined;
	/** The operation, such as `Ticket` or `SubmitComment`, or the path of a file. */
	readonly name: string;
	readonly query: string;
	readonly variables: Readonly<Record<string, unknown>>;
}

/** The response: data or errors with status 200, or a whole response. */
export type Answered =
	| { readonly data?: unknown; readonly errors?: readonly unknown[]; readonly status?: number }
	| { readonly status: number; readonly text: string; readonly contentType?: string; readonly retryAfterMs?: number };

const question = v.object({ query: v.string(), variables: v.record(v.string(), v.unknown()) });

/** A scripted server without a network. */
export interface GraphqlServer {
	readonly caller: GraphqlCaller;
	/** Serves files in chunks. */
	readonly files: FileLink;
	readonly asked: readonly AskedQuery[];
	readonly clock: FakeClock;
	/** Names of the requests since the last call. */
	readonly names: () => readonly string[];
	/** The client's pauses in milliseconds. Each ends immediately. */
	readonly pauses: readonly number[];
}

export function graphqlServer(
	answer: (asked: AskedQuery) => Answered | Promise<Answered>,
	{
		tokens = ['secret'],
		tokenRejected,
		workerJson,
		files,
		takesSeveral = false,
	}: {
		readonly tokens?: readonly string[];
		readonly tokenRejected?: TokenRejected;
		/** Parser for large responses. */
		readonly workerJson?: WorkerJson;
		/** Files at the API's own addresses, by path. */
		readonly files?: (path: string) => string | undefined;
		/** Accepts documents with several queries; by default rejects them. */
		readonly takesSeveral?: boolean;
	} = {},
): GraphqlServer {
	const asked: AskedQuery[] = [];
	const still = fakeClock();
	const pauses: number[] = [];
	const clock: FakeClock = {
		...still,
		after(delayMs, work) {
			pauses.push(delayMs);
			const timer = setImmediate(work);
			return { dispose: () => clearImmediate(timer) };
		},
	};
	let looked = 0;
	let used = 0;
	const http = standFor<HttpClient>({
		async send({ method, origin, path, authorization, body }: HttpRequest): Promise<HttpAnswer> {
			if (method === 'GET') {
				asked.push({ origin, authorization, name: path, query: '', variables: {} });
				const text = files?.(path);
				return httpAnswer(text === undefined ? { status: 404, text: 'Not found' } : { status: 200, text });
			}
			const { query, variables } = v.parse(question, JSON.parse(body?.text ?? '{}'));
			if (isForSeveral(query) && !takesSeveral) {
				// The client then repeats each query alone, for tests of single queries.
				return httpAnswer({ status: 422, errors: [{ message: 'One at a time' }] });
			}
			const name = /^\w+ (\w+)/.exec(query)?.[1] ?? '';
			const one = { origin, authorization, name, query, variables };
			asked.push(one);
			const answered = answer(one);
			return httpAnswer(answered instanceof Promise ? await answered : answered);
		},
		async stream({ origin, path, authorization }: StreamRequest): Promise<HttpStream> {
			asked.push({ origin, authorization, name: path, query: '', variables: {} });
			const text = files?.(path);
			const head = httpAnswer({ status: text === undefined ? 404 : 200, text: '' });
			return { head, header: () => '', chunks: halves(new TextEncoder().encode(text)), dispose: () => undefined };
		},
	});
	const options = {
		instance: { ...sampleInstance, protocols: everywhere('graphql') },
		me: '~alice',
		http,
		clock,
		tokenFor: () => tokens[Math.min(used++, tokens.length - 1)],
		...(tokenRejected ? { tokenRejected } : {}),
		...(workerJson ? { workerJson } : {}),
	};
	return {
		caller: graphqlCaller(options),
		files: { ...options, problemOf: () => new ForgeError({ kind: 'notFound' }) },
		asked,
		clock,
		pauses,
		names() {
			const names = asked.slice(looked).map(({ name }) => name);
			looked = asked.length;
			return names;
		},
	};
}

function httpAnswer(answered: Answered): HttpAnswer {
	const isText = 'text' in answered;
	const text = isText ? answered.text : JSON.stringify({ data: answered.data ?? null, errors: answered.errors });
	return {
		status: answered.status ?? 200,
		contentType: isText ? (answered.contentType ?? 'application/json') : 'application/json',
		location: undefined,
		retryAfterMs: isText ? answered.retryAfterMs : undefined,
		body: new TextEncoder().encode(text),
	};
}

/** True for a document with several combined queries. */
function isForSeveral(query: string): boolean {
	return /[{ ]q1_\w+:/.test(query);
}
