import { type Deliver, sendHere, withinTime } from '../src/webhooks/deliver.ts';

const maxRedirects = 10;

/** Follows redirects, like real servers: a 302 becomes GET without body (docs/protocol.md#deliveries). */
export const deliverLikeServers: Deliver = async (url, headers, body, signal) =>
	await withinTime(signal, async (until) => {
		const send = sendHere(headers);
		let hop = { url, body };
		for (let hops = 0; hops <= maxRedirects; hops++) {
			const { reply, location } = await send(hop.url, hop.body, until);
			if (location === undefined) {
				return reply;
			}
			const isKept = reply.status === 307 || reply.status === 308;
			hop = { url: new URL(location, hop.url).href, body: isKept ? hop.body : '' };
		}
		throw new Error('Too many redirects');
	});
