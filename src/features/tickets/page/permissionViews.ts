import * as vscode from 'vscode';
import type { Ticket } from '../../../forge/ticket.ts';
import type { Permission, Permissions } from '../../../forge/tracker.ts';
import { spelled } from '../../../forge/word.ts';
import type { PermissionView } from '../../../protocol/ticketView.ts';
import { visibleLine } from '../../../text/visible.ts';

const kinds = ['user', 'submitter', 'anonymous'] as const satisfies readonly (keyof Permissions)[];

/** Who may do what with a ticket, as far as the forge tells; the tracker's word holds where the ticket has none. */
export function permissionViews({ permissions }: Ticket, defaults: Permissions | undefined): readonly PermissionView[] {
	return kinds.flatMap((kind) => {
		const own = permissions?.[kind];
		const words = own ?? defaults?.[kind];
		const isInherited = own === undefined;
		if (words === undefined) {
			// A ticket that says "inherited" of a tracker that says nothing.
			return permissions ? [{ who: whoText(kind), may: vscode.l10n.t('not reported by the forge'), isInherited }] : [];
		}
		return [{ who: whoText(kind), may: mayText(words), isInherited }];
	});
}

function whoText(kind: (typeof kinds)[number]): string {
	switch (kind) {
		case 'user':
			return vscode.l10n.t('Users with an account');
		case 'submitter':
			return vscode.l10n.t('Submitter');
		case 'anonymous':
			return vscode.l10n.t('Anonymous users');
	}
}

function mayText(words: readonly Permission[]): string {
	return words.length === 0 ? vscode.l10n.t('nothing') : words.map(wordText).join(', ');
}

function wordText(word: Permission): string {
	switch (word) {
		case 'browse':
			return vscode.l10n.t('read');
		case 'submit':
			return vscode.l10n.t('submit tickets');
		case 'comment':
			return vscode.l10n.t('comment');
		case 'edit':
			return vscode.l10n.t('edit');
		case 'triage':
			return vscode.l10n.t('triage');
		default:
			return visibleLine(spelled(word));
	}
}
