import type { LookupAddress } from 'node:dns';
import { lookup } from 'node:dns/promises';
import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { BlockList, type LookupFunction } from 'node:net';
import type { WebhookReply } from '../shared/area.ts';

type Headers = Readonly<Record<string, string>>;

/** Posts a delivery. Never rejects: the status is -1 after a timeout, -2 without a connection or for a refused address. */
export type Deliver = (url: string, headers: Headers, body: string, signal: AbortSignal) => Promise<WebhookReply>;

/** One request of a delivery. An empty body makes it GET. */
type Send = (address: string, body: string, signal: AbortSignal) => Promise<Got>;

interface Got {
	readonly reply: WebhookReply;
	/** Of a redirect. */
	readonly location: string | undefined;
}

const addresses = async (name: string): Promise<LookupAddress[]> => lookup(name, { all: true });

const maxReplyBytes = 65_536;

/** Receivers have this long (docs/protocol.md#deliveries). */
const replyTimeoutMs = 5000;

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addAddress('::1', 'ipv6');

/**
 * Delivers to this machine only, and follows no redirect: others can read the answer, so the forge would read their way
 * into the guest's network.
 */
export const deliverHere: Deliver = async (url, headers, body, signal) =>
	await withinTime(signal, async (until) => (await sendHere(headers)(url, body, until)).reply);

/** Runs a delivery until its deadline. */
export async function withinTime(
	signal: AbortSignal,
	run: (until: AbortSignal) => Promise<WebhookReply>,
): Promise<WebhookReply> {
	const overdue = AbortSignal.timeout(replyTimeoutMs);
	try {
		return await run(AbortSignal.any([overdue, signal]));
	} catch {
		return overdue.aborted
			? { status: -1, headers: '', body: `Request timed out after ${replyTimeoutMs / 1000} seconds.` }
			: { status: -2, headers: '', body: '' };
	}
}

/** Sends single requests to loopback addresses; rejects for names with any other one, and when the connection breaks. */
export function sendHere(headers: Headers, resolve: (name: string) => Promise<LookupAddress[]> = addresses): Send {
	return async (address, body, signal) => {
		const url = new URL(address);
		const found = await resolve(url.hostname.replace(/^\[(.*)\]$/, '$1'));
		if (!found.every(({ address: each, family }) => loopback.check(each, family === 6 ? 'ipv6' : 'ipv4'))) {
			throw new Error('The receiver is on another machine');
		}
		// A second look-up could find another address.
		const known: LookupFunction = (_name, { all }, done) =>
			all === true ? done(null, found) : done(null, found[0]?.address ?? '', found[0]?.family);
		const got = Promise.withResolvers<Got>();
		const start = url.protocol === 'https:' ? httpsRequest : httpRequest;
		const sent = { ...headers, ...(body === '' ? {} : { 'Content-Length': Buffer.byteLength(body) }) };
		const method = body === '' ? 'GET' : 'POST';
		const request = start(url, { method, headers: sent, signal, agent: false, lookup: known }, (response) => {
			const chunks: Buffer[] = [];
			let length = 0;
			response.on('data', (chunk: Buffer) => {
				if (length < maxReplyBytes) {
					chunks.push(chunk);
					length += chunk.length;
				}
			});
			response.on('error', got.reject);
			response.on('end', () => {
				const status = response.statusCode ?? 0;
				const lines = Object.entries(response.headers).map(([name, value]) => `${name}: ${String(value)}`);
				got.resolve({
					reply: { status, headers: lines.join('\n'), body: Buffer.concat(chunks).toString('utf8') },
					location: status >= 300 && status < 400 ? response.headers.location : undefined,
				});
			});
		});
		request.on('error', got.reject);
		request.end(body);
		return await got.promise;
	};
}
