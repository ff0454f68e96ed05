// A process of somebody who knows the path of a hook and wants the listener to fail. Told by a message what to do; it tells
// when its requests are over, and holds on to its sockets and bodies until it is ended.
import { connect, type Socket } from 'node:net';
import { deliveryBytes, deliveryHead, exchange, makeSigner, type SentDelivery } from '../support/hookSender.ts';

/** What an attack is made of. */
export interface HookAttack {
	readonly port: number;
	/** Connections that say as little as they can, and come back when they are cut off. */
	readonly slowSockets: number;
	/** Bodies that are sent at the same time, and how large each would be. */
	readonly bodies: number;
	readonly bodyBytes: number;
	/** Deliveries, one after another in some connections, that are forged, replayed or changed by one bit, a third each. */
	readonly hostile: number;
	/** How many of these connections there are at a time. */
	readonly lanes: number;
	/** A good delivery that somebody overheard, in base64. */
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

/** One body after another, for as long as this process lives. */
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
	// Being cut off is what an attacker expects.
	socket.on('error', () => undefined);
	return socket;
}

/** Also once nothing can be written any more. */
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
