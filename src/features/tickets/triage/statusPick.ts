import * as vscode from 'vscode';
import { choose, type Choice } from '../../../editor/ask.ts';
import { notify } from '../../../editor/notify.ts';
import { ticketStatuses, type Ticket } from '../../../forge/ticket.ts';
import type { LearntLimits, StatusMove } from '../../../state/ticketWrites.ts';
import { askResolution } from '../ticketQuestions.ts';
import { statusLook } from '../words.ts';

type Status = (typeof ticketStatuses)[number];

interface StatusChoice {
	readonly status: Status;
	readonly isRefused: boolean;
}

/** What the question about a status is asked with. */
export interface StatusQuestion {
	/** Which tickets, as text for people. */
	readonly about: string;
	/** The ticket, when there is only one: its own status is not offered. */
	readonly ticket: Ticket | undefined;
	readonly limits: LearntLimits;
}

/**
 * Asks for a status. What the forge has refused before stands last with the reason, and is sent only when a person
 * insists: servers learn new things. `undefined` when they do not insist.
 */
export async function askMove({ about, ticket, limits }: StatusQuestion): Promise<StatusMove | undefined> {
	const offered = ticketStatuses.filter((status) => status !== ticket?.status);
	const isRefused = (status: Status): boolean =>
		limits.onlyResolvesAndReopens && status !== 'reported' && status !== 'resolved';
	const choices = offered.map((status) => statusChoice({ status, isRefused: isRefused(status) }));
	const chosen = await choose(
		vscode.l10n.t('Status of {0}', about),
		choices.toSorted((one, other) => Number(one.value.isRefused) - Number(other.value.isRefused)),
	);
	return !chosen.isRefused || (await insists(chosen.status)) ? moveTo(chosen.status, about) : undefined;
}

function statusChoice(value: StatusChoice): Choice<StatusChoice> {
	const { text, codicon } = statusLook(value.status);
	return {
		label: text,
		...(value.isRefused ? { detail: vscode.l10n.t('Not taken by this forge: it resolves and reopens only.') } : {}),
		iconPath: new vscode.ThemeIcon(value.isRefused ? 'circle-slash' : codicon),
		value,
	};
}

async function insists(status: Status): Promise<boolean> {
	const tryIt = vscode.l10n.t('Try All the Same');
	const text = vscode.l10n.t(
		'This forge has refused to set a status such as {0}: it resolves and reopens only. On the web it can be set.',
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
