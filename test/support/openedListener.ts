import assert from 'node:assert/strict';
import type { Arrival, Delivery, Refusal } from '../../src/machine/listener/delivery.ts';
import { readForgeKey, type ForgeKey } from '../../src/machine/listener/forgeKey.ts';
import {
	listenerLimits,
	type ListenerLimits,
	openListener,
	type Listener,
	type ListenerOptions,
} from '../../src/machine/listener/openListener.ts';
import { systemClock } from './contractForge.ts';
import { hookPath } from './hookSender.ts';
import { quietLog } from './quietLog.ts';

/** A listener of a test's own on the loopback, and what came to it. */
export interface OpenedListener extends Disposable {
	readonly listener: Listener;
	readonly port: number;
	/** `127.0.0.1:4711` */
	readonly host: string;
	readonly arrivals: readonly Arrival[];
	/** Paths to which came what the key has not signed. */
	readonly forged: readonly string[];
	/** Of what came, the deliveries. */
	deliveries(): readonly Delivery[];
	/** How many were refused for this reason. */
	refused(refusal: Refusal): number;
}

type Parts = Partial<Omit<ListenerOptions, 'limits'>> & {
	readonly limits?: Partial<ListenerLimits>;
	/** Of the single hook. */
	readonly publicKey?: string;
};

/** Opens one that knows a single hook, has no key and answers with nothing, unless the parts say otherwise. */
export async function openedListener({ limits, publicKey, ...parts }: Parts = {}): Promise<OpenedListener> {
	const arrivals: Arrival[] = [];
	const forged: string[] = [];
	const opening = await openListener(
		{
			port: 0,
			hosts: () => [],
			hookAt: (path) =>
				path === hookPath ? { key: publicKey === undefined ? undefined : keyOf(publicKey) } : undefined,
			answer: () => undefined,
			received: (arrival) => void arrivals.push(arrival),
			forged: (path) => void forged.push(path),
			clock: systemClock,
			log: quietLog(),
			...parts,
			limits: { ...listenerLimits, ...limits },
		},
		new AbortController().signal,
	);
	assert.equal(opening.kind, 'open');
	assert.ok(opening.kind === 'open');
	const { listener } = opening;
	return {
		listener,
		port: listener.port,
		host: `127.0.0.1:${listener.port}`,
		arrivals,
		forged,
		deliveries: () => arrivals.flatMap((arrival) => (arrival.kind === 'delivery' ? [arrival.delivery] : [])),
		refused: (refusal) => listener.refusals.get(refusal) ?? 0,
		[Symbol.dispose]: () => listener.dispose(),
	};
}

/** The key of a text that is one. */
export function keyOf(publicKey: string): ForgeKey {
	const reading = readForgeKey(publicKey);
	assert.ok(reading.kind === 'key');
	return reading.key;
}
