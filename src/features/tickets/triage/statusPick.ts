import * as vscode from 'vscode';
import { choose, type Choice } from '../../../editor/ask/ask.ts';
import { notify } from '../../../editor/ask/notify.ts';
import { ticketStatuses, type Ticket } from '../../../forge/port/ticket.ts';
import type { StatusLimits, StatusMove } from '../../../forge/port/ticketRequest.ts';
import { askResolution } from '../subjects/ticketQuestions.ts';
import { statusLook } from '../subjects/words.ts';

type Status = (typeof ticketStatuses)[number];

export interface StatusQuestion {
	/** The tickets in readable form. */
	readonly about: string;
	/** The ticket, when there is only one: its own status is not offered. */
	readonly ticket: Ticket | undefined;
	readonly limits: StatusLimits;
}

/**
 * Asks for a status that the forge sets. Statuses that the forge refused earlier need an extra confirmation, because
 * servers get upgrades. `undefined` without the confirmation.
 */
export async function askMove({ about, ticket, limits }: StatusQuestion): Promise<StatusMove | undefined> {
	// Some forges can change the resolution of a resolved ticket.
	const offered = ticketStatuses.filter(
		(status) => status !== ticket?.status || (status === 'resolved' && limits.changesResolutions === true),
	);
	const isRefused = (status: Status): boolean =>
		limits.onlyResolvesAndReopens && status !== 'reported' && status !== 'resolved';
	const refused = offered.filter(isRefused);
	const title = vscode.l10n.t('Status of {0}', about);
	const chosen = await choose<Status | 'others'>(title, [
		...offered.filter((status) => !isRefused(status)).map(statusChoice),
		...(refused.length > 0 ? [othersChoice()] : []),
	]);
	if (chosen !== 'others') {
		return moveTo(chosen, about);
	}
	const status = await choose(title, refused.map(statusChoice));
	return (await insists(status)) ? moveTo(status, about) : undefined;
}

function statusChoice(status: Status): Choice<Status> {
	const { text, codicon } = statusLook(status);
	return { label: text, iconPath: new vscode.ThemeIcon(codicon), value: status };
}

function othersChoice(): Choice<'others'> {
	return {
		label: vscode.l10n.t('Other Statuses…'),
		detail: vscode.l10n.t('This forge can only resolve or reopen tickets.'),
		iconPath: new vscode.ThemeIcon('circle-slash'),
		value: 'others',
	};
}

async function insists(status: Status): Promise<boolean> {
	const tryIt = vscode.l10n.t('Try Anyway');
	const text = vscode.l10n.t(
		'This forge has rejected a status such as {0}: it can only resolve or reopen tickets. Other statuses can be set on the web.',
		statusLook(status).text,
	);
	return (await notify('information', text, tryIt)) === tryIt;
}

async function moveTo(status: Status, about: string): Promise<StatusMove> {
	switch (status) {
		case 'reported':
			return { kind: 'reopen' };
		case 'resolved':
			return { kind: 'resolve', resolution: await askResolution(about) };
		case 'confirmed':
		case 'in_progress':
		case 'pending':
			return { kind: 'set', status };
	}
}
