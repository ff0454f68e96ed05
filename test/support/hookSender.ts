import { generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { connect } from 'node:net';

/** A deterministic hook path in the format of `createHookPath`. */
export const hookPath = `/${'h'.repeat(43)}`;

/** A forge's key pair. */
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

/** Parts of a request; omitted parts have a forge's values. */
export interface SentDelivery {
	readonly host: string;
	readonly body?: Uint8Array;
	readonly signer?: ForgeSigner;
	readonly path?: string;
	readonly nonce?: string;
	readonly id?: string;
	readonly event?: string;
	/** Replaces headers of the same name; `undefined` omits one. */
	readonly headers?: Readonly<Record<string, string | undefined>>;
	/** Additional header lines. */
	readonly lines?: readonly string[];
	readonly start?: string;
}

export const sentBody: Uint8Array = Buffer.from('{"id": 7, "name": "alpha"}');

let sent = 0;

/** Headers of a delivery, with the empty line. */
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

/** A complete delivery. */
export function deliveryBytes(delivery: SentDelivery): Buffer {
	return Buffer.concat([Buffer.from(deliveryHead(delivery)), delivery.body ?? sentBody]);
}

/** Sends the bytes, and returns everything received until the connection ends or fails. */
export async function exchange(port: number, bytes: Uint8Array | string): Promise<string> {
	const socket = connect(port, '127.0.0.1');
	let came = '';
	socket.on('data', (chunk: Buffer) => (came += chunk.toString('latin1')));
	// Some tests expect a dropped connection.
	socket.on('error', () => undefined);
	socket.write(bytes);
	await new Promise((resolve) => socket.once('close', resolve));
	return came;
}

/** HTTP status of a response; 0 for none. */
export function statusOf(answer: string): number {
	return Number(/^HTTP\/1\.1 (\d{3}) /.exec(answer)?.[1] ?? 0);
}
