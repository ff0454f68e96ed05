import { isForgeError, type Problem } from '../../forge/port/forgeError.ts';
import { otherName } from './keptProbe.ts';
import type { Listening } from './listening.ts';

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
	{ listening, post }: { readonly listening: Pick<Listening, 'beginProbe'>; readonly post: PostDelivery },
	signal: AbortSignal,
): Promise<Probed> {
	const probe = await listening.beginProbe();
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
		const host = status === 200 ? otherName(probe, text) : undefined;
		return host === undefined ? { kind: 'otherAnswer', status } : { kind: 'otherName', host };
	} catch (error) {
		if (isForgeError(error)) {
			return { kind: 'unreached', problem: error.problem };
		}
		throw error;
	} finally {
		probe.dispose();
	}
}
