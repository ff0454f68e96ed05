import * as vscode from 'vscode';
import type { TicketResolution, TicketStatus } from 'sourcehut/port/ticket.ts';
import type { Participant } from 'sourcehut/port/user.ts';
import { spelled } from 'sourcehut/port/word.ts';
import type { PageIcon } from '../../../pages/protocol/ticketProtocol.ts';
import { visibleLine } from '../../../engine/text/visible.ts';

/** How a status looks in rows and on the page. */
export interface StatusLook {
	readonly text: string;
	/** Codicon and theme colour for rows; `undefined` means the row's own colour. */
	readonly codicon: string;
	readonly color: string | undefined;
	readonly pageIcon: PageIcon;
}

/** Label and icon of a status. Unknown statuses keep the server's word. */
export function statusLook(status: TicketStatus): StatusLook {
	switch (status) {
		case 'reported':
			return look(vscode.l10n.t('Reported'), 'issues', 'charts.green', 'reported');
		case 'confirmed':
			return look(vscode.l10n.t('Confirmed'), 'issue-reopened', 'charts.blue', 'confirmed');
		case 'in_progress':
			return look(vscode.l10n.t('In progress'), 'play-circle', 'charts.yellow', 'inProgress');
		case 'pending':
			return look(vscode.l10n.t('Pending'), 'watch', 'symbolIcon.eventForeground', 'pending');
		case 'resolved':
			return look(vscode.l10n.t('Resolved'), 'pass-filled', 'disabledForeground', 'resolved');
		default:
			return look(visibleLine(spelled(status)), 'question', undefined, 'unknown');
	}
}

function look(text: string, codicon: string, color: string | undefined, pageIcon: PageIcon): StatusLook {
	return { text, codicon, color, pageIcon };
}

/** Offered resolutions, most frequent first. `unresolved` resolves nothing, and not every forge has `closed`. */
export const offeredResolutions = [
	'fixed',
	'implemented',
	'wont_fix',
	'by_design',
	'invalid',
	'duplicate',
	'not_our_bug',
] as const;
export type OfferedResolution = (typeof offeredResolutions)[number];

/** The offered resolution with this word. */
export function offeredResolution(word: string): OfferedResolution | undefined {
	return offeredResolutions.find((offered) => offered === word);
}

/** Form of a resolution inside a sentence. */
export function resolutionText(resolution: TicketResolution): string {
	switch (resolution) {
		case 'unresolved':
			return vscode.l10n.t('unresolved');
		case 'fixed':
			return vscode.l10n.t('fixed');
		case 'implemented':
			return vscode.l10n.t('implemented');
		case 'wont_fix':
			return vscode.l10n.t("won't fix");
		case 'by_design':
			return vscode.l10n.t('by design');
		case 'invalid':
			return vscode.l10n.t('invalid');
		case 'duplicate':
			return vscode.l10n.t('duplicate');
		case 'not_our_bug':
			return vscode.l10n.t('not our bug');
		case 'closed':
			return vscode.l10n.t('closed');
		default:
			return visibleLine(spelled(resolution));
	}
}

/** Status with the resolution of a closed ticket: "Resolved: fixed". */
export function statusText(status: TicketStatus, resolution: TicketResolution): string {
	const { text } = statusLook(status);
	return status === 'resolved' && resolution !== 'unresolved'
		? vscode.l10n.t('{0}: {1}', text, resolutionText(resolution))
		: text;
}

/** A ticket's title on one line, shortened. */
export function shortTitle(title: string): string {
	const line = visibleLine(title);
	const characters = Array.from(line);
	return characters.length > 40 ? `${characters.slice(0, 39).join('')}…` : line;
}

/** Name of any participant as one line of plain text. */
export function personName(person: Participant): string {
	switch (person.kind) {
		case 'user':
			return visibleLine(person.canonicalName);
		case 'email':
			return visibleLine(person.name ?? person.address);
		case 'external':
			return visibleLine(person.externalId);
	}
}
