import * as v from 'valibot';
import * as vscode from 'vscode';
import { notify } from '../../editor/ask/notify.ts';
import { isAbort } from '../../base/abort.ts';
import { onceAtATime } from '../../base/onceAtATime.ts';
import type { ForgeInstance } from '../../forge/port/instance.ts';
import { discoverServer } from '../../forge/identity/browserSignIn.ts';
import { isBoundTo, type Session } from '../../editor/accounts/session.ts';
import type { Token } from '../../forge/identity/token.ts';
import { redeem, renewalForm, type RedeemedToken } from '../../forge/identity/tokenGrant.ts';
import { Disposables, onDispose, type Disposable } from '../../base/lifecycle.ts';
import { goodOf, kept } from '../../store/shared/keptText.ts';
import type { AccountsContext } from './accountsContext.ts';

/** Timers do not reach over a year, and the window that looks may be another one by then. */
const lookMs = 15 * 60_000;

/** Inspects each session when any session changes and at intervals, in the window that holds the lease. */
function lookAtSessions({ sessions, lease, clock }: AccountsContext, look: (session: Session) => void): Disposable {
	const owned = new Disposables();
	let timer: Disposable | undefined;
	owned.add(onDispose(() => timer?.dispose()));
	owned.add(sessions.onDidChange(lookAtAll));
	owned.add(lease.onDidChange(lookAtAll));
	again();

	function again(): void {
		timer = clock.after(lookMs, () => {
			lookAtAll();
			again();
		});
	}

	function lookAtAll(): void {
		for (const session of lease.isHeld() ? sessions.current() : []) {
			look(session);
		}
	}

	return owned;
}

/** The last day of a token. */
const noticeMs = 86_400_000;
/** Users of tokens that live for hours expect the end, and would get a notice each time. */
const shortLifeMs = 2 * noticeMs;
const mostKept = 50;

const told = goodOf(v.string());

/** Says once of each token, on its last day, that it ends, and offers a new one. `renew`: signs the account in again. */
export function endingNotice(
	context: AccountsContext,
	forgeName: (session: Session) => string,
	renew: (session: Session) => void,
): Disposable {
	const { endings, clock } = context;
	const toldOf = kept(endings, told, []);
	/** Notices of this window; covers a failed write to the shared store. */
	const own = new Set<string>();

	function lookAt(session: Session): void {
		const { id, sinceMs = Number.NEGATIVE_INFINITY, expiresMs = Number.POSITIVE_INFINITY, inMemoryOnly } = session;
		const leftMs = expiresMs - clock.nowMs();
		const name = `${id} ${expiresMs}`;
		const isDue = !inMemoryOnly && leftMs > 0 && leftMs <= noticeMs && expiresMs - sinceMs >= shortLifeMs;
		if (!isDue || own.has(name) || toldOf().includes(name)) {
			return;
		}
		own.add(name);
		endings.write(JSON.stringify([name, ...toldOf()].slice(0, mostKept))).catch(() => undefined);
		void say(session, clock.nowMs() + leftMs);
	}

	async function say(session: Session, endsMs: number): Promise<void> {
		const action = vscode.l10n.t('Sign In Again');
		const when = new Intl.DateTimeFormat(vscode.env.language, { dateStyle: 'medium', timeStyle: 'short' }).format(
			endsMs,
		);
		const message = vscode.l10n.t(
			'The token of {0} for {1} expires on {2}. Sign in again to replace it.',
			session.accountName,
			forgeName(session),
			when,
		);
		if ((await notify('information', message, action)) === action) {
			renew(session);
		}
	}

	return lookAtSessions(context, lookAt);
}

/** So long before it ends: a computer may be off for a holiday, and the forge for a day. */
const renewalMs = 30 * 86_400_000;
const betweenTriesMs = 6 * 60 * 60_000;

/**
 * Renews tokens of registered clients before they expire. Only one window does it, because a refresh token works once.
 */
export function tokenRenewal(context: AccountsContext): Disposable {
	const { sessions, clock } = context;
	const owned = new Disposables();
	const ending = new AbortController();
	owned.add(onDispose(() => ending.abort()));
	const once = onceAtATime();
	const triedMs = new Map<string, number>();
	owned.add(lookAtSessions(context, look));

	function look(session: Session): void {
		const { id, refresh, expiresMs = Number.POSITIVE_INFINITY } = session;
		const sinceTryMs = clock.nowMs() - (triedMs.get(id) ?? Number.NEGATIVE_INFINITY);
		const isDue = refresh !== undefined && expiresMs - clock.nowMs() <= renewalMs && sinceTryMs >= betweenTriesMs;
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
				context.noteFailure(error);
			}
		}
	}

	async function renew(session: Session, refresh: Token): Promise<void> {
		const instance = context.forges.byId(session.instanceId);
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
		const protocol = await context.net.protocol(instance);
		const clientSecret = await context.clientSecrets.get(instance);
		const { signIn } = protocol;
		if (clientSecret === undefined || signIn.kind !== 'secret') {
			return undefined;
		}
		const http = context.net.identity(instance);
		const { tokenPath } = await discoverServer(http, instance.areas.meta, false, ending.signal);
		const client = { tokenPath, clientId: signIn.clientId, clientSecret, protocol };
		return redeem(client, renewalForm(refresh), http, clock, ending.signal);
	}

	return { dispose: () => owned.dispose() };
}
