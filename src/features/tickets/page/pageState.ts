import * as vscode from 'vscode';
import { agoText, readBeforeText } from '../../../editor/ask/readBefore.ts';
import { unsentText } from '../../../editor/ask/extraFields.ts';
import { refText } from 'sourcehut/port/namedRef.ts';
import type { Label, Permission, Permissions } from 'sourcehut/port/tracker.ts';
import { type Ticket, type TicketRef, ticketRefText } from 'sourcehut/port/ticket.ts';
import type { HeadView, LabelView, PermissionView } from '../../../pages/protocol/ticketProtocol.ts';
import { isOn } from '../../../store/outbox/outbox.ts';
import type { Connection } from '../../../store/connection.ts';
import { readablePair } from '../../../engine/text/contrast.ts';
import { visibleLine } from '../../../engine/text/visible.ts';
import type { PlacedComment } from './pageDrafts.ts';
import { statusButtons } from './statusButtons.ts';
import { namedInViews } from './namedIn.ts';
import { ticketRights, type Refusals } from '../subjects/permissions.ts';
import { labelView, personPart, sentence, userPart } from './sentence.ts';
import { isStopped, queuedState, queuedTitle } from '../subjects/queuedWords.ts';
import { statusLook, statusText, shortTitle } from '../subjects/words.ts';
import { spelled } from 'sourcehut/port/word.ts';

/** Current data of a ticket page. */
export interface Tellable {
	readonly connection: Connection;
	readonly ref: TicketRef;
	readonly html: (markdown: string) => string;
	/** As the renderer's `warm`. */
	readonly warm: (markdown: string) => boolean;
	readonly refusals: Refusals;
	/** Timeline error as a sentence. */
	readonly timelineFailure: string | undefined;
	readonly isOldestFirst: boolean;
	readonly newFrom: number | undefined;
	readonly hasEditDraft: (of: PlacedComment) => boolean;
}

/** View of a ticket without its timeline, from the store's current data. */
export function headView({ connection, ref, html, refusals }: Tellable, ticket: Ticket, nowMs: number): HeadView {
	const { tickets, writes, instance } = connection;
	const before = tickets.ticketBefore(ref);
	const labels = labelLooks(tickets.trackers.knownLabels(ref.tracker));
	const rights = ticketRights(connection, ticket, refusals);
	const isDoubted = rights.canTriage.kind === 'possible' && rights.canTriage.warning !== undefined;
	return {
		reference: ticketRefText(ref),
		title: visibleLine(ticket.title),
		status: {
			icon: statusLook(ticket.status).pageIcon,
			text: statusText(ticket.status, ticket.resolution),
		},
		labels: ticket.labels.map((name) => labelView(name, labels)),
		submitted: sentence(vscode.l10n.t('{0} submitted this'), personPart(ticket.submitter, instance)),
		submittedAtMs: ticket.createdMs,
		assignees: ticket.assignees.map((user) => userPart(user, instance)),
		descriptionHtml: ticket.description.trim() === '' ? '' : html(ticket.description),
		// Hide moves that the permission warning discourages. Commands still offer them, so the user can try.
		moves: isDoubted ? [] : statusButtons(ticket, writes.limits()),
		...rights,
		isSubscribed: writes.subscriptions?.known({ kind: 'ticket', ref }),
		managesLabels: writes.labels !== undefined && ref.tracker.owner === connection.me,
		queued: connection.outbox
			.shown()
			.filter((item) => isOn(item, ref))
			.map((item) => ({
				id: item.id,
				title: queuedTitle(item.write),
				state: queuedState(item),
				isStopped: isStopped(item),
				text: item.write.kind === 'ticket' ? (item.write.wish.comment ?? '') : '',
				queuedMs: item.queuedMs,
			})),
		namedIn: namedInViews(connection, ref),
		permissions: permissionViews(ticket, tickets.trackers.known(ref.tracker)?.defaultPermissions),
		readBefore: before
			? readBeforeText(before.error, agoText(before.readAtMs, nowMs, 'long'))
			: unsentText([ticket, ...(tickets.knownEvents(ref)?.items ?? [])]),
	};
}

/** Label colours by name, adjusted for readable contrast. */
export function labelLooks(labels: readonly Label[]): ReadonlyMap<string, LabelView> {
	return new Map(labels.map(({ name, colors }) => [name, { name: visibleLine(name), colors: readablePair(colors) }]));
}

/** Title of the page's tab: short and on one line. */
export function tabTitle(ref: TicketRef, title: string | undefined): string {
	return title === undefined
		? `${ref.tracker.name === '' ? refText(ref.tracker) : ref.tracker.name}#${ref.id}`
		: `#${ref.id} ${shortTitle(title)}`;
}

/** Permissions on a ticket as reported by the forge. The tracker's defaults apply where the ticket has none. */
function permissionViews({ permissions }: Ticket, defaults: Permissions | undefined): readonly PermissionView[] {
	const people: readonly (readonly [keyof Permissions, string])[] = [
		['mine', vscode.l10n.t('You')],
		['user', vscode.l10n.t('Users with an account')],
		['submitter', vscode.l10n.t('Submitter')],
		['anonymous', vscode.l10n.t('Anonymous users')],
	];
	const texts: Readonly<Partial<Record<Permission, string>>> = {
		browse: vscode.l10n.t('read'),
		submit: vscode.l10n.t('submit tickets'),
		comment: vscode.l10n.t('comment'),
		edit: vscode.l10n.t('edit'),
		triage: vscode.l10n.t('triage'),
	};
	return people.flatMap(([kind, who]) => {
		const own = permissions?.[kind];
		const words = own ?? defaults?.[kind];
		const isInherited = own === undefined;
		if (words === undefined) {
			// The ticket inherits from a tracker that reports no permissions.
			return permissions && kind !== 'mine'
				? [{ who, may: vscode.l10n.t('not reported by the forge'), isInherited }]
				: [];
		}
		return [
			{
				who,
				may:
					words.length === 0
						? vscode.l10n.t('nothing')
						: words.map((word) => texts[word] ?? visibleLine(spelled(word))).join(', '),
				isInherited,
			},
		];
	});
}
