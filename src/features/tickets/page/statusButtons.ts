import * as vscode from 'vscode';
import type { Ticket } from 'sourcehut/port/ticket.ts';
import type { StatusLimits, StatusMove } from 'sourcehut/port/ticketRequest.ts';
import type { MoveChoice } from '../../../pages/protocol/ticketProtocol.ts';
import { offeredResolution, offeredResolutions, resolutionText, statusLook } from '../subjects/words.ts';

/** Statuses between open and closed, in workflow order. */
const between = ['confirmed', 'in_progress', 'pending'] as const;

/** Offered status changes: all that the forge is not known to refuse. */
export function statusButtons(
	{ status, resolution: present }: Pick<Ticket, 'status' | 'resolution'>,
	{ onlyResolvesAndReopens, changesResolutions }: StatusLimits,
): readonly MoveChoice[] {
	if (status === 'resolved') {
		const others = offeredResolutions.filter((each) => each !== present);
		return [
			reopening(),
			...(changesResolutions === true
				? [
						...others.map((resolution) => {
							const text = resolutionText(resolution);
							const whole = vscode.l10n.t('Comment and Change Resolution to {0}', text);
							return choice(`resolve:${resolution}`, vscode.l10n.t('Change Resolution to {0}', text), whole);
						}),
						...between.map(settingTo),
					]
				: []),
		];
	}
	const resolving = offeredResolutions.map((resolution) => {
		const text = resolutionText(resolution);
		const whole = vscode.l10n.t('Comment and Resolve as {0}', text);
		return choice(`resolve:${resolution}`, vscode.l10n.t('Resolve as {0}', text), whole);
	});
	const setting = onlyResolvesAndReopens ? [] : between.filter((each) => each !== status).map(settingTo);
	const back = status === 'reported' || onlyResolvesAndReopens ? [] : [reopening()];
	return [...resolving, ...setting, ...back];
}

/** Inverse of `moveOf`. */
export function keyOf(move: StatusMove): string {
	switch (move.kind) {
		case 'resolve':
			return `resolve:${move.resolution}`;
		case 'reopen':
			return 'reopen';
		case 'set':
			return `set:${move.status}`;
	}
}

/** The change for a choice's key; `undefined` for unknown keys. */
export function moveOf(key: string): StatusMove | undefined {
	const [kind, word = ''] = key.split(':');
	if (kind === 'reopen') {
		return { kind: 'reopen' };
	}
	if (kind === 'resolve') {
		const resolution = offeredResolution(word);
		return resolution && { kind: 'resolve', resolution };
	}
	const status = between.find((each) => each === word);
	return kind === 'set' && status ? { kind: 'set', status } : undefined;
}

function settingTo(status: (typeof between)[number]): MoveChoice {
	const { text } = statusLook(status);
	return choice(`set:${status}`, vscode.l10n.t('Set to {0}', text), vscode.l10n.t('Comment and Set to {0}', text));
}

function reopening(): MoveChoice {
	return choice('reopen', vscode.l10n.t('Reopen'), vscode.l10n.t('Comment and Reopen'));
}

function choice(key: string, text: string, commentAndMove: string): MoveChoice {
	return { key, text, move: text, commentAndMove, asksOriginal: key === 'resolve:duplicate' };
}
