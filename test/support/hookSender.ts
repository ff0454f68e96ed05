import { generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { connect } from 'node:net';

/** A hook's path as `createHookPath` makes them, foreseeable. */
export const hookPath = `/${'h'.repeat(43)}`;

/** A forge's key, and what it signs. */
export interface ForgeSigner {
	/** 32 raw bytes in base64. */
	readonly publicKey: string;
	sign(body: Uint8Array, nonce: string): string;
}

export function makeSigner(): ForgeSigner {
	const { publicKey, privateKey } = generateKeyPairSync('ed25519');
	return {
		publicKey: publicKey.export({ format: 'der', type: 'spki' }).subarray(-32).toString('base64'),
		sign: (body, nonce) => sign(null, Buffer.concat([body, Buffer.from(nonce)]), privateKey).toString('base64'),
	};
}

/** What makes a request; what is left out is as a forge sends it. */
export interface SentDelivery {
	readonly host: string;
	readonly body?: Uint8Array;
	readonly signer?: ForgeSigner;
	readonly path?: string;
	readonly nonce?: string;
	readonly id?: string;
	readonly event?: string;
	/** Replaces headers of the same name; `undefined` leaves one out. */
	readonly headers?: Readonly<Record<string, string | undefined>>;
	/** Whole lines more. */
	readonly lines?: readonly string[];
	readonly start?: string;
}

export const sentBody: Uint8Array = Buffer.from('{"id": 7, "name": "alpha"}');

let sent = 0;

/** The headers of a delivery, with the empty line behind them. */
export function deliveryHead(delivery: SentDelivery): string {
	const { host, body = sentBody, signer, path = hookPath, event = 'ticket:create' } = delivery;
	const nonce = delivery.nonce ?? randomBytes(8).toString('hex');
	const headers = {
		Host: host,
		'User-Agent': 'python-requests/2.28.1',
		Accept: '*/*',
		Connection: 'keep-alive',
		'Content-Type': 'application/json',
		'X-Webhook-Event': event,
		'X-Webhook-Delivery': delivery.id ?? `00000000-0000-4000-8000-${String((sent += 1)).padStart(12, '0')}`,
		...(signer === undefined ? {} : { 'X-Payload-Nonce': nonce, 'X-Payload-Signature': signer.sign(body, nonce) }),
		'Content-Length': String(body.byteLength),
		...delivery.headers,
	};
	const lines = Object.entries(headers).flatMap(([name, value]) => (value === undefined ? [] : [`${name}: ${value}`]));
	return `${[delivery.start ?? `POST ${path} HTTP/1.1`, ...lines, ...(delivery.lines ?? [])].join('\r\n')}\r\n\r\n`;
}

/** A whole delivery as its bytes. */
export function deliveryBytes(delivery: SentDelivery): Buffer {
	return Buffer.concat([Buffer.from(deliveryHead(delivery)), delivery.body ?? sentBody]);
}

/** Sends these bytes, and tells all that came back until the connection ended, however it did. */
export async function exchange(port: number, bytes: Uint8Array | string): Promise<string> {
	const socket = connect(port, '127.0.0.1');
	let came = '';
	socket.on('data', (chunk: Buffer) => (came += chunk.toString('latin1')));
	// A connection that is cut off is what some tests are about.
	socket.on('error', () => undefined);
	socket.write(bytes);
	await new Promise((resolve) => socket.once('close', resolve));
	return came;
}

/** The status of an answer; 0 for none. */
export function statusOf(answer: string): number {
	return Number(/^HTTP\/1\.1 (\d{3}) /.exec(answer)?.[1] ?? 0);
}
