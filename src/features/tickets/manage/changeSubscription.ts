import * as vscode from 'vscode';
import { choose } from '../../../editor/ask/ask.ts';
import { tellBriefly } from '../../../editor/ask/notify.ts';
import { withProgress } from '../../../editor/ask/progress.ts';
import { connectionOf } from '../../../editor/commands/subjects.ts';
import { openExactly } from '../../../editor/links/openDestination.ts';
import { refText } from 'sourcehut/port/namedRef.ts';
import type { Subscribable } from 'sourcehut/port/subscribable.ts';
import { ticketRefText } from 'sourcehut/port/ticket.ts';
import type { Connections } from '../../../store/connection.ts';
import { visibleLine } from '../../../engine/text/visible.ts';
import type { TicketSubject, TrackerSubject } from '../subjects/subjects.ts';
import { webAddress } from '../../../editor/links/webOf.ts';

/**
 * Shows whether the forge sends mail about a tracker or ticket, and changes that. Opens the web page if the API can't.
 */
export async function changeSubscription(
	connections: Connections,
	subject: TicketSubject | TrackerSubject,
	signal: AbortSignal,
): Promise<void> {
	const { writes, instance } = connectionOf(connections, subject);
	const to: Subscribable =
		subject.kind === 'tracker' ? { kind: 'tracker', ref: subject.ref } : { kind: 'ticket', ref: subject.ref };
	const name = visibleLine(to.kind === 'tracker' ? refText(to.ref) : ticketRefText(to.ref));
	const { subscriptions } = writes;
	if (!subscriptions) {
		return openExactly(
			to.kind === 'tracker'
				? webAddress(instance, { kind: 'tracker', ref: to.ref })
				: webAddress(instance, { kind: 'ticket', ref: to.ref }),
		);
	}
	const isOn = await withProgress(vscode.l10n.t('Loading…'), signal, (working) => subscriptions.read(to, working));
	const isWanted = await choose(
		isOn ? vscode.l10n.t('You get email about {0}', name) : vscode.l10n.t('You get no email about {0}', name),
		[
			isOn
				? { label: vscode.l10n.t('Unsubscribe'), iconPath: new vscode.ThemeIcon('bell-slash'), value: false }
				: { label: vscode.l10n.t('Subscribe'), iconPath: new vscode.ThemeIcon('bell'), value: true },
		],
	);
	await withProgress(vscode.l10n.t('Saving…'), signal, (working) => subscriptions.set(to, isWanted, working));
	tellBriefly(isWanted ? vscode.l10n.t('Subscribed to {0}', name) : vscode.l10n.t('Unsubscribed from {0}', name));
}
