import * as v from 'valibot';
import * as vscode from 'vscode';
import type { Disposable } from '../../base/lifecycle.ts';
import { notify } from '../../editor/ask/notify.ts';
import type { Session } from '../../forge/identity/session.ts';
import { lookAtSessions, type HeldSessionsParts } from './heldSessions.ts';
import { goodOf, kept, type KeptText } from '../../store/shared/keptText.ts';

export interface EndingNoticeParts extends HeldSessionsParts {
	/** Notices already shown, shared by all windows. */
	readonly kept: KeptText;
	readonly forgeName: (session: Session) => string;
	/** Signs the account in again. */
	readonly renew: (session: Session) => void;
}

/** The last day of a token. */
const beforeMs = 86_400_000;
/** Users of tokens that live for hours expect the end, and would get a notice each time. */
const shortLifeMs = 2 * beforeMs;
const mostKept = 50;

const told = goodOf(v.string());

/** Says once of each token, on its last day, that it ends, and offers a new one. */
export function endingNotice({ sessions, kept: place, lease, clock, ...parts }: EndingNoticeParts): Disposable {
	const toldOf = kept(place, told, []);
	/** Notices of this window; covers a failed write to the shared store. */
	const own = new Set<string>();

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

	return lookAtSessions({ sessions, lease, clock }, lookAt);
}
