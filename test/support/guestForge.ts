import { sendAnswer } from 'sample-forge/server/areaServer.ts';
import { startSampleForge } from 'sample-forge/sampleForge.ts';
import { deliverHere } from 'sample-forge/webhooks/deliver.ts';
import type { Later } from 'sample-forge/worlds/guest/colleagues.ts';
import { guestWorld } from 'sample-forge/worlds/guest/guestWorld.ts';
import type { Dialect } from './sampleForge.ts';

/** Timers that only tests advance. */
export interface Timers {
	readonly later: Later;
	pass(ms: number): void;
	waiting(): number;
}

function createTimers(): Timers {
	let nowMs = 0;
	const waiting = new Map<object, { readonly dueMs: number; readonly happens: () => void }>();
	return {
		later(afterMs, happens) {
			const key = {};
			waiting.set(key, { dueMs: nowMs + afterMs, happens });
			return () => void waiting.delete(key);
		},
		pass(ms) {
			nowMs += ms;
			for (const [key, { dueMs, happens }] of [...waiting].toSorted((a, b) => a[1].dueMs - b[1].dueMs)) {
				if (dueMs <= nowMs && waiting.delete(key)) {
					happens();
				}
			}
		},
		waiting: () => waiting.size,
	};
}

export interface GuestForge {
	readonly forge: Awaited<ReturnType<typeof startSampleForge>>;
	readonly timers: Timers;
	stop(): Promise<void>;
}

/**
 * Starts a forge with the guest world in this process. The history ends at `endMs`. `stateDir`: folder of its
 * persistent state.
 */
export async function startGuestForge(dialect: Dialect, endMs: number, stateDir = ''): Promise<GuestForge> {
	const timers = createTimers();
	const forge = await startSampleForge(
		{ dialect, graphqlAge: '2026', firstPort: 0, redirectPort: 0, stateDir },
		{
			exchange: async ({ request, response }, answer) => await sendAnswer(request, response, await answer()),
			crashed(_request, error) {
				throw error;
			},
			failureOf: () => undefined,
			deliver: deliverHere,
			clockMs: Date.now,
			plan: guestWorld(endMs, timers.later),
		},
	);
	return {
		forge,
		timers,
		stop: () => forge.stop(),
	};
}
