import { isForgeError, type Problem } from '../../forge/forgeError.ts';
import { otherName } from './keptProbe.ts';
import type { Listening } from './listening.ts';

/** What comes back to a call, whoever answers it. Throws `ForgeError` for what never arrived and for redirects. */
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

/** What a call to the listener's public address comes to. */
export type Probed =
	| { readonly kind: 'reached' }
	/** No window listens. */
	| { readonly kind: 'notOpen' }
	/** It came to the listener by a name that is none of its, which deliveries would be refused for. */
	| { readonly kind: 'otherName'; readonly host: string }
	/** Somebody else answers there, or the way to the listener lost something of the call. */
	| { readonly kind: 'otherAnswer'; readonly status: number }
	| { readonly kind: 'unreached'; readonly problem: Problem };

/**
 * Calls the listener by an address as a forge would, from this machine: whether the forge's own machine gets there as
 * well, only a delivery shows. `address`: as `readPublicAddress` has it.
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
