import * as vscode from 'vscode';
import type { Connection } from '../../../store/connection.ts';
import type { Ticket } from 'sourcehut/port/ticket.ts';
import type { Permission, Permissions } from 'sourcehut/port/tracker.ts';
import type { Possibility } from '../../../pages/protocol/ticketProtocol.ts';

/** Refusals by the forge in this tracker. */
export interface Refusals {
	readonly comment: boolean;
	readonly triage: boolean;
	/** Used only if the API supports edits. */
	readonly edit?: boolean;
}

type Wanted = keyof Refusals;

export const noRefusals: Refusals = { comment: false, triage: false };

/**
 * Whether the account can change a ticket. Most forges return only general permissions, without grants to single
 * accounts. So a missing permission is a warning, and only a refusal is certain.
 */
export function possibility(wanted: Wanted, connection: Connection, ticket: Ticket, refusals: Refusals): Possibility {
	if (refusals[wanted] === true) {
		return { kind: 'impossible', reason: refusedText(wanted, ticket.tracker.owner.canonicalName) };
	}
	const tracker = { owner: ticket.tracker.owner.canonicalName, name: ticket.tracker.name };
	if (tracker.owner === connection.me || (wanted === 'triage' && connection.writes.hasTriaged(tracker))) {
		return { kind: 'possible' };
	}
	const defaults = connection.tickets.trackers.known(tracker)?.defaultPermissions;
	const mine = told('mine', ticket.permissions, defaults);
	if (mine) {
		return mine.includes(wanted)
			? { kind: 'possible' }
			: { kind: 'impossible', reason: refusedText(wanted, tracker.owner) };
	}
	return mayBeAllowed(wanted, ticket, defaults, connection.me)
		? { kind: 'possible' }
		: { kind: 'possible', warning: refusedText(wanted, tracker.owner) };
}

/** The rights on a ticket; `undefined` if only the web page supports the action. */
export function ticketRights(connection: Connection, ticket: Ticket, refusals: Refusals = noRefusals) {
	const { writes } = connection;
	const canTriage = possibility('triage', connection, ticket, refusals);
	const mayEdit =
		writes.editTicket || writes.removeTicket ? possibility('edit', connection, ticket, refusals) : undefined;
	return {
		canComment: possibility('comment', connection, ticket, refusals),
		canTriage,
		canAssign: writes.canAssign() ? canTriage : undefined,
		canEdit: writes.editTicket && mayEdit,
		canDelete: writes.removeTicket && mayEdit,
	};
}

/** True unless the forge's general permissions exclude the account. */
function mayBeAllowed(
	wanted: Wanted,
	{ submitter, permissions }: Ticket,
	defaults: Permissions | undefined,
	me: string,
): boolean {
	const isSubmitter = submitter.kind === 'user' && submitter.canonicalName === me;
	const known = [
		told('user', permissions, defaults),
		...(isSubmitter ? [told('submitter', permissions, defaults)] : []),
	];
	return known.every((words) => words === undefined) || known.some((words) => words?.includes(wanted));
}

/** A ticket's own permissions override those of its tracker. */
function told(
	whose: keyof Permissions,
	own: Permissions | undefined,
	defaults: Permissions | undefined,
): readonly Permission[] | undefined {
	return own?.[whose] ?? defaults?.[whose];
}

/** Text for a likely or actual refusal; the tracker's owner, `~name`, can grant the permission. */
export function refusedText(wanted: Wanted, owner: string): string {
	switch (wanted) {
		case 'comment':
			return vscode.l10n.t('Only some people can comment here. Ask {0} for permission to comment.', owner);
		case 'triage':
			return vscode.l10n.t('Only some people can change the status here. Ask {0} for permission to triage.', owner);
		case 'edit':
			return vscode.l10n.t('Only some people can edit tickets here. Ask {0} for permission to edit.', owner);
	}
}
