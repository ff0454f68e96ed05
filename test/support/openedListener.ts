import assert from 'node:assert/strict';
import { listenerLimits, openListener, type Refusal } from '../../src/machine/listener/openListener.ts';
import type { KeptSeen } from '../../src/machine/listener/arrivalQueue.ts';
import type { Log } from '../../src/base/log.ts';
import type { Arrival, Delivery, ListenerOptions } from '../../src/store/listening/openedListener.ts';
import { hookPath } from './hookSender.ts';
import { quietLog } from './quietLog.ts';

/** A test's own listener on the loopback, with a record of its requests. */
export interface OpenedListener extends Disposable {
	readonly listener: Extract<Awaited<ReturnType<typeof openListener>>, { readonly kind: 'open' }>['listener'];
	readonly port: number;
	/** `127.0.0.1:4711` */
	readonly host: string;
	readonly arrivals: readonly Arrival[];
	/** Paths of requests with an invalid signature. */
	readonly forged: readonly string[];
	/** Accepted deliveries. */
	deliveries(): readonly Delivery[];
	/** Number of rejections for this reason. */
	refused(refusal: Refusal): number;
}

type Parts = Partial<ListenerOptions> & {
	readonly seen?: KeptSeen;
	readonly log?: Log;
	readonly limits?: Partial<typeof listenerLimits>;
	/** Path of the single hook. */
	readonly publicKey?: string;
};

/** Options of a listener at a free port with a single hook, without a key, and with empty responses. */
export function listenerOptions(publicKey?: string): ListenerOptions {
	return {
		port: 0,
		address: '127.0.0.1',
		hosts: () => [],
		hookAt: (path) => (path === hookPath ? { publicKey } : undefined),
		misnamed: () => undefined,
		answer: () => undefined,
		received: () => undefined,
		forged: () => undefined,
	};
}

/** Opens a listener with `listenerOptions` and the given changes. */
export async function openedListener({
	limits,
	publicKey,
	seen = { read: () => [], add: () => undefined },
	log = quietLog(),
	...options
}: Parts = {}): Promise<OpenedListener> {
	const arrivals: Arrival[] = [];
	const forged: string[] = [];
	const opening = await openListener(
		{
			...listenerOptions(publicKey),
			received: (arrival) => void arrivals.push(arrival),
			forged: (path) => void forged.push(path),
			...options,
		},
		seen,
		log,
		new AbortController().signal,
		{ ...listenerLimits, ...limits },
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
