import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { isRecord } from '../src/shared/body.ts';

/** Longer bodies contain files. */
const mostBytes = 1024 * 1024;

/**
 * Description of a GraphQL request, such as `mutation LabelTicket {"trackerId":1,"ticketId":7,"labelId":3}`: kind and
 * name of its document, and its variables. Null for every other request. The body stays readable.
 */
export async function questionOf(request: IncomingMessage): Promise<string | null> {
	const { url, method, headers } = request;
	const bytes = Number(headers['content-length']);
	if (url !== '/query' || method !== 'POST' || !(bytes > 0 && bytes <= mostBytes)) {
		return null;
	}
	const body = await peek(request, bytes);
	const sent = parsed(body);
	if (!isRecord(sent) || typeof sent['query'] !== 'string') {
		return null;
	}
	const [head = ''] = /^\s*(?:query|mutation)?\s*\w*/.exec(sent['query']) ?? [];
	return `${head.trim()} ${JSON.stringify(sent['variables'] ?? {})}`.trim();
}

/** Reads a body of this length and leaves it in the stream; less if the connection breaks. */
async function peek(request: IncomingMessage, bytes: number): Promise<string> {
	const chunks: Buffer[] = [];
	let length = 0;
	while (length < bytes && !request.destroyed) {
		const chunk: unknown = request.read();
		if (chunk instanceof Buffer) {
			chunks.push(chunk);
			length += chunk.length;
		} else {
			await Promise.race([once(request, 'readable'), once(request, 'close')]);
		}
	}
	const body = Buffer.concat(chunks);
	// In the same turn as the last read: in the next one the stream would be at its end.
	if (length > 0 && !request.destroyed) {
		request.unshift(body);
	}
	return body.toString('utf8');
}

function parsed(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}
