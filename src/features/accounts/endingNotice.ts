import * as v from 'valibot';
import * as vscode from 'vscode';
import type { Clock } from '../../base/clock.ts';
import { Disposables, onDispose, type Disposable } from '../../base/lifecycle.ts';
import type { SessionStore } from '../../editor/accounts/sessionStore.ts';
import { notify } from '../../editor/ask/notify.ts';
import type { Session } from '../../identity/session.ts';
import type { WindowLease } from '../../state/watch/windowLease.ts';
import { goodOf, kept, type KeptText } from '../../state/shared/keptText.ts';

/** What is needed to say in time that a token ends. */
export interface EndingNoticeParts {
	readonly sessions: Pick<SessionStore, 'current' | 'onDidChange'>;
	/** Which tokens were told of, for all windows. */
	readonly kept: KeptText;
	/** Of all windows one says it. */
	readonly lease: Pick<WindowLease, 'isHeld' | 'onDidChange'>;
	readonly forgeName: (session: Session) => string;
	/** Signs the account in again. */
	readonly renew: (session: Session) => void;
	readonly clock: Clock;
}

/** The last day of a token. */
const beforeMs = 86_400_000;
/** Who gets tokens that live for hours knows it, and would be told each time. */
const shortLifeMs = 2 * beforeMs;
/** Timers do not reach over a year, and the window that says it may be another one by then. */
const lookMs = 15 * 60_000;
const mostKept = 50;

const told = goodOf(v.string());

/** Says once of each token, on its last day, that it ends, and offers a new one. */
export function endingNotice({ sessions, kept: place, lease, clock, ...parts }: EndingNoticeParts): Disposable {
	const owned = new Disposables();
	const toldOf = kept(place, told, []);
	/** By this window, also where it could not be written down. */
	const own = new Set<string>();
	let timer: Disposable | undefined;
	owned.add(onDispose(() => timer?.dispose()));
	owned.add(sessions.onDidChange(look));
	owned.add(lease.onDidChange(look));
	again();

	function again(): void {
		timer = clock.after(lookMs, () => {
			look();
			again();
		});
	}

	function look(): void {
		if (lease.isHeld()) {
			for (const session of sessions.current()) {
				lookAt(session);
			}
		}
	}

	function lookAt(session: Session): void {
		const { id, sinceMs = Number.NEGATIVE_INFINITY, expiresMs = Number.POSITIVE_INFINITY, inMemoryOnly } = session;
		const leftMs = expiresMs - clock.nowMs();
		const name = `${id} ${expiresMs}`;
		const isDue = !inMemoryOnly && leftMs > 0 && leftMs <= beforeMs && expiresMs - sinceMs >= shortLifeMs;
		if (!isDue || own.has(name) || toldOf().includes(name)) {
			return;
		}
		own.add(name);
		place.write(JSON.stringify([name, ...toldOf()].slice(0, mostKept))).catch(() => undefined);
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
			parts.forgeName(session),
			when,
		);
		if ((await notify('information', message, action)) === action) {
			parts.renew(session);
		}
	}

	return { dispose: () => owned.dispose() };
}
