import { isAbort } from '../../base/abort.ts';
import { Disposables, onDispose, type Disposable } from '../../base/lifecycle.ts';
import { onceAtATime } from '../../base/onceAtATime.ts';
import type { ClientSecrets } from '../../editor/accounts/clientSecrets.ts';
import type { SessionStore } from '../../editor/accounts/sessionStore.ts';
import type { ForgeInstance } from '../../forge/port/instance.ts';
import { discoverServer } from '../../forge/identity/serverMetadata.ts';
import { isBoundTo, type Session } from '../../forge/identity/session.ts';
import type { Token } from '../../forge/identity/token.ts';
import { redeem, renewalForm, type RedeemedToken } from '../../forge/identity/tokenGrant.ts';
import { lookAtSessions, type HeldSessionsParts } from './heldSessions.ts';
import type { AccountNet } from './signIn.ts';

export interface TokenRenewalParts extends HeldSessionsParts {
	readonly sessions: SessionStore;
	readonly clientSecrets: ClientSecrets;
	readonly net: AccountNet;
	readonly forge: (instanceId: string) => ForgeInstance | undefined;
	/** Called once per failure; the renewal retries silently until the token expires. */
	readonly failed: (error: unknown) => void;
}

/** So long before it ends: a computer may be off for a holiday, and the forge for a day. */
const beforeMs = 30 * 86_400_000;
const betweenTriesMs = 6 * 60 * 60_000;

/**
 * Renews tokens of registered clients before they expire. Only one window does it, because a refresh token works once.
 */
export function tokenRenewal(parts: TokenRenewalParts): Disposable {
	const { sessions, clock } = parts;
	const owned = new Disposables();
	const ending = new AbortController();
	owned.add(onDispose(() => ending.abort()));
	const once = onceAtATime();
	const triedMs = new Map<string, number>();
	owned.add(lookAtSessions(parts, look));

	function look(session: Session): void {
		const { id, refresh, expiresMs = Number.POSITIVE_INFINITY } = session;
		const sinceTryMs = clock.nowMs() - (triedMs.get(id) ?? Number.NEGATIVE_INFINITY);
		const isDue = refresh !== undefined && expiresMs - clock.nowMs() <= beforeMs && sinceTryMs >= betweenTriesMs;
		if (isDue) {
			triedMs.set(id, clock.nowMs());
			void once(id, () => tryToRenew(session));
		}
	}

	async function tryToRenew({ id, token }: Session): Promise<void> {
		try {
			// Another window may have been faster than its event.
			const latest = await sessions.refresh(id);
			const refresh = latest?.refresh;
			if (latest !== undefined && refresh !== undefined && latest.token.reveal() === token.reveal()) {
				await renew(latest, refresh);
			}
		} catch (error) {
			if (!isAbort(error)) {
				parts.failed(error);
			}
		}
	}

	async function renew(session: Session, refresh: Token): Promise<void> {
		const instance = parts.forge(session.instanceId);
		const redeemed = instance && isBoundTo(session, instance) && (await redeemFor(instance, refresh));
		if (redeemed) {
			// Store first: requests read the token from the session.
			await sessions.renew(session, {
				token: redeemed.token,
				refresh: redeemed.refresh,
				sinceMs: clock.nowMs(),
				expiresMs: redeemed.expiresMs,
			});
		}
	}

	async function redeemFor(instance: ForgeInstance, refresh: Token): Promise<RedeemedToken | undefined> {
		const protocol = await parts.net.protocol(instance);
		const clientSecret = await parts.clientSecrets.get(instance);
		const { signIn } = protocol;
		if (clientSecret === undefined || signIn.kind !== 'secret') {
			return undefined;
		}
		const http = parts.net.identity(instance);
		const { tokenPath } = await discoverServer(http, instance.areas.meta, false, ending.signal);
		const client = { tokenPath, clientId: signIn.clientId, clientSecret, protocol };
		return redeem(client, renewalForm(refresh), http, clock, ending.signal);
	}

	return { dispose: () => owned.dispose() };
}
