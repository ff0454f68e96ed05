import * as v from 'valibot';
import type { Clock } from '@forge-desk/base/clock.ts';
import type { Disposable } from '@forge-desk/base/lifecycle.ts';
import { isForgeError, type Problem } from 'sourcehut/port/forgeError.ts';
import { kept, readOr, time, type KeptText } from '../shared/keptText.ts';

/** A test call to our own listener. */
export interface Probe extends Disposable {
	readonly path: string;
	/** The response body at this path only. */
	readonly text: string;
}

/** Posts and returns any response. Rejects with `ForgeError` for network errors and redirects. */
export type PostDelivery = (
	call: {
		/** Exact origin, without a trailing slash. */
		readonly origin: string;
		readonly path: string;
		readonly headers: Readonly<Record<string, string>>;
		readonly json: string;
	},
	signal: AbortSignal,
) => Promise<{ readonly status: number; readonly text: string }>;

/** Result of a test call to the public address. */
export type Probed =
	| { readonly kind: 'reached' }
	/** No window listens. */
	| { readonly kind: 'notOpen' }
	/** Reached with an unknown host name, for which deliveries would fail. */
	| { readonly kind: 'otherName'; readonly host: string }
	/** Another server answers, or a proxy altered the call. */
	| { readonly kind: 'otherAnswer'; readonly status: number }
	| { readonly kind: 'unreached'; readonly problem: Problem };

/**
 * Calls the listener through its public address from this machine. Only a delivery proves that the forge's machine can
 * reach it too. `address`: as from `readPublicAddress`.
 */
export async function probeAddress(
	address: string,
	beginProbe: () => Promise<Probe | undefined>,
	post: PostDelivery,
	signal: AbortSignal,
): Promise<Probed> {
	const probe = await beginProbe();
	if (probe === undefined) {
		return { kind: 'notOpen' };
	}
	const { origin, pathname } = new URL(address);
	const path = `${pathname.replace(/\/$/, '')}${probe.path}`;
	const headers = { 'X-Webhook-Event': 'probe', 'X-Webhook-Delivery': probe.text.slice(1) };
	try {
		const { status, text } = await post({ origin, path, headers, json: '{}' }, signal);
		if (status === 200 && text === probe.text) {
			return { kind: 'reached' };
		}
		return status === 200 && text.startsWith(`${probe.text} `)
			? { kind: 'otherName', host: text.slice(probe.text.length + 1) }
			: { kind: 'otherAnswer', status };
	} catch (error) {
		if (isForgeError(error)) {
			return { kind: 'unreached', problem: error.problem };
		}
		throw error;
	} finally {
		probe.dispose();
	}
}

/** Expiry, for windows that crash. */
const longestMs = 60_000;

const begunProbe = v.object({ path: v.string(), text: v.string(), untilMs: time });
const none: v.InferOutput<typeof begunProbe> = { path: '', text: '', untilMs: 0 };

/** The pending probe of any window, shared with the window that listens. `newPath` generates unguessable texts. */
export function keptProbe(place: KeptText, newPath: () => string, clock: Clock) {
	// Called for every unknown path, including those from strangers.
	const read = kept(place, begunProbe, none);
	const now = () => readOr(read, none);
	/** `undefined` for any other path. */
	function textAt(path: string): string | undefined {
		const { path: begun, text, untilMs } = now();
		return begun === path && clock.nowMs() < untilMs ? text : undefined;
	}
	return {
		/** Replaces the previous probe. */
		async begin(): Promise<Probe> {
			const begun = { path: newPath(), text: newPath(), untilMs: clock.nowMs() + longestMs };
			await place.write(JSON.stringify(begun));
			return {
				...begun,
				dispose() {
					if (now().path === begun.path) {
						// A leftover probe expires.
						place.write(JSON.stringify(none)).catch(() => undefined);
					}
				},
			};
		},
		textAt,
		/** Response to a probe with an unknown host name. */
		misnamed(path: string, host: string): string | undefined {
			const text = textAt(path);
			return text === undefined ? undefined : `${text} ${host}`;
		},
	};
}
