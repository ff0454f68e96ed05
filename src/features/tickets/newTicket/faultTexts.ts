import * as vscode from 'vscode';
import { ticketLimits } from '../../../forge/port/ticketLimits.ts';
import type { TicketFault } from './newTicketText.ts';

/** A problem in a ticket draft, as a sentence with the next step. */
export function faultText(fault: TicketFault): string {
	const number = new Intl.NumberFormat(vscode.env.language);
	switch (fault.kind) {
		case 'titleMissing':
			return vscode.l10n.t('The first line is the title. Write at least {0} characters.', ticketLimits.shortestTitle);
		case 'titleTooShort':
			return vscode.l10n.t('The title is too short: write at least {0} characters.', ticketLimits.shortestTitle);
		case 'titleTooLong':
			return fault.over === 1
				? vscode.l10n.t('The title is 1 character too long: it can have {0}.', number.format(ticketLimits.longestTitle))
				: vscode.l10n.t(
						'The title is {0} characters too long: it can have {1}.',
						number.format(fault.over),
						number.format(ticketLimits.longestTitle),
					);
		case 'descriptionTooLong':
			return fault.over === 1
				? vscode.l10n.t(
						'The description is 1 character too long: it can have {0}.',
						number.format(ticketLimits.longestDescription),
					)
				: vscode.l10n.t(
						'The description is {0} characters too long: it can have {1}.',
						number.format(fault.over),
						number.format(ticketLimits.longestDescription),
					);
	}
}
