import { once } from 'node:events';
import { createServer, request as ask, type IncomingMessage } from 'node:http';
import { createServer as createSocketServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { gzipSync } from 'node:zlib';
import { fieldsOf } from '../../support/sampleForge.ts';
import { selfSignedCertificate, selfSignedKey } from '../../support/selfSigned.ts';

/** A request at the proxy. */
export interface AtDoor {
	/** Number of this request since `arm`, from 1. */
	readonly number: number;
	readonly isWrite: boolean;
	/** Forwards the request to the real server. */
	readonly forward: () => Promise<Answered>;
	/** Sends raw bytes; the connection stays open. */
	readonly send: (bytes: Buffer | string) => void;
	/** Sends a whole response and closes the connection. */
	readonly answer: (answered: Answered) => void;
	readonly socket: Socket;
}

export interface Answered {
	readonly status: number;
	readonly headers: Readonly<Record<string, string>>;
	readonly body: Buffer;
}

/** Mishandles one request. */
export type Play = (at: AtDoor) => Promise<void> | void;

/** A proxy before a real server that breaks chosen requests in chosen ways. */
export interface FaultDoor {
	readonly origin: string;
	/** From now on `play` handles each request that matches `meets`; `undefined` forwards all. */
	arm(play: Play | undefined, meets?: (at: AtDoor) => boolean): void;
	stop(): Promise<void>;
}

/** Opens a proxy on the loopback. */
export async function openFaultDoor(to: string): Promise<FaultDoor> {
	let armed: Play | undefined;
	let meets: (at: AtDoor) => boolean = () => true;
	let number = 0;
	const sockets = new Set<Socket>();
	const server = createServer((incoming, response) => {
		const { socket } = incoming;
		void readAll(incoming).then(async (body) => {
			number += 1;
			const at: AtDoor = {
				number,
				isWrite: isWrite(incoming.method ?? 'GET', body),
				forward: () => forwarded(to, incoming, body),
				send: (bytes) => void (socket.destroyed || socket.write(bytes)),
				answer: (answered) => void (socket.destroyed || socket.end(Buffer.concat([headOf(answered), answered.body]))),
				socket,
			};
			if (armed && meets(at)) {
				await armed(at);
				return;
			}
			const { status, headers, body: answer } = await at.forward();
			response.writeHead(status, headers).end(answer);
		});
	});
	server.on('connection', (socket) => {
		sockets.add(socket);
		socket.on('error', () => socket.destroy());
		socket.on('close', () => sockets.delete(socket));
	});
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	return {
		origin: `http://127.0.0.1:${portOf(server)}`,
		arm(play, picks = () => true) {
			armed = play;
			meets = picks;
			number = 0;
		},
		async stop() {
			const closed = once(server, 'close');
			server.close();
			sockets.forEach((socket) => socket.destroy());
			await closed;
		},
	};
}

function isWrite(method: string, body: Buffer): boolean {
	if (method !== 'POST') {
		return method === 'PUT' || method === 'DELETE';
	}
	const text = body.toString();
	const query = text.startsWith('{') ? fieldsOf(JSON.parse(text))['query'] : undefined;
	return typeof query === 'string' ? query.trimStart().startsWith('mutation') : true;
}

async function readAll(stream: IncomingMessage): Promise<Buffer> {
	const chunks: Uint8Array[] = [];
	for await (const chunk of stream) {
		if (chunk instanceof Uint8Array) {
			chunks.push(chunk);
		}
	}
	return Buffer.concat(chunks);
}

async function forwarded(to: string, incoming: IncomingMessage, body: Buffer): Promise<Answered> {
	const { hostname, port } = new URL(to);
	// The faults cannot change compressed responses.
	const headers = { ...incoming.headers, 'accept-encoding': 'identity', host: `${hostname}:${port}` };
	const outgoing = ask({ hostname, port, path: incoming.url, method: incoming.method, headers, agent: false });
	outgoing.end(body);
	const answer = await new Promise<IncomingMessage>((resolve, reject) => {
		outgoing.once('response', resolve);
		outgoing.once('error', reject);
	});
	const received = await readAll(answer);
	const kept = Object.entries(answer.headers).flatMap(([name, value]): readonly (readonly [string, string])[] =>
		typeof value === 'string' && !['connection', 'transfer-encoding', 'keep-alive', 'content-length'].includes(name)
			? [[name, value]]
			: [],
	);
	return { status: answer.statusCode ?? 500, headers: Object.fromEntries(kept), body: received };
}

/** Head of a response with the length of its body, unless given. */
export function headOf({ status, headers, body }: Answered, length = body.length): Buffer {
	const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
	return Buffer.from(`HTTP/1.1 ${status} Said\r\n${lines.join('')}content-length: ${length}\r\n\r\n`);
}

const json = { 'content-type': 'application/json' };

function stated(status: number, headers: Readonly<Record<string, string>> = {}, body = '{}'): Play {
	return ({ answer }) => answer({ status, headers: { ...json, ...headers }, body: Buffer.from(body) });
}

/** Changes the JSON of the real response; forwards other content unchanged. */
function edited(change: (value: unknown) => unknown): Play {
	return async ({ forward, answer }) => {
		const real = await forward();
		const isJson = real.headers['content-type']?.startsWith('application/json') === true && real.body.length > 0;
		const body = isJson ? Buffer.from(JSON.stringify(change(JSON.parse(real.body.toString())))) : real.body;
		answer({ ...real, body });
	};
}

/** Changes the first list of objects in a value, or the innermost object without one. */
function inItems(change: (items: readonly unknown[]) => readonly unknown[]): Play {
	const visit = (value: unknown): unknown => {
		if (Array.isArray(value)) {
			const items: readonly unknown[] = value;
			return items.length > 0 ? change(items) : items;
		}
		if (typeof value !== 'object' || value === null) {
			return value;
		}
		const entries = Object.entries(value);
		const at = entries.findIndex(([, inside]) => typeof inside === 'object' && inside !== null);
		return at === -1
			? change([value])[0]
			: Object.fromEntries(entries.map(([name, inside], index) => [name, index === at ? visit(inside) : inside]));
	};
	return edited(visit);
}

function inFirst(change: (fields: Readonly<Record<string, unknown>>) => unknown): Play {
	return inItems(([first, ...rest]) => [
		typeof first === 'object' && first !== null && !Array.isArray(first) ? change(fieldsOf(first)) : first,
		...rest,
	]);
}

function withFields(change: (name: string, value: unknown) => unknown): Play {
	return inFirst((fields) =>
		Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, change(name, value)])),
	);
}

/** Sends the real body in a broken way. */
function broken(send: (at: AtDoor, real: Answered) => void): Play {
	return async (at) => send(at, await at.forward());
}

const isTime = /^\d{4}-\d\d-\d\dT/;
const bomb = gzipSync(Buffer.alloc(200 * 2 ** 20));

/** Selects the requests of a call that a fault hits. */
export interface FaultKind {
	readonly name: string;
	readonly play: Play;
	/** Hits only this request of a call; by default all. Hits a write once. */
	readonly only?: number;
	/** The response is valid but has other content, which the client cannot detect. */
	readonly isOtherContent?: true;
	/** The response reports success of a write that the server never got. */
	readonly isLie?: true;
}

const said = (name: string, play: Play, more: Partial<FaultKind> = {}): FaultKind => ({ name, play, ...more });

/** An address that rejects every connection. */
export interface DeadEnd {
	readonly name: string;
	readonly origin: string;
	/** True if the client can know that nothing arrived. */
	readonly isUnsent: boolean;
	readonly isOtherContent?: undefined;
}

/** Faults before the first byte of a response. */
export async function openDeadEnds(): Promise<{ readonly all: readonly DeadEnd[]; stop(): Promise<void> }> {
	const sockets = new Set<Socket>();
	const listening = async (server: Server): Promise<number> => {
		server.on('connection', (socket: Socket) => {
			sockets.add(socket);
			socket.on('error', () => socket.destroy());
			socket.on('close', () => sockets.delete(socket));
		});
		server.listen(0, '127.0.0.1');
		await once(server, 'listening');
		return portOf(server);
	};
	const unknown = createTlsServer({ cert: selfSignedCertificate, key: selfSignedKey }, (socket) => socket.destroy());
	const resetting = createSocketServer((socket) => void socket.resetAndDestroy());
	const closing = createSocketServer((socket) => void socket.end());
	const silent = createSocketServer();
	const plain = createSocketServer((socket) => void socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'));
	const gone = createSocketServer();
	const servers = [unknown, resetting, closing, silent, plain];
	const [ofUnknown, ofResetting, ofClosing, ofSilent, ofPlain] = await Promise.all(servers.map(listening));
	const ofGone = await listening(gone);
	const closed = once(gone, 'close');
	gone.close();
	await closed;
	return {
		all: [
			{ name: 'no such host', origin: 'http://forge.invalid', isUnsent: true },
			{ name: 'connection refused', origin: `http://127.0.0.1:${ofGone}`, isUnsent: true },
			{ name: 'certificate of nobody', origin: `https://127.0.0.1:${ofUnknown}`, isUnsent: true },
			{ name: 'no TLS', origin: `https://127.0.0.1:${ofPlain}`, isUnsent: true },
			{ name: 'silence before TLS', origin: `https://127.0.0.1:${ofSilent}`, isUnsent: true },
			{ name: 'reset before TLS', origin: `https://127.0.0.1:${ofResetting}`, isUnsent: true },
			{ name: 'reset before the first byte', origin: `http://127.0.0.1:${ofResetting}`, isUnsent: false },
			{ name: 'closed before the first byte', origin: `http://127.0.0.1:${ofClosing}`, isUnsent: false },
		],
		async stop() {
			const ended = servers.map((server) => once(server, 'close'));
			servers.forEach((server) => server.close());
			sockets.forEach((socket) => socket.destroy());
			await Promise.all(ended);
		},
	};
}

function portOf(server: Server): number {
	const address = server.address();
	return typeof address === 'object' && address !== null ? address.port : 0;
}

/** Faults of servers, proxies and networks after the connection is made. */
export const faultKinds: readonly FaultKind[] = [
	said('429', stated(429)),
	said('429 once', stated(429), { only: 1 }),
	said('429 with seconds', stated(429, { 'retry-after': '1' }), { only: 1 }),
	said('429 with a date', stated(429, { 'retry-after': 'Fri, 27 Nov 2026 00:00:00 GMT' }), { only: 1 }),
	said('429 for ten years', stated(429, { 'retry-after': '315360000' })),
	said('429 with a negative time', stated(429, { 'retry-after': '-5' })),
	said('429 with nonsense', stated(429, { 'retry-after': 'soon' })),
	said('500', stated(500)),
	said('502', stated(502)),
	said('502 once', stated(502), { only: 1 }),
	said('503', stated(503)),
	said('504', stated(504)),
	said('401, token expired', stated(401, {}, '{"errors":[{"reason":"Invalid or expired OAuth token"}]}')),
	said('403, permission revoked', stated(403, {}, '{"errors":[{"reason":"Your OAuth token is not permitted"}]}')),
	said('404 in the middle of a list', stated(404, {}, '{"errors":[{"reason":"Not found"}]}'), { only: 2 }),
	said('409', stated(409)),
	said('410', stated(410)),
	said('413', stated(413)),
	said('421', stated(421)),
	said('reset before the headers', ({ socket }) => void socket.resetAndDestroy()),
	said('reset before the headers once', ({ socket }) => void socket.resetAndDestroy(), { only: 1 }),
	said('silence', () => undefined),
	said('a web page with status 200', stated(200, { 'content-type': 'text/html' }, '<h1>Sign in</h1>')),
	said('a captive portal', stated(302, { location: 'http://portal.example/' })),
	said('a redirect to another host', stated(307, { location: 'https://elsewhere.example/api' })),
	said('no HTTP', ({ socket }) => void socket.end('220 mail.example ESMTP\r\n')),
	said('proxy asks for a password', stated(407, { 'proxy-authenticate': 'Basic' })),
	said(
		'a small answer that unpacks to 200 MiB',
		({ answer }) => answer({ status: 200, headers: { ...json, 'content-encoding': 'gzip' }, body: bomb }),
		{ isLie: true },
	),
	said('JSON of half a million brackets', stated(200, {}, '['.repeat(500_000)), { isLie: true, isOtherContent: true }),
	{
		name: 'reset in the middle of the body',
		play: broken(({ send, socket }, real) => {
			send(Buffer.concat([headOf(real), real.body.subarray(0, real.body.length >> 1)]));
			socket.resetAndDestroy();
		}),
	},
	{
		name: 'reset after the write, before the answer',
		play: broken(({ socket }) => void socket.resetAndDestroy()),
	},
	{
		name: 'reset after the last byte',
		play: broken(({ send, socket }, real) => {
			send(Buffer.concat([headOf(real), real.body]));
			socket.resetAndDestroy();
		}),
	},
	{ name: 'closed too early', play: broken(({ socket }, real) => void socket.end(headOf(real, real.body.length + 9))) },
	{
		name: 'a body that stalls',
		play: broken(({ send }, real) => send(Buffer.concat([headOf(real, real.body.length + 9), real.body]))),
	},
	{
		name: 'chunks of one byte',
		play: broken(({ send }, real) => {
			const head = headOf({ ...real, body: Buffer.alloc(0) })
				.toString()
				.replace('content-length: 0', 'transfer-encoding: chunked');
			const { body } = real;
			const single = [...body.subarray(0, 200)].map((byte) =>
				Buffer.concat([Buffer.from('1\r\n'), Buffer.of(byte), Buffer.from('\r\n')]),
			);
			const rest = body.subarray(200);
			const last = rest.length === 0 ? [] : [Buffer.from(`${rest.length.toString(16)}\r\n`), rest, Buffer.from('\r\n')];
			send(head);
			single.forEach((chunk) => send(chunk));
			send(Buffer.concat([...last, Buffer.from('0\r\n\r\n')]));
		}),
	},
	{
		name: 'JSON cut in half',
		play: broken(({ answer }, real) => answer({ ...real, body: real.body.subarray(0, real.body.length >> 1) })),
	},
	{
		name: 'a length that is too small',
		play: broken(
			({ socket }, real) => void socket.end(Buffer.concat([headOf(real, real.body.length >> 1), real.body])),
		),
	},
	{
		name: 'a byte order mark',
		play: broken(({ answer }, real) =>
			answer({ ...real, body: Buffer.concat([Buffer.of(0xef, 0xbb, 0xbf), real.body]) }),
		),
		isOtherContent: true,
	},
	{
		name: 'invalid UTF-8',
		play: broken(({ answer }, real) =>
			answer({ ...real, body: Buffer.from(real.body.map((byte) => (byte === 0x6c ? 0xff : byte))) }),
		),
		isOtherContent: true,
	},
	{
		name: 'gzip cut in half',
		play: broken(({ answer }, real) => {
			const packed = gzipSync(real.body);
			answer({
				...real,
				headers: { ...real.headers, 'content-encoding': 'gzip' },
				body: packed.subarray(0, packed.length >> 1),
			});
		}),
	},
	{ name: 'every item twice', play: inItems((items) => items.flatMap((item) => [item, item])), isOtherContent: true },
	{ name: 'items in another order', play: inItems((items) => items.toReversed()), isOtherContent: true },
	{
		name: 'the same cursor for ever',
		play: edited(function again(value: unknown): unknown {
			return typeof value !== 'object' || value === null || Array.isArray(value)
				? value
				: Object.fromEntries(
						Object.entries(value).map(([name, inside]) => [
							name,
							name === 'next' || name === 'cursor' ? 'again' : again(inside),
						]),
					);
		}),
		isOtherContent: true,
	},
	{
		name: 'unknown words',
		play: withFields((name, value) => (/status|type|visibility|resolution/.test(name) ? 'never_heard' : value)),
		isOtherContent: true,
	},
	{
		name: 'a field is missing',
		play: inFirst(({ name: _name, title: _title, subject: _subject, ...rest }) => rest),
		isOtherContent: true,
	},
	{ name: 'a field more', play: inFirst((fields) => ({ ...fields, newer: { than: ['this'] } })), isOtherContent: true },
	{
		name: 'null in a field',
		play: withFields((name, value) => (/created|name|title|subject/.test(name) ? null : value)),
		isOtherContent: true,
	},
	{
		name: 'negative numbers',
		play: withFields((_, value) => (typeof value === 'number' ? -value : value)),
		isOtherContent: true,
	},
	{
		name: 'numbers beyond 2^53',
		play: withFields((_, value) => (typeof value === 'number' ? 2 ** 60 : value)),
		isOtherContent: true,
	},
	{
		name: 'times without zone',
		play: withFields((_, value) => (typeof value === 'string' && isTime.test(value) ? value.slice(0, 19) : value)),
		isOtherContent: true,
	},
];

/** Replaces the real response after the write took effect. */
const instead = (name: string, answer: (real: Answered) => Answered): FaultKind => ({
	name,
	play: broken((at, real) => at.answer(answer(real))),
});

const page = { 'content-type': 'text/html' };

/** Changes the data of a GraphQL response without errors; forwards others. */
function withErrors(name: string, change: (data: Readonly<Record<string, unknown>>) => unknown): FaultKind {
	return {
		name,
		play: edited((value) => {
			const fields = typeof value === 'object' && value !== null && 'data' in value ? fieldsOf(value) : undefined;
			const data = fields?.['data'];
			return typeof data === 'object' && data !== null && fields?.['errors'] === undefined
				? change(fieldsOf(data))
				: value;
		}),
	};
}

const nulls = (data: Readonly<Record<string, unknown>>): unknown =>
	Object.fromEntries(Object.keys(data).map((name) => [name, null]));

const denied = { message: 'Access denied', extensions: { code: 'ERR_ACCESS_DENIED' } };

/** Faults in responses to completed writes. */
export const doneFaultKinds: readonly FaultKind[] = [
	...[500, 502, 503, 504].map((status) =>
		instead(`done, and ${status}`, () => ({ status, headers: page, body: Buffer.from('<h1>Oops</h1>') })),
	),
	instead('done, and a web page', () => ({ status: 200, headers: page, body: Buffer.from('<h1>Welcome</h1>') })),
	...[201, 202, 204].map((status) =>
		instead(`done, and ${status} without a body`, () => ({ status, headers: {}, body: Buffer.alloc(0) })),
	),
	instead('done, and an empty body', (real) => ({ ...real, body: Buffer.alloc(0) })),
	instead('done, and a redirect', (real) => ({ ...real, status: 303, headers: { location: '/elsewhere' } })),
	instead('done, and null', (real) => ({ ...real, headers: json, body: Buffer.from('null') })),
	instead('done, and an empty object', (real) => ({ ...real, headers: json, body: Buffer.from('{}') })),
	instead('done, and an empty list', (real) => ({ ...real, headers: json, body: Buffer.from('[]') })),
	withErrors('done, and errors beside data', (data) => ({
		data,
		errors: [{ message: 'internal system error', path: [Object.keys(data)[0], 'acl'] }],
	})),
	withErrors('done, and a field below refused', (data) => ({
		data: nulls(data),
		errors: [{ ...denied, path: [Object.keys(data)[0], 'acl'] }],
	})),
	withErrors('done, and a field below missing', (data) => ({
		data: null,
		errors: [{ message: 'No such user', extensions: { code: 'ERR_NOT_FOUND' }, path: [Object.keys(data)[0], 'owner'] }],
	})),
	withErrors('done, and data without fields', (data) => ({
		data: Object.fromEntries(Object.keys(data).map((name) => [name, {}])),
	})),
	withErrors('done, and empty data', () => ({ data: {} })),
];
