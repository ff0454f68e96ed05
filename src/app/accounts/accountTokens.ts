import type { Clock } from '../../base/clock.ts';
import { Disposables, type Disposable } from '../../base/lifecycle.ts';
import type { SessionStore } from '../../editor/accounts/sessionStore.ts';
import type { EnsureScope } from '../../features/accounts/scopeRequest.ts';
import { ForgeError } from '../../forge/forgeError.ts';
import type { ForgeProtocol } from '../../forge/forgeProtocol.ts';
import type { Area, ContentArea, ForgeInstance } from '../../forge/instance.ts';
import { holds } from '../../identity/scopeUnion.ts';
import { isBoundTo, reachedBy, type Session } from '../../identity/session.ts';
import type { Token } from '../../identity/token.ts';
import type { ConnectOptions } from '../../net.ts';

/**
 * Grace period for another window to replace a rejected token before the user hears of it. Nothing is sent with it
 * meanwhile.
 */
const graceMs = 2000;

export interface AccountTokensParts {
	readonly key: string;
	readonly instance: ForgeInstance;
	readonly protocol: ForgeProtocol;
	readonly sessions: SessionStore;
	readonly clock: Clock;
	readonly ensureScope: EnsureScope;
	/** Detects an area's protocol before the first request; `undefined` when known. Rejects with ForgeError. */
	readonly findProtocol: (area: ContentArea, signal: AbortSignal) => Promise<void> | undefined;
	/** The account must sign in again. Called once per token. */
	readonly rejected: (session: Session) => void;
	/** The account has signed in again. */
	readonly accepted: () => void;
}

/** Provides an account's token, requests missing scopes, and withholds a rejected token. */
export interface AccountTokens extends Required<Pick<ConnectOptions, 'tokenFor' | 'tokenRejected'>>, Disposable {
	isRejected(): boolean;
	/** The session changed, maybe with a new token. */
	replaced(): void;
}

export function accountTokens(parts: AccountTokensParts): AccountTokens {
	const { key, instance, protocol, sessions, clock, ensureScope } = parts;
	const owned = new Disposables();
	let refused: Token | undefined;
	/** Cached parse result of the last token, because every request needs it. */
	let read: { readonly token: Token; readonly isOfOthers: boolean } | undefined;
	let isClosed = false;

	/** The session, while the connection is open and the token belongs to this very forge. */
	function session(): Session | undefined {
		const found = sessions.byId(key);
		const isBound = found !== undefined && isBoundTo(found, instance) && reachedBy(found, instance) === instance;
		return !isClosed && isBound ? found : undefined;
	}

	/** Why the token is useless by its own content; no request. */
	function uselessness({ token, expiresMs }: Session): 'expired' | 'ofOtherServers' | undefined {
		if (expiresMs !== undefined && expiresMs <= clock.nowMs()) {
			return 'expired';
		}
		if (read?.token !== token) {
			read = { token, isOfOthers: protocol.readToken(token.reveal()).kind === 'ofOtherServers' };
		}
		return read.isOfOthers ? 'ofOtherServers' : undefined;
	}

	function isUsable(found: Session, area: ContentArea): boolean {
		const { token, refusedBy } = found;
		return token !== refused && uselessness(found) === undefined && !refusedBy.includes(area);
	}

	function usableToken(area: ContentArea): string | undefined {
		const found = session();
		if (found && !isUsable(found, area)) {
			const why = uselessness(found);
			throw new ForgeError({ kind: 'tokenRejected', area, ...(why === undefined ? {} : { why }) });
		}
		return found?.token.reveal();
	}

	function needsAsking(found: Session, scope: Parameters<EnsureScope>[1] | undefined): boolean {
		// The user chose the read permissions at sign-in, so never ask for them again.
		return scope?.endsWith(':write') === true && !holds(found.scopes, scope, protocol);
	}

	const usableFor: ConnectOptions['tokenFor'] = ({ area, scope }, signal) => {
		const token = usableToken(area);
		const found = session();
		if (token === undefined || found === undefined || scope === undefined || !needsAsking(found, scope)) {
			return token;
		}
		return ensureScope(key, scope, signal).then(() => usableToken(area));
	};

	/** The stored session. Rejects when the keyring is locked. */
	async function latestSession(): Promise<Session | undefined> {
		try {
			return await sessions.refresh(key);
		} catch (error) {
			throw new ForgeError({ kind: 'sessionUnreadable' }, { cause: error });
		}
	}

	/** Another window may have stored a newer token. */
	async function tokenRejected(token: string, area: Area): Promise<boolean> {
		const latest = await latestSession();
		if (latest?.token.reveal() !== token) {
			return latest !== undefined && latest.token !== refused;
		}
		// Sign-in already reported that this area rejects the token; other areas still accept it.
		const isKnown = area !== 'meta' && latest.refusedBy.includes(area);
		if (refused !== latest.token && !isKnown) {
			refused = latest.token;
			owned.add(clock.after(graceMs, tell));
		}
		return false;
	}

	function tell(): void {
		const found = session();
		if (found !== undefined && found.token === refused) {
			parts.rejected(found);
		}
	}

	const giveToken: ConnectOptions['tokenFor'] = (wish, signal) => {
		const found = session();
		return found && !isUsable(found, wish.area)
			? tokenRejected(found.token.reveal(), wish.area).then(() => usableFor(wish, signal))
			: usableFor(wish, signal);
	};

	async function giveOnceFound(
		finding: Promise<void>,
		...wished: Parameters<typeof giveToken>
	): Promise<string | undefined> {
		await finding;
		if (isClosed) {
			// The protocol changed: the account has a new connection by now, and the caller retries there.
			throw new DOMException('The forge speaks another protocol', 'AbortError');
		}
		return giveToken(...wished);
	}

	return {
		tokenFor(wish, signal) {
			const finding = session() && parts.findProtocol(wish.area, signal);
			return finding === undefined ? giveToken(wish, signal) : giveOnceFound(finding, wish, signal);
		},
		tokenRejected,
		isRejected: () => refused !== undefined && session()?.token === refused,
		replaced() {
			if (refused !== undefined && session()?.token !== refused) {
				refused = undefined;
				parts.accepted();
			}
		},
		dispose() {
			isClosed = true;
			owned.dispose();
		},
	};
}
