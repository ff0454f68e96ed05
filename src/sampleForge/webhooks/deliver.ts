import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';

/** Answer of a receiver. `status` -1: timeout; -2: no connection, or an invalid address. */
export interface Reply {
	readonly status: number;
	readonly headers: string;
	readonly body: string;
}

export interface Post {
	readonly url: string;
	readonly headers: Readonly<Record<string, string>>;
	readonly body: string;
	readonly timeoutMs: number;
	/** Ends the request when the forge ends. */
	readonly signal: AbortSignal;
}

const maxRedirects = 10;
const maxReplyBytes = 65_536;

/** Posts a delivery. Follows redirects; a 302 becomes GET without body (docs/protocol.md#deliveries). Never rejects. */
export async function deliver(post: Post): Promise<Reply> {
	const overdue = AbortSignal.timeout(post.timeoutMs);
	const signal = AbortSignal.any([overdue, post.signal]);
	let hop: Hop = { method: 'POST', url: post.url };
	try {
		for (let hops = 0; hops <= maxRedirects; hops++) {
			const got = await send(hop, post, signal);
			if (got.location === undefined) {
				return got.reply;
			}
			const keeps = got.reply.status === 307 || got.reply.status === 308;
			hop = { method: keeps ? hop.method : 'GET', url: new URL(got.location, hop.url).href };
		}
	} catch {
		if (overdue.aborted) {
			return { status: -1, headers: '', body: `Request timed out after ${post.timeoutMs / 1000} seconds.` };
		}
	}
	return { status: -2, headers: '', body: '' };
}

interface Hop {
	readonly method: 'GET' | 'POST';
	readonly url: string;
}

interface Got {
	readonly reply: Reply;
	readonly location: string | undefined;
}

function send(hop: Hop, post: Post, signal: AbortSignal): Promise<Got> {
	const { promise, resolve, reject } = Promise.withResolvers<Got>();
	const url = new URL(hop.url);
	const start = url.protocol === 'https:' ? httpsRequest : httpRequest;
	const body = hop.method === 'POST' ? post.body : '';
	const headers = { ...post.headers, ...(body === '' ? {} : { 'Content-Length': Buffer.byteLength(body) }) };
	const request = start(url, { method: hop.method, headers, signal, agent: false }, (response) => {
		const chunks: Buffer[] = [];
		let length = 0;
		response.on('data', (chunk: Buffer) => {
			if (length < maxReplyBytes) {
				chunks.push(chunk);
				length += chunk.length;
			}
		});
		response.on('error', reject);
		response.on('end', () => {
			const status = response.statusCode ?? 0;
			const lines = Object.entries(response.headers).map(([name, value]) => `${name}: ${String(value)}`);
			const moved = status >= 300 && status < 400 ? response.headers.location : undefined;
			resolve({
				reply: { status, headers: lines.join('\n'), body: Buffer.concat(chunks).toString('utf8') },
				location: moved,
			});
		});
	});
	request.on('error', reject);
	request.end(body);
	return promise;
}
