// Attacker process that knows the path of a hook and tries to disrupt the listener. A message starts it. It reports the
// end of its requests, and keeps its sockets and bodies until the parent ends it.
import { connect, type Socket } from 'node:net';
import { deliveryBytes, deliveryHead, exchange, makeSigner, type SentDelivery } from '../support/hookSender.ts';

export interface HookAttack {
	readonly port: number;
	/** Connections that send as little as possible, and reconnect after a disconnect. */
	readonly slowSockets: number;
	/** Number of concurrent bodies, and the size of each. */
	readonly bodies: number;
	readonly bodyBytes: number;
	/** Sequential deliveries: one third each forged, replayed, and changed by one bit. */
	readonly hostile: number;
	/** Concurrent connections for these deliveries. */
	readonly lanes: number;
	/** A captured good delivery, in base64. */
	readonly overheard: string;
}

const again = 10;
const dripMs = 500;

process.once('message', (attack: HookAttack) => void begin(attack));
process.on('disconnect', () => process.exit());
process.send?.('ready');

async function begin(attack: HookAttack): Promise<void> {
	for (let count = 0; count < attack.slowSockets; count += 1) {
		holdSlow(attack, count);
	}
	for (let count = 0; count < attack.bodies; count += 1) {
		void sendBodies(attack);
	}
	await Promise.all(Array.from({ length: attack.lanes }, (_, lane) => sendHostile(attack, lane)));
	process.send?.('over');
}

function holdSlow(attack: HookAttack, kind: number): void {
	const socket = opened(attack.port);
	const head = deliveryHead({ host: hostOf(attack), headers: { 'Content-Length': '5000' } });
	socket.write(['P', head.slice(0, 60), head][kind % 3] ?? '');
	const drip = setInterval(() => socket.write('x'), dripMs);
	socket.once('close', () => {
		clearInterval(drip);
		setTimeout(() => holdSlow(attack, kind), again);
	});
}

/** Sends bodies until the process ends. */
async function sendBodies(attack: HookAttack): Promise<void> {
	const head = deliveryHead({
		host: hostOf(attack),
		signer: makeSigner(),
		headers: { 'Content-Length': undefined, 'Transfer-Encoding': 'chunked' },
	});
	const chunk = Buffer.concat([Buffer.from('10000\r\n'), Buffer.alloc(65_536, 'x'), Buffer.from('\r\n')]);
	for (;;) {
		const socket = opened(attack.port);
		socket.write(head);
		for (let sent = 0; sent < attack.bodyBytes && !socket.destroyed; sent += 65_536) {
			if (!socket.write(chunk)) {
				await untilDrained(socket);
			}
		}
		socket.destroy();
		await pause();
	}
}

async function sendHostile(attack: HookAttack, lane: number): Promise<void> {
	const forger = makeSigner();
	const overheard = Buffer.from(attack.overheard, 'base64');
	const forged: SentDelivery = { host: hostOf(attack), signer: forger };
	for (let count = lane; count < attack.hostile; count += attack.lanes) {
		const flipped = Buffer.from(overheard);
		const at = flipped.length - 1 - (count % 20);
		flipped[at] = flipped[at]! ^ (1 << (count % 8));
		await exchange(attack.port, [overheard, flipped, deliveryBytes(forged)][count % 3]!);
	}
}

function hostOf({ port }: HookAttack): string {
	return `127.0.0.1:${port}`;
}

function opened(port: number): Socket {
	const socket = connect(port, '127.0.0.1').resume();
	// The attacker expects disconnects.
	socket.on('error', () => undefined);
	return socket;
}

/** Also resolves when the socket closes. */
function untilDrained(socket: Socket): Promise<void> {
	return new Promise((resolve) => {
		const end = (): void => {
			socket.off('drain', end).off('close', end);
			resolve();
		};
		socket.on('drain', end).on('close', end);
	});
}

function pause(): Promise<void> {
	return new Promise((resolve) => {
		setTimeout(resolve, again);
	});
}
